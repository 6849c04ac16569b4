/*
 * dump_id.h - an identifier of a dump
 *
 * A dump may be loaded into a database twice, or several programs may report on
 * it. The identifier shows that it is the same dump: it is the XXH3-128 of its
 * uncompressed bytes. If the bytes cannot be hashed, the identifier is a hash
 * of the path, size and modification time of the file. The member "of" tells
 * which.
 */
#ifndef HP_IO_DUMP_ID_H
#define HP_IO_DUMP_ID_H

#include "common/io/digest.h"
#include "common/io/source.h"

struct hp_dump_id {
	char text[HP_DIGEST_TEXT];
	const char *of; /* what was hashed: "bytes" or "file" */
	uint64_t bytes; /* uncompressed size of the dump; 0 with "file" */
};

/*
 * Compute the identifier from the path, size and modification time of a file.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_dump_id_of_file(struct hp_dump_id *id,
					      const char *path,
					      struct hp_error *err);

/**
 * hp_dump_id_read() - compute the identifier of a dump that was already read
 * @s: opened with the option digest. The function reads the rest, so that the
 *   source is at its end. NULL: it could not be opened
 * @path: the path from the command line
 *
 * If the source was not opened, cannot be decompressed or exceeds a limit, the
 * identifier is that of the file.
 * Returns: HP_OK; HP_IO or HP_NOMEM if the bytes could not be read for another
 *          reason. @id then identifies the file, but must not be used as the
 *          identifier of the dump.
 */
HP_MUST_USE enum hp_status hp_dump_id_read(struct hp_dump_id *id,
					   struct hp_source *s,
					   const char *path,
					   struct hp_error *err);

#endif
