/*
 * common_options.c - the options that all programs have in common
 */
#include "common/options/options.h"

const char *const hp_whens[] = {"auto", "always", "never", NULL};
static const char *const auto_off[] = {"auto", "off", NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_options, member),        \
		  .least = 1, .most = UINT32_MAX}

static const char *const help_levels[] = {"all", NULL};

/* --format must be first, because programs without formats skip it. */
static const struct hp_option common[] = {
	{"format", 0, false, "FORMAT", HP_COMMON_FORMAT,
	 "write the result in this format", .group = HP_GROUP_OUTPUT,
	 .brief = "output format: "},
	{"output", 'o', false, "FILE", HP_COMMON_OUTPUT,
	 "write the result to FILE; if the program fails, it writes no file",
	 .group = HP_GROUP_OUTPUT, .brief = "write the result to FILE"},
	{"force", 0, false, NULL, HP_COMMON_VALUE,
	 "replace an output file that exists", VALUE(FLAG, force),
	 .group = HP_GROUP_OUTPUT, .brief = "replace an existing output file"},
	{"sync", 0, false, NULL, HP_COMMON_VALUE,
	 "wait until the output file is on the disk", VALUE(FLAG, sync),
	 .group = HP_GROUP_OUTPUT},
	{"dump", 0, false, "N", HP_COMMON_VALUE,
	 "use dump number N of a file that contains several dumps",
	 VALUE(COUNT, dump), .group = HP_GROUP_INPUT},
	{"threads", 0, false, "N", HP_COMMON_THREADS,
	 "use N threads (default: one for each processor)",
	 .group = HP_GROUP_LIMITS},
	{"memory", 0, false, "SIZE", HP_COMMON_MEMORY,
	 "use at most SIZE of memory, for example 512M (default: three "
	 "quarters of the available memory)",
	 .group = HP_GROUP_LIMITS, .brief = "use at most SIZE of memory"},
	{"max-size", 0, false, "SIZE", HP_COMMON_MAX_SIZE,
	 "refuse inputs that are larger than SIZE when decompressed",
	 .group = HP_GROUP_LIMITS},
	{"sandbox", 0, false, NULL, HP_COMMON_SANDBOX,
	 "use a sandbox, in which the program has only the rights that it "
	 "needs; 'auto' uses the sandbox if the system supports it (default: "
	 "auto)",
	 auto_off, .group = HP_GROUP_LIMITS},
	{"progress", 0, false, NULL, HP_COMMON_VALUE,
	 "show the progress (default: on a terminal, after one second)",
	 hp_whens, VALUE(CHOICE, progress), .group = HP_GROUP_MESSAGES},
	{"color", 0, false, NULL, HP_COMMON_VALUE,
	 "use colours (default: on a terminal, unless NO_COLOR is set)",
	 hp_whens, VALUE(CHOICE, color), .group = HP_GROUP_MESSAGES},
	{"quiet", 'q', false, NULL, HP_COMMON_QUIET,
	 "print no warnings and notes on standard error",
	 .group = HP_GROUP_MESSAGES, .brief = "print no warnings and notes"},
	{"verbose", 'v', false, NULL, HP_COMMON_VERBOSE,
	 "print more details on standard error", .group = HP_GROUP_MESSAGES,
	 .brief = "print more details"},
	{"help", 'h', true, NULL, HP_COMMON_HELP,
	 "show the most important options, or all of them, and exit",
	 help_levels, .group = HP_GROUP_MESSAGES,
	 .brief = "show this help, or all options"},
	{"version", 'V', false, NULL, HP_COMMON_VERSION,
	 "show the version and exit", .group = HP_GROUP_MESSAGES},
	{"list-options", 0, false, NULL, HP_COMMON_LIST,
	 "list all options and their values (for shell completions), and exit",
	 .group = HP_GROUP_MESSAGES},
};

const struct hp_option *
hp_program_option(const struct hp_program *program, size_t i)
{
	if (i < program->option_count)
		return &program->options[i];
	i -= program->option_count;
	if (!program->formats)
		i++;
	return i < HP_ARRAY_LEN(common) ? &common[i] : NULL;
}
