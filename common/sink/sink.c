/*
 * sink.c - the output of a program: collect or compress the bytes, and write
 * them in order
 *
 * output_file.c creates the file, and names the file when it is complete.
 */
#include "common/sink/sink.h"
#include "common/base/memory.h"
#include "common/io/anon_file.h"
#include "common/io/layer.h"
#include "common/sink/internal.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>

/*
 * Without compression, this many bytes are collected before they are written.
 */
#define BUFFER HP_IO_STEP

struct hp_sink {
	struct hp_output_file target;
	/* the compressor for gzip and zstd; otherwise NULL */
	struct hp_compressor *compressor;
	/* the functions that write packs; NULL if the output is not a pack */
	const struct hp_pack_vtable *packing;
	void *pack;
	/*
	 * the bytes of an uncompressed output that are not written yet, at most
	 * BUFFER
	 */
	uint8_t *buffer;
	size_t waiting;
	/* number of uncompressed bytes that the caller has written so far */
	uint64_t total;
	/*
	 * the hash of all bytes of the output; NULL without the option verify
	 */
	struct hp_digest *whole;
	_Atomic uint64_t written;
	bool finished;
	/*
	 * The error of the first hp_sink_finish(). Later calls return the same
	 * error.
	 */
	struct hp_error failure;
};

/*
 * End the threads that compress and write. @write: first write the blocks that
 * are complete.
 */
static void
sink_stop(struct hp_sink *s, bool write)
{
	hp_compressor_close(s->compressor, write);
	s->compressor = NULL;
	if (s->packing)
		s->packing->close(s->pack, write);
	s->pack = NULL;
}

static void
sink_free(struct hp_sink *s)
{
	sink_stop(s, false);
	hp_digest_close(s->whole);
	hp_free(s->buffer);
	hp_free(s);
}

/*
 * Write bytes to the output file without compression. The writer of packs also
 * uses this function, as its callback.
 */
static enum hp_status
plain_write(void *sink, const void *buf, size_t n, struct hp_error *err)
{
	struct hp_sink *s = sink;
	enum hp_status st = hp_output_file_write(&s->target, buf, n, err);

	if (st == HP_OK)
		atomic_fetch_add_explicit(&s->written, n, memory_order_relaxed);
	return st;
}

static enum hp_status
sink_start(struct hp_sink *s, const struct hp_sink_options *o,
	   struct hp_error *err)
{
	const struct hp_block_encoder *encoder =
		o->compression == HP_COMPRESSION_GZIP ? &hp_gzip_encoder
						      : &hp_zstd_encoder;

	if (o->verify) {
		s->whole = hp_digest_open();
		if (!s->whole)
			return hp_no_memory(err);
	}
	if (o->compression == HP_COMPRESSION_PACK && !o->packing)
		return hp_fail(err, HP_UNSUPPORTED, "cannot write a pack");
	if (o->compression == HP_COMPRESSION_PACK) {
		s->packing = o->packing;
		return o->packing->open(&s->pack, plain_write, s, o->level,
					o->threads, o->pack_most, err);
	}
	if (o->compression != HP_COMPRESSION_NONE)
		return hp_compressor_open(&s->compressor, &s->target, encoder,
					  o->level, o->threads, o->memory,
					  &s->written, err);
	s->buffer = hp_malloc(BUFFER);
	return s->buffer ? HP_OK : hp_no_memory(err);
}

enum hp_status
hp_sink_open(struct hp_sink **out, const char *path,
	     const struct hp_sink_options *options, struct hp_error *err)
{
	struct hp_sink *s = hp_calloc(1, sizeof(*s));
	struct hp_output_file_options o;
	enum hp_status st;

	*out = NULL;
	if (!s)
		return hp_no_memory(err);
	o = (struct hp_output_file_options){.force = options->force,
					    .write_only = options->write_only,
					    .sync = options->sync,
					    .text = options->text &&
						    !options->compression,
					    .input = options->input};
	st = hp_output_file_open(&s->target, path, &o, err);
	if (st != HP_OK) {
		hp_free(s);
		return st;
	}
	st = sink_start(s, options, err);
	if (st != HP_OK) {
		hp_sink_abort(s);
		return st;
	}
	*out = s;
	return HP_OK;
}

enum hp_status
hp_sink_open_temporary(struct hp_sink **out, struct hp_error *err)
{
	const struct hp_sink_options options = {0};
	struct hp_sink *s = hp_calloc(1, sizeof(*s));
	enum hp_status st;

	*out = NULL;
	if (!s)
		return hp_no_memory(err);
	s->target = (struct hp_output_file){
		.fd = -1, .dir = -1, .entry = -1, .access = O_RDWR};
	st = hp_anon_file_open(&s->target.fd, NULL, err);
	s->target.owned = st == HP_OK;
	if (st == HP_OK)
		st = sink_start(s, &options, err);
	if (st == HP_OK)
		*out = s;
	else
		hp_sink_abort(s);
	return st;
}

