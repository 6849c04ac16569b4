/*
 * encode_ids.c - encode the ids and trace serials of the objects of a block
 *
 * The id of an object is its address, and JVMs dump objects in the order of
 * addresses. So an id nearly always equals the previous id plus the size of the
 * previous object. The size of an object depends on its class, or on the length
 * of the array. The encoder learns the sizes from the ids in the block. Only
 * ids that differ from this prediction are stored.
 */
#include "common/pack/block/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/pack/block/coding.h"

enum {
	/*
	 * The encoder examines at most this number of arrays of one symbol
	 * (kind of items) to learn the size of the array header.
	 */
	VOTERS = 512,
	/*
	 * number of combinations of array header size and reference size that
	 * are tested
	 */
	WAYS = 8,
	/*
	 * the size in bytes of the header of an array, if the ids in the block
	 * do not show another size
	 */
	HEADER = 16,
};

/*
 * Counters for learning the size of the objects of one symbol (kind of items)
 * from the distances between neighbouring objects in memory.
 */
struct vote {
	/*
	 * for instances: the most frequent distance to the next object so far
	 * (Boyer-Moore majority vote)
	 */
	uint64_t gap;
	/*
	 * For instances, `count` is the counter of the majority vote that finds
	 * `gap`. For arrays, `asked` is the number of arrays whose size and id
	 * were examined.
	 */
	uint32_t count, asked;
	/*
	 * For arrays: for each combination of header size and reference size,
	 * how often it predicted the right id.
	 */
	uint32_t ways[WAYS];
};

/*
 * Choose combination @i of header size and reference size: set the members of
 * the symbol (kind of items) that predict ids.
 */
static void
set_prediction(struct hp_pack_symbol *s, unsigned i, unsigned id_size)
{
	s->gap = 12 + 4 * (i & 3);
	if (hp_type_is_reference(s->type))
		s->gap_width = i < 4 ? 4 : 8;
	else
		s->gap_width = (uint8_t)hp_type_size(s->type, id_size);
}

static void
count_vote(struct vote *v, struct hp_pack_symbol *s, uint64_t gap, uint32_t n,
	   unsigned id_size)
{
	if (s->kind == HP_PACK_INSTANCE) {
		if (v->count == 0)
			v->gap = gap;
		v->count += v->gap == gap ? 1 : -1U;
		return;
	}
	if (v->asked == VOTERS)
		return;
	v->asked++;
	for (unsigned i = 0; i < WAYS; i++) {
		set_prediction(s, i, id_size);
		v->ways[i] += hp_pack_extent(s, n) == gap;
	}
}

static void
decide_prediction(const struct vote *v, struct hp_pack_symbol *s,
		  unsigned id_size)
{
	/*
	 * if no array was examined, assume a header of 16 bytes and references
	 * of 4 bytes
	 */
	unsigned best = 1;

	if (s->kind == HP_PACK_INSTANCE) {
		s->gap = v->gap <= UINT32_MAX ? (uint32_t)v->gap : 0;
		return;
	}
	for (unsigned i = 0; i < WAYS; i++)
		if (v->ways[i] > v->ways[best])
			best = i;
	set_prediction(s, best, id_size);
}

static inline uint32_t
element_count(const struct hp_pack_symbol *s, const uint8_t *at,
	      unsigned id_size)
{
	return s->kind == HP_PACK_INSTANCE ? 0 : hp_load4(at + 5 + id_size);
}

static bool
learn_gaps(struct hp_pack_encoder *e)
{
	struct hp_pack_table *t = &e->table;
	unsigned id_size = t->id_size;
	struct vote *votes = hp_calloc(t->nsymbols + 1, sizeof(*votes));
	struct hp_pack_symbol *last = NULL;
	uint64_t last_id = 0;
	uint32_t last_n = 0;

	if (!votes)
		return false;
	for (uint32_t i = 0; i < t->items; i++) {
		struct hp_pack_symbol *s = &t->symbols[e->ops[i]];
		const uint8_t *at = e->data + e->at[i];
		uint64_t id;

		if (!hp_pack_is_object(s->kind))
			continue;
		id = hp_load_id(at + 1, id_size);
		if (last)
			count_vote(&votes[last - t->symbols], last,
				   id - last_id, last_n, id_size);
		last = s;
		last_id = id;
		last_n = element_count(s, at, id_size);
	}
	for (uint32_t i = 0; i < t->nsymbols; i++)
		if (hp_pack_is_object(t->symbols[i].kind))
			decide_prediction(&votes[i], &t->symbols[i], id_size);
	hp_free(votes);
	return true;
}

