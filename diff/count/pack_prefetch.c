/*
 * pack_prefetch.c - threads that count the next packs while the comparison
 * processes the current one
 *
 * Each thread may use only its share of --memory (memory.h). So enough memory
 * is left for the comparison itself.
 */
#include "diff/count/pack_histogram.h"

#include "common/base/memory.h"
#include "common/base/threads.h"

#include <string.h>

/*
 * minimum number of bytes of memory for a thread; if there is less, no pack is
 * counted in advance
 */
enum { HP_AHEAD_LEAST = 8 << 20 };

/* An input (a pack) that is counted in advance by a thread of its own. */
struct hp_prefetched_pack {
	const char *path;
	/*
	 * accounts for the memory that the thread uses while it counts this
	 * input
	 */
	struct hp_memory memory;
	struct hp_histogram_options options;
	pthread_t thread;
	bool running;
	/* the thread has finished, and `g` has the numbers of objects */
	bool done;
	struct hp_histogram g;
};

static void *
count_main(void *argument)
{
	struct hp_prefetched_pack *a = argument;
	struct hp_error err = {0};

	hp_memory_enter(&a->memory);
	if (hp_pack_histogram_run(&a->g, a->path, 0, &a->options, &a->done,
				  &err) != HP_OK)
		a->done = false;
	return NULL;
}

static void
join_thread(struct hp_prefetched_pack *a)
{
	if (a->running) {
		pthread_join(a->thread, NULL);
		hp_memory_join(&a->memory);
	}
	a->running = false;
}

void
hp_pack_prefetch_init(struct hp_pack_prefetch *a, char *const *paths, size_t n,
		      const struct hp_histogram_options *options)
{
	uint64_t left = hp_memory_left();

	memset(a, 0, sizeof(*a));
	a->most = options->threads;
	if (a->most > n)
		a->most = (unsigned)n;
	if (a->most < 2 || options->split || options->dump)
		return;
	a->share = left / 4 / a->most;
	if (a->share < HP_AHEAD_LEAST)
		return;
	for (size_t i = 0; i < n; i++)
		if (!hp_pack_histogram_is(paths[i]))
			return;
	a->list = hp_calloc(n, sizeof(*a->list));
	if (!a->list)
		return;
	for (size_t i = 0; i < n; i++) {
		a->list[i].path = paths[i];
		a->list[i].options = *options;
		a->list[i].options.threads = 1;
	}
	a->count = n;
}

/*
 * Start threads for the inputs from index @i on, up to the number that may run
 * at the same time. Returns false if a thread could not be started.
 */
static bool
start_from(struct hp_pack_prefetch *a, size_t i)
{
	while (a->started < a->count && a->started - i < a->most) {
		struct hp_prefetched_pack *next = &a->list[a->started];

		if (!hp_memory_child(&next->memory, a->share))
			return false;
		if (hp_thread_start(&next->thread, count_main, next, NULL) !=
		    HP_OK) {
			hp_memory_join(&next->memory);
			return false;
		}
		next->running = true;
		a->started++;
	}
	return true;
}

struct hp_histogram *
hp_pack_prefetch_take(struct hp_pack_prefetch *a, size_t i)
{
	if (!a->list)
		return NULL;
	a->at = i;
	if (start_from(a, i)) {
		join_thread(&a->list[i]);
		if (a->list[i].done)
			return &a->list[i].g;
	}
	hp_pack_prefetch_release(a);
	return NULL;
}

void
hp_pack_prefetch_add(struct hp_pack_prefetch *a)
{
	hp_histogram_release(&a->list[a->at].g);
	a->list[a->at].done = false;
}

void
hp_pack_prefetch_release(struct hp_pack_prefetch *a)
{
	for (size_t i = 0; i < a->started; i++) {
		join_thread(&a->list[i]);
		if (a->list[i].done)
			hp_histogram_release(&a->list[i].g);
	}
	hp_free(a->list);
	memset(a, 0, sizeof(*a));
}
