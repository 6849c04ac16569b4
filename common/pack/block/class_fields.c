/*
 * class_fields.c - a table of the classes in a dump, with their super classes
 * and the types of their fields
 *
 * The types are used only to divide the bytes of instances into columns. If the
 * types are wrong, the pack becomes larger, but it is still correct.
 */
#include "common/pack/block/internal.h"

#include "common/format/heap.h"

#include <string.h>

enum {
	DEPTH_MOST = 1000,
	/*
	 * The maximum number of bytes of the hash table of classes
	 * (TABLE_MOST) and of the classes themselves (CLASSES_MOST). This
	 * memory suffices for 180,000 classes. It is a third of the smallest
	 * value that the option --memory allows.
	 */
	TABLE_MOST = 7 << 20,
	CLASSES_MOST = 8 << 20,
};

struct class
{
	/*
	 * id of the nearest super class that may have fields; super classes
	 * without fields are skipped
	 */
	uint64_t super_id;
	/*
	 * number of super classes that were skipped, between the class and
	 * `super_id`
	 */
	uint32_t passed;
	/*
	 * Classes are numbered from 1, in the order of the dump. This is the
	 * largest number among this class and the super classes that `passed`
	 * counts.
	 */
	uint32_t newest;
	uint32_t nfields;
	uint8_t types[];
};

void
hp_pack_layouts_init(struct hp_pack_layouts *l)
{
	memset(l, 0, sizeof(*l));
	pthread_mutex_init(&l->lock, NULL);
}

void
hp_pack_layouts_release(struct hp_pack_layouts *l)
{
	hp_id_map_release(&l->classes);
	hp_arena_release(&l->arena);
	pthread_mutex_destroy(&l->lock);
}

/*
 * Find the list of fields in a class dump. *@n receives the number of fields.
 * Returns NULL if the length of the class dump is wrong. The parser has already
 * checked that the class dump is complete.
 */
static const uint8_t *
fields_of(const uint8_t *at, size_t size, unsigned id_size, uint32_t *n)
{
	size_t pos = hp_subrecord_fixed[hp_widen(id_size)][HP_SUB_CLASS_DUMP];
	unsigned head[2] = {2, id_size};

	for (unsigned table = 0; table < 2; table++) {
		unsigned rows = hp_load2(at + pos);

		pos += 2;
		for (; rows > 0; rows--)
			pos += head[table] + 1 +
			       hp_type_size(at[pos + head[table]], id_size);
	}
	*n = hp_load2(at + pos);
	return pos + 2 + (size_t)*n * (id_size + 1) == size ? at + pos + 2
							    : NULL;
}

/*
 * Whether there is no memory left for a class with @n fields. The limit is
 * constant, so that equal dumps give equal packs.
 */
static bool
is_full(const struct hp_pack_layouts *l, uint32_t n)
{
	return !hp_id_map_fits(&l->classes, TABLE_MOST) ||
	       l->arena.held + sizeof(struct class) + n > CLASSES_MOST;
}

enum hp_status
hp_pack_layouts_add(struct hp_pack_layouts *l, const uint8_t *at, size_t size,
		    unsigned id_size, struct hp_error *err)
{
	uint32_t n;
	const uint8_t *rows = fields_of(at, size, id_size, &n);
	struct class *c;
	uint64_t *slot;
	bool fresh;

	if (!rows || is_full(l, n))
		return HP_OK;
	pthread_mutex_lock(&l->lock);
	slot = hp_id_map_put(&l->classes, hp_load_id(at + 1, id_size), &fresh);
	c = slot && fresh ? hp_arena_alloc(&l->arena, sizeof(*c) + n) : NULL;
	if (c) {
		c->super_id = hp_load_id(at + 5 + id_size, id_size);
		c->passed = 0;
		c->newest = ++l->count;
		c->nfields = n;
		for (uint32_t i = 0; i < n; i++)
			c->types[i] = rows[(size_t)i * (id_size + 1) + id_size];
		*slot = (uintptr_t)c;
	}
	pthread_mutex_unlock(&l->lock);
	return c || (slot && !fresh) ? HP_OK : hp_no_memory(err);
}

/*
 * If the super class of @c has no fields, let c->super_id skip it and refer to
 * the next super class above (path compression). Otherwise the code would
 * follow a long chain of classes without fields again for each subclass.
 */
static void
pass_over(const struct hp_pack_layouts *l, struct class *c)
{
	const struct class *super = hp_id_map_pointer(&l->classes, c->super_id);

	if (!super || super->nfields > 0 || c->passed >= DEPTH_MOST)
		return;
	c->passed += 1 + super->passed;
	if (c->newest < super->newest)
		c->newest = super->newest;
	c->super_id = super->super_id;
}

static size_t
add_fields(const struct hp_pack_layouts *l, uint64_t class_id, uint32_t known,
	   uint8_t *types, size_t room)
{
	unsigned depth = 0;
	size_t n = 0;

	while (class_id && depth < DEPTH_MOST) {
		struct class *c = hp_id_map_pointer(&l->classes, class_id);

		if (!c)
			return 0;
		if (c->super_id)
			pass_over(l, c);
		if (c->newest > known || c->nfields > room - n)
			return 0;
		memcpy(types + n, c->types, c->nfields);
		n += c->nfields;
		depth += 1 + c->passed;
		class_id = c->super_id;
	}
	return class_id || depth > DEPTH_MOST ? 0 : n;
}

size_t
hp_pack_layouts_fields(struct hp_pack_layouts *l, uint64_t class_id,
		       uint32_t known, uint8_t *types, size_t room)
{
	size_t n;

	pthread_mutex_lock(&l->lock);
	n = add_fields(l, class_id, known, types, room);
	pthread_mutex_unlock(&l->lock);
	return n;
}
