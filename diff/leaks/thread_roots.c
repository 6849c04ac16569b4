/*
 * thread_roots.c - a pass for roots and thread objects; names are
 * java_texts.c's
 */
#include "diff/leaks/thread_roots.h"

#include "common/cli/escape.h"
#include "common/base/vec.h"
#include "diff/count/extra_pass.h"
#include "diff/count/java_texts.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 120 /* characters of a name */ };

struct worker {
	struct hp_thread_local *locals;
	size_t nlocals, cap;
	struct hp_id_map names;	 /* thread object: id of its name */
	struct hp_id_map traces; /* serial: that of its stack trace */
	struct hp_class_cache classes;
	struct hp_rank_near near;
	uint64_t noted;
};

struct search {
	struct hp_thread_roots *t;
	const struct hp_graph *graph;
	const struct hp_histogram *g;
	struct worker *workers;
	const struct hp_class *top; /* java.lang.Thread; NULL: none */
	struct hp_field_place name;
	struct hp_id_map objects; /* of threads */
	struct hp_java_texts texts;
};

/* --- the first pass ------------------------------------------------------- */

static bool
note_local(struct search *s, struct worker *w, const struct hp_sub *sub)
{
	unsigned id_size = s->g->header.id_size;
	uint32_t node = hp_node_of(&s->graph->nodes, &w->near, sub->id);
	uint32_t serial = hp_root_thread(sub, id_size);
	unsigned fixed = hp_subrecord_fixed[hp_widen(id_size)][sub->tag];

	if (node == HP_NO_NODE ||
	    !hp_id_map_get(&s->graph->nodes.threads_by_serial, serial))
		return true;
	if (!HP_LIST_RESERVE(w->locals, w->nlocals, w->cap))
		return false;
	w->locals[w->nlocals++] = (struct hp_thread_local){
		.serial = serial,
		.node = node,
		.tag = sub->tag,
		.frame = fixed >= 1 + id_size + 8 ? hp_root_third(sub, id_size)
						  : UINT32_MAX};
	return true;
}

static bool
note_name(struct search *s, struct worker *w, const struct hp_sub *sub)
{
	const struct hp_class *c;
	uint64_t name;

	if (!s->top || !hp_id_map_get(&s->objects, sub->id))
		return true;
	c = hp_classes_layout(s->graph->o.classes, &w->classes, sub->class_id);
	if (!c || !hp_class_is_a(c, s->top) ||
	    !hp_field_load(&s->name, s->g->header.id_size, sub->data,
			   sub->count, &name) ||
	    !name)
		return true;
	return hp_id_map_set_least(&w->names, sub->id, name);
}

static bool
read_roots(void *ctx, unsigned worker, const struct hp_sub *sub,
	   const struct hp_piece *piece)
{
	struct search *s = ctx;
	struct worker *w = &s->workers[worker];

	if (hp_subrecord_is_local(sub->tag))
		return note_local(s, w, sub);
	switch (sub->tag) {
	case HP_SUB_ROOT_THREAD_OBJECT:
		return hp_id_map_set_least(
			&w->traces, hp_root_thread(sub, s->g->header.id_size),
			hp_root_third(sub, s->g->header.id_size));
	case HP_SUB_INSTANCE_DUMP:
		return piece || note_name(s, w, sub);
	default:
		return true;
	}
}

static enum hp_status
check_worker_memory(void *ctx, unsigned worker, struct hp_error *err)
{
	struct search *s = ctx;
	struct worker *w = &s->workers[worker];
	uint64_t slots = w->names.cap + w->traces.cap;

	return hp_budget_note(s->t->budget, &w->noted,
			      slots * sizeof(struct hp_id_slot) +
				      w->cap * sizeof(*w->locals),
			      err);
}

/* --- names ---------------------------------------------------------------- */

