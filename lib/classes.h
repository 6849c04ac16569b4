/*
 * classes.h - the names and classes that a reader keeps
 *
 * Private to lib/. See lib/classes.c.
 */
#ifndef HP_LIB_CLASSES_H
#define HP_LIB_CLASSES_H

#include "lib/hprof_reader.h"

/* Free everything that hprof_read_classes() has allocated. */
void hp_reader_release_classes(struct hprof_reader *r);

#endif
