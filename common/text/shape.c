/*
 * shape.c - find out which fields each class has, from the objects in a text
 * dump
 *
 * While the text is read, each field gets a number, and each pair "this field
 * comes before that one" is stored once. At the end of a heap dump, the code
 * visits all classes twice. First it visits subclasses before their super
 * classes, and moves fields that must be inherited to the super class. Then it
 * visits super classes before their subclasses, and assigns offsets to the
 * fields.
 */
#include "common/text/internal.h"
#include "common/base/memory.h"
#include "common/base/hash.h"
#include "common/base/vec.h"

#include <string.h>
#include <xxhash.h>

enum hp_status
hp_text_shapes_init(struct hp_text_shapes *s, struct hp_error *err)
{
	*s = (struct hp_text_shapes){.count = 1, .seed = hp_seed(s)};
	s->room = 256;
	s->list = hp_calloc(s->room, sizeof(*s->list));
	return s->list ? HP_OK : hp_no_memory(err);
}

void
hp_text_shapes_release(struct hp_text_shapes *s)
{
	for (uint32_t i = 0; s->list && i < s->count; i++) {
		hp_free(s->list[i].fields);
		hp_free(s->list[i].edges);
		hp_free(s->list[i].sorted);
	}
	hp_free(s->list);
	hp_id_map_release(&s->fields);
	hp_id_map_release(&s->edges);
	*s = (struct hp_text_shapes){0};
}

uint64_t
hp_text_shapes_bytes(const struct hp_text_shapes *s)
{
	return s->room * sizeof(*s->list) + hp_id_map_bytes(&s->fields) * 3 +
	       hp_id_map_bytes(&s->edges) * 2;
}

uint32_t
hp_text_shapes_add(struct hp_text_shapes *s)
{
	if (s->count == UINT32_MAX ||
	    !HP_LIST_RESERVE(s->list, s->count, s->room))
		return 0;
	s->list[s->count] = (struct hp_text_shape){.first = HP_TEXT_NO_FIELD};
	return s->count++;
}

/*
 * A hash of three numbers. A collision has a probability of 2^-64 and is
 * ignored.
 */
static uint64_t
key_of(const struct hp_text_shapes *s, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t parts[3] = {a, b, c};

	return XXH3_64bits_withSeed(parts, sizeof(parts), s->seed);
}

static uint32_t
find(const struct hp_text_shapes *s, uint32_t class, uint32_t name,
     uint32_t occurrence)
{
	const uint64_t *v =
		hp_id_map_get(&s->fields, key_of(s, class, name, occurrence));

	return v ? (uint32_t)(*v - 1) : HP_TEXT_NO_FIELD;
}

static enum hp_status
add_field(struct hp_text_shapes *s, uint32_t class, uint32_t name,
	  uint32_t occurrence, uint32_t *slot, struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	uint64_t *place;

	if (c->count == HP_TEXT_FIELDS_MOST) {
		*slot = HP_TEXT_NO_FIELD;
		return HP_OK;
	}
	if (!HP_LIST_RESERVE(c->fields, c->count, c->room))
		return hp_no_memory(err);
	place = hp_id_map_put(&s->fields, key_of(s, class, name, occurrence),
			      NULL);
	if (!place)
		return hp_no_memory(err);
	*slot = c->count++;
	*place = (uint64_t)*slot + 1;
	c->fields[*slot] =
		(struct hp_text_field){.name = name,
				       .occurrence = (uint16_t)occurrence,
				       .next = HP_TEXT_NO_FIELD};
	return HP_OK;
}

/*
 * Record that field @from comes before field @to in all objects that have both
 * fields.
 */
static enum hp_status
add_edge(struct hp_text_shapes *s, uint32_t class, uint32_t from, uint32_t to,
	 struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	uint64_t *known;
	bool fresh;

	known = hp_id_map_put(&s->edges, key_of(s, class, from, to), &fresh);
	if (!known)
		return hp_no_memory(err);
	if (!fresh)
		return HP_OK;
	return HP_LIST_PUSH(c->edges, c->edge_count, c->edge_room,
			    (uint64_t)from << 32 | to)
		       ? HP_OK
		       : hp_no_memory(err);
}

/*
 * Guess the next field of an object: the field that came after the field
 * @before in the previous object of the class. If @before is HP_TEXT_NO_FIELD,
 * guess the field that came first in that object.
 */
