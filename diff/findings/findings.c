/*
 * findings.c - look for the findings of findings.def in a dump, and decide
 * which of them apply
 */
#include "diff/findings/internal.h"

#include "common/base/memory.h"
#include "diff/result/answer.h"

#include <stdlib.h>
#include <string.h>

/*
 * A collection is reported only if it has at least 1/MANY as many elements as
 * the heap has objects.
 */
enum { MANY = 1000 };

/* --- findings from facts that are already known --------------------------- */

static void
find_parts(struct hp_unusual_search *s)
{
	const struct hp_tree *t = &s->t->tree;
	uint64_t weak = t->weak.bytes - t->waiting.bytes;
	uint64_t all = t->reachable.bytes + t->weak.bytes + t->hidden.bytes +
		       t->unreachable.bytes;

	s->facts[HP_UNUSUAL_UNREACHABLE].count = t->unreachable.objects;
	s->facts[HP_UNUSUAL_UNREACHABLE].bytes = t->unreachable.bytes;
	hp_unusual_share(s, HP_UNUSUAL_UNREACHABLE, t->unreachable.bytes, all);
	s->facts[HP_UNUSUAL_WEAK_ONLY].count =
		t->weak.objects - t->waiting.objects;
	s->facts[HP_UNUSUAL_WEAK_ONLY].bytes = weak;
	hp_unusual_share(s, HP_UNUSUAL_WEAK_ONLY, weak, all);
	s->facts[HP_UNUSUAL_FINALIZERS].count = t->waiting.objects;
	s->facts[HP_UNUSUAL_FINALIZERS].bytes = t->waiting.bytes;
	hp_unusual_share(s, HP_UNUSUAL_FINALIZERS, t->waiting.bytes,
			 t->reachable.bytes + t->waiting.bytes);
}

static enum hp_status
find_waiting(struct hp_unusual_search *s)
{
	const struct hp_tree *t = &s->t->queue.tree;

	if (!s->facts[HP_UNUSUAL_FINALIZERS].applies || t->count <= 1)
		return HP_OK;
	memset(s->sums, 0, s->t->graph.kinds.count * sizeof(*s->sums));
	for (uint32_t p = 1; p < t->count; p = hp_tree_end(t, p))
		s->sums[hp_tree_kind(t, p)] += hp_tree_bytes(t, p);
	return hp_unusual_say_kind(s, HP_UNUSUAL_FINALIZERS)
		       ? HP_OK
		       : hp_no_memory(s->err);
}

static void
suspect_words(struct hp_buf *b, const struct hp_suspect *x)
{
	hp_buf_text(b, x->label);
	if (x->field)
		hp_buf_printf(b, " (%s)", x->field);
}

/*
 * Set a finding to the suspect with the index @i, if the suspect has a larger
 * share than the one that the finding is about so far. The share is @part /
 * @whole; @name: what @whole is.
 */
static enum hp_status
note_suspect(struct hp_unusual_search *s, enum hp_unusual kind, size_t i,
	     uint64_t part, uint64_t whole, const char *name)
{
	const struct hp_suspect *x = &s->r->suspects[i];
	struct hp_unusual_fact *f = &s->facts[kind];
	struct hp_unusual_fact before = *f;
	struct hp_buf b = {0};
	bool fine;

	hp_unusual_share(s, kind, part, whole);
	if (f->share <= before.share) {
		*f = before;
		return HP_OK;
	}
	f->whole = name;
	f->suspect = i + 1;
	f->bytes = kind == HP_UNUSUAL_ONE_OWNER ? x->retained[1].bytes
						: hp_suspect_bytes(x, 1);
	f->count = x->element ? x->elements[1] : x->retained[1].objects;
	suspect_words(&b, x);
	fine = hp_buf_ok(&b) && hp_unusual_say(s, kind, hp_buf_string(&b));
	hp_buf_release(&b);
	return fine ? HP_OK : hp_no_memory(s->err);
}

/*
 * Whether a suspect is a collection that seems to grow without limit. With
 * several dumps, it has grown from each dump to the next. With one dump, it
 * retains much more than the other collections of the program.
 */
static bool
is_unbounded(const struct hp_result *r, const struct hp_suspect *x)
{
	if (x->holders[1] != 1 || !x->element ||
	    x->elements[1] < r->dumps[r->ndumps - 1].reachable.objects / MANY)
		return false;
	if (r->ndumps == 1)
		return x->is_leak;
	return x->was_known && x->evidence.steps > 0 &&
	       x->evidence.grew == x->evidence.steps &&
	       x->elements[1] > x->elements[0];
}

/*
 * Whether the finding about collections leaves out a suspect, because another
 * finding reports it, or because the suspect is a class and not an object that
 * the program has created.
 */
static bool
has_own_finding(const struct hp_suspect *x)
{
	return strncmp(x->holder, "class ", 6) == 0 ||
	       strcmp(x->holder, "java.lang.ref.Finalizer") == 0 ||
	       (x->field &&
		strcmp(x->field, "ThreadPoolExecutor.workQueue") == 0);
}

