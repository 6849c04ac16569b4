/*
 * path_texts.h - the references on a path: how they are called, and how they
 * continue the path
 */
#ifndef HP_DIFF_PATHS_PATH_TEXTS_H
#define HP_DIFF_PATHS_PATH_TEXTS_H

#include "common/graph/class_edges.h"
#include "diff/paths/paths.h"

#include <pthread.h>

/*
 * The label of an object: a number for the reference that leads to the object.
 * A label smaller than HP_LABEL_STATIC is the number of a field of an instance.
 * The other labels are:
 */
enum hp_path_label_of {
	/* a static field of a class: HP_LABEL_STATIC + the index of the field
	 */
	HP_LABEL_STATIC = HP_PATH_FIELDS_MOST,
	HP_LABEL_ELEMENT = 2 * HP_PATH_FIELDS_MOST,
	HP_LABEL_CLASS, /* the reference from an object to its class */
	/* the reference from a finalizer to the object that waits for it */
	HP_LABEL_REFERENT,
	/*
	 * another reference of a class object: HP_LABEL_EDGE + its kind (enum
	 * hp_class_edge_of)
	 */
	HP_LABEL_EDGE,
	HP_LABEL_END = HP_LABEL_EDGE + HP_CLASS_EDGES,
};

struct hp_path_field_word {
	/*
	 * 1 + the index of the row with the text of the field, such as ".name";
	 * 0: this row was not created yet
	 */
	uint32_t via;
	/*
	 * what the field refers to (enum hp_field_role), for example an
	 * internal part of a collection
	 */
	uint8_t role;
};

struct hp_path_texts {
	const struct hp_graph *g;
	struct hp_keys *keys;
	struct hp_rows *names;
	/*
	 * for each kind of object (class and size): the row of its class name
	 */
	const uint32_t *class_rows;
	/*
	 * for each kind of object (class and size): the class of its instances
	 * or, for a class object, the class that it represents; NULL for other
	 * objects, or if the class is not known
	 */
	const struct hp_class **classes;
	/*
	 * for each kind of object (class and size): its objects are arrays that
	 * collections use internally
	 */
	bool *is_inner;
	struct hp_path_fields numbers;
	/*
	 * for each reference field, by its number: its text (as a row), and
	 * what it refers to
	 */
	struct hp_path_field_word *fields;
	/*
	 * for each label (kind of reference) from HP_LABEL_ELEMENT on: the
	 * index of the row for its text in a path, for example "[*]"
	 */
	uint32_t labels[HP_LABEL_END - HP_LABEL_ELEMENT];
	/*
	 * protects `keys` while several threads compare texts; the caller has
	 * initialized it
	 */
	pthread_mutex_t lock;
};

/*
 * Find the names of all kinds of objects and fields. The caller has set @w->g,
 * @w->keys and @w->names, and frees @class_rows, which receives the rows of the
 * class names, with hp_free().
 *
 * Returns: HP_OK; HP_LIMIT; HP_NOMEM. Call hp_path_texts_release(), also after
 * a failure.
 */
HP_MUST_USE enum hp_status hp_path_texts_find(struct hp_path_texts *w,
					      uint32_t **class_rows,
					      struct hp_error *err);
void hp_path_texts_release(struct hp_path_texts *w);

static inline bool
hp_path_label_is_static(uint32_t label)
{
	return label >= HP_LABEL_STATIC && label < HP_LABEL_ELEMENT;
}

/*
 * Returns the row with the text of a reference that leads to a new step, for
 * example ".name" or "Leak.SESSIONS (static)". NULL if out of memory. The row
 * is created if it does not exist, so only one thread may call this.
 *
 * @from: for a static field, the object of its class
 */
const struct hp_row *hp_path_label_row(struct hp_path_texts *w, uint32_t from,
				       uint32_t label);

/*
 * Returns 1 + the index of the row that hp_path_label_row() returns, or 0 if
 * the row does not exist yet. @label: not a static field.
 */
static inline uint32_t
hp_path_label_find(const struct hp_path_texts *w, uint32_t label)
{
	return label < HP_LABEL_STATIC
		       ? w->fields[label].via
		       : 1 + w->labels[label - HP_LABEL_ELEMENT];
}

/*
 * Returns the text of a reference, like hp_path_label_row(), but without
 * creating a row. NULL if out of memory. Several threads may call this at the
 * same time, each with a buffer @b of its own for the text.
 */
const char *hp_path_label_text(struct hp_path_texts *w, uint32_t from,
			       uint32_t label, struct hp_buf *b);

#endif
