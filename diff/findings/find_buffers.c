/*
 * find_buffers.c - add up the memory outside the heap that direct buffers own
 *
 * diff/retained/native_owners.c has read the sizes. A buffer that is only a
 * view of another buffer owns no memory.
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"

#include <string.h>

/* Maximum number of dominators that are tried to find the owner of a buffer. */
enum { CLIMB = 64 };

static bool
is_buffer(const struct hp_unusual_search *s, size_t i)
{
	uint32_t place = s->t->native.places[i];

	return s->classes[hp_unusual_kind_at(s, place)].is & HP_IS_BUFFER;
}

static uint64_t
bytes_of(const struct hp_unusual_search *s, size_t i)
{
	return s->t->native.before[i + 1] - s->t->native.before[i];
}

/*
 * Returns the kind (class and size) of the owner of a buffer: the class whose
 * static field keeps the buffer alive, or the outermost object that dominates
 * the buffer.
 */
static uint32_t
owner_of(const struct hp_unusual_search *s, uint32_t place)
{
	const struct hp_tree *t = &s->t->tree;
	const struct hp_node_kind *kinds = s->t->graph.kinds.list;

	for (unsigned i = 0; i < CLIMB && hp_tree_parent(t, place) != 0; i++) {
		place = hp_tree_parent(t, place);
		if (kinds[hp_unusual_kind_at(s, place)].of == HP_NODE_CLASS)
			break;
	}
	return hp_unusual_kind_at(s, place);
}

static enum hp_status
name_owner(struct hp_unusual_search *s)
{
	const struct hp_node_kind *k;
	const struct hp_name *name;
	uint32_t most = 0;

	memset(s->sums, 0, s->t->graph.kinds.count * sizeof(*s->sums));
	for (size_t i = 0; i < s->t->native.count; i++) {
		uint32_t kind = owner_of(s, s->t->native.places[i]);

		if (!is_buffer(s, i))
			continue;
		s->sums[kind] += bytes_of(s, i);
		if (s->sums[kind] > s->sums[most])
			most = kind;
	}
	k = &s->t->graph.kinds.list[most];
	name = k->of == HP_NODE_CLASS ? hp_key_class(&s->keys, k->class_id)
				      : hp_key_kind(&s->keys, k);
	return name && hp_unusual_say(s, HP_UNUSUAL_DIRECT, name->text)
		       ? HP_OK
		       : hp_no_memory(s->err);
}

enum hp_status
hp_unusual_buffers_find(struct hp_unusual_search *s)
{
	struct hp_unusual_fact *f = &s->facts[HP_UNUSUAL_DIRECT];

	for (size_t i = 0; i < s->t->native.count; i++) {
		if (!is_buffer(s, i))
			continue;
		f->count++;
		f->bytes += bytes_of(s, i);
	}
	hp_unusual_share(s, HP_UNUSUAL_DIRECT, f->bytes, s->c->info->all_bytes);
	return f->applies ? name_owner(s) : HP_OK;
}
