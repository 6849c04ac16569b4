/*
 * text_strings.c - find the arrays of String objects, and format the text in
 * them
 */
#include "convert/export/text.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "common/format/scan.h"

enum {
	/*
	 * A thread formats the text of an array of up to this many bytes at
	 * once. A longer text is formatted when the output is written.
	 */
	SHORT = 64 << 10,
	/*
	 * After a thread has collected this many bytes of text in a part of the
	 * dump, all further texts are formatted when the output is written.
	 */
	CROWDED = 32 << 20,
	/*
	 * number of bytes that are read first, from the beginning of an array
	 */
	FIRST = 256,
	/* number of characters to read and format at a time */
	PIECE = 32 << 10,
	/*
	 * The text of a String may itself look like an escape such as \u0041.
	 * This is the maximum length of such an escape, in characters.
	 */
	ESCAPE = 12,
	/*
	 * A text of up to this many bytes is shown for every String object that
	 * shares its array. A longer text is shown only once.
	 */
	SHARED = 256,
};

struct hp_strings_worker {
	struct hp_dump_table at;
	struct hp_buf text;
	uint8_t bytes[SHORT + FIRST];
};

/* A char[] or byte[] with the text of a String, and its offset in the file. */
struct array {
	uint64_t at; /* offset in the file of the first element of the array */
	uint32_t count;
	uint8_t type;
};

/*
 * A String whose text is formatted later. Either the text is long, or several
 * Strings may share the array, and it is not known yet which of them shows the
 * text.
 */
struct value {
	/*
	 * the text replaces the bytes from `at` to `end` of the thread's
	 * output: from the name of the JSON member to the closing quote
	 */
	size_t at, end;
	/*
	 * the text is too long for the output of the thread, so it is formatted
	 * when the output is written
	 */
	bool late;
	/*
	 * the text is long, so only one String of those with this array shows
	 * the text
	 */
	bool is_long;
	struct hp_java_string string;
	struct array array;
};

struct hp_deferred_value {
	struct hp_deferred_value *next;
	uint64_t batch;
	size_t count, cap;
	/*
	 * the Strings whose text is formatted later, in the order of the
	 * thread's output
	 */
	struct value *values;
};

static struct hp_dump_table *
table_of(struct hp_strings *s, const struct hp_batch *b)
{
	struct hp_dump_table *at = &s->workers[b->worker].at;

	hp_dump_table_select(at, &s->tables, b->dump);
	return at;
}

/* ---- the passes that find the arrays of Strings ---- */

static bool
string_in(const struct hp_strings *s, const struct hp_dump_table *at,
	  const struct hp_sub *sub, struct hp_java_string *out)
{
	const struct hp_java_string_class *class = &s->classes[at->place];

	return sub->tag == HP_SUB_INSTANCE_DUMP && at->table &&
	       class->id != 0 && sub->class_id == class->id &&
	       hp_java_string_read(class, s->id_size, sub->data, sub->count,
				   out) &&
	       out->array != 0;
}

static enum hp_status
on_strings(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_strings *s = ctx;
	struct hp_dump_table *at = table_of(s, b);
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct hp_java_string string;
	struct hp_sub sub = {0};

	while (at->table && hp_batch_next(&walk, b, &sub, s->id_size))
		if (!walk.piece && string_in(s, at, &sub, &string))
			hp_dump_table_note(at, string.array, &s->lock);
	hp_dump_table_flush(at, &s->lock);
	return HP_OK;
}

static void
put_array_place(struct hp_dump_table *at, const struct hp_sub *sub)
{
	if (sub->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	    (sub->type == HP_TYPE_BYTE || sub->type == HP_TYPE_CHAR))
		hp_id_table_put(at->table, &at->near, sub->id, sub->offset);
}

static enum hp_status
on_arrays(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_strings *s = ctx;
	struct hp_dump_table *at = table_of(s, b);
	struct hp_batch_walk walk = {.ahead = HP_AHEAD};
	struct hp_sub sub = {0};

	while (at->table && hp_batch_next(&walk, b, &sub, s->id_size))
		put_array_place(at, &sub);
	return HP_OK;
}

