/*
 * test_sandbox.c - tests which files a process in the sandbox can read and
 * write
 *
 * test_sandbox_calls.c tests the single system calls. Each test runs in a
 * process of its own, because a process cannot leave its sandbox. If the kernel
 * has no Landlock or no seccomp, the tests skip the part that needs it.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/platform.h"
#include "common/cli/output.h"
#include "common/cli/sandbox.h"

Suite *test_sandbox_suite(void);

/* Create a small file. */
static void
make_file(const char *path)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs("text", file);
	fclose(file);
}

static void *
thread(void *argument)
{
	*(int *)argument = socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
	return NULL;
}

/*
 * For the child process: if the condition does not hold, exit with the line
 * number as status.
 */
#define EXPECT(x)                                                              \
	do {                                                                   \
		if (!(x)) {                                                    \
			fprintf(stderr, "line %d: %s: %m\n", __LINE__, #x);    \
			_exit(1);                                              \
		}                                                              \
	} while (0)

static void
check_calls(void)
{
	char *const none[] = {NULL};
	int socket_error = -1;
	pthread_t t;

	EXPECT(socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == ENOSYS);
	EXPECT(execve("/bin/true", none, none) < 0 && errno == ENOSYS);
	EXPECT(kill(getppid(), 0) < 0 && errno == EPERM);
	EXPECT(pthread_create(&t, NULL, thread, &socket_error) == 0);
	EXPECT(pthread_join(t, NULL) == 0 && socket_error == ENOSYS);
}

static int
why_not(const char *path, int flags)
{
	int fd = open(path, flags, 0600);
	int why = fd < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	return why;
}

static void
write_output(const char *path, bool force, bool sync, bool works)
{
	struct hp_output o;
	struct hp_output_options options = {
		.path = path, .force = force, .sync = sync};
	struct hp_error err = {0};
	enum hp_status status = hp_output_open(&o, &options, &err);

	if (status == HP_OK) {
		fputs("new", o.file);
		status = hp_output_close(&o, &err);
	}
	if ((status == HP_OK) != works) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		_exit(1);
	}
}

static void
confined(void)
{
	char *inputs[] = {(char *)"in/a", (char *)"-", (char *)"in/gone", NULL};
	struct hp_sandbox_rules rules = {.inputs = inputs,
					 .input_count = 4,
					 .output = "out/r",
					 .folder = "spill"};
	unsigned in_force = hp_sandbox_enter(&rules);
	int fd;

	EXPECT(open("in/a", O_RDONLY) >= 0);
	EXPECT(open("in/gone", O_RDONLY) < 0 && errno == ENOENT);
	write_output("out/r", false, false, true);
	write_output("out/r", true, false, true);
	fd = open("spill/t", O_CREAT | O_EXCL | O_RDWR, 0600);
	EXPECT(fd >= 0 && unlink("spill/t") == 0);
	EXPECT(write(fd, "x", 1) == 1 && pread(fd, &fd, 1, 0) == 1);
	if (in_force & HP_SANDBOX_FILES) {
		EXPECT(open("in/b", O_RDONLY) < 0 && errno == EACCES);
		EXPECT(open("in/a", O_WRONLY) < 0 && errno == EACCES);
		EXPECT(open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES);
		EXPECT(unlink("in/a") < 0 && errno == EACCES);
		/*
		 * other files in the folder of the output can be neither read
		 * nor listed
		 */
		EXPECT(why_not("out/other", O_RDONLY) == EACCES);
		EXPECT(why_not("out/other", O_RDWR) == EACCES);
		EXPECT(why_not("out/new", O_RDWR | O_CREAT) == EACCES);
		EXPECT(why_not("out/r", O_RDONLY) == EACCES);
		EXPECT(why_not("out", O_RDONLY | O_DIRECTORY) == EACCES);
		EXPECT(why_not("spill", O_RDONLY | O_DIRECTORY) == EACCES);
		write_output("in/r", false, false, false);
	}
	if (in_force & HP_SANDBOX_CALLS)
		check_calls();
	/* not _exit(), because sanitizers report their errors at the exit */
	exit(0);
}

