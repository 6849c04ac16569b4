/*
 * html_details.c - write the details that the HTML report shows when a row is
 * opened, as compact JSON
 *
 * The details of a row are the references to its objects, the paths to them,
 * their class loaders and allocation sites. Only the first few entries of each
 * list are written, and the total number of entries is limited. A row is
 * identified by its index in the JSON member "rows".
 */

#include "common/base/memory.h"
#include "diff/report/report.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * maximum number of kinds of references that are listed for the objects
	 * of a class
	 */
	HOLDERS_SHOWN = 12,
	/* maximum number of allocation sites that are listed for a class */
	SITES_SHOWN = 8,
	SITES_IN_ALL = 1500,
	/* maximum number of frames of a stack, innermost first */
	FRAMES_SHOWN = 24
};

/* The rows that the page shows, and the index of each row among them. */
struct places {
	/*
	 * for each row of the result: 1 + its index among the shown rows; 0:
	 * not shown
	 */
	uint32_t *of;
	const struct hp_rows *rows;
};

static bool
find_places(struct places *p, const struct hp_result *r)
{
	p->rows = &r->rows;
	p->of = hp_calloc(p->rows->count + 1, sizeof(*p->of));
	for (size_t i = 0; p->of && i < r->nshown; i++)
		p->of[r->shown[i]->index] = (uint32_t)i + 1;
	return p->of;
}

static void
write_values(struct hp_json *j, const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hp_json_u64(j, v[i]);
}

static void
write_pair(struct hp_json *j, const struct hp_result *r, const uint64_t *v)
{
	write_values(j, v + (r->ndumps < 2), r->ndumps < 2 ? 1 : 2);
}

/* --- references to the objects -------------------------------------------- */

/*
 * A comparison function for kinds of references: by the class of the objects to
 * which they refer, then by the largest number of references in any dump,
 * largest first.
 */
static int
compare_holders(const void *a, const void *b, void *rows)
{
	const struct hp_row *x = *(const struct hp_row *const *)a;
	const struct hp_row *y = *(const struct hp_row *const *)b;
	size_t n = ((const struct hp_rows *)rows)->dumps;
	uint64_t most[2] = {0, 0};
	int c = strcmp(x->key + x->holder_len, y->key + y->holder_len);

	for (size_t i = 0; i < n; i++) {
		most[0] =
			x->references[i] > most[0] ? x->references[i] : most[0];
		most[1] =
			y->references[i] > most[1] ? y->references[i] : most[1];
	}
	if (c == 0)
		c = (most[0] < most[1]) - (most[0] > most[1]);
	return c ? c : strcmp(x->key, y->key);
}

/*
 * Write the JSON member "holders", a list of ["Holder.field", "Held",
 * references ...]: for each class that the page shows, the kinds of references
 * (for example fields) that most often refer to its objects.
 */
