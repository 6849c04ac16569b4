/*
 * class_layout.c - compute where the fields are in the data of an instance
 *
 * The layout of a class can be computed when the layout of its super class is
 * known. Until then, the class waits in a list. No function recurses, and each
 * class is visited only a fixed number of times. So a malicious class hierarchy
 * can neither overflow the stack nor make the program slow.
 */
#include "common/model/classes.h"
#include "common/base/bytes.h"

/*
 * Each class has a list of its reference fields. All lists together may have
 * LIST_BYTES_FREE bytes, plus LIST_BYTES_PER_BYTE for each byte of the CLASS
 * DUMP sub-records.
 */
enum { LIST_BYTES_FREE = 16 << 20, LIST_BYTES_PER_BYTE = 4 };

/* Totals of the fields that a class itself declares, without inherited ones. */
struct own {
	/* size of all these fields in an instance in the dump, in bytes */
	uint64_t bytes;
	uint32_t references;
};

static struct own
own_fields(const struct hp_class *k, unsigned id_size)
{
	struct own own = {0};
	uint32_t i;

	for (i = 0; i < k->nfields; i++) {
		own.bytes += hp_type_size(k->fields[i].type, id_size);
		own.references += hp_type_is_reference(k->fields[i].type);
	}
	return own;
}

/*
 * Whether the memory limit allows another list of @n reference fields. If so,
 * count the memory of this list as used.
 */
static bool
is_list_affordable(struct hp_class_layouts *l, uint64_t n)
{
	uint64_t limit = LIST_BYTES_FREE + l->dump_bytes * LIST_BYTES_PER_BYTE;

	if (n > (limit - l->list_bytes) / sizeof(uint32_t))
		return false;
	l->list_bytes += n * sizeof(uint32_t);
	return true;
}

/*
 * Fill k->ref_at with the offsets of the reference fields in an instance. First
 * come the fields that @k itself declares, which take @own_bytes bytes in
 * total. Inherited fields come next: their offsets are those in an instance of
 * the super class plus @own_bytes.
 */
static void
fill_reference_list(struct hp_class *k, uint64_t own_bytes, unsigned id_size)
{
	uint64_t at = 0;
	uint32_t i, n = 0;

	for (i = 0; i < k->nfields; i++) {
		if (hp_type_is_reference(k->fields[i].type))
			k->ref_at[n++] = (uint32_t)at;
		at += hp_type_size(k->fields[i].type, id_size);
	}
	for (i = 0; k->super && i < k->super->nrefs; i++)
		k->ref_at[n++] = (uint32_t)(own_bytes + k->super->ref_at[i]);
	k->nrefs = n;
}

/*
 * Make the list of the reference fields of @k. A class without own fields
 * shares the list of its super class. If the fields of a class exceed 4 GiB,
 * the class gets no list, because no instance can be so large. Returns false if
 * out of memory.
 */
static bool
make_reference_list(struct hp_class_layouts *l, struct hp_class *k,
		    struct own own)
{
	const struct hp_class *super = k->super;

	if (k->references == 0)
		return true;
	if (super && super->references > super->nrefs)
		return true;
	if (super && own.bytes == 0) {
		k->nrefs = super->nrefs;
		k->ref_at = super->ref_at;
		return true;
	}
	if (k->data_size > UINT32_MAX || !is_list_affordable(l, k->references))
		return true;
	k->ref_at =
		hp_arena_alloc(&l->arena, k->references * sizeof(*k->ref_at));
	if (!k->ref_at)
		return false;
	fill_reference_list(k, own.bytes, l->id_size);
	return true;
}

/*
 * Compute the sizes k->rounded and k->below_root, for references of 4 and of 8
 * bytes. size_model.c uses them to compute sizes in memory.
 */
static void
round_levels(struct hp_class *k, struct own own, unsigned id_size)
{
	uint64_t plain = own.bytes - (uint64_t)own.references * id_size;
	const struct hp_class *super = k->super;
	unsigned i, reference;
	uint64_t bytes;

	/* an instance of java.lang.Object has only a header */
	if (k->super_id == 0)
		return;
	for (i = 0; i < 2; i++) {
		reference = i == 0 ? 4 : 8;
		bytes = plain + (uint64_t)own.references * reference;
		k->rounded[i] = hp_align_up(
			bytes + (super ? super->rounded[i] : 0), reference);
		k->below_root[i] = super && super->super_id != 0
					   ? super->below_root[i]
					   : bytes;
	}
}

/*
 * Choose k->jump, an ancestor of @k. hp_class_is_a() follows such jumps instead
 * of single super classes, so it needs fewer steps (a skew-binary list).
 * Usually k->jump is @super, the super class. If the jump from @super and the
 * next jump skip equally many levels, k->jump is the class to which these two
 * jumps lead.
 */
static struct hp_class *
jump_of(struct hp_class *k, struct hp_class *super)
{
	struct hp_class *up;

	if (!super)
		return k;
	up = super->jump;
	return super->depth - up->depth == up->depth - up->jump->depth
		       ? up->jump
		       : super;
}

/*
 * Compute the layout of @k. The layout of its super class @super, if there is
 * one, must be known.
 */
static bool
lay_out(struct hp_class_layouts *l, struct hp_class *k, struct hp_class *super,
	enum hp_chain chain)
{
	struct own own = own_fields(k, l->id_size);

