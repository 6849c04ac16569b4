/*
 * source.c - open an input: the file, and the layers that decompress it
 *
 * A source recognises by the first bytes whether a file is compressed or an
 * archive (struct hp_container in layer.h). For each such container, it opens a
 * layer that decompresses the layer below. Reads go to the top layer.
 */
#include "common/base/memory.h"
#include "common/base/platform.h"
#include "common/base/threads.h"
#include "common/io/source.h"
#include "common/io/internal.h"
#include "common/io/layer.h"
#include "common/io/anon_file.h"

#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 3 /* maximum number of nested containers */
/*
 * The size limit of compressed data is at least this number of bytes larger
 * than the limit of its decompressed contents; see inner_limit().
 */
#define SLACK ((uint64_t)1 << 20)
/*
 * The maximum number of bytes to decompress to find out whether a file in an
 * archive is a dump.
 */
#define GUESS_MOST ((uint64_t)1 << 20)
/*
 * A file of less than THREADS_FROM bytes is decompressed by the thread that
 * reads it. For a larger file, at most one thread is used for each
 * BYTES_A_THREAD bytes.
 */
#define THREADS_FROM ((uint64_t)2 << 20)
#define BYTES_A_THREAD ((uint64_t)512 << 10)

_Static_assert(HP_SOURCE_PEEK == HP_LAYER_HEAD,
	       "a source and a layer peek at equally many bytes");

/*
 * The argument @context of guess_member(), which guesses whether a file in an
 * archive is a dump. The file may itself be compressed, up to DEPTH_MAX times
 * in total.
 */
struct member {
	const struct hp_source_options *options;
	/* number of nested containers that contain the file in the archive */
	unsigned depth;
};

struct hp_source {
	struct hp_source_options options;
	/*
	 * members[i]: the argument of guess_member(), which guesses whether a
	 * file is a dump, for the case that layer i is an archive
	 */
	struct member members[DEPTH_MAX + 1];
	/*
	 * seen[i]: the dumps that earlier passes over the input found in the
	 * archive of layer i
	 */
	struct hp_archive seen[DEPTH_MAX + 1];
	struct hp_file *file;
	struct hp_layer *layers[DEPTH_MAX + 2]; /* layers[0] is the file */
	/* number of layers above layers[0] */
	unsigned depth;
	/* the outermost container, such as gzip; NULL: none */
	const struct hp_container *outermost;
	/*
	 * the input is in more than DEPTH_MAX nested containers, so it is not
	 * decompressed completely
	 */
	bool too_deep;
	/* the top layer translates an input of another format into a dump */
	bool translated;
	struct hp_notes notes;
	char *name;
	unsigned mode;
	uint64_t mark;
	/*
	 * decompressed size of the input in bytes; 0 until it was measured, or
	 * a pass has read the input to its end
	 */
	uint64_t length;
	/*
	 * hash of the first `hashed` bytes of the decompressed input; NULL
	 * without the option digest
	 */
	struct hp_digest *digest;
	uint64_t hashed;
};

static struct hp_layer *
top_layer(const struct hp_source *s)
{
	return s->layers[s->depth];
}

static void
close_layers(struct hp_source *s)
{
	for (unsigned i = 0; i <= s->depth && s->depth > 0; i++)
		if (s->layers[i]->ops->stop)
			s->layers[i]->ops->stop(s->layers[i]);
	for (; s->depth > 0; s->depth--)
		top_layer(s)->ops->close(top_layer(s));
}

/*
 * Returns the maximum number of bytes of a compressed layer if its contents
 * have at most @most bytes. The result is a little larger than @most, because
 * compressed data can be longer than its contents. 0: no limit.
 */
static uint64_t
inner_limit(uint64_t most)
{
	uint64_t slack = most / 8 + SLACK;

	return most == 0 ? 0 : most < UINT64_MAX - slack ? most + slack : 0;
}

/*
 * Returns how many decompression threads to use for a file of this size. Under
 * sanitizers, returns the number that the user has set, so that tests with
 * small inputs also check threads.
 */
static unsigned
unpacking_threads(const struct hp_source *s)
{
	uint64_t size = s->file->size;

	if (size == 0 || HP_SANITIZED)
		return s->options.threads;
	return size < THREADS_FROM ? 0
				   : hp_threads_for(s->options.threads, size,
						    BYTES_A_THREAD);
}

