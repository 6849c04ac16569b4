/*
 * collections.c - find the collection classes of a dump, and their fields, with
 * the table of collections
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/base/vec.h"

#include <string.h>

/*
 * A field of a collection is searched for in its class, and in at most this
 * number of superclasses. The limit keeps the search short if a manipulated
 * dump has long chains of superclasses.
 */
enum { LEVELS_UP = 4 };

#define COLLECTION(class_name, how, size_field, array, other, extra, checked)  \
	{.name = class_name,                                                   \
	 .policy = HP_COLLECTION_##how,                                        \
	 .size = size_field,                                                   \
	 .backing = array,                                                     \
	 .views = other,                                                       \
	 .more = extra},
static const struct hp_collection_line table[] = {
#include "diff/waste/collections.def"
};

/*
 * Find the next entry with the class name @name: first among the lines in
 * @more, which the user has added, then in the table of collections.def. The
 * search begins at index *@at. Then *@at becomes the index after the entry.
 * Returns NULL if there is none.
 */
static const struct hp_collection_line *
next_line(const struct hp_string *raw, const struct hp_collection_lines *more,
	  size_t *at)
{
	size_t added = more ? more->count : 0;

	while (*at < added + HP_ARRAY_LEN(table)) {
		size_t i = (*at)++;
		const struct hp_collection_line *line =
			i < added ? &more->list[i] : &table[i - added];

		if (hp_string_is_java(raw, line->name))
			return line;
	}
	return NULL;
}

/* Where to search for a field: in a class, then in its superclasses. */
struct place {
	const struct hp_class *c;
	const struct hp_tables *t;
	unsigned id_size;
};

/* Find a field that the class or one of its nearest superclasses declares. */
static struct hp_field_place
find_up(const struct place *p, const char *name)
{
	struct hp_field_place found = {0};
	const struct hp_class *c = p->c;

	for (unsigned i = 0; c && i < LEVELS_UP && !found.from_end; i++) {
		found = hp_field_find(c, p->t, p->id_size, name);
		c = c->super;
	}
	return found;
}

/*
 * Copy the next word of a list of words separated by spaces. Returns the rest
 * of the list, or NULL at its end.
 */
static const char *
next_word(const char *list, char *word, size_t room)
{
	size_t n;

	list += strspn(list, " ");
	n = strcspn(list, " ");
	if (n == 0)
		return NULL;
	if (n >= room)
		n = room - 1;
	memcpy(word, list, n);
	word[n] = '\0';
	return list + strcspn(list, " ");
}

/*
 * Find a field of a class. @names: alternative names of the field, separated by
 * spaces; the first of these names that the class has is used.
 */
static struct hp_field_place
find_any(const struct place *p, const char *names)
{
	struct hp_field_place found = {0};
	char word[128];

	while (!found.from_end &&
	       (names = next_word(names, word, sizeof(word))))
		found = find_up(p, word);
	return found;
}

static void
keep_references(struct hp_field_place *f)
{
	if (f->from_end && !hp_type_is_reference(f->type))
		*f = (struct hp_field_place){0};
}

static void
keep_numbers(struct hp_field_place *f)
{
	if (f->from_end && hp_type_is_reference(f->type))
		*f = (struct hp_field_place){0};
}

/*
 * Whether a class lacks a field that its policy needs: the field with the size,
 * or the field with the array.
 */
static bool
lacks_fields(const struct hp_collection_class *k)
{
	bool size = k->policy != HP_COLLECTION_DELEGATE &&
		    k->policy != HP_COLLECTION_SEGMENTS &&
		    k->policy != HP_COLLECTION_LENGTH &&
		    k->policy != HP_COLLECTION_NONE;
	bool array = k->policy != HP_COLLECTION_NODES;

	return (size && !k->size.from_end) || (array && !k->backing.from_end) ||
	       (k->policy == HP_COLLECTION_DEQUE && !k->more.from_end);
}

/*
 * Find those fields of a collection class that @line names. If the class lacks
 * a field that its policy needs, the policy becomes HP_COLLECTION_NOT, so that
 * the class does not count as a collection.
 */
static struct hp_collection_class
describe(const struct place *p, const struct hp_collection_line *line)
{
	struct hp_collection_class k = {.policy = line->policy, .line = line};
	const char *views = line->views;
	char word[128];

	k.size = find_any(p, line->size);
	k.backing = find_any(p, line->backing);
	k.more = find_any(p, line->more);
	keep_numbers(&k.size);
	keep_references(&k.backing);
	if (k.policy == HP_COLLECTION_COUNTER)
		keep_references(&k.more);
	else
		keep_numbers(&k.more);
	while (k.nviews < HP_COLLECTION_VIEWS &&
	       (views = next_word(views, word, sizeof(word)))) {
		k.views[k.nviews] = find_up(p, word);
		keep_references(&k.views[k.nviews]);
		k.nviews += k.views[k.nviews].from_end > 0;
	}
	if (lacks_fields(&k))
		k.policy = HP_COLLECTION_NOT;
	return k;
}

enum hp_status
hp_collections_find(struct hp_collections *s, const struct hp_classes *c,
		    const struct hp_tables *t,
		    const struct hp_collection_lines *more,
		    struct hp_error *err)
{
	struct hp_class **order = hp_classes_topmost_first(c);
	size_t cap = 0;
	bool fine = order;

	s->of_class = hp_calloc(c->count + 1, sizeof(*s->of_class));
	fine = fine && s->of_class;
	for (size_t i = 0; i < c->count && fine; i++) {
		const struct hp_class *k = order[i];
		const struct hp_string *name = hp_tables_class_name(t, k->id);
		const struct hp_collection_line *line;
		struct place p = {k, t, c->layouts.id_size};
		struct hp_collection_class found = {HP_COLLECTION_NOT};
		size_t at = 0;

		if (k->super)
			s->of_class[k->index] = s->of_class[k->super->index];
		while (k->chain == HP_CHAIN_FINE &&
		       found.policy == HP_COLLECTION_NOT &&
		       (line = next_line(name, more, &at)))
			found = describe(&p, line);
		if (found.policy == HP_COLLECTION_NOT)
			/*
			 * the class lacks these fields, because it is from
			 * another version of the library: use the entry of its
			 * superclass
			 */
			continue;
		fine = HP_LIST_PUSH(s->list, s->count, cap, found);
		if (fine)
			s->of_class[k->index] = (uint32_t)s->count;
	}
	hp_free(order);
	return fine ? HP_OK : hp_no_memory(err);
}

static bool
has_word(const char *words, const char *word, size_t len)
{
	char one[128];

	while ((words = next_word(words, one, sizeof(one))))
		if (strlen(one) == len && memcmp(one, word, len) == 0)
			return true;
	return false;
}

bool
hp_collection_has_part(const struct hp_collections *s, const struct hp_class *c,
		       const char *field, size_t len)
{
	const struct hp_collection_class *k = hp_collection_of(s, c);

	return k && (has_word(k->line->backing, field, len) ||
		     has_word(k->line->views, field, len));
}

void
hp_collections_release(struct hp_collections *s)
{
	hp_free(s->list);
	hp_free(s->of_class);
	*s = (struct hp_collections){0};
}
