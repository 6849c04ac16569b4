/*
 * native_sizes.h - memory outside the heap that objects own
 *
 * Android: what NativeAllocationRegistry's cleaners name, added to the object
 * that they wait for. A JVM: the capacity of direct buffers that have a cleaner
 * and are no view of another buffer.
 *
 * Source: ahat, AhatInstance.asRegisteredNativeAllocation();
 *         java.nio.DirectByteBuffer
 */
#ifndef HP_DIFF_COUNT_NATIVE_SIZES_H
#define HP_DIFF_COUNT_NATIVE_SIZES_H

#include "diff/count/histogram.h"

/**
 * hp_native_sizes_find() - fill in the tallies' native bytes
 * @src: is rewound and read again twice; it must be rewindable
 *
 * Returns: HP_OK; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_native_sizes_find(struct hp_histogram *g,
						struct hp_source *src,
						struct hp_error *err);

#endif
