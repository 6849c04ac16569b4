/*
 * mcp.h - the parts of hprof-mcp, which lets AI assistants use the programs
 *
 * hprof-mcp speaks the Model Context Protocol: JSON-RPC 2.0, one message a
 * line, on standard input and output. It analyses nothing itself. Each tool
 * runs hprof-validate, hprof-diff or hprof-convert and returns the JSON that
 * the program prints, shortened. It also returns the command line, so that a
 * person can repeat the call.
 *
 * Source: https://modelcontextprotocol.io/specification
 */
#ifndef HP_MCP_MCP_H
#define HP_MCP_MCP_H

#include "common/base/buf.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct mcp_options {
	/*
	 * Resolved path of the root: all files that the tools use must be in
	 * this folder. It does not end with a slash; so if the root is "/", it
	 * is "".
	 */
	const char *root;
	/*
	 * folder that contains hprof-validate, hprof-diff and hprof-convert;
	 * NULL: search these programs in PATH
	 */
	char *programs;
	/*
	 * pass --show-values to the programs, so that they show contents of
	 * objects
	 */
	bool show_values;
	/* values of --memory and --threads for the programs; NULL: not given */
	const char *memory, *threads;
};

/* ----------------------------------------------------------------------
 * Messages (server.c)
 */

/**
 * mcp_serve() - read messages from @in and write the answers to @out, until @in
 * ends or @out is closed
 *
 * A message of more than 1 MB is skipped and answered with an error.
 * Returns: true at the end of @in; false if an answer could not be written.
 */
bool mcp_serve(const struct mcp_options *o, FILE *in, FILE *out);

/* ----------------------------------------------------------------------
 * Tools (tools.c)
 */

/* The list of all tools with the JSON Schemas of their arguments. */
json_t *mcp_tools(void);

/**
 * mcp_call() - run a tool
 * @name: the name of the tool, as the client gave it
 * @arguments: a JSON object, or NULL
 * @wrong: if the tool or an argument does not exist, receives a constant text
 *         that describes the mistake
 *
 * Returns: the result, whose member "isError" is true if the program failed or
 *          a file is not allowed; NULL if *@wrong was set.
 */
json_t *mcp_call(const struct mcp_options *o, const char *name,
		 json_t *arguments, const char **wrong);

/* ----------------------------------------------------------------------
 * Files (files.c)
 */

/*
 * Find an existing regular file below the root. Returns its path relative to
 * the root, with all symbolic links resolved, in memory from hp_malloc(); NULL
 * with a message in *@wrong.
 */
char *mcp_file(const struct mcp_options *o, const char *path,
	       const char **wrong);

/*
 * Like mcp_file(), for a file or folder that a tool creates. Its folder must
 * exist, but the file must not: a tool never replaces a file.
 */
char *mcp_new_file(const struct mcp_options *o, const char *path,
		   const char **wrong);

/* ----------------------------------------------------------------------
 * Programs (program.c)
 */

struct mcp_run {
	/*
	 * exit status of the program; -1: it was ended by a signal, or did not
	 * start
	 */
	int status;
	/* standard output and standard error of the program */
	struct hp_buf out, err;
	/* the output exceeded the limit, so only its beginning was kept */
	bool too_much;
};

/*
 * Run a program and wait for its end. The last element of @argv is NULL;
 * argv[0] is the name of the program. Call mcp_run_release() afterwards, also
 * after a failure.
 */
void mcp_run(struct mcp_run *r, const struct mcp_options *o, char **argv);
void mcp_run_release(struct mcp_run *r);

/* ----------------------------------------------------------------------
 * Shorten long answers (shorten.c)
 */

/**
 * mcp_shorten() - shorten a JSON value
 *
 * Only the first @most elements of each list are kept. If the list is the
 * member "rows" of an object, the object gets a member "rows_more" with the
 * number of removed elements. A text of more than 1,000 bytes is truncated, and
 * "…" is appended.
 */
void mcp_shorten(json_t *value, size_t most);

#endif
