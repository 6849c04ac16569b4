/*
 * file.c - read files, pipes and devices through their descriptors
 *
 * This code handles short reads, interrupted calls, and files that become
 * shorter while they are read. Another thread can end a wait for data of a
 * pipe. decompress.c decompresses files.
 */
#include "common/io/internal.h"
#include "common/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

/* maximum number of bytes for one read() */
#define READ_MOST ((size_t)1 << 30)
/* number of bytes of a stream to skip in one call */
#define SCRATCH ((size_t)64 << 10)
/* minimum bytes of a window, a part of the file that is mapped into memory */
#define WINDOW ((uint64_t)16 << 20)
#define PIPE_ROOM (1 << 20) /* preferred size of a pipe's buffer */
#define LONGEST_WAIT 512    /* for an append of another process, in ms */

static void
advance_progress(struct hp_file *f, uint64_t pos)
{
	uint64_t seen = atomic_load_explicit(&f->taken, memory_order_relaxed);

	while (seen < pos &&
	       !atomic_compare_exchange_weak_explicit(&f->taken, &seen, pos,
						      memory_order_relaxed,
						      memory_order_relaxed))
		;
}

/*
 * Fail because the file became shorter. @most: the maximum size in bytes that
 * the whole file can have now.
 */
static enum hp_status
note_truncation(const struct hp_file *f, uint64_t most, struct hp_error *err)
{
	most = most > f->base ? most - f->base : 0;
	return hp_fail(err, HP_IO,
		       "the file was truncated while it was read: "
		       "it had %llu bytes, and now has at most %llu",
		       (unsigned long long)f->size, (unsigned long long)most);
}

enum hp_status
hp_file_pread(struct hp_file *f, void *buf, size_t n, uint64_t offset,
	      size_t *got, struct hp_error *err)
{
	uint8_t *p = buf;

	*got = 0;
	if (offset >= f->size)
		return HP_OK;
	if (n > f->size - offset)
		n = (size_t)(f->size - offset);
	while (*got < n) {
		size_t want = n - *got < READ_MOST ? n - *got : READ_MOST;
		ssize_t r = pread(f->fd, p + *got, want,
				  (off_t)(f->base + offset + *got));

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return hp_fail(err, HP_IO, "cannot read: %m");
		if (r == 0)
			return note_truncation(f, f->base + offset + *got, err);
		*got += (size_t)r;
	}
	advance_progress(f, offset + n);
	return HP_OK;
}

struct hp_window *
hp_file_window(struct hp_file *f, uint64_t n, uint64_t offset, bool guarded)
{
	uint64_t left = f->size - offset, want = n > WINDOW ? n : WINDOW;
	struct hp_window *w = f->window;

	if (offset > f->size || n > left)
		return NULL;
	if (w && hp_window_covers(w, f->base + offset, n))
		return hp_window_ref(w);
	hp_window_unref(w);
	f->window = w = hp_window_open(f->fd, f->base + offset,
				       want < left ? want : left, guarded);
	return w ? hp_window_ref(w) : NULL;
}

enum hp_status
hp_file_window_check(struct hp_file *f, const struct hp_window *w, uint64_t n,
		     uint64_t offset, struct hp_error *err)
{
	struct stat sb;

	advance_progress(f, offset + n);
	if (fstat(f->fd, &sb) < 0)
		return hp_fail(err, HP_IO, "cannot stat the file: %m");
	/*
	 * If another process has shortened the file, the rest of its last
	 * mapped page reads as zeros, and no SIGBUS is raised. So the size must
	 * also be checked.
	 */
	if (sb.st_size < 0 || (uint64_t)sb.st_size < f->base + offset + n)
		return note_truncation(
			f, sb.st_size < 0 ? 0 : (uint64_t)sb.st_size, err);
	if (hp_window_broken(w))
		return hp_fail(err, HP_IO,
			       "cannot read: a mapped page of the file "
			       "could not be loaded");
	return HP_OK;
}

static enum hp_status
read_regular(struct hp_file *f, uint8_t *buf, size_t n, size_t *got,
	     struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (buf) {
		st = hp_file_pread(f, buf, n, f->pos, got, err);
	} else {
		*got = n;
		if (n > f->size - f->pos)
			*got = (size_t)(f->size - f->pos);
		advance_progress(f, f->pos + *got);
	}
	f->pos += *got;
	return st;
}

/*
 * Wait until the pipe has bytes to read, or another thread calls file_stop().
 * Returns HP_OK, HP_STOPPED or HP_IO.
 */
