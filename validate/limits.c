/*
 * limits.c - texts about checks that were left out, and the reasons
 *
 * The reasons are too little memory, an input that cannot be read twice, or
 * damage.
 */
#include "validate/internal.h"
#include "common/base/memory.h"

#include <stdarg.h>

/*
 * Add to the result a text about a check that was left out. Returns HP_OK or
 * HP_NOMEM.
 */
HP_PRINTF(3, 4)
static enum hp_status
add_limit(struct hp_validation *r, struct hp_error *err, const char *fmt, ...)
{
	char **limits =
		hp_realloc(r->limits, (r->nlimits + 1) * sizeof(*limits));
	struct hp_buf text = {0};
	va_list args;

	if (!limits)
		return hp_no_memory(err);
	r->limits = limits;
	va_start(args, fmt);
	hp_buf_vprintf(&text, fmt, args);
	va_end(args);
	limits[r->nlimits] = hp_buf_take(&text);
	hp_buf_release(&text);
	if (!limits[r->nlimits])
		return hp_no_memory(err);
	r->nlimits++;
	return HP_OK;
}

enum hp_status
hp_validation_limits(struct hp_validation *r, unsigned dump,
		     const struct hp_reference_totals *t, bool once,
		     struct hp_error *err)
{
	static const char why[] =
		"the input cannot be read twice and --memory is too small";
	enum hp_status st = HP_OK;

	if (t->unchecked > 0)
		st = add_limit(
			r, err,
			"dump %u: %s: references to %s%llu MB of addresses "
			"were not checked",
			dump, why, t->crowded ? "more than " : "",
			(unsigned long long)(t->unchecked >> 20));
	else if (t->crowded)
		st = add_limit(
			r, err,
			"dump %u: %s: references to scattered ids were not "
			"checked",
			dump, why);
	if (st == HP_OK && !t->dangling_known)
		st = add_limit(r, err,
			       "dump %u: %s: not all dangling "
			       "references are counted and shown",
			       dump, why);
	if (st == HP_OK && !t->duplicates_located && t->duplicates > 0)
		st = add_limit(
			r, err,
			"dump %u: %s: the offsets of objects with duplicate "
			"ids "
			"are not known",
			dump, once ? why : "there are too many for --memory");
	return st;
}

enum hp_status
hp_validation_limit_search(struct hp_validation *r,
			   const struct hp_validate_options *o,
			   struct hp_error *err)
{
	enum hp_status st = HP_OK;
	bool damaged = false;

	if (!o->secrets || o->disabled[HP_RULE_SECRET])
		return HP_OK;
	if (!r->secrets)
		return add_limit(r, err,
				 "the file was not searched for secrets");
	for (size_t i = 0; i < r->nrules; i++)
		damaged |= hp_rule_is_damage(r->rules[i].rule);
	if (r->secrets_incomplete)
		st = add_limit(r, err,
			       "a STRING record is longer than %d MB: only its "
			       "first %d MB were searched for secrets",
			       HP_BODY_MAX >> 20, HP_BODY_MAX >> 20);
	if (damaged && st == HP_OK)
		st = add_limit(r, err,
			       "the dump is damaged: only the part that can be "
			       "read was searched for secrets");
	r->secrets_incomplete |= damaged;
	return st;
}

enum hp_status
hp_validation_graph_left_out(struct hp_validation *r, unsigned dump,
			     enum hp_graph_gap gap, struct hp_error *err)
{
	/*
	 * The text of the error says which part of the object graph did not fit
	 * in memory. The user does not need this detail.
	 */
	*err = (struct hp_error){0};
	if (gap == HP_GRAPH_MEMORY)
		return hp_fail(err, HP_LIMIT,
			       "the graph of the objects of dump %u does not "
			       "fit in --memory; allow more, or omit "
			       "--level=graph",
			       dump);
	r->left_out[HP_RULE_UNREACHABLE]++;
	return add_limit(r, err,
			 "dump %u: unreachable objects are not "
			 "known, because the layout of some "
			 "instances is unknown",
			 dump);
}

enum hp_status
hp_validation_graph_not_read(struct hp_validation *r, unsigned dump,
			     struct hp_error *err)
{
	r->left_out[HP_RULE_UNREACHABLE]++;
	r->left_out[HP_RULE_REF_TYPE_MISMATCH]++;
	if (r->left_out[HP_RULE_REF_ELEMENT_STORE]++ > 0)
		return HP_OK;
	return add_limit(
		r, err,
		"dump %u and all later dumps: the graph was not checked, "
		"because for each dump, all earlier dumps would have to be "
		"unpacked again; unpack the file first, or use --dump=N",
		dump);
}
