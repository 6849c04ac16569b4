/*
 * mcp.h - the parts of hprof-mcp, an interface of the programs for assistants
 *
 * hprof-mcp speaks the Model Context Protocol: JSON-RPC 2.0, one message a
 * line, on standard input and output. It analyses nothing itself. Each tool
 * runs hprof-validate, hprof-diff or hprof-convert and returns their JSON,
 * shortened, with the command line that a person can repeat.
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
	/* resolved path of the folder that files must be in; it ends with no
	 * slash, and is "" for the root of the file system */
	const char *root;
	char *programs; /* folder of the programs, or NULL: search in PATH */
	/*
	 * pass --show-values to the programs, so that they show contents of
	 * objects
	 */
	bool show_values;
	/* values of these options for the programs; NULL: not given */
	const char *memory, *threads;
};

/* ----------------------------------------------------------------------
 * Messages (server.c)
 */

/**
 * mcp_serve() - answer the messages of @in on @out until one of them ends
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
 * @name: as the peer gave it
 * @arguments: a JSON object, or NULL
 * @wrong: receives a text, which lives as long as the program, if the tool or
 * an argument does not exist
 *
 * Returns: the result, whose member "isError" is true if the program failed or
 *          a file is not allowed; NULL with *@wrong.
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
 * Like mcp_file(), for a file or folder that does not exist in an existing
 * folder. A tool never replaces a file.
 */
char *mcp_new_file(const struct mcp_options *o, const char *path,
		   const char **wrong);

/* ----------------------------------------------------------------------
 * Programs (program.c)
 */

struct mcp_run {
	/*
	 * exit status; -1: the program was ended by a signal, or did not start
	 */
	int status;
	struct hp_buf out, err; /* standard output and standard error */
	bool too_much; /* the output was longer than the limit and was cut */
};

/*
 * Run a program and wait for its end. @argv ends with NULL; argv[0] is the name
 * of the program. Call mcp_run_release() in any case.
 */
void mcp_run(struct mcp_run *r, const struct mcp_options *o, char **argv);
void mcp_run_release(struct mcp_run *r);

/* ----------------------------------------------------------------------
 * Short answers (shorten.c)
 */

/**
 * mcp_shorten() - shorten a JSON value
 *
 * Of a list only the first @most elements are kept. The object that has the
 * list as "rows" then has a member "rows_more" with the number of the others.
 * Texts have at most 1,000 bytes, then "…".
 */
void mcp_shorten(json_t *value, size_t most);

#endif
