/*
 * check_classes.c - rules about the class dumps of a dump
 *
 * The classes of a dump are checked after the whole dump was read. references.c
 * checks the instances.
 */
#include "validate/checks/check.h"

#include <string.h>
#include <xxhash.h>

#include "common/base/memory.h"
#include "common/model/class_name.h"

/*
 * If a class has at most this many fields, the names of its fields are compared
 * pair by pair, otherwise with a hash table.
 */
enum { PAIRS_MOST = 8 };

/* The state that the checks of the classes of one dump share. */
struct classes {
	struct hp_check *c;
	const struct hp_classes *all;
	const struct hp_references *refs;
	enum hp_dialect dialect;
	/* set of the hashes of the class names that were seen so far */
	struct hp_id_map names;
	/*
	 * hash table of the names of the fields of a class, to find equal names
	 */
	struct hp_hash_table doubles;
	/* whether the classes java.lang.Object, Class and String were found */
	bool core[3];
	struct hp_error *err;
};

/*
 * Whether a class name in the dump is equal to @slashes, which is written as in
 * the JVM (java/lang/String). The name in the dump may also be written as in
 * Java source (java.lang.String).
 */
static bool
is_named(const struct hp_string *s, const char *slashes)
{
	size_t n = strlen(slashes);

	if (!s || s->length != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		char have = (char)s->data[i];

		if (have != slashes[i] && !(slashes[i] == '/' && have == '.'))
			return false;
	}
	return true;
}

static const struct hp_string *
name_of(const struct classes *k, const struct hp_class *class)
{
	return hp_tables_class_name(k->c->tables, class->id);
}

static bool
is_array(const struct classes *k, const struct hp_class *class)
{
	const struct hp_string *s = name_of(k, class);

	return s && (s->looks & HP_LOOKS_ARRAY);
}

/* --- check the names of classes ------------------------------------------ */

static enum hp_status
use_name(struct classes *k, const struct hp_class *class, uint64_t name,
	 enum hp_string_use what)
{
	return hp_check_string_use(
		k->c, name, what,
		(struct hp_position){class->offset, class->record}, k->c->dump,
		0, k->err);
}

static enum hp_status
use_names(struct classes *k, const struct hp_class *class)
{
	enum hp_status st = HP_OK;

	for (uint32_t i = 0; st == HP_OK && i < class->nfields; i++)
		st = use_name(k, class, class->fields[i].name,
			      HP_STRING_OF_FIELD);
	for (uint32_t i = 0; st == HP_OK && i < class->nstatics; i++)
		st = use_name(k, class, class->statics[i].name,
			      HP_STRING_OF_STATIC);
	return st;
}

/*
 * Check that a class has a name, and that no other class has this name. Also
 * find the core classes, such as java.lang.Object.
 */
static enum hp_status
check_name(struct classes *k, const struct hp_class *class)
{
	static const char *const core[] = {
		"java/lang/Object", "java/lang/Class", "java/lang/String"};
	const struct hp_string *s = name_of(k, class);
	uint64_t *seen;
	bool fresh;

	if (!hp_tables_load(k->c->tables, class->id))
		hp_check_found(k->c, HP_RULE_DUMP_WITHOUT_LOAD, class,
			       HP_WORD_ID, class->id);
	if (!s)
		return HP_OK;
	for (unsigned i = 0; i < HP_ARRAY_LEN(core); i++)
		k->core[i] |= is_named(s, core[i]);
	seen = hp_id_map_put(&k->names, hp_string_hash(s), &fresh);
	if (!seen)
		return hp_no_memory(k->err);
	if (!fresh)
		hp_check_found(k->c, HP_RULE_CLASS_NAME_DUP, class, HP_WORD_ID,
			       class->id);
	return HP_OK;
}

/* --- check the superclasses ---------------------------------------------- */

static void
check_super(struct classes *k, const struct hp_class *class)
{
	const struct hp_class *super;

	if (class->super_id == 0)
		return;
	super = hp_classes_get(k->all, class->super_id);
	if (!super)
		hp_check_found(k->c, HP_RULE_SUPER_MISSING, class,
			       HP_WORD_SUPER, class->id, class->super_id);
	else if (is_array(k, class) && name_of(k, super) &&
		 !is_named(name_of(k, super), "java/lang/Object"))
		hp_check_found(k->c, HP_RULE_SUPER_OF_ARRAY, class,
			       HP_WORD_SUPER, class->id, class->super_id);
}

