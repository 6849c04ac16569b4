/*
 * framing_error.c - decide which damage in the input ends a conversion, and
 * report it
 */
#include "convert/copy/ordered_pass.h"

#include "common/base/buf.h"
#include "common/base/memory.h"

enum hp_status
hp_framing_init(struct hp_framing *f, unsigned threads, uint64_t memory,
		struct hp_error *err)
{
	*f = (struct hp_framing){.unknown_at = UINT64_MAX, .memory = memory};
	f->workers = hp_calloc(threads, sizeof(*f->workers));
	if (!f->workers)
		return hp_no_memory(err);
	f->nworkers = threads;
	return HP_OK;
}

static void
forget_dump(struct hp_framing *f)
{
	if (f->in_dump)
		hp_classes_release(&f->classes);
	f->in_dump = false;
	for (unsigned i = 0; i < f->nworkers; i++) {
		hp_instance_lengths_release(&f->workers[i].lengths);
		f->workers[i] = (struct hp_framing_worker){0};
	}
	atomic_store(&f->held, 0);
}

void
hp_framing_release(struct hp_framing *f)
{
	forget_dump(f);
	if (f->readable)
		hp_tables_release(&f->tables);
	hp_free(f->workers);
	*f = (struct hp_framing){0};
}

/*
 * The end of each message about damage, if the header of the dump is readable.
 */
#define REMEDY " (--salvage recovers what can be read)"

static enum hp_status
fail_with(const struct hp_symptom *s, const char *remedy, struct hp_error *err)
{
	char place[HP_SYMPTOM_PLACE], text[HP_SYMPTOM_TEXT];

	hp_symptom_place(s, place);
	hp_symptom_text(s, text);
	return hp_fail(err, HP_DAMAGED, "%s: %s%s", place, text, remedy);
}

static enum hp_status
fail(const struct hp_symptom *s, struct hp_error *err)
{
	return fail_with(s, REMEDY, err);
}

void
hp_framing_problem(struct hp_framing *f, const struct hp_problem *p)
{
	const struct hp_symptom s = hp_symptom_of_problem(p);

	f->problem = true;
	hp_damage_note(&f->damage, &s);
}

enum hp_status
hp_framing_readable(const struct hp_header *h, struct hp_error *err)
{
	struct hp_symptom s;

	return hp_symptom_of_header(h, &s) ? fail_with(&s, "", err) : HP_OK;
}

enum hp_status
hp_framing_header(struct hp_framing *f, const struct hp_header *h,
		  struct hp_error *err)
{
	enum hp_status st = hp_framing_readable(h, err);

	if (st != HP_OK)
		return st;
	f->id_size = h->id_size;
	f->evidence.version = h->version;
	f->evidence.id_size = h->id_size;
	hp_tables_init(&f->tables, h->id_size);
	f->readable = true;
	return HP_OK;
}

enum hp_status
hp_framing_record(struct hp_framing *f, const struct hp_record *rec,
		  struct hp_cursor body, struct hp_error *err)
{
	struct hp_symptom s;

	if (hp_symptom_of_record(rec, &body, f->id_size, &s))
		hp_damage_note(&f->damage, &s);
	if (hp_heap_records_see(&f->heap_records, rec, &s) && !f->framing_only)
		hp_damage_note(&f->damage, &s);
	if (f->framing_only)
		return HP_OK;
	hp_dialect_evidence_record(&f->evidence, rec, body);
	if (rec->tag != HP_REC_STRING && rec->tag != HP_REC_LOAD_CLASS)
		return HP_OK;
	if (f->memory && hp_tables_bytes_due(rec, body) &&
	    hp_tables_bytes_with(&f->tables, rec, body) > f->memory)
		return hp_fail(err, HP_LIMIT,
			       "strings and classes do not fit in --memory; "
			       "allow more");
	return hp_tables_record(&f->tables, rec, body, f->dumps, NULL, err);
}

enum hp_status
hp_framing_dump_begin(struct hp_framing *f, struct hp_error *err)
{
	enum hp_status st;

	forget_dump(f);
	f->dumps++;
	if (f->framing_only)
		return HP_OK;
	st = hp_classes_init(&f->classes, f->id_size, f->nworkers, err);
	f->in_dump = st == HP_OK;
	return st;
}

