/*
 * path_texts.c - find the texts of the references on a path
 */
#include "diff/paths/path_texts.h"

#include "common/base/memory.h"
#include "diff/leaks/merged_tree.h"
#include "diff/paths/internal.h"

#include <string.h>

static const struct hp_class *
class_of(const struct hp_path_texts *w, uint32_t node)
{
	uint64_t references;

	return w->classes[hp_edge_kind(&w->g->edges, node, &references)];
}

static void
add_field_text(const struct hp_path_texts *w, uint32_t field, struct hp_buf *b)
{
	hp_buf_clear(b);
	hp_buf_byte(b, '.');
	hp_key_add_text(b, hp_tables_string(w->g->o.tables,
					    w->numbers.list[field].name));
}

static const struct hp_row *
field_row(struct hp_path_texts *w, uint32_t field)
{
	struct hp_buf *b = &w->keys->a;
	const struct hp_row *row;

	if (w->fields[field].via)
		return w->names->list[w->fields[field].via - 1];
	add_field_text(w, field, b);
	row = hp_rows_put_text(w->names, b);
	if (row)
		w->fields[field].via = (uint32_t)row->index + 1;
	return row;
}

const struct hp_row *
hp_path_label_row(struct hp_path_texts *w, uint32_t from, uint32_t label)
{
	const struct hp_class *c;

	if (label < HP_LABEL_STATIC)
		return field_row(w, label);
	if (!hp_path_label_is_static(label))
		return w->names->list[w->labels[label - HP_LABEL_ELEMENT]];
	c = class_of(w, from);
	return hp_merged_static_name(w->keys, w->names, c,
				     &c->statics[label - HP_LABEL_STATIC]);
}

const char *
hp_path_label_text(struct hp_path_texts *w, uint32_t from, uint32_t label,
		   struct hp_buf *b)
{
	const struct hp_class *c;
	bool fine;

	if (label < HP_LABEL_STATIC) {
		add_field_text(w, label, b);
		return hp_buf_ok(b) ? hp_buf_string(b) : NULL;
	}
	if (!hp_path_label_is_static(label))
		return w->names->list[w->labels[label - HP_LABEL_ELEMENT]]->key;
	c = class_of(w, from);
	pthread_mutex_lock(&w->lock);
	fine = hp_static_name_text(w->keys, c,
				   &c->statics[label - HP_LABEL_STATIC], b);
	pthread_mutex_unlock(&w->lock);
	return fine && hp_buf_ok(b) ? hp_buf_string(b) : NULL;
}

/* --- preparation ---------------------------------------------------------- */

static enum hp_status
name_kinds(struct hp_path_texts *w, uint32_t **class_rows, struct hp_error *err)
{
	const struct hp_node_kinds *kinds = &w->g->kinds;
	enum hp_status st;

	w->is_inner = hp_calloc(kinds->count + 1, sizeof(*w->is_inner));
	w->classes = hp_calloc(kinds->count + 1, sizeof(*w->classes));
	*class_rows = hp_calloc(kinds->count + 1, sizeof(**class_rows));
	w->class_rows = *class_rows;
	if (!w->is_inner || !w->classes || !w->class_rows)
		return hp_no_memory(err);
	st = hp_merged_kind_names(w->keys, w->names, kinds, *class_rows, err);
	if (st == HP_OK)
		st = hp_class_origins_note(w->g, w->class_rows, w->names, err);
	for (uint32_t k = 1; k < kinds->count && st == HP_OK; k++) {
		w->classes[k] = hp_path_class_of_kind(w->g, &kinds->list[k]);
		w->is_inner[k] = kinds->list[k].of == HP_NODE_INSTANCE &&
				 hp_is_collection_inside(
					 w->names->list[w->class_rows[k]]->key);
	}
	return st;
}

static enum hp_status
name_fields(struct hp_path_texts *w, struct hp_error *err)
{
	const struct hp_path_fields *f = &w->numbers;
	const struct hp_string *field;
	const struct hp_name *name;

	w->fields = hp_calloc((size_t)f->count + 1, sizeof(*w->fields));
	if (!w->fields)
		return hp_no_memory(err);
	for (uint32_t i = 1; i < f->count; i++) {
		const struct hp_class *c =
			w->g->o.classes->list[f->list[i].class_index];

		field = hp_tables_string(w->g->o.tables, f->list[i].name);
		name = hp_key_class(w->keys, c->id);
		if (!name)
			return hp_no_memory(err);
		if (field)
			w->fields[i].role = (uint8_t)hp_collection_field(
				name->text, (const char *)field->data,
				field->length);
	}
	return HP_OK;
}

static enum hp_status
name_labels(struct hp_path_texts *w, struct hp_error *err)
{
	enum { EDGE = HP_LABEL_EDGE - HP_LABEL_ELEMENT };
	static const char *const texts[HP_LABEL_END - HP_LABEL_ELEMENT] = {
		[0] = HP_PATH_ELEMENTS,
		[HP_LABEL_CLASS - HP_LABEL_ELEMENT] = ".<class>",
		[HP_LABEL_REFERENT - HP_LABEL_ELEMENT] = ".referent",
		[EDGE + HP_CLASS_EDGE_SUPER] = ".<super>",
		[EDGE + HP_CLASS_EDGE_LOADER] = ".<loader>",
		[EDGE + HP_CLASS_EDGE_SIGNERS] = ".<signers>",
		[EDGE + HP_CLASS_EDGE_DOMAIN] = ".<domain>",
		[EDGE + HP_CLASS_EDGE_CONSTANT] = ".<constant>"};
	const struct hp_row *row;

	for (size_t i = 0; i < HP_ARRAY_LEN(texts); i++) {
		if (!texts[i])
			/*
			 * hp_path_label_row() makes the texts of static fields
			 */
			continue;
		row = hp_rows_put_word(w->names, texts[i]);
		if (!row)
			return hp_no_memory(err);
		w->labels[i] = (uint32_t)row->index;
	}
	return HP_OK;
}

enum hp_status
hp_path_texts_find(struct hp_path_texts *w, uint32_t **class_rows,
		   struct hp_error *err)
{
	enum hp_status st =
		hp_path_fields_number(&w->numbers, w->g->o.classes, err);

	if (st == HP_OK)
		st = name_kinds(w, class_rows, err);
	if (st == HP_OK)
		st = name_fields(w, err);
	return st == HP_OK ? name_labels(w, err) : st;
}

void
hp_path_texts_release(struct hp_path_texts *w)
{
	hp_path_fields_release(&w->numbers);
	hp_free(w->classes);
	hp_free(w->is_inner);
	hp_free(w->fields);
}
