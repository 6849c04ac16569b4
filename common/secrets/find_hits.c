/*
 * find_hits.c - search the arrays and STRING records of a dump for secrets
 *
 * The search looks at the bytes of whole batches (parts of the dump). Only if
 * some bytes look like a secret, it determines in which array they are. A
 * secret that begins in one piece of a long array and ends in the next piece is
 * found when the pieces are handled in file order.
 */
#include "common/secrets/find.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/scan.h"
#include "common/secrets/named.h"
#include "common/secrets/secrets.h"

#include <stdlib.h>
#include <string.h>

/*
 * The first and the last bytes of a piece of a long array. They are kept to
 * find a secret that begins in one piece and ends in the next piece.
 */
struct ends {
	uint64_t array, first, bytes;
	struct hp_secret_hit like;
	size_t nhead, ntail;
	uint8_t head[HP_SECRET_OVERLAP], tail[HP_SECRET_OVERLAP];
};

struct finder {
	const struct hp_secret_search *q;
	unsigned id_size;
	/* for each worker: the secrets that it has found */
	struct hp_vec *found;
	struct hp_vec hits; /* the secrets of all workers */
	/* a STRING record was too long to be searched completely */
	bool incomplete;
	/*
	 * the first and last bytes of the piece of a long array that was
	 * handled last
	 */
	struct ends *last;
};

static bool
is_text(const struct hp_sub *s)
{
	return s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	       (s->type == HP_TYPE_BYTE || s->type == HP_TYPE_CHAR);
}

/* The list to which the secrets of one text are added. */
struct adding {
	struct hp_vec *to;
	const struct hp_secret_hit *like;
};

static bool
add_hit(void *ctx, const struct hp_secret *s)
{
	const struct adding *a = ctx;
	struct hp_secret_hit h = *a->like;

	h.kind = s->kind;
	h.length = s->length;
	return hp_vec_push(a->to, &h, sizeof(h));
}

static bool
search(const struct finder *f, struct hp_vec *to,
       const struct hp_secret_hit *like, const uint8_t *data, size_t n)
{
	struct adding a = {.to = to, .like = like};

	return hp_secrets_each(data, n, f->q->categories, add_hit, &a);
}

/*
 * Returns the index of the first byte, at or after @from, at which a secret may
 * begin. Returns @n if there is no such byte. Some categories have no fast
 * filter; with these, a secret may begin at every byte.
 */
static size_t
candidate(const struct finder *f, const uint8_t *data, size_t n, size_t from)
{
	return f->q->categories & HP_SECRETS_PLAIN
		       ? from
		       : hp_secret_candidate(data, n, from);
}

static struct hp_secret_hit
hit_of(const struct hp_sub *s, const struct hp_batch *b, const struct hp_run *r)
{
	return (struct hp_secret_hit){
		.offset = s->offset,
		.record = r->record,
		.dump = b->dump,
		.array = s->id,
		.in = s->type == HP_TYPE_CHAR ? HP_IN_CHARS : HP_IN_BYTES};
}

/* Search the arrays in a run (range of complete sub-records) of the batch. */
static bool
search_run(struct finder *f, const struct hp_batch *b, size_t run)
{
	const struct hp_run *r = &b->runs[run];
	const uint8_t *data = b->data + r->at;
	struct hp_vec *to = &f->found[b->worker];
	size_t n = (size_t)r->length, at = candidate(f, data, n, 0);
	struct hp_heap_iter it;
	struct hp_sub s = {0};
	struct hp_secret_hit like;

	if (at >= n)
		return true;
	it = hp_run_iter(b, run);
	while (at < n && hp_heap_next(&it, &s, f->id_size)) {
		size_t end = (size_t)(s.start - data) + (size_t)s.size;

		if (end <= at)
			continue;
		like = hit_of(&s, b, r);
		if (is_text(&s) && !search(f, to, &like, s.data,
					   (size_t)(data + end - s.data)))
			return false;
		at = candidate(f, data, n, end);
	}
	return true;
}

/*
 * Search one piece of a long array. Keep its first and last bytes for
 * on_retired(), which searches across the border of two pieces.
 */
static bool
search_piece(struct finder *f, struct hp_batch *b, const struct hp_run *r)
{
	const uint8_t *data = b->data + r->at;
	struct ends *e;
	size_t n = (size_t)r->length;

	if (!is_text(&r->piece.sub))
		return true;
	e = hp_malloc(sizeof(*e));
	if (!e)
		return false;
	hp_free(b->user);
	b->user = e;
	e->like = hit_of(&r->piece.sub, b, r);
	e->array = r->piece.sub.id;
	e->first = r->piece.first;
	e->bytes = r->piece.elements;
	e->nhead = n < HP_SECRET_OVERLAP ? n : HP_SECRET_OVERLAP;
	e->ntail = e->nhead;
	memcpy(e->head, data, e->nhead);
	memcpy(e->tail, data + n - e->ntail, e->ntail);
	return search(f, &f->found[b->worker], &e->like, data, n);
}

static enum hp_status
search_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	bool ok = true;

	for (size_t i = 0; i < b->nruns && ok && !b->replay; i++) {
		if (b->runs[i].kind == HP_RUN_SUBS)
			ok = search_run(f, b, i);
		else if (b->runs[i].kind == HP_RUN_ARRAY)
			ok = search_piece(f, b, &b->runs[i]);
	}
	return ok ? HP_OK : hp_no_memory(err);
}

