/*
 * native_sizes.h - find the memory outside the heap that objects own
 *
 * On Android, the cleaners of NativeAllocationRegistry have the size; it is
 * added to the object that the cleaner watches. In a JVM, it is the capacity of
 * direct buffers that have a cleaner and are no view of another buffer.
 *
 * Source: ahat, AhatInstance.asRegisteredNativeAllocation();
 * java.nio.DirectByteBuffer
 */
#ifndef HP_DIFF_COUNT_NATIVE_SIZES_H
#define HP_DIFF_COUNT_NATIVE_SIZES_H

#include "diff/count/histogram.h"

/**
 * hp_native_sizes_find() - fill in the native bytes of the tallies
 * @src: rewound and read twice; it must be rewindable
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_native_sizes_find(struct hp_histogram *g,
						struct hp_source *src,
						struct hp_error *err);

#endif
