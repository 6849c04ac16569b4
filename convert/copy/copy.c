/*
 * copy.c - copy a dump: check its structure, and zero the values that --strip
 * removes
 *
 * Several threads check one part of the dump each and zero its values in
 * memory. Then the parts are written in file order. strip.c zeroes the values;
 * proof.c checks that the output does not contain them.
 */
#include "convert/copy/copy.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "convert/copy/ordered_pass.h"
#include "convert/strip/prepare.h"
#include "convert/strip/proof.h"

enum { CHUNK = 1 << 20 };

struct hash_mark {
	uint64_t end, hash;
};

struct copy {
	struct hp_source *src;
	struct hp_sink *sink;
	const struct hp_convert_options *options;
	/*
	 * a copy of options->policy; with --strip-matching, its member
	 * `matched` points to the list of texts and arrays to remove
	 */
	struct hp_policy policy;
	/*
	 * for each thread: the data for zeroing values; NULL: no value is
	 * removed
	 */
	struct hp_stripper *strippers;
	/*
	 * If the output is standard output, this proof checks each part of the
	 * dump before the part is written. NULL: the output is a file, which is
	 * read again and checked at the end.
	 */
	struct hp_proof *proof;
	/*
	 * Hashes of the bytes that must not change. When the copy is complete,
	 * the output is read again and compared with these hashes.
	 */
	struct hash_mark *marks;
	size_t nmarks, marks_cap;
	uint64_t overflow_at, overflow_body;
	/*
	 * the classes and names of the input, which are needed to strip fields
	 * and strings
	 */
	struct hp_strip_facts prepared;

	unsigned id_size;
	struct hp_remainder remainder;

	/* protects `texts`, `overflow_at` and `overflow_body` */
	pthread_mutex_t lock;
	/*
	 * the texts of STRING records that must be removed, with ascending
	 * offsets
	 */
	struct hp_text *texts;
	size_t ntexts, texts_cap;
};

/* ---- functions for the thread that reads the dump ---- */

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct copy *c = ctx;

	c->id_size = h->id_size;
	c->remainder.time = h->timestamp_ms != 0;
	return HP_OK;
}

/*
 * Whether the text of the STRING record @rec must be removed: either no record
 * uses it as a name, or it contains a secret. @id is the string id in the body
 * of the record.
 */
static bool
is_text_removed(const struct copy *c, const struct hp_record *rec, uint64_t id)
{
	return (c->policy.strings &&
		!hp_id_map_get(&c->prepared.prepass.names, id)) ||
	       hp_matching_has_string(c->policy.matched, rec->offset);
}

/*
 * If the text of the STRING record @rec must be removed, add it to @c->texts.
 * The caller holds the lock.
 */
static enum hp_status
note_text(struct copy *c, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	unsigned id_size = c->id_size;

	if (body.len < id_size ||
	    !is_text_removed(c, rec, hp_load_id(body.data, id_size)))
		return HP_OK;
	if (!HP_LIST_RESERVE(c->texts, c->ntexts, c->texts_cap))
		return hp_no_memory(err);
	c->texts[c->ntexts++] =
		(struct hp_text){.offset = rec->offset + HP_HEAD_SIZE + id_size,
				 .length = rec->body - id_size};
	return HP_OK;
}

static void
note_remainder(struct hp_remainder *r, const struct hp_record *rec)
{
	if (rec->time != 0)
		r->record_times = true;
	if (rec->tag == HP_REC_ALLOC_SITES || rec->tag == HP_REC_HEAP_SUMMARY ||
	    rec->tag == HP_REC_CPU_SAMPLES ||
	    rec->tag == HP_REC_CONTROL_SETTINGS)
		r->counts = true;
	if (rec->tag == HP_REC_START_THREAD)
		r->thread_names = true;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct copy *c = ctx;
	enum hp_status st = HP_OK;

	note_remainder(&c->remainder, rec);
	pthread_mutex_lock(&c->lock);
	if (rec->tag == HP_REC_STRING &&
	    (c->policy.strings || c->policy.matched))
		st = note_text(c, rec, body, err);
	pthread_mutex_unlock(&c->lock);
	return st;
}

