/*
 * without.c - run a program on a kernel that seems to lack Landlock, seccomp or
 * sockets
 *
 * without landlock|seccomp|both|sockets CMD [ARGUMENT]...
 *
 * A seccomp filter makes the system calls of the chosen feature fail. Exit
 * status: that of CMD; 97 if the kernel really has no Landlock or no seccomp
 * filters; 2 if the usage is wrong.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#endif

enum { NOTHING_TO_HIDE = 97 };

/*
 * Make two system calls fail with ENOSYS from now on, as if the kernel did not
 * have them. @first and @second are their numbers.
 */
static int
hide(uint32_t first, uint32_t second)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, second, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]),
				     .filter = code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
			       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
				     &program) == 0
		       ? 0
		       : -1;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	uint32_t files = __NR_landlock_create_ruleset, calls = __NR_seccomp;

	if (strcmp(what, "landlock") == 0)
		calls = files;
	else if (strcmp(what, "seccomp") == 0)
		files = calls;
	else if (strcmp(what, "sockets") == 0)
		files = calls = __NR_socket;
	else if (strcmp(what, "both") != 0) {
		fprintf(stderr,
			"usage: without landlock|seccomp|both|sockets CMD\n");
		return 2;
	}
	if ((files != __NR_socket &&
	     syscall(__NR_landlock_create_ruleset, NULL, (size_t)0, 1) < 1) ||
	    hide(files, calls) != 0)
		return NOTHING_TO_HIDE;
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
