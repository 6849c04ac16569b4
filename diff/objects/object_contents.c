/*
 * object_contents.c - read the fields of instances and the elements of arrays
 * in a pass over the dump, and the references of class objects from the table
 * of classes
 */
#include "diff/objects/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/graph/spans.h"
#include "diff/count/passes.h"

#include <pthread.h>
#include <string.h>

struct reading {
	const struct hp_object_reader *r;
	struct hp_object_facts *list;
	/* maps an object id to 1 + the index of the object in `list` */
	struct hp_id_map by_id;
	/*
	 * the numbers of the objects in the graph, sorted; parts of the dump
	 * that contain none of these objects are skipped
	 */
	uint64_t *nodes;
	size_t n;
	/* one lock is enough for all objects, because few objects are read */
	pthread_mutex_t lock;
};

static struct hp_object_field *
add_field(const struct reading *x, struct hp_object_facts *f, uint8_t type,
	  uint64_t value)
{
	struct hp_object_field *field;

	if (f->nfields == x->r->most) {
		f->more_fields++;
		return NULL;
	}
	field = &f->fields[f->nfields++];
	*field = (struct hp_object_field){.type = type, .value = value};
	return field;
}

static bool
name_field(const struct reading *x, struct hp_object_field *field,
	   const struct hp_class *c, uint64_t name)
{
	struct hp_keys *keys = x->r->keys;
	const struct hp_name *of = hp_key_class(keys, c->id);
	struct hp_buf b = {0};

	hp_key_add_text(&b, hp_tables_string(&keys->g->tables, name));
	field->name = hp_object_keep(x->r, &b);
	field->declared_in =
		of ? hp_arena_copy(x->r->arena, of->text, of->len) : NULL;
	hp_buf_release(&b);
	return field->name && field->declared_in;
}

/*
 * Add the fields of an instance to the list of fields: first those that its own
 * class declares, then those of each superclass.
 */
static bool
read_instance(struct reading *x, struct hp_object_facts *f,
	      const struct hp_sub *s)
{
	const struct hp_histogram *g = x->r->keys->g;
	const struct hp_class *c = hp_classes_get(&g->classes, s->class_id);
	unsigned id_size = g->header.id_size;
	const uint8_t *at = s->data, *end = s->data + s->count;

	f->fields_unknown = !hp_instance_decodable(c, s);
	for (; !f->fields_unknown && c && at < end; c = c->super)
		for (uint32_t i = 0; i < c->nfields; i++) {
			uint8_t type = c->fields[i].type;
			unsigned size = hp_type_size(type, id_size);
			struct hp_object_field *field =
				add_field(x, f, type, hp_load_uint(at, size));

			at += size;
			if (field &&
			    !name_field(x, field, c, c->fields[i].name))
				return false;
		}
	return true;
}

static void
read_elements(struct reading *x, struct hp_object_facts *f,
	      const struct hp_sub *s, uint64_t elements)
{
	bool references = s->tag == HP_SUB_OBJECT_ARRAY_DUMP;
	uint8_t type = references ? HP_TYPE_OBJECT : s->type;
	unsigned id_size = x->r->keys->g->header.id_size;
	unsigned size = hp_type_size(type, id_size);

	f->length = s->count;
	if (elements > s->count)
		elements = s->count;
	if (elements > x->r->most)
		elements = x->r->most;
	for (uint64_t i = 0; i < elements; i++) {
		struct hp_object_field *e = add_field(
			x, f, type, hp_load_uint(s->data + i * size, size));

		if (e)
			e->index = i;
	}
	f->more_fields = f->length - elements;
}

static bool
is_array(const struct hp_sub *s)
{
	return s->tag == HP_SUB_OBJECT_ARRAY_DUMP ||
	       s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
	       s->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA;
}

static struct hp_object_facts *
wanted(struct reading *x, const struct hp_sub *s)
{
	const uint64_t *index;
	struct hp_rank_near near = {0};
	const struct hp_nodes *nodes = &x->r->t->graph.nodes;

	if (s->tag != HP_SUB_INSTANCE_DUMP && !is_array(s))
		return NULL;
	index = hp_id_map_get(&x->by_id, s->id);
	return index && hp_node_is_first(nodes, hp_node_of(nodes, &near, s->id),
					 s->offset)
		       ? &x->list[*index - 1]
		       : NULL;
}