static enum hp_status
finish_ids(struct hp_strings *s, struct hp_error *err)
{
	enum hp_status st =
		hp_dump_tables_settle(&s->tables, hp_source_size(s->src), err);

	if (st != HP_LIMIT)
		return st;
	*err = (struct hp_error){0};
	return hp_fail(err, HP_LIMIT,
		       "--strings needs more --memory: the table of the arrays "
		       "of all Strings does not fit");
}

enum hp_status
hp_strings_init(struct hp_strings *s, const struct hp_prepass *prepass,
		struct hp_source *src, unsigned threads, uint64_t memory,
		struct hp_error *err)
{
	pthread_mutex_init(&s->lock, NULL);
	s->prepass = prepass;
	s->src = src;
	s->id_size = prepass->header.id_size;
	s->threads = threads;
	s->shared_memory = memory / 4;
	s->classes = hp_calloc(prepass->ndumps + 1, sizeof(*s->classes));
	s->workers = hp_calloc(threads, sizeof(*s->workers));
	if (!s->classes || !s->workers)
		return hp_no_memory(err);
	for (size_t i = 0; i < prepass->ndumps; i++)
		s->classes[i] = hp_java_string_class(
			&prepass->dumps[i]->classes, &prepass->tables);
	return hp_dump_tables_init(&s->tables, prepass, src, memory,
				   "--strings", err);
}

struct hp_pass
hp_strings_note_pass(struct hp_strings *s)
{
	return (struct hp_pass){
		.need = HP_NEED_HEADS, .ctx = s, .batch = on_strings};
}

enum hp_status
hp_strings_place(struct hp_strings *s, struct hp_error *err)
{
	const struct hp_pass p = {
		.need = HP_NEED_HEADS, .ctx = s, .batch = on_arrays};
	const struct hp_scan_options so = {.threads = s->threads,
					   .only_dump = s->prepass->dump};
	enum hp_status st = finish_ids(s, err);

	if (st == HP_OK)
		st = hp_source_rewind(s->src, err);
	return st == HP_OK ? hp_scan(s->src, &p, &so, err) : st;
}

static void
deferred_release(struct hp_deferred_value *l)
{
	hp_free(l->values);
	hp_free(l);
}

void
hp_strings_release(struct hp_strings *s)
{
	if (!s->prepass)
		return;
	hp_dump_tables_release(&s->tables);
	for (unsigned i = 0; s->workers && i < s->threads; i++)
		hp_buf_release(&s->workers[i].text);
	for (struct hp_deferred_value *l = s->late, *next; l; l = next) {
		next = l->next;
		deferred_release(l);
	}
	hp_buf_release(&s->piece);
	hp_id_map_release(&s->first_batches);
	hp_free(s->classes);
	hp_free(s->workers);
	pthread_mutex_destroy(&s->lock);
	*s = (struct hp_strings){0};
}

/* ---- format the text of strings ---- */

/*
 * Returns the end (an index) of the part of a text that begins at index @from.
 * A part never ends inside a surrogate pair, or inside characters that look
 * like an escape.
 */
static uint32_t
piece_end(const struct hp_java_chars *c, uint32_t from)
{
	uint32_t end = from + PIECE;

	if (c->units - from <= PIECE)
		return c->units;
	if (hp_java_unit(c, end - 1) >> 10 == 0xD800 >> 10)
		end--;
	for (uint32_t i = end; i > end - ESCAPE; i--)
		if (hp_java_unit(c, i - 1) == '\\')
			return i - 1;
	return end;
}

/*
 * Append the next part of a text, escaped. The part begins at the index *@at,
 * which moves to the end of the part.
 */
static void
add_piece(struct hp_buf *out, struct hp_buf *text,
	  const struct hp_java_chars *c, uint32_t *at)
{
	uint32_t end = piece_end(c, *at);

	hp_buf_clear(text);
	hp_java_chars_add(text, c, *at, end - *at);
	hp_escape_json_exact(out, text->data, text->len);
	hp_buf_inherit(out, text);
	*at = end;
}

/*
 * Read the fixed fields of an array. @bytes has the first @n bytes of the
 * array, and @offset is the file offset of its tag. Returns false if this is
 * not a valid array.
 */
