/*
 * name_cache.h - a cache of escaped names of classes and fields
 */
#ifndef HP_CONVERT_PASS_NAME_CACHE_H
#define HP_CONVERT_PASS_NAME_CACHE_H

#include "common/base/buf.h"
#include "convert/pass/class_prepass.h"

/* Bytes that can be appended as they are; data NULL: there is no such name. */
struct hp_name {
	const char *data;
	size_t length;
};

struct hp_planned_field {
	struct hp_name owner; /* class, for a hidden field; else data NULL */
	struct hp_name key;   /* of the field */
	uint8_t type, width;
	uint32_t number; /* from 2: of the hidden ones that share both; or 0 */
};

/* The fields of an instance, in the order of its bytes. */
struct hp_field_plan {
	uint32_t count;
	struct hp_planned_field fields[];
};

typedef void hp_escape_fn(struct hp_buf *b, const void *text, size_t len);

struct hp_name_cache {
	const struct hp_prepass *prepass;
	hp_escape_fn *escape;
	struct hp_arena arena;
	struct hp_id_map classes; /* class id: struct hp_name * */
	struct hp_id_map texts;	  /* id of a class's name: struct hp_name * */
	pthread_mutex_t lock;	  /* plans, fields and their arena */
	struct hp_id_map fields;  /* id of a field's name: struct hp_name * */
	struct hp_id_map plans; /* struct hp_class * : struct hp_field_plan * */
	struct hp_id_map owners;  /* as `classes`, of classes without a name */
	struct hp_id_map by_hash; /* of any name's text: struct hp_name * */
	uint64_t plan_bytes;	  /* of all plans that are kept, ... */
	uint64_t plan_most;	  /* ... and what they may be; by the caller */
	uint64_t own_most;	  /* bytes of a plan that is not; likewise */
};

/**
 * hp_name_cache_init() - names of all loaded classes, as in Java source
 * @prepass: with tables; borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_name_cache_init(struct hp_name_cache *n,
					      const struct hp_prepass *prepass,
					      hp_escape_fn *escape,
					      struct hp_error *err);
void hp_name_cache_release(struct hp_name_cache *n);

/* Any thread. */
struct hp_name hp_name_cache_class(const struct hp_name_cache *n, uint64_t id);

/*
 * The name of a field by the id of its STRING, escaped, once for all fields
 * that share it; "0x..." if there is none. Under the lock. NULL: no memory.
 */
const struct hp_name *hp_name_cache_field(struct hp_name_cache *n,
					  uint64_t string);

/* Appends the text of a STRING, escaped. Any thread. False: there is none. */
bool hp_name_cache_string(const struct hp_name_cache *n, uint64_t string,
			  struct hp_buf *out);

/*
 * Appends "name", "Owner.name", or "Owner.name#2": another text for each field
 * of a plan.
 */
void hp_planned_field_name(const struct hp_planned_field *f,
			   struct hp_buf *out);

/* One thread's way to plans: which one it had last. Zeroed at first. */
struct hp_field_plans {
	struct hp_dump_classes classes;
	const struct hp_class *class;
	const struct hp_field_plan *plan; /* of that class */
	struct hp_field_plan *own; /* one that is not kept; to be freed */
};

/**
 * hp_field_plans_find() - the fields of the instance @s, which is of class @k
 * @k: of the dump that p->classes are of; hp_instance_decodable(@k, @s)
 *
 * A field that a sub-class's field hides has its class as its owner; so has one
 * that shares its name with another one of its class, as obfuscators make them.
 * Sub-classes have all inherited fields, so a few classes may have plans
 * without end: one that is not kept is made in p->own, and is good until the
 * next call. That takes no longer than an instance has bytes.
 * Returns: the plan, good until the next call; NULL with HP_LIMIT in @err: it
 *          does not fit in memory.
 */
const struct hp_field_plan *
hp_field_plans_find(struct hp_field_plans *p, struct hp_name_cache *n,
		    unsigned id_size, const struct hp_class *k,
		    const struct hp_sub *s, struct hp_error *err);

#endif
