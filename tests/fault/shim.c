/*
 * shim.c - replacements of system and library calls that count the calls and
 * can let one fail
 *
 * Only calls by the objects of the program are replaced, not calls within other
 * libraries.
 */
#include "tests/fault/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

void __sanitizer_print_stack_trace(void);

struct fault fault;

/*
 * Count a call of this kind. Returns true if the armed fault says that this
 * call must fail.
 */
static bool
hit(enum fault_kind kind)
{
	uint64_t n;

	if (!fault.armed)
		return false;
	n = __atomic_add_fetch(&fault.seen[kind], 1, __ATOMIC_RELAXED);
	if (fault.kind != kind || fault.number == 0 ||
	    (n != fault.number && !(fault.lasting && n > fault.number)))
		return false;
	if (fault.trace)
		__sanitizer_print_stack_trace();
	if (fault.what > 0)
		errno = fault.what;
	return true;
}

/*
 * Define the replacement of a function: WRAP(return type, name, kind, value on
 * failure, parameters, arguments)
 */
#define WRAP(type, name, kind, failure, params, args)                          \
	type __real_##name params;                                             \
	type __wrap_##name params;                                             \
	type __wrap_##name params                                              \
	{                                                                      \
		return hit(kind) ? (failure) : __real_##name args;             \
	}

WRAP(void *, malloc, FAULT_MEMORY, NULL, (size_t n), (n))
WRAP(void *, calloc, FAULT_MEMORY, NULL, (size_t n, size_t m), (n, m))
WRAP(void *, realloc, FAULT_MEMORY, NULL, (void *p, size_t n), (p, n))
WRAP(void *, reallocarray, FAULT_MEMORY, NULL, (void *p, size_t n, size_t m),
     (p, n, m))
WRAP(void *, aligned_alloc, FAULT_MEMORY, NULL, (size_t a, size_t n), (a, n))
WRAP(char *, strdup, FAULT_MEMORY, NULL, (const char *s), (s))
WRAP(char *, strndup, FAULT_MEMORY, NULL, (const char *s, size_t n), (s, n))
WRAP(FILE *, fopencookie, FAULT_MEMORY, NULL,
     (void *c, const char *m, cookie_io_functions_t io), (c, m, io))
WRAP(void *, mmap64, FAULT_MAP, MAP_FAILED,
     (void *p, size_t n, int prot, int flags, int fd, off_t at),
     (p, n, prot, flags, fd, at))
WRAP(int, pthread_create, FAULT_THREAD, EAGAIN,
     (pthread_t * t, const pthread_attr_t *a, void *(*f)(void *), void *arg),
     (t, a, f, arg))
WRAP(int, mkostemp64, FAULT_OPEN, -1, (char *path, int flags), (path, flags))
WRAP(FILE *, fopen64, FAULT_OPEN, NULL, (const char *path, const char *m),
     (path, m))
WRAP(int, eventfd, FAULT_OPEN, -1, (unsigned n, int flags), (n, flags))
WRAP(int, fstat64, FAULT_PLACE, -1, (int fd, struct stat *s), (fd, s))
WRAP(off_t, lseek64, FAULT_PLACE, -1, (int fd, off_t at, int from),
     (fd, at, from))
WRAP(int, fsync, FAULT_PLACE, -1, (int fd), (fd))
WRAP(int, mkdirat, FAULT_PLACE, -1, (int a, const char *name, mode_t mode),
     (a, name, mode))
WRAP(int, renameat, FAULT_PLACE, -1,
     (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(int, hp_publish_rename, FAULT_PLACE, -1,
     (int dir, const char *from, const char *to), (dir, from, to))
WRAP(ssize_t, getrandom, FAULT_PLACE, -1, (void *p, size_t n, unsigned flags),
     (p, n, flags))

/*
 * An unnamed temporary file gets its name by linkat() from /proc. So linkat()
 * fails while shim.c imitates a system without unnamed files.
 */
int __real_linkat(int a, const char *from, int b, const char *to, int flags);
int __wrap_linkat(int a, const char *from, int b, const char *to, int flags);

int
__wrap_linkat(int a, const char *from, int b, const char *to, int flags)
{
	if (fault.armed && fault.named) {
		errno = EPERM; /* the error that a FAT file system returns */
		return -1;
	}
	return hit(FAULT_PLACE) ? -1 : __real_linkat(a, from, b, to, flags);
}

int __real_openat64(int dir, const char *path, int flags, ...);

static int
opened(int dir, const char *path, int flags, va_list args)
{
	mode_t mode = 0;

	if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)
		mode = va_arg(args, mode_t);
	if (fault.armed && fault.named && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return hit(FAULT_OPEN) ? -1 : __real_openat64(dir, path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...);
int __wrap_openat64(int dir, const char *path, int flags, ...);

int
__wrap_open64(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	/*
	 * Opening with O_PATH never fails here, because only the sandbox and
	 * the leak check do it.
	 */
	if (flags & O_PATH)
		fd = __real_openat64(AT_FDCWD, path, flags);
	else
		fd = opened(AT_FDCWD, path, flags, args);
	va_end(args);
	return fd;
}

int
__wrap_openat64(int dir, const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = opened(dir, path, flags, args);
	va_end(args);
	return fd;
}

int __real_fcntl64(int fd, int what, ...);
int __wrap_fcntl64(int fd, int what, ...);

int
__wrap_fcntl64(int fd, int what, ...)
{
	bool opens = what == F_DUPFD || what == F_DUPFD_CLOEXEC;
	va_list args;
	long arg;

	va_start(args, what);
	arg = va_arg(args, long);
	va_end(args);
	return opens && hit(FAULT_OPEN) ? -1 : __real_fcntl64(fd, what, arg);
}

/*
 * Define the replacement of a function that transfers bytes: WRAP_BYTES(name,
 * kind, pointer, parameters, call with a size of m bytes)
 */
#define WRAP_BYTES(name, kind, params, args)                                   \
	ssize_t __real_##name params;                                          \
	ssize_t __wrap_##name params;                                          \
	ssize_t __wrap_##name params                                           \
	{                                                                      \
		size_t m = n;                                                  \
                                                                               \
		if (hit(kind)) {                                               \
			if (fault.what == FAULT_END)                           \
				return 0;                                      \
			if (fault.what != FAULT_SHORT)                         \
				return -1;                                     \
			m = n > 1 ? 1 : n;                                     \
		}                                                              \
		return __real_##name args;                                     \
	}

WRAP_BYTES(read, FAULT_READ, (int fd, void *p, size_t n), (fd, p, m))
WRAP_BYTES(pread64, FAULT_READ, (int fd, void *p, size_t n, off_t at),
	   (fd, p, m, at))
WRAP_BYTES(write, FAULT_WRITE, (int fd, const void *p, size_t n), (fd, p, m))
WRAP_BYTES(pwrite64, FAULT_WRITE, (int fd, const void *p, size_t n, off_t at),
	   (fd, p, m, at))

int __real_poll(struct pollfd *p, nfds_t n, int ms);
int __wrap_poll(struct pollfd *p, nfds_t n, int ms);

int
__wrap_poll(struct pollfd *p, nfds_t n, int ms)
{
	if (fault.armed && fault.what == EINTR && hit(FAULT_READ))
		return -1;
	return __real_poll(p, n, ms);
}
