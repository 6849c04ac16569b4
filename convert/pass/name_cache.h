/*
 * name_cache.h - a cache of the escaped names of classes and fields
 *
 * Names are escaped once for an output format, and equal names share their
 * bytes.
 */
#ifndef HP_CONVERT_PASS_NAME_CACHE_H
#define HP_CONVERT_PASS_NAME_CACHE_H

#include "common/base/buf.h"
#include "convert/pass/class_prepass.h"

/* An escaped name, ready for output. data is NULL if there is no such name. */
struct hp_name {
	const char *data;
	size_t length;
};

struct hp_planned_field {
	/*
	 * name of the declaring class, if a field of a subclass hides this
	 * field; else data is NULL
	 */
	struct hp_name owner;
	struct hp_name key; /* name of the field */
	uint8_t type, width;
	/*
	 * serial number, from 2, among fields with the same owner and key; 0:
	 * unique or first
	 */
	uint32_t number;
};

/* The fields of an instance, in the order of the bytes in the dump. */
struct hp_field_plan {
	uint32_t count;
	struct hp_planned_field fields[];
};

typedef void hp_escape_fn(struct hp_buf *b, const void *text, size_t len);

struct hp_name_cache {
	const struct hp_prepass *prepass;
	hp_escape_fn *escape;
	struct hp_arena arena;
	struct hp_id_map classes; /* class id -> struct hp_name * */
	/* string id of a class name -> struct hp_name * */
	struct hp_id_map texts;
	pthread_mutex_t lock; /* protects plans, fields and the arena */
	/* string id of a field name -> struct hp_name * */
	struct hp_id_map fields;
	/* struct hp_class * -> struct hp_field_plan * */
	struct hp_id_map plans;
	struct hp_id_map owners; /* as @classes, for classes without a name */
	/* hash of an escaped name -> struct hp_name * */
	struct hp_id_map by_hash;
	uint64_t plan_bytes; /* size of all cached plans, in bytes */
	uint64_t plan_most;  /* limit for plan_bytes, set by the caller */
	/*
	 * limit for the size of a plan that is not cached, in bytes; set by the
	 * caller
	 */
	uint64_t own_most;
};

/**
 * hp_name_cache_init() - build the names of all loaded classes, as in Java
 * source
 * @prepass: finished, with tables; borrowed
 *
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_name_cache_init(struct hp_name_cache *n,
					      const struct hp_prepass *prepass,
					      hp_escape_fn *escape,
					      struct hp_error *err);
void hp_name_cache_release(struct hp_name_cache *n);

/*
 * Returns the name of the class @id; its data is NULL if the class has no name.
 * Thread-safe.
 */
struct hp_name hp_name_cache_class(const struct hp_name_cache *n, uint64_t id);

/*
 * Returns the escaped name of a field, given the id of its STRING. Fields with
 * the same STRING share the result. If there is no such STRING, the name is the
 * id, as "0x...". NULL: out of memory. The caller holds the lock.
 */
const struct hp_name *hp_name_cache_field(struct hp_name_cache *n,
					  uint64_t string);

/*
 * Append the escaped text of the STRING with the id @string. Returns false if
 * there is no such STRING. Thread-safe.
 */
bool hp_name_cache_string(const struct hp_name_cache *n, uint64_t string,
			  struct hp_buf *out);

/*
 * Append "name", "Owner.name", or "Owner.name#2". The texts of the fields of
 * one plan are all different.
 */
void hp_planned_field_name(const struct hp_planned_field *f,
			   struct hp_buf *out);

/*
 * The access of one thread to plans, which caches the last plan. Zeroed at
 * first.
 */
struct hp_field_plans {
	struct hp_dump_classes classes;
	const struct hp_class *class;
	/*
	 * the plan of @class; valid until the next call of
	 * hp_field_plans_find()
	 */
	const struct hp_field_plan *plan;
	/* a plan that is not cached; the caller frees it at the end */
	struct hp_field_plan *own;
};

/**
 * hp_field_plans_find() - the fields of the instance @s of the class @k
 * @k: a class of the dump that p->classes has selected;
 *     hp_instance_decodable(@k, @s) is true
 *
 * If a field of a subclass hides a field, the name of the hidden field includes
 * its class. The same is true for fields of one class with equal names, which
 * obfuscators produce. The plan of a class includes all inherited fields, so a
 * few hostile classes could have very large plans. A plan beyond the limit is
 * therefore not cached but rebuilt in p->own. Rebuilding it takes no longer
 * than reading the instance.
 * Returns: the plan, valid until the next call; NULL with HP_LIMIT in @err if
 *          the plan does not fit in memory.
 */
const struct hp_field_plan *
hp_field_plans_find(struct hp_field_plans *p, struct hp_name_cache *n,
		    unsigned id_size, const struct hp_class *k,
		    const struct hp_sub *s, struct hp_error *err);

#endif
