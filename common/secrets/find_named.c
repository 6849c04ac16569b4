/*
 * find_named.c - find the values of fields and map keys called "password",
 * "secret", "token" and the like
 *
 * Such a field refers to an array, or to a String that refers to an array. Each
 * pass over the file follows one reference. The first pass reads the classes.
 * The next passes read the fields with such names, the Strings, and the entries
 * of maps. The last pass reads the arrays. All objects are in lists that are
 * sorted by dump and id, so a file with many dumps needs no further passes.
 */
#include "common/secrets/named.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/scan.h"
#include "common/secrets/secrets.h"

#include <stdlib.h>
#include <string.h>

/*
 * The role of a field in the search, which depends on the contents of the
 * field.
 */
enum role {
	ROLE_NAMED, /* a field with the name of a secret, such as "password" */
	/* the field of a String that refers to the array with the text */
	ROLE_TEXT,
	ROLE_KEY,   /* the key of a map entry */
	ROLE_VALUE, /* the value of a map entry */
};

struct field {
	enum role role;
	/*
	 * only for ROLE_NAMED: the result of hp_secret_holder() for the name of
	 * the field
	 */
	unsigned holder;
	/*
	 * offset of the field in the part of the instance data that its class
	 * declares
	 */
	uint64_t at;
};

/*
 * A class that declares fields with a role (see enum role), or inherits such
 * fields. If a class only inherits them, it gets a copy of the struct node of
 * its super class. So each step from a struct node to the next (`up`) reads at
 * least one field. The time for an instance is therefore at most proportional
 * to its length.
 */
struct node {
	/*
	 * The fields of this class in finder.fields: the index of the first
	 * one, and their number.
	 */
	size_t fields, nfields;
	/*
	 * 1 + the index of the struct node of the nearest super class that has
	 * one; 0: there is none
	 */
	size_t up;
	/*
	 * The data of an instance has one part for each class, from its own
	 * class up to java.lang.Object. `at`: offset of the part with the
	 * fields above (`fields`). `up_at`: offset of the part for the super
	 * class `up`. `size`: size of all parts.
	 */
	uint64_t at, up_at, size;
};

/*
 * An object in the dump with the number `dump`. If it is a class, `holder` is
 * the index of its struct node. If it is a name, a key or a value, `holder` is
 * a result of hp_secret_holder().
 */
struct object {
	uint64_t id;
	unsigned dump, holder;
};

/*
 * The lists that a worker fills in a pass. NAMES: arrays or Strings with the
 * name of a secret as text, such as "password". VALUES: the values of fields
 * with such a name, and of map entries with such a key. HITS: secrets.
 */
enum list { NAMES, VALUES, HITS, LISTS };

struct finder {
	const struct hp_secret_search *q;
	unsigned id_size, dump;
	/*
	 * Maps the ids of STRING records to roles. A record is in the map if
	 * its text is the name of a field with a role (see enum role). The low
	 * 8 bits of a value are the role; the bits above are the result of
	 * hp_secret_holder() for the text.
	 */
	struct hp_id_map roles;
	/*
	 * `string_names`: ids of the STRING records with the name
	 * java.lang.String. `strings`: ids of the classes with this name.
	 */
	struct hp_id_map string_names, strings;
	/* the classes of the dump that is being read */
	struct hp_classes classes;
	bool in_dump;
	struct hp_vec fields; /* elements: struct field */
	struct hp_vec nodes;  /* elements: struct node */
	/*
	 * the classes that have a struct node, sorted; elements: struct object
	 */
	struct hp_vec known_classes;
	/*
	 * Sorted lists of struct object. `arrays`: arrays with the name of a
	 * secret as text, such as "password". `keys`: Strings with such a text.
	 * `values`: Strings and arrays that are the value of a field with such
	 * a name, or of a map entry with such a key.
	 */
	struct hp_vec arrays, keys, values;
	struct hp_vec (*found)[LISTS]; /* for each worker */
	struct hp_vec *hits;
};

/* Compare two objects by dump and id, in this order. */
static inline int
compare_ids(const void *a, const void *b)
{
	const struct object *x = a, *y = b;
	int c = hp_order(x->dump, y->dump);

	return c ? c : hp_order(x->id, y->id);
}

static int
compare_objects(const void *a, const void *b)
{
	const struct object *x = a, *y = b;
	int c = compare_ids(a, b);

	return c ? c : hp_order(x->holder, y->holder);
}

