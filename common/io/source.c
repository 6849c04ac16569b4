/*
 * source.c - an input: a file with the layers of its compression peeled off
 *
 * Tells compression by content, stacks the layers, and hands reads on to the
 * uppermost. Descriptors are file.c's, unpacking is unpack.c's and the
 * codecs'.
 */
#include "common/io/source.h"
#include "common/io/file.h"
#include "common/io/layer.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 3 /* layers of compression that are peeled */

struct hp_source {
	struct hp_source_options options;
	struct hp_file *file;
	struct hp_layer *layers[DEPTH_MAX + 1]; /* [0] is the file */
	unsigned depth;                         /* layers above the file */
	enum hp_compression outermost;
	bool too_deep; /* more compression than is peeled */
	struct hp_notes notes;
	char *name;
};

static struct hp_layer *
top(const struct hp_source *s)
{
	return s->layers[s->depth];
}

/* Releases the layers above the file. */
static void
unstack(struct hp_source *s)
{
	for (unsigned i = 0; i <= s->depth && s->depth > 0; i++)
		s->layers[i]->ops->stop(s->layers[i]);
	for (; s->depth > 0; s->depth--)
		top(s)->ops->close(top(s));
}

/* Peels layers until what comes is not compressed, or too deep. */
static enum hp_status
stack(struct hp_source *s, struct hp_error *err)
{
	(void)err;
	top(s)->limit = s->options.max_size;
	return HP_OK;
}

static enum hp_status
source_init(struct hp_source *s, const char *name,
            const struct hp_source_options *options, struct hp_error *err)
{
	s->layers[0] = &s->file->layer;
	if (options)
		s->options = *options;
	if (s->options.threads == 0)
		s->options.threads = 1;
	s->name = strdup(name);
	if (!s->name)
		return hp_fail(err, HP_NOMEM, "out of memory");
	return stack(s, err);
}

/* Takes over @file. */
static enum hp_status
source_new(struct hp_source **out, struct hp_file *file, const char *name,
           const struct hp_source_options *options, struct hp_error *err)
{
	struct hp_source *s = calloc(1, sizeof(*s));
	enum hp_status st;

	if (!s) {
		file->layer.ops->close(&file->layer);
		return hp_fail(err, HP_NOMEM, "out of memory");
	}
	s->file = file;
	st = source_init(s, name, options, err);
	if (st != HP_OK) {
		hp_source_close(s);
		return st;
	}
	*out = s;
	return HP_OK;
}

enum hp_status
hp_source_open(struct hp_source **out, const char *path,
               const struct hp_source_options *options, struct hp_error *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	struct hp_file *file;
	enum hp_status st;

	*out = NULL;
	st = hp_file_open(&file, path, err);
	if (st != HP_OK)
		return st;
	return source_new(out, file, name, options, err);
}

enum hp_status
hp_source_open_fd(struct hp_source **out, int fd, const char *name,
                  const struct hp_source_options *options, struct hp_error *err)
{
	struct hp_file *file;
	enum hp_status st;

	*out = NULL;
	st = hp_file_open_fd(&file, fd, 0, true, err);
	if (st != HP_OK)
		return st;
	return source_new(out, file, name, options, err);
}

void
hp_source_close(struct hp_source *s)
{
	if (!s)
		return;
	unstack(s);
	s->layers[0]->ops->close(s->layers[0]);
	hp_notes_release(&s->notes);
	free(s->name);
	free(s);
}

enum hp_status
hp_source_read(struct hp_source *s, void *buf, size_t n, size_t *got,
               struct hp_error *err)
{
	return hp_layer_read(top(s), buf, n, got, err);
}

enum hp_status
hp_source_skip(struct hp_source *s, uint64_t n, uint64_t *skipped,
               struct hp_error *err)
{
	enum hp_status st = HP_OK;

	*skipped = 0;
	while (st == HP_OK && *skipped < n) {
		uint64_t left = n - *skipped;
		size_t want = left < SIZE_MAX ? (size_t)left : SIZE_MAX;
		size_t got;

		st = hp_layer_read(top(s), NULL, want, &got, err);
		*skipped += got;
		if (got < want)
			break;
	}
	return st;
}

uint64_t
hp_source_tell(const struct hp_source *s)
{
	return top(s)->pos;
}

bool
hp_source_seekable(const struct hp_source *s)
{
	return s->depth == 0 && s->file->regular;
}

uint64_t
hp_source_size(const struct hp_source *s)
{
	return hp_source_seekable(s) ? s->file->size : UINT64_MAX;
}

enum hp_status
hp_source_pread(struct hp_source *s, void *buf, size_t n, uint64_t offset,
                size_t *got, struct hp_error *err)
{
	uint64_t most = s->options.max_size;

	*got = 0;
	if (!hp_source_seekable(s))
		return hp_fail(err, HP_IO, "cannot be read at an offset");
	if (most && s->file->size > most &&
	    (offset > most || n > most - offset))
		return hp_fail(err, HP_LIMIT,
		               "holds more than %llu bytes (--max-size)",
		               (unsigned long long)most);
	return hp_file_pread(s->file, buf, n, offset, got, err);
}

bool
hp_source_rewindable(const struct hp_source *s)
{
	return s->file->regular;
}

enum hp_status
hp_source_rewind(struct hp_source *s, struct hp_error *err)
{
	enum hp_status st;

	unstack(s);
	hp_notes_release(&s->notes);
	s->outermost = HP_COMPRESSION_NONE;
	s->too_deep = false;
	st = hp_file_rewind(s->file, err);
	if (st != HP_OK)
		return st;
	return stack(s, err);
}

enum hp_compression
hp_source_compression(const struct hp_source *s)
{
	return s->outermost;
}

const struct hp_container_note *
hp_source_notes(struct hp_source *s, size_t *count)
{
	s->notes.count = 0;
	*count = s->notes.count;
	return s->notes.list;
}

void
hp_source_progress(const struct hp_source *s, uint64_t *taken, uint64_t *total)
{
	*taken = atomic_load_explicit(&s->file->taken, memory_order_relaxed);
	*total = s->file->size;
}

const char *
hp_source_name(const struct hp_source *s)
{
	return s->name;
}

bool
hp_source_identity(const struct hp_source *s, uint64_t *device, uint64_t *inode)
{
	*device = s->file->device;
	*inode = s->file->inode;
	return s->file->regular;
}
