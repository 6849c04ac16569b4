/*
 * path_rows.c - from steps to rows
 */
#include "diff/leaks/path_rows.h"

#include "common/cli/glob.h"
#include "diff/leaks/moved_paths.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_PARTS = 1 << 20 /* of a dump: smaller paths share a row */ };

/*
 * What grows in healthy programs: the VM's and the JDK's own caches, which
 * have limits or follow the number of classes, and objects that wait for the
 * finalizer.
 */
static const char *const harmless[] = {
	"java.lang.ClassValue*",
	"java.lang.Long$LongCache.*",
	"java.lang.invoke.*(static) *",
	"java.lang.ref.Finalizer.*(static) *",
	"java.lang.ref.FinalizerReference.*(static) *",
	"java.lang.ref.Reference.pending (static) *",
	"java.lang.ref.ReferenceQueue.*(static) *",
	"java.lang.reflect.*(static) *",
	"jdk.internal.*(static) *",
	"jdk.xml.internal.*(static) *",
	"sun.invoke.*(static) *",
	"sun.misc.Cleaner.*(static) *",
	"sun.reflect.*(static) *",
	"sun.util.locale.*(static) *",
	"*.<resolved_references> (static) *",
	"finalizing *",
	"system class java.*",
	"system class jdk.*",
	"system class sun.*",
};

struct maker {
	struct hp_result *r;
	const struct hp_path_tree *t;
	const bool *walked;
	struct hp_row **row_of; /* by step; NULL: it is among the small ones */
	int8_t *grew;		/* by step, see growth() */
	struct hp_buf text;
	struct hp_error *err;
};

/* 2: in every step; 1: from the first dump to the last; -1: it shrank. */
static int
growth(const struct maker *m, const struct hp_row *row)
{
	size_t last = m->r->ndumps - 1;
	bool always = last > 0;

	for (size_t i = 1; i <= last; i++)
		always &= row->bytes[i] > row->bytes[i - 1] ||
			  (row->bytes[i] == row->bytes[i - 1] &&
			   row->count[i] > row->count[i - 1]);
	if (always)
		return 2;
	if (row->bytes[last] != row->bytes[0])
		return row->bytes[last] > row->bytes[0] ? 1 : -1;
	return (row->count[last] > row->count[0]) -
	       (row->count[last] < row->count[0]);
}

static bool
is_small(const struct maker *m, uint32_t step)
{
	for (size_t i = 0; i < m->r->ndumps; i++)
		if (m->r->options->why ||
		    hp_path_sum_of(m->t, i, step).retained_bytes >
			    m->r->dumps[i].reachable.bytes / SMALL_PARTS)
			return false;
	return true;
}

/* Is there anything at that step in some dump? */
static bool
is_there(const struct maker *m, uint32_t step)
{
	for (size_t i = 0; i < m->r->ndumps; i++)
		if (hp_path_sum_of(m->t, i, step).count > 0)
			return true;
	return false;
}

static bool
is_ignored(const struct maker *m, const char *text, size_t len)
{
	const struct hp_diff_options *o = m->r->options;

	for (size_t i = 0;
	     m->r->ndumps > 1 && !o->why && i < HP_ARRAY_LEN(harmless); i++)
		if (hp_glob_match(harmless[i], text, len))
			return true;
	for (size_t i = 0; i < o->ignored_path_count; i++)
		if (hp_glob_match(o->ignored_paths[i], text, len))
			return true;
	return false;
}

static void
add_sums(const struct maker *m, struct hp_row *row, uint32_t step, bool whole)
{
	for (size_t i = 0; i < m->r->ndumps; i++) {
		struct hp_path_sum sum = hp_path_sum_of(m->t, i, step);

		if (!m->walked[i])
			continue;
		row->count[i] += sum.count;
		row->bytes[i] += sum.bytes;
		row->retained_count[i] +=
			whole ? sum.retained_count : sum.count;
		row->retained_bytes[i] +=
			whole ? sum.retained_bytes : sum.bytes;
	}
}

static enum hp_status
add_step(struct maker *m, uint32_t step)
{
	static const char small[] = "(paths of less than a millionth)";
	struct hp_row *row;
	bool whole = !is_small(m, step);

	if (m->r->options->why && !is_there(m, step))
		return HP_OK;
	hp_buf_clear(&m->text);
	if (whole)
		hp_path_text(m->t, step, &m->text);
	else
		hp_buf_text(&m->text, small);
	row = hp_rows_put_text(&m->r->rows, &m->text);
	if (!row)
		return hp_fail(m->err, HP_NOMEM, "out of memory");
	add_sums(m, row, step, whole);
	if (whole)
		m->row_of[step] = row;
	else
		row->hidden = true;
	return step % 1024 == 0 ? hp_rows_fit(&m->r->rows, m->r->budget, m->err)
				: HP_OK;
}

/* Parents come first. */
static void
hide_nested(struct maker *m)
{
	for (uint32_t i = 1; i < m->t->count; i++) {
		uint32_t parent = m->t->list[i].parent;
		struct hp_row *row = m->row_of[i];
		int own = row && !row->ignored ? growth(m, row) : 0;
		int above = m->grew[parent];

		if (row)
			row->hidden = own == 0 ||
				      (own > 0 ? above >= own : above < 0);
		/* what is below may be nested in what is above this */
		m->grew[i] =
			(int8_t)(own == 0 || (own > 0 && above > own) ? above
								      : own);
	}
}

static enum hp_status
make_rows(struct maker *m)
{
	struct hp_rows *rows = &m->r->rows;
	size_t last = m->r->ndumps - 1;
	enum hp_status st = HP_OK;

	for (uint32_t i = 1; i < m->t->count && st == HP_OK; i++)
		st = add_step(m, i);
	if (st != HP_OK)
		return st;
	for (size_t i = 0; i < rows->count; i++)
		rows->list[i]->ignored = is_ignored(m, rows->list[i]->key,
						    rows->list[i]->key_len);
	if (!m->r->options->why)
		hide_nested(m);
	if (!m->r->options->why && last > 0 && m->walked[0] && m->walked[last])
		st = hp_moved_paths_find(m->t, 0, last, m->row_of, rows,
					 m->err);
	return st != HP_OK ? st : hp_rows_fit(rows, m->r->budget, m->err);
}

enum hp_status
hp_path_rows_make(struct hp_result *r, const struct hp_path_tree *t,
		  const bool *walked, struct hp_error *err)
{
	struct maker m = {.r = r, .t = t, .walked = walked, .err = err};
	enum hp_status st;

	m.row_of = calloc(t->count, sizeof(struct hp_row *));
	m.grew = calloc(t->count, sizeof(*m.grew));
	st = m.row_of && m.grew ? make_rows(&m)
				: hp_fail(err, HP_NOMEM, "out of memory");
	for (size_t i = 0; i < r->ndumps; i++) {
		if (!walked[i])
			continue;
		r->dumps[i].objects = r->dumps[i].all_objects =
			r->dumps[i].reachable.objects;
		r->dumps[i].bytes = r->dumps[i].all_bytes =
			r->dumps[i].reachable.bytes;
	}
	free(m.row_of);
	free(m.grew);
	hp_buf_release(&m.text);
	return st;
}
