/*
 * keep.c - find the objects that --keep=CLASS#FIELD selects; --strip must not
 * remove their values
 *
 * The first pass over the dump collects the objects that the fields of CLASS
 * and its subclasses refer to. The second pass collects the character arrays of
 * the Strings among these objects. Two passes are needed because the objects of
 * a dump can come in any order. Before the two passes, the patterns are matched
 * with the names of classes.
 */
#include "convert/strip/strip.h"

#include "common/base/memory.h"
#include "common/model/class_name.h"
#include "convert/copy/ordered_pass.h"

static const char string_value[] = "java.lang.String#value";

/* ---- match patterns with names ---- */

/*
 * Returns the text of pattern @i of --keep. The last pattern is not from the
 * user: it selects the character array of a String.
 */
static const char *
pattern_at(const struct hp_keep *k, unsigned i)
{
	return i < k->policy->nkeep ? k->policy->keep[i] : string_value;
}

static bool
same_text(const char *a, size_t n, const void *b, size_t m)
{
	return n == m && memcmp(a, b, n) == 0;
}

/*
 * Returns bits for the patterns of --keep: bit i is set if CLASS of pattern i
 * is the class with the name @raw (for example "java/lang/String"). @a and @b
 * are buffers for temporary use.
 */
static uint64_t
classes_called(const struct hp_keep *k, const struct hp_string *raw,
	       struct hp_buf *a, struct hp_buf *b)
{
	uint64_t bits = 0;

	hp_buf_clear(a);
	hp_class_name(a, raw->data, raw->length);
	for (unsigned i = 0; i <= k->policy->nkeep; i++) {
		const char *p = pattern_at(k, i);

		/*
		 * The pattern may contain '.' or '/', so convert it to the
		 * spelling of the class name.
		 */
		hp_buf_clear(b);
		hp_class_name(b, p, strcspn(p, "#"));
		if (hp_buf_ok(a) && same_text(a->data, a->len, b->data, b->len))
			bits |= 1ull << i;
	}
	return bits;
}

static uint64_t
fields_called(const struct hp_keep *k, const struct hp_string *name)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i <= k->policy->nkeep; i++) {
		const char *field = strchr(pattern_at(k, i), '#') + 1;

		if (same_text(field, strlen(field), name->data, name->length))
			bits |= 1ull << i;
	}
	return bits;
}

static uint64_t
field_bits(const struct hp_keep *k, uint64_t name)
{
	const uint64_t *bits = hp_id_map_get(&k->fields, name);

	return bits ? *bits : 0;
}

static bool
resolve_field(struct hp_keep *k, uint64_t name)
{
	const struct hp_string *s;
	bool fresh = false;
	uint64_t *bits = hp_id_map_put(&k->fields, name, &fresh);

	if (bits && fresh) {
		s = hp_tables_string(&k->prepass->tables, name);
		*bits = s ? fields_called(k, s) : 0;
	}
	return bits != NULL;
}

static bool
resolve_fields(struct hp_keep *k, const struct hp_class *c)
{
	bool ok = true;

	for (uint32_t i = 0; i < c->nfields && ok; i++)
		ok = resolve_field(k, c->fields[i].name);
	for (uint32_t i = 0; i < c->nstatics && ok; i++)
		ok = resolve_field(k, c->statics[i].name);
	return ok;
}

/* ---- find the patterns of each class ---- */

/*
 * Compute which patterns apply to each class: `under` and `carry` of
 * hp_keep_class. Superclasses are processed first. Returns false if out of
 * memory.
 */
static bool
inherit_patterns(struct hp_keep_dump *d, const struct hp_classes *c)
{
	struct hp_class **order = hp_classes_topmost_first(c);

	if (!order)
		return false;
	for (size_t i = 0; i < c->count; i++) {
		struct hp_keep_class *mine = &d->classes[order[i]->index];
		const struct hp_class *super = order[i]->super;
		const struct hp_keep_class *its;

		mine->under = mine->own;
		if (!super)
			continue;
		its = &d->classes[super->index];
		mine->under |= its->under;
		if (super->nfields == 0)
			mine->carry = its->own | its->carry;
	}
	hp_free(order);
	return true;
}

/*
 * Keep the objects to which selected static fields refer. The prepass has
 * already read the static fields.
 */