static bool
read_sub(void *ctx, unsigned worker, const struct hp_sub *s,
	 const struct hp_piece *piece)
{
	struct reading *x = ctx;
	struct hp_object_facts *f = !piece || piece->head ? wanted(x, s) : NULL;
	bool fine = true;

	if (!f)
		return true;
	pthread_mutex_lock(&x->lock);
	if (s->tag == HP_SUB_PRIMITIVE_ARRAY_NODATA)
		read_elements(x, f, s, 0);
	else if (is_array(s))
		read_elements(x, f, s, piece ? piece->elements : s->count);
	else if (piece)
		f->fields_unknown = true;
	else
		fine = read_instance(x, f, s);
	pthread_mutex_unlock(&x->lock);
	return fine;
}

static bool
may_have(void *ctx, const struct hp_batch *b)
{
	const struct reading *x = ctx;

	return hp_graph_spans_may_have(&x->r->t->graph, b, x->nodes, x->n);
}

/* --- class objects -------------------------------------------------------- */

/*
 * Add the static fields of a class, then the other references of the class
 * object (for example to its class loader).
 */
static bool
read_class(struct reading *x, struct hp_object_facts *f)
{
	const struct hp_class *c =
		hp_classes_get(&x->r->keys->g->classes, f->id);
	struct hp_class_edge edge = {0};

	f->fields_unknown = !c;
	for (uint32_t i = 0; c && i < c->nstatics; i++) {
		struct hp_object_field *field = add_field(
			x, f, c->statics[i].type, c->statics[i].value);

		if (!field)
			continue;
		field->is_static = true;
		if (!name_field(x, field, c, c->statics[i].name))
			return false;
	}
	while (c && hp_class_edge_next(c, &edge)) {
		struct hp_object_field *field =
			edge.to == 0 || edge.of == HP_CLASS_EDGE_STATIC
				? NULL
				: add_field(x, f, HP_TYPE_OBJECT, edge.to);

		if (field)
			field->name = hp_object_edge_names[edge.of];
	}
	return true;
}

/* --- all objects ---------------------------------------------------------- */

/* Find the number of each object in the graph, and read the class objects. */
static enum hp_status
prepare(struct reading *x, size_t count, struct hp_error *err)
{
	const struct hp_graph *g = &x->r->t->graph;
	struct hp_rank_near near = {0};
	bool fine = x->nodes;

	for (size_t i = 0; i < count && fine; i++) {
		struct hp_object_facts *f = &x->list[i];

		f->fields = hp_arena_alloc(x->r->arena,
					   x->r->most * sizeof(*f->fields));
		if (!f->fields)
			return hp_no_memory(err);
		if (f->is == HP_NODE_CLASS) {
			fine = read_class(x, f);
			continue;
		}
		x->nodes[x->n++] = hp_node_of(&g->nodes, &near, f->id);
		fine = hp_id_map_set(&x->by_id, f->id, i + 1);
	}
	if (!fine)
		return hp_no_memory(err);
	hp_sort_u64(x->nodes, x->n);
	return HP_OK;
}

enum hp_status
hp_object_contents_read(const struct hp_object_reader *r,
			struct hp_object_facts *list, size_t n,
			struct hp_error *err)
{
	struct reading x = {.r = r, .list = list};
	const struct hp_extra_pass pass = {.need = HP_NEED_CONTENTS,
					   .ctx = &x,
					   .sub = read_sub,
					   .wanted = may_have};
	enum hp_status st;

	pthread_mutex_init(&x.lock, NULL);
	x.nodes = hp_calloc(n + 1, sizeof(*x.nodes));
	st = prepare(&x, n, err);
	if (st == HP_OK && x.n > 0)
		st = hp_extra_pass_run(r->keys->g, r->src, &pass, err);
	hp_free(x.nodes);
	hp_id_map_release(&x.by_id);
	pthread_mutex_destroy(&x.lock);
	return st;
}
