/*
 * report_suspects.c - the label of a suspect, and suspects as JSON
 */

#include "diff/report/report.h"

#include "common/cli/quantity.h"

#include <string.h>

static int64_t
growth(const struct hp_suspect *s)
{
	return (int64_t)(s->retained[1].bytes - s->retained[0].bytes);
}

const struct hp_suspect_words *
hp_suspect_words(const struct hp_result *r)
{
	static const struct hp_suspect_words one = {"owner", "large owner",
						    "Largest owners",
						    "The largest owner is "};
	static const struct hp_suspect_words several = {
		"suspect", "leak suspect", "Leak suspects",
		"The only suspect is "};

	return r->ndumps > 1 ? &several : &one;
}

void
hp_suspect_alive_text(struct hp_buf *b, const struct hp_result *r,
		      const struct hp_thread_local *x)
{
	hp_buf_printf(b, "%s %s %zu alive", x->count > 1 ? "keep" : "keeps",
		      hp_suspect_words(r)->noun, x->suspect);
}

void
hp_suspect_label(struct hp_buf *b, const struct hp_suspect *s, bool compared)
{
	hp_buf_text(b, s->label);
	if (!s->element || !compared || s->elements_unknown ||
	    s->elements[0] == s->elements[1])
		return;
	hp_buf_text(b, " (");
	hp_count_text_signed(b, hp_growth(s->elements[0], s->elements[1]));
	hp_buf_byte(b, ')');
}

const char *
hp_suspect_row_label(const struct hp_result *r, const struct hp_row *row)
{
	for (size_t i = 0; hp_key_is(r->by, HP_KEY_PATHS) && i < r->nsuspects;
	     i++)
		if (!r->suspects[i].of_largest &&
		    strcmp(r->suspects[i].path, row->key) == 0)
			return strchr(r->suspects[i].label, ' ')
				       ? r->suspects[i].label
				       : row->label;
	return row->label;
}

void
hp_suspect_line(struct hp_buf *b, const struct hp_result *r,
		const struct hp_suspect *s)
{
	hp_buf_text(b, s->label);
	hp_buf_text(b, " retains ");
	hp_size_text(b, hp_suspect_bytes(s, 1));
	if (r->ndumps > 1 && s->was_known) {
		hp_buf_text(b, " (");
		hp_size_text_signed(b, hp_growth(hp_suspect_bytes(s, 0),
						 hp_suspect_bytes(s, 1)));
		hp_buf_byte(b, ')');
	}
	if (hp_suspect_has_native(s)) {
		hp_buf_text(b, ", of which ");
		hp_size_text(b, s->native[1]);
		hp_buf_text(b, " outside the heap");
	}
	hp_buf_text(b, ", kept by ");
	hp_buf_text(b, s->path);
	if (s->known)
		hp_buf_text(b, "; ");
	hp_known_text(b, s->known);
}

static const char *
unknown_for(const struct hp_result *r)
{
	if (r->suspects_sought)
		return NULL;
	if (r->dumps[0].saved || r->dumps[r->ndumps - 1].saved)
		return "a saved result has no object graph";
	if (r->options->why)
		return "with --why, add --retained to find suspects";
	return "the classes of a dump are not known, so it has no object "
	       "graph";
}

/*
 * Write the values of the first and of the last dump; with one dump, only its
 * value. A first value that is not known is written as null.
 */
static void
write_pair(struct hp_json *j, const char *key, const uint64_t values[2],
	   bool compared, bool known)
{
	hp_json_put_array_flat(j, key);
	if (compared && known)
		hp_json_u64(j, values[0]);
	else if (compared)
		hp_json_null(j);
	hp_json_u64(j, values[1]);
	hp_json_array_end(j);
}

/*
 * If the sizes of the suspect in three or more dumps are close to a straight
 * line, write how fast it grows, and when the heap doubles at this rate.
 */
