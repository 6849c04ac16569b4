/*
 * failed_thread.c - find the thread that ran out of memory
 *
 * If a VM writes a dump on an OutOfMemoryError, the thread that ran out of
 * memory is just creating this error. So the constructor of the error is among
 * the innermost frames of its stack.
 */
#include "diff/leaks/leaks.h"

#include "common/base/memory.h"
#include "diff/leaks/merged_tree.h"

#include <stdlib.h>
#include <string.h>

/*
 * number of innermost frames in which the constructor of the error is searched
 * for
 */
enum { INNERMOST = 4 };

static bool
is_text(const struct hp_string *s, const char *text)
{
	return s && s->length == strlen(text) &&
	       memcmp(s->data, text, s->length) == 0;
}

static bool
is_constructor(const struct hp_tables *t, const struct hp_frame *f)
{
	const struct hp_load *load =
		f ? hp_tables_load_serial(t, f->class_serial) : NULL;

	/* in the text format of the JVMTI agent, class names have dots */
	return load && is_text(hp_tables_string(t, f->method), "<init>") &&
	       (is_text(hp_tables_load_name(t, load),
			"java/lang/OutOfMemoryError") ||
		is_text(hp_tables_load_name(t, load),
			"java.lang.OutOfMemoryError"));
}

/*
 * Find the stack trace of the thread that failed. *@first receives the index of
 * the innermost frame that is not a constructor of the error. Returns NULL if
 * no thread ran out of memory.
 */
static const struct hp_trace *
find_trace(const struct hp_tables *t, uint32_t *first)
{
	const struct hp_trace *list = t->trace_list.items;

	for (size_t i = 0; i < t->trace_list.count; i++)
		for (uint32_t k = 0; k < list[i].nframes && k < INNERMOST; k++)
			if (is_constructor(
				    t, hp_tables_frame(t, list[i].frames[k]))) {
				*first = k + 1;
				return &list[i];
			}
	return NULL;
}

/*
 * Copy the name of the thread that ran out of memory and the texts of its
 * frames to the result.
 */
static bool
copy_texts(struct hp_failed_thread *out, struct hp_arena *arena,
	   struct hp_keys *keys, const struct hp_trace *trace, uint32_t first,
	   const struct hp_thread_name *thread)
{
	struct hp_buf b = {0};
	bool fine = true;

	for (uint32_t k = first;
	     k < trace->nframes && out->nframes < HP_FAILED_FRAMES && fine;
	     k++) {
		hp_buf_clear(&b);
		if (!hp_thread_method(&b, keys, thread, k))
			continue;
		fine = hp_buf_ok(&b);
		out->frames[out->nframes] =
			fine ? hp_arena_copy(arena, b.data, b.len) : NULL;
		fine = out->frames[out->nframes++] != NULL;
	}
	out->more_frames = trace->nframes - first - (uint32_t)out->nframes;
	if (fine && thread->text)
		out->name = hp_arena_copy(arena, thread->text,
					  strlen(thread->text));
	fine = fine && (out->name || !thread->text);
	hp_buf_release(&b);
	return fine;
}

static void
find_retained(struct hp_failed_thread *out, const struct hp_retained *t,
	      const struct hp_thread_roots *threads,
	      const struct hp_thread_name *thread)
{
	const struct hp_graph *g = &t->graph;
	const uint32_t *nodes = t->tree.nodes.at;

	for (uint32_t place = 1; place < t->tree.count;
	     place = hp_tree_end(&t->tree, place)) {
		const struct hp_graph_root *root =
			bsearch(&nodes[place], g->roots, g->nroots,
				sizeof(*root), hp_compare_u32);

		if (!root || hp_root_kind(root->tag) != HP_PATH_THREAD ||
		    hp_thread_name_of(threads, root->thread) != thread)
			continue;
		out->retained.objects = hp_tree_objects(&t->tree, place);
		out->retained.bytes = hp_tree_bytes(&t->tree, place);
		return;
	}
}

enum hp_status
hp_failed_thread_find(struct hp_result *r, const struct hp_retained *t,
		      struct hp_keys *keys, struct hp_source *src,
		      struct hp_error *err)
{
	struct hp_failed_thread *out = &r->failed;
	struct hp_thread_roots threads = {0};
	const struct hp_thread_name *thread = NULL;
	const struct hp_trace *trace;
	enum hp_status st;
	uint32_t first = 0;

	trace = find_trace(&keys->g->tables, &first);
	if (!trace)
		return HP_OK;
	st = hp_thread_roots_find(&threads, &t->graph, keys->g, src, err);
	for (size_t i = 0; i < t->graph.nroots && st == HP_OK && !thread; i++) {
		const struct hp_graph_root *root = &t->graph.roots[i];

		if (hp_root_kind(root->tag) == HP_PATH_THREAD)
			thread = hp_thread_name_of(&threads, root->thread);
		if (thread && thread->trace != trace->serial)
			thread = NULL;
	}
	if (thread) {
		out->found = true;
		out->id = thread->object;
		find_retained(out, t, &threads, thread);
		if (!copy_texts(out, &r->arena, keys, trace, first, thread))
			st = hp_no_memory(err);
	}
	hp_thread_roots_release(&threads);
	return st;
}