static bool
tidy(struct hp_vec *v)
{
	struct object *list = v->items;
	size_t n = 0;

	if (!hp_sort(list, v->count, sizeof(*list), compare_objects))
		return false;
	for (size_t i = 0; i < v->count; i++)
		if (n == 0 || compare_ids(&list[n - 1], &list[i]) != 0)
			list[n++] = list[i];
	v->count = n;
	return true;
}

static const struct object *
look_up(const struct hp_vec *v, unsigned dump, uint64_t id)
{
	const struct object key = {.id = id, .dump = dump};

	return v->count ? bsearch(&key, v->items, v->count, sizeof(key),
				  compare_ids)
			: NULL;
}

/* ---- the first pass: names, classes and static fields ---- */

static enum hp_status
add_role(struct finder *f, uint64_t id, const uint8_t *text, size_t n,
	 struct hp_error *err)
{
	unsigned holder = hp_secret_holder(text, n, 1);
	bool ok = true;

	if (holder)
		ok = hp_id_map_set(&f->roles, id, holder << 8 | ROLE_NAMED);
	else if (n == 3 && memcmp(text, "key", 3) == 0)
		ok = hp_id_map_set(&f->roles, id, ROLE_KEY);
	else if ((n == 5 && memcmp(text, "value", 5) == 0) ||
		 (n == 3 && memcmp(text, "val", 3) == 0))
		ok = hp_id_map_set(&f->roles, id, ROLE_VALUE);
	else if (n == 16 && (memcmp(text, "java/lang/String", n) == 0 ||
			     memcmp(text, "java.lang.String", n) == 0))
		ok = hp_id_map_set(&f->string_names, id, 1);
	return ok ? HP_OK : hp_no_memory(err);
}

static enum hp_status
name_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	    struct hp_error *err)
{
	struct finder *f = ctx;
	unsigned n = f->id_size;
	uint64_t left = hp_left(&body);

	if (rec->tag == HP_REC_STRING && left > n)
		return add_role(f, hp_load_id(body.data, n), body.data + n,
				(size_t)left - n, err);
	if (rec->tag == HP_REC_LOAD_CLASS && left >= 8 + 2ul * n &&
	    hp_id_map_get(&f->string_names, hp_load_id(body.data + 8 + n, n)) &&
	    !hp_id_map_set(&f->strings, hp_load_id(body.data + 4, n), 1))
		return hp_no_memory(err);
	return HP_OK;
}

static enum hp_status
name_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct finder *f = ctx;

	f->id_size = h->id_size;
	return HP_OK;
}

static enum hp_status
class_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	struct hp_batch_walk w = {.skip_instances = true};
	enum hp_status st = HP_OK;
	struct hp_sub s = {0};

	while (st == HP_OK && !b->replay &&
	       hp_batch_next(&w, b, &s, f->id_size))
		if (s.tag == HP_SUB_CLASS_DUMP)
			st = hp_classes_add(&f->classes, b->worker, b->index,
					    w.run->record, w.run->heap, &s,
					    NULL, err);
	return st;
}

static enum hp_status
class_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;

	return f->in_dump ? hp_classes_retire(&f->classes, b->index, err)
			  : HP_OK;
}

static enum hp_status
class_dump_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct finder *f = ctx;
	enum hp_status st =
		hp_classes_init(&f->classes, f->id_size, f->q->threads, err);

	f->in_dump = st == HP_OK;
	f->dump = dump;
	return st;
}

/*
 * A callback of the scan: dump_end() must wait, because the names of classes
 * and fields may come after the heap.
 */
static bool
class_dump_waits(void *ctx, unsigned dump)
{
	return true;
}

/*
 * For the fields that the class @k itself declares: append the fields with a
 * role (see enum role) to f->fields, and add the size of all fields to *@bytes.
 */
static bool
add_fields(struct finder *f, const struct hp_class *k, uint64_t *bytes)
{
	bool text = hp_id_map_get(&f->strings, k->id) != NULL, ok = true;

	for (uint32_t i = 0; i < k->nfields && ok; i++) {
		const uint64_t *role =
			hp_id_map_get(&f->roles, k->fields[i].name);
		struct field field = {.at = *bytes};

		*bytes += hp_type_size(k->fields[i].type, f->id_size);
		if (!role || !hp_type_is_reference(k->fields[i].type))
			continue;
		field.role = (enum role)(*role & 0xff);
		field.holder = (unsigned)(*role >> 8);
		if (text && field.role == ROLE_VALUE)
			field.role = ROLE_TEXT;
		ok = hp_vec_push(&f->fields, &field, sizeof(field));
	}
	return ok;
}