	k->super = super;
	k->depth = super ? super->depth + 1 : 0;
	k->jump = jump_of(k, super);
	k->data_size = own.bytes + (super ? super->data_size : 0);
	k->references = own.references + (super ? super->references : 0);
	round_levels(k, own, l->id_size);
	k->chain = chain;
	return make_reference_list(l, k, own);
}

static bool
wait_for_super(struct hp_class_layouts *l, struct hp_class *k)
{
	uint64_t *first = hp_id_map_put(&l->waiting, k->super_id, NULL);

	if (!first)
		return false;
	k->next_waiting = (struct hp_class *)(uintptr_t)*first;
	*first = (uint64_t)(uintptr_t)k;
	return true;
}

/*
 * Remove and return the list of classes that wait for @k to get its layout;
 * NULL if there are none.
 */
static struct hp_class *
take_waiting(struct hp_class_layouts *l, const struct hp_class *k)
{
	struct hp_class *first;
	uint64_t *place;

	if (!hp_id_map_get(&l->waiting, k->id))
		return NULL;
	place = hp_id_map_put(&l->waiting, k->id, NULL);
	first = (struct hp_class *)(uintptr_t)*place;
	*place = 0;
	return first;
}

/*
 * A class waits until its super class has a layout. Compute the layouts of all
 * classes that wait for @k, directly or not. When a class has received its
 * layout, the class is pushed on a stack, because other classes may wait for
 * it. The stack is linked by `next_waiting`. But k->next_waiting is not
 * changed, because @k may be in a cycle of super classes, and then is still in
 * the list of another class.
 */
static bool
lay_out_waiting(struct hp_class_layouts *l, struct hp_class *k)
{
	struct hp_class *stack = NULL, *w, *next;
	enum hp_chain chain;

	while (k) {
		chain = k->chain == HP_CHAIN_FINE ? HP_CHAIN_FINE
						  : HP_CHAIN_BROKEN;
		for (w = take_waiting(l, k); w; w = next) {
			next = w->next_waiting;
			if (w->chain != HP_CHAIN_UNKNOWN)
				/*
				 * The class is in a cycle of super classes, and
				 * already has its layout.
				 */
				continue;
			if (!lay_out(l, w, k, chain))
				return false;
			w->next_waiting = stack;
			stack = w;
		}
		k = stack;
		if (stack)
			stack = stack->next_waiting;
	}
	return true;
}

void
hp_class_layouts_release(struct hp_class_layouts *l)
{
	hp_arena_release(&l->arena);
	hp_id_map_release(&l->by_id);
	hp_id_map_release(&l->waiting);
}

uint64_t
hp_class_layouts_bytes(const struct hp_class_layouts *l)
{
	return l->arena.held + hp_id_map_bytes(&l->by_id) +
	       hp_id_map_bytes(&l->waiting);
}

bool
hp_class_layout_admit(struct hp_class_layouts *l, struct hp_class *k)
{
	struct hp_class *super = NULL;

	if (k->super_id != 0) {
		super = hp_class_usable(l, k->super_id);
		if (!super || super->chain == HP_CHAIN_UNKNOWN)
			return wait_for_super(l, k);
	}
	return lay_out(l, k, super, HP_CHAIN_FINE) && lay_out_waiting(l, k);
}

/*
 * Some classes have a super class that is not in the dump. Compute the layouts
 * of these classes and of all their subclasses.
 */
static bool
lay_out_broken(struct hp_class_layouts *l, struct hp_class *const *list,
	       size_t count)
{
	struct hp_class *k;
	size_t i;

	for (i = 0; i < count; i++) {
		k = list[i];
		if (k->chain != HP_CHAIN_UNKNOWN ||
		    hp_class_usable(l, k->super_id))
			continue;
		if (!lay_out(l, k, NULL, HP_CHAIN_BROKEN))
			return false;
	}
	for (i = 0; i < count; i++)
		if (list[i]->chain == HP_CHAIN_BROKEN &&
		    !lay_out_waiting(l, list[i]))
			return false;
	return true;
}

/*
 * Compute the layouts of classes in a cycle (a class that is its own super
 * class, directly or not), as if they had no super class. Every class that has
 * no layout yet is in a cycle or has a super class in a cycle. To find a cycle,
 * search number i (from 1) follows the super classes of a class. It stores i in
 * the member `data_size` of the classes that it visits. A class that contains i
 * already is in a cycle.
 */
static bool
lay_out_cycles(struct hp_class_layouts *l, struct hp_class *const *list,
	       size_t count)
{
	struct hp_class *k, *next;
	size_t i;

	for (i = 0; i < count; i++) {
		for (k = list[i];
		     k->chain == HP_CHAIN_UNKNOWN && k->data_size == 0;
		     k = hp_class_usable(l, k->super_id))
			k->data_size = i + 1;
		if (k->chain != HP_CHAIN_UNKNOWN || k->data_size != i + 1)
			continue;
		while (k->chain == HP_CHAIN_UNKNOWN) {
			next = hp_class_usable(l, k->super_id);
			if (!lay_out(l, k, NULL, HP_CHAIN_CYCLE))
				return false;
			k = next;
		}
	}
	for (i = 0; i < count; i++)
		if (list[i]->chain == HP_CHAIN_CYCLE &&
		    !lay_out_waiting(l, list[i]))
			return false;
	return true;
}

bool
hp_class_layout_finish(struct hp_class_layouts *l, struct hp_class *const *list,
		       size_t count)
{
	return lay_out_broken(l, list, count) && lay_out_cycles(l, list, count);
}
