/*
 * formats.c - the table of output formats, built from formats.def
 */
#include "validate/options.h"

#include <string.h>

enum {
	LIMITS = HP_VALIDATE_LIMITS,
	INFOS = HP_VALIDATE_INFOS,
	EACH_FILE = HP_VALIDATE_EACH_FILE,
	MAP = HP_VALIDATE_MAP,
	ROWS = HP_VALIDATE_ROWS,
};

#define FORMAT(name, suffixes, writer, holds) name,
const char *const hp_validate_format_names[] = {
#include "validate/formats.def"
	NULL};

#define FORMAT(name, suffixes, writer, holds) suffixes,
const char *const hp_validate_format_suffixes[] = {
#include "validate/formats.def"
	NULL};

#define FORMAT(name, suffixes, writer, holds) holds,
static const unsigned held[] = {
#include "validate/formats.def"
};

size_t
hp_validate_format(const char *name)
{
	size_t i = 0;

	while (hp_validate_format_names[i + 1] &&
	       strcmp(hp_validate_format_names[i], name) != 0)
		i++;
	return i;
}

bool
hp_validate_format_holds(const char *name, unsigned what)
{
	return held[hp_validate_format(name)] & what;
}