static uint32_t
guess_field(const struct hp_text_shape *c, uint32_t before)
{
	return before == HP_TEXT_NO_FIELD ? c->first : c->fields[before].next;
}

uint32_t
hp_text_shapes_expected(const struct hp_text_shapes *s, uint32_t class,
			uint32_t before)
{
	const struct hp_text_shape *c = &s->list[class];
	uint32_t guess = guess_field(c, before);

	return guess == HP_TEXT_NO_FIELD ? 0 : c->fields[guess].name;
}

/*
 * Find the field @name that comes next in the current object. A class can have
 * several fields of this name, if it hides fields of its super classes. The
 * lines of an object begin with the fields of the topmost class. So the next
 * field of this name is found by counting how many fields of this name were
 * already read in this object.
 */
static enum hp_status
next_of_name(struct hp_text_shapes *s, uint32_t class, uint32_t name,
	     uint64_t stamp, uint32_t *slot, struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	uint32_t first = find(s, class, name, 0), n = 0;
	enum hp_status st = HP_OK;

	*slot = first;
	if (first != HP_TEXT_NO_FIELD && c->fields[first].stamp == stamp) {
		n = c->fields[first].shown;
		*slot = find(s, class, name, n);
	}
	if (*slot == HP_TEXT_NO_FIELD)
		st = add_field(s, class, name, n, slot, err);
	if (st != HP_OK || *slot == HP_TEXT_NO_FIELD)
		return st;
	c->fields[*slot].stamp = stamp;
	c->fields[n == 0 ? *slot : first].shown = (uint16_t)(n + 1);
	return HP_OK;
}

enum hp_status
hp_text_shapes_field(struct hp_text_shapes *s, uint32_t class, uint32_t before,
		     uint32_t name, uint64_t stamp, uint32_t *slot,
		     struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	uint32_t guess = guess_field(c, before);
	enum hp_status st;

	if (guess != HP_TEXT_NO_FIELD && c->fields[guess].name == name &&
	    c->fields[guess].occurrence == 0 &&
	    c->fields[guess].stamp != stamp) {
		c->fields[guess].stamp = stamp;
		c->fields[guess].shown = 1;
		*slot = guess;
		return HP_OK;
	}
	st = next_of_name(s, class, name, stamp, slot, err);
	if (st != HP_OK || *slot == HP_TEXT_NO_FIELD)
		return st;
	if (before == HP_TEXT_NO_FIELD) {
		c->first = *slot;
		return HP_OK;
	}
	c->fields[before].next = *slot;
	return add_edge(s, class, before, *slot, err);
}

/* ---- the end of a heap dump ---- */

/*
 * Compute how many super classes each class has. Cycles of super classes are
 * broken.
 */
static enum hp_status
set_depths(struct hp_text_shapes *s, const uint32_t *classes, uint32_t count,
	   struct hp_error *err)
{
	uint32_t *path = hp_malloc(((size_t)count + 1) * sizeof(*path));
	uint32_t n;

	if (!path)
		return hp_no_memory(err);
	for (uint32_t i = 0; i < count; i++)
		s->list[classes[i]].depth = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = classes[i];

		/*
		 * the depth UINT32_MAX marks the classes on the path that is
		 * being followed
		 */
		for (n = 0; c && s->list[c].depth == 0; c = s->list[c].super) {
			s->list[c].depth = UINT32_MAX;
			path[n++] = c;
		}
		if (c && s->list[c].depth == UINT32_MAX) {
			s->list[path[n - 1]].super = 0;
			c = 0;
		}
		for (uint32_t d = s->list[c].depth; n > 0;)
			s->list[path[--n]].depth = ++d;
	}
	hp_free(path);
	return HP_OK;
}

/* Sort the classes by depth, topmost first (counting sort). */
static enum hp_status
by_depth(const struct hp_text_shapes *s, const uint32_t *classes, uint32_t n,
	 uint32_t **out, struct hp_error *err)
{
	uint32_t *starts = hp_calloc((size_t)n + 2, sizeof(*starts));

	*out = hp_malloc(((size_t)n + 1) * sizeof(**out));
	if (!starts || !*out) {
		hp_free(starts);
		hp_free(*out);
		*out = NULL;
		return hp_no_memory(err);
	}
	for (uint32_t i = 0; i < n; i++)
		starts[s->list[classes[i]].depth + 1]++;
	for (uint32_t i = 1; i <= n; i++)
		starts[i] += starts[i - 1];
	for (uint32_t i = 0; i < n; i++)
		(*out)[starts[s->list[classes[i]].depth]++] = classes[i];
	hp_free(starts);
	return HP_OK;
}