static void
check_super_zero(struct classes *k)
{
	uint64_t n = 0;

	if (k->dialect != HP_DIALECT_HOTSPOT && k->dialect != HP_DIALECT_SA)
		return;
	for (size_t i = 0; i < k->all->count; i++)
		n += k->all->list[i]->super_id == 0;
	for (size_t i = 0; n > 1 && i < k->all->count; i++) {
		const struct hp_class *class = k->all->list[i];

		if (class->super_id == 0 &&
		    !is_named(name_of(k, class), "java/lang/Object"))
			hp_check_found(k->c, HP_RULE_SUPER_ZERO, class,
				       HP_WORD_SUPER, class->id);
	}
}

/*
 * Returns the superclass of a class. This also works for a class in a cycle of
 * superclasses; the pointer `super` of such a class is NULL.
 */
static const struct hp_class *
super_of(const struct classes *k, const struct hp_class *class)
{
	return hp_classes_get(k->all, class->super_id);
}

/*
 * Go from @class to its superclass, and so on, and mark each unmarked class
 * with the number @walk. If this leads to a class that already has the mark
 * @walk, there is a cycle: returns that class. Otherwise returns NULL.
 */
static const struct hp_class *
walk_supers(const struct classes *k, const struct hp_class *class,
	    uint32_t *marks, uint32_t walk)
{
	while (class && marks[class->index] == 0) {
		marks[class->index] = walk;
		class = super_of(k, class);
	}
	return class && marks[class->index] == walk ? class : NULL;
}

/*
 * Find all cycles of superclasses, and report each class in a cycle. Each class
 * is visited only once, so the time is linear.
 */
static enum hp_status
check_cycles(struct classes *k)
{
	uint32_t *marks =
		hp_calloc(k->all->count ? k->all->count : 1, sizeof(*marks));

	if (!marks)
		return hp_no_memory(k->err);
	for (size_t i = 0; i < k->all->count; i++) {
		const struct hp_class *first, *next, *class = k->all->list[i];

		if (class->chain != HP_CHAIN_CYCLE)
			continue;
		first = walk_supers(k, class, marks, (uint32_t)i + 1);
		for (class = first; class; class = next) {
			next = super_of(k, class);
			if (next == first)
				next = NULL;
			hp_check_found(k->c, HP_RULE_SUPER_CYCLE, class,
				       HP_WORD_SUPER, class->id);
		}
	}
	hp_free(marks);
	return HP_OK;
}

/* --- check instance sizes, array classes and fields ---------------------- */

static void
check_size(struct classes *k, const struct hp_class *class)
{
	struct hp_symptom s;

	if (!hp_symptom_of_class(class, k->c->tables, &s) ||
	    (s.rule == HP_RULE_INSTSIZE_FIELDS && class->instance_size == 0 &&
	     k->dialect == HP_DIALECT_AGENT))
		return;
	hp_check_found(k->c, s.rule, class, HP_WORD_SIZE, class->id, s.got,
		       s.want);
}

static void
check_array_shape(struct classes *k, const struct hp_class *class)
{
	if ((class->nfields || class->nstatics || class->instance_size) &&
	    is_array(k, class))
		hp_check_whole(k->c, HP_RULE_ARRAY_CLASS_SHAPE, class,
			       class->id, class->nfields, class->nstatics,
			       class->instance_size);
}

/* The name and type of a field, to find duplicate fields. */
struct named {
	uint64_t name;
	uint32_t index, type;
};

static int
compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = hp_order(x->name, y->name);

	c = c ? c : hp_order(x->type, y->type);
	return c ? c : hp_order(x->index, y->index);
}

static bool
has_equal_pair(const struct named *names, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t j = 0; j < i; j++)
			if (names[i].name == names[j].name)
				return true;
	return false;
}

static bool
is_name(const void *names, uint32_t number, const void *name)
{
	const struct named *list = names;

	return list[number - 1].name == *(const uint64_t *)name;
}

