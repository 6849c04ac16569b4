/*
 * pattern_hints.c - if a pattern matches no class with objects, suggest what
 * the user may have meant
 *
 * A dump does not distinguish interfaces from classes, and does not say which
 * class implements an interface. So if a class has no objects, the hint says
 * that it may be an interface, and lists only its subclasses.
 */
#include "diff/internal.h"

#include "common/base/memory.h"
#include "common/cli/glob.h"

#include <ctype.h>
#include <string.h>

enum { LISTED = 3 /* maximum number of subclasses that a hint lists */ };

/*
 * Values for each class: whether it is a subclass of the class that the pattern
 * matches.
 */
enum { NOT_KNOWN, BELOW, NOT_BELOW };

struct search {
	const struct hp_column *c;
	struct hp_keys keys;
	/* the ids of the classes that have objects */
	struct hp_id_map counted;
	struct hp_error *err;
};

static enum hp_status
list_counted(struct search *s)
{
	const struct hp_tallies *t = &s->c->g->tallies;

	for (size_t i = 0; i < t->count; i++)
		if (t->list[i]->count > 0 &&
		    t->list[i]->key.kind != HP_TALLY_PRIMITIVE_ARRAYS &&
		    !hp_id_map_put(&s->counted, t->list[i]->key.id, NULL))
			return hp_no_memory(s->err);
	return HP_OK;
}

static bool
has_objects(const struct search *s, const struct hp_class *c)
{
	return hp_id_map_get(&s->counted, c->id) != NULL;
}

/*
 * Find a class that matches the pattern. Classes with objects are preferred,
 * and among these the class whose name sorts first. *@found is NULL if no class
 * matches.
 */
static enum hp_status
find_class(struct search *s, const char *glob, const struct hp_class **found)
{
	const struct hp_classes *classes = &s->c->g->classes;
	const char *first = NULL;
	enum hp_status st = HP_OK;

	*found = NULL;
	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];
		const struct hp_name *name = hp_key_class(&s->keys, c->id);

		if (!name)
			return hp_no_memory(s->err);
		if (!hp_glob_match(glob, name->text, name->len))
			continue;
		if (!first || has_objects(s, c) > has_objects(s, *found) ||
		    (has_objects(s, c) == has_objects(s, *found) &&
		     strcmp(name->text, first) < 0)) {
			first = name->text;
			*found = c;
		}
	}
	return st;
}

/*
 * Whether @c is a subclass of @above. The result is also stored in @state for
 * all superclasses on the way, so that each class is visited only once.
 */
static bool
is_below(const struct hp_class *c, const struct hp_class *above, uint8_t *state)
{
	const struct hp_class *end = c;
	uint8_t answer = NOT_BELOW;

	while (end && end != above && end->index != UINT32_MAX &&
	       state[end->index] == NOT_KNOWN)
		end = end->super;
	if (end == above)
		answer = BELOW;
	else if (end && end->index != UINT32_MAX)
		answer = state[end->index];
	for (; c != end; c = c->super)
		state[c->index] = answer;
	return answer == BELOW;
}

/*
 * Insert a name into a sorted list without duplicates. The list has room for
 * LISTED names; if it is full, the name that sorts last is dropped.
 */
static void
note_name(const char *names[LISTED], const char *name)
{
	for (size_t i = 0; i < LISTED; i++) {
		const char *other = names[i];

		if (other && strcmp(other, name) == 0)
			return;
		if (!other || strcmp(name, other) < 0) {
			names[i] = name;
			if (!other)
				return;
			name = other;
		}
	}
}

static enum hp_status
find_below(struct search *s, const struct hp_class *above,
	   const char *names[LISTED])
{
	const struct hp_classes *classes = &s->c->g->classes;
	uint8_t *state = hp_calloc(classes->count + 1, sizeof(*state));
	enum hp_status st = state ? HP_OK : hp_no_memory(s->err);

	for (size_t i = 0; i < classes->count && st == HP_OK; i++) {
		const struct hp_class *c = classes->list[i];
		const struct hp_name *name;

		if (c == above || !has_objects(s, c) ||
		    !is_below(c, above, state))
			continue;
		name = hp_key_class(&s->keys, c->id);
		if (name)
			note_name(names, name->text);
		else
			st = hp_no_memory(s->err);
	}
	hp_free(state);
	return st;
}

