/*
 * notes.c - print warnings and errors about the inputs
 */
#include "diff/internal.h"

#include "common/cli/quantity.h"
#include "diff/count/carried.h"
#include "diff/result/answer.h"

#include <inttypes.h>
#include <string.h>

int
hp_note_damage(const struct hp_messages *m, const char *path,
	       const struct hp_diff_options *o, const struct hp_histogram *g)
{
	const struct hp_symptom *s = g->damaged;
	struct hp_symptom header;
	char place[HP_SYMPTOM_PLACE], text[HP_SYMPTOM_TEXT];

	if (!hp_header_readable(&g->header)) {
		if (!s && hp_symptom_of_header(&g->header, &header))
			s = &header;
		hp_symptom_text(s, text);
		hp_message(m, HP_MESSAGE_ERROR, path, "%s", text);
		return HP_EXIT_TROUBLE;
	}
	if (!s)
		return HP_EXIT_OK;
	hp_symptom_place(s, place);
	hp_symptom_text(s, text);
	if (!o->partial) {
		hp_message(m, HP_MESSAGE_ERROR, path,
			   "damaged at %s: %s (--partial uses what can be "
			   "read)",
			   place, text);
		return HP_EXIT_TROUBLE;
	}
	hp_message(m, hp_diff_partial_level(o), path,
		   "damaged at %s: %s; using only the readable part, "
		   "hprof-convert --salvage may recover more",
		   place, text);
	return HP_EXIT_OK;
}

void
hp_note_no_heap_dump(const struct hp_messages *m, const char *path,
		     const struct hp_histogram *g)
{
	const char *cpu = hp_carried_times(g) ? "CPU times" : "CPU samples";
	const struct {
		bool has;
		const char *by, *what;
	} reports[] = {{g->sites_until > 0, "site", "allocation sites"},
		       {g->samples_until > 0, "cpu", cpu},
		       {hp_carried_has_monitors(g), "monitor", "waits"}};
	const char *join = "; ";
	struct hp_buf b = {0};

	hp_buf_text(&b, "the file contains no heap dump");
	for (size_t i = 0; i < HP_ARRAY_LEN(reports); i++) {
		if (!reports[i].has)
			continue;
		hp_buf_printf(&b, "%s--by=%s shows its %s", join, reports[i].by,
			      reports[i].what);
		join = ", ";
	}
	hp_message(m, HP_MESSAGE_ERROR, path, "%s", hp_buf_string(&b));
	hp_buf_release(&b);
}

void
hp_note_heap(const struct hp_messages *m, const char *path,
	     const struct hp_diff_options *o, const struct hp_resolve_notes *n)
{
	if (o->heap && !n->heap_matched)
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "no Android heap matches --heap=%s", o->heap);
}

void
hp_note_undescribed(const struct hp_messages *m, const struct hp_result *r,
		    size_t column)
{
	const struct hp_dump_info *d = &r->dumps[column];
	const char *so = "sizes do not include them";

	if (r->rows.retained)
		so = "sizes do not include them, and objects that only they "
		     "refer to count as unreachable";
	else if (hp_key_is(r->by, HP_KEY_NEEDS_REFERENCES))
		so = "sizes do not include them, and their references are "
		     "missing";
	hp_message_undescribed(m, d->path, &d->undescribed, so);
}

/*
 * Whether the dump has no root records at all, so that all roots of the object
 * graph are classes.
 */
static bool
has_no_root_records(const struct hp_graph *g)
{
	if (g->nodes.sticky)
		return false;
	for (size_t i = 0; i < g->nroots; i++)
		if (g->roots[i].tag != HP_SUB_ROOT_STICKY_CLASS)
			return false;
	return true;
}

bool
hp_note_unrooted(const struct hp_messages *m, const char *path,
		 const struct hp_retained *t)
{
	struct hp_buf objects = {0};

	if (t->graph.all.objects == 0)
		return false;
	if (t->tree.reachable.objects > 0) {
		if (!has_no_root_records(&t->graph))
			return false;
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "the dump has no roots, like many truncated dumps: "
			   "only the classes of the boot class loader count as "
			   "roots, so the result shows too few objects as "
			   "alive");
		return true;
	}
	hp_count_noun_text(&objects, t->graph.all.objects, "object");
	hp_message(m, HP_MESSAGE_WARNING, path,
		   "no root refers to an object of the dump: all %s are "
		   "unreachable, and nothing is retained",
		   hp_buf_string(&objects));
	hp_buf_release(&objects);
	return true;
}

