/*
 * upgrade_v1_0.c - convert version 1.0 of the format to 1.0.1
 *
 * The library does not read the heap of version 1.0, so this file has a small
 * decoder. The decoder accepts only valid input, and reads it in order. In
 * memory it keeps only the new lengths of the heap records. The first pass
 * computes these lengths, the second pass writes. Source for the differences
 * between the versions: the reader of HAT.
 */
#include "convert/version/version.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/cursor.h"
#include "common/format/format.h"
#include "convert/copy/copy.h"
#include "convert/copy/ordered_pass.h"

enum { CHUNK = 1 << 16, HEAD_MAX = 128 };

static const char version[] = "JAVA PROFILE 1.0";

struct upgrade {
	struct hp_source *src;
	/*
	 * receives the output; NULL: this is the first pass, which only
	 * computes lengths
	 */
	struct hp_sink *sink;
	unsigned id_size;
	uint8_t in[CHUNK];
	/*
	 * a buffer: in[at] to in[n - 1] were read from the input and are not
	 * used yet
	 */
	size_t at, n;
	/* offset of the byte in[at], counted from the start of the dump */
	uint64_t offset;
	/* number of bytes of the current heap record that were not used yet */
	uint64_t left;
	/* number of bytes of the output so far for the current heap record */
	uint64_t made;
	/* the new length of each heap record, in file order */
	uint32_t *lengths;
	size_t count, cap, next;
	struct hp_error *err;
};

static enum hp_status
fail_damaged(struct upgrade *a, const char *what)
{
	return hp_fail(a->err, HP_DAMAGED, "offset %llu: %s",
		       (unsigned long long)a->offset, what);
}

/*
 * Read the next @n bytes, at most HEAD_MAX. *@p is valid until the next call.
 */
static enum hp_status
next_bytes(struct upgrade *a, size_t n, const uint8_t **p)
{
	enum hp_status st;
	size_t got;

	if (a->n - a->at < n) {
		memmove(a->in, a->in + a->at, a->n - a->at);
		a->n -= a->at;
		a->at = 0;
		st = hp_source_read(a->src, a->in + a->n, CHUNK - a->n, &got,
				    a->err);
		if (st != HP_OK)
			return st;
		a->n += got;
	}
	if (a->n - a->at < n)
		return a->n == a->at
			       ? HP_EOF
			       : fail_damaged(a, "the input ends too early");
	*p = a->in + a->at;
	a->at += n;
	a->offset += n;
	return HP_OK;
}

static enum hp_status
write_bytes(struct upgrade *a, const void *bytes, size_t n)
{
	a->made += n;
	return a->sink ? hp_sink_write(a->sink, bytes, n, a->err) : HP_OK;
}

/* Copy @n bytes unchanged. */
static enum hp_status
copy_bytes(struct upgrade *a, uint64_t n)
{
	enum hp_status st = HP_OK;
	const uint8_t *p;

	while (n > 0 && st == HP_OK) {
		size_t some = a->n - a->at;

		if (some == 0)
			some = 1;
		if (some > n)
			some = (size_t)n;
		st = next_bytes(a, some, &p);
		if (st == HP_EOF)
			st = fail_damaged(a, "the input ends too early");
		if (st == HP_OK)
			st = write_bytes(a, p, some);
		n -= some;
	}
	return st;
}

/* ---- convert the sub-records of the heap ---- */

static enum hp_status
next_body_bytes(struct upgrade *a, uint64_t n, const uint8_t **p)
{
	enum hp_status st;

	if (n > a->left)
		return fail_damaged(a,
				    "a sub-record is longer than its record");
	a->left -= n;
	st = next_bytes(a, (size_t)n, p);
	return st == HP_EOF ? fail_damaged(a, "the input ends too early") : st;
}

static enum hp_status
copy_body(struct upgrade *a, uint64_t n)
{
	if (n > a->left)
		return fail_damaged(a,
				    "a sub-record is longer than its record");
	a->left -= n;
	return copy_bytes(a, n);
}

