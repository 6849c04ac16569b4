/*
 * saved_rows.c - read the rows and the total of a saved JSON result
 */
#include "diff/result/internal.h"

#include "common/cli/escape.h"
#include "diff/paths/paths.h"

const char *
hp_saved_text(struct hp_arena *arena, const json_t *j)
{
	const char *text = json_string_value(j);
	const uint8_t *p = (const uint8_t *)text;
	size_t length = json_string_length(j), n;
	struct hp_buf b = {0};
	uint32_t cp;

	if (!text)
		return NULL;
	for (size_t i = 0; i < length; i += n) {
		n = hp_text_decode(p + i, length - i, &cp);
		if (cp == HP_TEXT_INVALID || cp < 0x20 ||
		    (cp >= 0x7F && cp < 0xA0))
			return NULL;
	}
	hp_text_clean_visible(&b, text, length);
	if (!hp_buf_ok(&b))
		text = NULL;
	else if (b.len != length)
		text = hp_arena_copy(arena, b.data, b.len);
	hp_buf_release(&b);
	return text;
}

static bool
read_frames(const json_t *list, struct hp_arena *arena,
	    struct hp_row_frames *frames)
{
	size_t n = json_array_size(list);
	const char **text = hp_arena_alloc(arena, n * sizeof(*text));

	if (!text || n > UINT32_MAX)
		return false;
	for (size_t i = 0; i < n; i++) {
		text[i] = hp_saved_text(arena, json_array_get(list, i));
		if (!text[i])
			return false;
	}
	frames->text = text;
	frames->count = (uint32_t)n;
	return true;
}

/* Parse the hash of a stack, in the form in which report_json.c writes it. */
static bool
parse_hash(const char *text, uint64_t hash[2])
{
	uint64_t *part = &hash[1];

	if (!text || strlen(text) != 32)
		return false;
	hash[0] = hash[1] = 0;
	for (int i = 0; i < 32; i++) {
		const char *digits = "0123456789abcdef";
		const char *d = strchr(digits, text[i]);

		if (!d)
			return false;
		part = i < 16 ? &hash[1] : &hash[0];
		*part = *part << 4 | (uint64_t)(d - digits);
	}
	return true;
}

/*
 * Read the member @key of a row, a JSON array of one number: the value of the
 * row in the only dump of a saved result.
 */
static bool
baseline_value(const json_t *row, const char *key, uint64_t *out)
{
	const json_t *list = json_object_get(row, key);

	return json_array_size(list) == 1 &&
	       hp_saved_u64(json_array_get(list, 0), out);
}

/*
 * Returns the name that a column has in schema 1 of saved results, or NULL if
 * it has the same name in schema 2.
 */
static const char *
old_name(enum hp_col c, unsigned columns)
{
	switch (c) {
	case HP_COL_SAMPLES:
	case HP_COL_WAITS:
		return "count";
	case HP_COL_MS:
		return columns & HP_COLUMN_WAITS ? "bytes" : "count";
	case HP_COL_CALLS:
		return "bytes";
	default:
		return NULL;
	}
}

/*
 * Returns the length of the part before the arrow in the key of a row, such as
 * "Order.items → Item[]", or 0 if there is no arrow.
 */
static size_t
holder_length(const char *key)
{
	const char *arrow = strstr(key, HP_ROW_ARROW);

	return arrow ? (size_t)(arrow - key) : 0;
}

static bool
read_value(const struct hp_saved_rows *w, const json_t *j, enum hp_col c,
	   uint64_t *out)
{
	const char *old = w->old ? old_name(c, w->columns) : NULL;

	return baseline_value(j, old ? old : hp_columns[c].key, out);
}

/*
 * Whether every row of a saved result must have this column. The size of the
 * largest object is optional, unless an option requests it. Early versions of
 * hprof-diff did not save the numbers of loaders and references.
 */
static bool
is_needed(const struct hp_saved_rows *w, enum hp_col c)
{
	if (hp_column_is(c, HP_COLUMN_IS_ASKED))
		return w->r->options->columns & 1u << c;
	return !hp_column_is(c, HP_COLUMN_IS_OF_KEY);
}

/*
 * Read all columns of a row. Returns false if a column is missing. If the row
 * is a rollup (sum of other rows), only its retained sizes are read, because
 * the program computes its other values again.
 */
static bool
read_values(struct hp_saved_rows *w, struct hp_row *row, const json_t *j)
{
	for (unsigned i = 0; i < HP_COLS; i++) {
		enum hp_col c = (enum hp_col)i;
		uint64_t v = 0;

		if (!row->value[c] ||
		    !(w->columns & w->into->columns & 1u << c) ||
		    (row->rollup && !hp_column_is(c, HP_COLUMN_IS_RETAINED)))
			continue;
		if (!read_value(w, j, c, &v)) {
			if (is_needed(w, c) ||
			    json_object_get(j, hp_columns[c].key))
				return false;
			continue;
		}
		hp_sum_add(&row->value[c][w->column], v);
		if (!row->beside)
			hp_sum_add(&w->sums[c], v);
	}
	return true;
}

/*
 * Record that the row @row was read. Returns false if the same row was read
 * before, if @row is NULL, or if out of memory.
 */
static bool
is_new(struct hp_saved_rows *w, const struct hp_row *row)
{
	bool fresh = false;

	if (row && hp_id_map_put(&w->seen, row->index + 1, &fresh))
		w->twice = !fresh;
	return fresh;
}

/*
 * Make room for @n more entries in the list of a struct hp_row_within. Returns
 * NULL if out of memory. The capacity doubles each time, because the old list
 * is in an arena and cannot be freed.
 */
