/*
 * android_to_jvm.h - convert dumps of Android (1.0.3) to standard ones (1.0.2)
 */
#ifndef HP_CONVERT_VERSION_ANDROID_TO_JVM_H
#define HP_CONVERT_VERSION_ANDROID_TO_JVM_H

#include "common/sink/sink.h"

struct hp_android_to_jvm_result {
	uint64_t roots;	 /* roots of Android types that became ROOT UNKNOWN */
	uint64_t arrays; /* arrays without elements that became empty arrays */
};

/**
 * hp_android_to_jvm() - rewrite @src to @sink, and finish the sink
 * @src: at its first byte; must be rewindable, and is read twice
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO; HP_LIMIT; HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_android_to_jvm(struct hp_source *src, struct hp_sink *sink, unsigned threads,
		  struct hp_android_to_jvm_result *result,
		  struct hp_error *err);

#endif
