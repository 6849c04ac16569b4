/*
 * name_cache.c - a cache of the escaped names of classes and fields
 */
#include "convert/prepass/dump_tables.h"

#include "common/base/memory.h"
#include "common/model/class_name.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * Store the text of @b as a name. Equal texts share one copy. Returns the
 * address of the struct hp_name as a number, or 0 if out of memory.
 */
static uint64_t
store_name(struct hp_name_cache *n, const struct hp_buf *b)
{
	const char *text = b->len ? b->data : "";
	struct hp_name *name;
	uint64_t *place;

	if (!hp_buf_ok(b))
		return 0;
	place = hp_id_map_put(&n->by_hash, XXH3_64bits(text, b->len), NULL);
	if (!place)
		return 0;
	name = (struct hp_name *)(uintptr_t)*place;
	if (name && name->length == b->len &&
	    memcmp(name->data, text, b->len) == 0)
		return *place;
	name = hp_arena_alloc(&n->arena, sizeof(*name));
	if (!name)
		return 0;
	name->length = b->len;
	name->data = hp_arena_copy(&n->arena, text, b->len);
	if (!name->data)
		return 0;
	*place = (uint64_t)(uintptr_t)name;
	return *place;
}

/*
 * Add the name of the loaded class @l. Classes whose names are the same STRING
 * record share one struct hp_name. Returns false if out of memory.
 */
static bool
name_class(struct hp_name_cache *n, const struct hp_load *l,
	   struct hp_buf *java, struct hp_buf *escaped)
{
	const struct hp_string *raw =
		hp_tables_string(&n->prepass->tables, l->name_id);
	char room[HP_NAME_ROOM];
	struct hp_string named;
	uint64_t *text;

	if (!raw)
		return true;
	text = hp_id_map_put(&n->texts, l->name_id, NULL);
	if (!text)
		return false;
	if (!*text) {
		named = hp_string_short(raw, room);
		hp_buf_clear(java);
		hp_buf_clear(escaped);
		hp_class_name(java, named.data, named.length);
		n->escape(escaped, java->len ? java->data : "", java->len);
		hp_buf_inherit(escaped, java);
		*text = store_name(n, escaped);
	}
	return *text && hp_id_map_set(&n->classes, l->class_id, *text);
}

enum hp_status
hp_name_cache_init(struct hp_name_cache *n, const struct hp_prepass *prepass,
		   hp_escape_fn *escape, struct hp_error *err)
{
	const struct hp_vec *loads = &prepass->tables.load_list;
	struct hp_buf java = {0}, escaped = {0};
	bool ok = true;

	*n = (struct hp_name_cache){.prepass = prepass, .escape = escape};
	pthread_mutex_init(&n->lock, NULL);
	for (size_t i = 0; i < loads->count && ok; i++)
		ok = name_class(n, (const struct hp_load *)loads->items + i,
				&java, &escaped);
	hp_buf_release(&java);
	hp_buf_release(&escaped);
	return ok ? HP_OK : hp_no_memory(err);
}

void
hp_name_cache_release(struct hp_name_cache *n)
{
	if (!n->prepass)
		return;
	hp_arena_release(&n->arena);
	hp_id_map_release(&n->classes);
	hp_id_map_release(&n->texts);
	hp_id_map_release(&n->fields);
	hp_id_map_release(&n->plans);
	hp_id_map_release(&n->owners);
	hp_id_map_release(&n->by_hash);
	pthread_mutex_destroy(&n->lock);
	*n = (struct hp_name_cache){0};
}

struct hp_name
hp_name_cache_class(const struct hp_name_cache *n, uint64_t id)
{
	const struct hp_name *name = hp_id_map_pointer(&n->classes, id);

	return name ? *name : (struct hp_name){0};
}

bool
hp_name_cache_string(const struct hp_name_cache *n, uint64_t string,
		     struct hp_buf *out)
{
	const struct hp_string *s =
		hp_tables_string(&n->prepass->tables, string);
	char room[HP_NAME_ROOM];
	struct hp_string named;

	if (s) {
		named = hp_string_short(s, room);
		n->escape(out, named.data, named.length);
	}
	return s;
}

const struct hp_name *
hp_name_cache_field(struct hp_name_cache *n, uint64_t string)
{
	uint64_t *place = hp_id_map_put(&n->fields, string, NULL);
	struct hp_buf b = {0};

	if (place && !*place) {
		if (!hp_name_cache_string(n, string, &b))
			hp_buf_printf(&b, "0x%llx", (unsigned long long)string);
		*place = store_name(n, &b);
		hp_buf_release(&b);
	}
	return place ? (struct hp_name *)(uintptr_t)*place : NULL;
}

/*
 * Store the name of the class @c in @out. If the class has no name, use its id
 * as "0x...". Returns false if out of memory.
 */
static bool
owner_of(struct hp_name_cache *n, const struct hp_class *c, struct hp_name *out)
{
	struct hp_buf b = {0};
	uint64_t *name;

	*out = hp_name_cache_class(n, c->id);
	if (out->data)
		return true;
	name = hp_id_map_put(&n->owners, c->id, NULL);
	if (name && !*name) {
		hp_buf_printf(&b, "0x%llx", (unsigned long long)c->id);
		*name = store_name(n, &b);
		hp_buf_release(&b);
	}
	if (name && *name)
		*out = *(struct hp_name *)(uintptr_t)*name;
	return name && *name;
}

