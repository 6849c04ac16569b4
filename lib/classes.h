/*
 * classes.h - what a reader keeps of classes
 *
 * Private to lib/.
 */
#ifndef HP_LIB_CLASSES_H
#define HP_LIB_CLASSES_H

#include "lib/hprof_reader.h"

/* What hprof_read_classes() has read is given back. */
void hp_reader_release_classes(struct hprof_reader *r);

#endif