/*
 * Remember a heap record that is longer than 4 GB, so that its length field is
 * too small. In a compressed file, the reader notices this only when it has
 * read as many bytes as the length field says.
 */
static void
on_problem(void *ctx, const struct hp_problem *p)
{
	struct copy *c = ctx;

	if (p->kind != HP_PROBLEM_OVERFLOW)
		return;
	pthread_mutex_lock(&c->lock);
	c->overflow_at = p->offset;
	c->overflow_body = p->want;
	pthread_mutex_unlock(&c->lock);
}

/* ---- functions for the worker threads ---- */

static struct hp_stripper *
stripper_of(const struct copy *c, const struct hp_batch *b)
{
	return c->strippers ? &c->strippers[b->worker] : NULL;
}

static inline enum hp_status
walk_run(struct hp_framing *f, const struct hp_batch *b, size_t run,
	 struct hp_stripper *s, struct hp_error *err, unsigned id_size)
{
	const struct hp_run *r = &b->runs[run];
	struct hp_heap_iter it = hp_run_iter(b, run);
	bool pass = !s || !hp_strip_fields(s);
	enum hp_status st = HP_OK;
	struct hp_sub sub = {0};

	while (st == HP_OK) {
		if (pass)
			hp_instance_lengths_pass(&f->workers[b->worker].lengths,
						 &it, id_size);
		if (!hp_heap_next(&it, &sub, id_size))
			return hp_framing_stop(&it, err);
		hp_heap_prefetch_behind(it.at, sub.size, HP_AHEAD);
		st = hp_framing_subrecord(f, b, r, &sub, err);
		if (st == HP_OK && s && !hp_strip_sub(s, &sub, id_size, err))
			st = HP_DAMAGED;
	}
	return st;
}

static enum hp_status
on_subs(void *ctx, struct hp_framing *f, const struct hp_batch *b, size_t run,
	struct hp_error *err)
{
	struct hp_stripper *s = stripper_of(ctx, b);

	return f->id_size == 8 ? walk_run(f, b, run, s, err, 8)
			       : walk_run(f, b, run, s, err, 4);
}

/*
 * Replace by '?' those texts of STRING records that must be removed, as far as
 * they are in this range of bytes.
 */
static void
blank_texts(struct copy *c, const struct hp_batch *b, const struct hp_run *r,
	    struct hp_stripper *s)
{
	size_t low = 0, high;

	pthread_mutex_lock(&c->lock);
	high = c->ntexts;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct hp_text *t = &c->texts[middle];

		if (t->offset + t->length <= r->offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < c->ntexts && c->texts[low].offset < r->offset + r->length;
	     low++)
		hp_strip_text(s, b, r, &c->texts[low]);
	pthread_mutex_unlock(&c->lock);
}

/*
 * Remove the values from bytes that are not complete sub-records: a piece of a
 * very long array, or a record outside of the heap.
 */
static enum hp_status
on_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
       const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct copy *c = ctx;
	struct hp_stripper *s = stripper_of(c, b);

	if (s && r->kind == HP_RUN_ARRAY &&
	    !hp_strip_piece(s, b, r, c->id_size, err))
		return HP_DAMAGED;
	if (s && r->kind == HP_RUN_BYTES)
		hp_strip_times(s, b, r);
	if (s && r->kind == HP_RUN_BYTES &&
	    (c->policy.strings || c->policy.matched))
		blank_texts(c, b, r, s);
	return HP_OK;
}

static void
on_begin(void *ctx, const struct hp_batch *b)
{
	struct hp_stripper *s = stripper_of(ctx, b);

	if (s)
		hp_strip_begin(s, b);
}

/*
 * At the end of a batch (part of the dump): append the hash of the kept bytes
 * to @out, from which on_retired() reads the hash.
 */
