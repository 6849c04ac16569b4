/*
 * sandbox.c - restrict which files the process can open, with Landlock of Linux
 *
 * The code makes the system calls of Landlock directly and defines the
 * constants itself. So it needs neither a library nor recent headers. seccomp.c
 * restricts the system calls.
 */
#include "common/cli/sandbox.h"

#include "common/base/platform.h"

/*
 * HP_NO_SANDBOX is defined in builds that measure test coverage: they write
 * files next to the object files.
 */
#if defined(__linux__) && !defined(HP_NO_SANDBOX)

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The system calls of Landlock have these numbers on all architectures except
 * alpha.
 */
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

/* Source: Linux, Documentation/userspace-api/landlock.rst */
/* flag of landlock_create_ruleset(): only return the version of Landlock */
#define HP_LANDLOCK_VERSION 1
/* type of a rule: for a file, or a folder and everything in it */
#define HP_LANDLOCK_BENEATH 1
#define HP_FS_EXECUTE (UINT64_C(1) << 0)
#define HP_FS_WRITE_FILE (UINT64_C(1) << 1)
#define HP_FS_READ_FILE (UINT64_C(1) << 2)
#define HP_FS_READ_DIR (UINT64_C(1) << 3)
#define HP_FS_REMOVE_DIR (UINT64_C(1) << 4)
#define HP_FS_REMOVE_FILE (UINT64_C(1) << 5)
#define HP_FS_MAKE_DIR (UINT64_C(1) << 7)
#define HP_FS_MAKE_REG (UINT64_C(1) << 8)
#define HP_FS_VERSION_1 ((UINT64_C(1) << 13) - 1)
/*
 * the right to move a file to another folder; it exists from version 2 of
 * Landlock on
 */
#define HP_FS_REFER (UINT64_C(1) << 13)
/* this right exists from version 3 of Landlock on */
#define HP_FS_TRUNCATE (UINT64_C(1) << 14)

/*
 * The rights that a program needs to create, write and remove files. They do
 * not include the right to read files.
 */
#define HP_WRITE_RIGHTS                                                        \
	(HP_FS_WRITE_FILE | HP_FS_REMOVE_FILE | HP_FS_MAKE_REG | HP_FS_TRUNCATE)

/*
 * Rights for the network and for signals. On processors for which seccomp.c has
 * no filter, only Landlock restricts the network and signals.
 */
/* this right exists from version 4 of Landlock on */
#define HP_NET_ALL (UINT64_C(1) << 0 | UINT64_C(1) << 1)
/* this right exists from version 6 of Landlock on */
#define HP_SCOPE_ALL (UINT64_C(1) << 0 | UINT64_C(1) << 1)

/*
 * The argument of landlock_create_ruleset(). An older kernel that does not know
 * the last members requires that they are 0.
 */
struct landlock_ruleset {
	uint64_t handled_fs;
	/* the network rights to restrict: to bind and to connect TCP sockets */
	uint64_t handled_net;
	/*
	 * the restricted operations: access to abstract sockets of other
	 * processes, and signals to other processes
	 */
	uint64_t scoped;
};

struct landlock_beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/*
 * The ruleset of Landlock that is being built. `fd`: the descriptor of the
 * ruleset. If it is negative, the kernel does not support Landlock.
 */
struct landlock {
	int fd;
	uint64_t handled;
	bool failed;
};

static void
landlock_begin(struct landlock *l)
{
	struct landlock_ruleset set = {0};
	long version = syscall(__NR_landlock_create_ruleset, NULL, (size_t)0,
			       HP_LANDLOCK_VERSION);

	*l = (struct landlock){.fd = -1};
	if (version < 1)
		return;
	l->handled = HP_FS_VERSION_1;
	if (version >= 2)
		l->handled |= HP_FS_REFER;
	if (version >= 3)
		l->handled |= HP_FS_TRUNCATE;
	set.handled_fs = l->handled;
	if (version >= 4)
		set.handled_net = HP_NET_ALL;
	if (version >= 6)
		set.scoped = HP_SCOPE_ALL;
	l->fd = (int)syscall(__NR_landlock_create_ruleset, &set, sizeof(set),
			     0);
}

/*
 * Add a rule that allows @rights for the file @path, or for everything in the
 * folder @path. If @path cannot be opened now, no rule is needed, because the
 * program cannot open it later either. The exception is a lack of descriptors
 * or memory, which may be temporary: then the function fails. EBADFD means that
 * @path is a pipe or similar, which Landlock does not restrict.
 */