static bool
read_head(const struct hp_strings *s, const uint8_t *bytes, uint64_t n,
	  uint64_t offset, struct array *a)
{
	unsigned head = hp_primitive_array_head(s->id_size);
	uint64_t left = hp_source_size(s->src) - offset;

	if (n < head || bytes[0] != HP_SUB_PRIMITIVE_ARRAY_DUMP)
		return false;
	a->at = offset + head;
	a->count = hp_read_once(hp_load4(bytes + 5 + s->id_size));
	a->type = (uint8_t)hp_read_once(bytes[head - 1]);
	return hp_type_is_primitive(a->type) &&
	       a->count <= (left - head) / hp_type_size(a->type, s->id_size);
}

static uint64_t
array_bytes(const struct array *a)
{
	return (uint64_t)a->count * hp_type_size(a->type, 8);
}

/*
 * Get the first bytes of the array at @offset: from memory if the current part
 * of the dump contains the array, otherwise from the file. *@n receives the
 * number of bytes.
 */
static enum hp_status
peek_array(struct hp_strings *s, const struct hp_batch *b, uint64_t offset,
	   const uint8_t **bytes, size_t *n, struct hp_error *err)
{
	struct hp_strings_worker *w = &s->workers[b->worker];

	if (offset >= b->offset && offset - b->offset < b->length &&
	    b->length - (offset - b->offset) >= SHORT + FIRST) {
		*bytes = b->data + (offset - b->offset);
		*n = SHORT + FIRST;
		return HP_OK;
	}
	*bytes = w->bytes;
	return hp_source_pread(s->src, w->bytes, FIRST, offset, n, err);
}

static enum hp_status
defer_value(struct hp_strings *s, const struct hp_batch *b,
	    const struct value *v, struct hp_error *err)
{
	struct hp_deferred_value *l;
	bool ok = true;

	pthread_mutex_lock(&s->lock);
	for (l = s->late; l && l->batch != b->index;)
		l = l->next;
	if (!l) {
		l = hp_calloc(1, sizeof(*l));
		ok = l != NULL;
		if (ok) {
			l->batch = b->index;
			l->next = s->late;
			s->late = l;
		}
	}
	ok = ok && HP_LIST_PUSH(l->values, l->count, l->cap, *v);
	pthread_mutex_unlock(&s->lock);
	return ok ? HP_OK : hp_no_memory(err);
}

static uint64_t
array_key(const struct array *a)
{
	return a->at;
}

/*
 * Whether a String in an earlier part of the file has the same array. *@st
 * becomes HP_NOMEM if out of memory, or HP_LIMIT if first_batches exceeds its
 * memory limit.
 */
static bool
is_shared(struct hp_strings *s, const struct hp_batch *b, const struct array *a,
	  enum hp_status *st, struct hp_error *err)
{
	bool fresh = false, shared = false, fits;
	uint64_t *first;

	pthread_mutex_lock(&s->lock);
	first = hp_id_map_find(&s->first_batches, array_key(a));
	fits = first || hp_id_map_fits(&s->first_batches, s->shared_memory);
	if (!first && fits)
		first = hp_id_map_put(&s->first_batches, array_key(a), &fresh);
	if (!fits)
		*st = hp_fail(err, HP_LIMIT,
			      "--strings needs more --memory: the list of long "
			      "texts does not fit");
	else if (!first)
		*st = hp_no_memory(err);
	else if (fresh || *first > b->index)
		*first = b->index;
	else
		shared = true;
	pthread_mutex_unlock(&s->lock);
	return shared;
}

static void
add_shared(const struct hp_strings *s, uint64_t array, struct hp_buf *out)
{
	hp_buf_printf(out, "%s%llx%s", s->shared, (unsigned long long)array,
		      s->shared_end);
}

/*
 * Returns the number of bytes of the array that belong to the text of the
 * String.
 */
static uint64_t
value_bytes(const struct hp_java_string *string, const struct array *a)
{
	struct hp_java_chars c;
	uint64_t begin;
	bool sure;

	if (!hp_java_string_place(&c, string, a->type, a->count, &begin, &sure))
		return 0;
	return (uint64_t)c.units * (c.wide ? 2 : 1);
}

/*
 * Append the text of a short string. @bytes has the first @n bytes of the
 * array, including its fixed fields.
 */