/* ---- members of archives ---- */

/* A layer whose bytes are in memory: the beginning of a file in an archive. */
struct memory_layer {
	/*
	 * must be the first member: a pointer to the layer is cast to a pointer
	 * to this struct
	 */
	struct hp_layer layer;
	const uint8_t *p;
	size_t n;
};

static enum hp_status
memory_read(struct hp_layer *l, uint8_t *buf, size_t n, size_t *got,
	    struct hp_error *err)
{
	struct memory_layer *m = (struct memory_layer *)l;

	*got = n < m->n ? n : m->n;
	if (buf)
		memcpy(buf, m->p, *got);
	m->p += *got;
	m->n -= *got;
	return HP_OK;
}

static const struct hp_layer_ops memory_ops = {.read = memory_read};

static bool
begins_dump(const struct hp_source_options *o, const uint8_t *p, size_t n)
{
	static const char dump[] = "JAVA PROFILE ";

	return (n >= sizeof(dump) - 1 &&
		memcmp(p, dump, sizeof(dump) - 1) == 0) ||
	       (o->translation && o->translation->begins(p, n));
}

static enum hp_status guess_member(void *context, const uint8_t *p, size_t n,
				   bool last, enum hp_dump_guess *out);

/*
 * Guess whether a file in an archive, which is compressed in the format @c, is
 * a dump: decompress its first bytes and guess from the result. The result may
 * itself be compressed; the recursion ends after DEPTH_MAX containers.
 */
static enum hp_status
guess_packed(const struct member *m, const struct hp_container *c,
	     const uint8_t *p, size_t n, enum hp_dump_guess *out)
{
	struct member inside = {.options = m->options, .depth = m->depth + 1};
	const struct hp_layer_options o = {.memory = m->options->memory,
					   .most = GUESS_MOST,
					   .guess = guess_member,
					   .context = &inside};
	struct memory_layer bytes = {.layer.ops = &memory_ops, .p = p, .n = n};
	uint8_t head[HP_LAYER_HEAD];
	struct hp_layer *layer;
	struct hp_error err;
	enum hp_status st = c->open(&layer, &bytes.layer, &o, &err);
	size_t got = 0;

	if (st != HP_OK)
		return st;
	st = hp_layer_peek(layer, head, &got, &err);
	if (st == HP_OK)
		st = guess_member(&inside, head, got, true, out);
	layer->ops->close(layer);
	/*
	 * If the bytes cannot be decompressed, *@out does not change. This is
	 * no error.
	 */
	return st == HP_NOMEM ? HP_NOMEM : HP_OK;
}

static enum hp_status
guess_member(void *context, const uint8_t *p, size_t n, bool last,
	     enum hp_dump_guess *out)
{
	const struct member *m = context;
	const struct hp_pack_vtable *pack = m->options->packing;
	size_t head = n < HP_LAYER_HEAD ? n : HP_LAYER_HEAD;
	const struct hp_container *c;

	*out = HP_DUMP_YES;
	if (begins_dump(m->options, p, head))
		return HP_OK;
	*out = HP_DUMP_NO;
	c = hp_container_find(pack ? &pack->container : NULL, p, head);
	if (!c || m->depth == DEPTH_MAX)
		return HP_OK;
	*out = c->begins_dump ? HP_DUMP_YES : HP_DUMP_MORE;
	if (c->begins_dump || !last)
		return HP_OK;
	*out = HP_DUMP_NO;
	return guess_packed(m, c, p, n, out);
}

/* ---- layers ---- */

/*
 * Open a layer that decompresses the top layer, which is a container of the
 * format @what. The new layer becomes the top layer.
 */
static enum hp_status
push_layer(struct hp_source *s, const struct hp_container *what,
	   struct hp_error *err)
{
	struct member *m = &s->members[s->depth];
	const struct hp_layer_options o = {
		.threads = unpacking_threads(s),
		.memory = s->options.memory,
		.holes = s->options.holes,
		.most = inner_limit(s->options.max_size),
		.guess = guess_member,
		.context = m};
	enum hp_status st = HP_OK;

