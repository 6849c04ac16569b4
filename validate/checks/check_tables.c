/*
 * check_tables.c - rules about records that define entries of tables, or refer
 * to them
 *
 * These are classes, stack frames, stack traces, threads, allocation sites and
 * CPU samples. A reference to a record that was not read yet is remembered, and
 * checked again at the end of the file.
 */
#include "validate/checks/check.h"

static enum hp_status
no_memory(struct hp_error *err)
{
	return hp_no_memory(err);
}

static enum hp_status
use_string(struct hp_check *c, const struct hp_record *rec, uint64_t id,
	   enum hp_string_use what, struct hp_error *err)
{
	return hp_check_string_use(
		c, id, what, (struct hp_position){rec->offset, rec->ordinal}, 0,
		0, err);
}

/*
 * Remember that a record refers to up to three strings. The id 0 means no
 * string.
 */
static enum hp_status
use_strings(struct hp_check *c, const struct hp_record *rec,
	    const uint64_t ids[3], enum hp_string_use what,
	    struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (unsigned i = 0; st == HP_OK && i < 3; i++) {
		if (ids[i] != 0)
			st = use_string(c, rec, ids[i], what, err);
	}
	return st;
}

static const void *
last_of(const struct hp_vec *v, size_t size)
{
	return (const char *)v->items + (v->count - 1) * size;
}

/* --- check LOAD CLASS records -------------------------------------------- */

/*
 * The record in @body has the serial number of a class. Find the class to which
 * an earlier LOAD CLASS record gave this serial number. Returns 0 if there is
 * none.
 */
static uint64_t
serial_owner(const struct hp_check *c, struct hp_cursor body)
{
	const struct hp_load *old;
	uint32_t serial;

	if (!hp_uint32(&body, 4, &serial))
		return 0;
	old = hp_tables_load_serial(c->tables, serial);
	return old && !old->unloaded ? old->class_id : 0;
}

/*
 * Whether an earlier record has unloaded the class of the LOAD CLASS record in
 * @body.
 */
static bool
was_unloaded(const struct hp_check *c, struct hp_cursor body)
{
	const struct hp_load *old;
	uint32_t serial;
	uint64_t id;

	if (!hp_uint32(&body, 4, &serial) || !hp_uint(&body, c->id_size, &id))
		return false;
	old = hp_tables_load(c->tables, id);
	return old && old->unloaded;
}

static enum hp_status
check_load(struct hp_check *c, const struct hp_record *rec,
	   enum hp_definition met, uint64_t owner, bool unloaded,
	   struct hp_error *err)
{
	const struct hp_load *l = last_of(&c->tables->load_list, sizeof(*l));
	struct hp_finding f = {HP_CHECK_COMMON(c, HP_RULE_LOAD_DUP_DIFF,
					       rec->offset, rec->ordinal),
			       .place = HP_PLACE_NAME, .index = HP_WORD_CLASS,
			       .args = {l->serial, l->class_id, l->name_id}};

	if (l->serial == 0)
		hp_record_found(c, HP_RULE_CLASS_SERIAL_ZERO, rec,
				HP_WORD_SERIAL, 0, l->class_id);
	else if (owner != 0 && owner != l->class_id)
		hp_record_found(c, HP_RULE_CLASS_SERIAL_DUP, rec,
				HP_WORD_SERIAL, l->serial, l->class_id, owner);
	if (met == HP_MET_SAME) {
		f.rule = HP_RULE_LOAD_DUP_SAME;
		hp_findings_add(c->findings, &f);
	} else if (met == HP_MET_DIFFERENT) {
		if (unloaded)
			f.severity = HP_SEVERITY_INFO;
		hp_findings_add(c->findings, &f);
	}
	return use_string(c, rec, l->name_id, HP_STRING_OF_LOAD, err);
}

/* --- check stack frames and stack traces --------------------------------- */

/*
 * Check the class of a stack frame. @serial is the serial number of the class.
 * The class may have been unloaded, or its LOAD CLASS record may come later in
 * the file.
 */