static void
on_end(void *ctx, const struct hp_batch *b, struct hp_buf *out)
{
	struct hp_stripper *s = stripper_of(ctx, b);
	uint64_t hash = s ? hp_strip_end(s, b) : 0;

	hp_buf_add(out, &hash, sizeof(hash));
}

/* ---- functions that are called for the batches in file order ---- */

/*
 * Check a part of the dump before it is written to standard output, because
 * bytes that were written to a pipe cannot be changed.
 */
static enum hp_status
prove_batch(struct copy *c, const struct hp_batch *b, uint64_t hash,
	    struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_lock(&c->lock);
	if (c->overflow_body)
		hp_proof_overflow(c->proof, c->overflow_at, c->overflow_body);
	pthread_mutex_unlock(&c->lock);
	st = hp_proof_mark(c->proof, b->offset + b->length, hash, err);
	if (st == HP_OK)
		st = hp_proof_feed(c->proof, b->data, b->length, err);
	return st;
}

/*
 * Write a part of the dump. The compressor also receives the offsets where
 * records begin, because each compressed block must begin at a record.
 */
static enum hp_status
write_batch(struct copy *c, const struct hp_batch *b, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t from = 0;

	for (size_t i = 0; i < b->nruns && st == HP_OK; i++) {
		const struct hp_run *r = &b->runs[i];

		if (!r->record_start || c->options->compression == 0)
			continue;
		if (r->at > from)
			st = hp_sink_write(c->sink, b->data + from,
					   r->at - from, err);
		from = r->at;
		hp_sink_boundary(c->sink, hp_run_record(b, r));
	}
	if (st == HP_OK && b->length > from)
		st = hp_sink_write(c->sink, b->data + from, b->length - from,
				   err);
	return st;
}

static enum hp_status
on_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	   struct hp_error *err)
{
	struct copy *c = ctx;
	struct hash_mark mark = {.end = b->offset + b->length};
	enum hp_status st = HP_OK;

	/*
	 * The proof (strip/proof.h: the check that all values were removed)
	 * could not read the classes of the input, because the input is
	 * damaged. Do not write anything yet: the pass that copies the dump
	 * will find and report this damage.
	 */
	if (c->prepared.learnt.status != HP_OK)
		return HP_OK;
	memcpy(&mark.hash, out->data, sizeof(mark.hash));
	if (c->proof)
		st = prove_batch(c, b, mark.hash, err);
	else if (c->strippers &&
		 !HP_LIST_RESERVE(c->marks, c->nmarks, c->marks_cap))
		st = hp_no_memory(err);
	else if (c->strippers)
		c->marks[c->nmarks++] = mark;
	return st == HP_OK ? write_batch(c, b, err) : st;
}

/* ---- check the output by reading it again ---- */

static enum hp_status
read_back(struct copy *c, struct hp_source *back, struct hp_proof *proof,
	  struct hp_error *err)
{
	uint8_t *buf = hp_malloc(CHUNK);
	enum hp_status st = HP_OK;
	uint64_t total = 0;
	size_t got = CHUNK;

	if (!buf)
		return hp_no_memory(err);
	while (st == HP_OK && got == CHUNK) {
		st = hp_source_read(back, buf, CHUNK, &got, err);
		if (st == HP_OK)
			st = hp_proof_feed(proof, buf, got, err);
		total += got;
	}
	hp_free(buf);
	if (st == HP_OK && total != hp_sink_tell(c->sink))
		st = hp_fail(err, HP_IO,
			     "reading the output again gave %llu bytes, but "
			     "%llu were written",
			     (unsigned long long)total,
			     (unsigned long long)hp_sink_tell(c->sink));
	return st;
}

