/*
 * histogram.c - hprof_histogram_read(): count the objects of each class
 *
 * The code of hprof-diff counts the objects. The result is copied, so that all
 * other memory of the dump can be freed.
 */
#include "common/base/memory.h"
#include "lib/internal.h"

#include "diff/count/histogram.h"
#include "diff/keys/resolve.h"

#include <stdlib.h>
#include <string.h>

struct row {
	const char *name;
	uint64_t count, bytes;
};

struct hprof_histogram {
	struct hp_arena arena;
	struct row *rows;
	size_t nrows;
	uint64_t objects, bytes;
	/* describes the damaged or missing parts; NULL: the dump is complete */
	const char *partial;
	const char *dialect;
	/* the file does not contain the dump with the number options.dump */
	bool lacks_dump;
};

/*
 * Compare two rows for qsort(): rows with more bytes come first; rows with
 * equal bytes are ordered by name.
 */
static int
compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->bytes != y->bytes)
		return hp_order(y->bytes, x->bytes);
	return strcmp(x->name, y->name);
}

static enum hp_status
copy_rows(struct hprof_histogram *h, const struct hp_rows *rows,
	  struct hp_error *err)
{
	h->rows = hp_calloc(rows->count ? rows->count : 1, sizeof(*h->rows));
	if (!h->rows)
		return hp_no_memory(err);
	for (size_t i = 0; i < rows->count; i++) {
		const struct hp_row *from = rows->list[i];
		struct row *to = &h->rows[h->nrows++];

		to->count = from->count[0];
		to->bytes = from->bytes[0];
		to->name = hp_arena_copy(&h->arena, from->key, from->key_len);
		if (!to->name)
			return hp_no_memory(err);
	}
	if (h->nrows > 0)
		qsort(h->rows, h->nrows, sizeof(*h->rows), compare_rows);
	return HP_OK;
}

/*
 * Check whether the input is a dump, contains the requested dump, and is
 * complete. Sets h->lacks_dump, h->dialect and h->partial.
 */
static enum hp_status
judge(struct hprof_histogram *h, const struct hp_histogram *g, unsigned dump,
      struct hp_error *err)
{
	const struct hp_symptom *s = g->damaged;
	struct hp_symptom header;
	char text[HP_SYMPTOM_TEXT];

	if (!s && hp_symptom_of_header(&g->header, &header))
		s = &header;
	if (s)
		hp_symptom_text(s, text);
	if (!hp_header_readable(&g->header))
		return hp_fail(err, HP_DAMAGED, "%s",
			       s ? text : "the header cannot be read");
	h->lacks_dump = dump > g->held;
	if (h->lacks_dump)
		return hp_scan_no_dump(dump, g->held, err);
	if (g->dumps == 0 && !s)
		return hp_fail(err, HP_DAMAGED,
			       "the file contains no heap dump");
	h->dialect = hp_dialect_name(g->dialect);
	if (!s)
		return HP_OK;
	h->partial = hp_arena_copy(&h->arena, text, strlen(text));
	return h->partial ? HP_OK : hp_no_memory(err);
}

static enum hp_status
name_and_weigh(struct hprof_histogram *h, struct hp_histogram *g,
	       struct hp_error *err)
{
	struct hp_resolve_notes notes = {0};
	struct hp_dump_info info = {0};
	struct hp_diff_options o;
	struct hp_rows rows;
	const struct hp_column column = {
		.g = g, .o = &o, .rows = &rows, .info = &info};
	enum hp_status st;

	hp_diff_options_init(&o);
	hp_rows_init(&rows, 1);
	st = hp_resolve_layout(g, &o, &info.layout, err);
	if (st == HP_OK)
		st = hp_resolve(&column, NULL, NULL, &notes, err);
	if (st == HP_OK)
		st = copy_rows(h, &rows, err);
	h->objects = info.objects;
	h->bytes = info.bytes;
	hp_rows_release(&rows);
	hp_diff_options_release(&o);
	return st;
}

static enum hp_status
count(struct hprof_histogram *h, const char *path, struct hp_lib_options *o,
      struct hp_error *err)
{
	const struct hp_source_options so = hp_lib_source_options(o);
	struct hp_lib_memory limited;
	struct hp_source *src;
	struct hp_histogram g;
	enum hp_status st = hp_lib_memory_enter(&limited, o, err);
	const struct hp_histogram_options options = {.threads = o->threads,
						     .dump = o->dump};

	if (st != HP_OK)
		return st;
	st = hp_source_open(&src, path, &so, err);
	if (st != HP_OK) {
		hp_lib_memory_leave(&limited);
		return st;
	}
	st = hp_histogram_run(&g, src, &options, err);
	if (st == HP_OK)
		st = judge(h, &g, o->dump, err);
	if (st == HP_OK)
		st = name_and_weigh(h, &g, err);
	hp_histogram_release(&g);
	hp_source_close(src);
	hp_lib_memory_leave(&limited);
	return st;
}

int
hprof_histogram_read(const char *path, const struct hprof_options *options,
		     hprof_histogram **out, struct hprof_error *error)
{
	struct hp_lib_options o;
	struct hp_error err = {0};
	struct hprof_histogram *h;
	int status;

	status = hp_lib_begin(path && out, "path or out is NULL", options, &o,
			      error);
	if (status != HPROF_OK)
		return status;
	*out = NULL;
	h = hp_lib_new(sizeof(*h), error);
	if (!h)
		return HPROF_NO_MEMORY;
	if (count(h, path, &o, &err) == HP_OK) {
		*out = h;
		return HPROF_OK;
	}
	status = h->lacks_dump ? hp_lib_fail_text(error, HPROF_NOT_FOUND, "%s",
						  err.text)
			       : hp_lib_fail(error, &err);
	hprof_histogram_free(h);
	return status;
}

void
hprof_histogram_free(hprof_histogram *h)
{
	if (!h)
		return;
	hp_free(h->rows);
	hp_arena_release(&h->arena);
	hp_free(h);
}

size_t
hprof_histogram_rows(const hprof_histogram *h)
{
	return h->nrows;
}

const char *
hprof_histogram_class(const hprof_histogram *h, size_t i)
{
	return i < h->nrows ? h->rows[i].name : NULL;
}

uint64_t
hprof_histogram_count(const hprof_histogram *h, size_t i)
{
	return i < h->nrows ? h->rows[i].count : 0;
}

uint64_t
hprof_histogram_bytes(const hprof_histogram *h, size_t i)
{
	return i < h->nrows ? h->rows[i].bytes : 0;
}

uint64_t
hprof_histogram_objects(const hprof_histogram *h)
{
	return h->objects;
}

uint64_t
hprof_histogram_total_bytes(const hprof_histogram *h)
{
	return h->bytes;
}

const char *
hprof_histogram_partial(const hprof_histogram *h)
{
	return h->partial;
}

const char *
hprof_histogram_dialect(const hprof_histogram *h)
{
	return h->dialect;
}
