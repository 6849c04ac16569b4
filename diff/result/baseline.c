/*
 * baseline.c - read a saved JSON result of hprof-diff with the library jansson
 *
 * Saved results come from untrusted sources, like dumps: whatever the file
 * contains must not crash the program.
 */
#include "diff/findings/findings.h"
#include "diff/result/baseline.h"
#include "diff/result/internal.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/cli/json.h"
#include "common/cli/quantity.h"
#include "common/format/foreign_file.h"
#include "diff/paths/paths.h"

#include <jansson.h>
#include <string.h>

enum { HP_BASELINE_MAX = 1 << 30 };

enum hp_status
hp_baseline_peek(struct hp_source *src, bool *saved, struct hp_error *err)
{
	uint8_t first[HP_SOURCE_PEEK];
	size_t got;
	enum hp_status st = hp_source_peek(src, first, &got, err);

	*saved = st == HP_OK && got > 0 && first[0] == '{' &&
		 !hp_foreign_is_other_json(first, got);
	return st;
}

static bool
read_unsigned(const json_t *object, const char *key, unsigned *out)
{
	uint64_t v;

	if (!hp_saved_u64(json_object_get(object, key), &v) || v > 4096)
		return false;
	*out = (unsigned)v;
	return true;
}

/*
 * Read the size model (member "layout"), from which shallow sizes are computed.
 * Both the name and the numbers of the model are kept, so that the result can
 * be saved again.
 */
static bool
read_size_model(const json_t *root, bool android, struct hp_arena *arena,
		struct hp_size_model *l)
{
	const json_t *j = json_object_get(root, "layout");
	const char *source = hp_saved_word(j, "source");
	struct hp_size_model named;

	memset(l, 0, sizeof(*l));
	l->source = "saved";
	l->model = android ? HP_SIZE_MODEL_ART : HP_SIZE_MODEL_MAT;
	if (!read_unsigned(j, "reference", &l->reference) ||
	    !read_unsigned(j, "header", &l->header) ||
	    !read_unsigned(j, "array_header", &l->array_header) ||
	    !read_unsigned(j, "alignment", &l->alignment))
		return false;
	if (!source || !hp_size_model_parse(source, l, &named))
		return true;
	l->model = named.model;
	if (hp_saved_is_word(j, "model", "hotspot"))
		l->model = HP_SIZE_MODEL_HOTSPOT;
	l->source = hp_arena_copy(arena, source, strlen(source));
	return l->source;
}

static bool
has_other_size_model(const json_t *root, const struct hp_size_model *saved,
		     const char *asked)
{
	const char *source =
		hp_saved_word(json_object_get(root, "layout"), "source");
	size_t n = strcspn(asked, ",");
	struct hp_size_model want;

	if (source && strncmp(source, "auto", 4) != 0 &&
	    strncmp(asked, "auto", 4) != 0 &&
	    (strcspn(source, ",") != n || memcmp(source, asked, n) != 0))
		return true;
	return !hp_size_model_parse(asked, saved, &want) ||
	       hp_layouts_differ(saved, &want);
}

static bool
has_text(const json_t *list, const char *text)
{
	const char *one;

	for (size_t i = 0; i < json_array_size(list); i++) {
		one = json_string_value(json_array_get(list, i));
		if (one && strcmp(one, text) == 0)
			return true;
	}
	return false;
}

/*
 * Whether this program can read a saved result with this schema number (the
 * version of the format). In schema 1, the columns of --by=cpu and --by=monitor
 * have other names: milliseconds and waits are called "count", and calls are
 * called "bytes".
 */
static bool
is_schema(const json_t *root)
{
	json_int_t schema = json_integer_value(json_object_get(root, "schema"));

	return schema == 1 || schema == HP_RESULT_SCHEMA;
}

/* Whether a saved result has no retained sizes that can be compared. */
static bool
lacks_retained(const json_t *root, const struct hp_diff_options *o)
{
	return !hp_saved_is_word(root, "reachability",
				 hp_reachability_name(o->reachability));
}

/*
 * Check whether the retained sizes of the saved result can be compared with
 * this run. Returns NULL if they can; otherwise a sentence that says why not.
 */
static const char *
check_retained(const json_t *root, const struct hp_diff_options *o,
	       bool retained)
{
	if (retained && !hp_saved_word(root, "reachability"))
		return "this saved result has no retained sizes; save it again "
		       "with --retained";
	if ((retained || hp_key_is(o->by, HP_KEY_NEEDS_REFERENCES)) &&
	    !hp_saved_is_word(root, "reachability",
			      hp_reachability_name(o->reachability)))
		return "this saved result was made with another --reachability";
	return NULL;
}

