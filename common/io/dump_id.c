/* dump_id.c - compute the hash that identifies a dump in a database */
#include "common/io/source.h"

#include "common/base/buf.h"

#include <inttypes.h>
#include <sys/stat.h>

enum hp_status
hp_dump_id_of_file(struct hp_dump_id *id, const char *path,
		   struct hp_error *err)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;
	struct stat sb;

	hp_buf_add(&b, path, strlen(path) + 1);
	if (strcmp(path, "-") != 0 && stat(path, &sb) == 0)
		hp_buf_printf(&b, "%" PRIu64 " %" PRId64 ".%09ld",
			      (uint64_t)sb.st_size, (int64_t)sb.st_mtim.tv_sec,
			      (long)sb.st_mtim.tv_nsec);
	if (!hp_buf_ok(&b))
		st = hp_no_memory(err);
	hp_digest_once(b.data, b.len, id->text);
	id->of = "file";
	id->bytes = 0;
	hp_buf_release(&b);
	return st;
}

enum hp_status
hp_dump_id_read(struct hp_dump_id *id, struct hp_source *s, const char *path,
		struct hp_error *err)
{
	struct hp_error why = {0};
	enum hp_status named, st = HP_UNSUPPORTED;

	if (s)
		st = hp_source_digest(s, id->text, &id->bytes, &why);
	if (st == HP_OK) {
		id->of = "bytes";
		return HP_OK;
	}
	named = hp_dump_id_of_file(id, path, err);
	if (st != HP_IO && st != HP_NOMEM)
		return named;
	return hp_fail(err, st, "%s", why.text);
}
