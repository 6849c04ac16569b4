/*
 * references_report.c - evaluate the references at the end of a dump
 *
 * This file merges the data of all threads, compares the sets of ids, and
 * reports dangling references. Its functions also answer later questions about
 * objects.
 */
#include "validate/references/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/model/class_name.h"
#include "validate/references/references.h"

#include <stdlib.h>
#include <string.h>

static bool
merge_workers(struct hp_references *r)
{
	struct hp_reference_worker *into = &r->workers[0], *w;
	uint64_t id, value;
	struct hp_class_use *use, *from;
	unsigned i;
	size_t at;

	for (i = 1; i < r->o.workers; i++) {
		w = &r->workers[i];
		for (at = 0;
		     hp_id_map_next(&w->use_by_class, &at, &id, &value);) {
			from = (struct hp_class_use *)(uintptr_t)value;
			use = hp_reference_class_use(into, id);
			if (!use)
				return false;
			hp_first_merge(&use->instances, &from->instances);
			hp_first_merge(&use->arrays, &from->arrays);
		}
		for (at = 0; hp_id_map_next(&w->kept, &at, &id, &value);)
			if (!hp_reference_keep(
				    r, into, id,
				    (struct hp_kept_object *)(uintptr_t)value))
				return false;
		into->fields += w->fields;
		into->null += w->null;
		if (w->unaligned.count &&
		    (!into->unaligned.count ||
		     w->unaligned.offset < into->unaligned.offset))
			into->unaligned_id = w->unaligned_id;
		hp_first_merge(&into->unaligned, &w->unaligned);
	}
	for (at = 0; hp_id_map_next(&into->use_by_class, &at, &id, &value);) {
		use = (struct hp_class_use *)(uintptr_t)value;
		use->class = hp_classes_get(&r->classes, id);
		r->kin_unknown |=
			use->instances.count > 0 &&
			!hp_known_class(&r->thread_classes, id) &&
			(!use->class || use->class->chain != HP_CHAIN_FINE);
	}
	return true;
}

/*
 * Check the classes of objects. If a class has no CLASS DUMP, its name may
 * still be known, and shows whether the class is an array class.
 */
static void
check_class_uses(struct hp_references *r, const struct hp_tables *t,
		 struct hp_worker *out)
{
	const struct hp_class_use *use;
	const struct hp_string *name;
	struct hp_finding f;
	size_t at = 0;

	while ((use = hp_references_class_uses(r, &at))) {
		name = hp_tables_class_name(t, use->class_id);
		f = hp_reference_finding(r, HP_RULE_INSTANCE_CLASS_MISSING,
					 use->instances.offset,
					 use->instances.record, 0);
		f.args[0] = f.holder = use->class_id;
		f.place = HP_PLACE_NAME;
		f.index = HP_WORD_CLASS;
		if (!use->class) {
			f.args[1] = use->instances.count;
			hp_findings_add_many(&out->findings, &f,
					     use->instances.count);
		}
		if (name && (name->looks & HP_LOOKS_ARRAY)) {
			f.rule = HP_RULE_INSTANCE_OF_ARRAY_CLASS;
			hp_findings_add_many(&out->findings, &f,
					     use->instances.count);
		}
		f.offset = use->arrays.offset;
		f.record = use->arrays.record;
		f.args[1] = use->arrays.count;
		if (!use->class) {
			f.rule = HP_RULE_ARRAY_CLASS_MISSING;
			hp_findings_add_many(&out->findings, &f,
					     use->arrays.count);
		}
		if (name && !(name->looks & HP_LOOKS_OBJECT_ARRAY)) {
			f.rule = HP_RULE_ARRAY_CLASS_NONARRAY;
			hp_findings_add_many(&out->findings, &f,
					     use->arrays.count);
		}
	}
}

/*
 * Add the ids of all classes to the sets of known object ids (r->sets). If
 * @first, also find the ids that both a class and another object have.
 */
static enum hp_status
add_classes(struct hp_references *r, struct hp_worker *out, bool first,
	    struct hp_error *err)
{
	enum hp_status st = HP_OK;
	const struct hp_class *c;
	const struct hp_kept_object *kept;
	size_t i;

	for (i = 0; i < r->classes.count && st == HP_OK; i++) {
		c = r->classes.list[i];
		if (first && hp_id_sets_in_window(&r->sets, c->id) &&
		    hp_id_sets_defined(&r->sets, c->id)) {
			kept = hp_id_map_pointer(&r->workers[0].kept, c->id);
			if (!hp_class_object_conflicts_note(r, c, kept, out))
				return hp_no_memory(err);
		}
		st = hp_id_sets_add(&r->sets, c->id, err);
	}
	return st;
}

