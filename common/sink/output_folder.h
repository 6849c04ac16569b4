/*
 * output_folder.h - an output of several files: a folder that appears complete
 * or not at all
 *
 * The files are written to a folder with an unpredictable name, next to the
 * path of the output. They have no names, if the system supports unnamed files.
 * When all files are complete, they get their names, and the folder is renamed.
 * An output without a path has only unnamed files, which nobody else ever sees.
 * Other outputs are made from such files.
 */
#ifndef HP_SINK_OUTPUT_FOLDER_H
#define HP_SINK_OUTPUT_FOLDER_H

#include "common/sink/publish.h"
#include "common/io/source.h"

enum { HP_FOLDER_FILES = 16, HP_FOLDER_PATH = 80 };

struct hp_output_folder {
	/*
	 * descriptors of the folder that contains the output, and of the
	 * output; -1: none
	 */
	int parent, dir;
	unsigned mode; /* permission bits of files, before the umask */
	bool sync;
	bool refused; /* a write failed */
	char *base;   /* the name of the output inside parent */
	char temp[HP_TEMP_NAME];
	/* index in the list of temporary names; -1: none */
	int entry;
	size_t count;
	struct hp_folder_file {
		/*
		 * Path relative to parent. After the folder was renamed, a
		 * signal handler no longer finds the file under this path.
		 */
		char path[HP_FOLDER_PATH];
		int fd, entry;
		/* the file has no name until the folder is complete */
		bool unnamed;
		uint64_t size; /* bytes written */
	} files[HP_FOLDER_FILES];
};

/**
 * hp_output_folder_open() - start an output folder
 * @path: the path of the folder; NULL: a set of unnamed files
 * @input: the output is not readable by more users than this input; may be NULL
 *
 * Returns: HP_OK; HP_IO if @path exists or the folder cannot be created;
 *          HP_LIMIT; HP_NOMEM. After a failure the output is already aborted.
 */
HP_MUST_USE enum hp_status hp_output_folder_open(struct hp_output_folder *f,
						 const char *path, bool sync,
						 const struct hp_source *input,
						 struct hp_error *err);

/*
 * Add a file. *@file receives its number, from 0. Returns HP_OK, HP_IO or
 * HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_output_folder_add(struct hp_output_folder *f,
						const char *name, size_t *file,
						struct hp_error *err);

/*
 * Append @n bytes to a file. Returns HP_OK, or HP_IO if for example the disk is
 * full. Only one thread at a time may write to a file.
 */
HP_MUST_USE enum hp_status hp_output_folder_write(struct hp_output_folder *f,
						  size_t file, const void *buf,
						  size_t n,
						  struct hp_error *err);

/*
 * Read back @n bytes of a file at @offset. Returns HP_OK only if all bytes were
 * read; else HP_IO.
 */
HP_MUST_USE enum hp_status hp_output_folder_read(struct hp_output_folder *f,
						 size_t file, void *buf,
						 size_t n, uint64_t offset,
						 struct hp_error *err);

/*
 * Make the folder visible with all its files. Returns HP_OK or HP_IO, and
 * releases @f in both cases.
 */
HP_MUST_USE enum hp_status hp_output_folder_commit(struct hp_output_folder *f,
						   struct hp_error *err);

/* Delete the folder and its files, and release @f. */
void hp_output_folder_abort(struct hp_output_folder *f);

#endif
