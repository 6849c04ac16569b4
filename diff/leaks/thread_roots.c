/*
 * thread_roots.c - find the names of threads in the object graph
 *
 * A thread object refers to a String with its name, and the String refers to an
 * array of characters. graph_texts.c reads these texts from the dump.
 */
#include "diff/leaks/merged_tree.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "diff/retained/graph_texts.h"

struct search {
	struct hp_thread_roots *t;
	const struct hp_graph *graph;
	const struct hp_histogram *g;
	struct hp_named_class class; /* the class java.lang.Thread */
	struct hp_rank_near near;
	struct hp_graph_texts names;
};

/* --- finding names in the graph ------------------------------------------- */

static bool
note_name(struct search *s, struct hp_thread_name *n)
{
	const struct hp_graph *g = s->graph;
	uint32_t node = hp_node_of(&g->nodes, &s->near, n->object);
	const struct hp_class *c;

	if (node == HP_NO_NODE || !s->class.top)
		return true;
	c = hp_node_kind_class(hp_graph_kind(g, node), &s->g->classes);
	if (!c || !hp_class_is_a(c, s->class.top))
		return true;
	n->string = hp_graph_field_follow(g, node,
					  hp_graph_field_at(c, &s->class.name));
	return n->string == HP_NO_NODE ||
	       hp_graph_texts_want(&s->names, n->string);
}

/* --- texts of the names --------------------------------------------------- */

/*
 * If the heap does not contain the name of a thread, copy the name from the
 * START THREAD record, which the HPROF agent writes. Returns false if out of
 * memory.
 */
static bool
take_started(struct search *s, uint32_t serial, struct hp_thread_name *n)
{
	const struct hp_thread *started =
		hp_tables_thread(&s->g->tables, serial);
	const struct hp_string *name =
		started ? hp_tables_string(&s->g->tables, started->name) : NULL;
	struct hp_buf clean = {0};

	if (n->text || !name || name->length == 0)
		return true;
	hp_key_add_text(&clean, name);
	if (hp_buf_ok(&clean))
		n->text = hp_arena_copy(&s->t->arena, clean.data, clean.len);
	hp_buf_release(&clean);
	return n->text != NULL;
}

static bool
make_texts(struct search *s)
{
	uint64_t serial, value;
	size_t at = 0;
	bool fine = true;

	while (fine && hp_id_map_next(&s->t->threads, &at, &serial, &value)) {
		struct hp_thread_name *n =
			(struct hp_thread_name *)(uintptr_t)value;

		fine = (n->string == HP_NO_NODE ||
			hp_graph_texts_get(&s->names, n->string, &n->text)) &&
		       take_started(s, (uint32_t)serial, n);
	}
	return fine;
}

/* --- running the passes --------------------------------------------------- */

/*
 * Create an entry for each thread in s->t->threads, by the serial number of the
 * thread. Returns false if out of memory.
 */
static bool
list_threads(struct search *s)
{
	const struct hp_nodes *nodes = &s->graph->nodes;
	uint64_t serial, object, *slot;
	const uint64_t *trace;
	struct hp_thread_name *n;
	size_t at = 0;

	while (hp_id_map_next(&nodes->threads_by_serial, &at, &serial,
			      &object)) {
		slot = hp_id_map_put(&s->t->threads, serial, NULL);
		n = slot ? hp_arena_alloc(&s->t->arena, sizeof(*n)) : NULL;
		if (!n)
			return false;
		trace = hp_id_map_get(&nodes->traces_by_serial, serial);
		*n = (struct hp_thread_name){.object = object,
					     .string = HP_NO_NODE,
					     .trace = trace ? (uint32_t)*trace
							    : 0};
		*slot = (uintptr_t)n;
		if (!note_name(s, n))
			return false;
	}
	return true;
}

enum hp_status
hp_thread_roots_find(struct hp_thread_roots *t, const struct hp_graph *graph,
		     const struct hp_histogram *g, struct hp_source *src,
		     struct hp_error *err)
{
	struct search s = {.t = t,
			   .graph = graph,
			   .g = g,
			   .class = hp_named_class(&g->classes, &g->tables,
						   "java/lang/Thread"),
			   .names = {.graph = graph,
				     .pass.g = g,
				     .pass.texts = {.most = HP_THREAD_NAME,
						    .bare = true,
						    .escape = hp_text_clean,
						    .arena = &t->arena}}};
	enum hp_status st = HP_OK;
	bool fine;

	*t = (struct hp_thread_roots){0};
	hp_graph_texts_init(&s.names);
	fine = list_threads(&s);
	if (fine)
		st = hp_graph_texts_run(&s.names, src, err);
	fine = fine && (st != HP_OK || make_texts(&s));
	if (!fine)
		st = hp_no_memory(err);
	hp_graph_texts_release(&s.names);
	return st;
}

void
hp_thread_roots_release(struct hp_thread_roots *t)
{
	hp_id_map_release(&t->threads);
	hp_arena_release(&t->arena);
	*t = (struct hp_thread_roots){0};
}

const struct hp_thread_name *
hp_thread_name_of(const struct hp_thread_roots *t, uint32_t serial)
{
	return hp_id_map_pointer(&t->threads, serial);
}

void
hp_thread_words(struct hp_buf *b, const struct hp_thread_name *thread)
{
	hp_buf_text(b, "thread");
	if (thread && thread->text)
		hp_buf_printf(b, " \"%s\"", thread->text);
}

bool
hp_thread_method(struct hp_buf *b, struct hp_keys *keys,
		 const struct hp_thread_name *thread, uint32_t frame)
{
	const struct hp_tables *t = &keys->g->tables;
	const struct hp_trace *trace =
		thread && thread->trace ? hp_tables_trace(t, thread->trace)
					: NULL;
	const uint32_t at = trace ? hp_trace_frame(trace, frame) : 0;
	const struct hp_frame *f =
		trace && at < trace->nframes
			? hp_tables_frame(t, trace->frames[at])
			: NULL;
	const struct hp_load *load =
		f ? hp_tables_load_serial(t, f->class_serial) : NULL;
	const struct hp_string *method =
		f ? hp_tables_string(t, f->method) : NULL;
	const struct hp_name *name =
		load ? hp_key_raw(keys, hp_tables_load_name(t, load),
				  load->class_id)
		     : NULL;

	if (!method)
		return false;
	if (name) {
		hp_buf_add(b, name->text, name->len);
		hp_buf_byte(b, '.');
	}
	hp_key_add_text(b, method);
	return true;
}