/*
 * Add the struct node of a class. @places: for each class, 1 + the index of its
 * struct node.
 */
static bool
add_class(struct finder *f, const struct hp_class *k, size_t *places)
{
	struct node n = {.fields = f->fields.count, .size = k->data_size};
	const struct object o = {.id = k->id,
				 .dump = f->dump,
				 .holder = (unsigned)f->nodes.count};
	uint64_t bytes = 0;

	if (!add_fields(f, k, &bytes))
		return false;
	n.nfields = f->fields.count - n.fields;
	n.up = k->super ? places[k->super->index] : 0;
	n.up_at = bytes;
	if (n.nfields == 0 && n.up) {
		n = ((struct node *)f->nodes.items)[n.up - 1];
		n.at += bytes;
		n.up_at += bytes;
		n.size = k->data_size;
	}
	if (n.nfields == 0)
		return true;
	places[k->index] = f->nodes.count + 1;
	return hp_vec_push(&f->nodes, &n, sizeof(n)) &&
	       hp_vec_push(&f->known_classes, &o, sizeof(o));
}

static bool
add_statics(struct finder *f, const struct hp_class *k)
{
	bool ok = true;

	for (uint32_t i = 0; i < k->nstatics && ok; i++) {
		const uint64_t *role =
			hp_id_map_get(&f->roles, k->statics[i].name);

		if (role && *role >> 8 && k->statics[i].value &&
		    hp_type_is_reference(k->statics[i].type))
			ok = HP_VEC_PUSH(&f->values, struct object,
					 .id = k->statics[i].value,
					 .dump = f->dump,
					 .holder = (unsigned)(*role >> 8));
	}
	return ok;
}

static enum hp_status
class_dump_end(void *ctx, unsigned dump, struct hp_error *err)
{
	struct finder *f = ctx;
	struct hp_class **sorted = NULL;
	size_t *places = NULL;
	enum hp_status st = hp_classes_complete(&f->classes, err);
	bool ok = true;

	if (st == HP_OK) {
		sorted = hp_classes_topmost_first(&f->classes);
		places = hp_calloc(f->classes.count + 1, sizeof(*places));
		ok = sorted && places;
		for (size_t i = 0; i < f->classes.count && ok; i++)
			ok = add_statics(f, sorted[i]) &&
			     (sorted[i]->chain != HP_CHAIN_FINE ||
			      add_class(f, sorted[i], places));
		st = ok ? HP_OK : hp_no_memory(err);
	}
	hp_free(sorted);
	hp_free(places);
	hp_classes_release(&f->classes);
	f->in_dump = false;
	return st;
}

/* ---- the passes that follow references ---- */

/*
 * The ids in those fields of an instance that have a role (see enum role); 0:
 * the instance has no such field.
 */
struct roles {
	uint64_t text, key, value;
};

static bool
read_named(const struct finder *f, struct hp_vec *to, unsigned dump,
	   const struct field *field, uint64_t id)
{
	return !id || HP_VEC_PUSH(to, struct object, .id = id, .dump = dump,
				  .holder = field->holder);
}

/*
 * Read the fields of an instance that have a role (see enum role). @named:
 * receives the values of fields with the name of a secret; NULL: they are not
 * needed.
 */
static bool
read_fields(const struct finder *f, unsigned dump, const struct hp_sub *s,
	    struct roles *r, struct hp_vec *named)
{
	const struct object *o = look_up(&f->known_classes, dump, s->class_id);
	const struct node *nodes = f->nodes.items, *n = NULL;
	const struct field *fields = f->fields.items;
	uint64_t base = 0;
	bool ok = true;

	*r = (struct roles){0};
	if (o && nodes[o->holder].size == s->count)
		n = &nodes[o->holder];
	while (n && ok) {
		for (size_t i = n->fields; i < n->fields + n->nfields && ok;
		     i++) {
			uint64_t id = hp_load_id(s->data + base + n->at +
							 fields[i].at,
						 f->id_size);

			if (fields[i].role == ROLE_TEXT)
				r->text = id;
			else if (fields[i].role == ROLE_KEY)
				r->key = id;
			else if (fields[i].role == ROLE_VALUE)
				r->value = id;
			else if (named)
				ok = read_named(f, named, dump, &fields[i], id);
		}
		base += n->up_at;
		n = n->up ? &nodes[n->up - 1] : NULL;
	}
	return ok;
}

