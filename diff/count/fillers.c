/*
 * fillers.c - find filler objects, with which the garbage collector fills gaps
 * in the heap
 *
 * Before JDK 19, a filler is an int[] to which nothing refers. Two passes over
 * the dump find such arrays. The first pass collects the ids of all int[]; the
 * second removes the ids of the arrays to which something refers.
 *
 * An unreferenced int[] may also be garbage of the program. So it counts as a
 * filler only if it ends where the next object starts, or at the end of a page
 * of memory, because regions of the heap end at such addresses.
 *
 * If --memory is too small for all ids, the ids are divided into several parts,
 * and there are two passes for each part.
 */
#include "diff/count/passes.h"
#include "common/base/memory.h"

#include <string.h>

enum {
	/*
	 * Number of bytes of memory for the id of one int[]. The id has an
	 * entry of 16 bytes in the hash table of a thread, and another one in
	 * the table of all threads. Up to two thirds of a table may be free
	 * (factor 3), and while a table grows it needs half as much memory
	 * again.
	 */
	HP_FILLER_ID = 2 * 16 * 3 * 3 / 2,
	/*
	 * Number of bytes of memory for one entry in the table with the end
	 * address of each int[]. It is computed in the same way as
	 * HP_FILLER_ID.
	 */
	HP_FILLER_END = 16 * 3 * 3 / 2,
	/*
	 * maximum number of parts into which the ids are divided, because each
	 * part takes two more passes
	 */
	HP_FILLER_PARTS = 64,
	HP_FILLER_PAGE = 4096,
};

struct filler_worker {
	/*
	 * the int[] that this thread has found: maps the id of an array to its
	 * length
	 */
	struct hp_id_map ids;
	struct hp_class_cache cache;
};

struct filler_pass {
	struct hp_histogram *g;
	struct filler_worker *workers;
	/*
	 * the int[] of all threads: maps the id of an array to its length, or
	 * to HP_FILLER_SEEN if something refers to the array
	 */
	struct hp_id_map ids;
	/*
	 * The size model (rules for sizes of objects) of a dump from a JDK
	 * before 19. NULL: the dump is from a later JDK, in which fillers have
	 * a class of their own.
	 */
	const struct hp_size_model *old;
	/*
	 * only before JDK 19: maps an address where an int[] ends to 1 if an
	 * object starts there, otherwise to 0
	 */
	struct hp_id_map ends;
	/*
	 * A pass processes only one part of the ids. The hash of an id
	 * determines its part. part: the number of the current part; parts: the
	 * number of all parts.
	 */
	unsigned part, parts;
};

/*
 * A value in the table of the ids of int[], instead of the length of the array:
 * something refers to the array, so it is not a filler.
 */
#define HP_FILLER_SEEN UINT64_MAX

static bool
has_filler_class(const struct hp_histogram *g)
{
	static const char *const names[] = {"jdk/internal/vm/FillerObject",
					    "Ljdk/internal/vm/FillerArray;",
					    "[Ljdk/internal/vm/FillerElement;"};

	for (size_t i = 0; g->have_classes && i < g->classes.count; i++) {
		const struct hp_string *s = hp_tables_class_name(
			&g->tables, g->classes.list[i]->id);

		for (size_t k = 0; s && k < HP_ARRAY_LEN(names); k++)
			if (s->length == strlen(names[k]) &&
			    memcmp(s->data, names[k], s->length) == 0)
				return true;
	}
	return false;
}

/*
 * Whether the dump is of a HotSpot JVM before JDK 19, whose fillers are
 * ordinary int[].
 */
static bool
has_nameless_fillers(const struct hp_histogram *g)
{
	return g->have_classes && g->dialect == HP_DIALECT_HOTSPOT &&
	       !has_filler_class(g);
}

static inline bool
is_in_part(const struct filler_pass *p, uint64_t id)
{
	return p->parts == 1 ||
	       (id * UINT64_C(0x9E3779B97F4A7C15) >> 40) % p->parts == p->part;
}

/*
 * Pass 1: collect the ids of int[]. If a damaged dump has several arrays with
 * the same id, the length of the shortest one is used.
 */
static bool
collect_ids(void *ctx, unsigned worker, const struct hp_sub *s,
	    const struct hp_piece *piece)
{
	struct filler_pass *p = ctx;

	if (s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP || s->type != HP_TYPE_INT ||
	    (piece && !piece->head) || !is_in_part(p, s->id))
		return true;
	return hp_id_map_set_least(&p->workers[worker].ids, s->id, s->count);
}

