/*
 * class_prepass.c - the first pass over the input, which collects classes and
 * names
 *
 * The reading thread handles records. Other threads handle sub-records: they
 * add classes and names to shared tables under a lock. Each thread also
 * collects evidence about the sizes of objects and about the program that wrote
 * the dump. This evidence is merged at the end.
 */
#include "convert/prepass/class_prepass.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "convert/copy/ordered_pass.h"

#include <pthread.h>
#include <stdatomic.h>

struct worker {
	/*
	 * The Android heap that this thread saw last: its number and the string
	 * id of its name. The next sub-record often has the same heap, and then
	 * the lock need not be taken.
	 */
	uint64_t last_heap, last_name;
	struct hp_size_hints hints;
	struct hp_dialect_evidence evidence;
};

struct pass {
	struct hp_prepass *prepass;
	unsigned threads;
	pthread_mutex_t lock; /* protects the list of dumps and the names */
	struct worker *workers;
	struct hp_string_taker strings;
	/*
	 * table_bytes: memory of `tables` (strings, loaded classes and so on).
	 * class_bytes: memory of the classes of all dumps.
	 */
	_Atomic uint64_t table_bytes, class_bytes;
};

/*
 * Compute s->bytes, the memory that the prepass uses. Returns HP_LIMIT if it
 * exceeds the limit, otherwise HP_OK.
 */
static enum hp_status
keep_budget(struct pass *p, struct hp_error *err)
{
	struct hp_prepass *s = p->prepass;
	uint64_t bytes =
		atomic_load(&p->table_bytes) + atomic_load(&p->class_bytes);

	pthread_mutex_lock(&p->lock);
	bytes += hp_id_map_bytes(&s->names) + hp_id_map_bytes(&s->heaps);
	s->bytes = bytes;
	pthread_mutex_unlock(&p->lock);
	if (!s->memory || bytes <= s->memory)
		return HP_OK;
	return hp_fail(
		err, HP_LIMIT,
		"strings and classes do not fit in --memory; allow more");
}

/*
 * Add @id to the ids of strings that are used as names. 0 means "no name" and
 * is not added, so that a STRING record with the id 0 never counts as a name.
 */
static enum hp_status
add_name(struct pass *p, uint64_t id, struct hp_error *err)
{
	bool ok;

	if (id == 0)
		return HP_OK;
	pthread_mutex_lock(&p->lock);
	ok = hp_id_map_set(&p->prepass->names, id, 1);
	pthread_mutex_unlock(&p->lock);
	return ok ? HP_OK : hp_no_memory(err);
}

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct pass *p = ctx;
	enum hp_status st = hp_framing_readable(h, err);

	if (st != HP_OK)
		return st;
	p->prepass->header = *h;
	p->prepass->evidence.version = h->version;
	p->prepass->evidence.id_size = h->id_size;
	if (p->prepass->want_tables)
		hp_tables_init(&p->prepass->tables, h->id_size);
	return HP_OK;
}

static enum hp_status
note_tables(void *ctx, uint64_t tables, struct hp_error *err)
{
	struct pass *p = ctx;

	atomic_store(&p->table_bytes, tables);
	return keep_budget(p, err);
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct pass *p = ctx;
	struct hp_prepass *s = p->prepass;
	const struct hp_record_desc *d = hp_record_desc(rec->tag);
	unsigned id_size = s->header.id_size;
	enum hp_status st = HP_OK;

	if (d && d->ending == HP_ENDS_HEAP && rec->dump > s->begun)
		s->begun = rec->dump;
	if (s->want_evidence)
		hp_dialect_evidence_record(&s->evidence, rec, body);
	if (hp_tables_bytes_due(rec, body))
		st = s->want_tables
			     ? note_tables(p,
					   hp_tables_bytes_with(&s->tables, rec,
								body),
					   err)
			     : keep_budget(p, err);
	if (st == HP_OK && s->want_tables && !rec->cut && !rec->partial)
		st = hp_tables_record(&s->tables, rec, body, 0, NULL, err);
	if (!d || body.len < hp_record_fixed[hp_widen(id_size)][rec->tag])
		return st;
	for (const struct hp_field_desc *f = d->fields; f->name && st == HP_OK;
	     f++) {
		uint64_t v;

		if (hp_uint(&body, hp_shape_size(f->shape, id_size), &v) &&
		    (f->role == HP_REF_STRING ||
		     f->role == HP_REF_STRING_OR_NONE))
			st = add_name(p, v, err);
	}
	return st;
}

