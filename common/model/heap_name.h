/* heap_name.h - the name of an Android heap that the dump does not name */
#ifndef HP_MODEL_HEAP_NAME_H
#define HP_MODEL_HEAP_NAME_H

/*
 * The name of heap 0. Objects are in heap 0 if no HEAP DUMP INFO sub-record
 * comes before them.
 */
#define HP_HEAP_UNNAMED "default"

#endif
