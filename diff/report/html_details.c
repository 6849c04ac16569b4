/*
 * html_details.c - write the details that the HTML report shows when a row is
 * opened, as compact JSON
 *
 * The details of a row are the paths to its objects, their class loaders and
 * allocation sites; html_references.c writes the references. Only the first few
 * entries of each list are written, and the total number of entries is limited.
 * A row is identified by its index in the JSON member "rows".
 */

#include "common/base/memory.h"
#include "diff/report/html_figures.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* maximum number of kinds of class loaders that are listed for a class
	 */
	LOADERS_SHOWN = 12,
	/* maximum number of allocation sites that are listed for a class */
	SITES_SHOWN = 8,
	SITES_IN_ALL = 1500,
	/* maximum number of frames of a stack, innermost first */
	FRAMES_SHOWN = 24
};

bool
hp_html_find_places(struct hp_html_places *p, const struct hp_result *r)
{
	p->rows = r->heap_shown ? &r->in_heap : &r->rows;
	p->of = hp_calloc(p->rows->count + 1, sizeof(*p->of));
	for (size_t i = 0; p->of && i < r->nshown; i++)
		p->of[r->shown[i]->index] = (uint32_t)i + 1;
	return p->of;
}

/* --- paths ---------------------------------------------------------------- */

/* The sum of the paths of a row that go through a step. */
struct step_sum {
	uint64_t objects[2], bytes[2];
	/* a path of the row ends here, or at least two paths part here */
	bool end;
	unsigned children;
	bool seen;
};

/* The steps through which the paths of one row go. */
struct merged {
	struct step_sum *of; /* by index of a step, from 1 */
	uint32_t *steps;     /* those steps; parents may come later */
	size_t count;
};

static void
add_sums(struct step_sum *to, const uint64_t objects[2],
	 const uint64_t bytes[2])
{
	for (unsigned k = 0; k < 2; k++) {
		hp_sum_add(&to->objects[k], objects[k]);
		hp_sum_add(&to->bytes[k], bytes[k]);
	}
}

/* Add a path: its last step gets the values, the steps before it are noted. */
static void
add_path(struct merged *m, const struct hp_paths *paths,
	 const struct hp_row_path *path)
{
	uint32_t at = path->step;

	add_sums(&m->of[at], path->objects, path->bytes);
	m->of[at].end = true;
	for (; at != 0 && !m->of[at].seen; at = paths->steps[at - 1].parent) {
		m->of[at].seen = true;
		m->steps[m->count++] = at;
		m->of[paths->steps[at - 1].parent].children++;
	}
}

static int
compare_steps(const void *a, const void *b)
{
	return hp_order(*(const uint32_t *)b, *(const uint32_t *)a);
}

/* Write a sentence about the paths of a row that are not in its list. */
static void
write_others(struct hp_json *j, struct hp_rows *texts,
	     const struct step_sum *sum)
{
	struct hp_buf b = {0};

	hp_buf_text(&b, "By other paths: ");
	hp_count_noun_text(&b, sum->objects[1], "object");
	hp_buf_text(&b, ", ");
	hp_size_text(&b, sum->bytes[1]);
	hp_buf_byte(&b, '.');
	hp_html_number(j, texts, &b);
	hp_buf_release(&b);
}

static void
write_step(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts,
	   const struct hp_html_places *p, const struct hp_row *row,
	   uint32_t step, const struct step_sum *sum)
{
	hp_json_array_flat(j);
	hp_json_u64(j, p->of[row->index] - 1);
	hp_json_u64(j, step);
	if (step > 0)
		hp_html_step(j, r, texts, sum->objects, sum->bytes);
	else
		write_others(j, texts, sum);
	hp_json_array_end(j);
}

/*
 * Write the paths of one row: the last step of each path, in the given order,
 * then the other steps at which paths part, each with the sum of all paths that
 * go through it.
 */