static enum hp_status
find_doubles(struct classes *k, const struct named *names, uint32_t n,
	     bool *doubles)
{
	struct hp_hash_table *t = &k->doubles;

	*doubles = n <= PAIRS_MOST && has_equal_pair(names, n);
	if (n <= PAIRS_MOST)
		return HP_OK;
	hp_hash_clear(t);
	if (!hp_hash_reserve(t, n))
		return hp_no_memory(k->err);
	for (uint32_t i = 0; i < n && !*doubles; i++) {
		const uint64_t *name = &names[i].name;
		uint32_t hash = (uint32_t)XXH3_64bits_withSeed(
			name, sizeof(*name), t->seed);
		struct hp_hash_slot *slot =
			hp_hash_find(t, hash, is_name, names, name);

		if (slot->number)
			*doubles = true;
		else
			hp_hash_add(t, slot, hash, i + 1);
	}
	return HP_OK;
}

/* Report each of the @n names that is equal to an earlier one. */
static enum hp_status
report_doubles(struct classes *k, const struct hp_class *class,
	       struct named *names, uint32_t n, enum hp_rule rule)
{
	bool doubles;
	enum hp_status st = find_doubles(k, names, n, &doubles);

	if (st != HP_OK || !doubles)
		return st;
	qsort(names, n, sizeof(*names), compare_named);
	for (uint32_t i = 1; i < n; i++) {
		if (names[i].name != names[i - 1].name ||
		    names[i].type != names[i - 1].type)
			continue;
		hp_findings_add(
			k->c->findings,
			&(struct hp_finding){
				HP_CHECK_COMMON(k->c, rule, class->offset,
						class->record),
				.place = rule == HP_RULE_FIELD_DUP
						 ? HP_PLACE_INSTANCE_FIELD
						 : HP_PLACE_STATIC,
				.index = names[i].index, .named = true,
				.name = names[i].name,
				.args = {class->id, names[i].name}});
	}
	return HP_OK;
}

static enum hp_status
check_doubles(struct classes *k, const struct hp_class *class)
{
	uint32_t nf = class->nfields, ns = class->nstatics;
	uint32_t most = nf > ns ? nf : ns;
	struct named *names;
	enum hp_status st;

	if (most < 2)
		return HP_OK;
	names = hp_malloc(most * sizeof(*names));
	if (!names)
		return hp_no_memory(k->err);
	for (uint32_t i = 0; i < nf; i++)
		names[i] = (struct named){class->fields[i].name, i,
					  class->fields[i].type};
	st = report_doubles(k, class, names, nf, HP_RULE_FIELD_DUP);
	for (uint32_t i = 0; i < ns; i++)
		names[i] = (struct named){class->statics[i].name, i, 0};
	if (st == HP_OK)
		st = report_doubles(k, class, names, ns, HP_RULE_STATIC_DUP);
	hp_free(names);
	return st;
}

static void
check_values(struct classes *k, const struct hp_class *class)
{
	for (uint32_t i = 0; i < class->nstatics; i++) {
		const struct hp_class_static *s = &class->statics[i];

		if (s->type != HP_TYPE_BOOLEAN || s->value <= 1)
			continue;
		hp_findings_add(
			k->c->findings,
			&(struct hp_finding){
				HP_CHECK_COMMON(k->c, HP_RULE_STATIC_BOOLEAN,
						class->offset, class->record),
				.place = HP_PLACE_STATIC, .index = i,
				.named = true, .name = s->name,
				.args = {class->id, s->name, s->value}});
	}
	for (uint32_t i = 0; i < class->nconstants; i++) {
		const struct hp_class_constant *p = &class->constants[i];

		if (hp_type_is_reference(p->type))
			continue;
		hp_check_placed(k->c, HP_RULE_CP_TYPE, class, HP_PLACE_CONSTANT,
				i, class->id, p->index, p->type);
	}
}

/* --- check class loader, signers and protection domain ------------------- */

static bool
is_missing(const struct classes *k, uint64_t id)
{
	return id != 0 && !hp_references_defined(k->refs, id);
}

static void
check_head(struct classes *k, const struct hp_class *class)
{
	if (is_missing(k, class->loader))
		hp_check_found(k->c, HP_RULE_LOADER_MISSING, class,
			       HP_WORD_LOADER, class->id, class->loader);
	if (is_missing(k, class->signers))
		hp_check_found(k->c, HP_RULE_SIGNERS_PD_MISSING, class,
			       HP_WORD_SIGNERS, class->id, class->signers, 0);
	if (is_missing(k, class->domain))
		hp_check_found(k->c, HP_RULE_SIGNERS_PD_MISSING, class,
			       HP_WORD_DOMAIN, class->id, class->domain, 1);
	for (unsigned i = 0; i < 2; i++) {
		if (class->reserved[i] != 0)
			hp_check_found(k->c, HP_RULE_RESERVED_NONZERO, class,
				       HP_WORD_RESERVED, class->id,
				       class->reserved[i]);
	}
}