/*
 * Collect the ids that are defined several times. If there are too many, only
 * count them. Whether there are too many does not depend on the number of
 * threads.
 */
static enum hp_status
note_duplicates(struct hp_references *r, struct hp_error *err)
{
	const struct hp_id_worker *w;
	uint64_t all = r->totals.duplicates;
	unsigned i;
	size_t k;

	for (i = 0; i < r->o.workers; i++)
		all += r->sets.worker[i].duplicates;
	if (all > r->sets.duplicates_max) {
		r->totals.duplicates = all;
		hp_id_map_release(&r->duplicates);
		return HP_OK;
	}
	for (i = 0; i < r->o.workers; i++) {
		w = &r->sets.worker[i];
		for (k = 0; k < w->nduplicates; k++) {
			/*
			 * When the first duplicate of this id was found, the id
			 * was in the window (range of ids of this pass). Since
			 * then the window may have become smaller, so that a
			 * later pass handles the id.
			 */
			if (!hp_id_sets_in_window(&r->sets,
						  w->duplicate_ids[k]))
				continue;
			r->totals.duplicates++;
			if (!hp_id_map_put(&r->duplicates, w->duplicate_ids[k],
					   NULL))
				return hp_no_memory(err);
		}
	}
	return HP_OK;
}

enum hp_status
hp_references_window_end(struct hp_references *r, struct hp_worker *out,
			 bool first, struct hp_error *err)
{
	enum hp_status st = hp_id_sets_finish(&r->sets, err);

	if (st == HP_OK && first)
		st = note_duplicates(r, err);
	if (st == HP_OK && hp_id_sets_over_memory(&r->sets) && !r->once)
		st = hp_fail(err, HP_LIMIT,
			     "the ids of dump %u are too scattered to be "
			     "checked within --memory; allow more",
			     r->dump);
	if (st == HP_OK)
		st = add_classes(r, out, first, err);
	if (st == HP_OK && first)
		st = hp_id_sets_sweep(&r->sets, err);
	return st;
}

static bool
note_roots(struct hp_references *r, const struct hp_vec *roots)
{
	const struct hp_root *list = roots->items;
	size_t i;

	hp_free(r->rooted);
	r->nrooted = 0;
	r->jni_globals = false;
	r->rooted = hp_malloc((roots->count + 1) * sizeof(*r->rooted));
	if (!r->rooted)
		return false;
	for (i = 0; i < roots->count; i++) {
		if (list[i].tag == HP_SUB_ROOT_JNI_GLOBAL)
			r->jni_globals = true;
		if (list[i].tag != HP_SUB_HEAP_DUMP_INFO)
			r->rooted[r->nrooted++] = list[i].id;
	}
	hp_sort_u64(r->rooted, r->nrooted);
	return true;
}

/*
 * Whether a root may refer to the object. For dumps of the Serviceability Agent
 * (jhsdb) the result is always true, because these dumps lack JNI GLOBAL roots.
 */
static bool
may_be_rooted(const struct hp_references *r, uint64_t id)
{
	return !r->jni_globals || bsearch(&id, r->rooted, r->nrooted,
					  sizeof(id), hp_compare_u64) != NULL;
}

static bool
is_object_array(const struct hp_string *name)
{
	return hp_string_is(name, "[Ljava/lang/Object;", "java.lang.Object[]");
}

static bool
is_string_array(const struct hp_string *name)
{
	return hp_string_is(name, "[Ljava/lang/String;", "java.lang.String[]");
}

/*
 * Whether this is the class Class[]. Its elements may be the class objects of
 * primitive types, which old HotSpot versions did not write into dumps.
 */
static bool
is_class_array(const struct hp_string *name)
{
	return hp_string_is(name, "[Ljava/lang/Class;", "java.lang.Class[]");
}

/*
 * Whether the dump was written by a HotSpot that had a permanent generation
 * (JDK 7 or older). Since JDK 8, java.lang.Class has the field classLoader. The
 * version in the header is not reliable, because a conversion may have changed
 * it.
 */
static bool
is_before_8(const struct hp_references *r, const struct hp_tables *tables)
{
	const struct hp_class *c = hp_reference_class_class(r);
	bool hotspot = false;

	for (uint32_t i = 0; c && i < c->nfields; i++) {
		const struct hp_string *name =
			hp_tables_string(tables, c->fields[i].name);

		if (hp_string_is(name, "classLoader", "classLoader"))
			return false;
		hotspot |= hp_string_is(name, "classRedefinedCount",
					"classRedefinedCount");
	}
	return hotspot;
}