static void
write_row_paths(struct hp_json *j, const struct hp_result *r,
		struct hp_rows *texts, const struct hp_html_places *p,
		struct merged *m, const struct hp_row_path *list, size_t n)
{
	const struct hp_paths *paths = &r->paths;

	for (size_t i = 0; i < n; i++)
		if (list[i].step > 0)
			add_path(m, paths, &list[i]);
	/* a parent comes before its children, so go through them backwards */
	qsort(m->steps, m->count, sizeof(*m->steps), compare_steps);
	for (size_t i = 0; i < m->count; i++) {
		const struct step_sum *sum = &m->of[m->steps[i]];
		uint32_t parent = paths->steps[m->steps[i] - 1].parent;

		if (parent > 0)
			add_sums(&m->of[parent], sum->objects, sum->bytes);
	}
	for (size_t i = 0; i < n; i++) {
		struct step_sum rest = {
			.objects = {list[i].objects[0], list[i].objects[1]},
			.bytes = {list[i].bytes[0], list[i].bytes[1]}};

		write_step(j, r, texts, p, list[i].row, list[i].step,
			   list[i].step > 0 ? &m->of[list[i].step] : &rest);
	}
	for (size_t i = m->count; i > 0; i--) {
		struct step_sum *sum = &m->of[m->steps[i - 1]];

		if (!sum->end && sum->children > 1)
			write_step(j, r, texts, p, list->row, m->steps[i - 1],
				   sum);
	}
	for (size_t i = 0; i < m->count; i++)
		m->of[m->steps[i]] = (struct step_sum){0};
	m->of[0] = (struct step_sum){0};
	m->count = 0;
}

/*
 * Write the JSON member "paths". Its member "steps" is a list of steps of
 * paths, each as [parent, "text", "label"], without a label if there is none.
 * Its member "of" lists the steps of the paths of a row, each as [row, step,
 * text ...], with the texts of hp_html_step() for all paths of the row that go
 * through this step. A step that is not listed for the row has one child among
 * them, and the texts of this child. Steps are numbered from 1; step 0
 * represents all other paths, and has a sentence.
 */
