/*
 * common_options.c - the table of the options that all programs have
 */
#include "common/options/common_options.h"

const char *const hp_whens[] = {"auto", "always", "never", NULL};
static const char *const auto_off[] = {"auto", "off", NULL};

#define VALUE(kind, member)                                                    \
	.value = {HP_VALUE_##kind, offsetof(struct hp_options, member),        \
		  .least = 1, .most = UINT32_MAX}

/* --format comes first: programs without formats skip it. */
static const struct hp_option common[] = {
	{"format", 0, false, "FORMAT", HP_COMMON_FORMAT, "the output format"},
	{"output", 'o', false, "FILE", HP_COMMON_OUTPUT,
	 "write the result to FILE, which appears whole or not at all"},
	{"force", 0, false, NULL, HP_COMMON_VALUE,
	 "replace an output file that exists", VALUE(FLAG, force)},
	{"sync", 0, false, NULL, HP_COMMON_VALUE,
	 "wait until an output file is on the disk", VALUE(FLAG, sync)},
	{"dump", 0, false, "N", HP_COMMON_VALUE,
	 "take the Nth dump of a file that holds several", VALUE(COUNT, dump)},
	{"threads", 0, false, "N", HP_COMMON_THREADS,
	 "use N threads (default: the processors there are)"},
	{"memory", 0, false, "SIZE", HP_COMMON_MEMORY,
	 "use no more than SIZE of memory (default: three quarters of what is "
	 "there)"},
	{"max-size", 0, false, "SIZE", HP_COMMON_MAX_SIZE,
	 "refuse inputs that unpack to more than SIZE"},
	{"sandbox", 0, false, NULL, HP_COMMON_SANDBOX,
	 "sandbox: drop rights that are not needed, where the system can "
	 "(default: auto)",
	 auto_off},
	{"progress", 0, false, NULL, HP_COMMON_VALUE,
	 "show progress (default: on a terminal, after a second)", hp_whens,
	 VALUE(CHOICE, progress)},
	{"color", 0, false, NULL, HP_COMMON_VALUE,
	 "use colours (default: on a terminal, unless NO_COLOR is set)",
	 hp_whens, VALUE(CHOICE, color)},
	{"quiet", 'q', false, NULL, HP_COMMON_QUIET,
	 "no warnings and notes on standard error"},
	{"verbose", 'v', false, NULL, HP_COMMON_VERBOSE,
	 "say more on standard error about what is done"},
	{"help", 'h', false, NULL, HP_COMMON_HELP, "show this help and exit"},
	{"version", 'V', false, NULL, HP_COMMON_VERSION,
	 "show the version and exit"},
	{"list-options", 0, false, NULL, HP_COMMON_LIST,
	 "list the options and their values, for completions, and exit"},
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