/*
 * Add consecutive STRING records to the tables. This is the fast case of
 * on_record().
 */
static enum hp_status
take_strings(void *ctx, struct hp_string_run *run, size_t most,
	     struct hp_error *err)
{
	struct pass *p = ctx;
	size_t taken;
	enum hp_status st = hp_tables_take_strings(&p->prepass->tables, run,
						   most, &taken, err);

	if (p->prepass->want_evidence)
		hp_dialect_evidence_strings(&p->prepass->evidence, taken);
	return st;
}

static enum hp_status
on_strings(void *ctx, struct hp_string_run *run, struct hp_error *err)
{
	struct pass *p = ctx;
	const struct hp_prepass *s = p->prepass;

	return s->want_tables ? hp_tables_scan_strings(&s->tables, &p->strings,
						       run, err)
			      : HP_OK;
}

/*
 * Called at the end of each heap record, to detect a record of more than 4 GB.
 * The length field of such a record is too small. In a compressed file, the
 * real length is known only now.
 */
static enum hp_status
on_heap_end(void *ctx, const struct hp_record *rec, struct hp_error *err)
{
	struct pass *p = ctx;

	if (rec->overflow) {
		p->prepass->overflow_at = rec->offset;
		p->prepass->overflow_body = rec->body;
	}
	return HP_OK;
}

/*
 * Returns the entry of dump number @dump, created now if needed, or NULL if out
 * of memory. The caller holds the lock.
 */
static struct hp_prepass_dump *
make_dump(struct pass *p, unsigned dump, struct hp_error *err)
{
	struct hp_prepass *s = p->prepass;
	struct hp_prepass_dump *d = hp_prepass_dump(s, dump);

	if (d)
		return d;
	if (!HP_LIST_RESERVE(s->dumps, s->ndumps, s->cap))
		return NULL;
	d = hp_calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->dump = dump;
	if (hp_classes_init(&d->classes, s->header.id_size, p->threads, err) !=
	    HP_OK) {
		hp_free(d);
		return NULL;
	}
	s->dumps[s->ndumps++] = d;
	return d;
}

static enum hp_status
note_class(struct pass *p, const struct hp_batch *b, const struct hp_run *r,
	   const struct hp_sub *sub, struct hp_error *err)
{
	struct hp_prepass_dump *d;
	struct hp_class *k;
	enum hp_status st;
	uint64_t before;

	pthread_mutex_lock(&p->lock);
	d = make_dump(p, b->dump, err);
	pthread_mutex_unlock(&p->lock);
	if (!d)
		return hp_no_memory(err);
	before = hp_classes_bytes_of(&d->classes, b->worker);
	st = hp_classes_add(&d->classes, b->worker, b->index, r->record,
			    r->heap, sub, &k, err);
	atomic_fetch_add(&p->class_bytes,
			 hp_classes_bytes_of(&d->classes, b->worker) - before);
	for (uint32_t i = 0; st == HP_OK && i < k->nstatics; i++)
		st = add_name(p, k->statics[i].name, err);
	for (uint32_t i = 0; st == HP_OK && i < k->nfields; i++)
		st = add_name(p, k->fields[i].name, err);
	return st;
}