/*
 * Check that the sandbox refuses to create a file, or a folder if @folders is
 * true, with mode bits above 0777.
 */
static void
check_modes(bool folders)
{
	static const mode_t bits[] = {S_ISUID, S_ISGID, S_ISVTX, 0170000};

	for (size_t i = 0; i < HP_ARRAY_LEN(bits); i++) {
		mode_t mode = 0600 | bits[i];

		EXPECT(openat(AT_FDCWD, "out/s", O_CREAT | O_WRONLY, mode) <
			       0 &&
		       errno == EPERM);
		EXPECT(open("out/s", O_TMPFILE | O_WRONLY, mode) < 0 &&
		       errno == EPERM);
		if (folders)
			EXPECT(mkdirat(AT_FDCWD, "out/s", mode) < 0 &&
			       errno == EPERM);
	}
	EXPECT(why_not("out/s", O_WRONLY) == ENOENT);
}

/*
 * Test outputs for which the program needs more than writing: it reads the
 * output again, flushes it to disk, or writes a folder.
 */
static void
confined_reading(void)
{
	const struct hp_sandbox_rules rules = {.output = "out/r",
					       .output_is_read = true,
					       .output_is_synced = true};
	unsigned in_force = hp_sandbox_enter(&rules);

	write_output("out/r", true, true, true);
	EXPECT(why_not("out/r", O_RDONLY) == 0);
	EXPECT(why_not("out/new", O_RDWR | O_CREAT) == 0);
	EXPECT(unlink("out/new") == 0);
	if (in_force & HP_SANDBOX_FILES)
		EXPECT(why_not("in/a", O_RDONLY) == EACCES);
	if (in_force & HP_SANDBOX_CALLS && !HP_SANITIZED)
		check_modes(false);
	exit(0);
}

static void
confined_folder(void)
{
	const struct hp_sandbox_rules rules = {.output = "out/t",
					       .output_is_folder = true};
	unsigned in_force = hp_sandbox_enter(&rules);

	EXPECT(mkdirat(AT_FDCWD, "out/t", 0700) == 0);
	EXPECT(unlinkat(AT_FDCWD, "out/t", AT_REMOVEDIR) == 0);
	if (in_force & HP_SANDBOX_CALLS && !HP_SANITIZED)
		check_modes(true);
	exit(0);
}

static void
confined_device(void)
{
	struct hp_sandbox_rules rules = {.output = "/dev/null"};

	hp_sandbox_enter(&rules);
	write_output("/dev/null", true, false, true);
	write_output(NULL, true, false, true);
	exit(0);
}

static void
run_confined(void (*body)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		body();
	}
	int status = -1;
	waitpid(pid, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}

START_TEST(files_and_calls)
{
	char folder[] = "/tmp/hprof-test-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	mkdir("in", 0700);
	mkdir("out", 0700);
	mkdir("spill", 0700);
	make_file("in/a");
	make_file("in/b");
	make_file("out/other");
	run_confined(confined);
	run_confined(confined_reading);
	run_confined(confined_folder);
	ck_assert_int_eq(unlink("in/a") | unlink("in/b") | unlink("out/r") |
				 unlink("out/other"),
			 0);
	/* rmdir() succeeds only if no temporary file is left in the folder */
	ck_assert_int_eq(rmdir("in") | rmdir("out") | rmdir("spill"), 0);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(output_to_a_device)
{
	run_confined(confined_device);
}
END_TEST

Suite *
test_sandbox_suite(void)
{
	Suite *s = suite_create("sandbox");
	TCase *t = tcase_create("sandbox");

	tcase_add_test(t, files_and_calls);
	tcase_add_test(t, output_to_a_device);
	suite_add_tcase(s, t);
	return s;
}
