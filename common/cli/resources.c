/*
 * resources.c - the processors and the memory that this process may use
 *
 * On Linux, the numbers come from /proc and /sys. On other systems, they come
 * from POSIX functions.
 */
#include "common/cli/resources.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/base/platform.h"
#include "common/cli/quantity.h"

#define HP_BUDGET_LEAST (UINT64_C(64) << 20)
#define HP_UNCOUNTED (UINT64_C(14) << 20)
#define HP_LEAST (UINT64_C(10) << 20)
/* size in bytes of the stack of a thread if the option --memory is given */
#define HP_STACK (512 << 10)

static uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void
limit_data(uint64_t bytes)
{
	struct rlimit r;

	/*
	 * A sanitizer allocates much memory of its own, which would count
	 * towards the limit. So a build with a sanitizer sets no limit.
	 */
	if (HP_SANITIZED || getrlimit(RLIMIT_DATA, &r) != 0)
		return;
	r.rlim_cur = bytes;
	/*
	 * If setrlimit() fails, the programs still count the memory that they
	 * allocate.
	 */
	(void)setrlimit(RLIMIT_DATA, &r);
}

uint64_t
hp_machine_limit(uint64_t memory)
{
	struct rlimit r;
#ifdef __GLIBC__
	pthread_attr_t attributes;
#endif

	/*
	 * The operating system also counts memory that --memory does not limit:
	 * the program itself and mapped pages of the input file. So subtract
	 * the size of this memory.
	 */
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

/*
 * Returns the value MemAvailable of /proc/meminfo in bytes; UINT64_MAX if it is
 * not known.
 */
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
 * Returns the smallest limit of a cgroup and of all cgroups that contain it.
 * @mount: the folder in which cgroups are mounted. @group: the path of the
 * cgroup in this folder, which begins with a slash; the function removes its
 * levels one by one from the end. @name: the name of the file with the limit.
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

/*
 * Returns the memory limit of the cgroups (version 2 and 1) to which this
 * process belongs.
 */
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
