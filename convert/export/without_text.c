/*
 * without_text.c - takes the place of text.c in a build without the agent's
 * text
 */
#include "convert/export/text.h"

enum hp_status
hp_text_convert(struct hp_source *src, struct hp_sink *sink,
		const struct hp_convert_options *options,
		struct hp_text_result *result, struct hp_error *err)
{
	return hp_fail(err, HP_UNSUPPORTED, "this build cannot write text");
}