/*
 * Record that something refers to an array. All threads store the same value,
 * and nothing else changes the hash table p->ids in this pass, so the store
 * needs no memory ordering.
 */
static void
mark_referenced(const struct filler_pass *p, uint64_t id)
{
	uint64_t *slot;

	if (!id || !is_in_part(p, id))
		return;
	slot = (uint64_t *)hp_id_map_get(&p->ids, id);
	if (slot)
		__atomic_store_n(slot, HP_FILLER_SEEN, __ATOMIC_RELAXED);
}

static void
mark_elements(const struct filler_pass *p, const uint8_t *data, uint64_t n)
{
	unsigned id_size = p->g->header.id_size;

	for (uint64_t i = 0; i < n; i++) {
		hp_ids_prefetch(data, i, id_size);
		mark_referenced(p, hp_load_id(data + i * id_size, id_size));
	}
}

static void
mark_fields(const struct filler_pass *p, struct filler_worker *w,
	    const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_classes_layout(&p->g->classes, &w->cache, s->class_id);
	unsigned id_size = p->g->header.id_size;

	for (uint32_t i = 0; c && i < c->nrefs; i++)
		if (s->count >= id_size && c->ref_at[i] <= s->count - id_size)
			mark_referenced(
				p, hp_load_id(s->data + c->ref_at[i], id_size));
}

/*
 * If an int[] may end at the address where the object @s starts, record that an
 * object starts there.
 */
static void
mark_end(const struct filler_pass *p, const struct hp_sub *s,
	 const struct hp_piece *piece)
{
	uint64_t *slot;

	if (hp_subrecord_is_root(s->tag) || (piece && !piece->head))
		return;
	slot = (uint64_t *)hp_id_map_get(&p->ends, s->id);
	if (slot)
		__atomic_store_n(slot, 1, __ATOMIC_RELAXED);
}

/*
 * Pass 2: record all objects to which fields, array elements and roots refer.
 */
static bool
mark_references(void *ctx, unsigned worker, const struct hp_sub *s,
		const struct hp_piece *piece)
{
	const struct filler_pass *p = ctx;

	if (p->old)
		mark_end(p, s, piece);
	if (s->tag == HP_SUB_OBJECT_ARRAY_DUMP)
		mark_elements(p, s->data, piece ? piece->elements : s->count);
	else if (hp_subrecord_is_root(s->tag))
		mark_referenced(p, s->id);
	else if (s->tag == HP_SUB_INSTANCE_DUMP && !piece)
		mark_fields(p, &p->workers[worker], s);
	return true;
}

static void
mark_statics(const struct filler_pass *p)
{
	for (size_t i = 0; i < p->g->classes.count; i++) {
		const struct hp_class *c = p->g->classes.list[i];

		for (uint32_t k = 0; k < c->nstatics; k++)
			if (hp_type_is_reference(c->statics[k].type))
				mark_referenced(p, c->statics[k].value);
	}
}

static enum hp_status
merge_workers(struct filler_pass *p, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (unsigned i = 0; i < p->g->options->threads && st == HP_OK; i++) {
		struct filler_worker *w = &p->workers[i];
		uint64_t id, length;
		size_t at = 0;

		while (st == HP_OK &&
		       hp_id_map_next(&w->ids, &at, &id, &length))
			if (!hp_id_map_set_least(&p->ids, id, length))
				st = hp_no_memory(err);
		hp_id_map_release(&w->ids);
	}
	return st;
}

static uint64_t
array_end(const struct filler_pass *p, uint64_t id, uint64_t length)
{
	return id + hp_array_bytes(p->old, length, 4);
}

static enum hp_status
note_ends(struct filler_pass *p, struct hp_error *err)
{
	uint64_t id, length;
	size_t at = 0;

	while (p->old && hp_id_map_next(&p->ids, &at, &id, &length))
		if (!hp_id_map_put(&p->ends, array_end(p, id, length), NULL))
			return hp_no_memory(err);
	return HP_OK;
}

/*
 * Whether the array @id, to which nothing refers, is a filler: it ends where an
 * object or a page begins.
 */
static bool
is_filler(const struct filler_pass *p, uint64_t id, uint64_t length)
{
	uint64_t end;
	const uint64_t *begun;

	if (!p->old)
		return true;
	end = array_end(p, id, length);
	begun = hp_id_map_get(&p->ends, end);
	return (begun && *begun) || end % HP_FILLER_PAGE == 0;
}