static enum hp_status
describe(struct search *s, const struct hp_class *c, struct hp_buf *text)
{
	const struct hp_name *name = hp_key_class(&s->keys, c->id);
	const char *names[LISTED] = {NULL};
	enum hp_status st =
		name ? find_below(s, c, names) : hp_no_memory(s->err);

	if (st != HP_OK)
		return st;
	/*
	 * give no hint for an array class: no class can extend it, and
	 * list_counted() does not know arrays of primitive types
	 */
	if (name->len > 2 && strcmp(name->text + name->len - 2, "[]") == 0)
		return HP_OK;
	if (!names[0]) {
		hp_buf_printf(text,
			      "the class %s has no objects; if it is an "
			      "interface or abstract, name the classes that "
			      "implement it",
			      name->text);
		return HP_OK;
	}
	hp_buf_printf(text,
		      "the class %s has no objects, but its subclasses "
		      "have; use ",
		      name->text);
	for (size_t i = 0; i < LISTED && names[i]; i++)
		hp_buf_printf(text, "%s%s", i > 0 ? ", " : "", names[i]);
	return HP_OK;
}

/*
 * Try another spelling of a pattern. If @inner is false, replace slashes by
 * dots. If @inner is true, replace the dot before the name of a nested class by
 * '$'. Returns false if nothing changes.
 */
static bool
respell(char *glob, bool inner)
{
	bool changed = false, in_class = false;

	for (char *p = glob; *p && !inner; p++)
		if (*p == '/') {
			*p = '.';
			changed = true;
		}
	for (char *p = glob; *p && inner; p++) {
		bool begins = p == glob || p[-1] == '.';

		if (begins && isupper((unsigned char)*p))
			in_class = true;
		else if (begins)
			in_class = false;
		if (*p == '.' && in_class &&
		    (isupper((unsigned char)p[1]) || p[1] == '*')) {
			*p++ = '$';
			changed = true;
		}
	}
	return changed;
}

/* A set of numbers from 0 to 127. */
__extension__ typedef unsigned __int128 places;

/*
 * A pattern for an approximate search in which each mistake inserts, removes or
 * replaces one character. It is an automaton whose states are bits (Wu and
 * Manber, "Fast text searching allowing errors", 1992): state i means that the
 * first i characters of the pattern have matched. So the time is linear in the
 * length of a name.
 */
struct typo_pattern {
	/* bit i of fits[c]: character i of the pattern may be c */
	places fits[256];
	places stars;	   /* bit i is set if a * comes before character i */
	size_t length;	   /* number of characters, without the * */
	unsigned mistakes; /* maximum number of mistakes in a similar name */
};

enum { TYPOS = 2, NO_MATCH = TYPOS + 1, PATTERN_MAX = 126 };

static bool
compile(struct typo_pattern *p, const char *glob)
{
	memset(p, 0, sizeof(*p));
	for (; *glob; glob++) {
		const places bit = (places)1 << p->length;
		const unsigned char c = (unsigned char)*glob;

		if (c == '*') {
			p->stars |= bit;
			continue;
		}
		if (p->length == PATTERN_MAX)
			return false;
		for (unsigned k = 0; c == '?' && k < 256; k++)
			p->fits[k] |= bit;
		p->fits[tolower(c)] |= bit;
		p->fits[toupper(c)] |= bit;
		p->length++;
	}
	/*
	 * Allow fewer mistakes if the pattern is short or has a *, because very
	 * many names are similar to such a pattern.
	 */
	p->mistakes = (p->length >= 8) + (p->length >= 5 && !p->stars);
	return true;
}

/*
 * Count the mistakes of a name. A wrong letter case is not counted. Returns
 * NO_MATCH if the name has more than p->mistakes.
 */
static unsigned
count_mistakes(const struct typo_pattern *p, const char *name, size_t len)
{
	/* at[k]: the states that are reached with at most k mistakes */
	places at[TYPOS + 1] = {1, 3, 7};

	for (size_t i = 0; i < len && at[p->mistakes]; i++) {
		const places fits = p->fits[(unsigned char)name[i]];
		places before = 0, now = 0;

		for (unsigned k = 0; k <= p->mistakes; k++) {
			const places old = at[k];

			now = (old & fits) << 1 | (old & p->stars) | before |
			      before << 1 | now << 1;
			at[k] = now;
			before = old;
		}
	}
	for (unsigned k = 0; k <= p->mistakes; k++)
		if (at[k] >> p->length & 1)
			return k;
	return NO_MATCH;
}

/*
 * Find the name of the class with objects that is most similar to the pattern.
 * If several names are equally similar, choose the one that sorts first.
 * *@found is NULL if no name is similar.
 */