static enum hp_status
note_heap_name(struct pass *p, const struct hp_batch *b,
	       const struct hp_sub *sub, struct hp_error *err)
{
	uint64_t id = hp_load_id(sub->start + 5, p->prepass->header.id_size);
	uint64_t heap = hp_load4(sub->start + 1);
	struct worker *w = &p->workers[b->worker];
	bool ok;

	if (w->last_heap == heap && w->last_name == id)
		return HP_OK;
	w->last_heap = heap;
	w->last_name = id;
	pthread_mutex_lock(&p->lock);
	ok = hp_id_map_set_least(&p->prepass->heaps, heap, id);
	pthread_mutex_unlock(&p->lock);
	return ok ? add_name(p, id, err) : hp_no_memory(err);
}

/*
 * Collect evidence for the size model: the address of an object and, for an
 * object array, the length. The next object in memory often begins directly
 * after the end of this object.
 */
static void
note_object(struct hp_size_hints *hints, const struct hp_sub *sub)
{
	if (sub->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		hp_size_hint_array(hints, sub->id, sub->count);
	if (hp_subrecord_is_object(sub->tag))
		hp_size_hint_object(hints, sub->id);
}

static void
note_dump(struct pass *p, unsigned dump)
{
	struct hp_prepass *s = p->prepass;

	if (dump == 0)
		return;
	pthread_mutex_lock(&p->lock);
	if (s->first_dump == 0 || dump < s->first_dump)
		s->first_dump = dump;
	if (dump > s->last_dump)
		s->last_dump = dump;
	pthread_mutex_unlock(&p->lock);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct pass *p = ctx;
	unsigned id_size = p->prepass->header.id_size;
	bool want_layout = p->prepass->want_layout;
	bool want_evidence = p->prepass->want_evidence;
	struct worker *w = &p->workers[b->worker];
	struct hp_batch_walk walk = {.ahead = HP_AHEAD,
				     .skip_instances = !want_layout};
	enum hp_status st = HP_OK;
	struct hp_sub sub = {0};
	bool classes = false;

	note_dump(p, b->dump);
	hp_size_hints_batch(&w->hints);
	while (st == HP_OK && hp_batch_next(&walk, b, &sub, id_size)) {
		if (want_layout)
			note_object(&w->hints, &sub);
		if (want_evidence && sub.tag != HP_SUB_INSTANCE_DUMP)
			hp_dialect_evidence_sub(&w->evidence, &sub, id_size);
		if (sub.tag == HP_SUB_CLASS_DUMP)
			st = note_class(p, b, walk.run, &sub, err);
		else if (sub.tag == HP_SUB_HEAP_DUMP_INFO)
			st = note_heap_name(p, b, &sub, err);
		classes |= sub.tag == HP_SUB_CLASS_DUMP;
	}
	return st == HP_OK && classes ? keep_budget(p, err) : st;
}

/*
 * Compute d->above: for each class, the nearest superclass that declares
 * fields. The result for a class is computed from the result for the
 * superclass, so the time is linear even for long chains.
 */
static enum hp_status
link_supers(struct hp_prepass_dump *d, struct hp_error *err)
{
	const struct hp_classes *c = &d->classes;
	bool *known = hp_calloc(c->count + 1, sizeof(*known));

	d->above = hp_calloc(c->count + 1, sizeof(*d->above));
	if (!known || !d->above) {
		hp_free(known);
		return hp_no_memory(err);
	}
	for (size_t i = 0; i < c->count; i++) {
		const struct hp_class *k = c->list[i], *up, *at;

		if (k->chain != HP_CHAIN_FINE)
			continue;
		for (up = k->super; up && up->nfields == 0;)
			up = known[up->index] ? d->above[up->index] : up->super;
		for (at = k; at && at != up && !known[at->index];
		     at = at->super) {
			known[at->index] = true;
			d->above[at->index] = up;
		}
	}
	hp_free(known);
	return HP_OK;
}

static enum hp_status
on_classes(void *ctx, unsigned dump, struct hp_error *err)
{
	struct pass *p = ctx;
	struct hp_prepass_dump *d = hp_prepass_dump(p->prepass, dump);
	enum hp_status st;

	if (!d)
		return HP_OK;
	st = hp_classes_complete(&d->classes, err);
	if (st == HP_OK)
		st = link_supers(d, err);
	atomic_fetch_add(&p->class_bytes,
			 hp_classes_bytes(&d->classes) +
				 d->classes.count * sizeof(*d->above));
	return st == HP_OK ? keep_budget(p, err) : st;
}

/*
 * Choose the size model, by the program that wrote the file and the evidence
 * from all threads.
 */
static void
find_layout(struct pass *p)
{
	struct hp_prepass *s = p->prepass;
	struct hp_size_hints all = {0};

	for (unsigned i = 0; i < p->threads; i++)
		hp_size_hints_merge(&all, &p->workers[i].hints);
	s->id_bits = all.id_bits;
	s->layout = hp_size_model_detect(&all, s->header.id_size,
					 s->header.version == HP_VERSION_1_0_3);
}

enum hp_status
hp_prepass_run(struct hp_prepass *s, struct hp_source *src, unsigned threads,
	       const struct hp_pass *also, struct hp_error *err)
{
	struct pass p = {.prepass = s,
			 .threads = threads,
			 .strings = {.ctx = &p,
				     .due = note_tables,
				     .take = take_strings}};
	const struct hp_pass pass = {.need = HP_NEED_HEADS,
				     .ctx = &p,
				     .header = on_header,
				     .record = on_record,
				     .strings = on_strings,
				     .heap_end = on_heap_end,
				     .batch = on_batch,
				     .classes_complete = on_classes};
	const struct hp_scan_options so = {.threads = threads,
					   .only_dump = s->dump};
	enum hp_status st;

	p.workers = hp_calloc(threads, sizeof(*p.workers));
	if (!p.workers)
		return hp_no_memory(err);
	pthread_mutex_init(&p.lock, NULL);
	st = hp_scan_two(src, &pass, also, &so, err);
	/*
	 * Report damaged compression now. If the input is a pipe, copying it to
	 * a temporary file has already reported the damage.
	 */
	if (st == HP_OK)
		st = hp_framing_compression(src, err);
	if (st == HP_OK && s->dump > s->begun)
		st = hp_scan_no_dump(s->dump, s->begun, err);
	if (s->want_tables)
		p.table_bytes = hp_tables_bytes(&s->tables);
	if (st == HP_OK)
		st = keep_budget(&p, err);
	if (s->want_layout)
		find_layout(&p);
	for (unsigned i = 0; i < threads; i++)
		hp_dialect_evidence_merge(&s->evidence, &p.workers[i].evidence);
	pthread_mutex_destroy(&p.lock);
	hp_free(p.workers);
	return st;
}

void
hp_prepass_release(struct hp_prepass *s)
{
	for (size_t i = 0; i < s->ndumps; i++) {
		hp_classes_release(&s->dumps[i]->classes);
		hp_free(s->dumps[i]->above);
		hp_free(s->dumps[i]);
	}
	hp_free(s->dumps);
	hp_id_map_release(&s->names);
	hp_id_map_release(&s->heaps);
	if (s->want_tables)
		hp_tables_release(&s->tables);
	*s = (struct hp_prepass){0};
}

size_t
hp_prepass_place(const struct hp_prepass *s, unsigned dump)
{
	size_t low = 0, high = s->ndumps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->dumps[middle]->dump < dump)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->ndumps && s->dumps[low]->dump == dump ? low : s->ndumps;
}

struct hp_prepass_dump *
hp_prepass_dump(const struct hp_prepass *s, unsigned dump)
{
	size_t place = hp_prepass_place(s, dump);

	return place < s->ndumps ? s->dumps[place] : NULL;
}

/*
 * Negative instance sizes are ignored, because they are damage and show nothing
 * about the program that wrote the dump.
 */
enum hp_dialect
hp_prepass_dialect(const struct hp_prepass *s)
{
	struct hp_dialect_evidence e = s->evidence;

	for (size_t i = 0; i < s->ndumps; i++)
		hp_dialect_evidence_classes(&e, &s->dumps[i]->classes,
					    &s->tables);
	if (e.object_size >> 31)
		e.object_size = 0;
	return hp_dialect_of(&e, &s->tables);
}
