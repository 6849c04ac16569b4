/*
 * reachability.c - find the classes of weak and soft references (java.lang.ref)
 * by name, with all their subclasses
 */
#include "common/graph/graph.h"

#include "common/base/memory.h"
#include "common/model/java_string.h"

#include <string.h>

/*
 * Whether @c is the class with the given name of the boot class loader. @jvm:
 * the name with slashes. @java: the name with dots.
 */
static bool
is_class(const struct hp_class *c, const struct hp_tables *t, const char *jvm,
	 const char *java)
{
	return c->loader == 0 &&
	       hp_string_is(hp_tables_class_name(t, c->id), jvm, java);
}

/*
 * Whether @c is a class such as java.lang.ref.WeakReference: objects of @c and
 * of its subclasses do not keep their referent alive. The function does not
 * recognise the subclasses.
 */
static bool
is_unfollowed(const struct hp_class *c, const struct hp_tables *t,
	      enum hp_reachability reachability)
{
	static const struct {
		const char *jvm, *java;
		bool soft;
	} names[] = {
		{"java/lang/ref/WeakReference", "java.lang.ref.WeakReference",
		 false},
		{"java/lang/ref/PhantomReference",
		 "java.lang.ref.PhantomReference", false},
		{"java/lang/ref/FinalReference", "java.lang.ref.FinalReference",
		 false},
		{"java/lang/ref/FinalizerReference",
		 "java.lang.ref.FinalizerReference", false},
		{"java/lang/ref/SoftReference", "java.lang.ref.SoftReference",
		 true},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++)
		if (is_class(c, t, names[i].jvm, names[i].java))
			return !names[i].soft ||
			       reachability == HP_REACHABILITY_STRONG;
	return false;
}

const struct hp_class *
hp_finalizer_class(const struct hp_classes *c, const struct hp_tables *t)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_class(c->list[i], t, "java/lang/ref/FinalReference",
			     "java.lang.ref.FinalReference") ||
		    is_class(c->list[i], t, "java/lang/ref/FinalizerReference",
			     "java.lang.ref.FinalizerReference"))
			return c->list[i];
	return NULL;
}

/*
 * Returns the distance in bytes from the field `referent` of @c, the class
 * java.lang.ref.Reference, to the end of its fields. Returns 0 if the class has
 * no such field.
 */
static uint32_t
referent_of(const struct hp_class *c, const struct hp_tables *t,
	    unsigned id_size)
{
	struct hp_field_place place = hp_field_find(c, t, id_size, "referent");

	return hp_type_is_reference(place.type) ? (uint32_t)place.from_end : 0;
}

/*
 * First find the few classes for which is_unfollowed() is true, then mark all
 * their subclasses. The position of the field "referent" is counted from the
 * end of an instance, so that it is the same in all subclasses.
 */
enum hp_status
hp_unfollowed_init(struct hp_unfollowed *u, const struct hp_classes *c,
		   const struct hp_tables *t, enum hp_reachability reachability,
		   struct hp_error *err)
{
	const struct hp_class *k, *tops[8], *reference;
	size_t ntops = 0;

	u->from_end = hp_calloc(c->count + 1, sizeof(*u->from_end));
	if (!u->from_end)
		return hp_no_memory(err);
	if (reachability == HP_REACHABILITY_ALL)
		return HP_OK;
	for (size_t i = 0; i < c->count && ntops < HP_ARRAY_LEN(tops); i++) {
		k = c->list[i];
		reference = k->super;
		if (!reference || k->chain == HP_CHAIN_CYCLE ||
		    !is_unfollowed(k, t, reachability) ||
		    !is_class(reference, t, "java/lang/ref/Reference",
			      "java.lang.ref.Reference"))
			continue;
		u->from_end[i] = referent_of(reference, t, c->layouts.id_size);
		tops[ntops++] = k;
	}
	for (size_t i = 0; i < c->count; i++)
		for (size_t top = 0; top < ntops; top++)
			if (c->list[i]->chain != HP_CHAIN_CYCLE &&
			    hp_class_is_a(c->list[i], tops[top]))
				u->from_end[i] = u->from_end[tops[top]->index];
	return HP_OK;
}

void
hp_unfollowed_release(struct hp_unfollowed *u)
{
	hp_free(u->from_end);
	u->from_end = NULL;
}