/*
 * Check whether the saved result can be compared with the options of this run.
 * Returns NULL if it can be compared; otherwise a sentence that says why not.
 */
static const char *
check_head(const json_t *root, const struct hp_diff_options *o, bool retained)
{
	const json_t *columns = json_object_get(root, "columns");
	const char *heap = hp_saved_word(root, "heap");
	const json_t *normalize = json_object_get(root, "normalize");
	unsigned needed = o->columns & hp_columns_stored() &
			  hp_columns_that_are(HP_COLUMN_IS_ASKED);

	if (!hp_saved_is_word(root, "tool", "hprof-diff"))
		return "this is JSON, but neither a heap dump nor a result of "
		       "hprof-diff";
	if (json_object_get(root, "estimates"))
		return "this is a saved result of --estimate, which cannot be "
		       "compared";
	if (json_object_get(root, "object"))
		return "this is a saved result of --object, which cannot be "
		       "compared";
	if (!is_schema(root))
		return "this saved result has another schema version";
	if (!hp_saved_is_word(root, "by", hp_by_name(o->by)))
		return "this saved result was made with another --by";
	if (!json_is_boolean(normalize) ||
	    json_is_true(normalize) == o->raw_names)
		return "this saved result was made with another --normalize";
	if ((heap ? !o->heap || strcmp(heap, o->heap) != 0 : o->heap != NULL))
		return "this saved result was made with another --heap";
	if (hp_key_is(o->by, HP_KEY_NEEDS_TRACES) &&
	    (json_object_get(root, "measure") != NULL) != o->allocated)
		return "this saved result was made with another --measure";
	if (hp_key_is(o->by, HP_KEY_STACKS) &&
	    ((uint64_t)json_integer_value(
		     json_object_get(root, "site_depth")) != o->site_depth ||
	     json_is_true(json_object_get(root, "site_lines")) !=
		     o->site_lines))
		return "this saved result was made with another --site-depth "
		       "or --site-lines";
	if (o->object)
		return "this is a saved result, but --object needs the dump "
		       "itself";
	if (o->why)
		return "this is a saved result, but --why needs the dump "
		       "itself";
	if (o->estimate)
		return "this is a saved result, but --estimate needs the dump "
		       "itself";
	if (json_object_get(root, "why"))
		return "this is a saved result of --why, which cannot be "
		       "compared";
	if (hp_saved_is_word(root, "fillers", "hide") != o->hide_fillers)
		return "this saved result was made with another --fillers";
	if (json_array_size(json_object_get(root, "dumps")) != 1)
		return "this saved result has several dumps, but only a saved "
		       "result of one dump can be compared";
	for (unsigned c = 0; c < HP_COLS; c++)
		if (needed & 1u << c && !has_text(columns, hp_columns[c].word))
			return "this saved result lacks a column that "
			       "--columns selects";
	return check_retained(root, o, retained);
}

static bool
baseline_sum(const json_t *dump, const char *key, struct hp_graph_sum *sum)
{
	const json_t *j = json_object_get(dump, key);

	return hp_saved_u64(json_object_get(j, "objects"), &sum->objects) &&
	       hp_saved_u64(json_object_get(j, "bytes"), &sum->bytes);
}

/*
 * Returns the columns that a saved result has. With --by=cpu, it has either
 * samples or milliseconds.
 */
static unsigned
columns_of(const struct hp_result *r, const json_t *root)
{
	unsigned columns = hp_columns_of_key(r->by);

	if (r->by != HP_BY_CPU)
		return columns;
	return columns & ~(hp_saved_is_word(root, "unit", "ms")
				   ? HP_COLUMN_SAMPLES
				   : HP_COLUMN_MS | HP_COLUMN_CALLS);
}

/*
 * Read the labels of the dump (--label). Returns false if they are not in the
 * form in which hprof-diff saves them.
 */
static bool
read_labels(struct hp_result *r, struct hp_dump_info *info, json_t *labels)
{
	struct hp_label *list;
	const char *key;
	json_t *value;

	if (!labels)
		return true;
	list = hp_arena_alloc(&r->arena,
			      (json_object_size(labels) + 1) * sizeof(*list));
	if (!list || !json_is_object(labels))
		return false;
	info->labels = list;
	json_object_foreach(labels, key, value)
	{
		struct hp_label *l = &list[info->nlabels];

		const char *text = hp_saved_text(&r->arena, value);

		if (!hp_label_is_key(key, strlen(key)) || !text)
			return false;
		l->key = hp_arena_copy(&r->arena, key, strlen(key));
		l->value = hp_arena_copy(&r->arena, text, strlen(text));
		l->visible = true;
		if (!l->key || !l->value)
			return false;
		info->nlabels++;
	}
	return true;
}

