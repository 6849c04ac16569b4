/*
 * version.h - convert dumps between versions of the format, and from Android to
 * JVMs
 */
#ifndef HP_CONVERT_VERSION_VERSION_H
#define HP_CONVERT_VERSION_VERSION_H

#include "common/sink/sink.h"

/* ----------------------------------------------------------------------
 * Convert dumps of Android (1.0.3) to standard ones (1.0.2)
 */

struct hp_android_to_jvm_result {
	/* number of roots of Android's own types that became ROOT UNKNOWN */
	uint64_t roots;
	/* number of arrays without elements that became empty arrays */
	uint64_t arrays;
};

/**
 * hp_android_to_jvm() - convert @src and write it to @sink, and finish the sink
 * @src: at its first byte; must be rewindable, and is read twice
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_android_to_jvm(struct hp_source *src, struct hp_sink *sink, unsigned threads,
		  struct hp_android_to_jvm_result *result,
		  struct hp_error *err);

/* ----------------------------------------------------------------------
 * Convert HEAP DUMP records to segments (1.0.1 to 1.0.2) and back
 */

/**
 * hp_segments_convert() - convert @src and write it to @sink, and finish the
 * sink
 * @src: at its first byte; for version 1 it is read twice and must be
 *       rewindable
 * @version: 1 (1.0.1): the segments of a dump become one HEAP DUMP, and records
 *           between the segments move before it. 2 (1.0.2): a HEAP DUMP becomes
 *           segments of at most 1 MiB, and a longer sub-record gets a segment
 *           of its own. Empty segments are removed, and every dump gets a HEAP
 *           DUMP END.
 *
 * Returns: HP_OK; HP_DAMAGED: a framing error, or the version cannot represent
 *          the dump; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_segments_convert(struct hp_source *src, struct hp_sink *sink,
		    unsigned version, unsigned threads, struct hp_error *err);

/* ----------------------------------------------------------------------
 * Convert dumps of version 1.0 (JDK 1.2 beta 3) to 1.0.1
 *
 * In version 1.0, class dumps give the type of a field as a character, as in a
 * signature ('I' for int), and not as a number. There is no PRIMITIVE ARRAY
 * DUMP. Instead, an OBJECT ARRAY DUMP whose class id is the number of a
 * primitive type is an array of that type.
 */

/*
 * Find out whether @src is a dump of version 1.0, and store the result in *@is.
 * Call this before the first read.
 */
HP_MUST_USE enum hp_status hp_is_version_1_0(struct hp_source *src, bool *is,
					     struct hp_error *err);

/**
 * hp_upgrade_v1_0() - write @src to @sink as 1.0.1, and finish the sink
 * @src: at its first byte; must be rewindable, and is read twice
 * @same: if true, only check the dump and copy it unchanged
 *
 * Returns: HP_OK; HP_DAMAGED with the offset; HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_upgrade_v1_0(struct hp_source *src,
					   struct hp_sink *sink, bool same,
					   struct hp_error *err);

#endif
