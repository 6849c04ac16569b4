/*
 * json_text.h - read a JSON file within a memory limit
 *
 * The tree that jansson builds can need up to a hundred times as many bytes as
 * the text, for example for "[],[],[],...". So the size of the tree is
 * estimated while the text is read, before jansson sees it.
 */
#ifndef HP_CLI_JSON_TEXT_H
#define HP_CLI_JSON_TEXT_H

#include "common/base/buf.h"
#include "common/io/source.h"

struct hp_json_text_limits {
	uint64_t text;	     /* maximum length of the text, in bytes */
	uint64_t memory;     /* maximum memory for text and tree, in bytes */
	const char *of_text; /* the message if the text is too long */
	const char *of_memory;
};

/**
 * hp_json_text_read() - read everything that is left of @src
 * @b:     an empty buffer; receives the text; release it in any case
 * @bytes: receives an upper bound for the memory of the text and of its tree
 *
 * Returns: HP_OK; HP_LIMIT if a limit is exceeded; HP_NOMEM; errors of
 *          hp_source_read().
 */
HP_MUST_USE enum hp_status
hp_json_text_read(struct hp_source *src,
		  const struct hp_json_text_limits *limits, struct hp_buf *b,
		  uint64_t *bytes, struct hp_error *err);

/*
 * An upper bound for the memory of jansson's tree of a text. A text may be
 * passed in pieces; add the results.
 */
uint64_t hp_json_tree_bytes(const char *text, size_t n);

#endif