	*m = (struct member){.options = &s->options, .depth = s->depth + 1};
	if (s->depth == 0) {
		s->outermost = what;
		if (s->options.threads > 0)
			st = hp_file_make_stoppable(s->file, err);
	} else {
		top_layer(s)->limit = inner_limit(s->options.max_size);
	}
	if (st == HP_OK)
		st = what->open(&s->layers[s->depth + 1], top_layer(s), &o,
				err);
	if (st == HP_OK)
		s->depth++;
	return st;
}

/*
 * Open the translation of the agent's text as the new top layer, if the input
 * is such a text.
 */
static enum hp_status
translate(struct hp_source *s, struct hp_error *err)
{
	const struct hp_translation *t = s->options.translation;
	uint8_t head[HP_LAYER_HEAD];
	enum hp_status st;
	size_t n;

	if (!t || s->options.raw ||
	    (s->options.restore && hp_source_is_pack(s)))
		return HP_OK;
	st = hp_layer_peek(top_layer(s), head, &n, err);
	if (st != HP_OK || !t->begins(head, n))
		return st;
	top_layer(s)->limit = s->options.max_size;
	if (s->depth == 0 && s->options.threads > 0)
		st = hp_file_make_stoppable(s->file, err);
	if (st == HP_OK)
		st = t->read(&s->layers[s->depth + 1], top_layer(s),
			     s->options.translation_context, s->options.threads,
			     s->options.memory, err);
	if (st != HP_OK)
		return st;
	s->depth++;
	s->translated = true;
	return HP_OK;
}

/*
 * Open decompressing layers until the top layer is not compressed, or DEPTH_MAX
 * is reached.
 */
static enum hp_status
peel(struct hp_source *s, struct hp_error *err)
{
	const struct hp_pack_vtable *pack = s->options.packing;
	const struct hp_container *what;
	uint8_t head[HP_LAYER_HEAD];
	enum hp_status st = HP_OK;
	size_t n;

	while (!s->options.raw) {
		st = hp_layer_peek(top_layer(s), head, &n, err);
		what = hp_container_find(pack ? &pack->container : NULL, head,
					 n);
		s->too_deep = what && s->depth == DEPTH_MAX;
		if (st != HP_OK || !what || s->too_deep)
			break;
		st = push_layer(s, what, err);
		if (st != HP_OK)
			break;
	}
	return st;
}

static enum hp_status
stack_layers(struct hp_source *s, struct hp_error *err)
{
	enum hp_status st = peel(s, err);

	if (st == HP_OK && !s->too_deep)
		st = translate(s, err);
	top_layer(s)->limit = s->options.max_size;
	return st;
}

static enum hp_status
copy_to_file(struct hp_layer *from, int fd, struct hp_error *err)
{
	uint8_t *buf = hp_malloc(HP_IO_STEP);
	enum hp_status st = HP_OK;
	uint64_t done = 0;
	size_t got = HP_IO_STEP;

	if (!buf)
		return hp_no_memory(err);
	while (st == HP_OK && got == HP_IO_STEP) {
		st = hp_layer_read(from, buf, HP_IO_STEP, &got, err);
		if (st == HP_OK)
			st = hp_anon_file_write(fd, buf, got, done, err);
		done += got;
	}
	hp_free(buf);
	return st;
}

/*
 * If the input is a pipe and must be readable several times, copy it to a
 * temporary file, and use this file instead.
 */
static enum hp_status
copy_pipe_to_file(struct hp_source *s, struct hp_error *err)
{
	struct hp_file *file;
	enum hp_status st;
	int fd;

	if (!s->options.again || s->file->regular)
		return HP_OK;
	st = hp_anon_file_open(&fd, NULL, err);
	if (st != HP_OK)
		return st;
	s->file->layer.limit = inner_limit(s->options.max_size);
	st = copy_to_file(&s->file->layer, fd, err);
	if (st != HP_OK) {
		close(fd);
		return st;
	}
	st = hp_file_open_fd(&file, fd, 0, true, err);
	if (st != HP_OK)
		return st;
	s->file->layer.ops->close(&s->file->layer);
	s->file = file;
	s->layers[0] = &file->layer;
	return HP_OK;
}

