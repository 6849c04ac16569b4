/*
 * world_internal.h - what the worlds share: classes, objects, spellings
 */
#ifndef TESTS_BUILDER_WORLD_INTERNAL_H
#define TESTS_BUILDER_WORLD_INTERNAL_H

#include "tests/builder/internal.h"
#include "tests/builder/world.h"

#define W_TIME_MS 1700000000000u /* 14 November 2023 */

bool w_android(const struct b *b); /* ART, Dalvik, hprof-conv */
bool w_art(const struct b *b);	   /* ART, hprof-conv */
bool w_agent(const struct b *b);
bool w_dotted(const struct b *b); /* java.lang.String[] */

/* STRING records of all that a world's heap names. */
void w_strings(struct b *b);
/* LOAD CLASS of one class, of all. */
void w_load(struct b *b, unsigned key);
void w_loads(struct b *b);
/* Two frames, ids @first and @first + 1. */
void w_frames(struct b *b, uint64_t first);
/* CLASS DUMP of one class, of all. */
void w_class(struct b *b, unsigned key);
void w_classes(struct b *b);
/* An instance of @class_key, its fields from @values in the order of the
 * chain; what the writer adds to java.lang.Object comes by itself. */
void w_instance(struct b *b, uint64_t id, unsigned class_key,
		const uint64_t *values);
/* The objects above, without the mirror and the CDS array. */
void w_objects(struct b *b);

void w_jvm_tables(struct b *b);
void w_jvm_heap(struct b *b);
void w_agent_tables(struct b *b);
void w_agent_heap(struct b *b);
void w_agent_end(struct b *b);
void w_android_tables(struct b *b);
void w_android_heap(struct b *b);

#endif