void
hp_note_unowned(const struct hp_messages *m, const char *path,
		const struct hp_unowned *u)
{
	struct hp_buf size = {0}, more = {0};

	if (u->count == 0)
		return;
	hp_size_text(&size, u->bytes);
	if (u->count > 1) {
		hp_buf_text(&more, "; the same is true for ");
		hp_count_noun_text(&more, u->count - 1, "more object");
	}
	hp_message(m, HP_MESSAGE_WARNING, path,
		   "gates on \"%s\" do not count the object in this field "
		   "(%s): other paths also keep this object alive, so it is in "
		   "the row \"%s\"; --by=path counts it for the field%s",
		   u->field, hp_buf_string(&size), u->owner,
		   hp_buf_string(&more));
	hp_buf_release(&size);
	hp_buf_release(&more);
}

/*
 * Report that the dumps and a saved result have different size models. The
 * sizes in a saved result cannot be computed again, so this is an error. The
 * message lists all numbers of each model, for example the size of a reference.
 * The name of the model alone is not enough, because some numbers depend on the
 * size of ids in the dump.
 */
void
hp_note_saved_layout(const struct hp_messages *m,
		     const struct hp_size_model *saved, bool differ)
{
	const char *name = saved->source;

	if (strcmp(name, "measured") == 0) {
		hp_message(
			m, HP_MESSAGE_ERROR, NULL,
			"the sizes in the saved result were measured in "
			"another memory layout (references of %u bytes, object "
			"headers of %u, array headers of %u, alignment of %u), "
			"so sizes cannot be compared; save the result again "
			"with the --layout of these dumps",
			saved->reference, saved->header, saved->array_header,
			saved->alignment);
		return;
	}
	if (strncmp(name, "auto", 4) == 0 || strcmp(name, "saved") == 0)
		name = saved->model == HP_SIZE_MODEL_ART ? "art" : "mat";
	hp_message(m, HP_MESSAGE_ERROR, NULL,
		   "%s --layout=%.*s,reference=%u,header=%u,array_header=%u,"
		   "alignment=%u",
		   differ ? "the saved results have different memory layouts; "
			    "save all of them with"
			  : "the saved result has another memory layout; read "
			    "the dumps with",
		   (int)strcspn(name, ","), name, saved->reference,
		   saved->header, saved->array_header, saved->alignment);
}

void
hp_note_order(const struct hp_messages *m, const struct hp_result *r,
	      const struct hp_diff_options *o)
{
	struct hp_answer a = {0};
	struct hp_buf newer = {0}, older = {0}, apart = {0};

	hp_answer_find_order(&a, r);
	if (!a.older)
		return;
	(void)hp_time_text(&newer, a.newer->timestamp_ms);
	(void)hp_time_text(&older, a.older->timestamp_ms);
	hp_answer_duration(&apart,
			   a.newer->timestamp_ms - a.older->timestamp_ms);
	hp_message(
		m,
		hp_diff_holds(o, HP_FORMAT_WHOLE) ? HP_MESSAGE_WARNING
						  : HP_MESSAGE_RESULT,
		a.newer->path,
		"taken at %s, %s after the next dump, %s (%s); growth is "
		"counted from the first dump to the last, so give the oldest "
		"dump first",
		hp_buf_string(&newer), hp_buf_string(&apart), a.older->path,
		hp_buf_string(&older));
	hp_buf_release(&newer);
	hp_buf_release(&older);
	hp_buf_release(&apart);
}

void
hp_note_waste(const struct hp_messages *m, const char *path,
	      const struct hp_waste_notes *n)
{
	if (n->removed_from)
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "the elements of arrays after the first %" PRIu64
			   " seem to be removed from this dump, so duplicate "
			   "strings and arrays, and arrays of zeros, are not "
			   "shown",
			   n->removed_from);
	else if (n->no_data)
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "the contents of all arrays were removed from this "
			   "dump, so duplicate strings and arrays, and arrays "
			   "of zeros, are not shown");
	else if (n->no_texts)
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "the texts of all strings were removed from this "
			   "dump, so duplicate and wide strings are not shown");
	if (n->slices)
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "strings of this Java version can share arrays, so "
			   "duplicate and wide strings are not shown");
}

void
hp_note_not_measured(const struct hp_messages *m, const char *path,
		     const struct hp_diff_options *o,
		     const struct hp_size_model *layout)
{
	if (o->layout && strcmp(o->layout, "measured") == 0 &&
	    !layout->measured)
		hp_message(m, HP_MESSAGE_WARNING, path,
			   "shallow sizes cannot be measured, because the ids "
			   "are not addresses, or because too few classes have "
			   "several objects; hprof-diff uses a size model "
			   "instead");
}
