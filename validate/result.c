/*
 * result.c - turn the findings of a file into its result
 *
 * This file decides the severity of the findings, finds the rules that could
 * not be checked, chooses the examples, and creates their texts.
 */
#include "validate/internal.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "validate/finding.h"

const char *
hp_verdict_name(enum hp_verdict v)
{
	static const char *const names[] = {"valid", "invalid", "unreadable"};

	return names[v];
}

static enum hp_status
no_memory(struct hp_error *err)
{
	return hp_no_memory(err);
}

const char *
hp_validation_unchecked_reason(const struct hp_validation *v, enum hp_rule rule)
{
	if (rule == HP_RULE_STRING_UNUSED && v->of_one_dump)
		return "the other dumps of the file were not read";
	if (v->left_out[rule] > 0)
		return "the classes of some instances are not in the dump";
	/*
	 * A rule about one part of the header can be checked if all parts of
	 * the header before it could be read.
	 */
	return hp_needs_reason(rule <= HP_RULE_HEADER_SHORT
				       ? HP_NEEDS_HEADER
				       : hp_rule_desc(rule)->needs);
}

void
hp_validation_release(struct hp_validation *r)
{
	for (size_t i = 0; i < r->nrules; i++) {
		for (size_t k = 0; k < r->rules[i].nexamples; k++) {
			hp_free(r->rules[i].examples[k].field);
			hp_free(r->rules[i].examples[k].message);
		}
		hp_free(r->rules[i].examples);
		hp_free(r->rules[i].places);
	}
	hp_free(r->rules);
	for (size_t i = 0; i < r->nlimits; i++)
		hp_free(r->limits[i]);
	hp_free(r->limits);
	hp_free(r->map);
	memset(r, 0, sizeof(*r));
}

void
hp_validation_unreadable(struct hp_validation *r)
{
	struct hp_validation empty = {.path = r->path,
				      .error = r->error,
				      .verdict = HP_UNREADABLE,
				      .compression = r->compression};

	hp_validation_release(r);
	*r = empty;
}

void
hp_validation_sum(struct hp_validation *r)
{
	memset(r->totals, 0, sizeof(r->totals));
	for (size_t i = 0; i < r->nrules; i++)
		r->totals[r->rules[i].severity] += r->rules[i].count;
	if (r->verdict == HP_UNREADABLE && !r->lacks_dump)
		return;
	/*
	 * if the file does not contain the requested dump, it cannot be valid
	 */
	r->verdict = r->totals[HP_SEVERITY_ERROR] > 0 ? HP_INVALID
		     : r->lacks_dump		      ? HP_UNREADABLE
						      : HP_VALID;
}

/* --- look up the names of fields ---------------------------------------- */

/* A finding about an instance field whose name must still be looked up. */
struct nameless {
	struct hp_finding *finding;
	const struct hp_class *class; /* the class that declares the field */
	/*
	 * offset of the field, relative to the first field that `class`
	 * declares
	 */
	uint64_t at;
};

/*
 * Find the class that declares the field at byte *@at of an instance of @c, and
 * set *@at to the offset among the fields of that class. Returns NULL if there
 * is no such byte. In an instance, the fields of superclasses come after those
 * of subclasses. A class has pointers to distant superclasses, so the time is
 * logarithmic in the number of superclasses.
 */
static const struct hp_class *
declaring_class(const struct hp_class *c, uint64_t *at)
{
	uint64_t rest;

	if (!c || c->chain == HP_CHAIN_CYCLE || *at >= c->data_size)
		return NULL;
	rest = c->data_size - *at;
	while (c->super && c->super->data_size >= rest)
		c = c->jump->data_size >= rest ? c->jump : c->super;
	*at = c->data_size - rest;
	return c;
}

/*
 * Append the finding @f to @all, if the name of its field must be looked up.
 * Returns false if out of memory.
 */
static bool
add_nameless(struct hp_vec *all, struct hp_finding *f,
	     const struct hp_classes *classes, unsigned dump)
{
	const struct hp_class *c = hp_classes_get(classes, f->holder);
	struct nameless n = {.finding = f, .at = f->index}, *added;

	/*
	 * take the present name of a static field: --mapping may have renamed
	 * the field since its name was looked up
	 */
	if (f->named && f->dump == dump && f->place == HP_PLACE_STATIC && c &&
	    c->offset == f->offset && f->index < c->nstatics)
		f->name = c->statics[f->index].name;
	if (f->named || f->dump != dump || f->place != HP_PLACE_INSTANCE_FIELD)
		return true;
	n.class = declaring_class(c, &n.at);
	if (!n.class)
		return true;
	added = hp_vec_add(all, sizeof(*added));
	if (added)
		*added = n;
	return added != NULL;
}