static enum hp_status
proof_of_file(struct copy *c, struct hp_proof **out, struct hp_error *err)
{
	enum hp_status st;

	st = hp_proof_open(out, &c->policy, &c->prepared.facts, err);
	if (st == HP_OK && c->overflow_body)
		hp_proof_overflow(*out, c->overflow_at, c->overflow_body);
	for (size_t i = 0; i < c->nmarks && st == HP_OK; i++)
		st = hp_proof_mark(*out, c->marks[i].end, c->marks[i].hash,
				   err);
	return st;
}

static enum hp_status
search_again(struct copy *c, struct hp_error *err)
{
	unsigned threads = c->options->common.threads;
	struct hp_source_options so = {.threads = threads};
	struct hp_source *back = NULL;
	enum hp_status st = hp_sink_reopen(c->sink, &back, &so, err);

	if (st == HP_OK)
		st = hp_matching_prove(back, c->policy.matching, threads, err);
	hp_source_close(back);
	return st;
}

static enum hp_status
check_output(struct copy *c, struct hp_copy_result *result,
	     struct hp_error *err)
{
	struct hp_source_options so = {.threads = c->options->common.threads};
	struct hp_source *back = NULL;
	struct hp_proof *proof = NULL;
	enum hp_status st = hp_sink_reopen(c->sink, &back, &so, err);

	if (st == HP_OK)
		st = proof_of_file(c, &proof, err);
	if (st == HP_OK)
		st = read_back(c, back, proof, err);
	if (st == HP_OK)
		st = hp_proof_end(proof, err);
	if (st == HP_OK)
		result->proved = hp_proof_bytes(proof);
	hp_proof_close(proof);
	hp_source_close(back);
	return st == HP_OK && c->policy.matching ? search_again(c, err) : st;
}

/* ---- the whole copy, with all passes ---- */

static void
copy_release(struct copy *c)
{
	for (unsigned i = 0; c->strippers && i < c->options->common.threads;
	     i++)
		XXH3_freeState(c->strippers[i].hash);
	hp_free(c->strippers);
	hp_free(c->marks);
	hp_free(c->texts);
	hp_strip_facts_release(&c->prepared);
	hp_proof_close(c->proof);
	pthread_mutex_destroy(&c->lock);
}

static enum hp_status
copy_init(struct copy *c, struct hp_error *err)
{
	const struct hp_convert_options *o = c->options;
	enum hp_status st = HP_OK;

	pthread_mutex_init(&c->lock, NULL);
	c->policy = o->policy;
	if (o->policy.matching)
		c->policy.matched = &c->prepared.matching;
	if (!hp_policy_strips(&o->policy))
		return HP_OK;
	c->strippers = hp_calloc(o->common.threads, sizeof(*c->strippers));
	for (unsigned i = 0; c->strippers && i < o->common.threads; i++) {
		c->strippers[i].policy = &c->policy;
		c->strippers[i].prepass = &c->prepared.prepass;
		if (o->policy.nkeep)
			c->strippers[i].keep = &c->prepared.keep;
		c->strippers[i].hash = XXH3_createState();
		if (!c->strippers[i].hash)
			st = HP_NOMEM;
	}
	if (!c->strippers || st != HP_OK)
		return hp_no_memory(err);
	if (!hp_sink_readable(c->sink))
		st = hp_proof_open(&c->proof, &c->policy, &c->prepared.facts,
				   err);
	return st;
}

static enum hp_status
scan_input(struct copy *c, struct hp_error *err)
{
	const struct hp_transform t = {.need = HP_NEED_EVERYTHING,
				       .in_place = c->strippers,
				       .strips = c->strippers,
				       .memory = hp_convert_memory(c->options),
				       .ctx = c,
				       .header = on_header,
				       .record = on_record,
				       .problem = on_problem,
				       .walk = on_subs,
				       .run = on_run,
				       .begin = on_begin,
				       .end = on_end,
				       .retired = on_retired};
	unsigned threads = c->options->common.threads;
	enum hp_status st = HP_OK;

	if (hp_policy_needs_prepass(&c->options->policy))
		st = hp_strip_prepare(&c->prepared, &c->options->policy, c->src,
				      threads, hp_convert_memory(c->options),
				      err);
	if (st == HP_OK)
		st = hp_ordered_pass_run(c->src, NULL, &t, threads, err);
	if (st == HP_OK && c->prepared.learnt.status != HP_OK)
		st = hp_fail(err, c->prepared.learnt.status, "%s",
			     c->prepared.learnt.text);
	return st;
}

