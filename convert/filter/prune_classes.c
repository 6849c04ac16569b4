/*
 * prune_classes.c - find the classes that kept objects, and other kept classes,
 * need
 *
 * While filter_objects.c collects the kept objects, it marks the classes that
 * these objects use. Then this file uses a queue to mark all classes that the
 * marked classes need, such as superclasses. The element class of an array
 * class is found by its name. Names are compared by a 64-bit hash. A collision
 * of hashes can only keep a class that is not needed, and never removes a
 * class.
 */
#include "convert/filter/internal.h"

#include "common/base/memory.h"
#include "common/graph/class_edges.h"
#include "common/model/class_name.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* All classes of a dump that have the same name. */
struct group {
	/*
	 * 1 + the index of the first class in the linked list of this group
	 * (see `next`); 0: the group is empty
	 */
	uint32_t first;
	/*
	 * array: this is the name of an array class. done: all classes of this
	 * group are marked as used.
	 */
	bool array, done;
	/* for array classes: hash of the name without its last "[]" */
	uint64_t element;
};

struct hp_prune_dump {
	const struct hp_prepass_dump *prepass;
	/* for each class (index: hp_class.index): the class is used */
	_Atomic bool *used;
	/*
	 * for each class: 1 + the index of the next class with the same name;
	 * 0: there is none
	 */
	uint32_t *next;
	/*
	 * for each class: 1 + the index of its group (all classes with its
	 * name); 0: the class has no name
	 */
	uint32_t *group_of;
	struct group *groups;
	size_t ngroups;
	/*
	 * maps the hash of a class name to 1 + the index of the group of this
	 * name
	 */
	struct hp_id_map by_hash;
	/*
	 * A queue of marked classes. The classes that they need, such as
	 * superclasses, are not marked yet.
	 */
	uint32_t *queue;
	size_t queued;
	/* for each primitive type: an array of this type is kept */
	_Atomic bool arrays[HP_TYPE_END];
};

static struct hp_prune_dump *
dump_of(const struct hp_prune *p, unsigned dump)
{
	size_t place = hp_prepass_place(p->prepass, dump);

	return place < p->prepass->ndumps ? &p->dumps[place] : NULL;
}

/* ---- group the classes by name ---- */

/*
 * Returns 1 + the index of the group for a class name, or 0 if out of memory.
 * The group is created if needed. @java is a buffer for temporary use.
 */
static uint32_t
group_named(struct hp_prune_dump *d, const struct hp_string *raw,
	    struct hp_buf *java)
{
	struct group *g;
	uint64_t *place;
	size_t n;

	hp_buf_clear(java);
	hp_class_name(java, raw->data, raw->length);
	if (!hp_buf_ok(java))
		return 0;
	n = java->len;
	place = hp_id_map_put(&d->by_hash, XXH3_64bits(java->data, n), NULL);
	if (!place || *place)
		return place ? (uint32_t)*place : 0;
	g = &d->groups[d->ngroups++];
	if (n > 2 && memcmp(java->data + n - 2, "[]", 2) == 0) {
		g->array = true;
		g->element = XXH3_64bits(java->data, n - 2);
	}
	*place = d->ngroups;
	return (uint32_t)d->ngroups;
}

/*
 * Divide all classes into groups of the same name. A name that many classes
 * share is converted only once. Returns false if out of memory.
 */
static bool
group_all(struct hp_prune_dump *d, const struct hp_tables *t)
{
	const struct hp_classes *c = &d->prepass->classes;
	/* maps the string id of a class name to 1 + the index of the group */
	struct hp_id_map known = {0};
	struct hp_buf java = {0};
	bool ok = true;

	for (uint32_t i = 0; i < c->count && ok; i++) {
		const struct hp_load *l = hp_tables_load(t, c->list[i]->id);
		const struct hp_string *raw =
			l ? hp_tables_string(t, l->name_id) : NULL;
		uint64_t *place;

		if (!raw || raw->length == 0)
			continue;
		place = hp_id_map_put(&known, l->name_id, NULL);
		if (place && !*place)
			*place = group_named(d, raw, &java);
		ok = place && *place;
		if (ok) {
			struct group *g = &d->groups[*place - 1];

			d->group_of[i] = (uint32_t)*place;
			d->next[i] = g->first;
			g->first = i + 1;
		}
	}
	hp_buf_release(&java);
	hp_id_map_release(&known);
	return ok;
}