static enum hp_status
wait_readable(struct hp_file *f, struct hp_error *err)
{
	struct pollfd p[2] = {{.fd = f->fd, .events = POLLIN},
			      {.fd = f->wake, .events = POLLIN}};

	while (!atomic_load(&f->stopped)) {
		/*
		 * f->wake is negative if there is no eventfd; poll() ignores
		 * such a descriptor
		 */
		int r = poll(p, 2, -1);

		if (r < 0 && errno != EINTR)
			return hp_fail(err, HP_IO, "cannot wait for input: %m");
		if (r > 0 && p[0].revents)
			return HP_OK;
	}
	return HP_STOPPED;
}

static enum hp_status
read_stream(struct hp_file *f, uint8_t *buf, size_t n, size_t *got,
	    struct hp_error *err)
{
	uint8_t scratch[SCRATCH];
	enum hp_status st;

	*got = 0;
	while (*got < n) {
		size_t want = n - *got < READ_MOST ? n - *got : READ_MOST;
		uint8_t *to = buf ? buf + *got : scratch;
		ssize_t r;

		if (!buf && want > SCRATCH)
			want = SCRATCH;
		if (f->wake >= 0) {
			st = wait_readable(f, err);
			if (st != HP_OK)
				return st;
		}
		r = read(f->fd, to, want);
		if (r == 0)
			break;
		if (r > 0) {
			*got += (size_t)r;
			f->pos += (size_t)r;
			advance_progress(f, f->pos);
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			st = wait_readable(f, err);
			if (st != HP_OK)
				return st;
		} else if (errno != EINTR) {
			return hp_fail(err, HP_IO, "cannot read: %m");
		}
	}
	return HP_OK;
}

static enum hp_status
file_read(struct hp_layer *l, uint8_t *buf, size_t n, size_t *got,
	  struct hp_error *err)
{
	struct hp_file *f = (struct hp_file *)l;

	*got = 0;
	if (atomic_load_explicit(&f->stopped, memory_order_relaxed))
		return HP_STOPPED;
	if (f->regular)
		return read_regular(f, buf, n, got, err);
	return read_stream(f, buf, n, got, err);
}

static void
file_stop(struct hp_layer *l)
{
	struct hp_file *f = (struct hp_file *)l;
	uint64_t one = 1;

	atomic_store(&f->stopped, true);
	/*
	 * write() can only fail if the counter of the eventfd is at its
	 * maximum. In this case, the wait ends anyway.
	 */
	if (f->wake >= 0 && write(f->wake, &one, sizeof(one)) < 0)
		return;
}

static void
file_close(struct hp_layer *l)
{
	struct hp_file *f = (struct hp_file *)l;

	hp_window_unref(f->window);
	if (f->wake >= 0)
		close(f->wake);
	if (f->owned)
		close(f->fd);
	hp_free(f);
}

static const struct hp_layer_ops file_ops = {
	.read = file_read,
	.stop = file_stop,
	.close = file_close,
};

/*
 * Whether @size, from fstat(), is the real size of the file. Generated files
 * (in /proc and some FUSE file systems) have the size 0, as empty files have,
 * but reading them returns bytes.
 */
static bool
has_size(const struct hp_file *f, off_t size)
{
	char byte;
	ssize_t r;

	if (size > 0)
		return true;
	do {
		r = pread(f->fd, &byte, 1, (off_t)f->base);
	} while (r < 0 && errno == EINTR);
	return r == 0;
}

static bool
file_describe(struct hp_file *f)
{
	struct stat sb;

	if (fstat(f->fd, &sb) < 0)
		return false;
	if (S_ISDIR(sb.st_mode)) {
		errno = EISDIR;
		return false;
	}
	f->device = (uint64_t)sb.st_dev;
	f->inode = (uint64_t)sb.st_ino;
	f->changed = sb.st_mtim;
	f->end = sb.st_size;
	f->regular = S_ISREG(sb.st_mode) && has_size(f, sb.st_size);
	f->mode = S_ISREG(sb.st_mode) ? sb.st_mode & 0777 : 0666;
	if (f->regular && sb.st_size > 0 && (uint64_t)sb.st_size > f->base)
		f->size = (uint64_t)sb.st_size - f->base;
	return true;
}

enum hp_status
hp_file_open_fd(struct hp_file **out, int fd, uint64_t base, bool owned,
		struct hp_error *err)
{
	struct hp_file *f = hp_calloc(1, sizeof(*f));
	enum hp_status st;