static enum hp_status
keep_statics(struct hp_keep *k, const struct hp_keep_dump *d,
	     const struct hp_class *c, struct hp_error *err)
{
	uint64_t user = (1ull << k->policy->nkeep) - 1;
	uint64_t own = d->classes[c->index].own & user;
	enum hp_status st = HP_OK;

	for (uint32_t i = 0; own && i < c->nstatics && st == HP_OK; i++) {
		const struct hp_class_static *f = &c->statics[i];
		uint64_t bits = field_bits(k, f->name) & own;

		if (!bits || !hp_type_is_reference(f->type))
			continue;
		k->used |= bits;
		if (f->value)
			st = hp_dump_id_sets_add(&k->named, d->dump, f->value,
						 err);
	}
	return st;
}

/*
 * Returns a pointer to bits in the cache @texts: bit i is set if pattern i of
 * --keep matches the class name with this string id. NULL if out of memory.
 */
static uint64_t *
name_bits(struct hp_keep *k, struct hp_id_map *texts, uint64_t name,
	  struct hp_buf *a, struct hp_buf *b)
{
	const struct hp_string *raw =
		hp_tables_string(&k->prepass->tables, name);
	bool fresh = false;
	uint64_t *bits = hp_id_map_put(texts, name, &fresh);

	if (bits && fresh)
		*bits = raw ? classes_called(k, raw, a, b) : 0;
	return bits;
}

static bool
learn_loads(struct hp_keep *k)
{
	const struct hp_vec *loads = &k->prepass->tables.load_list;
	struct hp_id_map texts = {0};
	struct hp_buf a = {0}, b = {0};
	bool ok = true;

	for (size_t i = 0; ok && i < loads->count; i++) {
		const struct hp_load *l = (struct hp_load *)loads->items + i;
		const uint64_t *bits = name_bits(k, &texts, l->name_id, &a, &b);
		uint64_t *all = bits && *bits ? hp_id_map_put(&k->class_bits,
							      l->class_id, NULL)
					      : NULL;

		ok = bits && (!*bits || all);
		if (all)
			*all |= *bits;
	}
	ok = ok && hp_buf_ok(&a) && hp_buf_ok(&b);
	hp_id_map_release(&texts);
	hp_buf_release(&a);
	hp_buf_release(&b);
	return ok;
}

static enum hp_status
resolve_dump(struct hp_keep *k, struct hp_keep_dump *d,
	     const struct hp_prepass_dump *from, struct hp_error *err)
{
	const struct hp_classes *c = &from->classes;
	enum hp_status st = HP_OK;
	bool ok;

	d->dump = from->dump;
	d->classes = hp_calloc(c->count + 1, sizeof(*d->classes));
	ok = d->classes != NULL;
	for (size_t i = 0; ok && i < c->count; i++) {
		const uint64_t *bits =
			hp_id_map_get(&k->class_bits, c->list[i]->id);

		if (bits)
			d->classes[c->list[i]->index].own = *bits;
	}
	ok = ok && inherit_patterns(d, c);
	for (size_t i = 0; ok && i < c->count; i++)
		ok = resolve_fields(k, c->list[i]);
	/*
	 * The sets of ids, one for each dump, must be created in the order of
	 * the dumps. So create them now: the passes add objects in any order.
	 */
	if (ok)
		st = hp_dump_id_sets_announce(&k->named, d->dump, err);
	for (size_t i = 0; ok && st == HP_OK && i < c->count; i++)
		st = keep_statics(k, d, c->list[i], err);
	return ok ? st : hp_no_memory(err);
}

/* ---- the passes that collect the objects to keep ---- */

/*
 * Append to @out the ids of the objects to which selected fields of an instance
 * refer. The instance has the class @c, and its data is at @p.
 */
static void
gather_named_ids(const struct hp_keep *k, const struct hp_keep_dump *d,
		 const struct hp_prepass_dump *from, const struct hp_class *c,
		 const uint8_t *p, struct hp_buf *out)
{
	uint64_t armed = d->classes[c->index].own & k->allowed;

	while (c) {
		for (uint32_t i = 0; i < c->nfields; i++) {
			unsigned type = c->fields[i].type;
			uint64_t bits =
				armed && hp_type_is_reference(type)
					? field_bits(k, c->fields[i].name)
					: 0;
			uint64_t id;

			if (bits & armed) {
				id = hp_load_id(p, k->id_size);
				hp_buf_add(out, &id, sizeof(id));
				/*
				 * the field hides the fields of the same name
				 * in superclasses, so those are not selected
				 */
				armed &= ~bits;
			}
			p += hp_type_size(type, k->id_size);
		}
		armed |= d->classes[c->index].carry & k->allowed;
		c = hp_prepass_above(from, c);
		if (c)
			armed |= d->classes[c->index].own & k->allowed;
	}
}

