/*
 * object_classes.c - a table that gives the class name of any object id
 *
 * A kind is a number that stands for a class name. There is one kind for each
 * primitive array type, one for class objects, and one for each LOAD CLASS
 * record. A class that was loaded has a kind even if its class dump is missing.
 */
#include "convert/prepass/dump_tables.h"

#include "common/base/memory.h"
#include "common/format/scan.h"

enum {
	/*
	 * The kind (number that stands for a class name) of class objects.
	 * Smaller numbers are the kinds of primitive arrays: the number of the
	 * element type.
	 */
	KIND_CLASS = HP_TYPE_END,
	/*
	 * The kind for LOAD CLASS record i is KIND_LOADS + i. The first number
	 * after all these kinds means that the class has no name.
	 */
	KIND_LOADS,
};

/* ---- the passes that build the table ---- */

static uint64_t
count_kinds(const struct hp_object_classes *k)
{
	return KIND_LOADS + k->naming->prepass->tables.load_list.count;
}

/*
 * Find the kind (number of the class) of the object @sub, and store it in
 * *@kind. Returns false if @sub is not an object.
 */
static bool
class_number(const struct hp_object_classes *k, const struct hp_sub *sub,
	     uint64_t *kind)
{
	const uint64_t *load;

	switch (sub->tag) {
	case HP_SUB_CLASS_DUMP:
		*kind = KIND_CLASS;
		return true;
	case HP_SUB_PRIMITIVE_ARRAY_DUMP:
	case HP_SUB_PRIMITIVE_ARRAY_NODATA:
		*kind = sub->type;
		return true;
	case HP_SUB_INSTANCE_DUMP:
	case HP_SUB_OBJECT_ARRAY_DUMP:
		load = hp_id_map_get(&k->naming->prepass->tables.loads_by_id,
				     sub->class_id);
		*kind = load && *load ? KIND_LOADS + *load - 1 : count_kinds(k);
		return true;
	default:
		return false;
	}
}

static enum hp_status
collect_ids(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_object_classes *k = ctx;
	struct hp_object_classes_lookup *l = &k->looks[b->worker];
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct hp_sub sub = {0};

	hp_object_classes_select_dump(l, b->dump);
	while (l->at.table && hp_batch_next(&walk, b, &sub, k->id_size))
		if (hp_subrecord_is_object(sub.tag))
			hp_dump_table_note(&l->at, sub.id, &k->lock);
	hp_dump_table_flush(&l->at, &k->lock);
	return HP_OK;
}

/*
 * Remember an id that several objects have. find_first_dumps() will find the
 * first of these objects.
 */
static enum hp_status
note_repeated(struct hp_object_classes *k, size_t place, uint64_t id,
	      struct hp_error *err)
{
	struct hp_id_map *ids = &k->repeated[place];
	bool fine, fits;

	pthread_mutex_lock(&k->lock);
	k->repeats = true;
	k->repeated_bytes -= hp_id_map_bytes(ids);
	fine = hp_id_map_set(ids, id, UINT64_MAX);
	k->repeated_bytes += hp_id_map_bytes(ids);
	fits = k->repeated_bytes <= k->repeated_most;
	k->limited |= !fits;
	pthread_mutex_unlock(&k->lock);
	if (!fine)
		return hp_no_memory(err);
	return fits ? HP_OK : hp_fail(err, HP_LIMIT, "too many ids again");
}

static enum hp_status
store_kinds(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_object_classes *k = ctx;
	struct hp_object_classes_lookup *l = &k->looks[b->worker];
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct hp_sub sub = {0};
	enum hp_status st;
	uint64_t kind;

	hp_object_classes_select_dump(l, b->dump);
	while (l->at.table && hp_batch_next(&walk, b, &sub, k->id_size))
		if (class_number(k, &sub, &kind) &&
		    HP_UNLIKELY(hp_id_table_put(l->at.table, &l->at.near,
						sub.id, kind))) {
			st = note_repeated(k, l->at.place, sub.id, err);
			if (st != HP_OK)
				return st;
		}
	return HP_OK;
}

/*
 * For each id that several objects have, find the object with the smallest file
 * offset, and its class.
 */
static enum hp_status
find_first_dumps(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_object_classes *k = ctx;
	struct hp_object_classes_lookup *l = &k->looks[b->worker];
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct hp_sub sub = {0};
	uint64_t *first, kind;

	hp_object_classes_select_dump(l, b->dump);
	while (l->at.table && hp_batch_next(&walk, b, &sub, k->id_size)) {
		if (!class_number(k, &sub, &kind))
			continue;
		first = hp_id_map_find(&k->repeated[l->at.place], sub.id);
		if (HP_LIKELY(!first))
			continue;
		pthread_mutex_lock(&k->lock);
		if (sub.offset < *first) {
			*first = sub.offset;
			hp_id_table_set(l->at.table, &l->at.near, sub.id, kind);
		}
		pthread_mutex_unlock(&k->lock);
	}
	return HP_OK;
}

static enum hp_status
run_pass(struct hp_object_classes *k, struct hp_source *src,
	 enum hp_status (*batch)(void *, struct hp_batch *, struct hp_error *),
	 struct hp_error *err)
{
	const struct hp_pass p = {
		.need = HP_NEED_HEADS, .ctx = k, .batch = batch};
	const struct hp_scan_options so = {
		.threads = k->threads, .only_dump = k->naming->prepass->dump};
	enum hp_status st = hp_source_rewind(src, err);

