/*
 * plausible.h - collect facts about a damaged dump, and judge sub-records by
 * them
 *
 * The facts are collected in passes (rounds) over the dump: classes that were
 * loaded or dumped, the layouts of instances, the address regions of objects,
 * the serials of stack traces, and the heaps of Android.
 */
#ifndef HP_CONVERT_SALVAGE_PLAUSIBLE_H
#define HP_CONVERT_SALVAGE_PLAUSIBLE_H

#include "common/model/classes.h"

/* How far a complete sub-record can be trusted. */
enum hp_trust {
	/* an instance whose length differs from its known class */
	HP_TRUST_MISFIT,
	/* it may be a sub-record, but there is no evidence for it */
	HP_TRUST_ODD,
	HP_TRUST_LIKELY, /* the ids in it agree with the rest of the dump */
	HP_TRUST_SURE,	 /* the class in it is known, so it is no accident */
};

struct hp_plausible {
	unsigned id_size;
	/* this is the first round, and few facts are known */
	bool learning;
	/* class id -> bits: the dump has its LOAD CLASS, its CLASS DUMP */
	struct hp_id_map class_ids;
	struct hp_id_map regions; /* set of the high bits of object ids */
	struct hp_id_map traces;  /* set of stack trace serials */
	/* set of the contents of HEAP DUMP INFO, combined into one number */
	struct hp_id_map heaps;
	/* classes of the previous round; complete */
	struct hp_classes classes;
	struct hp_classes next; /* classes of this round */
	/* whether @classes and @next are initialised */
	bool has_classes, has_next;
	struct hp_id_map met; /* set of the ids of the classes in @next */
};

/*
 * Begin a round. Zero @k before the first round, and set id_size. Returns HP_OK
 * or HP_NOMEM. Release @k in any case.
 */
HP_MUST_USE enum hp_status hp_plausible_begin(struct hp_plausible *k,
					      struct hp_error *err);

/*
 * End a round: its classes are used from now on. *@more receives whether there
 * are more classes than in the previous round. Returns HP_OK, HP_NOMEM or
 * HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_plausible_end(struct hp_plausible *k, bool *more,
					    struct hp_error *err);
void hp_plausible_release(struct hp_plausible *k);

/*
 * Add the class of a LOAD CLASS record, or the serial of a STACK TRACE record.
 * Returns HP_OK or HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_plausible_note_load(struct hp_plausible *k,
						  uint64_t class_id,
						  struct hp_error *err);
HP_MUST_USE enum hp_status hp_plausible_note_trace(struct hp_plausible *k,
						   uint32_t serial,
						   struct hp_error *err);
/* Learn from a valid sub-record. A class dump must have all of its data. */
HP_MUST_USE enum hp_status hp_plausible_note_sub(struct hp_plausible *k,
						 const struct hp_sub *s,
						 struct hp_error *err);

/* Judge how far the sub-record @s can be trusted, by the facts in @k. */
enum hp_trust hp_plausible_sub(const struct hp_plausible *k,
			       const struct hp_sub *s);

/* Whether @id is the id of a class that was loaded or dumped. */
bool hp_plausible_class(const struct hp_plausible *k, uint64_t id);

/*
 * Whether the id of @s is in a known region of objects, and its stack trace is
 * known. Without this test, the id of a known class could be a mere reference
 * in the fields of some object.
 */
bool hp_plausible_agrees(const struct hp_plausible *k, const struct hp_sub *s);

/*
 * Whether @s may be an object with a damaged head: two of its id, its trace,
 * and its class or element type must agree. Reads only tag, id, trace, class_id
 * and type of @s. For a class dump the trace must agree, because ids of classes
 * occur in many places.
 */
bool hp_plausible_resembles(const struct hp_plausible *k,
			    const struct hp_sub *s);

/*
 * Store in *@size the number of bytes that follow the head of the instance @s,
 * according to its class. Returns false if @s is not an instance of a class
 * with a known layout.
 */
bool hp_plausible_data_size(const struct hp_plausible *k,
			    const struct hp_sub *s, uint64_t *size);

/*
 * Whether the length of @s is known from its tag or class, and not only
 * claimed.
 */
bool hp_plausible_length(const struct hp_plausible *k, const struct hp_sub *s);

#endif
