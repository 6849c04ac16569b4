/*
 * fuzz_text.c - fuzz target: the hprof agent's text format, or bytes that only
 * begin like it
 *
 * The text is converted to a dump. Whatever the text contains, this dump must
 * have no framing errors. The dump must be the same if the text is from a file
 * or a pipe, and if it is read in blocks or line by line.
 */
#include "common/format/heap.h"
#include "common/format/reader.h"
#include "common/text/text.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static const char prologue[] =
	"JAVA PROFILE 1.0.1, created Fri Nov 20 22:29:09 2026\n\n--------\n\n";

/*
 * Translate the text from @fd, with reads of @step bytes and @threads threads.
 * Returns NULL if the result exceeds the limit.
 */
static uint8_t *
translated(int fd, size_t step, unsigned threads, size_t *n)
{
	const struct hp_source_options so = {.threads = threads,
					     .max_size = HP_FUZZ_UNPACKED,
					     .translation =
						     &hp_text_translation};
	struct hp_source *src = NULL;
	uint8_t *bytes;
	enum hp_status st;

	HP_FUZZ_CHECK(hp_source_open_fd(&src, fd, "text", &so, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_source_translated(src));
	st = hp_fuzz_read_all(src, step, &bytes, n);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_LIMIT);
	hp_source_close(src);
	if (st == HP_OK)
		return bytes;
	free(bytes);
	return NULL;
}

/* ---- parse the text line by line ---- */

struct memory {
	const uint8_t *bytes;
	size_t left;
};

static enum hp_status
read_memory(void *ctx, void *buf, size_t n, size_t *got, struct hp_error *err)
{
	struct memory *m = ctx;

	*got = n < m->left ? n : m->left;
	memcpy(buf, m->bytes, *got);
	m->bytes += *got;
	m->left -= *got;
	return HP_OK;
}

static void
check_by_line(const uint8_t *text, size_t length, const uint8_t *want, size_t n)
{
	const struct hp_text_reading o = {.by_line = true};
	struct memory m = {text, length};
	struct hp_text_records *r;
	uint8_t *bytes = malloc(n + 1);
	size_t got;

	HP_FUZZ_CHECK(bytes != NULL);
	HP_FUZZ_CHECK(hp_text_records_open(&r, read_memory, &m, &o, NULL) ==
		      HP_OK);
	HP_FUZZ_CHECK(hp_text_records_next(r, bytes, n + 1, &got, NULL) ==
		      HP_OK);
	HP_FUZZ_CHECK(got == n && memcmp(bytes, want, n) == 0);
	hp_text_records_close(r);
	free(bytes);
}

/* ---- check the resulting dump ---- */

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	hp_fuzz_violated("no framing problem", __FILE__, __LINE__);
}

static void
check_heap(struct hp_reader *r, const struct hp_record *rec, unsigned id_size)
{
	uint8_t *body = malloc(rec->length + 1);
	struct hp_heap_iter it;
	struct hp_sub s;
	size_t got;

	HP_FUZZ_CHECK(body != NULL);
	HP_FUZZ_CHECK(hp_reader_read(r, body, rec->length, &got, NULL) ==
		      HP_OK);
	HP_FUZZ_CHECK(got == rec->length);
	it = hp_heap_begin(body, got, got, 0);
	while (hp_heap_next(&it, &s, id_size))
		;
	HP_FUZZ_CHECK(it.stop == HP_HEAP_END);
	free(body);
}

static void
check_dump(const uint8_t *bytes, size_t n)
{
	struct hp_source *src = NULL;
	struct hp_reader *r;
	struct hp_record *rec;
	enum hp_status st;

	HP_FUZZ_CHECK(hp_source_open_fd(&src, hp_fuzz_file(bytes, n), "dump",
					NULL, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_reader_open(&r, src, on_problem, NULL, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_reader_header(r)->problem == HP_HEADER_FINE);
	while ((st = hp_reader_next(r, &rec, NULL)) == HP_OK) {
		HP_FUZZ_CHECK(hp_record_desc(rec->tag) != NULL);
		if (rec->tag == HP_REC_HEAP_DUMP_SEGMENT)
			check_heap(r, rec, hp_reader_header(r)->id_size);
	}
	HP_FUZZ_CHECK(st == HP_EOF);
	hp_reader_close(r);
	hp_source_close(src);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	size_t head = hp_text_begins(data, n) ? 0 : strlen(prologue);
	size_t length = head + n, first, second;
	uint8_t *text = malloc(length + 1), *a, *b;

	HP_FUZZ_CHECK(text != NULL);
	memcpy(text, prologue, head);
	memcpy(text + head, data, n);
	a = translated(hp_fuzz_file(text, length), 65536, 0, &first);
	b = translated(hp_fuzz_pipe(text, length),
		       1 + hp_fuzz_choice(data, n, 5000), 2, &second);
	HP_FUZZ_CHECK((a == NULL) == (b == NULL));
	if (a && b) {
		HP_FUZZ_CHECK(first == second && memcmp(a, b, first) == 0);
		check_by_line(text, length, a, first);
		check_dump(a, first);
	}
	free(a);
	free(b);
	free(text);
	return 0;
}