enum hp_status
hp_references_classes_complete(struct hp_references *r,
			       const struct hp_tables *tables,
			       struct hp_error *err)
{
	enum hp_status st = hp_classes_complete(&r->classes, err);

	if (st == HP_OK)
		r->permanent = is_before_8(r, tables);
	return st;
}

bool
hp_references_permanent(const struct hp_references *r)
{
	return r->o.old_hotspot || r->permanent;
}

/*
 * Whether HotSpot may have left out elements of this array from a dump that is
 * not damaged. HotSpot keeps objects from its archive (CDS) in an Object[] to
 * which only a root refers. Until JDK 7, HotSpot did not write some objects of
 * the permanent generation that are elements of Object[] and String[]. It also
 * did not write the class objects of primitive types, which are elements of
 * Class[], for example the parameter types of a method. Dangling references to
 * such objects are only informational notes.
 */
bool
hp_reference_may_be_habit(const struct hp_references *r,
			  const struct hp_tables *t,
			  const struct hp_pending_reference *o)
{
	return o->place == HP_PLACE_ELEMENT && !r->o.old_hotspot &&
	       !r->permanent && o->object != 0 && may_be_rooted(r, o->object) &&
	       is_object_array(hp_tables_class_name(t, o->holder));
}

static bool
is_habitual_array(const struct hp_references *r, const struct hp_tables *t,
		  const struct hp_pending_reference *o)
{
	const struct hp_string *name = hp_tables_class_name(t, o->holder);
	const uint64_t *referenced;

	if (o->place == HP_PLACE_ELEMENT && hp_references_permanent(r))
		return is_object_array(name) || is_string_array(name) ||
		       is_class_array(name);
	if (!hp_reference_may_be_habit(r, t, o))
		return false;
	if (r->once || !hp_id_sets_partial(&r->sets))
		return !hp_id_sets_referenced(&r->sets, o->object);
	referenced = hp_id_map_get(&r->holders, o->object);
	return !referenced || *referenced == 0;
}

void
hp_reference_dangles(const struct hp_references *r,
		     const struct hp_tables *tables, struct hp_worker *w,
		     const struct hp_pending_reference *o)
{
	struct hp_finding f = hp_reference_finding(
		r, HP_RULE_REF_DANGLING_FIELD, o->offset, o->record, 0);

	if (o->place == HP_PLACE_ELEMENT)
		f.rule = HP_RULE_REF_DANGLING_ARRAY;
	if (is_habitual_array(r, tables, o))
		f.severity = HP_SEVERITY_INFO;
	f.place = (uint8_t)o->place;
	f.index = o->index;
	f.holder = o->holder;
	f.args[0] = o->id;
	f.args[1] = o->holder;
	f.args[2] = o->object;
	hp_findings_add(&w->findings, &f);
}

static void
report_statics(struct hp_references *r, const struct hp_class *c,
	       struct hp_worker *out)
{
	for (uint32_t k = 0; k < c->nstatics; k++) {
		const struct hp_class_static *s = &c->statics[k];
		struct hp_finding f =
			hp_reference_finding(r, HP_RULE_REF_DANGLING_STATIC,
					     c->offset, c->record, 0);

		if (!hp_type_is_reference(s->type) || s->value == 0 ||
		    hp_id_sets_defined(&r->sets, s->value))
			continue;
		r->totals.dangling++;
		f.place = HP_PLACE_STATIC;
		f.index = k;
		f.named = true;
		f.name = s->name;
		f.args[0] = s->value;
		f.args[1] = f.holder = c->id;
		hp_findings_add(&out->findings, &f);
	}
}

/*
 * Report the static fields that refer to missing objects. If a class has
 * several class dumps, all of them are searched, because the references in all
 * of them were counted.
 */
void
hp_references_statics(struct hp_references *r, struct hp_worker *out)
{
	for (size_t i = 0; i < r->classes.count; i++)
		report_statics(r, r->classes.list[i], out);
	for (size_t i = 0; i < r->classes.nduplicates; i++)
		report_statics(r, r->classes.duplicates[i], out);
}

/*
 * For a pipe, each thread has a list of all objects that it has read. Append to
 * @all those whose ids are in @ids. If a list is not complete, set all->lost.
 */
static void
report_pipe_conflicts(const struct hp_references *r,
		      const struct hp_id_map *ids, struct hp_duplicates *all)
{
	const struct hp_duplicates *l;
	struct hp_duplicates some;
	unsigned i;
	size_t k;

	for (i = 0; i < r->o.workers && ids->count > 0; i++) {
		l = &r->workers[i].objects;
		some = (struct hp_duplicates){.lost = l->lost};
		for (k = 0; k < l->count; k++)
			if (hp_id_map_get(ids, l->items[k].id))
				hp_duplicates_put(&some, &l->items[k]);
		hp_duplicates_append(all, &some);
		hp_duplicates_release(&some);
	}
}

