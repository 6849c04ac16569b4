/*
 * main.c - the program hprof-mcp: parse its options, and find the folder of the
 * other programs
 */
#include "mcp/mcp.h"

#include "common/base/memory.h"

#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: hprof-mcp [OPTION]...\n"
	"Lets an assistant use hprof-validate, hprof-diff and hprof-convert: "
	"a\n"
	"server for the Model Context Protocol on standard input and output.\n"
	"\n"
	"  --root=DIR      read and write only files below DIR (default: the\n"
	"                  working directory)\n"
	"  --show-values   show contents of objects, which may be secret\n"
	"  --memory=SIZE   memory for each program, for example 512M\n"
	"  --threads=N     threads of each program\n"
	"  -h, --help      show this help and exit\n"
	"  -V, --version   show the version and exit\n"
	"\n"
	"Exit status: 0 the client closed the connection; 2 trouble.\n";

enum { EXIT_TROUBLE = 2 };

/*
 * Returns the folder of hprof-mcp if it also contains hprof-diff, in memory
 * from hp_malloc(). Otherwise returns NULL; then the other programs are
 * searched in PATH.
 */
static char *
find_programs(void)
{
	char path[PATH_MAX], probe[PATH_MAX + 16];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	*slash = '\0';
	snprintf(probe, sizeof(probe), "%s/hprof-diff", path);
	return access(probe, X_OK) == 0 ? hp_strndup(path, strlen(path)) : NULL;
}

static int
parse(struct mcp_options *o, int argc, char **argv, const char **root)
{
	static const struct option longs[] = {
		{"root", required_argument, NULL, 'r'},
		{"show-values", no_argument, NULL, 's'},
		{"memory", required_argument, NULL, 'm'},
		{"threads", required_argument, NULL, 't'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0}};
	int c;

	while ((c = getopt_long(argc, argv, "hV", longs, NULL)) != -1)
		switch (c) {
		case 'r':
			*root = optarg;
			break;
		case 's':
			o->show_values = true;
			break;
		case 'm':
			o->memory = optarg;
			break;
		case 't':
			o->threads = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		case 'V':
			puts("hprof-mcp " HP_VERSION);
			return 0;
		default:
			fputs("Try 'hprof-mcp --help'.\n", stderr);
			return EXIT_TROUBLE;
		}
	if (optind == argc)
		return -1;
	fprintf(stderr, "hprof-mcp: unexpected argument '%s'\n", argv[optind]);
	return EXIT_TROUBLE;
}

int
main(int argc, char **argv)
{
	struct mcp_options o = {0};
	const char *root = ".";
	char real[PATH_MAX];
	int status = parse(&o, argc, argv, &root);

	if (status >= 0)
		return status;
	/*
	 * if the client has closed the pipe, write() must fail, without a
	 * signal
	 */
	signal(SIGPIPE, SIG_IGN);
	/* change to the root, because the tools use paths relative to it */
	if (!realpath(root, real) || chdir(real) != 0) {
		fprintf(stderr, "hprof-mcp: --root=%s: ", root);
		perror(NULL);
		return EXIT_TROUBLE;
	}
	o.root = strcmp(real, "/") == 0 ? "" : real;
	o.programs = find_programs();
	status = mcp_serve(&o, stdin, stdout) ? 0 : EXIT_TROUBLE;
	hp_free(o.programs);
	return status;
}