/*
 * Read the average number of bytes between two sampled objects, or 0 if the
 * dump contains all objects. Returns false if it is invalid.
 */
static bool
read_sample(const json_t *dump, enum hp_by by, uint64_t *sample)
{
	const json_t *j = json_object_get(dump, "sample");

	*sample = 0;
	return !j ||
	       (hp_key_is(by, HP_KEY_NEEDS_TRACES) && hp_saved_u64(j, sample) &&
		*sample > 0 && *sample <= INT32_MAX);
}

static bool
read_undescribed(const json_t *dump, struct hp_undescribed *u)
{
	const json_t *j = json_object_get(dump, "undescribed");

	return !j ||
	       (hp_saved_u64(json_object_get(j, "objects"), &u->objects) &&
		hp_saved_u64(json_object_get(j, "classes"), &u->classes));
}

/*
 * Read the sizes of objects of each class, and the size model. Returns NULL, or
 * a text that says what is wrong.
 */
static const char *
read_sizes(struct hp_result *r, struct hp_dump_info *info,
	   const struct hp_diff_options *o, const json_t *root, const json_t *d)
{
	const char *dialect =
		hp_saved_text(&r->arena, json_object_get(d, "dialect"));

	if (!dialect ||
	    !read_size_model(root,
			     strcmp(dialect, "art") == 0 ||
				     strcmp(dialect, "dalvik") == 0,
			     &r->arena, &info->layout) ||
	    !hp_listed_sizes_read(root, &r->arena, &info->sizes) ||
	    (!hp_key_is(o->by, HP_KEY_EVENTS) &&
	     (!hp_saved_u64(json_object_get(d, "objects"), &info->objects) ||
	      !hp_saved_u64(json_object_get(d, "bytes"), &info->bytes))) ||
	    (r->rows.retained &&
	     (!baseline_sum(d, "reachable", &info->reachable) ||
	      !baseline_sum(d, "weak", &info->weak) ||
	      !baseline_sum(d, "unreachable", &info->unreachable) ||
	      (json_object_get(d, "hidden_fields") &&
	       !baseline_sum(d, "hidden_fields", &info->hidden)) ||
	      (json_object_get(d, "finalizer_queue") &&
	       !baseline_sum(d, "finalizer_queue", &info->waiting)))))
		return "this saved result is incomplete";
	if (o->layout && !hp_key_is(o->by, HP_KEY_EVENTS) &&
	    has_other_size_model(root, &info->layout, o->layout))
		return "this saved result was made with another --layout";
	info->dialect = hp_arena_copy(&r->arena, dialect, strlen(dialect));
	return info->dialect ? NULL : "out of memory";
}

/*
 * Read further facts about the dump, such as its time. Returns NULL, or a text
 * that says what is wrong.
 */
static const char *
read_circumstances(struct hp_result *r, struct hp_dump_info *info,
		   const struct hp_diff_options *o, const json_t *d)
{
	/* if the member is missing, the dump was complete */
	const json_t *partial = json_object_get(d, "partial");
	/* if the member is missing, the dump had roots, as far as known */
	const json_t *unrooted = json_object_get(d, "unrooted");

	if (!hp_saved_u64(json_object_get(d, "timestamp_ms"),
			  &info->timestamp_ms) ||
	    info->timestamp_ms >= HP_TIME_END)
		info->timestamp_ms =
			/*
			 * earlier versions saved invalid times; such a time
			 * counts as unknown
			 */
			0;
	if ((partial && !json_is_boolean(partial)) ||
	    (unrooted && !json_is_boolean(unrooted)) ||
	    !read_sample(d, o->by, &info->sample) ||
	    !read_undescribed(d, &info->undescribed))
		return "this saved result has an invalid value of \"partial\", "
		       "\"unrooted\", \"sample\" or \"undescribed\"";
	info->text = hp_saved_is_word(d, "format", "text");
	if (!read_labels(r, info, json_object_get(d, "labels")))
		return "the labels of this saved result cannot be read";
	info->partial = json_is_true(partial);
	info->unrooted = json_is_true(unrooted);
	return info->partial && !o->partial
		       ? "this saved result is of the readable part of a "
			 "damaged dump; --partial uses it"
		       : NULL;
}

/*
 * Whether the number of objects in a saved result of --by=dominator or
 * --by=path is wrong. Early versions saved the sum of the rows instead. A
 * correct number is at least the number of objects in the object graph.
 */
static bool
has_objects_of_rows(const struct hp_dump_info *info)
{
	uint64_t nodes = info->reachable.objects;

	hp_sum_add(&nodes, info->weak.objects);
	hp_sum_add(&nodes, info->hidden.objects);
	hp_sum_add(&nodes, info->unreachable.objects);
	return info->objects < nodes;
}

