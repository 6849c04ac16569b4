/*
 * fuzz_scan.c - fuzz target: hp_scan(), which reads a dump and passes its
 * records and sub-records to callbacks (a "pass")
 *
 * The target runs passes that need different data, on a file or a pipe, with
 * one or two threads, and with or without postponed instances. Every pass must
 * get the same records and sub-records. A pass that needs all data must get
 * every byte of the input.
 */
#include "common/format/scan.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <xxhash.h>

struct log {
	/* which data the pass needs, see scan.h */
	enum hp_need need;
	bool defer;
	/*
	 * the uncompressed input, with which the bytes of the records are
	 * compared
	 */
	const uint8_t *data;
	size_t n;
	/* the id size in the header of the dump */
	unsigned id_size;
	bool readable;
	/* hash of the records; only the calling thread updates it */
	XXH3_state_t *records;
	XXH3_state_t *
		/*
		 * hash of the sub-records, updated whenever a batch (part of
		 * the dump) is complete
		 */
		subs;
	/*
	 * for each tag: number of sub-records; a postponed sub-record is
	 * counted when the pass gets it the second time
	 */
	uint64_t tags[256];
	uint64_t next_batch, bytes, last_problem;
};

static void
hash_values(XXH3_state_t *to, const uint64_t *values, size_t count)
{
	XXH3_64bits_update(to, values, count * sizeof(*values));
}

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	const uint64_t v[] = {p->kind, p->tag,	p->offset,   p->record,
			      p->got,  p->want, p->last_good};
	struct log *l = ctx;

	hash_values(l->records, v, HP_ARRAY_LEN(v));
	HP_FUZZ_CHECK(p->offset <= l->n);
	l->last_problem = p->offset;
}

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	const uint64_t v[] = {h->problem, h->version, h->length, h->id_size};
	struct log *l = ctx;

	hash_values(l->records, v, HP_ARRAY_LEN(v));
	l->id_size = h->id_size;
	l->readable = hp_header_readable(h);
	HP_FUZZ_CHECK(!l->readable || h->id_size == 4 || h->id_size == 8);
	return HP_OK;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *r, struct hp_cursor body,
	  struct hp_error *err)
{
	/*
	 * the actual length of a record is left out if the record ends with the
	 * file, because a pipe does not know this length in advance
	 */
	const uint64_t v[] = {
		r->tag,	 r->time,  r->length, r->unpatched ? 0 : r->body,
		r->dump, r->first, r->offset, r->ordinal,
		body.len};
	struct log *l = ctx;

	hash_values(l->records, v, HP_ARRAY_LEN(v));
	if (body.len > 0)
		XXH3_64bits_update(l->records, body.data, (size_t)body.len);
	HP_FUZZ_CHECK(r->offset + HP_HEAD_SIZE <= l->n);
	HP_FUZZ_CHECK(body.len <= l->n - r->offset - HP_HEAD_SIZE);
	return HP_OK;
}

static enum hp_status
on_heap_end(void *ctx, const struct hp_record *r, struct hp_error *err)
{
	const uint64_t v[] = {r->ordinal, r->cut};
	struct log *l = ctx;

	hash_values(l->records, v, HP_ARRAY_LEN(v));
	return HP_OK;
}

static enum hp_status
on_dump(void *ctx, unsigned dump, struct hp_error *err)
{
	const uint64_t v[] = {dump};
	struct log *l = ctx;

	hash_values(l->records, v, 1);
	return HP_OK;
}

/* the sub-records of one batch (part of the dump), until it is complete */
struct seen {
	uint64_t tags[256];
	XXH3_state_t *subs;
};

static void
see_sub(struct log *l, struct seen *seen, const struct hp_sub *s)
{
	bool fields = s->tag == HP_SUB_INSTANCE_DUMP ||
		      s->tag == HP_SUB_OBJECT_ARRAY_DUMP;
	const uint64_t v[] = {s->tag,
			      s->id,
			      s->offset,
			      s->size,
			      fields ? s->class_id : 0,
			      fields ? s->count : 0};

	HP_FUZZ_CHECK(s->offset < l->n);
	hash_values(seen->subs, v, HP_ARRAY_LEN(v));
	seen->tags[s->tag]++;
}