static enum hp_status
source_init(struct hp_source *s, const char *name,
	    const struct hp_source_options *options, struct hp_error *err)
{
	enum hp_status st;

	s->layers[0] = &s->file->layer;
	if (options)
		s->options = *options;
	s->mode = s->file->mode;
	s->name = hp_strdup(name);
	if (s->options.digest)
		s->digest = hp_digest_open();
	if (!s->name || (s->options.digest && !s->digest))
		return hp_no_memory(err);
	st = copy_pipe_to_file(s, err);
	return st == HP_OK ? stack_layers(s, err) : st;
}

/*
 * Create a source for @file; closing the source also closes @file. @st: the
 * status of opening @file. If it is a failure, the function does nothing and
 * returns @st.
 */
static enum hp_status
source_new(struct hp_source **out, enum hp_status st, struct hp_file *file,
	   const char *name, const struct hp_source_options *options,
	   struct hp_error *err)
{
	struct hp_source *s;

	*out = NULL;
	if (st != HP_OK)
		return st;
	s = hp_calloc(1, sizeof(*s));
	if (!s) {
		file->layer.ops->close(&file->layer);
		return hp_no_memory(err);
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
	struct hp_file *file;
	enum hp_status st = hp_file_open(&file, path, err);

	return source_new(out, st, file, hp_shown_path(path), options, err);
}

enum hp_status
hp_source_open_fd(struct hp_source **out, int fd, const char *name,
		  const struct hp_source_options *options, struct hp_error *err)
{
	struct hp_file *file;
	enum hp_status st = hp_file_open_fd(&file, fd, 0, true, err);

	return source_new(out, st, file, name, options, err);
}

enum hp_status
hp_source_reopen(struct hp_source **out, const struct hp_source *first,
		 struct hp_error *err)
{
	struct hp_source_options options = first->options;
	struct hp_file *file;
	enum hp_status st = hp_file_reopen(&file, first->file, err);

	options.digest = false;
	st = source_new(out, st, file, first->name, &options, err);
	if (st != HP_OK)
		return st;
	(*out)->mark = first->mark;
	(*out)->length = first->length;
	return HP_OK;
}

uint64_t *
hp_source_mark(struct hp_source *s)
{
	return &s->mark;
}

void
hp_source_close(struct hp_source *s)
{
	if (!s)
		return;
	close_layers(s);
	s->layers[0]->ops->close(s->layers[0]);
	hp_digest_close(s->digest);
	hp_free(s->name);
	hp_free(s);
}

enum hp_status
hp_source_peek(struct hp_source *s, void *buf, size_t *got,
	       struct hp_error *err)
{
	return hp_layer_peek(top_layer(s), buf, got, err);
}

/*
 * Whether the bytes returned by hp_source_read() are added to the hash. False
 * for a seekable file: hp_source_digest() reads it separately.
 */
static bool
hashes_reads(const struct hp_source *s)
{
	return s->digest && !hp_source_seekable(s);
}

/*
 * If the option digest is set, also add the bytes to the hash. After a rewind,
 * bytes are read a second time; those before the offset s->hashed are not added
 * to the hash again.
 */
enum hp_status
hp_source_read(struct hp_source *s, void *buf, size_t n, size_t *got,
	       struct hp_error *err)
{
	uint64_t begin = hp_source_tell(s);
	enum hp_status st = hp_layer_read(top_layer(s), buf, n, got, err);

	if (st == HP_OK && *got < n)
		s->length = hp_source_tell(s);
	if (hashes_reads(s) && begin <= s->hashed && *got > s->hashed - begin) {
		size_t known = (size_t)(s->hashed - begin);

		hp_digest_add(s->digest, (uint8_t *)buf + known, *got - known);
		s->hashed += *got - known;
	}
	return st;
}

static enum hp_status
skip_hashed(struct hp_source *s, uint64_t n, uint64_t *skipped,
	    struct hp_error *err)
{
	uint8_t *buf = hp_malloc(HP_IO_STEP);
	enum hp_status st = HP_OK;
	size_t want, got = 1;

