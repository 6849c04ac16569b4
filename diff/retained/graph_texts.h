/*
 * graph_texts.h - read the texts of Strings of the object graph
 *
 * The graph tells the array to which a String refers, and which parts of the
 * dump may contain the String and the array. So one pass over these parts is
 * enough. hp_texts_pass_run() without a graph reads the whole dump twice.
 */
#ifndef HP_DIFF_RETAINED_GRAPH_TEXTS_H
#define HP_DIFF_RETAINED_GRAPH_TEXTS_H

#include "diff/count/passes.h"
#include "diff/retained/retained.h"

struct hp_graph_texts {
	/*
	 * the caller sets `g`, and of `texts` the members `most`, `bare`,
	 * `escape` and `arena`
	 */
	struct hp_texts_pass pass;
	/* set by the caller; it must still have its references */
	const struct hp_graph *graph;
	/* the field of the class String that refers to the array */
	struct hp_graph_field value;
	/*
	 * the wanted Strings and their arrays, as their numbers in the graph;
	 * hp_graph_texts_run() sorts them
	 */
	uint64_t *nodes;
	uint64_t *ids; /* the object ids of `nodes` */
	size_t count, cap;
};

/*
 * Prepare @t, of which the caller has set the members above. The caller must
 * release @t.
 */
void hp_graph_texts_init(struct hp_graph_texts *t);
void hp_graph_texts_release(struct hp_graph_texts *t);

/*
 * Want the text of the String (or, with `bare`, of the char[]) with the number
 * @node in the graph. Returns false if out of memory.
 */
HP_MUST_USE bool hp_graph_texts_want(struct hp_graph_texts *t, uint32_t node);

/**
 * hp_graph_texts_run() - read the wanted texts in one pass over the dump
 *
 * @src: the dump, which is read again
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_graph_texts_run(struct hp_graph_texts *t,
					      struct hp_source *src,
					      struct hp_error *err);

/*
 * After hp_graph_texts_run(): get the text of the wanted String @node, or NULL,
 * as hp_java_texts_get(). Returns false if out of memory.
 */
HP_MUST_USE bool hp_graph_texts_get(struct hp_graph_texts *t, uint32_t node,
				    const char **text);

#endif