static void
write_paths(struct hp_json *j, const struct hp_result *r,
	    const struct hp_html_places *p, struct hp_rows *texts)
{
	const struct hp_paths *paths = &r->paths;
	struct merged m = {
		.of = hp_calloc(paths->nsteps + 1, sizeof(*m.of)),
		.steps = hp_malloc((paths->nsteps + 1) * sizeof(*m.steps))};

	hp_json_put_object_flat(j, "paths");
	hp_json_put_array_flat(j, "steps");
	for (size_t i = 0; i < paths->nsteps; i++) {
		const char *text = paths->steps[i].text;
		const char *label = paths->steps[i].label;

		hp_json_array_flat(j);
		hp_json_u64(j, paths->steps[i].parent);
		hp_json_visible(j, text, strlen(text));
		if (label)
			hp_json_visible(j, label, strlen(label));
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	hp_json_put_array_flat(j, "of");
	for (size_t i = 0, n; m.of && m.steps && i < paths->count; i += n) {
		const struct hp_row_path *list = &paths->list[i];

		for (n = 1; i + n < paths->count && list[n].row == list->row;)
			n++;
		if (p->of[list->row->index] > 0)
			write_row_paths(j, r, texts, p, &m, list, n);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
	j->buf.failed |= !m.of || !m.steps;
	hp_free(m.of);
	hp_free(m.steps);
}

/* --- rows that begin with a class ----------------------------------------- */

/*
 * A row with details about a class (for example about its class loader), and
 * the index of the shown row to which the details belong.
 */
struct placed {
	const struct hp_row *row;
	/*
	 * 1 + the index of the row of this class among the rows that the page
	 * shows
	 */
	uint32_t place;
};

/*
 * A comparison function for rows: by class; then by the change of their bytes,
 * then by their bytes, largest first.
 */
static int
compare_placed(const void *a, const void *b, void *rows)
{
	const struct placed *x = a, *y = b;
	size_t last = ((const struct hp_rows *)rows)->dumps - 1;
	uint64_t p, q;

	if (x->place != y->place)
		return hp_order(x->place, y->place);
	p = hp_difference(x->row->bytes[0], x->row->bytes[last]);
	q = hp_difference(y->row->bytes[0], y->row->bytes[last]);
	if (p == q) {
		p = x->row->bytes[last];
		q = y->row->bytes[last];
	}
	if (p != q)
		return hp_order(q, p);
	if (strcmp(x->row->key, y->row->key) != 0)
		return strcmp(x->row->key, y->row->key);
	return memcmp(x->row->hash, y->row->hash, sizeof(x->row->hash));
}

/*
 * List those rows of @from that belong to a class which the page shows, sorted
 * by class. The caller frees the list. Returns NULL if out of memory.
 *
 * @len: returns the length of the class name at the beginning of a row's key
 */
static struct placed *
place_rows(const struct hp_html_places *p, const struct hp_rows *from,
	   size_t (*len)(const struct hp_row *), size_t *n)
{
	struct placed *list = hp_malloc((from->count + 1) * sizeof(*list));

	*n = 0;
	for (size_t i = 0; list && i < from->count; i++) {
		const struct hp_row *row = from->list[i];
		const struct hp_row *class =
			hp_rows_find(p->rows, row->key, len(row));

		if (class && p->of[class->index] > 0)
			list[(*n)++] = (struct placed){
				.row = row, .place = p->of[class->index]};
	}
	if (*n > 0)
		qsort_r(list, *n, sizeof(*list), compare_placed, (void *)from);
	return list;
}

static size_t
class_length(const struct hp_row *row)
{
	return row->holder_len;
}

static size_t
whole_length(const struct hp_row *row)
{
	return row->key_len;
}

/* --- class loaders -------------------------------------------------------- */

static const char *
loader_of(const struct hp_row *row)
{
	return row->key + row->holder_len + strlen(HP_ROW_ARROW);
}

/* Returns the number of details of the class to which list[i] belongs. */
static size_t
of_class(const struct placed *list, size_t n, size_t i)
{
	size_t k = 1;

	while (i + k < n && list[i + k].place == list[i].place)
		k++;
	return k;
}

static void
write_loader(struct hp_json *j, const struct hp_result *r,
	     struct hp_rows *texts, const struct hp_row *row)
{
	const uint64_t *const values[] = {row->loaders, row->count};
	size_t last = r->ndumps - 1;

	hp_json_array_flat(j);
	hp_html_text_number(j, texts, loader_of(row));
	for (size_t k = 0; k < HP_ARRAY_LEN(values); k++) {
		hp_html_count_number(j, texts, values[k][last]);
		if (last > 0)
			hp_html_count_change(j, texts, values[k][0],
					     values[k][last]);
	}
	hp_json_array_end(j);
}

/*
 * Write the JSON member "loaders", a list of [row, more, [loader, loaders,
 * change, objects, change] ...]. All numbers but the row are indexes of texts;
 * with one dump, there are no changes. "more" says how many loaders of the
 * class are left out, or is empty. Classes that only the boot loader has loaded
 * are left out.
 */
static void
write_loaders(struct hp_json *j, const struct hp_result *r,
	      const struct hp_html_places *p, struct hp_rows *texts)
{
	struct hp_buf more = {0};
	size_t n = 0, k;
	struct placed *list =
		place_rows(p, &r->class_loaders, class_length, &n);

	j->buf.failed |= !list;
	hp_json_put_array_flat(j, "loaders");
	for (size_t i = 0; i < n; i += k) {
		k = of_class(list, n, i);
		if (k == 1 &&
		    strcmp(loader_of(list[i].row), HP_LOADER_BOOTSTRAP) == 0)
			continue;
		hp_json_array_flat(j);
		hp_json_u64(j, list[i].place - 1);
		if (k > LOADERS_SHOWN) {
			hp_count_noun_text(&more, k - LOADERS_SHOWN,
					   "more kind");
			hp_buf_text(&more, " of loader");
		}
		hp_html_number(j, texts, &more);
		for (size_t m = 0; m < k && m < LOADERS_SHOWN; m++)
			write_loader(j, r, texts, list[i + m].row);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	hp_buf_release(&more);
	hp_free(list);
}

/* --- allocation sites ----------------------------------------------------- */

static void
write_site(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts,
	   const struct hp_row *row)
{
	const struct hp_row_frames *f = &row->frames;
	size_t last = r->ndumps - 1;
	struct hp_buf b = {0};

	hp_json_array_flat(j);
	hp_html_objects(j, texts, row->count[last], row->bytes[last]);
	if (last > 0 && row->bytes[0] != row->bytes[last])
		hp_size_text_signed(&b,
				    hp_growth(row->bytes[0], row->bytes[last]));
	hp_html_number(j, texts, &b);
	for (uint32_t i = 0; i < f->count && i < FRAMES_SHOWN; i++)
		hp_html_text_number(j, texts, f->text[i]);
	if (f->count > FRAMES_SHOWN) {
		hp_count_noun_text(&b, f->count - FRAMES_SHOWN, "more frame");
		hp_html_number(j, texts, &b);
	}
	hp_json_array_end(j);
	hp_buf_release(&b);
}

/* Remove the rows without a stack from the list. Returns the new length. */
static size_t
with_stacks(struct placed *list, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (list[i].row->frames.count > 0)
			list[k++] = list[i];
	return k;
}

/*
 * Write the JSON member "sites", a list of [row, more, [objects, change, frame
 * ...] ...]. All numbers but the row are indexes of texts, for example "12
 * objects, 3.4 KB"; the frames are innermost first. "more" says how many sites
 * of the class are left out, or is empty. Writes nothing if no object has a
 * stack.
 */
static void
write_sites(struct hp_json *j, const struct hp_result *r,
	    const struct hp_html_places *p, struct hp_rows *texts)
{
	struct hp_buf more = {0};
	size_t n = 0, told = 0, k;
	struct placed *list = place_rows(p, &r->class_sites, whole_length, &n);

	j->buf.failed |= !list;
	n = with_stacks(list, n);
	if (n > 0)
		hp_json_put_array_flat(j, "sites");
	for (size_t i = 0; i < n; i += k) {
		size_t room = SITES_IN_ALL - told;
		size_t shown = room < SITES_SHOWN ? room : SITES_SHOWN;

		k = of_class(list, n, i);
		if (k < shown)
			shown = k;
		hp_json_array_flat(j);
		hp_json_u64(j, list[i].place - 1);
		if (k > shown)
			hp_count_noun_text(&more, k - shown,
					   shown > 0 ? "more site" : "site");
		hp_html_number(j, texts, &more);
		for (size_t m = 0; m < shown; m++)
			write_site(j, r, texts, list[i + m].row);
		hp_json_array_end(j);
		told += shown;
	}
	if (n > 0)
		hp_json_array_end(j);
	hp_buf_release(&more);
	hp_free(list);
}

void
hp_html_details(struct hp_json *j, const struct hp_result *r,
		struct hp_rows *texts)
{
	struct hp_html_places p = {0};

	if (hp_html_find_places(&p, r))
		hp_html_references(j, r, &p, texts);
	/*
	 * with --heap, the rows count only the objects of some Android heaps,
	 * but the details that follow would be about all heaps
	 */
	if (p.of && !r->heap_shown) {
		write_paths(j, r, &p, texts);
		write_loaders(j, r, &p, texts);
		write_sites(j, r, &p, texts);
	}
	j->buf.failed |= !p.of;
	hp_free(p.of);
}