static void
write_rate(struct hp_json *j, const struct hp_result *r,
	   const struct hp_suspect *s)
{
	struct hp_answer_forecast f;
	struct hp_answer a;

	hp_json_put_i64(j, "bytes_per_dump",
			(int64_t)s->evidence.bytes_per_dump);
	if (s->evidence.bytes_per_hour > 0)
		hp_json_put_i64(j, "bytes_per_hour",
				(int64_t)s->evidence.bytes_per_hour);
	hp_answer_find(&a, r);
	if (!hp_answer_forecast(&a, s, &f))
		return;
	if (f.ms > 0)
		hp_json_put_u64(j, "heap_doubles_in_ms", f.ms);
	else
		hp_json_put_u64(j, "heap_doubles_in_dumps", f.dumps);
}

static void
write_sizes(struct hp_json *j, const struct hp_result *r,
	    const struct hp_suspect *s)
{
	if (!s->sizes)
		return;
	hp_json_put_array_flat(j, "retained_bytes_of_dumps");
	for (size_t i = 0; i < r->ndumps; i++) {
		if (s->sizes[i] == UINT64_MAX)
			hp_json_null(j);
		else
			hp_json_u64(j, s->sizes[i]);
	}
	hp_json_array_end(j);
}

static void
write_evidence(struct hp_json *j, const struct hp_result *r,
	       const struct hp_suspect *s)
{
	const struct hp_suspect_evidence *e = &s->evidence;

	hp_json_put_object_flat(j, "evidence");
	hp_json_put_u64(j, "steps", e->steps);
	hp_json_put_u64(j, "grew", e->grew);
	hp_json_put_u64(j, "owners", e->owners);
	if (e->has_other_roots)
		hp_json_put_bool(j, "has_other_roots", true);
	if (e->has_other_fields)
		hp_json_put_bool(j, "has_other_fields", true);
	if (e->new_elements > 0) {
		hp_json_put_u64(j, "new_elements", e->new_elements);
		hp_json_put_u64(j, "bytes_per_new_element", e->element_bytes);
	}
	if (e->is_linear)
		write_rate(j, r, s);
	hp_json_object_end(j);
}

