/*
 * command_line.h - the command line of the program, as text for a report
 */
#ifndef HP_OPTIONS_COMMAND_LINE_H
#define HP_OPTIONS_COMMAND_LINE_H

#include "common/base/buf.h"

/*
 * Append the words so that a shell would read them back: words with special
 * characters are put into single quotes. The program appears without its
 * folder. Other bytes are not escaped.
 */
void hp_command_line_text(struct hp_buf *b, int argc, char *const *argv);

#endif