/*
 * Count one more field with this name: @key or, if owner.data is not NULL,
 * @owner.@key. Equal names share their bytes, so an address identifies a name.
 * Returns how many fields have this name now, or 0 if out of memory.
 */
static uint64_t
count_name(struct hp_id_map *seen, struct hp_name owner, struct hp_name key)
{
	const char *both[] = {owner.data, key.data};
	uint64_t *count =
		hp_id_map_put(seen, XXH3_64bits(both, sizeof(both)), NULL);

	return count ? ++*count : 0;
}

static bool
add_fields(struct hp_name_cache *n, const struct hp_class *c,
	   struct hp_field_plan *p, struct hp_id_map *seen, unsigned id_size)
{
	const struct hp_name none = {0};
	struct hp_name owner = {0};

	for (uint32_t i = 0; i < c->nfields; i++) {
		struct hp_planned_field *f = &p->fields[p->count];
		const struct hp_name *key =
			hp_name_cache_field(n, c->fields[i].name);
		uint64_t count = key ? count_name(seen, none, *key) : 0;

		if (count > 1 && !owner.data && !owner_of(n, c, &owner))
			return false;
		if (count == 0)
			return false;
		*f = (struct hp_planned_field){
			.key = *key,
			.type = c->fields[i].type,
			.width = (uint8_t)hp_type_size(c->fields[i].type,
						       id_size)};
		p->count++;
		if (count == 1)
			continue;
		f->owner = owner;
		count = count_name(seen, owner, *key);
		if (count == 0)
			return false;
		f->number = count > 1 ? (uint32_t)count : 0;
	}
	return true;
}

/*
 * Append the fields of the class @k and of all its superclasses to the list @p,
 * which has room for them. Returns false if out of memory.
 */
static bool
fill_plan(struct hp_name_cache *n, const struct hp_prepass_dump *d,
	  const struct hp_class *k, unsigned id_size, struct hp_field_plan *p)
{
	struct hp_id_map seen = {0};
	bool ok = true;

	p->count = 0;
	for (const struct hp_class *c = k; c && ok; c = hp_prepass_above(d, c))
		ok = add_fields(n, c, p, &seen, id_size);
	hp_id_map_release(&seen);
	return ok;
}

void
hp_planned_field_name(const struct hp_planned_field *f, struct hp_buf *out)
{
	if (f->owner.data) {
		hp_buf_add(out, f->owner.data, f->owner.length);
		hp_buf_byte(out, '.');
	}
	hp_buf_add(out, f->key.data, f->key.length);
	if (f->number > 0) {
		hp_buf_byte(out, '#');
		hp_buf_u64(out, f->number);
	}
}

/*
 * Allocate @bytes bytes for the plan of a class (the list of its fields). If
 * the limit for cached plans allows it, the plan belongs to the cache and
 * *@kept becomes true. Otherwise it belongs to *@own. Returns NULL if out of
 * memory or beyond the limit.
 */
static struct hp_field_plan *
plan_room(struct hp_name_cache *n, uint64_t bytes, struct hp_field_plan **own,
	  bool *kept)
{
	*kept = bytes <= n->plan_most && n->plan_bytes <= n->plan_most - bytes;
	if (*kept) {
		n->plan_bytes += bytes;
		return hp_arena_alloc(&n->arena, (size_t)bytes);
	}
	hp_free(*own);
	*own = bytes <= n->own_most ? hp_malloc((size_t)bytes) : NULL;
	return *own;
}

static struct hp_field_plan *
make_field_plan(struct hp_name_cache *n, const struct hp_prepass_dump *d,
		const struct hp_class *k, unsigned id_size,
		struct hp_field_plan **own, bool *kept)
{
	struct hp_field_plan *p;
	uint64_t count = 0;

	for (const struct hp_class *c = k; c; c = hp_prepass_above(d, c))
		count += c->nfields;
	p = plan_room(n, sizeof(*p) + count * sizeof(p->fields[0]), own, kept);
	return p && fill_plan(n, d, k, id_size, p) ? p : NULL;
}

/*
 * Returns the plan of the class @k (the list of the fields of its instances),
 * from the cache or created now. NULL if it does not fit in memory.
 */
static const struct hp_field_plan *
find_plan(struct hp_name_cache *n, const struct hp_prepass_dump *d,
	  const struct hp_class *k, unsigned id_size,
	  struct hp_field_plan **own)
{
	uint64_t id = (uint64_t)(uintptr_t)k;
	struct hp_field_plan *p;
	bool kept = false;

	pthread_mutex_lock(&n->lock);
	p = hp_id_map_pointer(&n->plans, id);
	if (!p)
		p = make_field_plan(n, d, k, id_size, own, &kept);
	if (p && kept && !hp_id_map_set(&n->plans, id, (uintptr_t)p))
		p = NULL;
	pthread_mutex_unlock(&n->lock);
	return p;
}

const struct hp_field_plan *
hp_field_plans_find(struct hp_field_plans *p, struct hp_name_cache *n,
		    unsigned id_size, const struct hp_class *k,
		    const struct hp_sub *s, struct hp_error *err)
{
	if (k != p->class)
		p->plan = find_plan(n, p->classes.dump, k, id_size, &p->own);
	p->class = k;
	if (!p->plan)
		hp_fail(err, HP_LIMIT,
			"the fields of the instance at offset %llu do not fit "
			"in --memory; allow more",
			(unsigned long long)s->offset);
	return p->plan;
}