enum hp_status
hp_copy(struct hp_source *src, struct hp_sink *sink,
	const struct hp_convert_options *options, struct hp_copy_result *result,
	struct hp_error *err)
{
	struct copy c = {.src = src, .sink = sink, .options = options};
	enum hp_status st = copy_init(&c, err);

	*result = (struct hp_copy_result){0};
	if (st == HP_OK)
		st = scan_input(&c, err);
	result->keep_used = c.prepared.keep.used;
	result->remainder = c.remainder;
	for (unsigned i = 0; c.strippers && i < options->common.threads; i++)
		hp_strip_stats_add(&result->stripped, &c.strippers[i].stats);
	if (st == HP_OK && c.proof) {
		st = hp_proof_end(c.proof, err);
		result->proved = hp_proof_bytes(c.proof);
	}
	if (st == HP_OK)
		st = hp_sink_finish(sink, err);
	if (st == HP_OK && c.strippers && !c.proof)
		st = check_output(&c, result, err);
	copy_release(&c);
	return st;
}

/*
 * Write @n bytes. The compressor also receives the offsets at which records
 * start.
 *
 * @skip: number of bytes until the next record starts; is updated;
 *   UINT64_MAX: not known
 * @used: receives the number of bytes written; the rest is the incomplete
 *   head of a record, which the caller passes again with the bytes after it
 */
static enum hp_status
write_records(struct hp_sink *sink, uint64_t *skip, const uint8_t *p, size_t n,
	      size_t *used, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	size_t from = 0;

	while (st == HP_OK && *skip < n - from) {
		if (*skip > 0)
			st = hp_sink_write(sink, p + from, (size_t)*skip, err);
		from += (size_t)*skip;
		*skip = 0;
		*used = from;
		if (n - from < HP_HEAD_SIZE)
			return st;
		*skip = HP_HEAD_SIZE + (uint64_t)hp_load4(p + from + 5);
		hp_sink_boundary(sink, *skip);
	}
	if (st == HP_OK && n > from)
		st = hp_sink_write(sink, p + from, n - from, err);
	if (*skip != UINT64_MAX)
		*skip -= n - from;
	*used = n;
	return st;
}

enum hp_status
hp_copy_bytes(struct hp_source *src, struct hp_sink *sink, bool records,
	      struct hp_error *lost, struct hp_error *err)
{
	uint8_t *buf = hp_malloc(CHUNK + HP_HEAD_SIZE);
	enum hp_status st = HP_OK;
	struct hp_error e;
	size_t got = CHUNK, left = 0, used;
	uint64_t skip = UINT64_MAX;
	unsigned header;

	if (!buf)
		return hp_no_memory(err);
	while (st == HP_OK && got == CHUNK) {
		st = hp_source_read(src, buf + left, CHUNK, &got, err);
		if (st != HP_OK)
			break;
		if (records) {
			header = hp_header_length(buf, got);
			skip = header > 0 ? header : UINT64_MAX;
		}
		records = false;
		st = write_records(sink, &skip, buf, left + got, &used, err);
		left = left + got - used;
		memmove(buf, buf + used, left);
	}
	if (st == HP_OK && left > 0)
		st = hp_sink_write(sink, buf, left, err);
	hp_free(buf);
	if (st != HP_OK)
		return st;
	e = hp_framing_container(src);
	if (e.status != HP_OK && (!lost || hp_source_tell(src) == 0))
		return hp_fail(err, e.status, "%s", e.text);
	if (e.status != HP_OK)
		*lost = e;
	return hp_sink_finish(sink, err);
}