static enum hp_status
add_short(struct hp_strings *s, const struct hp_batch *b, const struct value *v,
	  const uint8_t *bytes, size_t n, struct hp_buf *out,
	  struct hp_error *err)
{
	struct hp_strings_worker *w = &s->workers[b->worker];
	unsigned head = hp_primitive_array_head(s->id_size);
	enum hp_status st = HP_OK;
	struct hp_java_chars c;

	if (head + array_bytes(&v->array) > n) {
		st = hp_source_pread(s->src, w->bytes,
				     (size_t)array_bytes(&v->array),
				     v->array.at, &n, err);
		bytes = w->bytes;
		head = 0;
	}
	if (st == HP_OK && hp_java_string_chars(&c, &v->string, v->array.type,
						bytes + head, v->array.count))
		for (uint32_t at = 0; at < c.units;)
			add_piece(out, &w->text, &c, &at);
	return st;
}

static enum hp_status
add_value(struct hp_strings *s, const struct hp_batch *b, uint64_t offset,
	  const struct hp_java_string *string, struct hp_buf *out,
	  struct hp_error *err)
{
	struct value v = {.string = *string, .at = out->len};
	enum hp_status st = HP_OK;
	const uint8_t *bytes;
	size_t n;

	st = peek_array(s, b, offset, &bytes, &n, err);
	if (st != HP_OK)
		return st;
	if (!read_head(s, bytes, n, offset, &v.array)) {
		atomic_fetch_add(&s->missing, 1);
		return HP_OK;
	}
	v.is_long = value_bytes(string, &v.array) > SHARED;
	if (v.is_long && is_shared(s, b, &v.array, &st, err)) {
		add_shared(s, string->array, out);
		return st;
	}
	v.late = array_bytes(&v.array) > SHORT || out->len > CROWDED;
	if (st == HP_OK && !v.late) {
		hp_buf_text(out, s->intro);
		hp_buf_byte(out, '"');
		st = add_short(s, b, &v, bytes, n, out, err);
		hp_buf_byte(out, '"');
	}
	v.end = out->len;
	return st == HP_OK && (v.late || v.is_long) ? defer_value(s, b, &v, err)
						    : st;
}

enum hp_status
hp_strings_value(struct hp_strings *s, const struct hp_batch *b,
		 const struct hp_sub *sub, struct hp_buf *out,
		 struct hp_error *err)
{
	struct hp_dump_table *at = table_of(s, b);
	struct hp_java_string string;
	uint64_t place;

	if (!string_in(s, at, sub, &string))
		return HP_OK;
	place = hp_id_table_get(at->table, &at->near, string.array);
	if (place)
		return add_value(s, b, place - 1, &string, out, err);
	atomic_fetch_add(&s->missing, 1);
	return HP_OK;
}

/* ---- long strings, which hp_strings_write() inserts ---- */

/*
 * Read the next characters of a text into @bytes, from index @from on, but at
 * most @left characters.
 */
static enum hp_status
read_units(struct hp_strings *s, struct hp_java_chars *c, uint64_t begin,
	   uint32_t from, uint32_t left, uint8_t *bytes, struct hp_error *err)
{
	unsigned width = c->wide ? 2 : 1;
	enum hp_status st;
	size_t got;

	c->units = left < PIECE + 1 ? left : PIECE + 1;
	c->data = bytes;
	st = hp_source_pread(s->src, bytes, (size_t)c->units * width,
			     begin + (uint64_t)from * width, &got, err);
	if (st == HP_OK && got < (size_t)c->units * width)
		return hp_fail(err, HP_IO,
			       "the file was truncated while it was read");
	return st;
}

static enum hp_status
find_order(struct hp_strings *s, struct hp_java_chars *c, uint64_t begin,
	   uint8_t *bytes, struct hp_error *err)
{
	struct hp_java_order order = {0};
	uint32_t units = c->units;
	enum hp_status st = HP_OK;

	for (uint32_t at = 0; at < units && st == HP_OK; at += c->units) {
		st = read_units(s, c, begin, at, units - at, bytes, err);
		if (st == HP_OK)
			hp_java_order_add(&order, bytes, c->units);
	}
	c->little = hp_java_order_is_little(&order);
	return st;
}