static uint32_t
owner_above(const struct hp_text_shapes *s, const struct hp_text_shape *c,
	    const struct hp_text_field *f)
{
	uint32_t a = c->super;

	for (unsigned n = 0; a && n < HP_TEXT_DEPTH_MOST;
	     n++, a = s->list[a].super)
		if (find(s, a, f->name, f->occurrence) != HP_TEXT_NO_FIELD)
			return a;
	return 0;
}

/*
 * The known order of the fields of one class, as a graph. An edge leads from a
 * field to a field that comes after it. All edges are in one list; those that
 * begin at the same field are consecutive.
 */
struct graph {
	/*
	 * for each field: the index in `to` of the first field that comes after
	 * it
	 */
	uint32_t *first;
	uint32_t *to, *in, *queue;
};

static void
graph_release(struct graph *g)
{
	hp_free(g->first);
	hp_free(g->to);
	hp_free(g->in);
	hp_free(g->queue);
}

static bool
graph_init(struct graph *g, const struct hp_text_shape *c)
{
	g->first = hp_calloc((size_t)c->count + 2, sizeof(*g->first));
	g->to = hp_malloc((c->edge_count + 1) * sizeof(*g->to));
	g->in = hp_calloc((size_t)c->count + 1, sizeof(*g->in));
	g->queue = hp_malloc((2 * (size_t)c->count + 1) * sizeof(*g->queue));
	if (!g->first || !g->to || !g->in || !g->queue)
		return false;
	for (uint32_t i = 0; i < c->edge_count; i++)
		g->first[(c->edges[i] >> 32) + 2]++;
	for (uint32_t i = 1; i <= c->count; i++)
		g->first[i + 1] += g->first[i];
	for (uint32_t i = 0; i < c->edge_count; i++) {
		uint32_t from = (uint32_t)(c->edges[i] >> 32);
		uint32_t to = (uint32_t)c->edges[i];

		g->to[g->first[from + 1]++] = to;
		g->in[to]++;
	}
	return true;
}

/*
 * Sort the fields topologically (Kahn's algorithm). If several fields could
 * come next, inherited fields come first. Fields with the same name can cause
 * cycles. The fields of a cycle come last.
 */
static void
sort_fields(struct hp_text_shape *c, struct graph *g)
{
	uint32_t *ready[2] = {g->queue, g->queue + c->count};
	uint32_t taken[2] = {0, 0}, added[2] = {0, 0}, n = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		unsigned own = c->fields[i].owner == 0;

		c->fields[i].order = UINT32_MAX;
		if (g->in[i] == 0)
			ready[own][added[own]++] = i;
	}
	while (taken[0] < added[0] || taken[1] < added[1]) {
		unsigned from = taken[0] == added[0];
		uint32_t f = ready[from][taken[from]++];

		c->fields[f].order = n;
		c->sorted[n++] = f;
		for (uint32_t e = g->first[f]; e < g->first[f + 1]; e++) {
			uint32_t to = g->to[e];
			unsigned own = c->fields[to].owner == 0;

			if (--g->in[to] == 0)
				ready[own][added[own]++] = to;
		}
	}
	for (uint32_t i = 0; i < c->count && n < c->count; i++)
		if (c->fields[i].order == UINT32_MAX) {
			c->fields[i].order = n;
			c->sorted[n++] = i;
		}
}

/*
 * Add the field @f to the class @target, unless the class already has it. If
 * @behind is not NULL, also record that @f comes before @behind in objects of
 * @target.
 */
static enum hp_status
move_up(struct hp_text_shapes *s, uint32_t target,
	const struct hp_text_field *f, const struct hp_text_field *behind,
	struct hp_error *err)
{
	uint32_t slot = find(s, target, f->name, f->occurrence);
	uint32_t after = HP_TEXT_NO_FIELD;
	enum hp_status st = HP_OK;