	*out = NULL;
	if (!f) {
		if (owned)
			close(fd);
		return hp_no_memory(err);
	}
	*f = (struct hp_file){.layer.ops = &file_ops,
			      .fd = fd,
			      .wake = -1,
			      .owned = owned,
			      .base = base};
	if (!file_describe(f)) {
		st = hp_fail(err, HP_IO, "cannot open: %m");
		file_close(&f->layer);
		return st;
	}
	/*
	 * Both calls are only hints to the kernel, so it does not matter if
	 * they fail.
	 */
	if (f->regular)
		(void)posix_fadvise(fd, (off_t)base, 0, POSIX_FADV_SEQUENTIAL);
	else
		(void)fcntl(fd, F_SETPIPE_SZ, PIPE_ROOM);
	*out = f;
	return HP_OK;
}

enum hp_status
hp_file_open(struct hp_file **out, const char *path, struct hp_error *err)
{
	off_t at;
	int fd;

	if (strcmp(path, "-") == 0) {
		at = lseek(STDIN_FILENO, 0, SEEK_CUR);
		return hp_file_open_fd(out, STDIN_FILENO,
				       at > 0 ? (uint64_t)at : 0, false, err);
	}
	do {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		*out = NULL;
		return hp_fail(err, HP_IO, "cannot open: %m");
	}
	return hp_file_open_fd(out, fd, 0, true, err);
}

enum hp_status
hp_file_make_stoppable(struct hp_file *f, struct hp_error *err)
{
	if (f->regular || f->wake >= 0)
		return HP_OK;
	f->wake = eventfd(0, EFD_CLOEXEC);
	if (f->wake < 0)
		return hp_fail(err, HP_IO, "cannot make an eventfd: %m");
	return HP_OK;
}

static bool
is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/*
 * Get the size and the times of the file, when no other process is in the
 * middle of an append. The kernel first sets the modification time and then the
 * size. So if only the time has changed, this function waits until the size is
 * larger, and gives up after about a second. Such a file was overwritten.
 */
static int
stat_after_append(const struct hp_file *f, struct stat *sb)
{
	int r = fstat(f->fd, sb);

	for (int ms = 1; r == 0 && ms <= LONGEST_WAIT; ms *= 2) {
		if (sb->st_size != f->end ||
		    is_same_time(sb->st_mtim, f->changed))
			break;
		/* After a signal, the wait is shorter. */
		(void)poll(NULL, 0, ms);
		r = fstat(f->fd, sb);
	}
	return r;
}

/*
 * Check that the file can be read again, and that it was not changed since it
 * was opened. A file that has only grown is accepted, because each pass reads
 * only the bytes that the file had when it was opened. Returns HP_OK or HP_IO.
 */
static enum hp_status
check_unchanged(const struct hp_file *f, struct hp_error *err)
{
	struct stat sb;

	if (!f->regular)
		return hp_fail(
			err, HP_IO,
			"cannot be read a second time: not a regular file");
	if (stat_after_append(f, &sb) < 0)
		return hp_fail(err, HP_IO, "cannot stat the file: %m");
	if (sb.st_size > f->end)
		return HP_OK;
	if (sb.st_size != f->end || !is_same_time(sb.st_mtim, f->changed))
		return hp_fail(err, HP_IO,
			       "the file was changed while it was read");
	return HP_OK;
}

enum hp_status
hp_file_reopen(struct hp_file **out, const struct hp_file *first,
	       struct hp_error *err)
{
	enum hp_status st = check_unchanged(first, err);
	int fd;

	*out = NULL;
	if (st != HP_OK)
		return st;
	fd = fcntl(first->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return hp_fail(err, HP_IO, "cannot open: %m");
	st = hp_file_open_fd(out, fd, first->base, true, err);
	if (st != HP_OK)
		return st;
	/*
	 * The file may have grown since it was first opened. Keep the size that
	 * it had then, so that all passes read the same bytes.
	 */
	(*out)->size = first->size;
	(*out)->end = first->end;
	(*out)->changed = first->changed;
	/*
	 * Share the mapped window, so that a small file is mapped only once for
	 * all passes.
	 */
	if (first->window)
		(*out)->window = hp_window_ref(first->window);
	return HP_OK;
}

enum hp_status
hp_file_rewind(struct hp_file *f, struct hp_error *err)
{
	enum hp_status st = check_unchanged(f, err);

	if (st != HP_OK)
		return st;
	f->pos = 0;
	f->layer.pos = 0;
	f->layer.head_pos = f->layer.head_len = 0;
	f->layer.over = false;
	atomic_store(&f->stopped, false);
	atomic_store(&f->taken, 0);
	return HP_OK;
}