/*
 * If the list @from contains the object @wanted, append the object @id to the
 * list @to.
 */
static bool
follow(struct hp_vec *to, const struct hp_vec *from, unsigned dump,
       uint64_t wanted, uint64_t id)
{
	const struct object *o =
		wanted && id ? look_up(from, dump, wanted) : NULL;

	return !o || HP_VEC_PUSH(to, struct object, .id = id, .dump = dump,
				 .holder = o->holder);
}

static bool
is_text(const struct hp_sub *s)
{
	return s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	       (s->type == HP_TYPE_BYTE || s->type == HP_TYPE_CHAR);
}

/*
 * Find arrays with the name of a secret as text, such as "password". Also find
 * the values of fields with such a name.
 */
static enum hp_status
fields_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	struct hp_batch_walk w = {0};
	struct hp_vec *found = f->found[b->worker];
	struct hp_sub s = {0};
	struct roles r;
	bool ok = true;

	while (ok && !b->replay && hp_batch_next(&w, b, &s, f->id_size)) {
		if (w.piece)
			continue;
		if (s.tag == HP_SUB_INSTANCE_DUMP) {
			ok = read_fields(f, b->dump, &s, &r, &found[VALUES]);
		} else if (is_text(&s)) {
			bool wide = s.type == HP_TYPE_CHAR;
			unsigned holder = hp_secret_holder(s.data + wide,
							   s.count, 1u + wide);

			ok = !holder ||
			     HP_VEC_PUSH(&found[NAMES], struct object,
					 .id = s.id, .dump = b->dump,
					 .holder = holder);
		}
	}
	return ok ? HP_OK : hp_no_memory(err);
}

/*
 * Call @visit for each instance of a batch. @id: the id of the instance; @r:
 * its fields with a role; @found: the lists of the worker.
 */
static inline enum hp_status
each_instance(struct finder *f, struct hp_batch *b,
	      bool (*visit)(const struct finder *f, struct hp_vec *found,
			    unsigned dump, uint64_t id, const struct roles *r),
	      struct hp_error *err)
{
	struct hp_batch_walk w = {0};
	struct hp_sub s = {0};
	struct roles r;
	bool ok = true;

	while (ok && !b->replay && hp_batch_next(&w, b, &s, f->id_size))
		if (s.tag == HP_SUB_INSTANCE_DUMP && !w.piece)
			ok = read_fields(f, b->dump, &s, &r, NULL) &&
			     visit(f, f->found[b->worker], b->dump, s.id, &r);
	return ok ? HP_OK : hp_no_memory(err);
}

/*
 * Find each String whose array is in f->arrays, because its text is the name of
 * a secret. Also find each String in f->values, and add its array to the list
 * VALUES: the array has the text of a value that may be a secret.
 */
static inline bool
follow_string(const struct finder *f, struct hp_vec *found, unsigned dump,
	      uint64_t id, const struct roles *r)
{
	return follow(&found[NAMES], &f->arrays, dump, r->text, id) &&
	       follow(&found[VALUES], &f->values, dump, id, r->text);
}

static enum hp_status
strings_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	return each_instance(ctx, b, follow_string, err);
}

/* If the key of a map entry is the name of a secret, find the entry's value. */
static inline bool
follow_entry(const struct finder *f, struct hp_vec *found, unsigned dump,
	     uint64_t id, const struct roles *r)
{
	return follow(&found[VALUES], &f->keys, dump, r->key, r->value);
}

static enum hp_status
entries_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	return each_instance(ctx, b, follow_entry, err);
}

/*
 * Read the arrays in f->values (values of fields and keys with the names of
 * secrets), and find those whose text is a secret.
 */
static enum hp_status
arrays_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	struct hp_batch_walk w = {.skip_instances = true};
	struct hp_vec *found = f->found[b->worker];
	struct hp_sub s = {0};
	bool ok = true;

	while (ok && !b->replay && hp_batch_next(&w, b, &s, f->id_size)) {
		const struct object *o =
			is_text(&s) && !w.piece
				? look_up(&f->values, b->dump, s.id)
				: NULL;
		struct hp_secret_hit h = {
			.length = o ? hp_secret_value(&s, o->holder) : 0,
			.offset = s.offset,
			.record = w.run->record,
			.dump = b->dump,
			.array = s.id,
			.kind = HP_SECRET_NAMED,
			.in = s.type == HP_TYPE_CHAR ? HP_IN_CHARS
						     : HP_IN_BYTES};

		ok = !h.length || hp_vec_push(&found[HITS], &h, sizeof(h));
	}
	return ok ? HP_OK : hp_no_memory(err);
}

