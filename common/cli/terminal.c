/*
 * terminal.c - find out whether a file is a terminal and how wide it is, and
 * print colours
 *
 * text_width.c computes the width of text.
 */
#include "common/cli/message.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/cli/quantity.h"

bool
hp_terminal_live(FILE *file)
{
	const char *term = getenv("TERM");

	return isatty(fileno(file)) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

bool
hp_color_wanted(enum hp_when when, FILE *file)
{
	const char *no = getenv("NO_COLOR");

	if (when != HP_AUTO)
		return when == HP_ALWAYS;
	return !(no && *no) && hp_terminal_live(file);
}

const char *
hp_color_begin(enum hp_color color)
{
	static const char *const codes[] = {
		[HP_COLOR_NONE] = "",	       [HP_COLOR_RED] = "\033[31m",
		[HP_COLOR_GREEN] = "\033[32m", [HP_COLOR_YELLOW] = "\033[33m",
		[HP_COLOR_CYAN] = "\033[36m",  [HP_COLOR_BOLD] = "\033[1m",
	};

	return (size_t)color < HP_ARRAY_LEN(codes) ? codes[color] : "";
}

const char *
hp_color_end(enum hp_color color)
{
	return *hp_color_begin(color) ? "\033[0m" : "";
}

unsigned
hp_terminal_width(FILE *file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t v;

	if (columns && hp_count_parse(columns, 20, 10000, &v, NULL) == HP_OK)
		return (unsigned)v;
	if (!isatty(fileno(file)))
		return 0;
	if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
		return size.ws_col;
	return 80;
}

void
hp_streams_guard(void)
{
	int fd;

	/*
	 * open() returns the lowest free descriptor, so this loop opens the
	 * descriptors 0, 1 and 2 if they are closed. Descriptor 0 (standard
	 * input) is opened only for writing, the others only for reading, so
	 * that using them fails.
	 */
	do
		fd = open("/dev/null",
			  fcntl(0, F_GETFD) < 0 ? O_WRONLY : O_RDONLY);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}