static enum hp_status
check_frame_class(struct hp_check *c, const struct hp_record *rec, uint64_t id,
		  uint32_t serial, struct hp_error *err)
{
	const struct hp_load *load = hp_tables_load_serial(c->tables, serial);
	struct hp_finding f = {HP_CHECK_COMMON(c, HP_RULE_FRAME_CLASS_MISSING,
					       rec->offset, rec->ordinal),
			       .place = HP_PLACE_NAME, .index = HP_WORD_SERIAL,
			       .args = {id, serial, 1}};

	if (serial != 0 && load && load->unloaded) {
		f.severity = HP_SEVERITY_INFO;
		hp_findings_add(c->findings, &f);
	}
	if (serial == 0 || load)
		return HP_OK;
	return HP_VEC_PUSH(&c->uses, struct hp_mention,
			   .kind = HP_MENTION_CLASS_SERIAL, .id = serial,
			   .holder = id, .count = 1, .offset = rec->offset,
			   .record = rec->ordinal)
		       ? HP_OK
		       : no_memory(err);
}

static enum hp_status
check_frame(struct hp_check *c, const struct hp_record *rec,
	    struct hp_cursor body, enum hp_definition met, struct hp_error *err)
{
	const struct hp_frame *f;
	enum hp_status st;
	uint64_t id;

	if (!hp_uint(&body, c->id_size, &id))
		return HP_OK;
	f = met == HP_MET_NOTHING ? last_of(&c->tables->frame_list, sizeof(*f))
				  : hp_tables_frame(c->tables, id);
	if (met == HP_MET_SAME || met == HP_MET_DIFFERENT)
		hp_record_found(c,
				met == HP_MET_SAME ? HP_RULE_FRAME_DUP_SAME
						   : HP_RULE_FRAME_DUP_DIFF,
				rec, HP_WORD_ID, id);
	if (id == 0)
		hp_record_found(c, HP_RULE_FRAME_ID_ZERO, rec, HP_WORD_ID, 0);
	if (f->line < -3)
		hp_record_found(c, HP_RULE_FRAME_LINE, rec, HP_WORD_LINE, id,
				(uint64_t)(int64_t)f->line);
	st = check_frame_class(c, rec, id, f->class_serial, err);
	if (st != HP_OK)
		return st;
	return use_strings(c, rec,
			   (uint64_t[]){f->method, f->signature, f->source},
			   HP_STRING_OF_FRAME, err);
}

static void
check_trace(struct hp_check *c, const struct hp_record *rec,
	    struct hp_cursor body, enum hp_definition met)
{
	const struct hp_trace *t;
	uint32_t serial;

	if (!hp_uint32(&body, 4, &serial))
		return;
	t = hp_tables_trace(c->tables, serial);
	if (met == HP_MET_SAME || met == HP_MET_DIFFERENT)
		hp_record_found(c,
				met == HP_MET_SAME ? HP_RULE_TRACE_DUP_SAME
						   : HP_RULE_TRACE_DUP_DIFF,
				rec, HP_WORD_SERIAL, serial);
	for (uint32_t i = 0; i < t->nframes; i++) {
		if (hp_tables_frame(c->tables, t->frames[i]))
			continue;
		hp_findings_add(
			c->findings,
			&(struct hp_finding){
				HP_CHECK_COMMON(c, HP_RULE_TRACE_FRAME_MISSING,
						rec->offset, rec->ordinal),
				.place = HP_PLACE_FRAME, .index = i,
				.args = {serial, t->frames[i]}});
	}
}

/* --- check the start and end of threads ---------------------------------- */

static enum hp_status
check_thread(struct hp_check *c, const struct hp_record *rec,
	     enum hp_definition met, struct hp_error *err)
{
	const struct hp_thread *t =
		last_of(&c->tables->thread_list, sizeof(*t));