/* Check that java.lang.String has a reference field `value`. */
static void
check_string_layout(struct classes *k, const struct hp_class *class)
{
	if (!is_named(name_of(k, class), "java/lang/String"))
		return;
	for (uint32_t i = 0; i < class->nfields; i++) {
		const struct hp_string *s =
			hp_tables_string(k->c->tables, class->fields[i].name);

		if (is_named(s, "value") &&
		    hp_type_is_reference(class->fields[i].type))
			return;
	}
	hp_check_whole(k->c, HP_RULE_STRING_LAYOUT, class, class->id);
}

/* --- find duplicate class dumps ------------------------------------------ */

static bool
same_class(const struct hp_class *a, const struct hp_class *b)
{
	if (a->super_id != b->super_id || a->loader != b->loader ||
	    a->signers != b->signers || a->domain != b->domain ||
	    a->instance_size != b->instance_size ||
	    a->reserved[0] != b->reserved[0] ||
	    a->reserved[1] != b->reserved[1] ||
	    a->nconstants != b->nconstants || a->nstatics != b->nstatics ||
	    a->nfields != b->nfields)
		return false;
	for (uint32_t i = 0; i < a->nconstants; i++) {
		if (a->constants[i].index != b->constants[i].index ||
		    a->constants[i].value != b->constants[i].value ||
		    a->constants[i].type != b->constants[i].type)
			return false;
	}
	for (uint32_t i = 0; i < a->nstatics; i++) {
		if (a->statics[i].name != b->statics[i].name ||
		    a->statics[i].value != b->statics[i].value ||
		    a->statics[i].type != b->statics[i].type)
			return false;
	}
	for (uint32_t i = 0; i < a->nfields; i++) {
		if (a->fields[i].name != b->fields[i].name ||
		    a->fields[i].type != b->fields[i].type)
			return false;
	}
	return true;
}

static void
check_duplicates(struct classes *k)
{
	for (size_t i = 0; i < k->all->nduplicates; i++) {
		const struct hp_class *b = k->all->duplicates[i];
		const struct hp_class *a = hp_classes_get(k->all, b->id);
		bool same = a && same_class(a, b);
		struct hp_finding f = {
			HP_CHECK_COMMON(k->c, HP_RULE_CLASS_DUMP_DUP, b->offset,
					b->record),
			.place = HP_PLACE_NAME, .index = HP_WORD_ID,
			.args = {b->id, same, a ? a->offset : 0}};

		if (same)
			f.severity = HP_SEVERITY_INFO;
		hp_findings_add(k->c->findings, &f);
	}
}

/* --- all checks of a class ----------------------------------------------- */

static enum hp_status
check_class(struct classes *k, const struct hp_class *class)
{
	enum hp_status st = check_name(k, class);

	if (st == HP_OK)
		st = use_names(k, class);
	if (st == HP_OK)
		st = check_doubles(k, class);
	if (st != HP_OK)
		return st;
	if (!hp_id_map_put(&k->c->dumped, class->id, NULL))
		return hp_no_memory(k->err);
	check_super(k, class);
	check_size(k, class);
	check_array_shape(k, class);
	check_values(k, class);
	check_head(k, class);
	check_string_layout(k, class);
	return HP_OK;
}

enum hp_status
hp_check_classes(struct hp_check *c, const struct hp_references *refs,
		 enum hp_dialect dialect, struct hp_error *err)
{
	struct classes k = {.c = c,
			    .all = hp_references_classes(refs),
			    .refs = refs,
			    .dialect = dialect,
			    .err = err};
	enum hp_status st = HP_OK;

	for (size_t i = 0; st == HP_OK && i < k.all->count; i++)
		st = check_class(&k, k.all->list[i]);
	if (st == HP_OK)
		st = check_cycles(&k);
	hp_id_map_release(&k.names);
	hp_hash_release(&k.doubles);
	if (st != HP_OK)
		return st;
	check_super_zero(&k);
	check_duplicates(&k);
	for (unsigned i = 0; i < HP_ARRAY_LEN(k.core); i++) {
		if (!k.core[i])
			hp_check_whole(c, HP_RULE_CORE_CLASS, &c->dump_spot, i);
	}
	return HP_OK;
}
