/*
 * formats.c - the table of output formats, made from formats.def
 */
#include "diff/options.h"

#include <stddef.h>
#include <string.h>

enum {
	WHOLE = HP_FORMAT_WHOLE,
	PARTIAL = HP_FORMAT_PARTIAL,
	MOVED = HP_FORMAT_MOVED,
	SCREEN = HP_FORMAT_SCREEN,
	EACH_DUMP = HP_FORMAT_EACH_DUMP,
	PAGE = HP_FORMAT_PAGE,
	PEOPLE = HP_FORMAT_PEOPLE,
	SUMS_ITSELF = HP_FORMAT_SUMS_ITSELF,
	SUSPECTS = HP_FORMAT_SUSPECTS,
	ONLY_SUSPECTS = HP_FORMAT_ONLY_SUSPECTS,
	EXAMPLES = HP_FORMAT_EXAMPLES,
};

/* Short names for the options of features.def. formats.def uses these names. */
#define FEATURE(symbol, name, given) symbol = HP_FEATURE_##symbol,
enum {
#include "diff/tables/features.def"
};

#define FORMAT(symbol, name, suffixes, writer, holds, options)                 \
	{name, holds, options},
static const struct hp_diff_format formats[HP_DIFF_FORMATS] = {
#include "diff/tables/formats.def"
};

#define FORMAT(symbol, name, ...) name,
const char *const hp_diff_format_names[] = {
#include "diff/tables/formats.def"
	NULL};

#define FORMAT(symbol, name, suffixes, ...) suffixes,
const char *const hp_diff_format_suffixes[] = {
#include "diff/tables/formats.def"
	NULL};

enum hp_diff_format_id
hp_diff_format_id(const char *name)
{
	unsigned i = 0;

	while (i < HP_DIFF_FORMATS - 1 && strcmp(formats[i].name, name) != 0)
		i++;
	return (enum hp_diff_format_id)i;
}

const char *
hp_diff_format_that_is(unsigned what)
{
	unsigned i = 0;

	while (i < HP_DIFF_FORMATS - 1 && !(formats[i].holds & what))
		i++;
	return formats[i].name;
}

const struct hp_diff_format *
hp_diff_format(const char *name)
{
	return &formats[hp_diff_format_id(name)];
}

unsigned
hp_diff_formats_features(void)
{
	unsigned all = 0;

	for (size_t i = 0; i < HP_DIFF_FORMATS; i++)
		all |= formats[i].options;
	return all;
}