	if (met != HP_MET_NOTHING)
		hp_record_found(c, HP_RULE_START_THREAD_DUP, rec,
				HP_WORD_SERIAL, t->serial);
	return use_strings(c, rec, (uint64_t[]){t->name, t->group, t->parent},
			   HP_STRING_OF_THREAD, err);
}

/*
 * Check an UNLOAD CLASS or END THREAD record: an earlier record must have
 * defined its serial number.
 */
static void
check_ending(struct hp_check *c, const struct hp_record *rec,
	     struct hp_cursor body, enum hp_definition met, enum hp_rule rule)
{
	uint32_t serial;

	if (met == HP_MET_NOTHING && hp_uint32(&body, 4, &serial))
		hp_record_found(c, rule, rec, HP_WORD_SERIAL, serial);
}

enum hp_status
hp_check_tables(struct hp_check *c, const struct hp_record *rec,
		struct hp_cursor body, struct hp_error *err)
{
	bool load = rec->tag == HP_REC_LOAD_CLASS;
	uint64_t owner = load ? serial_owner(c, body) : 0;
	bool unloaded = load && was_unloaded(c, body);
	enum hp_definition met;
	enum hp_status st =
		hp_tables_record(c->tables, rec, body, c->dump, &met, err);

	if (st != HP_OK || met == HP_MET_MALFORMED || c->framing_only)
		return st;
	switch (rec->tag) {
	case HP_REC_STRING:
		return hp_check_string(c, rec, body, met, err);
	case HP_REC_LOAD_CLASS:
		return check_load(c, rec, met, owner, unloaded, err);
	case HP_REC_UNLOAD_CLASS:
		check_ending(c, rec, body, met, HP_RULE_UNLOAD_UNKNOWN);
		return HP_OK;
	case HP_REC_STACK_FRAME:
		return check_frame(c, rec, body, met, err);
	case HP_REC_STACK_TRACE:
		check_trace(c, rec, body, met);
		return HP_OK;
	case HP_REC_START_THREAD:
		return check_thread(c, rec, met, err);
	case HP_REC_END_THREAD:
		check_ending(c, rec, body, met, HP_RULE_END_THREAD_UNKNOWN);
		return HP_OK;
	default:
		return HP_OK;
	}
}

/* --- checks at the end of the file --------------------------------------- */

static void
row_trace(struct hp_check *c, const struct hp_position *at, uint32_t row,
	  uint32_t trace)
{
	if (trace != 0 && !hp_tables_trace(c->tables, trace))
		hp_check_placed(c, HP_RULE_SITES_CLASS_UNKNOWN, at,
				HP_PLACE_ROW, row, row, 1, trace);
}

static void
check_sites(struct hp_check *c, const struct hp_sites *s)
{
	struct hp_position at = {s->offset, s->record};
	uint64_t live_bytes = 0, live = 0, bytes = 0, instances = 0;

	for (uint32_t i = 0; i < s->nsites; i++) {
		const struct hp_site *r = &s->sites[i];

		if (r->class_serial != 0 &&
		    !hp_tables_load_serial(c->tables, r->class_serial))
			hp_check_placed(c, HP_RULE_SITES_CLASS_UNKNOWN, s,
					HP_PLACE_ROW, i, i, 0, r->class_serial);
		row_trace(c, &at, i, r->trace);
		if (r->live_bytes > r->allocated_bytes ||
		    r->live_instances > r->allocated_instances)
			hp_check_placed(c, HP_RULE_SITES_ARITH, s, HP_PLACE_ROW,
					i, 0, i);
		live_bytes += r->live_bytes;
		live += r->live_instances;
		bytes += r->allocated_bytes;
		instances += r->allocated_instances;
	}
	if (live_bytes > s->live_bytes || live > s->live_instances ||
	    bytes > s->allocated_bytes || instances > s->allocated_instances)
		hp_check_found(c, HP_RULE_SITES_ARITH, s, HP_WORD_TOTAL, 1);
}