static void
see_subs(struct log *l, struct seen *seen, struct hp_batch *b, size_t run)
{
	struct hp_heap_iter it = hp_run_iter(b, run);
	struct hp_sub s = {0};

	while (hp_heap_next(&it, &s, l->id_size)) {
		bool instance = s.tag == HP_SUB_INSTANCE_DUMP;

		if (instance && l->defer && !b->replay)
			hp_batch_defer(b, run, s.offset);
		if (instance ? !b->replay && b->resume_run != SIZE_MAX
			     : b->replay)
			continue;
		HP_FUZZ_CHECK(s.start >= b->data);
		HP_FUZZ_CHECK(s.start + s.size <= b->data + b->length);
		see_sub(l, seen, &s);
	}
	if (!b->replay) {
		const uint64_t v[] = {it.stop, hp_heap_offset(&it)};

		if (it.stop != HP_HEAP_END && it.stop != HP_HEAP_CUT)
			hash_values(seen->subs, v, HP_ARRAY_LEN(v));
	}
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct seen *seen = calloc(1, sizeof(*seen));
	struct log *l = ctx;

	HP_FUZZ_CHECK(seen && (seen->subs = XXH3_createState()));
	XXH3_64bits_reset(seen->subs);
	for (size_t i = b->replay ? b->resume_run : 0; i < b->nruns; i++) {
		const struct hp_run *r = &b->runs[i];

		HP_FUZZ_CHECK(r->at <= b->length);
		if (r->kind == HP_RUN_SUBS)
			see_subs(l, seen, b, i);
		else if (r->kind == HP_RUN_ARRAY && r->piece.head && !b->replay)
			see_sub(l, seen, &r->piece.sub);
	}
	b->user = seen;
	/*
	 * if b->replay is true, the pass gets this batch a second time, because
	 * it postponed instances; the callback for complete batches is not
	 * called again, so add the counts here
	 */
	if (b->replay) {
		for (unsigned t = 0; t < 256; t++)
			l->tags[t] += seen->tags[t];
		XXH3_freeState(seen->subs);
		free(seen);
		b->user = NULL;
	}
	return HP_OK;
}

static void
check_bytes(struct log *l, const struct hp_batch *b)
{
	HP_FUZZ_CHECK(b->offset == l->bytes);
	HP_FUZZ_CHECK(b->length <= l->n - l->bytes);
	HP_FUZZ_CHECK(memcmp(b->data, l->data + l->bytes, b->length) == 0);
	l->bytes += b->length;
}

static enum hp_status
on_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct seen *seen = b->user;
	struct log *l = ctx;
	uint64_t digest;

	HP_FUZZ_CHECK(b->index == l->next_batch++);
	for (unsigned t = 0; t < 256; t++)
		l->tags[t] += seen->tags[t];
	digest = XXH3_64bits_digest(seen->subs);
	hash_values(l->subs, &digest, 1);
	XXH3_freeState(seen->subs);
	free(seen);
	if (l->need == HP_NEED_EVERYTHING)
		check_bytes(l, b);
	return HP_OK;
}

static void
run(struct log *l, enum hp_fuzz_kind kind, unsigned threads)
{
	struct hp_source *src = hp_fuzz_source(l->data, l->n, kind, 0);
	const struct hp_pass pass = {.need = l->need,
				     .ctx = l,
				     .problem = on_problem,
				     .header = on_header,
				     .record = on_record,
				     .heap_end = on_heap_end,
				     .dump_begin = on_dump,
				     .dump_end = on_dump,
				     .batch = on_batch,
				     .retired = on_retired};
	const struct hp_scan_options options = {.threads = threads,
						.spill_memory = 4096};
	struct hp_error err = {0};
	enum hp_status st;

	l->records = XXH3_createState();
	l->subs = XXH3_createState();
	HP_FUZZ_CHECK(l->records && l->subs);
	XXH3_64bits_reset(l->records);
	XXH3_64bits_reset(l->subs);
	st = hp_scan(src, &pass, &options, &err);
	if (st != HP_OK)
		hp_fuzz_violated(err.text, __FILE__, __LINE__);
	if (l->need == HP_NEED_EVERYTHING && l->readable)
		HP_FUZZ_CHECK(l->bytes >=
			      (l->last_problem ? l->last_problem : l->n));
	hp_source_close(src);
}

static void
finish(struct log *l)
{
	XXH3_freeState(l->records);
	XXH3_freeState(l->subs);
}

static bool
same_records(const struct log *a, const struct log *b)
{
	return XXH3_64bits_digest(a->records) == XXH3_64bits_digest(b->records);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	unsigned way = hp_fuzz_choice(data, n, 8);
	enum hp_need need = way < 4   ? HP_NEED_EVERYTHING
			    : way < 6 ? HP_NEED_HEADS
				      : HP_NEED_REFERENCES;
	struct log a = {.need = need, .data = data, .n = n};
	struct log b = {.need = need, .data = data, .n = n};
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0);
	bool plain = src && hp_source_seekable(src);

	hp_source_close(src);
	if (!plain) /* skip compressed inputs, which fuzz_io.c tests */
		return 0;
	b.defer = way == 5 || way == 6 || way == 7;
	run(&a, HP_FUZZ_FILE, 1);
	run(&b, way & 1 ? HP_FUZZ_PIPE : HP_FUZZ_FILE,
	    b.defer || way < 2 ? 1 : 2);
	HP_FUZZ_CHECK(same_records(&a, &b));
	HP_FUZZ_CHECK(memcmp(a.tags, b.tags, sizeof(a.tags)) == 0);
	if (!b.defer && !(way & 1)) {
		HP_FUZZ_CHECK(a.next_batch == b.next_batch);
		HP_FUZZ_CHECK(XXH3_64bits_digest(a.subs) ==
			      XXH3_64bits_digest(b.subs));
	}
	finish(&a);
	finish(&b);
	return 0;
}
