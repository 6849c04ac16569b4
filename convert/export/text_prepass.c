/*
 * text_prepass.c - the passes before the text is written: the first collects
 * the order of records and the roots, the second the totals
 *
 * Each of these passes can run together with another pass over the dump.
 */
#include "convert/export/text.h"

#include "common/base/memory.h"
#include "common/text/text.h"
#include "convert/prepass/class_prepass.h"

#include <stdlib.h>

struct hp_text_prepass_worker {
	struct hp_dump_classes classes;
	/*
	 * number and bytes of the objects that this thread has counted and not
	 * yet added to the totals of the dump
	 */
	uint64_t objects, bytes;
};

static enum hp_status
note_heap_record(struct hp_text_prepass *l, const struct hp_record *rec,
		 struct hp_error *err)
{
	struct hp_text_prepass_dump *d;
	bool ok = true;

	pthread_mutex_lock(&l->lock);
	while (ok && l->dumps.count < rec->dump) {
		d = hp_vec_add(&l->dumps, sizeof(*d));
		ok = d &&
		     HP_VEC_PUSH(&l->events, struct hp_event,
				 .kind = HP_EVENT_DUMP, .offset = rec->offset,
				 .time_us = rec->time,
				 .serial = (uint32_t)l->dumps.count);
	}
	d = hp_text_prepass_dump(l, rec->dump);
	if (ok && d)
		d->end = rec->offset;
	pthread_mutex_unlock(&l->lock);
	return ok ? HP_OK : hp_no_memory(err);
}

/*
 * Read the fields of a START THREAD or END THREAD record. If the record is too
 * short, the missing fields stay 0.
 */
static void
parse_thread(struct hp_event *e, struct hp_cursor body, unsigned id_size)
{
	uint64_t v = 0, skipped;

	if (hp_uint(&body, 4, &v))
		e->serial = (uint32_t)v;
	if (e->kind == HP_EVENT_THREAD_START &&
	    hp_uint(&body, id_size, &e->object) &&
	    hp_uint(&body, 4, &skipped) && hp_uint(&body, id_size, &e->name))
		(void)!hp_uint(&body, id_size, &e->group);
}

/*
 * Whether a STRING record contains a line of the agent's original text that no
 * other record can express. If so, fill in the event @e.
 */
static bool
is_carried_line(struct hp_event *e, struct hp_cursor body, unsigned id_size)
{
	e->kind = HP_EVENT_CARRIED;
	return hp_uint(&body, id_size, &e->name) &&
	       hp_text_is_carried(body.data + body.pos, hp_left(&body));
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct hp_text_prepass *l = ctx;
	struct hp_event e = {.offset = rec->offset, .time_us = rec->time};
	bool listed;

	switch (rec->tag) {
	case HP_REC_HEAP_DUMP:
	case HP_REC_HEAP_DUMP_SEGMENT:
		return note_heap_record(l, rec, err);
	case HP_REC_START_THREAD:
		e.kind = HP_EVENT_THREAD_START;
		break;
	case HP_REC_END_THREAD:
		e.kind = HP_EVENT_THREAD_END;
		break;
	case HP_REC_STRING:
		if (!is_carried_line(&e, body, l->prepass->header.id_size))
			return HP_OK;
		break;
	case HP_REC_ALLOC_SITES:
		e.kind = HP_EVENT_SITES;
		break;
	case HP_REC_CPU_SAMPLES:
		e.kind = HP_EVENT_SAMPLES;
		break;
	default:
		return HP_OK;
	}
	if (rec->partial && !rec->cut)
		return hp_fail(err, HP_UNSUPPORTED,
			       "offset %llu: a record of %u bytes is too long "
			       "for the text format",
			       (unsigned long long)rec->offset,
			       (unsigned)rec->length);
	if (e.kind == HP_EVENT_THREAD_START || e.kind == HP_EVENT_THREAD_END)
		parse_thread(&e, body, l->prepass->header.id_size);
	pthread_mutex_lock(&l->lock);
	listed = hp_vec_push(&l->events, &e, sizeof(e));
	pthread_mutex_unlock(&l->lock);
	return listed ? HP_OK : hp_no_memory(err);
}