	if (slot == HP_TEXT_NO_FIELD)
		st = add_field(s, target, f->name, f->occurrence, &slot, err);
	if (behind)
		after = find(s, target, behind->name, behind->occurrence);
	if (st == HP_OK && slot != HP_TEXT_NO_FIELD &&
	    after != HP_TEXT_NO_FIELD)
		st = add_edge(s, target, slot, after, err);
	return st;
}

/*
 * Returns an inherited field that comes after @field in some object. If there
 * are several, returns the one whose declaring class is topmost.
 */
static const struct hp_text_field *
inherited_behind(const struct hp_text_shapes *s, const struct hp_text_shape *c,
		 const struct graph *g, uint32_t field)
{
	const struct hp_text_field *found = NULL;

	for (uint32_t e = g->first[field]; e < g->first[field + 1]; e++) {
		const struct hp_text_field *to = &c->fields[g->to[e]];

		if (to->owner && to->order > c->fields[field].order &&
		    (!found ||
		     s->list[to->owner].depth < s->list[found->owner].depth))
			found = to;
	}
	return found;
}

static uint32_t
declared_above(const struct hp_text_shapes *s, const struct hp_text_shape *c,
	       const struct hp_text_field *f)
{
	uint32_t a = c->super;

	if (f->owner || f->occurrence > 0 || !s->declares_class ||
	    f->name != s->declares_name)
		return 0;
	for (unsigned n = 0; a && n < HP_TEXT_DEPTH_MOST;
	     n++, a = s->list[a].super)
		if (a == s->declares_class)
			return a;
	return 0;
}

/*
 * Move fields to super classes that must declare them:
 * - A field before an inherited field moves to the class of that inherited
 *   field.
 * - If a class has two fields of the same name, the first one is hidden and
 *   moves up. But it does not move to the topmost class, which has no fields.
 * - A field that a super class is known to declare moves to that class.
 */
static enum hp_status
move_inherited(struct hp_text_shapes *s, uint32_t class, struct graph *g,
	       struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	enum hp_status st = HP_OK;

	for (uint32_t n = c->count; n-- > 0 && st == HP_OK;) {
		struct hp_text_field *f = &c->fields[c->sorted[n]];
		const struct hp_text_field *behind =
			inherited_behind(s, c, g, c->sorted[n]);
		uint32_t target = behind ? behind->owner : 0;

		if (!target && !f->owner && s->list[c->super].super != 0 &&
		    find(s, class, f->name, f->occurrence + 1) !=
			    HP_TEXT_NO_FIELD)
			target = c->super;
		if (!target)
			target = declared_above(s, c, f);
		if (!target || (f->owner && s->list[f->owner].depth <=
						    s->list[target].depth))
			continue;
		st = move_up(s, target, f, behind, err);
		f->owner = target;
	}
	return st;
}

/*
 * Returns a hash of all facts about a class that determine the order, the
 * declaring classes and the offsets of its fields. For super classes, the hash
 * includes only the number of fields, because fields are never removed. A
 * collision has a probability of 2^-64 and is ignored.
 */
static uint64_t
basis_of(const struct hp_text_shapes *s, uint32_t class,
	 const struct hp_text_model *m)
{
	const struct hp_text_shape *c = &s->list[class];
	const uint32_t own[] = {class,	    c->count,	      c->edge_count,
				c->size,    s->declares_name, s->declares_class,
				m->id_size, m->reference,     m->header};
	uint64_t basis = XXH3_64bits_withSeed(own, sizeof(own), s->seed);
	uint32_t a = c->super;

	for (unsigned n = 0; a && n < HP_TEXT_DEPTH_MOST;
	     n++, a = s->list[a].super) {
		const uint32_t above[] = {a, s->list[a].count};

		basis = XXH3_64bits_withSeed(above, sizeof(above), basis);
	}
	return basis;
}

static enum hp_status
sort_class(struct hp_text_shapes *s, uint32_t class, bool move,
	   struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	struct graph g = {0};
	enum hp_status st = HP_OK;

	hp_free(c->sorted);
	c->sorted = hp_malloc((c->count + 1) * sizeof(*c->sorted));
	if (!c->sorted || !graph_init(&g, c)) {
		graph_release(&g);
		return hp_no_memory(err);
	}
	for (uint32_t i = 0; i < c->count; i++)
		c->fields[i].owner = owner_above(s, c, &c->fields[i]);
	sort_fields(c, &g);
	if (move)
		st = move_inherited(s, class, &g, err);
	graph_release(&g);
	return st;
}

