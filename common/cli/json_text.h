/*
 * json_text.h - read the text of a JSON file that fits in so much memory
 *
 * jansson makes a tree of up to a hundred times as many bytes as the text has,
 * as of "[],[],[],...". So the tree is counted while the text is read, before
 * jansson sees it.
 */
#ifndef HP_CLI_JSON_TEXT_H
#define HP_CLI_JSON_TEXT_H

#include "common/base/buf.h"
#include "common/io/source.h"

struct hp_json_text_limits {
	uint64_t text;	     /* bytes of the text */
	uint64_t memory;     /* bytes of the text and of the tree */
	const char *of_text; /* the message where the text is longer */
	const char *of_memory;
};

/**
 * hp_json_text_read() - all that is left of @src
 * @b:     empty; the text, to be released whatever is returned
 * @bytes: at most so much memory do the text and jansson's tree of it take
 *
 * Returns: HP_OK; HP_LIMIT: a limit is exceeded; HP_NOMEM; what
 *          hp_source_read() returns.
 */
HP_MUST_USE enum hp_status
hp_json_text_read(struct hp_source *src,
		  const struct hp_json_text_limits *limits, struct hp_buf *b,
		  uint64_t *bytes, struct hp_error *err);

/*
 * At most so many bytes does jansson's tree of a text take. A text may be
 * counted in pieces: the sum is the same.
 */
uint64_t hp_json_tree_bytes(const char *text, size_t n);

#endif
