/*
 * loader_naming.h - how the names of the applications are found to which class
 * loaders belong, and how they are shown
 */
#ifndef HP_DIFF_COUNT_LOADER_NAMING_H
#define HP_DIFF_COUNT_LOADER_NAMING_H

#include "common/base/buf.h"

#include <stddef.h>

/* An entry of loader_names.def, which describes the members. */
struct hp_loader_naming {
	const char *class, *noun, *fields;
};

enum {
	HP_LOADER_NAMINGS = 0
#define LOADER_NAME(class, noun, fields, value, text) +1
#include "diff/count/loader_names.def"
	,
	/* how many superclasses of a class are searched for a field */
	HP_LOADER_SUPERCLASSES = 32,
	/* maximum length of the name of a field in loader_names.def */
	HP_LOADER_FIELD = 32,
};

extern const struct hp_loader_naming hp_loader_namings[HP_LOADER_NAMINGS];

/*
 * Split field names such as "module.name" at the first dot: copy the first name
 * to @name, and return the rest, "" if there is none.
 */
const char *hp_loader_field(const char *fields, char name[HP_LOADER_FIELD + 1]);

/*
 * Append the name of a loader: "webapp 'shop'" for the noun "webapp" and the
 * value "/shop".
 */
void hp_loader_name_text(struct hp_buf *b, const char *noun, const char *value);

/*
 * Append the label of one class loader, from its class and its name, which
 * hp_loader_name_text() has made: "class loader of webapp 'shop'". A name that
 * is only a text in quotes is appended to the class: "MyLoader 'plugins'".
 */
void hp_loader_label_text(struct hp_buf *b, const char *class,
			  const char *name);

#endif