static void
report_pipe_duplicates(struct hp_references *r, const struct hp_tables *tables,
		       struct hp_worker *out)
{
	struct hp_duplicates all = {0}, twins = {0};

	report_pipe_conflicts(r, &r->duplicates, &all);
	if (r->duplicates.count == 0)
		all.lost = true;
	r->totals.duplicates_located = !all.lost;
	if (!all.lost)
		hp_duplicates_report(&all, r->dump, &out->findings);
	report_pipe_conflicts(r, &r->twins, &twins);
	hp_class_object_conflicts_report(r, tables, &twins, out);
	hp_duplicates_release(&all);
	hp_duplicates_release(&twins);
}

/*
 * Whether the list of pending references contains all dangling references, so
 * that no further pass is needed to find them. Duplicate ids always need a
 * further pass, and this pass also finds the dangling references.
 */
static bool
is_settled(const struct hp_references *r)
{
	return r->o.slow_again && !r->once && !hp_id_sets_partial(&r->sets) &&
	       r->sets.dangling > 0 && r->duplicates.count == 0 &&
	       r->twins.count == 0 && !r->pending_lost;
}

static void
report_pending(struct hp_references *r, const struct hp_tables *t,
	       struct hp_worker *out)
{
	const struct hp_pending_list *list = &r->pending;

	if (r->pending_lost && r->sets.dangling > 0)
		r->totals.dangling_known = r->totals.located = false;
	for (size_t i = 0; i < list->count; i++) {
		if (hp_id_sets_defined(&r->sets, list->items[i].id))
			continue;
		r->totals.dangling++;
		hp_reference_dangles(r, t, out, &list->items[i]);
	}
}

enum hp_status
hp_references_dump_end(struct hp_references *r, const struct hp_tables *tables,
		       struct hp_worker *into, struct hp_error *err)
{
	struct hp_reference_worker *w = &r->workers[0];
	struct hp_finding f;
	enum hp_status st;

	if (r->o.framing_only)
		return HP_OK;
	if (!merge_workers(r))
		return hp_no_memory(err);
	st = hp_references_window_end(r, into, true, err);
	if (st != HP_OK)
		return st;
	check_class_uses(r, tables, into);
	if (w->unaligned.count > 0) {
		f = hp_reference_finding(r, HP_RULE_OBJECT_ID_ALIGNED,
					 w->unaligned.offset,
					 w->unaligned.record, 0);
		f.args[1] = w->unaligned_id;
		f.place = HP_PLACE_NAME;
		f.index = HP_WORD_ID;
		hp_findings_add_many(&into->findings, &f, w->unaligned.count);
	}
	r->settled = is_settled(r);
	if ((r->once || r->settled || hp_references_needs_passes(r)) &&
	    !note_roots(r, &into->roots))
		return hp_no_memory(err);
	r->totals.checked = w->fields - w->null;
	r->totals.null = w->null;
	r->totals.located = r->totals.dangling_known = true;
	r->totals.duplicates_located = r->totals.duplicates == 0;
	if (r->once || !hp_id_sets_partial(&r->sets))
		hp_references_statics(r, into);
	if (r->once || r->settled)
		report_pending(r, tables, into);
	if (r->once) {
		r->totals.crowded = hp_id_sets_over_memory(&r->sets);
		r->totals.unchecked = hp_id_sets_postponed(&r->sets);
		report_pipe_duplicates(r, tables, into);
	}
	return HP_OK;
}

bool
hp_references_needs_passes(const struct hp_references *r)
{
	return !r->o.framing_only && !r->once && !r->settled &&
	       (hp_id_sets_partial(&r->sets) || r->sets.dangling > 0 ||
		r->duplicates.count > 0 || r->twins.count > 0);
}

const struct hp_reference_totals *
hp_references_totals(const struct hp_references *r)
{
	return &r->totals;
}

bool
hp_references_defined(const struct hp_references *r, uint64_t id)
{
	return hp_id_sets_defined(&r->sets, id);
}

const struct hp_classes *
hp_references_classes(const struct hp_references *r)
{
	return &r->classes;
}

int
hp_references_is_thread(const struct hp_references *r, uint64_t id)
{
	const struct hp_kept_object *kept =
		hp_id_map_pointer(&r->workers[0].kept, id);

	if (kept)
		return !hp_known_class(&r->class_classes, kept->class_id);
	return r->thread_classes.count == 0 || r->kin_unknown ? -1 : 0;
}
