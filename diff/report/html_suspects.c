/*
 * html_suspects.c - write the texts that the HTML page shows in the box of each
 * suspect or owner: the number of its elements, and the objects in it
 *
 * report_answer.c writes the first lines of the box, which the text report also
 * has.
 */
#include "diff/report/report.h"

#include "common/cli/quantity.h"

#include <string.h>

/*
 * Write the number of elements as "1,370 × ", and by how many it grew if this
 * is known.
 */
static void
write_elements(struct hp_json *j, const struct hp_result *r,
	       const struct hp_suspect *s)
{
	struct hp_buf b = {0};

	hp_count_text(&b, s->elements[1]);
	hp_buf_text(&b, " × ");
	hp_json_put_buf(j, "elements", &b);
	hp_buf_clear(&b);
	if (r->ndumps > 1 && s->was_known && !s->elements_unknown &&
	    s->elements[0] != s->elements[1]) {
		hp_count_text_signed(&b,
				     hp_growth(s->elements[0], s->elements[1]));
		hp_html_put_figures(j, "grew", &b);
	}
	hp_buf_release(&b);
}

/* Write the objects in the suspect, each as ["1,370", "class", "(1.4 MB)"]. */
static void
write_parts(struct hp_json *j, const struct hp_suspect *s)
{
	struct hp_buf b = {0};

	hp_json_put_array_flat(j, "holds");
	for (size_t i = 0; i < s->nparts; i++) {
		const struct hp_suspect_part *part = &s->parts[i];

		hp_json_array_flat(j);
		hp_count_text(&b, part->sum.objects);
		hp_json_buf(j, &b);
		hp_buf_clear(&b);
		hp_json_visible(j, part->key, strlen(part->key));
		hp_buf_byte(&b, '(');
		hp_size_text(&b, part->sum.bytes);
		hp_buf_byte(&b, ')');
		hp_json_buf(j, &b);
		hp_buf_clear(&b);
		hp_json_array_end(j);
	}
	hp_json_array_end(j);
	hp_buf_release(&b);
}

void
hp_html_suspects(struct hp_json *j, const struct hp_result *r)
{
	const struct hp_suspect_words *words = hp_suspect_words(r);
	struct hp_buf b = {0};

	hp_json_put_object_flat(j, "suspect_words");
	hp_json_put_string(j, "noun", words->noun);
	hp_json_put_string(j, "heading", words->heading);
	hp_json_object_end(j);
	hp_json_put_array(j, "suspect_texts");
	for (size_t i = 0; i < r->nsuspects; i++) {
		const struct hp_suspect *s = &r->suspects[i];

		hp_json_object_flat(j);
		if (s->of_largest) {
			hp_buf_text(&b, "The path of the largest of ");
			hp_count_text(&b, s->holders[1]);
			hp_buf_byte(&b, ':');
			hp_json_put_buf(j, "path_of", &b);
			hp_buf_clear(&b);
		}
		if (s->element)
			write_elements(j, r, s);
		if (s->nparts > 0)
			write_parts(j, s);
		hp_json_object_end(j);
	}
	hp_json_array_end(j);
	hp_buf_release(&b);
}