static struct hp_row_within *
reserve_within(struct hp_arena *arena, struct hp_row_within *old, size_t n)
{
	size_t had = old ? old->count : 0, cap = had + n;
	struct hp_row_within *to;

	if (old && n <= old->cap - old->count)
		return old;
	if (old && cap < 2 * (size_t)old->cap)
		cap = 2 * (size_t)old->cap;
	if (cap > UINT32_MAX)
		cap = UINT32_MAX;
	to = hp_arena_alloc(arena, sizeof(*to) + cap * sizeof(to->by[0]));
	if (!to)
		return NULL;
	to->count = (uint32_t)had;
	to->cap = (uint32_t)cap;
	if (had > 0)
		memcpy(to->by, old->by, had * sizeof(to->by[0]));
	return to;
}

/*
 * With --by=path, the path of a row may begin with a static field. Read the
 * paths that keep the class of this field alive, and append them to @row, which
 * may already have such paths from earlier saved results.
 */
static bool
read_within(struct hp_saved_rows *w, struct hp_row *row, const json_t *j)
{
	struct hp_arena *arena = &w->into->arena;
	const json_t *list = json_object_get(j, "within");
	size_t n = json_array_size(list);
	size_t had = row->within ? row->within->count : 0;
	struct hp_row_within *to;

	if (!hp_key_is(w->r->by, HP_KEY_PATHS) || n == 0 ||
	    n > UINT32_MAX - had)
		return true;
	to = reserve_within(arena, row->within, n);
	if (!to)
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *text =
			hp_saved_text(arena, json_array_get(list, i));
		struct hp_row_kept *kept = &to->by[had + i];

		if (!text)
			return false;
		*kept = (struct hp_row_kept){.dump = (uint32_t)w->column};
		kept->text = hp_arena_copy(arena, text, strlen(text));
		if (!kept->text)
			return false;
	}
	to->count = (uint32_t)(had + n);
	row->within = to;
	return true;
}

/*
 * With --by=path: read whether the last class of the path belongs to the
 * application.
 */
static bool
read_origin(const struct hp_saved_rows *w, struct hp_row *row, const json_t *j)
{
	const json_t *v = json_object_get(j, "application");
	uint8_t origin =
		json_is_true(v) ? HP_CLASS_OF_APPLICATION : HP_CLASS_OF_JDK;

	if (!hp_key_is(w->r->by, HP_KEY_PATHS) || !v)
		return true;
	if (origin > row->origin)
		row->origin = origin;
	return json_is_boolean(v);
}

static bool
read_row(struct hp_saved_rows *w, const json_t *j)
{
	struct hp_result *r = w->r;
	const char *key = hp_saved_text(&r->arena, json_object_get(j, "key"));
	const json_t *site = json_object_get(j, "site");
	bool rollup = json_is_true(json_object_get(j, "rollup"));
	struct hp_row_frames frames = {0};
	uint64_t hash[2];
	struct hp_row *row;

	if (!key || (!site && !rollup && hp_result_has_stacks(r)))
		return false;
	if (site &&
	    (!parse_hash(json_string_value(site), hash) ||
	     !read_frames(json_object_get(j, "frames"), &r->arena, &frames)))
		return false;
	if (rollup) {
		/*
		 * a rollup (sum of other rows) is computed again, except for
		 * its retained size
		 */
		if (!w->into->retained)
			return true;
		row = hp_rows_put_rollup(w->into, key, strlen(key));
		return is_new(w, row) && read_values(w, row, j);
	}
	row = hp_rows_put(w->into, key, strlen(key), site ? hash : NULL,
			  &frames);
	if (!is_new(w, row))
		return false;
	if (hp_key_is(r->by, HP_KEY_NEEDS_REFERENCES))
		row->holder_len = holder_length(row->key);
	row->beside = json_is_true(json_object_get(j, "beside"));
	return read_values(w, row, j) && read_within(w, row, j) &&
	       read_origin(w, row, j);
}

bool
hp_saved_total_read(const struct hp_saved_rows *w, const json_t *root,
		    uint64_t sums[HP_COLS])
{
	const json_t *total = json_object_get(root, "total");

	for (unsigned i = 0; i < HP_COLS; i++) {
		enum hp_col c = (enum hp_col)i;

		if (!(w->columns & w->into->columns & 1u << c) ||
		    !hp_columns[c].join ||
		    hp_column_is(c,
				 HP_COLUMN_IS_NO_TOTAL | HP_COLUMN_IS_OF_KEY))
			continue;
		if (!read_value(w, total, c, &sums[c]))
			return false;
	}
	return true;
}

const char *
hp_saved_rows_read(struct hp_saved_rows *w, const json_t *rows,
		   const uint64_t sums[HP_COLS])
{
	const struct hp_result *r = w->r;
	const enum hp_col *own = hp_row_keys[r->by].own;
	size_t n = json_array_size(rows);
	bool fine = true;

	for (size_t i = 0; i < n && fine; i++)
		fine = read_row(w, json_array_get(rows, i));
	hp_id_map_release(&w->seen);
	if (!fine)
		return w->twice ? "this saved result contains a row twice"
				: "this saved result has a row that cannot be "
				  "read";
	for (; *own != HP_COLS && w->sums[*own] == sums[*own]; own++)
		;
	if (*own == HP_COLS)
		return NULL;
	return hp_key_is(r->by, HP_KEY_PATHS)
		       ? "this saved result lacks rows; save it again without "
			 "--filter, --top and --ignore-path"
		       : "this saved result lacks rows; save it again without "
			 "--filter and --top";
}
