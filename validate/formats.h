/*
 * formats.h - the table of formats.def: what each output format is called and
 * has a place for
 */
#ifndef HP_VALIDATE_FORMATS_H
#define HP_VALIDATE_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	HP_VALIDATE_LIMITS = 1,	   /* what could not be checked */
	HP_VALIDATE_INFOS = 2,	   /* by default also informational notes */
	HP_VALIDATE_EACH_FILE = 4, /* written file by file, then a summary */
	HP_VALIDATE_MAP = 8,	   /* the map of each file */
	HP_VALIDATE_ROWS = 16,	   /* rows for engines */
};

/* The names, and the suffixes of files; NULL ends each. */
extern const char *const hp_validate_format_names[];
extern const char *const hp_validate_format_suffixes[];

/* The place in the table of a name that --format takes. */
size_t hp_validate_format(const char *name);

/* Has a format a place for something? */
bool hp_validate_format_holds(const char *name, unsigned what);

#endif
