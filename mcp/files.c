/*
 * files.c - allow the tools only files below the root, the folder of the option
 * --root
 *
 * Symbolic links and ".." in a path are resolved first, so that they cannot
 * lead out of the root. But somebody who can replace files below the root while
 * a tool runs could still make the tool use another file. SECURITY.md describes
 * this limit.
 */
#include "mcp/mcp.h"

#include "common/base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *
below_root(const struct mcp_options *o, const char *real)
{
	size_t n = strlen(o->root);

	return strncmp(real, o->root, n) == 0 && real[n] == '/' &&
			       real[n + 1] != '\0'
		       ? real + n + 1
		       : NULL;
}

/*
 * Make @path absolute: a relative path is relative to the root. Returns false
 * if the result is too long.
 */
static bool
join_root(const struct mcp_options *o, const char *path, char to[PATH_MAX])
{
	int n = path[0] == '/' ? snprintf(to, PATH_MAX, "%s", path)
			       : snprintf(to, PATH_MAX, "%s/%s", o->root, path);

	return n > 0 && n < PATH_MAX;
}

char *
mcp_file(const struct mcp_options *o, const char *path, const char **wrong)
{
	char whole[PATH_MAX], real[PATH_MAX];
	const char *inside;
	struct stat sb;

	*wrong = "the file does not exist below the root folder";
	if (!join_root(o, path, whole) || !realpath(whole, real))
		return NULL;
	inside = below_root(o, real);
	if (!inside || stat(real, &sb) != 0)
		return NULL;
	if (!S_ISREG(sb.st_mode)) {
		*wrong = "the path is not a regular file";
		return NULL;
	}
	return hp_strndup(inside, strlen(inside));
}

char *
mcp_new_file(const struct mcp_options *o, const char *path, const char **wrong)
{
	char whole[PATH_MAX], real[PATH_MAX], joined[PATH_MAX];
	char *slash;
	const char *inside, *name;
	struct stat sb;

	*wrong = "the folder of the new file does not exist below the root "
		 "folder";
	if (!join_root(o, path, whole))
		return NULL;
	slash = strrchr(whole, '/');
	name = slash + 1;
	*slash = '\0';
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    !realpath(*whole ? whole : "/", real) ||
	    snprintf(joined, sizeof(joined), "%s/%s",
		     strcmp(real, "/") == 0 ? "" : real,
		     name) >= (int)sizeof(joined))
		return NULL;
	inside = below_root(o, joined);
	if (!inside)
		return NULL;
	if (lstat(joined, &sb) == 0 || errno != ENOENT) {
		*wrong = "the new file exists already";
		return NULL;
	}
	return hp_strndup(inside, strlen(inside));
}