	return st == HP_OK ? hp_scan(src, &p, &so, err) : st;
}

/* ---- initialise the names and tables ---- */

static enum hp_status
name_classes(struct hp_object_classes *k, struct hp_error *err)
{
	static const char *const arrays[HP_TYPE_END] = {
		[HP_TYPE_BOOLEAN] = "boolean[]", [HP_TYPE_CHAR] = "char[]",
		[HP_TYPE_FLOAT] = "float[]",	 [HP_TYPE_DOUBLE] = "double[]",
		[HP_TYPE_BYTE] = "byte[]",	 [HP_TYPE_SHORT] = "short[]",
		[HP_TYPE_INT] = "int[]",	 [HP_TYPE_LONG] = "long[]"};
	const struct hp_vec *loads = &k->naming->prepass->tables.load_list;
	const struct hp_load *items = loads->items;

	k->names = hp_calloc(count_kinds(k) + 1, sizeof(*k->names));
	if (!k->names)
		return hp_no_memory(err);
	for (unsigned t = HP_TYPE_BOOLEAN; t < HP_TYPE_END; t++)
		k->names[t] = (struct hp_name){arrays[t], strlen(arrays[t])};
	k->names[KIND_CLASS] = (struct hp_name){"java.lang.Class", 15};
	for (size_t i = 0; i < loads->count; i++)
		k->names[KIND_LOADS + i] =
			hp_name_cache_class(k->naming, items[i].class_id);
	return HP_OK;
}

static enum hp_status
init_sets(struct hp_object_classes *k, const struct hp_source *src,
	  uint64_t memory, struct hp_error *err)
{
	enum hp_status st = name_classes(k, err);

	pthread_mutex_init(&k->lock, NULL);
	k->looks = hp_calloc(k->threads, sizeof(*k->looks));
	k->repeated =
		hp_calloc(k->naming->prepass->ndumps + 1, sizeof(*k->repeated));
	if (st != HP_OK || !k->looks || !k->repeated)
		return hp_no_memory(err);
	for (unsigned i = 0; i < k->threads; i++)
		k->looks[i].kinds = k;
	return hp_dump_tables_init(&k->tables, k->naming->prepass, src, memory,
				   "a table", err);
}

/* Returns how many bytes of @memory are left for the tables. */
static uint64_t
memory_left(const struct hp_object_classes *k, uint64_t memory)
{
	for (size_t i = 0; i < k->naming->prepass->ndumps; i++) {
		uint64_t bytes = hp_id_table_bytes(&k->tables.list[i]);

		memory -= bytes < memory ? bytes : memory;
	}
	return memory;
}

enum hp_status
hp_object_classes_run(struct hp_object_classes *k,
		      const struct hp_name_cache *naming, struct hp_source *src,
		      unsigned threads, uint64_t memory, struct hp_error *err)
{
	struct hp_error why = {0};
	enum hp_status st;

	k->naming = naming;
	k->id_size = naming->prepass->header.id_size;
	k->threads = threads;
	st = init_sets(k, src, memory, &why);
	if (st == HP_OK) {
		st = run_pass(k, src, collect_ids, err);
		if (st != HP_OK)
			return st;
		st = hp_dump_tables_settle(&k->tables, count_kinds(k), &why);
	}
	if (st == HP_OK) {
		k->repeated_most = memory_left(k, memory);
		st = run_pass(k, src, store_kinds, &why);
		k->limited &= st == HP_LIMIT;
	} else {
		k->limited = st == HP_LIMIT;
	}
	if (k->limited) {
		hp_dump_tables_release(&k->tables);
		return HP_OK;
	}
	if (st != HP_OK)
		return hp_fail(err, st, "%s", why.text);
	return k->repeats ? run_pass(k, src, find_first_dumps, err) : HP_OK;
}

void
hp_object_classes_release(struct hp_object_classes *k)
{
	hp_dump_tables_release(&k->tables);
	for (size_t i = 0; k->repeated && i < k->naming->prepass->ndumps; i++)
		hp_id_map_release(&k->repeated[i]);
	hp_free(k->repeated);
	if (k->naming)
		pthread_mutex_destroy(&k->lock);
	hp_free(k->looks);
	hp_free(k->names);
	*k = (struct hp_object_classes){0};
}

/* ---- look up objects ---- */

struct hp_name
hp_object_classes_name(struct hp_object_classes_lookup *l, uint64_t id)
{
	uint64_t kind;

	/*
	 * The id 0 is null, even if a damaged dump has an object with this id.
	 */
	if (!l->at.table || id == 0)
		return (struct hp_name){0};
	kind = hp_id_table_get(l->at.table, &l->at.near, id);
	return kind ? l->kinds->names[kind - 1] : (struct hp_name){0};
}

bool
hp_object_classes_has(struct hp_object_classes_lookup *l, uint64_t id)
{
	return l->at.table && hp_id_table_has(l->at.table, &l->at.near, id);
}

struct hp_name
hp_object_classes_array(const struct hp_object_classes *k, unsigned type)
{
	return k->names[type];
}

void
hp_object_classes_prefetch(struct hp_object_classes_lookup *l, uint64_t id)
{
	if (l->at.table)
		hp_id_table_prefetch(l->at.table, &l->at.near, id);
}

bool
hp_object_classes_is_class(const struct hp_object_classes_lookup *l,
			   uint64_t id)
{
	const struct hp_prepass *prepass = l->kinds->naming->prepass;

	return l->at.table &&
	       hp_classes_get(&prepass->dumps[l->at.place]->classes, id);
}