static enum hp_status
find_similar(struct search *s, const char *glob, const char **found)
{
	const struct hp_classes *classes = &s->c->g->classes;
	struct typo_pattern p;
	unsigned least = NO_MATCH;

	*found = NULL;
	if (!compile(&p, glob))
		return HP_OK;
	for (size_t i = 0; i < classes->count; i++) {
		const struct hp_class *c = classes->list[i];
		const struct hp_name *name;
		unsigned n;

		if (!has_objects(s, c))
			continue;
		name = hp_key_class(&s->keys, c->id);
		if (!name)
			return hp_no_memory(s->err);
		n = count_mistakes(&p, name->text, name->len);
		if (n < least ||
		    (n == least && *found && strcmp(name->text, *found) < 0)) {
			least = n;
			*found = name->text;
		}
	}
	return HP_OK;
}

/*
 * Suggest the pattern in another spelling, the same class in a package or in
 * another class, or a class with a similar name.
 */
static enum hp_status
suggest(struct search *s, const char *glob, struct hp_buf *text)
{
	static const char *const within[] = {"*.", "*$"};
	const struct hp_class *found = NULL;
	const char *similar = NULL;
	char *other = hp_strdup(glob);
	enum hp_status st = other ? HP_OK : hp_no_memory(s->err);

	for (unsigned inner = 0; inner < 2 && st == HP_OK && !found; inner++)
		if (respell(other, inner))
			st = find_class(s, other, &found);
	if (st == HP_OK && found)
		hp_buf_printf(text, "did you mean '%s'?", other);
	hp_free(other);
	for (size_t i = 0; i < HP_ARRAY_LEN(within) && st == HP_OK && !found;
	     i++) {
		struct hp_buf longer = {0};

		hp_buf_text(&longer, within[i]);
		hp_buf_text(&longer, glob);
		st = find_class(s, hp_buf_string(&longer), &found);
		if (st == HP_OK && found)
			hp_buf_printf(text, "did you mean '%s'?",
				      hp_key_class(&s->keys, found->id)->text);
		hp_buf_release(&longer);
	}
	if (st == HP_OK && !found)
		st = find_similar(s, glob, &similar);
	if (st == HP_OK && similar)
		hp_buf_printf(text, "did you mean '%s'?", similar);
	return st;
}

/*
 * Append a hint about what the user may have meant by the pattern @glob. Append
 * nothing if the pattern matches a class with objects, or if there is nothing
 * to suggest.
 */
static enum hp_status
find_hint(const struct hp_column *c, const char *glob, struct hp_buf *text,
	  struct hp_error *err)
{
	struct search s = {.c = c, .keys = {.g = c->g, .o = c->o}, .err = err};
	const struct hp_class *found = NULL;
	enum hp_status st = list_counted(&s);

	if (st == HP_OK)
		st = find_class(&s, glob, &found);
	if (st == HP_OK && !found)
		st = suggest(&s, glob, text);
	else if (st == HP_OK && !has_objects(&s, found))
		st = describe(&s, found, text);
	hp_id_map_release(&s.counted);
	hp_keys_release(&s.keys);
	return st;
}

/*
 * Print a hint if a pattern on the command line matches no class that has
 * objects, for example because of a spelling mistake.
 */
static enum hp_status
hint_at(const struct hp_result *r, const struct hp_column *column,
	const char *glob, const struct hp_messages *m, const char *path,
	struct hp_error *err)
{
	struct hp_buf text = {0};
	enum hp_status st = HP_OK;

	for (size_t i = 0;
	     i < r->rows.count && hp_key_is(column->o->by, HP_KEY_DETAILS); i++)
		if (hp_row_matches(r->rows.list[i], glob))
			return HP_OK;
	st = find_hint(column, glob, &text, err);
	if (st == HP_OK && text.len > 0)
		hp_message(m, HP_MESSAGE_WARNING, path, "\"%s\": %s", glob,
			   hp_buf_string(&text));
	hp_buf_release(&text);
	return st;
}

enum hp_status
hp_note_patterns(const struct hp_result *r, const struct hp_column *column,
		 const struct hp_messages *m, const char *path,
		 struct hp_error *err)
{
	const struct hp_diff_options *o = column->o;
	enum hp_status st = HP_OK;
	uint64_t id;

	if (!column->g->have_classes)
		return HP_OK;
	if (o->why && !hp_id_parse(o->why, &id))
		st = hint_at(r, column, o->why, m, path, err);
	/*
	 * give no hint with a --by key whose rows are not named after classes
	 */
	if (!hp_key_is(o->by, HP_KEY_DETAILS))
		return st;
	if (o->filter)
		st = hint_at(r, column, o->filter, m, path, err);
	for (size_t i = 0; i < r->ngates && st == HP_OK; i++)
		if (r->gates[i].of == HP_GATE_ROWS)
			st = hint_at(r, column, r->gates[i].glob, m, path, err);
	return st;
}
