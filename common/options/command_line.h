/*
 * command_line.h - the command that a report was made with, for its reader
 */
#ifndef HP_OPTIONS_COMMAND_LINE_H
#define HP_OPTIONS_COMMAND_LINE_H

#include "common/base/buf.h"

/*
 * Add the words as a shell would read them: those that need it stand in single
 * quotes. The program is named without its folder. Any bytes: not escaped.
 */
void hp_command_line_text(struct hp_buf *b, int argc, char *const *argv);

#endif
