/*
 * matching.c - find the texts that --strip-matching removes, and check that
 * none of them is left
 */
#include "convert/strip/matching.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/secrets/find.h"
#include "common/secrets/secrets.h"

static enum hp_status
search(struct hp_source *src, unsigned categories, unsigned threads,
       struct hp_secret_hits *hits, struct hp_error *err)
{
	const struct hp_secret_search q = {
		.threads = threads, .strings = true, .categories = categories};

	return hp_secrets_find(src, &q, hits, err);
}

static enum hp_status
add_hit(struct hp_matching *m, const struct hp_secret_hit *h,
	struct hp_error *err)
{
	if (h->in != HP_IN_STRING_RECORD)
		return hp_dump_id_sets_add(&m->arrays, h->dump, h->array, err);
	if (m->nstrings > 0 && m->strings[m->nstrings - 1] == h->offset)
		return HP_OK;
	return HP_LIST_PUSH(m->strings, m->nstrings, m->cap, h->offset)
		       ? HP_OK
		       : hp_no_memory(err);
}

enum hp_status
hp_matching_find(struct hp_matching *m, struct hp_source *src,
		 unsigned categories, unsigned threads, uint64_t memory,
		 struct hp_error *err)
{
	struct hp_secret_hits hits = {0};
	enum hp_status st = search(src, categories, threads, &hits, err);

	if (st == HP_OK && hits.incomplete)
		st = hp_fail(err, HP_UNSUPPORTED,
			     "a STRING record is too long to be searched for "
			     "secrets: give --strip-strings instead");
	m->arrays.id_size = hits.id_size;
	m->arrays.bytes = hp_source_tell(src);
	m->arrays.memory = memory;
	for (size_t i = 0; i < hits.count && st == HP_OK; i++)
		st = add_hit(m, &hits.list[i], err);
	if (st == HP_OK)
		st = hp_dump_id_sets_finish(&m->arrays, err);
	hp_secret_hits_release(&hits);
	return st;
}

enum hp_status
hp_matching_prove(struct hp_source *src, unsigned categories, unsigned threads,
		  struct hp_error *err)
{
	struct hp_secret_hits hits = {0};
	enum hp_status st = search(src, categories, threads, &hits, err);

	if (st == HP_OK && hits.count > 0)
		st = hp_fail(err, HP_DAMAGED,
			     "the check of the output failed: the output still "
			     "has a secret (%s) in the text at offset %llu",
			     hp_secret_name(hits.list[0].kind),
			     (unsigned long long)hits.list[0].offset);
	hp_secret_hits_release(&hits);
	return st;
}

bool
hp_matching_has_string(const struct hp_matching *m, uint64_t offset)
{
	size_t at;

	if (!m || m->nstrings == 0)
		return false;
	at = hp_list_find(m->strings, m->nstrings, sizeof(*m->strings), 0,
			  offset);
	return at < m->nstrings && m->strings[at] == offset;
}

void
hp_matching_release(struct hp_matching *m)
{
	hp_dump_id_sets_release(&m->arrays);
	hp_free(m->strings);
	*m = (struct hp_matching){0};
}
