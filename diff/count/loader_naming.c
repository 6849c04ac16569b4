/*
 * loader_naming.c - the table of the fields that lead from a class loader to
 * the name of its application, and the texts that are made of these names
 *
 * diff/retained/loader_names.c follows the fields in the object graph. Without
 * a graph, class_loaders.c follows them in passes over the dump.
 */
#include "diff/count/loader_naming.h"

#include <string.h>

const struct hp_loader_naming hp_loader_namings[HP_LOADER_NAMINGS] = {
#define LOADER_NAME(class, noun, fields, value, text) {class, noun, fields},
#include "diff/count/loader_names.def"
};

const char *
hp_loader_field(const char *fields, char name[HP_LOADER_FIELD + 1])
{
	size_t len = strcspn(fields, ".");

	name[0] = '\0';
	strncat(name, fields, len < HP_LOADER_FIELD ? len : HP_LOADER_FIELD);
	fields += len;
	return fields + (*fields == '.');
}

void
hp_loader_name_text(struct hp_buf *b, const char *noun, const char *value)
{
	const char *slash = strrchr(value, '/');
	size_t len = strlen(value);

	value += *value == '/';
	/*
	 * if the name is the path of a .jar file, show only the last part of
	 * the path
	 */
	if (slash && len > 4 && strcmp(slash + strlen(slash) - 4, ".jar") == 0)
		value = slash + 1;
	hp_buf_printf(b, "%s%s'%s'", noun, *noun ? " " : "", value);
}

void
hp_loader_label_text(struct hp_buf *b, const char *class, const char *name)
{
	if (name[0] == '\'')
		hp_buf_printf(b, "%s %s", class, name);
	else
		hp_buf_printf(b, "class loader of %s", name);
}