/*
 * Returns the number of the primitive type for a type character of a class
 * dump, for example 10 for 'I'; 0 if there is no such type.
 */
static uint8_t
code_of(uint8_t character)
{
	return character == 'L' || character == '['
		       ? HP_TYPE_OBJECT
		       : (uint8_t)hp_type_of_letter((char)character);
}

/*
 * Convert one table of a class dump: the number of its entries, then the
 * entries. An entry consists of @head bytes, a type and, if @values is true, a
 * value.
 */
static enum hp_status
upgrade_table(struct upgrade *a, unsigned head, bool values)
{
	const uint8_t *p;
	enum hp_status st = next_body_bytes(a, 2, &p);
	unsigned n = st == HP_OK ? hp_load2(p) : 0;

	if (st == HP_OK)
		st = write_bytes(a, p, 2);
	for (; n > 0 && st == HP_OK; n--) {
		uint8_t entry[9] = {0};

		st = next_body_bytes(a, head + 1, &p);
		if (st != HP_OK)
			break;
		memcpy(entry, p, head);
		entry[head] = code_of(p[head]);
		if (entry[head] == 0)
			return fail_damaged(
				a, "the type of a field or array is unknown");
		st = write_bytes(a, entry, head + 1);
		if (st == HP_OK && values)
			st = copy_body(a,
				       hp_type_size(entry[head], a->id_size));
	}
	return st;
}

static enum hp_status
upgrade_class(struct upgrade *a)
{
	enum hp_status st = upgrade_table(a, 2, true);

	if (st == HP_OK)
		st = upgrade_table(a, a->id_size, true);
	return st == HP_OK ? upgrade_table(a, a->id_size, false) : st;
}

static enum hp_status
upgrade_array(struct upgrade *a, const uint8_t *p)
{
	uint64_t n = hp_load4(p + 5 + a->id_size);
	uint64_t type = hp_load_id(p + 9 + a->id_size, a->id_size);
	uint8_t head[HEAD_MAX] = {HP_SUB_PRIMITIVE_ARRAY_DUMP};
	enum hp_status st;

	if (type > HP_TYPE_LONG || !hp_type_is_primitive((unsigned)type)) {
		st = write_bytes(a, p, hp_object_array_head(a->id_size));
		return st == HP_OK ? copy_body(a, n * a->id_size) : st;
	}
	memcpy(head + 1, p + 1, 8 + a->id_size);
	head[9 + a->id_size] = (uint8_t)type;
	st = write_bytes(a, head, hp_primitive_array_head(a->id_size));
	return st == HP_OK ? copy_body(a, n * hp_type_size((unsigned)type,
							   a->id_size))
			   : st;
}

static enum hp_status
upgrade_sub(struct upgrade *a)
{
	const uint8_t *p;
	enum hp_status st = next_body_bytes(a, 1, &p);
	uint8_t head[HEAD_MAX], tag = st == HP_OK ? p[0] : 0;
	unsigned fixed = hp_subrecord_fixed[hp_widen(a->id_size)][tag];

	if (st != HP_OK)
		return st;
	if (fixed == 0 || tag == HP_SUB_PRIMITIVE_ARRAY_DUMP ||
	    hp_subrecord_is_android(tag))
		return fail_damaged(a, "the tag of a sub-record is unknown");
	head[0] = tag;
	st = next_body_bytes(a, fixed - 1, &p);
	if (st != HP_OK)
		return st;
	memcpy(head + 1, p, fixed - 1);
	if (tag == HP_SUB_OBJECT_ARRAY_DUMP)
		return upgrade_array(a, head);
	st = write_bytes(a, head, fixed);
	if (st == HP_OK && tag == HP_SUB_CLASS_DUMP)
		return upgrade_class(a);
	if (st == HP_OK && tag == HP_SUB_INSTANCE_DUMP)
		return copy_body(a, hp_load4(head + 5 + 2 * a->id_size));
	return st;
}