	if (!buf)
		return hp_no_memory(err);
	while (st == HP_OK && *skipped < n && got > 0) {
		want = n - *skipped < HP_IO_STEP ? (size_t)(n - *skipped)
						 : HP_IO_STEP;
		st = hp_source_read(s, buf, want, &got, err);
		*skipped += got;
	}
	hp_free(buf);
	return st;
}

enum hp_status
hp_source_skip(struct hp_source *s, uint64_t n, uint64_t *skipped,
	       struct hp_error *err)
{
	enum hp_status st = HP_OK;

	*skipped = 0;
	if (hashes_reads(s) && hp_source_tell(s) <= s->hashed &&
	    n > s->hashed - hp_source_tell(s))
		return skip_hashed(s, n, skipped, err);
	while (st == HP_OK && *skipped < n) {
		uint64_t left = n - *skipped;
		size_t want = left < SIZE_MAX ? (size_t)left : SIZE_MAX;
		size_t got;

		st = hp_layer_read(top_layer(s), NULL, want, &got, err);
		*skipped += got;
		if (st == HP_OK && got < want)
			s->length = hp_source_tell(s);
		if (got < want)
			break;
	}
	return st;
}

uint8_t *
hp_source_borrow(struct hp_source *s, uint64_t offset, size_t n,
		 struct hp_buffer **held)
{
	return hp_layer_borrow(top_layer(s), offset, n, held);
}

uint64_t
hp_source_tell(const struct hp_source *s)
{
	return top_layer(s)->pos;
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

uint64_t
hp_source_length(const struct hp_source *s)
{
	if (hp_source_seekable(s))
		return s->file->size;
	return s->length ? s->length : UINT64_MAX;
}

enum hp_status
hp_source_measure(struct hp_source *s, struct hp_error *err)
{
	struct hp_source *again;
	uint64_t length = 0;
	enum hp_status st;

	if (hp_source_length(s) != UINT64_MAX || s->translated ||
	    !hp_source_rewindable(s))
		return HP_OK;
	st = hp_source_reopen(&again, s, err);
	if (st != HP_OK)
		return st;
	st = hp_source_skip(again, UINT64_MAX, &length, err);
	hp_source_close(again);
	if (st == HP_OK)
		s->length = length;
	return st;
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
			       "has more than %llu bytes (--max-size)",
			       (unsigned long long)most);
	return hp_file_pread(s->file, buf, n, offset, got, err);
}

struct hp_window *
hp_source_window(struct hp_source *s, uint64_t n, uint64_t offset)
{
	uint64_t most = s->options.max_size;

	if (!hp_source_seekable(s) || (most && s->file->size > most) ||
	    s->options.mapping == HP_MAP_NEVER)
		return NULL;
	return hp_file_window(s->file, n, offset,
			      s->options.mapping == HP_MAP_GUARDED);
}

enum hp_status
hp_source_window_check(struct hp_source *s, const struct hp_window *w,
		       uint64_t n, uint64_t offset, struct hp_error *err)
{
	return hp_file_window_check(s->file, w, n, offset, err);
}

const uint8_t *
hp_source_window_at(const struct hp_source *s, const struct hp_window *w,
		    uint64_t offset)
{
	return hp_window_at(w, s->file->base + offset);
}

static enum hp_status
hash_file(struct hp_source *s, struct hp_error *err)
{
	uint8_t *buf = hp_malloc(HP_IO_STEP);
	enum hp_status st = buf ? HP_OK : hp_no_memory(err);
	size_t got = 1;

	hp_digest_restart(s->digest);
	s->hashed = 0;
	while (st == HP_OK && got > 0) {
		st = hp_source_pread(s, buf, HP_IO_STEP, s->hashed, &got, err);
		hp_digest_add(s->digest, buf, got);
		s->hashed += got;
	}
	hp_free(buf);
	return st;
}

enum hp_status
hp_source_digest(struct hp_source *s, char text[HP_DIGEST_TEXT],
		 uint64_t *bytes, struct hp_error *err)
{
	enum hp_status st;
	uint64_t rest;

	if (!s->digest)
		return HP_UNSUPPORTED;
	st = hp_source_seekable(s) ? hash_file(s, err)
				   : hp_source_skip(s, UINT64_MAX, &rest, err);
	if (st != HP_OK)
		return st;
	hp_digest_text(s->digest, text);
	*bytes = s->hashed;
	return HP_OK;
}

/*
 * If layer @i (1 or more) is an archive, get the names of the dumps that were
 * found in the archive. Returns false if there are none.
 */
static bool
archive_of(const struct hp_source *s, unsigned i, struct hp_archive *out)
{
	struct hp_layer *l = s->layers[i];

	return l->ops->archive && l->ops->archive(l, out);
}

/*
 * Called before a rewind: remember the dumps that were found in archives. The
 * next pass may end before it finds all of them.
 */
static void
keep_archives(struct hp_source *s)
{
	struct hp_archive a;

	for (unsigned i = 1; i <= s->depth; i++)
		if (archive_of(s, i, &a) && a.dumps > s->seen[i - 1].dumps)
			s->seen[i - 1] = a;
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

	keep_archives(s);
	close_layers(s);
	s->notes.count = 0;
	s->outermost = NULL;
	s->too_deep = false;
	s->translated = false;
	st = hp_file_rewind(s->file, err);
	if (st != HP_OK)
		return st;
	return stack_layers(s, err);
}

const char *
hp_source_compression(const struct hp_source *s)
{
	return s->outermost ? s->outermost->name : "none";
}

bool
hp_source_is_pack(const struct hp_source *s)
{
	const struct hp_pack_vtable *pack = s->options.packing;

	return pack && s->outermost == &pack->container;
}

bool
hp_source_archive(const struct hp_source *s, unsigned *at,
		  struct hp_archive *out)
{
	while (*at < s->depth) {
		unsigned i = ++*at;

		if (!archive_of(s, i, out))
			out->dumps = 0;
		if (s->seen[i - 1].dumps > out->dumps)
			*out = s->seen[i - 1];
		if (out->dumps > 0)
			return true;
	}
	return false;
}

bool
hp_source_translated(const struct hp_source *s)
{
	return s->translated;
}

const struct hp_container_note *
hp_source_notes(struct hp_source *s, size_t *count)
{
	static const struct hp_container_note deep = {
		.problem = HP_CONTAINER_DEPTH, .want = DEPTH_MAX, .count = 1};

	s->notes.count = 0;
	for (unsigned i = 1; i <= s->depth; i++)
		s->layers[i]->ops->notes(s->layers[i], &s->notes);
	if (s->too_deep)
		hp_notes_add(&s->notes, &deep);
	*count = s->notes.count;
	return s->notes.list;
}

uint64_t
hp_source_memory(const struct hp_source *s)
{
	uint64_t sum = 0;

	for (unsigned i = 1; i <= s->depth; i++)
		if (s->layers[i]->ops->memory)
			sum += s->layers[i]->ops->memory(s->layers[i]);
	return sum;
}

bool
hp_source_is_oversize(const struct hp_source *s)
{
	uint64_t most = s->options.max_size;

	for (unsigned i = 0; i <= s->depth; i++)
		if (s->layers[i]->over)
			return true;
	return most && hp_source_seekable(s) && s->file->size > most;
}

bool
hp_source_trailing(struct hp_source *s)
{
	const struct hp_container_note *notes;
	size_t n;

	notes = hp_source_notes(s, &n);
	for (size_t i = 0; i < n; i++)
		if (notes[i].problem == HP_CONTAINER_GZIP_TRAILING ||
		    notes[i].problem == HP_CONTAINER_ZSTD_TRAILING ||
		    notes[i].problem == HP_CONTAINER_PACK_TRAILING)
			return true;
	return false;
}

const struct hp_hole *
hp_source_holes(const struct hp_source *s, size_t *count)
{
	*count = 0;
	return top_layer(s)->ops->holes
		       ? top_layer(s)->ops->holes(top_layer(s), count)
		       : NULL;
}

void
hp_source_progress(const struct hp_source *s, uint64_t *taken, uint64_t *total)
{
	*taken = atomic_load_explicit(&s->file->taken, memory_order_relaxed);
	*total = s->file->size;
}

unsigned
hp_source_mode(const struct hp_source *s)
{
	return s->mode;
}

bool
hp_source_identity(const struct hp_source *s, uint64_t *device, uint64_t *inode)
{
	*device = s->file->device;
	*inode = s->file->inode;
	return s->file->regular;
}
