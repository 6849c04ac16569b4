/*
 * window.c - windows (parts of files that are mapped into memory), and a
 * handler for pages that can no longer be read
 *
 * If another process makes the file shorter, reading a page after the new end
 * of the file raises SIGBUS. The signal handler then maps a page of zeros
 * there, and marks the window as broken. The reader continues, but later calls
 * hp_window_broken() to find out whether it must discard the bytes. For a
 * SIGBUS at any other address, the handler restores the previous action and the
 * signal is raised again.
 *
 * file.c decides which parts of a file are mapped, and when.
 */
#include "common/io/source.h"
#include "common/base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* maximum number of windows (mapped parts of files) in the whole process */
enum { PLACES = 64 };

/*
 * An entry of a table with the address ranges of all windows (mapped parts of
 * files), for the signal handler. The handler may read an entry at any time, so
 * entries are never freed. An entry whose end is 0 is not in use.
 */
struct place {
	_Atomic uintptr_t start, end;
	atomic_bool taken;
	atomic_bool broken;
};

struct hp_window {
	uint8_t *bytes;
	/* offset of the first byte of the window (mapped part) in the file */
	uint64_t offset;
	size_t length;
	_Atomic unsigned references;
	struct place *place;
};

/* These variables are global, because a signal handler gets no context. */
static struct place places[PLACES];
static struct sigaction before;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool installed; /* the signal handler for SIGBUS is installed */

static bool
map_zero_page(uintptr_t at)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < PLACES; i++) {
		struct place *p = &places[i];
		uintptr_t end = atomic_load(&p->end);
		uintptr_t start = atomic_load(&p->start);
		uintptr_t from = at - at % page;

		/*
		 * If p->end has changed, another window has reused this entry
		 * since the handler read it.
		 */
		if (at < start || at >= end || atomic_load(&p->end) != end)
			continue;
		atomic_store(&p->broken, true);
		return mmap((void *)from, end - from, PROT_READ,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			    0) != MAP_FAILED;
	}
	return false;
}

static void
on_bus_error(int number, siginfo_t *info, void *context)
{
	if (!map_zero_page((uintptr_t)info->si_addr))
		/*
		 * Restore the action for SIGBUS that was installed before. The
		 * failed access is repeated, and raises the signal again.
		 */
		sigaction(number, &before, NULL);
}

static void
install_handler(void)
{
	struct sigaction act = {.sa_sigaction = on_bus_error,
				.sa_flags = SA_SIGINFO};

	sigemptyset(&act.sa_mask);
	installed = sigaction(SIGBUS, &act, &before) == 0;
}

static struct place *
place_register(uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < PLACES; i++) {
		struct place *p = &places[i];

		if (atomic_exchange(&p->taken, true))
			continue;
		atomic_store(&p->broken, false);
		atomic_store(&p->start, (uintptr_t)bytes);
		atomic_store(&p->end, (uintptr_t)bytes + length);
		return p;
	}
	return NULL;
}

static void
place_release(struct place *p)
{
	atomic_store(&p->end, 0);
	atomic_store(&p->taken, false);
}

/*
 * Map the window, and enter its address range into the table for the signal
 * handler. On failure, returns false, and nothing is mapped.
 */
static bool
map_pages(struct hp_window *w, int fd)
{
	void *bytes = mmap(NULL, w->length, PROT_READ, MAP_SHARED, fd,
			   (off_t)w->offset);

	if (bytes == MAP_FAILED)
		return false;
	w->bytes = bytes;
	w->place = place_register(w->bytes, w->length);
	if (!w->place) {
		munmap(bytes, w->length);
		return false;
	}
	return true;
}

struct hp_window *
hp_window_open(int fd, uint64_t offset, uint64_t n, bool guarded)
{
	uint64_t before_it = offset % HP_WINDOW_UNIT;
	struct hp_window *w;

	if (guarded)
		pthread_once(&once, install_handler);
	if ((guarded && !installed) || n > SIZE_MAX / 2)
		return NULL;
	w = hp_calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->offset = offset - before_it;
	w->length = (size_t)(n + before_it);
	atomic_init(&w->references, 1);
	if (!map_pages(w, fd)) {
		hp_free(w);
		return NULL;
	}
	return w;
}

struct hp_window *
hp_window_ref(struct hp_window *w)
{
	atomic_fetch_add_explicit(&w->references, 1, memory_order_relaxed);
	return w;
}

void
hp_window_unref(struct hp_window *w)
{
	if (!w || atomic_fetch_sub(&w->references, 1) > 1)
		return;
	place_release(w->place);
	munmap(w->bytes, w->length);
	hp_free(w);
}

bool
hp_window_covers(const struct hp_window *w, uint64_t offset, uint64_t n)
{
	return offset >= w->offset && offset - w->offset <= w->length &&
	       n <= w->length - (offset - w->offset);
}

const uint8_t *
hp_window_at(const struct hp_window *w, uint64_t offset)
{
	return w->bytes + (offset - w->offset);
}

bool
hp_window_broken(const struct hp_window *w)
{
	return atomic_load(&w->place->broken);
}