/*
 * Returns the number of bytes of primitive fields that the class itself
 * declares: the size of its objects minus the bytes of all other fields.
 * Reference fields of the topmost class are counted as part of the header; on
 * ART (the Android runtime), these are the class and the monitor. If references
 * have 4 bytes, the last 4 bytes of an object may be padding. They are not
 * counted here, because a subclass may use them for a field.
 */
static uint32_t
filler_bytes(const struct hp_text_shape *c, const struct hp_text_shape *above,
	     const struct hp_text_model *m)
{
	uint64_t references = c->references - c->in_header;
	uint64_t taken = m->header + references * m->reference +
			 above->fillers + (m->reference == 4 ? 4 : 0);
	uint64_t most = HP_TEXT_FILLER_MOST;
	uint64_t left;

	if (c->super == 0 || c->size <= taken || c->depth > HP_TEXT_DEPTH_MOST)
		return 0;
	left = (c->size - taken) / m->reference * m->reference;
	return (uint32_t)(left < most ? left : most);
}

/*
 * Assign offsets to the fields of a class: its own fields come first, then
 * those of its super classes.
 */
static void
lay_out(struct hp_text_shapes *s, uint32_t class, const struct hp_text_model *m)
{
	struct hp_text_shape *c = &s->list[class];
	const struct hp_text_shape *above = &s->list[c->super];
	uint64_t size;

	c->own = 0;
	for (uint32_t n = 0; n < c->count; n++) {
		struct hp_text_field *f = &c->fields[c->sorted[n]];

		if (f->owner)
			continue;
		f->at = c->depth > HP_TEXT_DEPTH_MOST ? HP_TEXT_NO_FIELD
						      : c->own++ * m->id_size;
	}
	c->references = above->references + c->own;
	c->in_header = c->super ? above->in_header : c->own;
	c->filler = filler_bytes(c, above, m);
	c->fillers = above->fillers + c->filler;
	size = hp_text_shape_data(c, m->id_size);
	for (uint32_t n = 0; n < c->count; n++) {
		struct hp_text_field *f = &c->fields[n];
		const struct hp_text_shape *a = &s->list[f->owner];
		uint32_t at;

		if (!f->owner)
			continue;
		at = find(s, f->owner, f->name, f->occurrence);
		f->at = a->fields[at].at;
		if (f->at != HP_TEXT_NO_FIELD)
			f->at += (uint32_t)(size -
					    hp_text_shape_data(a, m->id_size));
	}
}

/*
 * Move fields of a class to super classes that must declare them. Does nothing
 * if the facts about the class have not changed since the last time.
 */
static enum hp_status
move_fields(struct hp_text_shapes *s, uint32_t class,
	    const struct hp_text_model *model, struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	uint64_t basis = basis_of(s, class, model);

	if (c->sorted && c->basis == basis)
		return HP_OK;
	c->basis = basis;
	c->layout = 0;
	return sort_class(s, class, true, err);
}

/*
 * Assign offsets to the fields of a class, unless neither the class nor its
 * super class has changed.
 */
static enum hp_status
place_fields(struct hp_text_shapes *s, uint32_t class,
	     const struct hp_text_model *model, struct hp_error *err)
{
	struct hp_text_shape *c = &s->list[class];
	uint64_t above = s->list[c->super].layout;
	enum hp_status st = HP_OK;

	if (c->layout == 0 || c->basis != basis_of(s, class, model))
		st = sort_class(s, class, false, err);
	else if (c->above == above)
		return HP_OK;
	if (st != HP_OK)
		return st;
	lay_out(s, class, model);
	c->layout = ++s->layouts;
	c->above = above;
	return HP_OK;
}

enum hp_status
hp_text_shapes_resolve(struct hp_text_shapes *s, const uint32_t *classes,
		       uint32_t n, const struct hp_text_model *model,
		       struct hp_error *err)
{
	uint32_t *order = NULL;
	enum hp_status st = set_depths(s, classes, n, err);

	if (st == HP_OK)
		st = by_depth(s, classes, n, &order, err);
	for (uint32_t i = n; i-- > 0 && st == HP_OK;)
		st = move_fields(s, order[i], model, err);
	for (uint32_t i = 0; i < n && st == HP_OK; i++)
		st = place_fields(s, order[i], model, err);
	hp_free(order);
	return st;
}
