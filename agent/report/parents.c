/*
 * parents.c - find the parent processes that have loaded the agent
 *
 * Source: proc(5), for the files /proc/PID/stat and /proc/PID/maps.
 */
#include "agent/report/parents.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* maximum number of ancestor processes to look at */
enum { PARENTS = 32 };

static FILE *
open_proc(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	return fopen(path, "re");
}

/* Whether the library of the agent is in the memory of a process. */
static bool
has_agent(pid_t pid)
{
	FILE *f = open_proc(pid, "maps");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&line, &room, f) > 0)
		found = strstr(line, "libhprof-agent") != NULL;
	free(line);
	if (f)
		fclose(f);
	return found;
}

/*
 * Get the parent of a process, and the time at which the process was started,
 * in clock ticks since the system was started.
 */
static bool
parent_of(pid_t pid, pid_t *parent, unsigned long long *ticks)
{
	FILE *f = open_proc(pid, "stat");
	char text[1024];
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	const char *p;
	long id = 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	/* the name of the process is in parentheses, and may contain any byte
	 */
	p = strrchr(text, ')');
	if (!p || sscanf(p, ") %*c %ld", &id) != 1)
		return false;
	/* the parent is field 4, the time of the start is field 22 */
	for (int field = 2; field < 22 && p; field++)
		p = strchr(p + 1, ' ');
	if (!p)
		return false;
	*parent = (pid_t)id;
	*ticks = strtoull(p + 1, NULL, 10);
	return true;
}

uint64_t
hp_agent_parents_start_ms(uint64_t now_ms)
{
	const long per_second = sysconf(_SC_CLK_TCK);
	pid_t pid = getppid(), parent;
	unsigned long long ticks;
	uint64_t oldest = now_ms;
	struct timespec up;

	if (per_second <= 0 || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
		return now_ms;
	for (int i = 0; i < PARENTS && pid > 1; i++, pid = parent) {
		if (!parent_of(pid, &parent, &ticks))
			break;
		if (has_agent(pid)) {
			const uint64_t started =
				ticks * 1000 / (uint64_t)per_second;
			const uint64_t up_ms = (uint64_t)up.tv_sec * 1000 +
					       (uint64_t)up.tv_nsec / 1000000;

			if (up_ms > started && up_ms - started < now_ms)
				oldest = now_ms - (up_ms - started);
		}
	}
	return oldest;
}
