/*
 * plausible.h - what is known of a damaged dump, and how far a sub-record
 * agrees with it
 *
 * Knowledge is gathered in rounds over the dump: the classes that were
 * announced or dumped, the layouts of instances, the regions of addresses that
 * objects are in, trace serials, Android's heaps.
 */
#ifndef HP_CONVERT_SALVAGE_PLAUSIBLE_H
#define HP_CONVERT_SALVAGE_PLAUSIBLE_H

#include "common/model/classes.h"

/* What a sub-record that can be measured is. */
enum hp_trust {
	HP_TRUST_MISFIT, /* an instance of a known class, of another length */
	HP_TRUST_ODD,	 /* it may be one, but nothing speaks for it */
	HP_TRUST_LIKELY, /* what it says agrees with the rest of the dump */
	HP_TRUST_SURE,	 /* its class is known: no accident */
};

struct hp_plausible {
	unsigned id_size;
	bool learning;		    /* the first round: little is known */
	struct hp_id_map class_ids; /* of LOAD CLASS and CLASS DUMP */
	struct hp_id_map regions;   /* high bits of objects' ids */
	struct hp_id_map traces;    /* serials */
	struct hp_id_map heaps;	    /* of HEAP DUMP INFO */
	struct hp_classes classes;  /* of the round before; complete */
	struct hp_classes next;	    /* of this round */
	bool has_classes, has_next; /* the two are initialized */
	struct hp_id_map met;	    /* ids of classes in @next */
};

/* Release it in any case; zeroed but for id_size. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_plausible_begin(struct hp_plausible *k,
					      struct hp_error *err);

/*
 * A round is over: its classes are those that count from now on. *@more: there
 * are some that the round before did not find. HP_OK; HP_NOMEM; HP_LIMIT.
 */
HP_MUST_USE enum hp_status hp_plausible_end(struct hp_plausible *k, bool *more,
					    struct hp_error *err);
void hp_plausible_release(struct hp_plausible *k);

/* A LOAD CLASS, a STACK TRACE. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_plausible_note_load(struct hp_plausible *k,
						  uint64_t class_id,
						  struct hp_error *err);
HP_MUST_USE enum hp_status hp_plausible_note_trace(struct hp_plausible *k,
						   uint32_t serial,
						   struct hp_error *err);
/* A sub-record that is there; a class dump with all of its data. */
HP_MUST_USE enum hp_status hp_plausible_note_sub(struct hp_plausible *k,
						 const struct hp_sub *s,
						 struct hp_error *err);

enum hp_trust hp_plausible_sub(const struct hp_plausible *k,
			       const struct hp_sub *s);

/* Is it the id of a class that was announced or dumped? */
bool hp_plausible_class(const struct hp_plausible *k, uint64_t id);

/*
 * Is its id where objects are, and its trace one that is known? Without that a
 * known class alone may be a reference among some object's fields.
 */
bool hp_plausible_agrees(const struct hp_plausible *k, const struct hp_sub *s);

/*
 * May it be an object whose head is hurt? Two of three agree: id, trace, and
 * class or element type. Of @s tag, id, trace, class_id and type are looked at.
 * Of a class dump, whose id is one of many, the trace has to.
 */
bool hp_plausible_resembles(const struct hp_plausible *k,
			    const struct hp_sub *s);

/*
 * What a sub-record whose head is @s has behind its head, by its class; false:
 * it is no instance of a class whose layout is known.
 */
bool hp_plausible_data_size(const struct hp_plausible *k,
			    const struct hp_sub *s, uint64_t *size);

/* Is its length known for sure, not only claimed? */
bool hp_plausible_length(const struct hp_plausible *k, const struct hp_sub *s);

#endif
