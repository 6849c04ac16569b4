/*
 * dump_id.h - what tells one dump from all others
 *
 * A dump that is loaded twice into a database, or checked by one program and
 * counted by another, is one dump: its id is the XXH3-128 of its bytes, without
 * compression. What cannot be read to its end has the hash of what identifies
 * the file instead, and says so.
 */
#ifndef HP_IO_DUMP_ID_H
#define HP_IO_DUMP_ID_H

#include "common/io/digest.h"
#include "common/io/source.h"

struct hp_dump_id {
	char text[HP_DIGEST_TEXT];
	const char *of; /* "bytes": the dump's; "file": path, size, time */
	uint64_t bytes; /* of the dump, uncompressed, where all were read */
};

/* The id of a file by its path, size and time of change. HP_OK, HP_NOMEM. */
HP_MUST_USE enum hp_status hp_dump_id_of_file(struct hp_dump_id *id,
					      const char *path,
					      struct hp_error *err);

/**
 * hp_dump_id_read() - the id of a dump that was read as far as it is of use
 * @s:    opened with the option digest; what is left of it is read. Its place
 *        is then the end. NULL: it could not be opened
 * @path: as given
 *
 * A dump whose compression is broken or too much is identified as a file.
 * Returns: HP_OK; HP_IO, HP_NOMEM: its bytes could not be read though nothing
 *          is wrong with them; identified as a file, too, but nobody may take
 *          this for the dump's id.
 */
HP_MUST_USE enum hp_status hp_dump_id_read(struct hp_dump_id *id,
					   struct hp_source *s,
					   const char *path,
					   struct hp_error *err);

#endif
