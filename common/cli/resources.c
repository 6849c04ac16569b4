/*
 * resources.c - processors and memory that a process may use
 *
 * Reads what Linux says in /proc and /sys and falls back to what every POSIX
 * system knows. What the figures are used for is left to options.c.
 */
#include "common/cli/resources.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/base/sanitizers.h"
#include "common/cli/quantity.h"

#define HP_BUDGET_LEAST (UINT64_C(64) << 20)
#define HP_LARGE (4 << 20) /* bytes of a block; batches are smaller */
#define HP_TRIM (4 * HP_LARGE)
#define HP_MUCH (UINT64_C(64) << 20) /* of --memory; less is little */
#define HP_LARGE_OF_LITTLE (128 << 10)
#define HP_HUGE_PAGE (2 << 20)
#define HP_PROBE (256 << 10) /* more than the heap has at the start */
#define HP_UNCOUNTED (UINT64_C(14) << 20)
#define HP_LEAST (UINT64_C(10) << 20)
#define HP_STACK (512 << 10) /* bytes of a thread's */

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#ifdef __GLIBC__
/*
 * Have the main heap begin with huge pages. A block up to the first of them
 * stays taken and is never touched. That one begins behind all that malloc()
 * has written so far, its note of what is free behind the probe included: a
 * huge page is only made where nothing was touched.
 */
static void
reserve_huge_heap(void)
{
	static void *volatile filler;
	const size_t head = 4 * sizeof(void *); /* of the block after it */
	char *probe, *end;
	size_t skip;

	/* less in all than what is given back again */
	mallopt(M_TOP_PAD, HP_TRIM - HP_PROBE - (512 << 10));
	probe = malloc(HP_PROBE);
	mallopt(M_TOP_PAD, 128 << 10); /* as it was */
	end = sbrk(0);
	skip = HP_PROBE + head;
	skip += -((uintptr_t)probe + skip) & (HP_HUGE_PAGE - 1);
	/* not where malloc() is another's */
	bool here = probe && probe < end && end - probe <= HP_TRIM &&
		    (size_t)(end - probe) > skip;
	if (here)
		madvise(probe + skip, (size_t)(end - probe) - skip,
			MADV_HUGEPAGE);
	free(probe);
	if (here)
		filler = malloc(skip - head);
	(void)filler;
}
#endif

/*
 * With little memory the process must not be larger than what it counts: no
 * pages of 2 MB of which it touches a part, and what was freed goes back.
 */
static bool
use_little(uint64_t memory)
{
	if (memory >= HP_MUCH)
		return false;
#ifdef PR_SET_THP_DISABLE
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, HP_LARGE_OF_LITTLE);
	mallopt(M_TRIM_THRESHOLD, HP_LARGE_OF_LITTLE);
	mallopt(M_ARENA_MAX, 1);
#endif
	return true;
}

