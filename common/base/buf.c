/*
 * buf.c - growing byte buffers, and printing numbers into them
 *
 * escape.c escapes text; json.c and table.c write output formats.
 */
#include "common/base/buf.h"
#include "common/base/memory.h"

#include <errno.h>

#define HP_BUF_START 256

void
hp_buf_release(struct hp_buf *b)
{
	if (!b->fixed)
		hp_free(b->data);
	*b = (struct hp_buf){0};
}

bool
hp_buf_grow(struct hp_buf *b, size_t more)
{
	if (b->failed)
		return false;
	if (more <= b->cap - b->len)
		return true;
	size_t want = b->cap < HP_BUF_START ? HP_BUF_START : b->cap;
	if (b->fixed || more > SIZE_MAX / 4 - b->len) {
		b->failed = true;
		return false;
	}
	while (want < b->len + more)
		want += want / 2;
	char *data = hp_realloc(b->data, want);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->cap = want;
	return true;
}

void
hp_buf_fill(struct hp_buf *b, char c, size_t n)
{
	if (n == 0 || !hp_buf_reserve(b, n))
		return;
	memset(b->data + b->len, c, n);
	b->len += n;
}

void
hp_buf_u64(struct hp_buf *b, uint64_t v)
{
	if (hp_buf_reserve(b, HP_DECIMAL_U64))
		b->len += hp_decimal_u64(b->data + b->len, v);
}

void
hp_buf_i64(struct hp_buf *b, int64_t v)
{
	if (v < 0)
		hp_buf_byte(b, '-');
	hp_buf_u64(b, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void
hp_buf_hex(struct hp_buf *b, uint64_t v, unsigned digits)
{
	char text[16];
	size_t at = sizeof(text);

	while (at > 0 && (v != 0 || sizeof(text) - at < digits)) {
		text[--at] = "0123456789abcdef"[v & 15];
		v >>= 4;
	}
	if (at == sizeof(text))
		text[--at] = '0';
	hp_buf_add(b, text + at, sizeof(text) - at);
}

/*
 * Print infinities and NaN, which JSON cannot express as numbers. Returns
 * false, and prints nothing, for all other values.
 */
static bool
append_non_finite(struct hp_buf *b, double v)
{
	if (v != v)
		hp_buf_text(b, "nan");
	else if (v - v != 0)
		hp_buf_text(b, v < 0 ? "-inf" : "inf");
	else
		return false;
	return true;
}

void
hp_buf_double(struct hp_buf *b, double v)
{
	char text[HP_DECIMAL_MOST];
	size_t n;

	if (append_non_finite(b, v))
		return;
	n = hp_decimal_double(text, v);
	hp_buf_add(b, text, n);
}

void
hp_buf_float(struct hp_buf *b, float v)
{
	char text[HP_DECIMAL_MOST];
	size_t n;

	if (append_non_finite(b, (double)v))
		return;
	n = hp_decimal_float(text, v);
	hp_buf_add(b, text, n);
}

void
hp_buf_printf(struct hp_buf *b, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	hp_buf_vprintf(b, fmt, args);
	va_end(args);
}

void
hp_buf_vprintf(struct hp_buf *b, const char *fmt, va_list args)
{
	va_list again;

	if (!hp_buf_reserve(b, 1))
		return;
	va_copy(again, args);
	int n = vsnprintf(b->data + b->len, b->cap - b->len, fmt, args);
	if (n < 0) {
		b->failed = true;
	} else if ((size_t)n < b->cap - b->len) {
		b->len += (size_t)n;
	} else if (hp_buf_reserve(b, (size_t)n + 1)) {
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

const char *
hp_buf_string(struct hp_buf *b)
{
	if (!hp_buf_reserve(b, 1))
		return "";
	b->data[b->len] = '\0';
	return b->data;
}

char *
hp_buf_take(struct hp_buf *b)
{
	char *text = NULL;

	if (hp_buf_reserve(b, 1)) {
		b->data[b->len] = '\0';
		text = b->data;
		b->data = NULL;
	}
	hp_buf_release(b);
	return text;
}

enum hp_status
hp_buf_read_file(struct hp_buf *b, const char *path, size_t most,
		 const char *larger, struct hp_error *err)
{
	FILE *f = fopen(path, "r");
	enum hp_status st = HP_OK;
	size_t n = 1, from = b->len;

	if (!f)
		return hp_fail(err, HP_IO, "cannot read %.200s: %m", path);
	while (n > 0 && b->len - from <= most && hp_buf_reserve(b, BUFSIZ)) {
		n = fread(b->data + b->len, 1, BUFSIZ, f);
		b->len += n;
	}
	if (ferror(f))
		st = hp_fail(err, HP_IO, "cannot read %.200s: %m", path);
	else if (!hp_buf_ok(b))
		st = hp_no_memory(err);
	else if (b->len - from > most)
		st = hp_fail(err, HP_DAMAGED, "%.200s is %s", path, larger);
	fclose(f);
	return st;
}

enum hp_status
hp_buf_flush(struct hp_buf *b, FILE *file, struct hp_error *err)
{
	if (b->failed)
		return hp_no_memory(err);
	errno = 0;
	if (b->len != 0 && fwrite(b->data, 1, b->len, file) != b->len)
		return hp_fail_write(err, errno);
	b->len = 0;
	return HP_OK;
}

void
hp_buf_drain(struct hp_buf *b, size_t enough, FILE *file,
	     struct hp_error *failure)
{
	if (b->len < enough)
		return;
	if (failure->status != HP_OK || hp_buf_flush(b, file, failure) != HP_OK)
		b->len = 0;
}

enum hp_status
hp_buf_finish(struct hp_buf *b, struct hp_error *failure, struct hp_error *err)
{
	if (b->failed)
		hp_no_memory(failure);
	hp_buf_release(b);
	return hp_fail_as(err, failure);
}