/* ---- the first pass: collect roots ---- */

/* Store the roots that a thread collected. Takes ownership of @roots. */
static enum hp_status
store_roots(struct hp_text_prepass *l, const struct hp_batch *b,
	    struct hp_buf *roots, struct hp_error *err)
{
	struct hp_text_prepass_dump *d;
	struct hp_heap_iter it;
	struct hp_sub s = {0};
	bool ok;

	if (!hp_buf_ok(roots)) {
		hp_buf_release(roots);
		return hp_no_memory(err);
	}
	it = hp_heap_begin((const uint8_t *)roots->data, roots->len, roots->len,
			   0);
	pthread_mutex_lock(&l->lock);
	d = hp_text_prepass_dump(l, b->dump);
	ok = d != NULL;
	while (ok && hp_heap_next(&it, &s, l->prepass->header.id_size))
		if (s.tag == HP_SUB_ROOT_JNI_GLOBAL)
			ok = hp_id_map_put(&d->globals, s.id, NULL) != NULL;
	ok = ok &&
	     HP_VEC_PUSH(&l->chunks, struct hp_root_chunk, .batch = b->index,
			 .dump = b->dump, .bytes = *roots);
	pthread_mutex_unlock(&l->lock);
	if (ok)
		return HP_OK;
	hp_buf_release(roots);
	return hp_no_memory(err);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_text_prepass *l = ctx;
	struct hp_batch_walk walk = {.ahead = HP_AHEAD, .skip_instances = true};
	struct hp_buf roots = {0};
	struct hp_sub sub = {0};

	while (hp_batch_next(&walk, b, &sub, l->prepass->header.id_size))
		if (hp_subrecord_is_root(sub.tag))
			hp_buf_add(&roots, sub.start, sub.size);
	if (roots.len > 0 || !hp_buf_ok(&roots))
		return store_roots(l, b, &roots, err);
	return HP_OK;
}

static int
by_batch(const void *a, const void *b)
{
	const struct hp_root_chunk *x = a, *y = b;

	return hp_order(x->batch, y->batch);
}

/*
 * ---- the second pass: count objects, and find the allocation traces of
 * objects to which JNI global roots refer ----
 */

uint64_t
hp_text_prepass_bytes(const struct hp_text_prepass *l, const struct hp_sub *s,
		      const struct hp_class *k)
{
	unsigned id_size = l->prepass->header.id_size;

	switch (s->tag) {
	case HP_SUB_INSTANCE_DUMP:
		return k && k->chain == HP_CHAIN_FINE
			       ? hp_instance_bytes(&l->prepass->layout, k,
						   id_size)
			       : (uint64_t)l->prepass->layout.header + s->count;
	case HP_SUB_OBJECT_ARRAY_DUMP:
		return hp_array_bytes(&l->prepass->layout, s->count,
				      l->prepass->layout.reference);
	default:
		return (uint64_t)s->count * hp_type_size(s->type, id_size);
	}
}

static void
flush_counts(struct hp_text_prepass *l, struct hp_text_prepass_worker *w)
{
	struct hp_text_prepass_dump *d =
		hp_text_prepass_dump(l, w->classes.number);

	if (d) {
		d->objects += w->objects;
		d->bytes += w->bytes;
	}
	w->objects = w->bytes = 0;
}

/*
 * Store the allocation trace of an object to which a JNI global root refers. If
 * several objects have the same id, the lowest trace counts, so that the result
 * does not depend on timing.
 */