/* ---- mark classes as used ---- */

void
hp_prune_use(struct hp_prune *p, unsigned dump, uint64_t id)
{
	struct hp_prune_dump *d = id ? dump_of(p, dump) : NULL;
	const struct hp_class *k =
		d ? hp_classes_get(&d->prepass->classes, id) : NULL;

	if (k)
		d->used[k->index] = true;
}

void
hp_prune_use_array(struct hp_prune *p, unsigned dump, uint8_t type)
{
	struct hp_prune_dump *d = dump_of(p, dump);

	if (d && !d->arrays[type])
		d->arrays[type] = true;
}

static void
use_everywhere(struct hp_prune *p, uint64_t id)
{
	for (size_t i = 0; i < p->prepass->ndumps; i++)
		hp_prune_use(p, p->dumps[i].prepass->dump, id);
}

static void
use_serial(struct hp_prune *p, uint32_t serial)
{
	const struct hp_load *l =
		hp_tables_load_serial(&p->prepass->tables, serial);

	if (l)
		use_everywhere(p, l->class_id);
}

static void
use_records(struct hp_prune *p)
{
	const struct hp_tables *t = &p->prepass->tables;
	const struct hp_load *loads = t->load_list.items;
	const struct hp_frame *frames = t->frame_list.items;
	const struct hp_sites *sites = t->site_list.items;

	for (size_t i = 0; i < t->load_list.count; i++)
		if (loads[i].unloaded)
			use_everywhere(p, loads[i].class_id);
	for (size_t i = 0; i < t->frame_list.count; i++)
		use_serial(p, frames[i].class_serial);
	for (size_t i = 0; i < t->site_list.count; i++)
		for (uint32_t k = 0; k < sites[i].nsites; k++)
			use_serial(p, sites[i].sites[k].class_serial);
}

enum hp_status
hp_prune_init(struct hp_prune *p, const struct hp_prepass *prepass,
	      struct hp_error *err)
{
	p->prepass = prepass;
	p->dumps = hp_calloc(prepass->ndumps + 1, sizeof(*p->dumps));
	if (!p->dumps)
		return hp_no_memory(err);
	for (size_t i = 0; i < prepass->ndumps; i++) {
		struct hp_prune_dump *d = &p->dumps[i];
		size_t n = prepass->dumps[i]->classes.count + 1;

		d->prepass = prepass->dumps[i];
		d->used = hp_calloc(n, sizeof(*d->used));
		d->next = hp_calloc(n, sizeof(*d->next));
		d->group_of = hp_calloc(n, sizeof(*d->group_of));
		d->groups = hp_calloc(n, sizeof(*d->groups));
		d->queue = hp_calloc(n, sizeof(*d->queue));
		if (!d->used || !d->next || !d->group_of || !d->groups ||
		    !d->queue || !group_all(d, &prepass->tables))
			return hp_no_memory(err);
	}
	use_records(p);
	return HP_OK;
}

void
hp_prune_release(struct hp_prune *p)
{
	for (size_t i = 0; p->dumps && i < p->prepass->ndumps; i++) {
		struct hp_prune_dump *d = &p->dumps[i];

		hp_free(d->used);
		hp_free(d->next);
		hp_free(d->group_of);
		hp_free(d->groups);
		hp_free(d->queue);
		hp_id_map_release(&d->by_hash);
	}
	hp_free(p->dumps);
	*p = (struct hp_prune){0};
}

/* ---- mark the classes that used classes need, until nothing changes ---- */

static void
need_class(struct hp_prune_dump *d, const struct hp_class *k)
{
	if (!k || d->used[k->index])
		return;
	d->used[k->index] = true;
	d->queue[d->queued++] = k->index;
}

static void
need_id(struct hp_prune_dump *d, uint64_t id)
{
	if (id)
		need_class(d, hp_classes_get(&d->prepass->classes, id));
}