/* Find the fillers among one part of the ids, in two passes over the dump. */
static enum hp_status
run_part(struct filler_pass *p, struct hp_source *src, struct hp_error *err)
{
	struct hp_extra_pass again = {
		.need = HP_NEED_HEADS, .ctx = p, .sub = collect_ids};
	enum hp_status st = hp_extra_pass_run(p->g, src, &again, err);
	uint64_t id, length;
	size_t at = 0;

	if (st == HP_OK)
		st = merge_workers(p, err);
	if (st == HP_OK)
		st = note_ends(p, err);
	if (st == HP_OK && p->ids.count) {
		again = (struct hp_extra_pass){.need = HP_NEED_REFERENCES,
					       .ctx = p,
					       .sub = mark_references};
		st = hp_extra_pass_run(p->g, src, &again, err);
		mark_statics(p);
	}
	while (st == HP_OK && hp_id_map_next(&p->ids, &at, &id, &length))
		if (length != HP_FILLER_SEEN && is_filler(p, id, length))
			hp_array_totals_add(&p->g->fillers, (uint32_t)length);
	for (unsigned i = 0; i < p->g->options->threads; i++)
		hp_id_map_release(&p->workers[i].ids);
	hp_id_map_release(&p->ids);
	hp_id_map_release(&p->ends);
	return st;
}

/*
 * Choose into how many parts the ids are divided, from the number of int[] in
 * the dump and the memory that is left.
 */
static enum hp_status
plan_parts(struct filler_pass *p, struct hp_error *err)
{
	const struct hp_tallies *t = &p->g->tallies;
	uint64_t left = hp_memory_left();
	uint64_t ids = 0;
	uint64_t most = left / (HP_FILLER_ID + (p->old ? HP_FILLER_END : 0));

	for (size_t i = 0; i < t->count; i++)
		if (t->list[i]->key.kind == HP_TALLY_PRIMITIVE_ARRAYS &&
		    t->list[i]->key.id == HP_TYPE_INT)
			ids += t->list[i]->count;
	p->parts = 1;
	if (ids <= most)
		return HP_OK;
	if (ids / HP_FILLER_PARTS >= most)
		return hp_fail(err, HP_LIMIT,
			       "--fillers=hide does not fit in --memory; "
			       "allow more");
	p->parts = (unsigned)(ids / most + 1);
	return HP_OK;
}

static void
clear_fillers(struct hp_histogram *g)
{
	memset(g->filler_residues, 0, sizeof(g->filler_residues));
	g->fillers = (struct hp_array_totals){.residues = hp_array_residues(4),
					      .by_residue = g->filler_residues};
}

/*
 * Find the fillers, one part of the ids after the other. The size of a part
 * depends on the random seed of the hash. If a part needs more memory than
 * expected, start again with twice as many parts.
 */
static enum hp_status
run_parts(struct filler_pass *p, struct hp_source *src, struct hp_error *err)
{
	enum hp_status st = plan_parts(p, err);

	while (st == HP_OK) {
		clear_fillers(p->g);
		for (p->part = 0; p->part < p->parts && st == HP_OK; p->part++)
			st = run_part(p, src, err);
		if (st != HP_LIMIT || p->parts > HP_FILLER_PARTS / 2)
			break;
		hp_memory_forget_refusal();
		p->parts *= 2;
		st = HP_OK;
	}
	return st;
}

/*
 * Find the filler objects. @old: the size model, from which the program
 * computes where an array ends; NULL if fillers have a class of their own.
 */
static enum hp_status
find_fillers(struct hp_histogram *g, struct hp_source *src,
	     const struct hp_size_model *old, struct hp_error *err)
{
	unsigned n = g->options->threads;
	struct filler_pass p = {
		.g = g,
		.old = old,
		.workers = hp_calloc(n, sizeof(struct filler_worker))};
	enum hp_status st;

	if (!p.workers)
		return hp_no_memory(err);
	st = run_parts(&p, src, err);
	hp_free(p.workers);
	return st;
}

enum hp_status
hp_fillers_find(struct hp_histogram *g, struct hp_source *src,
		struct hp_error *err)
{
	/*
	 * use the detected size model, even if --layout asks for another one:
	 * the sizes must agree with the addresses in the dump
	 */
	const struct hp_size_model old =
		hp_size_model_detect(&g->hints, g->header.id_size, false);

	if (has_filler_class(g))
		return find_fillers(g, src, NULL, err);
	return has_nameless_fillers(g) ? find_fillers(g, src, &old, err)
				       : HP_OK;
}