static bool
gather_nameless(struct hp_vec *all, struct hp_findings *f,
		const struct hp_classes *classes, unsigned dump)
{
	bool ok = true;

	for (unsigned r = 0; r < HP_RULE_COUNT; r++) {
		for (unsigned s = 0; s < HP_FINDING_SLOTS; s++) {
			for (size_t i = 0; ok && i < f->lists[r][s].count; i++)
				ok = add_nameless(all, &f->lists[r][s].items[i],
						  classes, dump);
		}
	}
	for (size_t i = 0; ok && i < f->ngroups; i++)
		ok = add_nameless(all, &f->groups[i].first, classes, dump);
	return ok;
}

static int
compare_nameless(const void *a, const void *b)
{
	const struct nameless *x = a, *y = b;

	if (x->class != y->class)
		return hp_order(x->class->index, y->class->index);
	return hp_order(x->at, y->at);
}

/*
 * Set the names of the fields in findings. The findings are sorted by class and
 * offset, so that the fields of each class are visited only once.
 */
static void
name_fields(const struct nameless *all, size_t count, unsigned id_size)
{
	const struct hp_class *c = NULL;
	uint64_t at = 0;
	uint32_t i = 0;

	for (; count > 0; all++, count--) {
		if (all->class != c) {
			c = all->class;
			at = i = 0;
		}
		for (; i < c->nfields && at < all->at; i++)
			at += hp_type_size(c->fields[i].type, id_size);
		if (i < c->nfields && at == all->at) {
			all->finding->named = true;
			all->finding->name = c->fields[i].name;
		}
	}
}

enum hp_status
hp_validation_resolve(struct hp_findings *f, const struct hp_classes *classes,
		      unsigned dump, struct hp_error *err)
{
	struct hp_vec all = {0};
	bool ok = gather_nameless(&all, f, classes, dump);

	if (ok && all.count > 0) {
		qsort(all.items, all.count, sizeof(struct nameless),
		      compare_nameless);
		name_fields(all.items, all.count, classes->layouts.id_size);
	}
	hp_free(all.items);
	return ok ? HP_OK : no_memory(err);
}

/* --- build the result ---------------------------------------------------- */

/* The state of building a result. */
struct saying {
	struct hp_validation *r;
	struct hp_findings *f;
	const struct hp_tables *tables;
	const struct hp_validate_options *o;
	struct hp_error *err;
	struct hp_load_history loads;
	/* memory that is left for the texts of examples, in bytes */
	uint64_t room;
};

/*
 * Returns the severity of the findings that a counter (@slot) of a rule counts:
 * the severity that the user has chosen for the rule; otherwise the severity to
 * which the counter belongs; otherwise the default severity of the rule, which
 * depends on the program that wrote the dump.
 */
static enum hp_severity
slot_severity(const struct saying *k, unsigned rule, unsigned slot)
{
	if (k->o->severity[rule] != HP_SEVERITY_AS_IS)
		return (enum hp_severity)k->o->severity[rule];
	if (slot < HP_SEVERITY_COUNT)
		return (enum hp_severity)slot;
	return hp_rule_severity((enum hp_rule)rule, k->r->dialect);
}

static bool
is_found(const struct saying *k, enum hp_rule rule)
{
	const uint64_t *counts = k->f->counts[rule];

	for (unsigned s = 0; s < HP_FINDING_SLOTS; s++)
		if (counts[s] > 0)
			return true;
	return false;
}

static bool
has_errors(const struct saying *k, unsigned rule, enum hp_severity usual)
{
	const uint64_t *counts = k->f->counts[rule];

	return counts[HP_SEVERITY_ERROR] > 0 ||
	       (counts[HP_SEVERITY_COUNT] > 0 && usual == HP_SEVERITY_ERROR);
}

static bool
is_broken(const struct saying *k)
{
	for (unsigned r = 0; r < HP_RULE_COUNT; r++)
		if (hp_rule_breaks((enum hp_rule)r) &&
		    has_errors(k, r, hp_rule_desc((enum hp_rule)r)->severity))
			return true;
	return false;
}

/*
 * Whether only one of several dumps was read. Then records that refer to
 * strings may be missing, although everything that was read could be decoded.
 */
static bool
loses_names(const struct saying *k)
{
	static const enum hp_rule rules[] = {
		HP_RULE_END_MISSING, HP_RULE_HEAP_MISSING, HP_RULE_FIXED_LENGTH,
		HP_RULE_COUNTED_LENGTH};

	for (size_t i = 0; i < HP_ARRAY_LEN(rules); i++)
		if (has_errors(k, rules[i],
			       hp_rule_severity(rules[i], k->r->dialect)))
			return true;
	return false;
}

