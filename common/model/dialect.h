/*
 * dialect.h - which writer made a dump
 */
#ifndef HP_MODEL_DIALECT_H
#define HP_MODEL_DIALECT_H

#include "common/format/heap.h"
#include "common/format/reader.h"
#include "common/model/classes.h"
#include "common/model/tables.h"

/* X(symbol, the contract's word). */
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
 * log2 of what the ids of objects are multiples of, but for some: they are
 * addresses, except that the agent numbers objects one by one.
 */
static inline unsigned
hp_id_shift(enum hp_dialect d)
{
	return d == HP_DIALECT_AGENT ? 0 : 3;
}

/* Did Android write it, or was it made of what Android wrote? */
static inline bool
hp_dialect_is_android(enum hp_dialect d)
{
	return d == HP_DIALECT_ART || d == HP_DIALECT_DALVIK ||
	       d == HP_DIALECT_HPROF_CONV;
}

/* A frame's line; -3: a native method's, for which ART writes -2. */
static inline int32_t
hp_frame_line(int32_t line, enum hp_dialect d)
{
	return line == -2 && hp_dialect_is_android(d) ? -3 : line;
}

/* What passes gather; all of it independent of the order of batches. */
struct hp_dialect_evidence {
	enum hp_version version;
	unsigned id_size;
	uint8_t first_tag, second_tag; /* of the first two records; 0: none */
	uint32_t first_trace; /* serial, if the first is a STACK TRACE */
	uint32_t first_load;  /* serial of the first LOAD CLASS */
	uint64_t records[256];
	uint64_t subs[256];   /* sub-records by tag */
	uint64_t domains;     /* class dumps with signers or a domain */
	uint64_t frames;      /* JAVA FRAME roots with a frame's index */
	uint64_t odd_threads; /* THREAD OBJECT roots of trace 0xFFFFFFFF */
	uint32_t object_size; /* instance size of java.lang.Object */
};

/* A thread root's trace serial that means none (ART). */
#define HP_TRACE_NONE UINT32_C(0xFFFFFFFF)

/* For hp_dialect_evidence_sub(): a class dump that begins at @p. */
static inline void
hp_dialect_evidence_class(struct hp_dialect_evidence *e, const uint8_t *p,
			  unsigned id_size)
{
	e->domains += hp_load_id(p + 5 + 3 * id_size, id_size) != 0 ||
		      hp_load_id(p + 5 + 4 * id_size, id_size) != 0;
}

/* Note a sub-record (on a worker's thread). */
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
 * Note a record (on the reading thread). version and id_size are set by the
 * caller, from the header.
 */
void hp_dialect_evidence_record(struct hp_dialect_evidence *e,
				const struct hp_record *rec,
				struct hp_cursor body);
/* The same of @n STRING records, one behind the other. */
void hp_dialect_evidence_strings(struct hp_dialect_evidence *e, uint64_t n);
/* A dump is complete: what its classes tell. */
void hp_dialect_evidence_classes(struct hp_dialect_evidence *e,
				 const struct hp_classes *c,
				 const struct hp_tables *t);
/* Add what workers counted: subs, domains, frames, odd_threads. */
void hp_dialect_evidence_merge(struct hp_dialect_evidence *into,
			       const struct hp_dialect_evidence *from);

/* The order of the tests matters: the first fingerprint that fits wins. */
enum hp_dialect hp_dialect_of(const struct hp_dialect_evidence *e,
			      const struct hp_tables *t);

/* The contract's word: "hotspot", "sa", ... */
const char *hp_dialect_name(enum hp_dialect d);

#endif
