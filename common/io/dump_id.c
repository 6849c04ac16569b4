/*
 * dump_id.c - what tells one dump from all others
 */
#include "common/io/dump_id.h"

#include "common/base/buf.h"

#include <inttypes.h>
#include <sys/stat.h>

/* Path, size and time of change: the same file is the same row once more. */
static void
identify_file(struct hp_dump_id *id, const char *path)
{
	struct hp_buf b = {0};
	struct stat sb;

	hp_buf_add(&b, path, strlen(path) + 1);
	if (strcmp(path, "-") != 0 && stat(path, &sb) == 0)
		hp_buf_printf(&b, "%" PRIu64 " %" PRId64 ".%09ld",
			      (uint64_t)sb.st_size, (int64_t)sb.st_mtim.tv_sec,
			      (long)sb.st_mtim.tv_nsec);
	hp_digest_once(b.data, b.len, id->text);
	id->of = "file";
	id->bytes = 0;
	hp_buf_release(&b);
}

void
hp_dump_id_read(struct hp_dump_id *id, struct hp_source *s, const char *path)
{
	if (s && hp_source_digest(s, id->text, &id->bytes) == HP_OK)
		id->of = "bytes";
	else
		identify_file(id, path);
}