static void
write_example_list(struct hp_json *j, const struct hp_result *r,
		   const char *key, const uint32_t *list, size_t n)
{
	hp_json_put_array(j, key);
	for (size_t i = 0; i < n; i++) {
		const struct hp_object_facts *f = &r->examples[list[i]];

		hp_json_object(j);
		hp_json_put_id(j, "id", f->id);
		hp_json_put_visible(j, "class", f->class);
		if (f->label)
			hp_json_put_visible(j, "label", f->label);
		hp_json_put_u64(j, "bytes", f->bytes);
		if (f->is_reachable) {
			hp_json_put_u64(j, "retained_count",
					f->retained.objects);
			hp_json_put_u64(j, "retained_bytes", f->retained.bytes);
		}
		hp_object_fields_json(j, f, r->options->show_values);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
}

static void
write_examples(struct hp_json *j, const struct hp_result *r,
	       const struct hp_suspect *s)
{
	if (s->nlargest + s->nnewest == 0)
		return;
	hp_json_put_object(j, "examples");
	write_example_list(j, r, "largest", s->examples, s->nlargest);
	if (s->nnewest > 0)
		write_example_list(j, r, "newest", s->examples + s->nlargest,
				   s->nnewest);
	hp_json_object_end(j);
}

/* Write the share that the first lines of the report show. */
static void
write_share(struct hp_json *j, const struct hp_result *r,
	    const struct hp_suspect *s)
{
	struct hp_answer a;
	uint64_t share;

	hp_answer_find(&a, r);
	if (!hp_answer_share(&a, s, &share))
		return;
	hp_json_key(j, "percent");
	hp_json_double(j, (double)hp_percent_hundredths(share) / 100.0);
	hp_json_put_string(j, "percent_of", a.explained_of);
}

static void
write_suspect(struct hp_json *j, const struct hp_result *r,
	      const struct hp_suspect *s, bool compared)
{
	bool known = s->was_known;
	const uint64_t objects[2] = {s->retained[0].objects,
				     s->retained[1].objects};
	const uint64_t bytes[2] = {s->retained[0].bytes, s->retained[1].bytes};

	hp_json_object_flat(j);
	hp_json_put_visible(j, "path", s->path);
	if (s->of_largest)
		hp_json_put_bool(j, "path_of_largest", true);
	if (s->loader)
		hp_json_put_visible(j, "loader", s->loader);
	hp_json_put_visible(j, "label", s->label);
	if (s->field)
		hp_json_put_visible(j, "field", s->field);
	hp_json_put_id(j, "object", s->id);
	hp_json_put_visible(j, "class", s->holder);
	write_pair(j, "count", s->holders, compared, known);
	if (s->element) {
		hp_json_put_visible(j, "element", s->element);
		write_pair(j, "elements", s->elements, compared,
			   known && !s->elements_unknown);
	}
	write_pair(j, "retained_count", objects, compared, known);
	write_pair(j, "retained_bytes", bytes, compared, known);
	if (s->native[0] + s->native[1] > 0) {
		write_pair(j, "native_bytes", s->native, compared, known);
		if (compared && known)
			hp_json_put_i64(j, "delta_native_bytes",
					hp_growth(s->native[0], s->native[1]));
	}
	if (compared && known)
		hp_json_put_i64(j, "delta_retained_bytes", growth(s));
	else if (compared)
		hp_json_put_string(
			j, "growth_unknown",
			"in the first dump, another object retained objects of "
			"this class, which may be the same objects");
	write_share(j, r, s);
	hp_json_put_bool(j, "leak", s->is_leak);
	hp_json_put_string(j, "fingerprint", s->fingerprint.text);
	hp_known_reason_json(j, s->known);
	if (compared && known)
		write_sizes(j, r, s);
	if (known || !compared)
		write_evidence(j, r, s);
	write_examples(j, r, s);
	hp_json_put_array_flat(j, "holds");
	for (size_t i = 0; i < s->nparts; i++) {
		hp_json_object_flat(j);
		hp_json_put_visible(j, "key", s->parts[i].key);
		hp_json_put_u64(j, "count", s->parts[i].sum.objects);
		hp_json_put_u64(j, "bytes", s->parts[i].sum.bytes);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_json_object_end(j);
}

static void
write_explained(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_object_flat(j, "suspects_explain");
	hp_json_put_i64(j, "growth", r->reachable_growth);
	hp_json_put_i64(j, "explained", r->explained_growth);
	hp_json_object_end(j);
}

/*
 * With one dump, the growth of objects is not known. So the objects that retain
 * most are called owners, and only a few of them suspects.
 */
static void
write_owners(struct hp_json *j, const struct hp_result *r)
{
	hp_json_put_array(j, "largest_owners");
	for (size_t i = 0; i < r->nsuspects; i++)
		write_suspect(j, r, &r->suspects[i], false);
	hp_json_array_end(j);
	hp_json_put_bool(j, "nothing_stands_out", !hp_suspect_stands_out(r));
}

void
hp_suspects_json(struct hp_json *j, const struct hp_result *r)
{
	const char *unknown = unknown_for(r);

	hp_json_key(j, "suspects");
	if (unknown) {
		hp_json_null(j);
		hp_json_put_string(j, "suspects_unknown", unknown);
		return;
	}
	hp_json_array(j);
	for (size_t i = 0; i < r->nsuspects; i++)
		if (r->ndumps > 1 || r->suspects[i].is_leak)
			write_suspect(j, r, &r->suspects[i], r->ndumps > 1);
	hp_json_array_end(j);
	if (r->ndumps > 1)
		write_explained(j, r);
	else
		write_owners(j, r);
}

void
hp_failed_thread_json(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_failed_thread *f = &r->failed;

	if (!f->found)
		return;
	hp_json_put_object(j, "out_of_memory");
	if (f->name)
		hp_json_put_visible(j, "thread", f->name);
	hp_json_put_id(j, "object", f->id);
	hp_json_put_u64(j, "retained_count", f->retained.objects);
	hp_json_put_u64(j, "retained_bytes", f->retained.bytes);
	hp_json_put_array_flat(j, "frames");
	for (size_t i = 0; i < f->nframes; i++)
		hp_json_visible(j, f->frames[i], strlen(f->frames[i]));
	hp_json_array_end(j);
	hp_json_object_end(j);
}