/* ---- convert the records outside the heap ---- */

static enum hp_status
upgrade_record(struct upgrade *a)
{
	uint8_t head[HP_HEAD_SIZE];
	const uint8_t *p;
	enum hp_status st = next_bytes(a, sizeof(head), &p);
	uint32_t length;
	bool heap;

	if (st != HP_OK)
		return st;
	memcpy(head, p, sizeof(head));
	length = hp_load4(head + 5);
	heap = head[0] == HP_REC_HEAP_DUMP ||
	       head[0] == HP_REC_HEAP_DUMP_SEGMENT;
	if (heap && a->sink) {
		if (a->next == a->count)
			return fail_damaged(
				a, "the file was changed while it was read");
		hp_store4(head + 5, a->lengths[a->next++]);
	}
	st = write_bytes(a, head, sizeof(head));
	if (st != HP_OK || !heap)
		return st == HP_OK ? copy_bytes(a, length) : st;
	a->left = length;
	a->made = 0;
	while (st == HP_OK && a->left > 0)
		st = upgrade_sub(a);
	if (st != HP_OK || a->sink)
		return st;
	return HP_LIST_PUSH(a->lengths, a->count, a->cap, (uint32_t)a->made)
		       ? HP_OK
		       : hp_no_memory(a->err);
}

static enum hp_status
upgrade_header(struct upgrade *a)
{
	static const char newer[] = "JAVA PROFILE 1.0.1";
	const uint8_t *p;
	enum hp_status st = next_bytes(a, sizeof(version) + 12, &p);

	if (st == HP_EOF)
		return fail_damaged(a, "the input ends inside the header");
	if (st != HP_OK)
		return st;
	a->id_size = hp_load4(p + sizeof(version));
	if (a->id_size != 4 && a->id_size != 8)
		return fail_damaged(a, "identifiers of neither 4 nor 8 bytes");
	st = write_bytes(a, newer, sizeof(newer));
	return st == HP_OK ? write_bytes(a, p + sizeof(version), 12) : st;
}

static enum hp_status
upgrade_dump(struct upgrade *a)
{
	enum hp_status st;
	struct hp_error e;

	a->at = a->n = 0;
	a->offset = 0;
	st = upgrade_header(a);
	while (st == HP_OK)
		st = upgrade_record(a);
	if (st != HP_EOF)
		return st;
	/*
	 * damaged compression looks like the end of the input, so check for
	 * damage
	 */
	e = hp_framing_container(a->src);
	return e.status == HP_OK ? HP_OK
				 : hp_fail(a->err, e.status, "%s", e.text);
}

enum hp_status
hp_is_version_1_0(struct hp_source *src, bool *is, struct hp_error *err)
{
	uint8_t start[HP_SOURCE_PEEK];
	enum hp_status st;
	size_t got;

	st = hp_source_peek(src, start, &got, err);
	*is = st == HP_OK && got >= sizeof(version) &&
	      memcmp(start, version, sizeof(version)) == 0;
	return st;
}

enum hp_status
hp_upgrade_v1_0(struct hp_source *src, struct hp_sink *sink, bool same,
		struct hp_error *err)
{
	struct upgrade *a = hp_calloc(1, sizeof(*a));
	enum hp_status st;

	if (!a)
		return hp_no_memory(err);
	a->src = src;
	a->err = err;
	st = upgrade_dump(a);
	if (st == HP_OK)
		st = hp_source_rewind(src, err);
	a->sink = sink;
	if (st == HP_OK && same)
		st = hp_copy_bytes(src, sink, false, NULL, err);
	else if (st == HP_OK)
		st = upgrade_dump(a);
	hp_free(a->lengths);
	hp_free(a);
	return st == HP_OK && !same ? hp_sink_finish(sink, err) : st;
}