/*
 * The data for a search across the border of two pieces of an array. It finds
 * secrets that begin in one piece and end in the next piece.
 */
struct border {
	struct adding add;
	/* index of the first byte after the border between the two pieces */
	size_t at;
};

static bool
add_border_hit(void *ctx, const struct hp_secret *s)
{
	struct border *b = ctx;

	return s->at >= b->at || s->end <= b->at || add_hit(&b->add, s);
}

/*
 * Search the last bytes of the previous piece together with the first bytes of
 * this piece.
 */
static bool
search_border(struct finder *f, const struct ends *next)
{
	const struct ends *last = f->last;
	struct border b = {.add = {.to = &f->hits, .like = &next->like},
			   .at = last->ntail};
	uint8_t *both = hp_malloc(2ul * HP_SECRET_OVERLAP);
	bool ok = both != NULL;

	if (!ok)
		return false;
	memcpy(both, last->tail, last->ntail);
	memcpy(both + last->ntail, next->head, next->nhead);
	ok = hp_secrets_each(both, last->ntail + next->nhead, f->q->categories,
			     add_border_hit, &b);
	hp_free(both);
	return ok;
}

static enum hp_status
search_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	struct ends *e = b->user;
	bool ok = true;

	b->user = NULL;
	if (e && f->last && f->last->array == e->array &&
	    f->last->first + f->last->bytes == e->first)
		ok = search_border(f, e);
	if (e) {
		hp_free(f->last);
		f->last = e;
	}
	return ok ? HP_OK : hp_no_memory(err);
}

static void
search_dropped(void *ctx, struct hp_batch *b)
{
	hp_free(b->user);
	b->user = NULL;
}

static enum hp_status
search_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	      struct hp_error *err)
{
	struct finder *f = ctx;
	const struct hp_secret_hit like = {.offset = rec->offset,
					   .record = rec->ordinal,
					   .in = HP_IN_STRING_RECORD};

	if (rec->tag != HP_REC_STRING || !f->q->strings ||
	    hp_left(&body) < f->id_size)
		return HP_OK;
	f->incomplete |= rec->partial;
	return search(f, &f->hits, &like, body.data + f->id_size,
		      (size_t)hp_left(&body) - f->id_size)
		       ? HP_OK
		       : hp_no_memory(err);
}

static enum hp_status
search_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct finder *f = ctx;

	f->id_size = h->id_size;
	return HP_OK;
}

static int
compare_hits(const void *a, const void *b)
{
	const struct hp_secret_hit *x = a, *y = b;
	int c = hp_order(x->offset, y->offset);

	c = c ? c : hp_order(x->kind, y->kind);
	return c ? c : hp_order(y->length, x->length);
}

/*
 * If an array has several credentials of the same kind, keep only the longest.
 */
static bool
drop_repeated(struct finder *f)
{
	struct hp_secret_hit *hits = f->hits.items;
	size_t n = 0;

	if (!hp_sort(hits, f->hits.count, sizeof(*hits), compare_hits))
		return false;
	for (size_t i = 0; i < f->hits.count; i++)
		if (n == 0 || hits[n - 1].offset != hits[i].offset ||
		    hits[n - 1].kind != hits[i].kind)
			hits[n++] = hits[i];
	f->hits.count = n;
	return true;
}

static void
release(struct finder *f)
{
	for (unsigned i = 0; f->found && i < f->q->threads; i++)
		hp_free(f->found[i].items);
	hp_free(f->found);
	hp_free(f->hits.items);
	hp_free(f->last);
}

enum hp_status
hp_secrets_find(struct hp_source *src, const struct hp_secret_search *q,
		struct hp_secret_hits *hits, struct hp_error *err)
{
	struct finder f = {.q = q};
	const struct hp_pass pass = {.need = HP_NEED_CONTENTS,
				     .ctx = &f,
				     .header = search_header,
				     .record = search_record,
				     .batch = search_batch,
				     .retired = search_retired,
				     .dropped = search_dropped};
	const struct hp_scan_options options = {.threads = q->threads,
						.only_dump = q->dump};
	enum hp_status st = HP_OK;
	bool ok = true;

	f.found = hp_calloc(q->threads, sizeof(*f.found));
	st = f.found ? hp_scan(src, &pass, &options, err) : hp_no_memory(err);
	for (unsigned i = 0; st == HP_OK && i < q->threads && ok; i++)
		ok = hp_vec_move(&f.hits, &f.found[i],
				 sizeof(struct hp_secret_hit));
	if (st == HP_OK && !ok)
		st = hp_no_memory(err);
	if (st == HP_OK && q->categories & HP_SECRETS_HOLDERS)
		st = hp_secrets_find_named(src, q, &f.hits, err);
	if (st == HP_OK && !drop_repeated(&f))
		st = hp_no_memory(err);
	if (st == HP_OK) {
		hits->list = f.hits.items;
		hits->count = f.hits.count;
		hits->id_size = f.id_size;
		hits->incomplete = f.incomplete;
		f.hits.items = NULL;
	}
	release(&f);
	return st;
}

void
hp_secret_hits_release(struct hp_secret_hits *hits)
{
	hp_free(hits->list);
	*hits = (struct hp_secret_hits){0};
}
