/*
 * dialect.h - detect which program wrote a dump; the name of Android's heap 0
 */
#ifndef HP_MODEL_DIALECT_H
#define HP_MODEL_DIALECT_H

#include "common/format/heap.h"
#include "common/format/reader.h"
#include "common/model/classes.h"
#include "common/model/tables.h"

/* ----------------------------------------------------------------------
 * The name of an Android heap that the dump does not name
 */

/*
 * The name of heap 0 in the output. Android assigns objects to heaps by HEAP
 * DUMP INFO sub-records. Objects before the first such sub-record are in heap
 * 0.
 */
#define HP_HEAP_UNNAMED "default"

/* ----------------------------------------------------------------------
 * Detect which program wrote a dump
 *
 * A dialect is the variant of the HPROF format that one program (the JVM,
 * Android, ...) writes.
 */

/* The known dialects. X(symbol, name of the dialect in the output). */
#define HP_DIALECTS(X)                                                         \
	X(UNKNOWN, "unknown")                                                  \
	X(HOTSPOT, "hotspot")                                                  \
	X(SA, "sa")                                                            \
	X(AGENT, "agent")                                                      \
	X(ART, "art")                                                          \
	X(DALVIK, "dalvik")                                                    \
	X(HPROF_CONV, "hprof-conv")                                            \
	X(NATIVE_IMAGE, "native-image")                                        \
	X(MAT, "mat")

#define HP_DIALECT_ENUM(symbol, name) HP_DIALECT_##symbol,
enum hp_dialect { HP_DIALECTS(HP_DIALECT_ENUM) HP_DIALECT_COUNT };
#undef HP_DIALECT_ENUM

/*
 * The number of low bits that are zero in nearly all object ids. Ids are
 * addresses, so they are multiples of 8. Exception: the JVMTI agent numbers
 * objects 1, 2, 3, ...
 */
static inline unsigned
hp_id_shift(enum hp_dialect d)
{
	return d == HP_DIALECT_AGENT ? 0 : 3;
}

/*
 * Whether Android wrote the dump, or it was converted from a dump of Android.
 */
static inline bool
hp_dialect_is_android(enum hp_dialect d)
{
	return d == HP_DIALECT_ART || d == HP_DIALECT_DALVIK ||
	       d == HP_DIALECT_HPROF_CONV;
}

/*
 * Whether the dump does not list the instance fields of java.lang.Class,
 * although the objects to which they refer are in the dump.
 */
static inline bool
hp_dialect_hides_class_fields(enum hp_dialect d)
{
	return d == HP_DIALECT_HOTSPOT || d == HP_DIALECT_SA;
}

/*
 * Returns the line number of a stack frame. For a native method the format
 * demands -3, but ART (Android) writes -2. This function replaces -2 by -3.
 */
static inline int32_t
hp_frame_line(int32_t line, enum hp_dialect d)
{
	return line == -2 && hp_dialect_is_android(d) ? -3 : line;
}

/*
 * Facts about a dump from which its dialect (the program that wrote it) is
 * detected. The facts are collected while the dump is read. They do not depend
 * on the order in which threads handle parts of the dump.
 */
struct hp_dialect_evidence {
	enum hp_version version;
	unsigned id_size;
	/*
	 * the tags of the first and of the second record of the dump; 0: there
	 * is no such record
	 */
	uint8_t first_tag, second_tag;
	/*
	 * The serial number of the stack trace in the first record, if the
	 * first record is a STACK TRACE.
	 */
	uint32_t first_trace;
	/* the serial number of the class in the first LOAD CLASS record */
	uint32_t first_load;
	uint64_t records[256];
	/* subs[tag]: the number of sub-records with this tag */
	uint64_t subs[256];
	/* number of CLASS DUMPs with signers or a protection domain */
	uint64_t domains;
	uint64_t
		frames; /* number of JAVA FRAME roots that have a frame index */
	/*
	 * number of THREAD OBJECT roots whose stack trace has the serial number
	 * 0xFFFFFFFF
	 */
	uint64_t odd_threads;
	/* instance size in bytes in the CLASS DUMP of java.lang.Object */
	uint32_t object_size;
};

/*
 * The serial number of a stack trace that ART (Android) writes for a thread
 * without a trace.
 */
#define HP_TRACE_NONE UINT32_C(0xFFFFFFFF)

/*
 * Used by hp_dialect_evidence_sub() for a CLASS DUMP sub-record, which begins
 * at @p.
 */
static inline void
hp_dialect_evidence_class(struct hp_dialect_evidence *e, const uint8_t *p,
			  unsigned id_size)
{
	e->domains += hp_load_id(p + 5 + 3 * id_size, id_size) != 0 ||
		      hp_load_id(p + 5 + 4 * id_size, id_size) != 0;
}

/*
 * Collect evidence from a sub-record. Several threads call this, each with a
 * struct of its own.
 */
static inline void
hp_dialect_evidence_sub(struct hp_dialect_evidence *e, const struct hp_sub *s,
			unsigned id_size)
{
	const uint8_t *p = s->start;

	e->subs[s->tag]++;
	if (s->tag == HP_SUB_ROOT_THREAD_OBJECT)
		e->odd_threads += hp_root_third(s, id_size) == HP_TRACE_NONE;
	else if (s->tag == HP_SUB_ROOT_JAVA_FRAME)
		e->frames += hp_root_third(s, id_size) != UINT32_MAX;
	else if (s->tag == HP_SUB_CLASS_DUMP)
		hp_dialect_evidence_class(e, p, id_size);
}

/*
 * Collect evidence from a record; called on the reading thread. The caller sets
 * version and id_size from the header.
 */
void hp_dialect_evidence_record(struct hp_dialect_evidence *e,
				const struct hp_record *rec,
				struct hp_cursor body);
/* Like hp_dialect_evidence_record(), but for @n consecutive STRING records. */
void hp_dialect_evidence_strings(struct hp_dialect_evidence *e, uint64_t n);
/* Collect evidence from the classes, once the dump has been read. */
void hp_dialect_evidence_classes(struct hp_dialect_evidence *e,
				 const struct hp_classes *c,
				 const struct hp_tables *t);
/*
 * Add the counters of another thread, @from, to @into: the members subs,
 * domains, frames and odd_threads.
 */
void hp_dialect_evidence_merge(struct hp_dialect_evidence *into,
			       const struct hp_dialect_evidence *from);

/*
 * Detect the dialect (which program wrote the dump). There is one test for each
 * dialect, and the first test that succeeds determines the result. The tests
 * with the most certain evidence come first.
 */
enum hp_dialect hp_dialect_of(const struct hp_dialect_evidence *e,
			      const struct hp_tables *t);

/* The name of a dialect in the output: "hotspot", "sa", ... */
const char *hp_dialect_name(enum hp_dialect d);

#endif