/* The agent writes names into START THREAD. */
static bool
take_started(struct search *s, uint32_t serial, struct hp_thread_name *n)
{
	const struct hp_thread *started =
		hp_tables_thread(&s->g->tables, serial);
	const struct hp_string *name =
		started ? hp_tables_string(&s->g->tables, started->name) : NULL;
	struct hp_buf clean = {0};
	char room[HP_NAME_ROOM];
	struct hp_string named;

	if (n->text || !name || name->length == 0)
		return true;
	named = hp_string_short(name, room);
	hp_text_clean(&clean, named.data, named.length);
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

		fine = (!n->string ||
			hp_java_texts_get(&s->texts, n->string, &n->text)) &&
		       take_started(s, (uint32_t)serial, n);
	}
	return fine;
}

/* --- all of it ------------------------------------------------------------ */

/* java.lang.Thread with its field, if there is one. */
static void
find_thread_class(struct search *s)
{
	const struct hp_classes *classes = &s->g->classes;

	for (size_t i = 0; i < classes->count; i++) {
		const struct hp_class *c = classes->list[i];

		if (c->loader || c->chain != HP_CHAIN_FINE ||
		    !hp_string_is(hp_tables_class_name(&s->g->tables, c->id),
				  "java/lang/Thread", "java.lang.Thread"))
			continue;
		s->name = hp_field_find(c, &s->g->tables, s->g->header.id_size,
					"name");
		if (s->name.from_end && hp_type_is_reference(s->name.type))
			s->top = c;
		return;
	}
}

/* A thread for each serial. */
static bool
list_threads(struct search *s)
{
	const struct hp_id_map *known = &s->graph->nodes.threads_by_serial;
	uint64_t serial, object, *slot;
	struct hp_thread_name *n;
	size_t at = 0;

	while (hp_id_map_next(known, &at, &serial, &object)) {
		slot = hp_id_map_put(&s->t->threads, serial, NULL);
		n = slot ? hp_arena_alloc(&s->t->arena, sizeof(*n)) : NULL;
		if (!n || !hp_id_map_put(&s->objects, object, NULL))
			return false;
		*n = (struct hp_thread_name){.object = object};
		*slot = (uintptr_t)n;
	}
	return true;
}