static enum hp_status
write_value(struct hp_strings *s, const struct value *v, struct hp_sink *sink,
	    struct hp_error *err)
{
	uint8_t *bytes = hp_malloc(2 * (PIECE + 1));
	struct hp_buf out = {0};
	struct hp_java_chars c;
	enum hp_status st = HP_OK;
	uint64_t begin = 0;
	uint32_t units;
	bool sure;

	if (!bytes)
		return hp_no_memory(err);
	hp_java_string_place(&c, &v->string, v->array.type, v->array.count,
			     &begin, &sure);
	begin += v->array.at;
	units = c.units;
	if (!sure)
		st = find_order(s, &c, begin, bytes, err);
	for (uint32_t at = 0, used; at < units && st == HP_OK; at += used) {
		used = 0;
		hp_buf_clear(&out);
		st = read_units(s, &c, begin, at, units - at, bytes, err);
		if (st == HP_OK)
			add_piece(&out, &s->piece, &c, &used);
		if (st == HP_OK && !hp_buf_ok(&out))
			st = hp_no_memory(err);
		if (st == HP_OK)
			st = hp_sink_write(sink, out.data, out.len, err);
	}
	hp_buf_release(&out);
	hp_free(bytes);
	return st;
}

/*
 * Whether a String in an earlier part of the dump has the same array, so that
 * only the id of the array is written. The result is certain only while the
 * output is written in file order.
 */
static bool
is_elsewhere(struct hp_strings *s, const struct hp_batch *b,
	     const struct value *v)
{
	const uint64_t *first;
	bool yes;

	if (!v->is_long)
		return false;
	pthread_mutex_lock(&s->lock);
	first = hp_id_map_get(&s->first_batches, array_key(&v->array));
	yes = first && *first < b->index;
	pthread_mutex_unlock(&s->lock);
	return yes;
}

/*
 * Write a long text or, if another line shows the text, the id of the array.
 * The collected output has a reserved place for it.
 */
static enum hp_status
write_deferred(struct hp_strings *s, const struct hp_batch *b,
	       const struct value *v, const struct hp_buf *out,
	       struct hp_sink *sink, struct hp_error *err)
{
	struct hp_buf text = {0};
	enum hp_status st;

	if (is_elsewhere(s, b, v)) {
		add_shared(s, v->string.array, &text);
		st = hp_buf_ok(&text)
			     ? hp_sink_write(sink, text.data, text.len, err)
			     : hp_no_memory(err);
		hp_buf_release(&text);
		return st;
	}
	if (!v->late)
		return hp_sink_write(sink, out->data + v->at, v->end - v->at,
				     err);
	st = hp_sink_write(sink, s->intro, strlen(s->intro), err);
	if (st == HP_OK)
		st = hp_sink_write(sink, "\"", 1, err);
	if (st == HP_OK)
		st = write_value(s, v, sink, err);
	return st == HP_OK ? hp_sink_write(sink, "\"", 1, err) : st;
}

/*
 * Remove the Strings of one part of the dump from the list of Strings whose
 * text is formatted later. Returns them, or NULL if there are none.
 */
static struct hp_deferred_value *
take_deferred(struct hp_strings *s, uint64_t batch)
{
	struct hp_deferred_value **at, *l;

	pthread_mutex_lock(&s->lock);
	for (at = &s->late; *at && (*at)->batch != batch;)
		at = &(*at)->next;
	l = *at;
	if (l)
		*at = l->next;
	pthread_mutex_unlock(&s->lock);
	return l;
}

enum hp_status
hp_strings_write(struct hp_strings *s, const struct hp_batch *b,
		 const struct hp_buf *out, struct hp_sink *sink,
		 struct hp_error *err)
{
	struct hp_deferred_value *l = take_deferred(s, b->index);
	enum hp_status st = HP_OK;
	size_t at = 0;

	for (size_t i = 0; l && i < l->count && st == HP_OK; i++) {
		const struct value *v = &l->values[i];

		st = hp_sink_write(sink, out->data + at, v->at - at, err);
		at = v->end;
		if (st == HP_OK)
			st = write_deferred(s, b, v, out, sink, err);
	}
	if (l)
		deferred_release(l);
	return st == HP_OK
		       ? hp_sink_write(sink, out->data + at, out->len - at, err)
		       : st;
}