enum hp_status
hp_framing_dump_end(struct hp_framing *f, struct hp_error *err)
{
	struct hp_instance_lengths *all = &f->workers[0].lengths;
	enum hp_status st;

	if (!f->in_dump)
		return HP_OK;
	st = hp_classes_complete(&f->classes, err);
	for (unsigned i = 0; i < f->nworkers && st == HP_OK; i++) {
		hp_dialect_evidence_merge(&f->evidence,
					  &f->workers[i].evidence);
		if (i > 0 &&
		    !hp_instance_lengths_merge(all, &f->workers[i].lengths))
			st = hp_no_memory(err);
	}
	if (st == HP_OK) {
		hp_dialect_evidence_classes(&f->evidence, &f->classes,
					    &f->tables);
		hp_damage_classes(&f->damage, &f->classes, &f->tables, all);
	}
	forget_dump(f);
	return st;
}

void
hp_framing_unknown_payload(struct hp_framing *f, const struct hp_record *rec)
{
	const struct hp_record_desc *d = hp_record_desc(rec->tag);

	if (rec->body == 0 || rec->redaction)
		/* an empty record contains no data, so nothing is lost */
		return;
	if (d &&
	    ((d->ending != HP_ENDS_NOTHING && d->ending != HP_ENDS_OPAQUE) ||
	     rec->body == hp_record_fixed[hp_widen(f->id_size)][rec->tag]))
		return;
	if (rec->offset >= f->unknown_at)
		return;
	f->unknown_at = rec->offset;
	f->unknown = (struct hp_error){0};
	hp_fail(&f->unknown, HP_DAMAGED,
		"offset %llu: %s, tag 0x%02x, has %llu byte%s of unknown "
		"meaning, so it is not certain what has to be removed",
		(unsigned long long)rec->offset, d ? d->name : "a record",
		rec->tag, (unsigned long long)rec->body,
		rec->body == 1 ? "" : "s");
}

/*
 * List every damaged block of a pack, and which range of the dump is lost with
 * it.
 */
static void
lost_blocks(const struct hp_container_note *notes, size_t n,
	    struct hp_error *out)
{
	struct hp_buf text = {0};

	for (size_t i = 0; i < n; i++) {
		const struct hp_container_note *b = &notes[i];

		if (b->problem != HP_CONTAINER_PACK_BLOCK)
			continue;
		hp_buf_text(&text, text.len ? ", " : "damaged in the pack: ");
		hp_buf_printf(&text, "block %llu (%llu bytes from %llu on)",
			      (unsigned long long)b->got,
			      (unsigned long long)b->want,
			      (unsigned long long)b->offset);
		if (b->count > 1)
			hp_buf_printf(&text, " and %llu others",
				      (unsigned long long)b->count - 1);
	}
	if (text.len)
		hp_fail(out, HP_DAMAGED, "%s", hp_buf_string(&text));
	hp_buf_release(&text);
}

/*
 * Returns the error @e. If several lines of a text input are damaged, the
 * number of damaged lines is added to its message.
 */
static struct hp_error
first_of_lines(const struct hp_container_note *notes, size_t n,
	       const struct hp_error *e)
{
	struct hp_error all = {0};

	for (size_t i = 0; i < n; i++) {
		if (notes[i].problem != HP_CONTAINER_TEXT || notes[i].count < 2)
			continue;
		hp_fail(&all, e->status, "%s, the first of %llu", e->text,
			(unsigned long long)notes[i].count);
		return all;
	}
	return *e;
}

struct hp_error
hp_framing_container(struct hp_source *src)
{
	struct hp_damage damage = {0};
	const struct hp_symptom *s;
	struct hp_error e = {0};
	const struct hp_container_note *notes;
	size_t n;

	notes = hp_source_notes(src, &n);
	lost_blocks(notes, n, &e);
	hp_damage_container(&damage, src);
	s = hp_damage_first(&damage, HP_DIALECT_UNKNOWN);
	if (e.status == HP_OK && s)
		fail_with(s, "", &e);
	return first_of_lines(notes, n, &e);
}

enum hp_status
hp_framing_compression(struct hp_source *src, struct hp_error *err)
{
	const struct hp_error e = hp_framing_container(src);

	return e.status == HP_OK
		       ? HP_OK
		       : hp_fail(err, e.status, "%s%s", e.text, REMEDY);
}

void
hp_framing_cut(struct hp_framing *f, const struct hp_batch *b)
{
	if (f->known.any || (!f->damage.sure && f->unknown_at == UINT64_MAX))
		return;
	f->known = (struct hp_framing_known){.any = true,
					     .from = b->index,
					     .sure = f->damage.sure,
					     .surest = f->damage.surest,
					     .unknown_at = f->unknown_at,
					     .unknown = f->unknown};
}

enum hp_status
hp_framing_until(const struct hp_framing *f, const struct hp_batch *b,
		 struct hp_error *err)
{
	const struct hp_framing_known *k = &f->known;
	uint64_t end = b->offset + b->length;
	bool damaged = k->sure && k->surest.offset < end;