static int
by_thread(const void *a, const void *b)
{
	const struct hp_thread_local *x = a, *y = b;

	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static bool
merge_locals(struct search *s)
{
	size_t n = 0;

	for (unsigned i = 0; i < s->g->options->threads; i++)
		n += s->workers[i].nlocals;
	s->t->locals = calloc(n + 1, sizeof(*s->t->locals));
	if (!s->t->locals)
		return false;
	for (unsigned i = 0; i < s->g->options->threads; i++) {
		struct worker *w = &s->workers[i];

		if (w->nlocals > 0)
			memcpy(s->t->locals + s->t->nlocals, w->locals,
			       w->nlocals * sizeof(*w->locals));
		s->t->nlocals += w->nlocals;
		free(w->locals);
		w->locals = NULL;
		w->nlocals = w->cap = 0;
	}
	qsort(s->t->locals, s->t->nlocals, sizeof(*s->t->locals), by_thread);
	return true;
}

/* What the first pass found goes to the threads; their names are wanted. */
static bool
merge_threads(struct search *s)
{
	uint64_t serial, value;
	size_t at = 0;

	while (hp_id_map_next(&s->t->threads, &at, &serial, &value)) {
		struct hp_thread_name *n =
			(struct hp_thread_name *)(uintptr_t)value;

		for (unsigned i = 0; i < s->g->options->threads; i++) {
			const uint64_t *name =
				hp_id_map_get(&s->workers[i].names, n->object);
			const uint64_t *trace =
				hp_id_map_get(&s->workers[i].traces, serial);

			if (name && (n->string == 0 || *name < n->string))
				n->string = *name;
			if (trace && (n->trace == 0 || *trace < n->trace))
				n->trace = (uint32_t)*trace;
		}
		if (n->string && !hp_java_texts_want(&s->texts, n->string))
			return false;
	}
	return merge_locals(s);
}

static enum hp_status
run_passes(struct search *s, struct hp_source *src, struct hp_error *err)
{
	struct hp_extra_pass again = {.need = HP_NEED_HEADS,
				      .ctx = s,
				      .sub = read_roots,
				      .batch = check_worker_memory};
	enum hp_status st = hp_extra_pass_run(s->g, src, &again, err);
	bool fine = st == HP_OK && merge_threads(s);

	if (st == HP_OK && fine)
		st = hp_java_texts_read(&s->texts, src, err);
	fine = fine && st == HP_OK && make_texts(s);
	if (st != HP_OK)
		return st;
	if (!fine)
		return hp_fail(err, HP_NOMEM, "out of memory");
	return hp_budget_note(
		s->t->budget, &s->t->noted,
		s->t->arena.held + s->t->nlocals * sizeof(*s->t->locals), err);
}

enum hp_status
hp_thread_roots_find(struct hp_thread_roots *t, const struct hp_graph *graph,
		     const struct hp_histogram *g, struct hp_source *src,
		     struct hp_error *err)
{
	struct search s = {.t = t,
			   .graph = graph,
			   .g = g,
			   .texts = {.g = g,
				     .most = NAME_SHOWN,
				     .bare = true,
				     .arena = &t->arena}};
	unsigned n = g->options->threads;
	enum hp_status st;

	*t = (struct hp_thread_roots){.budget = g->options->budget};
	s.workers = calloc(n, sizeof(*s.workers));
	find_thread_class(&s);
	st = s.workers && list_threads(&s)
		     ? HP_OK
		     : hp_fail(err, HP_NOMEM, "out of memory");
	if (st == HP_OK && s.objects.count > 0)
		st = run_passes(&s, src, err);
	for (unsigned i = 0; s.workers && i < n; i++) {
		free(s.workers[i].locals);
		hp_id_map_release(&s.workers[i].names);
		hp_id_map_release(&s.workers[i].traces);
		hp_budget_release(t->budget, &s.workers[i].noted);
	}
	free(s.workers);
	hp_id_map_release(&s.objects);
	hp_java_texts_release(&s.texts);
	return st;
}

void
hp_thread_roots_release(struct hp_thread_roots *t)
{
	if (t->budget)
		hp_budget_release(t->budget, &t->noted);
	free(t->locals);
	hp_id_map_release(&t->threads);
	hp_arena_release(&t->arena);
	*t = (struct hp_thread_roots){0};
}

const struct hp_thread_name *
hp_thread_name_of(const struct hp_thread_roots *t, uint32_t serial)
{
	return hp_id_map_pointer(&t->threads, serial);
}

bool
hp_thread_method(struct hp_buf *b, struct hp_keys *keys,
		 const struct hp_thread_name *thread, uint32_t frame)
{
	const struct hp_tables *t = &keys->g->tables;
	const struct hp_trace *trace =
		thread && thread->trace ? hp_tables_trace(t, thread->trace)
					: NULL;
	const struct hp_frame *f =
		trace && frame < trace->nframes
			? hp_tables_frame(t, trace->frames[frame])
			: NULL;
	const struct hp_load *load =
		f ? hp_tables_load_serial(t, f->class_serial) : NULL;
	const struct hp_string *method =
		f ? hp_tables_string(t, f->method) : NULL;
	const struct hp_name *name =
		load ? hp_key_raw(keys, hp_tables_load_name(t, load),
				  load->class_id)
		     : NULL;
	char room[HP_NAME_ROOM];
	struct hp_string named;

	if (!method)
		return false;
	if (name) {
		hp_buf_add(b, name->text, name->len);
		hp_buf_byte(b, '.');
	}
	named = hp_string_short(method, room);
	hp_text_clean(b, named.data, named.length);
	return true;
}