static void
landlock_allow(struct landlock *l, const char *path, uint64_t rights)
{
	struct landlock_beneath rule = {.allowed = rights & l->handled};

	rule.fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.fd < 0) {
		l->failed |=
			errno == EMFILE || errno == ENFILE || errno == ENOMEM;
		return;
	}
	if (syscall(__NR_landlock_add_rule, l->fd, HP_LANDLOCK_BENEATH, &rule,
		    0) != 0 &&
	    errno != EBADFD)
		l->failed = true;
	close(rule.fd);
}

/*
 * Allow @rights in the folder that contains @path. For "a" and "a/" this is the
 * current folder. A path that is too long cannot be opened anyway.
 */
static void
landlock_allow_parent(struct landlock *l, const char *path, uint64_t rights)
{
	char folder[PATH_MAX] = ".";
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	while (n > 0 && path[n - 1] != '/')
		n--;
	if (n >= sizeof(folder))
		return;
	if (n > 0) {
		memcpy(folder, path, n);
		folder[n] = '\0';
	}
	landlock_allow(l, folder, rights);
}

/*
 * Allow writing in the folder that contains the output. A right applies to all
 * files in this folder. So reading is allowed only if the program reads the
 * output back.
 */
static void
landlock_allow_output(struct landlock *l, const struct hp_sandbox_rules *rules)
{
	const char *path = rules->output;
	uint64_t rights = HP_WRITE_RIGHTS;
	struct stat sb;

	if (rules->output_is_folder)
		rights |= HP_FS_MAKE_DIR | HP_FS_REMOVE_DIR | HP_FS_READ_DIR;
	if (rules->output_is_synced)
		rights |= HP_FS_READ_DIR;
	if (rules->output_is_read)
		rights |= HP_FS_READ_FILE;
	if (stat(path, &sb) == 0 && !S_ISREG(sb.st_mode) &&
	    !S_ISDIR(sb.st_mode))
		landlock_allow(l, path, HP_FS_WRITE_FILE);
	landlock_allow_parent(l, path, rights);
}

/*
 * Allow reading an input. A folder is no valid input. The program may open the
 * folder, so that it can print the right message, but it cannot read the files
 * in the folder.
 */
static void
landlock_allow_input(struct landlock *l, const char *path)
{
	struct stat sb;

	landlock_allow(l, path,
		       stat(path, &sb) == 0 && S_ISDIR(sb.st_mode)
			       ? HP_FS_READ_DIR
			       : HP_FS_READ_FILE);
}

static bool
is_file_path(const char *path)
{
	return path && *path && strcmp(path, "-") != 0;
}

static bool
landlock_enter(const struct hp_sandbox_rules *rules)
{
	struct landlock l;

	landlock_begin(&l);
	if (l.fd < 0)
		return false;
	for (size_t i = 0; i < rules->input_count; i++) {
		if (is_file_path(rules->inputs[i]))
			landlock_allow_input(&l, rules->inputs[i]);
	}
	if (is_file_path(rules->output))
		landlock_allow_output(&l, rules);
	/*
	 * Temporary files are written and read. Landlock cannot distinguish
	 * them from other files of the folder, so both rights apply to the
	 * whole folder.
	 */
	if (is_file_path(rules->folder))
		landlock_allow(&l, rules->folder,
			       HP_WRITE_RIGHTS | HP_FS_READ_FILE);
	/*
	 * When the process ends, the runtime of a sanitizer reads files in
	 * /proc.
	 */
	if (HP_SANITIZED)
		landlock_allow(&l, "/proc", HP_FS_READ_FILE | HP_FS_READ_DIR);
	bool done =
		!l.failed && syscall(__NR_landlock_restrict_self, l.fd, 0) == 0;
	close(l.fd);
	return done;
}

unsigned
hp_sandbox_enter(const struct hp_sandbox_rules *rules)
{
	unsigned in_force = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 0;
	if (landlock_enter(rules))
		in_force |= HP_SANDBOX_FILES;
	if (hp_seccomp_enter(rules->output_is_folder))
		in_force |= HP_SANDBOX_CALLS;
	return in_force;
}

#else

unsigned
hp_sandbox_enter(const struct hp_sandbox_rules *rules)
{
	return 0;
}

#endif