static void
write_holders(struct hp_json *j, const struct hp_rows *rows)
{
	size_t arrow = strlen(HP_ROW_ARROW), same = 0;

	if (rows->count > 0)
		qsort_r(rows->list, rows->count, sizeof(struct hp_row *),
			compare_holders, (void *)rows);
	hp_json_put_array_flat(j, "holders");
	for (size_t i = 0; i < rows->count; i++) {
		const struct hp_row *row = rows->list[i];
		const struct hp_row *above = i ? rows->list[i - 1] : NULL;
		const char *held = row->key + row->holder_len;

		same = above && strcmp(above->key + above->holder_len, held) ==
					       0
			       ? same + 1
			       : 0;
		if (same >= HOLDERS_SHOWN || row->holder_len == 0)
			continue;
		hp_json_array_flat(j);
		hp_json_visible(j, row->key, row->holder_len);
		hp_json_visible(j, held + arrow, strlen(held + arrow));
		write_values(j, row->references, rows->dumps);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
}

/* --- paths ---------------------------------------------------------------- */

/*
 * Write the JSON member "paths". Its member "steps" is a list of steps of
 * paths, each as [parent, "text", "label"], without a label if there is none.
 * Its member "of" is a list of paths, each as [row, step, objects ..., bytes
 * ...], where "step" is the number of the last step of the path. Steps are
 * numbered from 1; step 0 represents all other paths.
 */
static void
write_paths(struct hp_json *j, const struct hp_result *r,
	    const struct places *p)
{
	const struct hp_paths *paths = &r->paths;

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
	for (size_t i = 0; i < paths->count; i++) {
		const struct hp_row_path *path = &paths->list[i];

		if (p->of[path->row->index] == 0)
			continue;
		hp_json_array_flat(j);
		hp_json_u64(j, p->of[path->row->index] - 1);
		hp_json_u64(j, path->step);
		write_pair(j, r, path->objects);
		write_pair(j, r, path->bytes);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
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

static uint64_t
apart(const uint64_t *v, size_t last)
{
	return v[0] > v[last] ? v[0] - v[last] : v[last] - v[0];
}

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
	p = apart(x->row->bytes, last);
	q = apart(y->row->bytes, last);
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
place_rows(const struct places *p, const struct hp_rows *from,
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

/*
 * Write a text as its index in the list @texts. If the list does not contain
 * the text, append it. The list itself is written at the end, so that each text
 * is written only once.
 */
static void
write_text_number(struct hp_json *j, struct hp_rows *texts, const char *text)
{
	const struct hp_row *row = hp_rows_put_word(texts, text);

	j->buf.failed |= !row;
	hp_json_u64(j, row ? row->index : 0);
}

static void
write_texts(struct hp_json *j, struct hp_rows *texts)
{
	hp_json_put_array_flat(j, "texts");
	for (size_t i = 0; i < texts->count; i++)
		hp_json_visible(j, texts->list[i]->key,
				texts->list[i]->key_len);
	hp_json_array_end(j);
	hp_rows_release(texts);
}

/* --- class loaders -------------------------------------------------------- */

static const char *
loader_of(const struct hp_row *row)
{
	return row->key + row->holder_len + strlen(HP_ROW_ARROW);
}

static bool
is_bootstrap(const struct placed *list, size_t n, size_t i)
{
	return (i == 0 || list[i - 1].place != list[i].place) &&
	       (i + 1 == n || list[i + 1].place != list[i].place) &&
	       strcmp(loader_of(list[i].row), HP_LOADER_BOOTSTRAP) == 0;
}

/*
 * Write the JSON member "loaders". Its member "of" is a list of [row, text,
 * loaders ..., objects ..., bytes ...], where "text" is an index in the member
 * "texts". Classes that only the boot loader has loaded are left out.
 */
static void
write_loaders(struct hp_json *j, const struct hp_result *r,
	      const struct places *p)
{
	struct hp_rows texts;
	size_t n = 0;
	struct placed *list =
		place_rows(p, &r->class_loaders, class_length, &n);

	hp_rows_init(&texts, 0);
	j->buf.failed |= !list;
	hp_json_put_object_flat(j, "loaders");
	hp_json_put_array_flat(j, "of");
	for (size_t i = 0; i < n; i++) {
		const struct hp_row *row = list[i].row;

		if (is_bootstrap(list, n, i))
			continue;
		hp_json_array_flat(j);
		hp_json_u64(j, list[i].place - 1);
		write_text_number(j, &texts, loader_of(row));
		write_values(j, row->loaders, r->ndumps);
		write_values(j, row->count, r->ndumps);
		write_values(j, row->bytes, r->ndumps);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	write_texts(j, &texts);
	hp_json_object_end(j);
	hp_free(list);
}

/* --- allocation sites ----------------------------------------------------- */

static void
write_site(struct hp_json *j, const struct hp_result *r, struct hp_rows *texts,
	   const struct placed *site)
{
	const struct hp_row_frames *f = &site->row->frames;

	hp_json_array_flat(j);
	hp_json_u64(j, site->place - 1);
	hp_json_array_flat(j);
	for (uint32_t i = 0; i < f->count && i < FRAMES_SHOWN; i++)
		write_text_number(j, texts, f->text[i]);
	hp_json_array_end(j);
	write_values(j, site->row->count, r->ndumps);
	write_values(j, site->row->bytes, r->ndumps);
	hp_json_array_end(j);
}

/*
 * Write the JSON member "sites". Its member "of" is a list of [row, [text ...],
 * objects ..., bytes ...]. Each text is the index of a stack frame in the
 * member "texts", innermost first. Writes nothing if no object has a stack.
 */
static void
write_sites(struct hp_json *j, const struct hp_result *r,
	    const struct places *p)
{
	struct hp_rows texts;
	size_t n = 0, told = 0, same = 0;
	struct placed *list = place_rows(p, &r->class_sites, whole_length, &n);
	bool any = false;

	j->buf.failed |= !list;
	for (size_t i = 0; i < n; i++)
		any |= list[i].row->frames.count > 0;
	if (!any) {
		hp_free(list);
		return;
	}
	hp_rows_init(&texts, 0);
	hp_json_put_object_flat(j, "sites");
	hp_json_put_array_flat(j, "of");
	for (size_t i = 0; i < n && told < SITES_IN_ALL; i++) {
		same = i && list[i - 1].place == list[i].place ? same + 1 : 0;
		if (same >= SITES_SHOWN)
			continue;
		write_site(j, r, &texts, &list[i]);
		told++;
	}
	hp_json_array_end(j);
	write_texts(j, &texts);
	hp_json_object_end(j);
	hp_free(list);
}

void
hp_html_details(struct hp_json *j, const struct hp_result *r)
{
	struct places p = {0};

	write_holders(j, &r->holders);
	if (r->heap_shown)
		/*
		 * with --heap, the rows count only the objects of some Android
		 * heaps, but the details that follow would be about all heaps
		 */
		return;
	if (find_places(&p, r)) {
		write_paths(j, r, &p);
		write_loaders(j, r, &p);
		write_sites(j, r, &p);
	}
	j->buf.failed |= !p.of;
	hp_free(p.of);
}