static bool
gather(struct finder *f, enum list list, struct hp_vec *to, size_t size)
{
	bool ok = true;

	for (unsigned i = 0; i < f->q->threads && ok; i++)
		ok = hp_vec_move(to, &f->found[i][list], size);
	return ok && (list == HITS || tidy(to));
}

/*
 * Run a pass. The names that it finds go to the list @names, the values to
 * f->values.
 */
static enum hp_status
run(struct finder *f, struct hp_source *src, const struct hp_pass *pass,
    struct hp_vec *names, struct hp_error *err)
{
	const struct hp_scan_options options = {.threads = f->q->threads,
						.only_dump = f->q->dump};
	enum hp_status st = hp_source_rewind(src, err);

	if (st == HP_OK)
		st = hp_scan(src, pass, &options, err);
	if (st == HP_OK &&
	    !(gather(f, NAMES, names, sizeof(struct object)) &&
	      gather(f, VALUES, &f->values, sizeof(struct object)) &&
	      gather(f, HITS, f->hits, sizeof(struct hp_secret_hit))))
		st = hp_no_memory(err);
	return st;
}

/* Run a pass that only reads the heap, with the function @batch. */
static enum hp_status
run_batches(struct finder *f, struct hp_source *src, enum hp_need need,
	    enum hp_status (*batch)(void *, struct hp_batch *,
				    struct hp_error *),
	    struct hp_vec *names, struct hp_error *err)
{
	const struct hp_pass pass = {.need = need, .ctx = f, .batch = batch};

	return run(f, src, &pass, names, err);
}

static enum hp_status
find(struct finder *f, struct hp_source *src, struct hp_error *err)
{
	const struct hp_pass classes = {.need = HP_NEED_HEADS,
					.ctx = f,
					.header = name_header,
					.record = name_record,
					.batch = class_batch,
					.retired = class_retired,
					.dump_begin = class_dump_begin,
					.dump_waits = class_dump_waits,
					.dump_end = class_dump_end};
	enum hp_status st = run(f, src, &classes, &f->arrays, err);
	size_t before;

	if (st == HP_OK && !tidy(&f->known_classes))
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = run_batches(f, src, HP_NEED_CONTENTS, fields_batch,
				 &f->arrays, err);
	if (st == HP_OK && f->arrays.count + f->values.count > 0)
		st = run_batches(f, src, HP_NEED_HEADS, strings_batch, &f->keys,
				 err);
	before = f->values.count;
	if (st == HP_OK && f->keys.count > 0)
		st = run_batches(f, src, HP_NEED_HEADS, entries_batch, &f->keys,
				 err);
	if (st == HP_OK && f->values.count > before)
		st = run_batches(f, src, HP_NEED_HEADS, strings_batch, &f->keys,
				 err);
	if (st == HP_OK && f->values.count > 0)
		st = run_batches(f, src, HP_NEED_CONTENTS, arrays_batch,
				 &f->keys, err);
	return st;
}

static void
release(struct finder *f)
{
	for (unsigned i = 0; f->found && i < f->q->threads; i++)
		for (unsigned k = 0; k < LISTS; k++)
			hp_free(f->found[i][k].items);
	hp_free(f->found);
	if (f->in_dump)
		hp_classes_release(&f->classes);
	hp_id_map_release(&f->roles);
	hp_id_map_release(&f->string_names);
	hp_id_map_release(&f->strings);
	hp_free(f->fields.items);
	hp_free(f->nodes.items);
	hp_free(f->known_classes.items);
	hp_free(f->arrays.items);
	hp_free(f->keys.items);
	hp_free(f->values.items);
}

enum hp_status
hp_secrets_find_named(struct hp_source *src, const struct hp_secret_search *q,
		      struct hp_vec *hits, struct hp_error *err)
{
	struct finder f = {.q = q, .hits = hits};
	enum hp_status st;

	f.found = hp_calloc(q->threads, sizeof(*f.found));
	st = f.found ? find(&f, src, err) : hp_no_memory(err);
	release(&f);
	return st;
}