/* Returns the lowest level (--level) at which a rule is checked. */
static enum hp_level
level_of(enum hp_rule rule)
{
	const struct hp_rule_desc *d = hp_rule_desc(rule);
	bool beyond = d->section >= HP_SECTION_STRINGS &&
		      d->section <= HP_SECTION_ROOTS &&
		      rule != HP_RULE_SETTINGS_FIRST;

	if (d->needs == HP_NEEDS_GRAPH)
		return HP_LEVEL_GRAPH;
	return beyond || rule == HP_RULE_HEAP_INFO_ID ||
			       rule == HP_RULE_HEAP_ID_CHANGE
		       ? HP_LEVEL_REFERENCES
		       : HP_LEVEL_FRAMING;
}

/* Whether the header has version 1.0. Records of this version are not read. */
static bool
is_legacy(const struct saying *k)
{
	return strcmp(k->r->header, "JAVA PROFILE 1.0") == 0;
}

/*
 * Whether the dump is truncated before its heap or between two segments. Then
 * objects may be missing, although everything in the file could be decoded, and
 * a reference to a missing object is no error of the dump.
 */
static bool
loses_objects(const struct saying *k)
{
	static const enum hp_rule rules[] = {HP_RULE_END_MISSING,
					     HP_RULE_HEAP_MISSING};

	for (size_t i = 0; i < HP_ARRAY_LEN(rules); i++)
		if (k->f->counts[rules[i]][HP_SEVERITY_COUNT] > 0 &&
		    slot_severity(k, rules[i], HP_SEVERITY_COUNT) ==
			    HP_SEVERITY_ERROR)
			return true;
	return false;
}

/*
 * Whether a finding of this rule shows that the heap is incomplete. Other rules
 * that need the whole heap are not checked in an incomplete dump, but this rule
 * is.
 */
static bool
tells_of_part(enum hp_rule rule)
{
	return rule == HP_RULE_END_MISSING || rule == HP_RULE_HEAP_MISSING;
}

/*
 * Whether the rule is about a part of the header that was not read, because an
 * earlier part has an error or the header could not be decompressed.
 */
static bool
is_past_header(const struct saying *k, enum hp_rule rule)
{
	return k->r->id_size == 0 && rule <= HP_RULE_HEADER_SHORT &&
	       (rule != HP_RULE_MAGIC || !k->r->header[0]) &&
	       !is_found(k, rule) && !is_found(k, HP_RULE_ID_SIZE);
}

static void
find_unchecked(struct saying *k)
{
	/*
	 * whether the file has other dumps that were not read but share the
	 * strings
	 */
	bool others = k->o->dump > 0 && (k->r->lacks_dump || k->r->dumps > 1);
	bool broken = is_broken(k), nameless = broken || loses_names(k);
	bool partial = broken || loses_objects(k);
	bool headless = k->r->id_size == 0 || is_legacy(k) ||
			is_found(k, HP_RULE_ID_SIZE);

	k->r->of_one_dump = others && !nameless && !headless;
	for (unsigned r = 0; r < HP_RULE_COUNT; r++) {
		enum hp_needs needs = hp_rule_desc((enum hp_rule)r)->needs;

		if (k->o->disabled[r])
			continue;
		if (k->o->level < level_of((enum hp_rule)r))
			k->r->deeper[r] = level_of((enum hp_rule)r);
		if (needs == HP_NEEDS_GRAPH)
			k->r->unchecked[r] =
				!k->r->deeper[r] &&
				(partial || headless ||
				 (k->r->left_out[r] > 0 &&
				  k->r->left_out[r] == k->r->graphs));
		else if (headless)
			k->r->unchecked[r] = needs != HP_NEEDS_NOTHING ||
					     is_past_header(k, (enum hp_rule)r);
		else
			k->r->unchecked[r] =
				needs == HP_NEEDS_WHOLE &&
				(r == HP_RULE_STRING_UNUSED
					 ? nameless || k->r->of_one_dump
				 : tells_of_part((enum hp_rule)r) ? broken
								  : partial);
		k->r->any_unchecked |= k->r->unchecked[r];
	}
}

/* All findings of one rule and severity, from which the examples are chosen. */
struct candidates {
	struct hp_finding *items;
	size_t count;
};

/*
 * Collect all kept findings of one rule and severity, and sort them by offset.
 * Returns false if out of memory.
 */