static bool
push_number(uint64_t **list, size_t *room, uint32_t count, uint64_t v)
{
	if (!HP_LIST_RESERVE(*list, count, *room))
		return false;
	(*list)[count] = v;
	return true;
}

static bool
collect_exceptions(struct hp_pack_encoder *e)
{
	struct hp_pack_table *t = &e->table;
	unsigned id_size = t->id_size;
	uint64_t expected = 0, run = 0, trace_run = 0;
	uint32_t last_trace = 0;
	bool ok = true;

	for (uint32_t i = 0; i < t->items && ok; i++) {
		const struct hp_pack_symbol *s = &t->symbols[e->ops[i]];
		const uint8_t *at = e->data + e->at[i];
		uint32_t n, trace;
		uint64_t id;

		if (hp_pack_is_heap_head(s))
			hp_pack_fact_head(&t->facts, e->at[i]);
		if (!hp_pack_is_object(s->kind))
			continue;
		id = hp_load_id(at + 1, id_size);
		trace = hp_load4(at + 1 + id_size);
		n = element_count(s, at, id_size);
		hp_pack_fact(&t->facts, s->kind, id, n);
		if (HP_UNLIKELY(id != expected)) {
			hp_put_varint(&e->id_runs, run);
			ok = push_number(&e->odd_ids, &e->odd_ids_room,
					 t->id_count++,
					 hp_zigzag(id - expected));
			run = 0;
		} else {
			run++;
		}
		if (HP_UNLIKELY(trace != last_trace)) {
			hp_put_varint(&e->trace_runs, trace_run);
			ok = ok &&
			     push_number(&e->odd_traces, &e->odd_traces_room,
					 t->trace_count++, trace);
			last_trace = trace;
			trace_run = 0;
		} else {
			trace_run++;
		}
		expected = id + hp_pack_extent(s, n);
		if (id_size == 4)
			expected = (uint32_t)expected;
	}
	return ok && hp_buf_ok(&e->id_runs) && hp_buf_ok(&e->trace_runs);
}

/*
 * Write @n numbers, as planes (one byte of each number), to the streams of the
 * group @group (similar columns). *@nplanes receives the number of planes.
 */
static bool
write_planes(struct hp_pack_encoder *e, unsigned group, const uint64_t *list,
	     size_t n, unsigned width, uint8_t *nplanes)
{
	uint8_t *planes = hp_pack_planes(e, n * width);
	uint64_t bits = 0;
	bool ok = planes;

	*nplanes = 0;
	if (!ok || n == 0)
		return ok;
	memset(planes, 0, n * width);
	for (size_t i = 0; i < n; i++)
		bits |= list[i];
	hp_byte_shuffle(planes, n, list, n, bits);
	for (; bits && ok; bits >>= 8, (*nplanes)++)
		ok = hp_pack_segment_add(e, 8 * group + *nplanes,
					 planes + *nplanes * n, n);
	return ok;
}

bool
hp_pack_encode_ids(struct hp_pack_encoder *e)
{
	struct hp_pack_table *t = &e->table;

	return learn_gaps(e) && collect_exceptions(e) &&
	       write_planes(e, HP_PACK_G_ID, e->odd_ids, t->id_count, 8,
			    &t->id_planes) &&
	       write_planes(e, HP_PACK_G_TRACE, e->odd_traces, t->trace_count,
			    4, &t->trace_planes) &&
	       hp_pack_segment_add(e, HP_PACK_S_ID_RUN,
				   (const uint8_t *)e->id_runs.data,
				   e->id_runs.len) &&
	       hp_pack_segment_add(e, HP_PACK_S_TRACE_RUN,
				   (const uint8_t *)e->trace_runs.data,
				   e->trace_runs.len);
}