static void
note_trace(struct hp_text_prepass *l, struct hp_text_prepass_dump *d,
	   const struct hp_sub *s)
{
	uint64_t *place;

	if (d->globals.count == 0 || !hp_id_map_get(&d->globals, s->id))
		return;
	pthread_mutex_lock(&l->lock);
	place = hp_id_map_put(&d->globals, s->id, NULL);
	if (place && (*place == 0 || *place > (uint64_t)s->trace + 1))
		*place = (uint64_t)s->trace + 1;
	pthread_mutex_unlock(&l->lock);
}

static void
count_object(struct hp_text_prepass *l, struct hp_text_prepass_worker *w,
	     struct hp_text_prepass_dump *d, const struct hp_sub *s)
{
	const struct hp_class *k = NULL;

	if (!hp_subrecord_is_object(s->tag))
		return;
	note_trace(l, d, s);
	if (s->tag == HP_SUB_CLASS_DUMP)
		return;
	if (s->tag == HP_SUB_INSTANCE_DUMP)
		k = hp_dump_classes_layout(&w->classes, s->class_id);
	w->objects++;
	w->bytes += hp_text_prepass_bytes(l, s, k);
}

static enum hp_status
on_count(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_text_prepass *l = ctx;
	struct hp_text_prepass_worker *w = &l->workers[b->worker];
	struct hp_text_prepass_dump *d = hp_text_prepass_dump(l, b->dump);
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct hp_sub sub = {0};

	if (!d)
		return HP_OK;
	if (w->classes.number != b->dump) {
		pthread_mutex_lock(&l->lock);
		flush_counts(l, w);
		pthread_mutex_unlock(&l->lock);
		hp_dump_classes_select(&w->classes, l->prepass, b->dump);
	}
	while (hp_batch_next(&walk, b, &sub, l->prepass->header.id_size))
		count_object(l, w, d, &sub);
	return HP_OK;
}

enum hp_status
hp_text_prepass_init(struct hp_text_prepass *l, struct hp_prepass *prepass,
		     unsigned threads, struct hp_error *err)
{
	pthread_mutex_init(&l->lock, NULL);
	l->prepass = prepass;
	l->threads = threads;
	l->workers = hp_calloc(threads, sizeof(*l->workers));
	return l->workers ? HP_OK : hp_no_memory(err);
}

struct hp_pass
hp_text_prepass_order(struct hp_text_prepass *l)
{
	return (struct hp_pass){.need = HP_NEED_HEADS,
				.ctx = l,
				.record = on_record,
				.batch = on_batch};
}

enum hp_status
hp_text_prepass_totals(struct hp_text_prepass *l, struct hp_source *src,
		       const struct hp_pass *also, struct hp_error *err)
{
	const struct hp_pass totals = {
		.need = HP_NEED_HEADS, .ctx = l, .batch = on_count};
	const struct hp_scan_options so = {.threads = l->threads};
	enum hp_status st;

	if (l->chunks.count > 0)
		qsort(l->chunks.items, l->chunks.count,
		      sizeof(struct hp_root_chunk), by_batch);
	st = hp_source_rewind(src, err);
	if (st == HP_OK)
		st = hp_scan_two(src, &totals, also, &so, err);
	for (unsigned i = 0; i < l->threads; i++)
		flush_counts(l, &l->workers[i]);
	return st;
}

void
hp_text_prepass_release(struct hp_text_prepass *l)
{
	struct hp_root_chunk *c = l->chunks.items;
	struct hp_text_prepass_dump *d = l->dumps.items;

	if (!l->prepass)
		return;
	for (size_t i = 0; i < l->chunks.count; i++)
		hp_buf_release(&c[i].bytes);
	for (size_t i = 0; i < l->dumps.count; i++)
		hp_id_map_release(&d[i].globals);
	hp_free(l->chunks.items);
	hp_free(l->dumps.items);
	hp_free(l->events.items);
	hp_free(l->workers);
	pthread_mutex_destroy(&l->lock);
	*l = (struct hp_text_prepass){0};
}