static bool
gather_candidates(struct saying *k, unsigned rule, enum hp_severity severity,
		  struct candidates *c)
{
	size_t room = k->f->ngroups + 1, n = 0;

	for (unsigned s = 0; s < HP_FINDING_SLOTS; s++)
		room += k->f->lists[rule][s].count;
	c->items = hp_calloc(room, sizeof(*c->items));
	if (!c->items)
		return false;
	for (size_t i = 0; i < k->f->ngroups; i++) {
		const struct hp_finding_group *g = &k->f->groups[i];

		if (g->first.rule != rule ||
		    slot_severity(k, rule, hp_finding_slot(&g->first)) !=
			    severity)
			continue;
		c->items[n] = g->first;
		c->items[n].first = true;
		c->items[n++].args[3] = g->count - 1;
	}
	for (unsigned s = 0; s < HP_FINDING_SLOTS; s++) {
		const struct hp_finding_list *l = &k->f->lists[rule][s];

		if (l->count == 0 || slot_severity(k, rule, s) != severity)
			continue;
		memcpy(c->items + n, l->items, l->count * sizeof(*l->items));
		n += l->count;
	}
	qsort(c->items, n, sizeof(*c->items), hp_finding_compare);
	c->count = n;
	return true;
}

/*
 * Remove findings that occur twice. If the findings of the rule are grouped,
 * the first finding of each group is also in the list of all findings.
 */
static void
drop_duplicates(struct candidates *c, bool grouped)
{
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct hp_finding *a = &c->items[i];
		const struct hp_finding *last = n ? &c->items[n - 1] : NULL;

		if (grouped && last && last->offset == a->offset &&
		    last->place == a->place && last->index == a->index) {
			if (a->first)
				c->items[n - 1] = *a;
			continue;
		}
		c->items[n++] = *a;
	}
	c->count = n;
}

/*
 * Choose the findings to show as examples for a rule and severity, sorted by
 * offset: the first finding of each group of similar findings, then others, up
 * to the maximum. Returns a list that the caller frees; NULL if out of memory.
 */
static struct hp_finding *
choose_examples(struct saying *k, unsigned rule, enum hp_severity severity,
		size_t *n)
{
	size_t max = k->o->max_examples, firsts = 0, others = 0, kept = 0;
	struct candidates c = {0};

	*n = 0;
	if (!gather_candidates(k, rule, severity, &c))
		return NULL;
	drop_duplicates(&c, hp_finding_is_grouped(rule));
	for (size_t i = 0; i < c.count; i++)
		firsts += c.items[i].first;
	others = firsts < max ? max - firsts : 0;
	for (size_t i = 0; i < c.count && kept < max; i++) {
		if (!c.items[i].first && others == 0)
			continue;
		others -= !c.items[i].first;
		c.items[kept++] = c.items[i];
	}
	*n = kept;
	return c.items;
}

/*
 * Convert the contents of a buffer to a string, and empty the buffer. The
 * string is NULL if the buffer is empty. Returns false if out of memory.
 */
static bool
take_text(struct hp_buf *b, char **out)
{
	bool empty = b->len == 0;

	*out = NULL;
	if (!hp_buf_ok(b))
		return false;
	if (!empty)
		*out = hp_buf_take(b);
	return empty || *out;
}

/* Returns how many bytes of memory are counted for an example. */
static uint64_t
example_bytes(const struct hp_example *e)
{
	return HP_EXAMPLE_OVERHEAD + strlen(e->message) +
	       (e->field ? strlen(e->field) : 0);
}

static bool
make_example(const struct saying *k, const struct hp_finding *f,
	     struct hp_example *e)
{
	const struct hp_naming names = {k->tables, &k->loads, k->room == 0};
	struct hp_buf b = {0};
	bool fine;

	e->offset = f->offset;
	e->record = f->record;
	e->dump = f->dump;
	if (hp_text_check_rule((enum hp_rule)f->rule))
		e->line = f->args[4];
	hp_finding_field(&b, f, &names);
	fine = take_text(&b, &e->field);
	hp_finding_message(&b, f, &names);
	fine = take_text(&b, &e->message) && fine && e->message;
	hp_buf_release(&b);
	return fine;
}

/*
 * Whether the report can show in which parts of the file the findings of a rule
 * are. For a binary dump, this is possible unless the rule is about
 * compression, because such findings have offsets in the compressed file. For a
 * text dump, it is possible only for the rules about lines, whose findings have
 * offsets in the text.
 */
static bool
has_places(const struct saying *k, unsigned rule)
{
	return k->f->located &&
	       hp_rule_desc((enum hp_rule)rule)->section !=
		       HP_SECTION_CONTAINER &&
	       (!k->r->text || hp_text_check_rule((enum hp_rule)rule));
}

