/*
 * android_to_jvm.h - Android's dumps (1.0.3) as standard ones (1.0.2)
 */
#ifndef HP_CONVERT_VERSION_ANDROID_TO_JVM_H
#define HP_CONVERT_VERSION_ANDROID_TO_JVM_H

#include "common/sink/sink.h"

struct hp_android_to_jvm_result {
	uint64_t roots;	 /* Android's, now ROOT UNKNOWN */
	uint64_t arrays; /* without data, now empty */
};

/**
 * hp_android_to_jvm() - rewrite @src to @sink; the sink is finished
 * @src: read twice, from its first byte; must be rewindable
 *
 * Returns: HP_OK; HP_DAMAGED (a framing error); HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status
hp_android_to_jvm(struct hp_source *src, struct hp_sink *sink, unsigned threads,
		  struct hp_android_to_jvm_result *result,
		  struct hp_error *err);

#endif
