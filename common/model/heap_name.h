/*
 * heap_name.h - what a heap of Android is called where the dump does not say it
 */
#ifndef HP_MODEL_HEAP_NAME_H
#define HP_MODEL_HEAP_NAME_H

/* Heap 0, which objects are in that stand before any HEAP DUMP INFO. */
#define HP_HEAP_UNNAMED "default"

#endif