	if (!k->any || b->index < k->from)
		return HP_OK;
	if (k->unknown_at < end &&
	    (!damaged || k->unknown_at <= k->surest.offset))
		return hp_fail(err, HP_DAMAGED, "%s", k->unknown.text);
	return damaged ? fail(&k->surest, err) : HP_OK;
}

enum hp_status
hp_framing_cause(const struct hp_framing *f, struct hp_source *src,
		 struct hp_error *err)
{
	const struct hp_symptom *s = &f->known.surest;
	struct hp_error cause = {0};

	if (!f->known.sure || s->offset >= f->known.unknown_at ||
	    (s->rule != HP_RULE_RECORD_TRUNCATED &&
	     s->rule != HP_RULE_RECORD_HEADER_SHORT))
		return HP_DAMAGED;
	if (hp_framing_compression(src, &cause) != HP_OK)
		*err = cause;
	return HP_DAMAGED;
}

enum hp_status
hp_framing_retired(struct hp_framing *f, const struct hp_batch *b,
		   struct hp_error *err)
{
	if (!b->dump || !f->in_dump)
		return HP_OK;
	if (f->memory && atomic_load(&f->held) > f->memory)
		return hp_fail(err, HP_LIMIT,
			       "classes and the lengths of their instances do "
			       "not fit in --memory; allow more");
	return hp_classes_retire(&f->classes, b->index, err);
}

enum hp_status
hp_framing_end(struct hp_framing *f, struct hp_source *src,
	       struct hp_error *err)
{
	const enum hp_status st = hp_framing_compression(src, err);
	const struct hp_symptom *first;
	struct hp_symptom s;

	/*
	 * report damage of the compression first, because it causes the other
	 * damage
	 */
	if (st != HP_OK)
		return st;
	if (hp_heap_records_end(&f->heap_records, hp_source_tell(src),
				f->problem, &s) &&
	    (!f->framing_only || s.rule == HP_RULE_EMPTY_BODY))
		hp_damage_note(&f->damage, &s);
	first = hp_damage_first(&f->damage,
				hp_dialect_of(&f->evidence, &f->tables));
	if (first && first->offset < f->unknown_at)
		return fail(first, err);
	return hp_fail_as(err, &f->unknown);
}

/* ---- functions for the worker threads ---- */

enum hp_status
hp_framing_odd_sub(struct hp_framing *f, const struct hp_batch *b,
		   const struct hp_run *r, const struct hp_sub *s,
		   struct hp_error *err)
{
	struct hp_framing_worker *w = &f->workers[b->worker];
	struct hp_symptom symptom;

	if (hp_symptom_of_array(s, &symptom) ||
	    (!f->framing_only && hp_symptom_of_object(s, &symptom)))
		return fail(&symptom, err);
	if (f->framing_only)
		return HP_OK;
	if (s->tag == HP_SUB_CLASS_DUMP) {
		hp_dialect_evidence_sub(&w->evidence, s, f->id_size);
		return hp_classes_add(&f->classes, b->worker, b->index,
				      r->record, r->heap, s, NULL, err);
	}
	if (s->tag != HP_SUB_INSTANCE_DUMP) {
		if (s->data)
			hp_dialect_evidence_sub(&w->evidence, s, f->id_size);
		return HP_OK;
	}
	return hp_instance_length_see(&w->lengths, s) ? HP_OK
						      : hp_no_memory(err);
}

enum hp_status
hp_framing_stop(const struct hp_heap_iter *it, struct hp_error *err)
{
	struct hp_symptom s;

	if (hp_symptom_of_stop(it, &s))
		return fail(&s, err);
	if (it->stop == HP_HEAP_END || hp_heap_left(it) == 0)
		return HP_OK;
	return hp_fail(err, HP_TRUNCATED,
		       "offset %llu: a sub-record is truncated",
		       (unsigned long long)hp_heap_offset(it));
}

void
hp_framing_worked(struct hp_framing *f, const struct hp_batch *b)
{
	struct hp_framing_worker *w = &f->workers[b->worker];
	uint64_t held;

	/*
	 * A worker may still process bytes between two dumps when the next dump
	 * has already begun. These bytes have no sub-records, so they do not
	 * change the memory in use.
	 */
	if (!b->dump || !f->in_dump)
		return;
	held = hp_instance_lengths_held(&w->lengths) +
	       hp_classes_bytes_of(&f->classes, b->worker);
	atomic_fetch_add(&f->held, held - w->noted);
	w->noted = held;
}
