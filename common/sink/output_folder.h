/*
 * output_folder.h - an output of several files: a folder that appears whole or
 * not at all
 *
 * The files are written into a folder of an unpredictable name beside the
 * output's place, without names of their own where the system has such files;
 * once they are complete they get these, and the folder is renamed. Or they
 * have no names and nobody ever sees them: for outputs that are made of them.
 */
#ifndef HP_SINK_OUTPUT_FOLDER_H
#define HP_SINK_OUTPUT_FOLDER_H

#include "common/sink/publish.h"
#include "common/io/source.h"

enum { HP_FOLDER_FILES = 16, HP_FOLDER_PATH = 80 };

struct hp_output_folder {
	int parent, dir; /* open folders; -1: none */
	unsigned mode;	 /* of files, less the umask */
	bool sync;
	bool refused; /* a write failed */
	char *base;   /* the output's name within parent */
	char temp[HP_TEMP_NAME];
	int entry; /* in the list of temporary names; -1: none */
	size_t count;
	struct hp_folder_file {
		/* of parent: once the folder has its name, no signal finds
		   the file by it */
		char path[HP_FOLDER_PATH];
		int fd, entry;
		bool unnamed;  /* until the folder is complete */
		uint64_t size; /* bytes written */
	} files[HP_FOLDER_FILES];
};

/**
 * hp_output_folder_open() - start a folder
 * @path:  where it will appear; NULL: nowhere, its files have no names
 * @input: is not open to more than it is; may be NULL
 *
 * Returns: HP_OK; HP_IO: something is there, or it cannot be made; HP_LIMIT,
 *          HP_NOMEM. Aborted on failure.
 */
HP_MUST_USE enum hp_status hp_output_folder_open(struct hp_output_folder *f,
						 const char *path, bool sync,
						 const struct hp_source *input,
						 struct hp_error *err);

/* One more file; *@file is its number, from 0. HP_OK, HP_IO, HP_LIMIT. */
HP_MUST_USE enum hp_status hp_output_folder_add(struct hp_output_folder *f,
						const char *name, size_t *file,
						struct hp_error *err);

/* All of the bytes, behind those before. HP_OK; HP_IO (the disk is full ...).
 * One thread at a time for each file. */
HP_MUST_USE enum hp_status hp_output_folder_write(struct hp_output_folder *f,
						  size_t file, const void *buf,
						  size_t n,
						  struct hp_error *err);

/* Bytes of a file as they were written: HP_OK with all @n; HP_IO. */
HP_MUST_USE enum hp_status hp_output_folder_read(struct hp_output_folder *f,
						 size_t file, void *buf,
						 size_t n, uint64_t offset,
						 struct hp_error *err);

/* The folder appears, with all of its files. HP_OK or HP_IO; released in either
 * case. */
HP_MUST_USE enum hp_status hp_output_folder_commit(struct hp_output_folder *f,
						   struct hp_error *err);

/* Throw all away and release it. */
void hp_output_folder_abort(struct hp_output_folder *f);

#endif