static const char *
read_dump(struct hp_result *r, struct hp_rows *into, size_t column,
	  const struct hp_diff_options *o, const json_t *root)
{
	struct hp_dump_info *info = &r->dumps[column];
	const json_t *d = json_array_get(json_object_get(root, "dumps"), 0);
	json_int_t schema = json_integer_value(json_object_get(root, "schema"));
	/*
	 * with these --by keys, the sum of the rows is not the number of
	 * objects in the dump
	 */
	bool others = hp_key_is(o->by, HP_KEY_OVERLAPS | HP_KEY_PARTS_OF_HEAP |
					       HP_KEY_OF_GRAPH | HP_KEY_EVENTS);
	struct hp_saved_rows w = {.r = r,
				  .into = into,
				  .column = column,
				  .old = schema < HP_RESULT_SCHEMA,
				  .columns = columns_of(r, root)};
	uint64_t sums[HP_COLS] = {0};
	const char *wrong = read_sizes(r, info, o, root, d);

	if (wrong)
		return wrong;
	if (hp_diff_by_graph(o) && has_objects_of_rows(info))
		return "this saved result was made by an earlier version with "
		       "different rows; save it again";
	r->absent &= ~w.columns;
	if ((o->heap || others) && !hp_saved_total_read(&w, root, sums))
		return "this saved result has no total";
	info->all_objects = o->heap ? sums[HP_COL_COUNT] : info->objects;
	info->all_bytes = o->heap ? sums[HP_COL_BYTES] : info->bytes;
	info->all_native = sums[HP_COL_NATIVE];
	wrong = read_circumstances(r, info, o, d);
	if (wrong)
		return wrong;
	if (!others) {
		sums[HP_COL_COUNT] = info->objects;
		sums[HP_COL_BYTES] = info->bytes;
	}
	return hp_saved_rows_read(&w, json_object_get(root, "rows"), sums);
}

/*
 * Returns a text that says why @b is not a single JSON value, or why one of its
 * objects has duplicate members. NULL: it is correct.
 */
static const char *
no_json(const struct hp_buf *b)
{
	const size_t how = JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES;
	json_t *first = hp_json_load(b->data, b->len, how, &(json_error_t){0});
	bool lines = hp_saved_is_word(first, "tool", "hprof-diff");

	json_decref(first);
	return lines ? "this result was written with --format=ndjson or rows; "
		       "only a result of --format=json can be compared"
		     : "this is neither a dump nor a saved result in JSON";
}

int
hp_baseline_load(struct hp_result *r, struct hp_rows *records, bool *is_records,
		 const struct hp_diff_options *o, size_t column,
		 const char *path, struct hp_source *src,
		 const struct hp_messages *m)
{
	struct hp_error err = {0};
	struct hp_buf b = {0};
	json_t *root = NULL;
	const char *wrong = NULL;
	struct hp_rows *rows;
	enum hp_status st = hp_json_text_read(
		src, HP_BASELINE_MAX, "this saved result is larger than 1 GB",
		&b, &err);

	if (st == HP_OK) {
		root = hp_json_load(b.data, b.len, JSON_REJECT_DUPLICATES,
				    &(json_error_t){0});
		if (root && r->graph_unasked && lacks_retained(root, o))
			hp_result_drop_graph(
				r, "what is kept alive is not known: a saved "
				   "result has no object graph");
		wrong = root ? check_head(root, o, r->rows.retained)
			     : no_json(&b);
	}
	hp_buf_release(&b);
	r->dumps[column].path = path;
	r->dumps[column].saved = true;
	/* a saved result does not say how the dump was compressed */
	r->dumps[column].compression = NULL;
	if (st == HP_OK && !wrong) {
		*is_records = hp_saved_is_word(root, "sites", "records");
		rows = *is_records ? records : o->heap ? &r->in_heap : &r->rows;
		r->heap_only |= rows == &r->in_heap;
		wrong = read_dump(r, rows, column, o, root);
		hp_findings_load(root, r, column);
	}
	/* if memory ran out, the file may only seem to be wrong */
	if (st == HP_OK && wrong && hp_memory_refused(NULL, NULL))
		st = hp_no_memory(&err);
	if (st != HP_OK)
		hp_message_failure(m, path, &err);
	else if (wrong)
		hp_message(m, HP_MESSAGE_ERROR, path, "%s", wrong);
	else if (r->dumps[column].partial)
		hp_message(m, hp_diff_partial_level(o), path,
			   "this saved result is of the readable part of a "
			   "damaged dump");
	json_decref(root);
	r->refused |= st == HP_LIMIT;
	return st == HP_OK && !wrong ? HP_EXIT_OK : HP_EXIT_TROUBLE;
}