static void
need_name(struct hp_prune_dump *d, uint64_t hash)
{
	const uint64_t *place = hp_id_map_get(&d->by_hash, hash);
	struct group *g = place ? &d->groups[*place - 1] : NULL;

	if (!g || g->done)
		return;
	g->done = true;
	for (uint32_t i = g->first; i != 0; i = d->next[i - 1])
		need_class(d, d->prepass->classes.list[i - 1]);
}

static void
need_text(struct hp_prune_dump *d, const char *type, const char *end)
{
	char name[32];
	int n = snprintf(name, sizeof(name), "%s%s", type, end);

	need_name(d, XXH3_64bits(name, (size_t)n));
}

static void
follow_class(struct hp_prune_dump *d, const struct hp_class *k)
{
	const uint32_t group = d->group_of[k->index];
	struct hp_class_edge e = {0};

	while (hp_class_edge_next(k, &e))
		need_id(d, e.to);
	need_id(d, k->reserved[0]);
	need_id(d, k->reserved[1]);
	if (group && d->groups[group - 1].array)
		need_name(d, d->groups[group - 1].element);
}

/*
 * Whether a static field was added by ART: it is a copy of a field of the class
 * object.
 */
static bool
is_own_field(const struct hp_tables *t, uint64_t name)
{
	static const char *const begin[] = {"$class$", "$classOverhead",
					    "$staticOverhead"};
	const struct hp_string *s = hp_tables_string(t, name);

	for (size_t i = 0; s && i < HP_ARRAY_LEN(begin); i++)
		if (s->length >= strlen(begin[i]) &&
		    memcmp(s->data, begin[i], strlen(begin[i])) == 0)
			return true;
	return false;
}

static bool
holds_kept_object(const struct hp_prune *p, const struct hp_dump_id_set *stays,
		  const struct hp_class *k)
{
	const struct hp_tables *t = &p->prepass->tables;
	struct hp_class_edge e = {0};

	while (hp_class_edge_next(k, &e))
		if (e.of >= HP_CLASS_EDGE_STATIC &&
		    hp_dump_ids_has(stays, e.to) &&
		    (e.of == HP_CLASS_EDGE_CONSTANT ||
		     !is_own_field(t, k->statics[e.index].name)))
			return true;
	return false;
}

void
hp_prune_finish(struct hp_prune *p, const struct hp_dump_id_sets *stays)
{
	for (size_t i = 0; i < p->prepass->ndumps; i++) {
		struct hp_prune_dump *d = &p->dumps[i];
		const struct hp_dump_id_set *sets =
			hp_dump_id_sets_get(stays, d->prepass->dump);
		struct hp_class *const *list = d->prepass->classes.list;

		for (uint32_t c = 0; c < d->prepass->classes.count; c++) {
			if (d->used[c])
				d->queue[d->queued++] = c;
			else if (sets && holds_kept_object(p, sets, list[c]))
				need_class(d, list[c]);
		}
		for (unsigned t = 0; t < HP_TYPE_END; t++)
			if (d->arrays[t])
				need_text(d, hp_type_name(t), "[]");
		if (d->queued > 0)
			need_text(d, "java.lang.Class", "");
		while (d->queued > 0)
			follow_class(d, list[d->queue[--d->queued]]);
	}
}

bool
hp_prune_is_used(const struct hp_prune *p, unsigned dump, uint64_t id)
{
	const struct hp_prune_dump *d = dump_of(p, dump);
	const struct hp_class *k =
		d ? hp_classes_get(&d->prepass->classes, id) : NULL;

	return k && d->used[k->index];
}

bool
hp_prune_is_unused(const struct hp_prune *p, uint64_t id)
{
	bool gone = false;

	for (size_t i = 0; i < p->prepass->ndumps; i++) {
		const struct hp_prune_dump *d = &p->dumps[i];
		const struct hp_class *k =
			hp_classes_get(&d->prepass->classes, id);

		if (k && d->used[k->index])
			return false;
		gone |= k != NULL;
	}
	return gone;
}