/*
 * Store the numbers of findings by offset, of one rule and severity, in the
 * result. Returns false if out of memory.
 */
static bool
take_places(const struct saying *k, unsigned rule, enum hp_severity severity,
	    struct hp_reported *entry)
{
	entry->places = hp_calloc(1, sizeof(*entry->places));
	if (!entry->places)
		return false;
	for (unsigned s = 0; s < HP_FINDING_SLOTS; s++) {
		if (k->f->places[rule][s] &&
		    slot_severity(k, rule, s) == severity)
			hp_offset_bins_merge(entry->places,
					     k->f->places[rule][s]);
	}
	hp_offset_bins_widen(entry->places, k->r->bytes);
	return true;
}

static enum hp_status
report_severity(struct saying *k, unsigned rule, enum hp_severity severity,
		uint64_t count)
{
	struct hp_reported *entry = &k->r->rules[k->r->nrules];
	enum hp_status st = HP_OK;
	size_t n;
	struct hp_finding *chosen = choose_examples(k, rule, severity, &n);

	if (!chosen)
		return no_memory(k->err);
	*entry = (struct hp_reported){.rule = (enum hp_rule)rule,
				      .severity = severity,
				      .count = count};
	k->r->nrules++;
	if (has_places(k, rule) && !take_places(k, rule, severity, entry)) {
		hp_free(chosen);
		return no_memory(k->err);
	}
	entry->examples = hp_calloc(n ? n : 1, sizeof(*entry->examples));
	for (size_t i = 0; st == HP_OK && entry->examples && i < n; i++) {
		struct hp_example *e = &entry->examples[i];
		uint64_t bytes;

		if (i >= HP_EXAMPLES_SURE && k->room == 0)
			break;
		entry->nexamples++;
		if (!make_example(k, &chosen[i], e)) {
			hp_free(chosen);
			return no_memory(k->err);
		}
		bytes = example_bytes(e);
		k->room -= bytes < k->room ? bytes : k->room;
	}
	hp_free(chosen);
	return entry->examples ? st : no_memory(k->err);
}

/*
 * Sort all groups of similar findings by offset. After that, the hash table
 * cannot find groups any more.
 */
static void
sort_groups(struct hp_findings *f)
{
	hp_hash_release(&f->group_table);
	if (f->ngroups > 0)
		qsort(f->groups, f->ngroups, sizeof(*f->groups),
		      hp_finding_compare);
}

static enum hp_status
report_rule(struct saying *k, unsigned rule)
{
	uint64_t counts[HP_SEVERITY_COUNT] = {0};
	enum hp_status st = HP_OK;

	for (unsigned s = 0; s < HP_FINDING_SLOTS; s++)
		counts[slot_severity(k, rule, s)] += k->f->counts[rule][s];
	for (unsigned s = HP_SEVERITY_COUNT; st == HP_OK && s-- > 0;) {
		if (counts[s] > 0)
			st = report_severity(k, rule, (enum hp_severity)s,
					     counts[s]);
	}
	return st;
}

/*
 * Returns the limit for the memory of the texts of examples, for a dump of
 * @bytes bytes.
 */
static uint64_t
examples_room(uint64_t bytes)
{
	if (bytes > HP_EXAMPLES_BYTES / 2)
		return HP_EXAMPLES_BYTES;
	return 2 * bytes > HP_EXAMPLES_BYTES_LEAST ? 2 * bytes
						   : HP_EXAMPLES_BYTES_LEAST;
}

enum hp_status
hp_validation_build_report(struct hp_validation *r, struct hp_findings *f,
			   const struct hp_tables *tables,
			   const struct hp_validate_options *o,
			   struct hp_error *err)
{
	struct saying k = {r, f,   tables,
			   o, err, .room = examples_room(r->bytes)};
	enum hp_status st = HP_OK;

	r->rules = hp_calloc((size_t)HP_RULE_COUNT * HP_SEVERITY_COUNT,
			     sizeof(*r->rules));
	if (!r->rules)
		return no_memory(err);
	st = hp_load_history_init(
		&k.loads, tables,
		r->dumps > 1 && is_found(&k, HP_RULE_LOAD_DUP_DIFF), err);
	find_unchecked(&k);
	sort_groups(f);
	for (unsigned i = 0; st == HP_OK && i < HP_RULE_COUNT; i++) {
		if (!o->disabled[i] && !r->unchecked[i])
			st = report_rule(&k, i);
	}
	hp_load_history_release(&k.loads);
	hp_validation_sum(r);
	return st;
}
