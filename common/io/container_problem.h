/*
 * container_problem.h - problems of the compression of an input, and ranges
 * that are lost
 */
#ifndef HP_IO_CONTAINER_PROBLEM_H
#define HP_IO_CONTAINER_PROBLEM_H

#include <stdint.h>

/*
 * Problems of a container. They never make a read fail: the source hands out
 * the bytes before the problem, and then ends. With the option holes, it
 * continues after a damaged block of a pack.
 */
enum hp_container_problem {
	/*
	 * the checksum, the length or the deflate data of a gzip member is
	 * wrong
	 */
	HP_CONTAINER_GZIP_MEMBER,
	HP_CONTAINER_GZIP_TRUNCATED, /* the file ends inside a member */
	HP_CONTAINER_GZIP_TRAILING,  /* other bytes follow the last member */
	HP_CONTAINER_GZIP_PADDING,   /* zero bytes follow the last member */
	/* a member decompresses to more bytes than the gzip comment promises */
	HP_CONTAINER_GZIP_BLOCKSIZE,
	HP_CONTAINER_ZSTD_FRAME,     /* a wrong checksum or a damaged block */
	HP_CONTAINER_ZSTD_TRUNCATED, /* the file ends inside a frame */
	HP_CONTAINER_ZSTD_TRAILING,  /* other bytes follow the last frame */
	/* there are more than three nested layers */
	HP_CONTAINER_DEPTH,
	/*
	 * a header of a zip or tar archive is damaged, or the data or the
	 * checksum of the member that is read
	 */
	HP_CONTAINER_ARCHIVE_DAMAGED,
	/* the archive ends before its end mark */
	HP_CONTAINER_ARCHIVE_TRUNCATED,
	/*
	 * a block of a pack is damaged. got: the number of the block; want: the
	 * number of bytes lost, from offset on
	 */
	HP_CONTAINER_PACK_BLOCK,
	/* the pack ends before its directory */
	HP_CONTAINER_PACK_TRUNCATED,
	/* the directory of the pack is damaged, but the blocks are intact */
	HP_CONTAINER_PACK_DIRECTORY,
	/*
	 * the blocks are intact, but the result differs from what was packed.
	 * got, want: its length, if that differs
	 */
	HP_CONTAINER_PACK_HASH,
	/* got: the number of bytes after the end of the pack */
	HP_CONTAINER_PACK_TRAILING,
	/*
	 * lines of a text are lost. offset: the offset of the first lost line
	 * in the text; raw: its line number; got: an enum hp_rule
	 */
	HP_CONTAINER_TEXT,
	HP_CONTAINER_PROBLEMS
};

struct hp_container_note {
	enum hp_container_problem problem;
	/* where the problem shows in the uncompressed bytes */
	uint64_t offset;
	uint64_t raw;	    /* the offset in the compressed bytes */
	uint64_t got, want; /* sizes or checksums; 0 if there are none */
	/*
	 * How often the problem occurred. The other members describe the first
	 * time.
	 */
	uint64_t count;
};

/* A range of an input that is lost. */
struct hp_hole {
	/* the range [offset, end), in uncompressed bytes */
	uint64_t offset, end;
};

#endif