static enum hp_status
on_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
       const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	const struct hp_keep *k = ctx;
	size_t place = hp_prepass_place(k->prepass, b->dump);
	const struct hp_prepass_dump *from;
	const struct hp_keep_dump *d;
	const struct hp_class *c;

	if (!sub || sub->tag != HP_SUB_INSTANCE_DUMP ||
	    place == k->prepass->ndumps)
		return HP_OK;
	d = &k->dumps[place];
	from = k->prepass->dumps[place];
	c = hp_classes_get(&from->classes, sub->class_id);
	if (!hp_instance_decodable(c, sub) ||
	    !(d->classes[c->index].under & k->allowed))
		return HP_OK;
	if (!k->named.finished ||
	    hp_dump_id_sets_has(&k->named, b->dump, sub->id))
		gather_named_ids(k, d, from, c, sub->data, out);
	return HP_OK;
}

/*
 * Add the collected ids to a set: to `named` in the first pass, to `arrays` in
 * the second.
 */
static enum hp_status
on_retired(void *ctx, const struct hp_batch *b, const struct hp_buf *out,
	   struct hp_error *err)
{
	struct hp_keep *k = ctx;
	enum hp_status st = HP_OK;
	uint64_t id;

	for (size_t at = 0; at < out->len && st == HP_OK; at += sizeof(id)) {
		memcpy(&id, out->data + at, sizeof(id));
		if (id)
			st = hp_dump_id_sets_add(k->named.finished ? &k->arrays
								   : &k->named,
						 b->dump, id, err);
	}
	return st;
}

static enum hp_status
run_pass(struct hp_keep *k, uint64_t allowed, struct hp_dump_id_sets *into,
	 struct hp_source *src, unsigned threads, struct hp_error *err)
{
	const struct hp_transform t = {.need = HP_NEED_HEADS,
				       /*
					* other damage is reported by the pass
					* that strips
					*/
				       .framing_only = true,
				       .ctx = k,
				       .run = on_run,
				       .retired = on_retired};
	enum hp_status st = hp_source_rewind(src, err);

	k->allowed = allowed;
	if (st == HP_OK)
		st = hp_ordered_pass_run(src, NULL, &t, threads, err);
	return st == HP_OK ? hp_dump_id_sets_finish(into, err) : st;
}

/*
 * Remember which patterns of --keep match a field, because the program warns
 * about the others.
 */
static void
note_used(struct hp_keep *k, const struct hp_keep_dump *d,
	  const struct hp_prepass_dump *from)
{
	for (size_t i = 0; i < from->classes.count; i++) {
		const struct hp_class *c = from->classes.list[i];
		uint64_t armed = d->classes[c->index].own & ~k->used;

		for (; c && armed; c = hp_prepass_above(from, c)) {
			for (uint32_t f = 0; f < c->nfields; f++)
				if (hp_type_is_reference(c->fields[f].type))
					k->used |=
						field_bits(k,
							   c->fields[f].name) &
						armed;
		}
	}
}

enum hp_status
hp_keep_find(struct hp_keep *k, const struct hp_policy *policy,
	     struct hp_prepass *prepass, struct hp_source *src,
	     unsigned threads, struct hp_error *err)
{
	const uint64_t string = 1ull << policy->nkeep;
	enum hp_status st = HP_OK;

	k->policy = policy;
	k->prepass = prepass;
	k->id_size = prepass->tables.id_size;
	k->named.id_size = k->arrays.id_size = k->id_size;
	if (hp_source_seekable(src))
		k->named.bytes = k->arrays.bytes = hp_source_size(src);
	k->dumps = hp_calloc(prepass->ndumps + 1, sizeof(*k->dumps));
	if (!k->dumps || !learn_loads(k))
		return hp_no_memory(err);
	for (size_t i = 0; i < prepass->ndumps && st == HP_OK; i++) {
		st = resolve_dump(k, &k->dumps[i], prepass->dumps[i], err);
		if (st == HP_OK)
			note_used(k, &k->dumps[i], prepass->dumps[i]);
	}
	if (st == HP_OK)
		st = run_pass(k, string - 1, &k->named, src, threads, err);
	if (st == HP_OK && k->named.count > 0)
		st = run_pass(k, string, &k->arrays, src, threads, err);
	return st;
}

void
hp_keep_release(struct hp_keep *k)
{
	for (size_t i = 0; k->dumps && i < k->prepass->ndumps; i++)
		hp_free(k->dumps[i].classes);
	hp_free(k->dumps);
	hp_id_map_release(&k->fields);
	hp_id_map_release(&k->class_bits);
	hp_dump_id_sets_release(&k->named);
	hp_dump_id_sets_release(&k->arrays);
	*k = (struct hp_keep){0};
}