void
hp_tune_malloc(uint64_t memory)
{
#ifdef __GLIBC__
	struct rlimit r;
#endif

	if (use_little(memory))
		return;
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, HP_LARGE);
	mallopt(M_TRIM_THRESHOLD, HP_TRIM);
	/* where every byte counts, those that are not touched do, too */
	if (getrlimit(RLIMIT_DATA, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
		reserve_huge_heap();
#endif
}

void
hp_trim_malloc(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

static void
limit_data(uint64_t bytes)
{
	struct rlimit r;

	/* a sanitizer's own memory must not count */
	if (HP_SANITIZED || getrlimit(RLIMIT_DATA, &r) != 0)
		return;
	r.rlim_cur = bytes;
	/* without it there is what the programs count themselves */
	(void)setrlimit(RLIMIT_DATA, &r);
}

uint64_t
hp_machine_limit(uint64_t memory)
{
	struct rlimit r;
#ifdef __GLIBC__
	pthread_attr_t attributes;
#endif

	/* the program itself, and pages of the input that are mapped */
	memory = memory > HP_LEAST + HP_UNCOUNTED ? memory - HP_UNCOUNTED
						  : HP_LEAST;
	if (getrlimit(RLIMIT_DATA, &r) != 0 || r.rlim_cur <= memory)
		return r.rlim_cur;
	limit_data(memory);
#ifdef __GLIBC__
	if (pthread_attr_init(&attributes) == 0) {
		if (pthread_attr_setstacksize(&attributes, HP_STACK) == 0)
			pthread_setattr_default_np(&attributes);
		pthread_attr_destroy(&attributes);
	}
#endif
	return r.rlim_cur;
}

void
hp_machine_unlimit(uint64_t before)
{
	limit_data(before);
}

unsigned
hp_default_threads(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

#ifdef __linux__
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = CPU_COUNT(&set);
#endif
	if (n < 1)
		return 1;
	return n < HP_THREADS_MAX ? (unsigned)n : HP_THREADS_MAX;
}

static uint64_t
physical_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES);
	long size = sysconf(_SC_PAGESIZE);

	if (pages <= 0 || size <= 0)
		return UINT64_MAX;
	return (uint64_t)pages * (uint64_t)size;
}

/* MemAvailable of /proc/meminfo; UINT64_MAX if there is none. */
static uint64_t
available_memory(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	char line[128];
	unsigned long long kb;
	uint64_t bytes = UINT64_MAX;

	if (!file)
		return bytes;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "MemAvailable: %llu kB", &kb) == 1)
			bytes = (uint64_t)kb << 10;
	}
	fclose(file);
	return bytes;
}

/* The number in a file; UINT64_MAX if there is none ("max", no file). */
static uint64_t
read_number_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[64] = "";
	uint64_t v;

	if (!file)
		return UINT64_MAX;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	if (hp_count_parse(line, 0, UINT64_MAX, &v, NULL) != HP_OK)
		return UINT64_MAX;
	return v;
}

/*
 * The least limit of a cgroup and of those above it. @group begins with a
 * slash and is cut from the end, level by level.
 */
static uint64_t
cgroup_limit(const char *mount, char *group, const char *name)
{
	struct hp_buf path = {0};
	uint64_t limit = UINT64_MAX;

	for (;;) {
		hp_buf_clear(&path);
		hp_buf_printf(&path, "%s%s/%s", mount, group, name);
		limit = min_u64(limit, read_number_file(hp_buf_string(&path)));
		char *slash = strrchr(group, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	hp_buf_release(&path);
	return limit;
}

/* The limits of this process's cgroups, version 2 and 1. */
static uint64_t
cgroup_memory(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[4096];
	uint64_t limit = UINT64_MAX;

	if (!file)
		return limit;
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		char *names = strchr(line, ':');
		char *group = names ? strchr(names + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = '\0';
		if (names[1] == '\0')
			limit = min_u64(limit,
					cgroup_limit("/sys/fs/cgroup", group,
						     "memory.max"));
		else if (strstr(names + 1, "memory"))
			limit = min_u64(limit,
					cgroup_limit("/sys/fs/cgroup/memory",
						     group,
						     "memory.limit_in_bytes"));
	}
	fclose(file);
	return limit;
}

static uint64_t
resource_memory(void)
{
	static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
	uint64_t limit = UINT64_MAX;
	struct rlimit r;

	for (size_t i = 0; i < HP_ARRAY_LEN(kinds); i++) {
		if (getrlimit(kinds[i], &r) == 0 && r.rlim_cur != RLIM_INFINITY)
			limit = min_u64(limit, r.rlim_cur);
	}
	return limit;
}

uint64_t
hp_memory_budget(void)
{
	uint64_t budget = min_u64(physical_memory(), available_memory());

	budget = min_u64(budget, cgroup_memory());
	budget = min_u64(budget, resource_memory());
	budget -= budget / 4;
	return budget > HP_BUDGET_LEAST ? budget : HP_BUDGET_LEAST;
}
