/*
 * container_problem.h - what is wrong with the compression of an input, and
 * what of it is lost
 */
#ifndef HP_IO_CONTAINER_PROBLEM_H
#define HP_IO_CONTAINER_PROBLEM_H

#include <stdint.h>

/*
 * Problems of the container. They never fail a read: the bytes before the
 * problem are handed out and then the source ends, unless holes are allowed.
 */
enum hp_container_problem {
	HP_CONTAINER_GZIP_MEMBER,     /* bad CRC, ISIZE or deflate data */
	HP_CONTAINER_GZIP_TRUNCATED,  /* the file ends inside a member */
	HP_CONTAINER_GZIP_TRAILING,   /* bytes after the last member */
	HP_CONTAINER_GZIP_PADDING,    /* zero bytes after the last member */
	HP_CONTAINER_GZIP_BLOCKSIZE,  /* a member inflates to more than its
					 comment says */
	HP_CONTAINER_ZSTD_FRAME,      /* bad checksum or block */
	HP_CONTAINER_ZSTD_TRUNCATED,  /* the file ends inside a frame */
	HP_CONTAINER_ZSTD_TRAILING,   /* bytes after the last frame */
	HP_CONTAINER_DEPTH,	      /* more than three layers */
	HP_CONTAINER_ARCHIVE_DAMAGED, /* a zip's or tar's heads, or the data or
					 checksum of the member that is read */
	HP_CONTAINER_ARCHIVE_TRUNCATED, /* it ends before its own end */
	HP_CONTAINER_PACK_BLOCK,	/* got: number of a damaged block; want:
					   bytes lost with it, from offset on */
	HP_CONTAINER_PACK_TRUNCATED, /* the pack ends without its directory */
	HP_CONTAINER_PACK_DIRECTORY, /* ... which is damaged; the blocks are
					fine */
	HP_CONTAINER_PACK_HASH,	     /* blocks are fine, but not what was
					packed: bytes, if they differ */
	HP_CONTAINER_PACK_TRAILING,  /* got: bytes after the end */
	HP_CONTAINER_TEXT,	     /* lines of a text are lost. offset: the
					first one's in the text, raw: its
					number, got: enum hp_rule */
	HP_CONTAINER_PROBLEMS
};

struct hp_container_note {
	enum hp_container_problem problem;
	uint64_t offset;    /* in the uncompressed bytes: where it shows */
	uint64_t raw;	    /* in the compressed bytes */
	uint64_t got, want; /* sizes or checksums, 0 where there are none */
	uint64_t count;	    /* how often, the first one is described */
};

/* A stretch of an input that is lost. */
struct hp_hole {
	uint64_t offset, end; /* of its first byte, of the one behind it */
};

#endif
