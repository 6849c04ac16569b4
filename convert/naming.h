/*
 * naming.h - names of classes and fields, escaped once for many uses
 */
#ifndef HP_CONVERT_NAMING_H
#define HP_CONVERT_NAMING_H

#include "common/buf.h"
#include "convert/survey.h"

/* Bytes that can be appended as they are; data NULL: there is no such name. */
struct hp_name {
	const char *data;
	size_t length;
};

struct hp_planned {
	struct hp_name owner; /* class, for a hidden field; else data NULL */
	struct hp_name key;   /* of the field */
	uint8_t type, width;
};

/* The fields of an instance, in the order of its bytes. */
struct hp_plan {
	uint32_t count;
	struct hp_planned fields[];
};

typedef void hp_escape_fn(struct hp_buf *b, const void *text, size_t len);

struct hp_naming {
	const struct hp_survey *survey;
	hp_escape_fn *escape;
	struct hp_arena arena;
	struct hp_id_map classes; /* class id: struct hp_name * */
	struct hp_id_map texts;	  /* id of a class's name: struct hp_name * */
	pthread_mutex_t lock;	  /* plans, fields and their arena */
	struct hp_id_map fields;  /* id of a field's name: struct hp_name * */
	struct hp_id_map plans;	  /* struct hp_class * : struct hp_plan * */
	struct hp_id_map owners;  /* as `classes`, of classes without a name */
	uint64_t plan_bytes;	  /* of all plans that are kept, ... */
	uint64_t plan_most;	  /* ... and what they may be; by the caller */
	uint64_t own_most;	  /* bytes of a plan that is not; likewise */
};

/**
 * hp_naming_init() - names of all loaded classes, as in Java source
 * @survey: with tables; borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_naming_init(struct hp_naming *n,
					  const struct hp_survey *survey,
					  hp_escape_fn *escape,
					  struct hp_error *err);
void hp_naming_release(struct hp_naming *n);

/* Any thread. */
struct hp_name hp_naming_class(const struct hp_naming *n, uint64_t id);

/*
 * The name of a field by the id of its STRING, escaped, once for all fields
 * that share it; "0x..." if there is none. Under the lock. NULL: no memory.
 */
const struct hp_name *hp_naming_field(struct hp_naming *n, uint64_t string);

/**
 * hp_naming_plan() - the fields of @k's instances; any thread
 *
 * A field that a sub-class's field hides has its class as its owner.
 * Sub-classes have all inherited fields, so a few classes may have plans
 * without end: one that is not kept is made in @own, the caller's (NULL at
 * first, to be freed), and is good until the next call. That takes no longer
 * than an instance has bytes. NULL: it does not fit in memory.
 */
const struct hp_plan *hp_naming_plan(struct hp_naming *n,
				     const struct hp_survey_dump *d,
				     const struct hp_class *k, unsigned id_size,
				     struct hp_plan **own);

#endif