static void
check_samples(struct hp_check *c, const struct hp_samples *s)
{
	struct hp_position at = {s->offset, s->record};
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s->nsamples; i++) {
		sum += s->samples[i].samples;
		row_trace(c, &at, i, s->samples[i].trace);
	}
	if (sum > s->total)
		hp_check_found(c, HP_RULE_SAMPLES_SUM, s, HP_WORD_TOTAL, sum,
			       s->total);
}

static void
frame_class(struct hp_check *c, const struct hp_mention *use)
{
	if (!hp_tables_load_serial(c->tables, (uint32_t)use->id))
		hp_check_found(c, HP_RULE_FRAME_CLASS_MISSING, use,
			       HP_WORD_SERIAL, use->holder, use->id);
}

static void
object_trace(struct hp_check *c, const struct hp_mention *use)
{
	enum hp_rule rule =
		use->id == 1 ? HP_RULE_DUMMY_TRACE : HP_RULE_TRACE_UNDEFINED;
	struct hp_finding f = {
		HP_CHECK_COMMON(c, rule, use->offset, use->record),
		.place = HP_PLACE_NAME, .index = HP_WORD_TRACE,
		.args = {use->id, use->count}};

	if (!hp_tables_trace(c->tables, (uint32_t)use->id))
		hp_findings_add_many(c->findings, &f,
				     use->id == 1 ? 1 : use->count);
}

/*
 * Report that the name of an Android heap is missing. A heap with an unknown id
 * is skipped, because it already has another finding.
 */
static void
heap_name(struct hp_check *c, const struct hp_mention *use)
{
	if (hp_heap_kind((uint32_t)use->holder) != HP_HEAP_OTHER)
		hp_check_whole(c, HP_RULE_HEAP_INFO_ID, use, use->holder, 0);
}

/*
 * Check a reference to a string again: the string was not read yet when the
 * record with the reference was read.
 */
static enum hp_status
late_string(struct hp_check *c, const struct hp_mention *use,
	    struct hp_error *err)
{
	if (hp_tables_string(c->tables, use->id))
		return hp_check_string_use(
			c, use->id, (enum hp_string_use)use->what,
			(struct hp_position){use->offset, use->record},
			use->dump, use->holder, err);
	hp_check_found(c, HP_RULE_STRING_MISSING, use, HP_WORD_NAME, use->what,
		       use->id);
	if (use->what == HP_STRING_OF_HEAP)
		heap_name(c, use);
	return HP_OK;
}

enum hp_status
hp_check_tables_end(struct hp_check *c, struct hp_error *err)
{
	const struct hp_sites *sites = c->tables->site_list.items;
	const struct hp_samples *samples = c->tables->sample_list.items;
	enum hp_status st = HP_OK;

	c->dump = 0;
	for (size_t i = 0; i < c->tables->site_list.count; i++)
		check_sites(c, &sites[i]);
	for (size_t i = 0; i < c->tables->sample_list.count; i++)
		check_samples(c, &samples[i]);
	for (size_t i = 0; st == HP_OK && i < c->uses.count; i++) {
		const struct hp_mention use =
			((const struct hp_mention *)c->uses.items)[i];

		c->dump = use.dump;
		if (use.kind == HP_MENTION_STRING)
			st = late_string(c, &use, err);
		else if (use.kind == HP_MENTION_CLASS_SERIAL)
			frame_class(c, &use);
		else
			object_trace(c, &use);
	}
	return st;
}

void
hp_check_loads_end(struct hp_check *c)
{
	const struct hp_load *loads = c->tables->load_list.items;

	c->dump = 0;
	for (size_t i = 0; i < c->tables->load_list.count; i++) {
		const struct hp_load *l = &loads[i];

		if (!l->unloaded &&
		    hp_tables_load(c->tables, l->class_id) == l &&
		    !hp_id_map_get(&c->dumped, l->class_id))
			hp_check_found(c, HP_RULE_LOAD_WITHOUT_DUMP, l,
				       HP_WORD_CLASS, l->serial, l->class_id);
	}
}