static enum hp_status
plain_flush(struct hp_sink *s, struct hp_error *err)
{
	size_t n = s->waiting;

	s->waiting = 0;
	return plain_write(s, s->buffer, n, err);
}

/*
 * Append bytes to an uncompressed output. Every write begins at a multiple of
 * BUFFER, so that each page of the file is filled by a single write. This
 * reduced the system time of a copy of 1 GB from 0.48 s to 0.37 s.
 */
static enum hp_status
plain_append(struct hp_sink *s, const uint8_t *p, size_t n,
	     struct hp_error *err)
{
	enum hp_status st = HP_OK;

	while (n > 0 && st == HP_OK) {
		size_t k = BUFFER - s->waiting;

		if (s->waiting == 0 && n >= BUFFER) {
			k = n - n % BUFFER;
			st = plain_write(s, p, k, err);
		} else {
			if (k > n)
				k = n;
			memcpy(s->buffer + s->waiting, p, k);
			s->waiting += k;
			if (s->waiting == BUFFER)
				st = plain_flush(s, err);
		}
		p += k;
		n -= k;
	}
	return st;
}

enum hp_status
hp_sink_write(struct hp_sink *s, const void *buf, size_t n,
	      struct hp_error *err)
{
	s->total += n;
	if (s->whole)
		hp_digest_add(s->whole, buf, n);
	if (s->packing)
		return s->packing->write(s->pack, buf, n, err);
	if (s->compressor)
		return hp_compressor_write(s->compressor, buf, n, err);
	return plain_append(s, buf, n, err);
}

enum hp_status
hp_sink_patch(struct hp_sink *s, uint64_t at, const void *bytes, size_t n,
	      struct hp_error *err)
{
	enum hp_status st = plain_flush(s, err);

	return st == HP_OK ? hp_output_file_patch(&s->target, at, bytes, n, err)
			   : st;
}

void
hp_sink_boundary(struct hp_sink *s, uint64_t next)
{
	if (s->compressor)
		hp_compressor_boundary(s->compressor, next);
}

uint64_t
hp_sink_tell(const struct hp_sink *s)
{
	return s->total;
}

uint64_t
hp_sink_written(const struct hp_sink *s)
{
	return atomic_load_explicit(&s->written, memory_order_relaxed);
}

static enum hp_status
finish(struct hp_sink *s, struct hp_error *err)
{
	if (s->packing)
		return s->packing->finish(s->pack, err);
	return s->compressor ? hp_compressor_finish(s->compressor, err)
			     : plain_flush(s, err);
}

enum hp_status
hp_sink_finish(struct hp_sink *s, struct hp_error *err)
{
	if (!s->finished)
		(void)!finish(s, &s->failure);
	s->finished = true;
	return hp_fail_as(err, &s->failure);
}

bool
hp_sink_refused(const struct hp_sink *s)
{
	return s->target.refused;
}

bool
hp_sink_readable(const struct hp_sink *s)
{
	return !s->target.direct;
}

enum hp_status
hp_sink_reopen(struct hp_sink *s, struct hp_source **out,
	       const struct hp_source_options *options, struct hp_error *err)
{
	struct hp_source_options so = {.packing = s->packing};
	enum hp_status st;
	int fd;

	*out = NULL;
	st = hp_output_file_dup(&s->target, &fd, err);
	if (st != HP_OK)
		return st;
	if (options)
		so = *options;
	so.packing = s->packing;
	return hp_source_open_fd(out, fd, "the output", &so, err);
}

enum hp_status
hp_sink_verify(struct hp_sink *s, unsigned threads, struct hp_error *err)
{
	const struct hp_source_options so = {.threads = threads,
					     .raw = !s->compressor &&
						    !s->packing,
					     .digest = true};
	char wrote[HP_DIGEST_TEXT], holds[HP_DIGEST_TEXT];
	struct hp_source *back;
	enum hp_status st = hp_sink_reopen(s, &back, &so, err);
	uint64_t total;

	if (st == HP_OK)
		st = hp_source_digest(back, holds, &total, err);
	hp_source_close(back);
	if (st != HP_OK)
		return st;
	hp_digest_text(s->whole, wrote);
	return total == s->total && strcmp(wrote, holds) == 0
		       ? HP_OK
		       : hp_fail(err, HP_IO,
				 "the output differs from what was written");
}

enum hp_status
hp_sink_commit(struct hp_sink *s, struct hp_error *err)
{
	enum hp_status st = hp_sink_finish(s, err);

	if (st != HP_OK) {
		hp_sink_abort(s);
		return st;
	}
	st = hp_output_file_commit(&s->target, err);
	sink_free(s);
	return st;
}

void
hp_sink_abort(struct hp_sink *s)
{
	if (!s)
		return;
	/*
	 * If the output is a pipe or device, bytes that were written cannot be
	 * removed. Write all complete blocks to it, so that the length of the
	 * output does not depend on the timing of threads.
	 */
	sink_stop(s, s->target.direct);
	hp_output_file_abort(&s->target);
	sink_free(s);
}

void
hp_sink_unlink_all(void)
{
	hp_temp_list_unlink_all();
}
