/* shown_path.c - paths of inputs in the form that users see */
#include "common/io/source.h"

#include <string.h>

const char *
hp_shown_path(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *
hp_shown_file_name(const char *path)
{
	const char *shown = hp_shown_path(path), *slash = strrchr(shown, '/');

	return slash && slash[1] ? slash + 1 : shown;
}
