/*
 * label_fit.h - shorten the labels of objects
 */
#ifndef HP_CLI_LABEL_FIT_H
#define HP_CLI_LABEL_FIT_H

#include "common/base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Append a label, for example "map of 1,501: String → leak_jsp$CartItem". If it
 * is wider than @room columns, shorten the names of classes and fields in it,
 * but not its numbers and other words. Returns false if the text is then still
 * wider.
 */
bool hp_label_fit(struct hp_buf *b, const char *label, size_t room);

#endif
