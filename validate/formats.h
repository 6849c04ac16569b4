/*
 * formats.h - the output formats of hprof-validate, from formats.def
 */
#ifndef HP_VALIDATE_FORMATS_H
#define HP_VALIDATE_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	HP_VALIDATE_LIMITS = 1, /* shows which checks were left out */
	/* by default also shows informational notes */
	HP_VALIDATE_INFOS = 2,
	HP_VALIDATE_EACH_FILE = 4, /* written file by file, then a summary */
	HP_VALIDATE_MAP = 8,	   /* shows the map of each file */
	HP_VALIDATE_ROWS = 16,	   /* consists of rows for databases */
};

/*
 * The names of the formats, and the suffixes of their files. Both end with
 * NULL.
 */
extern const char *const hp_validate_format_names[];
extern const char *const hp_validate_format_suffixes[];

/* The index of a format. @name must be an argument that --format accepts. */
size_t hp_validate_format(const char *name);

/* Whether a format contains any of the HP_VALIDATE_ bits in @what. */
bool hp_validate_format_holds(const char *name, unsigned what);

#endif