static enum hp_status
find_suspects(struct hp_unusual_search *s)
{
	struct hp_result *r = s->r;
	const struct hp_dump_info *last = &r->dumps[r->ndumps - 1];
	enum hp_status st = HP_OK;
	struct hp_answer a;

	if (!r->suspects_sought || s->c->index != r->ndumps - 1)
		return HP_OK;
	hp_answer_find(&a, r);
	hp_unusual_share(s, HP_UNUSUAL_ONE_OWNER, 0, hp_answer_kept(last));
	hp_unusual_share(s, HP_UNUSUAL_UNBOUNDED, 0, a.explained.last);
	for (size_t i = 0; i < r->nsuspects && st == HP_OK; i++) {
		const struct hp_suspect *x = &r->suspects[i];
		uint64_t now = hp_suspect_bytes(x, 1);

		if (has_own_finding(x) || x->holders[1] != 1)
			continue;
		if (!is_unbounded(r, x))
			/* direct-memory reports memory outside the heap */
			st = note_suspect(s, HP_UNUSUAL_ONE_OWNER, i,
					  x->retained[1].bytes,
					  hp_answer_kept(last),
					  hp_answer_kept_of(last));
		else if (!a.compared)
			st = note_suspect(s, HP_UNUSUAL_UNBOUNDED, i, now,
					  a.explained.last, a.explained_of);
		else if (a.explained.growth > 0)
			st = note_suspect(s, HP_UNUSUAL_UNBOUNDED, i,
					  now - hp_suspect_bytes(x, 0),
					  (uint64_t)a.explained.growth,
					  a.explained_of);
	}
	return st;
}

/* --- all ------------------------------------------------------------------ */

/*
 * If the dump is the last one, copy its findings to the result. Otherwise
 * record in the result which findings this earlier dump has.
 */
static void
keep_facts(struct hp_unusual_search *s)
{
	struct hp_result *r = s->r;

	for (unsigned i = 0; i < HP_UNUSUALS; i++) {
		struct hp_unusual_fact *f = &r->findings[i];

		if (s->c->index == r->ndumps - 1) {
			bool before = f->before, known = f->before_known;

			if (!s->facts[i].checked)
				continue;
			*f = s->facts[i];
			f->before = before;
			f->before_known = known;
		} else if (s->facts[i].checked) {
			f->before = s->facts[i].applies;
			f->before_known = true;
		}
	}
}

enum hp_status
hp_findings_find(struct hp_retained *t, const struct hp_column *column,
		 struct hp_source *src, struct hp_result *r,
		 struct hp_error *err)
{
	struct hp_unusual_search s = {.t = t,
				      .c = column,
				      .src = src,
				      .r = r,
				      .keys = {.g = column->g, .o = column->o},
				      .err = err};
	enum hp_status st;

	s.sums = hp_calloc((size_t)t->graph.kinds.count + 1, sizeof(*s.sums));
	st = s.sums ? hp_unusual_classes_find(&s) : hp_no_memory(err);
	if (st == HP_OK) {
		find_parts(&s);
		st = find_waiting(&s);
	}
	if (st == HP_OK)
		st = find_suspects(&s);
	if (st == HP_OK)
		st = hp_unusual_objects_find(&s);
	if (st == HP_OK)
		st = hp_unusual_chains_find(&s);
	if (st == HP_OK)
		st = hp_unusual_names_find(&s);
	if (st == HP_OK)
		st = hp_unusual_buffers_find(&s);
	if (st == HP_OK)
		st = hp_unusual_threads_find(&s);
	if (st == HP_OK)
		keep_facts(&s);
	hp_free(s.classes);
	hp_free(s.wanted);
	hp_free(s.sums);
	hp_keys_release(&s.keys);
	return st;
}

/* --- waste ---------------------------------------------------------------- */

static void
add_waste(struct hp_unusual_fact *f, const struct hp_row *row, size_t dump,
	  const struct hp_row **most)
{
	f->count += row->count[dump];
	f->bytes += row->waste[dump];
	if (!*most || row->waste[dump] > (*most)->waste[dump])
		*most = row;
}

enum hp_status
hp_findings_waste(const struct hp_rows *rows, size_t dump,
		  const struct hp_dump_info *info, struct hp_result *r,
		  struct hp_error *err)
{
	static const enum hp_unusual kinds[] = {HP_UNUSUAL_STRINGS,
						HP_UNUSUAL_WASTE};
	static const char strings[] = "duplicate-strings";
	struct hp_unusual_search s = {.r = r, .err = err};
	const struct hp_row *most[2] = {NULL, NULL};
	bool fine = true;

	for (size_t i = 0; i < rows->count; i++) {
		const struct hp_row *row = rows->list[i];

		if (row->rollup || row->beside)
			continue;
		add_waste(&s.facts[HP_UNUSUAL_WASTE], row, dump, &most[1]);
		if (row->holder_len == strlen(strings) &&
		    memcmp(row->key, strings, strlen(strings)) == 0)
			add_waste(&s.facts[HP_UNUSUAL_STRINGS], row, dump,
				  &most[0]);
	}
	for (size_t i = 0; i < HP_ARRAY_LEN(kinds) && fine; i++) {
		struct hp_unusual_fact *f = &s.facts[kinds[i]];
		/*
		 * for duplicate Strings, the example is only the part of the
		 * row key after the arrow: the field that refers to the Strings
		 */
		size_t from = most[i] && i == 0
				      ? strlen(strings) + strlen(HP_ROW_ARROW)
				      : 0;

		hp_unusual_share(&s, kinds[i], f->bytes, info->all_bytes);
		fine = !most[i] || !f->applies ||
		       hp_unusual_say(&s, kinds[i], most[i]->key + from);
		f->before = r->findings[kinds[i]].before;
		f->before_known = r->findings[kinds[i]].before_known;
		r->findings[kinds[i]] = *f;
	}
	return fine ? HP_OK : hp_no_memory(err);
}
