/*
 * report_answer.c - write the first lines of the text report: how much the heap
 * grew, and which suspects explain the growth
 *
 * answer.c computes the numbers.
 */
#include "diff/report/report.h"

#include "common/cli/escape.h"
#include "common/cli/quantity.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
	SUSPECTS_SHOWN = 5,
	/*
	 * number of columns of the terminal for the numbers of a suspect: its
	 * size or growth, such as "+1023.9 KB", and its share, such as
	 * ">99.9 %", with the space before it
	 */
	SIZE = 10,
	SHARE = 8,
	/*
	 * if there are fewer columns for the label of a suspect, its numbers
	 * get a line of their own
	 */
	LEAST_LABEL = 24,
	/* spaces before each line about a suspect, except for the first one */
	INDENT = 3,
	/* spaces before a line with the rest of a command */
	CONTINUED = 7,
	/*
	 * column of the terminal at which the numbers of a suspect end, if the
	 * terminal is wide enough
	 */
	WIDEST = 100,
	/*
	 * maximum width of the path of a dump in a command that the report
	 * suggests; if a path is longer, the command is shown without paths
	 */
	LONG_PATH = 30,
	/*
	 * memory outside the heap gets a line if it is at least 1/NATIVE_PARTS
	 * of the heap
	 */
	NATIVE_PARTS = 20,
};

/*
 * Append the paths of the dumps and the time between them: "before.hprof →
 * after.hprof, 6 s apart".
 */
static void
add_files(struct hp_buf *b, const struct hp_result *r,
	  const struct hp_answer *a)
{
	const struct hp_dump_info *last = &r->dumps[r->ndumps - 1];
	const char *first = hp_shown_path(r->dumps[0].path);
	const char *name = hp_shown_path(last->path);

	hp_text_clean(b, first, strlen(first));
	if (r->ndumps == 1) {
		if (last->timestamp_ms) {
			hp_buf_text(b, ", taken ");
			(void)hp_time_text(b, last->timestamp_ms);
		}
		hp_buf_byte(b, '\n');
		return;
	}
	hp_buf_text(b, r->ndumps > 2 ? " → … → " : " → ");
	hp_text_clean(b, name, strlen(name));
	if (r->ndumps > 2)
		hp_buf_printf(b, " (%zu dumps)", r->ndumps);
	if (a->apart_ms) {
		hp_buf_text(b, ", ");
		hp_answer_duration(b, a->apart_ms);
		hp_buf_text(b, " apart");
	}
	if (a->older)
		hp_buf_text(b, ", not in the order of their times");
	hp_buf_byte(b, '\n');
}

/*
 * Append one part of the heap, for example ", 1.4 MB kept alive". With several
 * dumps, append by how much it grew, if it did: ", +1.4 MB kept alive".
 */
static void
add_part(struct hp_buf *b, const struct hp_answer *a,
	 const struct hp_answer_sizes *s, bool always, const char *words)
{
	if (a->compared ? s->growth == 0 : s->last == 0 && !always)
		return;
	hp_buf_text(b, b->len > 0 ? ", " : "");
	if (a->compared)
		hp_size_text_signed(b, s->growth);
	else
		hp_size_text(b, s->last);
	hp_buf_text(b, words);
}

/*
 * Append the parts of the heap, or of its growth: "+1.4 MB kept alive, +48 B
 * garbage". With several dumps, a last part says what did not change.
 */
static void
add_parts(struct hp_buf *b, const struct hp_answer *a)
{
	struct hp_buf parts = {0};
	const char *unchanged =
		a->kept.growth == 0 && a->garbage.growth == 0
			? "; memory kept alive and garbage unchanged"
		: a->kept.growth == 0	 ? "; memory kept alive unchanged"
		: a->garbage.growth == 0 ? "; garbage unchanged"
					 : "";

	add_part(&parts, a, &a->kept, true, " kept alive");
	add_part(&parts, a, &a->queue, false, " in the finalizer queue");
	add_part(&parts, a, &a->weak, false, " weakly reachable");
	add_part(&parts, a, &a->hidden, false, " kept by hidden fields");
	add_part(&parts, a, &a->garbage, true, " garbage");
	if (a->compared && parts.len > 0)
		hp_buf_text(&parts, unchanged);
	hp_buf_text(b, hp_buf_string(&parts));
	hp_buf_inherit(b, &parts);
	hp_buf_release(&parts);
}

/*
 * Append the line about memory outside the heap, if it is large: "outside the
 * heap, objects own 6.3 MB → 62.5 MB: +56.3 MB".
 */
static void
add_native(struct hp_buf *b, const struct hp_answer *a)
{
	if (a->native.last <= a->heap.last / NATIVE_PARTS)
		return;
	hp_buf_text(b, "outside the heap, objects own ");
	if (a->compared && a->native.growth != 0) {
		hp_size_text(b, a->native.first);
		hp_buf_text(b, " → ");
	}
	hp_size_text(b, a->native.last);
	if (a->compared && a->native.growth != 0) {
		hp_buf_text(b, ": ");
		hp_size_text_signed(b, a->native.growth);
	}
	hp_buf_byte(b, '\n');
}

/*
 * Append the line about the heap: "heap 703 KB → 2.1 MB: +1.4 MB, of which +1.4
 * MB kept alive; garbage unchanged".
 */
static void
add_heap(struct hp_buf *b, const struct hp_answer *a)
{
	struct hp_buf parts = {0};
	bool same;

	if (a->of_graph)
		add_parts(&parts, a);
	same = a->compared && a->heap.growth == 0 && parts.len == 0;
	hp_buf_text(b, "heap ");
	if (a->compared && !same) {
		hp_size_text(b, a->heap.first);
		hp_buf_text(b, " → ");
	}
	hp_size_text(b, a->heap.last);
	if (same)
		hp_buf_text(b, ", as before");
	if (a->compared && !same) {
		hp_buf_text(b, ": ");
		hp_size_text_signed(b, a->heap.growth);
	}
	if (parts.len > 0)
		hp_buf_printf(b, ", of which %s", hp_buf_string(&parts));
	hp_buf_inherit(b, &parts);
	hp_buf_release(&parts);
	hp_buf_byte(b, '\n');
	add_native(b, a);
}

static const char *
share_words(const struct hp_answer *a)
{
	return a->compared ? " of the growth" : " of what is kept alive";
}

/*
 * Append the numbers of a suspect: "+1.3 MB 93 % of what is kept alive". If
 * @pad is true, align them with the numbers of other suspects.
 */
static void
add_figures(struct hp_buf *b, const struct hp_answer *a,
	    const struct hp_suspect *s, bool pad)
{
	struct hp_buf size = {0}, part = {0};
	uint64_t share;

	if (a->compared && s->was_known)
		hp_size_text_signed(&size, hp_growth(hp_suspect_bytes(s, 0),
						     hp_suspect_bytes(s, 1)));
	else
		hp_size_text(&size, hp_suspect_bytes(s, 1));
	hp_buf_fill(b, ' ', pad && size.len < SIZE ? SIZE - size.len : 0);
	hp_buf_text(b, hp_buf_string(&size));
	if (hp_answer_share(a, s, &share)) {
		hp_percent_text(&part, share);
		hp_buf_text(b, pad ? "" : ", ");
		if (pad)
			hp_buf_fill(b, ' ',
				    part.len < SHARE ? SHARE - part.len : 1);
		hp_buf_text(b, hp_buf_string(&part));
		hp_buf_text(b, share_words(a));
		/* in a table, a line of its own says this for all suspects */
		hp_buf_text(b, pad ? "" : a->besides);
	} else if (a->compared && !s->was_known) {
		hp_buf_text(b, ", growth not known");
	}
	hp_buf_inherit(b, &size);
	hp_buf_inherit(b, &part);
	hp_buf_release(&size);
	hp_buf_release(&part);
}

/*
 * A command for a shell. If it is wider than a line, it is divided into several
 * lines, which end with a backslash, so that it can be copied.
 */
struct command {
	struct hp_buf *b;
	size_t width; /* the width of a line; 0: no limit */
	size_t used;  /* number of columns of the last line */
};

/* Append a word to a command, in the same line or in a new one. */
static void
add_word(struct command *c, const struct hp_buf *word)
{
	size_t width = hp_text_width(word->data, word->len);

	/* a space and a backslash may follow */
	if (c->width > 0 && c->used + 1 + width + 2 > c->width) {
		hp_buf_text(c->b, " \\\n");
		hp_buf_fill(c->b, ' ', CONTINUED);
		c->used = CONTINUED;
	} else {
		hp_buf_byte(c->b, ' ');
		c->used++;
	}
	hp_buf_add(c->b, word->data, word->len);
	c->used += width;
}

/* Append a text in single quotes, so that a shell takes it as one word. */
static void
add_quoted(struct hp_buf *b, const char *text)
{
	hp_buf_byte(b, '\'');
	for (const char *p = text; *p; p++) {
		if (*p == '\'')
			hp_buf_text(b, "'\\''");
		else
			hp_buf_byte(b, *p);
	}
	hp_buf_byte(b, '\'');
}

/*
 * Write the option --why for a class. If the option is wider than a line, write
 * a pattern for the end of the name, because a command with a shortened name
 * would be wrong.
 */
static void
write_why(struct hp_buf *b, const char *class, size_t width)
{
	const char *rest = class;

	for (;;) {
		size_t used;

		hp_buf_clear(b);
		hp_buf_text(b, "--why=");
		if (rest == class) {
			add_quoted(b, class);
		} else {
			struct hp_buf pattern = {0};

			hp_buf_printf(&pattern, "*%s", rest);
			add_quoted(b, hp_buf_string(&pattern));
			hp_buf_inherit(b, &pattern);
			hp_buf_release(&pattern);
		}
		used = CONTINUED + 2 + hp_text_width(b->data, b->len);
		if (width == 0 || used <= width || !*rest)
			return;
		/* leave out a character of one or more bytes of UTF-8 */
		for (used -= width; used > 0 && *rest; used--)
			do
				rest++;
			while (((unsigned char)*rest & 0xc0) == 0x80);
	}
}

/*
 * Append the command that the user should run next: --why for the class of the
 * suspect, or with the id of the suspect. The choice depends only on the
 * suspect. The command contains the paths of the dumps, unless they are long.
 * @width: the width of a line; 0: no limit
 */
static void
add_next(struct hp_buf *b, const struct hp_result *r,
	 const struct hp_suspect *s, size_t width)
{
	size_t first = s->why ? 0 : r->ndumps - 1;
	struct command c = {.b = b, .width = width, .used = INDENT};
	struct hp_buf word = {0};
	bool plain = r->ndumps < 3;

	hp_buf_text(b, "next: hprof-diff");
	c.used += strlen("next: hprof-diff");
	if (s->why)
		write_why(&word, s->why, width);
	else
		hp_buf_printf(&word, "--why=0x%" PRIx64, s->id);
	add_word(&c, &word);
	for (size_t i = first; i < r->ndumps; i++)
		plain &= strlen(r->dumps[i].path) <= LONG_PATH &&
			 !strpbrk(r->dumps[i].path, " '\"\\$`*?&;<>|()");
	for (size_t i = first; i < r->ndumps && plain; i++) {
		hp_buf_inherit(b, &word);
		hp_buf_clear(&word);
		hp_text_clean(&word, r->dumps[i].path,
			      strlen(r->dumps[i].path));
		add_word(&c, &word);
	}
	hp_buf_inherit(b, &word);
	hp_buf_release(&word);
	hp_buf_text(b, plain ? "" : " …");
}

/*
 * Append how fast the suspect grows, and when the heap doubles at this rate:
 * "+4.0 MB a dump; at this rate the heap doubles to 512.0 MB in about 2 h".
 */
static void
add_forecast(struct hp_buf *b, const struct hp_answer *a,
	     const struct hp_suspect *s)
{
	const struct hp_suspect_evidence *e = &s->evidence;
	struct hp_answer_forecast f;

	if (!e->is_linear || e->bytes_per_dump < 1)
		return;
	hp_size_text_signed(b, (int64_t)e->bytes_per_dump);
	hp_buf_text(b, " a dump");
	if (hp_answer_forecast(a, s, &f)) {
		hp_buf_text(b, "; at this rate the heap doubles to ");
		hp_size_text(b, f.bytes);
		hp_buf_text(b, " in about ");
		if (f.ms > 0)
			hp_answer_duration(b, f.ms);
		else
			hp_count_noun_text(b, f.dumps, "more dump");
	}
	hp_buf_text(b, " · ");
}

/*
 * Append the path that keeps the suspect alive. If the suspect consists of
 * several objects, also append the number of those that grew.
 */
static void
add_owners(struct hp_buf *b, const struct hp_answer *a,
	   const struct hp_suspect *s)
{
	const struct hp_suspect_evidence *e = &s->evidence;

	if (e->owners == 0)
		return;
	if (s->holders[1] > 1 && !a->compared) {
		hp_buf_text(b, "no single owner · ");
	} else if (s->holders[1] > 1) {
		if (e->owners < s->holders[1])
			hp_count_text(b, e->owners);
		else
			hp_buf_text(b, "all");
		hp_buf_text(b, " of them grew · ");
	} else {
		hp_buf_text(b, e->has_other_roots
				       ? "other roots keep it alive also · "
			       : e->has_other_fields
				       ? "other static fields keep it alive "
					 "also · "
				       : "one owner · ");
	}
}

/* Append the facts which show that the suspect grows. */
static void
add_evidence(struct hp_buf *b, const struct hp_answer *a,
	     const struct hp_suspect *s)
{
	const struct hp_suspect_evidence *e = &s->evidence;
	bool grown = a->compared && s->was_known;

	if (hp_suspect_has_native(s) &&
	    (!grown || s->native[1] > s->native[0])) {
		hp_size_text(b, s->native[1] - (grown ? s->native[0] : 0));
		hp_buf_text(b, " of the ");
		if (grown)
			hp_buf_text(b, "growth");
		else
			hp_size_text(b, hp_suspect_bytes(s, 1));
		hp_buf_text(b, " are outside the heap · ");
	}
	/*
	 * with two dumps there is only one step, and the previous line already
	 * shows that the suspect grew
	 */
	if (a->compared && e->steps > 1)
		hp_buf_printf(b, "grew in %u of %u steps · ", e->grew,
			      e->steps);
	add_owners(b, a, s);
	if (e->new_elements > 0 && e->element_bytes > 0) {
		hp_size_text(b, e->element_bytes);
		hp_buf_text(b, " a new element · ");
	}
	add_forecast(b, a, s);
}

/*
 * Append the id of the suspect. If the suspect consists of several objects, it
 * is the id of the one that grew most.
 */
static void
add_object(struct hp_buf *b, const struct hp_answer *a,
	   const struct hp_suspect *s)
{
	if (s->holders[1] > 1)
		hp_buf_text(b, a->compared ? "grew most: " : "largest: ");
	hp_buf_printf(b, "object 0x%" PRIx64 " · ", s->id);
}

/*
 * Append the evidence for a suspect and the next command. The command gets a
 * line of its own if both do not fit in one line.
 */
static void
add_advice(struct hp_buf *b, const struct hp_result *r,
	   const struct hp_answer *a, const struct hp_suspect *s, size_t width)
{
	struct hp_buf evidence = {0}, next = {0};
	size_t used, more;

	add_next(&next, r, s, width);
	/* print the id of the object only if the command does not contain it */
	if (s->why)
		add_object(&evidence, a, s);
	add_evidence(&evidence, a, s);
	used = hp_text_width(evidence.data, evidence.len);
	more = hp_text_width(next.data, next.len);
	hp_buf_text(b, "\n   ");
	if (used > 0 && width && used + more + INDENT > width) {
		/*
		 * remove the last " · ", because the command gets a line of its
		 * own
		 */
		hp_buf_add(b, evidence.data, evidence.len - strlen(" · "));
		hp_buf_text(b, "\n   ");
	} else {
		hp_buf_add(b, evidence.data, evidence.len);
	}
	hp_buf_add(b, next.data, next.len);
	hp_buf_byte(b, '\n');
	hp_buf_inherit(b, &evidence);
	hp_buf_inherit(b, &next);
	hp_buf_release(&evidence);
	hp_buf_release(&next);
}

/*
 * Append a label, and spaces up to the column after the next @room columns. If
 * the label does not fit into @room columns without packages and outer classes,
 * it gets a line of its own, of @width columns, where no name is cut in its
 * middle if possible.
 */
static void
add_label(struct hp_buf *b, const char *label, size_t room, size_t width)
{
	struct hp_buf fitted = {0};
	size_t used = 0;

	if (hp_label_fit(&fitted, label, room) &&
	    (strstr(label, "…") || !strstr(hp_buf_string(&fitted), "…"))) {
		used = hp_text_width(fitted.data, fitted.len);
	} else {
		hp_buf_clear(&fitted);
		if (!hp_label_fit(&fitted, label, width))
			hp_text_fit(&fitted, label, strlen(label), width);
		hp_buf_text(&fitted, "\n   ");
	}
	hp_buf_text(b, hp_buf_string(&fitted));
	hp_buf_fill(b, ' ', used < room ? room - used : 0);
	hp_buf_inherit(b, &fitted);
	hp_buf_release(&fitted);
}

static bool
has_loader(const struct hp_suspect *s, const char *loader)
{
	return s->loader && strcmp(s->loader, loader) == 0;
}

/* Find the next suspect from index @i on with this loader. */
static size_t
next_of_loader(const struct hp_result *r, const char *loader, size_t i)
{
	while (i < r->nsuspects && i < SUSPECTS_SHOWN &&
	       !has_loader(&r->suspects[i], loader))
		i++;
	return i < SUSPECTS_SHOWN ? i : r->nsuspects;
}

/*
 * Append the class loader of suspect @i. Suspects often have the same loader,
 * so the first of them also names the others: "loader of suspects 1, 2 and 4:
 * …". If the line is too wide, only the name of the loader is shortened.
 */
static void
add_loader(struct hp_buf *b, const struct hp_result *r, size_t i, size_t width)
{
	const char *loader = r->suspects[i].loader;
	struct hp_buf line = {0};
	size_t next;

	if (!loader || next_of_loader(r, loader, 0) < i)
		return;
	hp_buf_text(&line, "loader");
	next = next_of_loader(r, loader, i + 1);
	if (next < r->nsuspects)
		hp_buf_printf(&line, " of %ss %zu", hp_suspect_words(r)->noun,
			      i + 1);
	while (next < r->nsuspects) {
		size_t after = next_of_loader(r, loader, next + 1);

		hp_buf_printf(&line, "%s%zu",
			      after < r->nsuspects ? ", " : " and ", next + 1);
		next = after;
	}
	hp_buf_printf(&line, ": %s", loader);
	hp_buf_text(b, "\n   ");
	if (!width || !hp_label_fit(b, hp_buf_string(&line), width))
		hp_buf_text(b, hp_buf_string(&line));
	hp_buf_inherit(b, &line);
	hp_buf_release(&line);
}

static void
add_suspect(struct hp_buf *b, const struct hp_result *r,
	    const struct hp_answer *a, size_t i, size_t width)
{
	const struct hp_suspect *s = &r->suspects[i];
	size_t figures = INDENT + 1 + SIZE + SHARE + strlen(share_words(a));
	struct hp_buf label = {0};
	size_t room, line;

	hp_suspect_label(&label, s, a->compared && s->was_known);
	if (width > WIDEST)
		width = WIDEST;
	line = room = hp_text_width(label.data, label.len);
	if (width > 0) {
		room = width < figures + LEAST_LABEL ? 0 : width - figures;
		line = width > INDENT ? width - INDENT : 0;
	}
	hp_buf_printf(b, "%zu  ", i + 1);
	add_label(b, hp_buf_string(&label), room, line);
	hp_buf_byte(b, ' ');
	add_figures(b, a, s, true);
	hp_buf_text(b, "\n   ");
	if (s->of_largest) {
		hp_buf_text(b, "the largest of ");
		hp_count_text(b, s->holders[1]);
		hp_buf_text(b, ": ");
	}
	hp_buf_text(b, s->path);
	add_loader(b, r, i, line);
	if (s->known) {
		hp_buf_text(b, "\n   ");
		hp_known_text(b, s->known);
	}
	add_advice(b, r, a, s, width);
	hp_buf_inherit(b, &label);
	hp_buf_release(&label);
}

static void
put_text(struct hp_json *j, const char *key, struct hp_buf *text)
{
	/*
	 * remove line feeds and spaces at the end, which only a terminal needs
	 */
	while (text->len > 0 && (text->data[text->len - 1] == '\n' ||
				 text->data[text->len - 1] == ' '))
		text->len--;
	hp_json_put_buf(j, key, text);
	hp_buf_release(text);
}

static void
write_suspect(struct hp_json *j, const struct hp_result *r,
	      const struct hp_answer *a, const struct hp_suspect *s)
{
	struct hp_buf label = {0}, figures = {0}, evidence = {0}, next = {0};

	hp_json_object_flat(j);
	hp_suspect_label(&label, s, a->compared && s->was_known);
	put_text(j, "label", &label);
	add_figures(&figures, a, s, false);
	put_text(j, "figures", &figures);
	add_evidence(&evidence, a, s);
	if (evidence.len > 0 || !hp_buf_ok(&evidence))
		put_text(j, "evidence", &evidence);
	add_next(&next, r, s, 0);
	put_text(j, "next", &next);
	if (s->box > 0)
		hp_json_put_u64(j, "box", s->box);
	hp_json_object_end(j);
}

/*
 * For a profile, write which row has the largest share of the events or of the
 * time. Returns false, and writes nothing, if there is no such row.
 *
 * @before: the sentences before this one
 */
static bool
write_largest(struct hp_json *j, const struct hp_result *r,
	      struct hp_buf *before)
{
	enum hp_col c = hp_html_weight(r, 0);
	uint64_t most, whole = hp_html_whole(r, 0);
	const struct hp_row *top = hp_html_largest(r, 0, &most);
	struct hp_buf b = {0};

	if (!top || whole == 0)
		return false;
	if (before->len > 0)
		hp_buf_byte(before, ' ');
	hp_buf_text(before, "The largest part is ");
	hp_json_buf(j, before);
	hp_json_array_flat(j);
	hp_json_visible(j, top->key, top->key_len);
	hp_json_array_end(j);
	hp_buf_text(&b, ": ");
	hp_html_value(&b, c, most);
	hp_buf_text(&b, ", ");
	hp_percent_text(&b, hp_percent_of(most, whole));
	hp_buf_byte(&b, '.');
	hp_json_buf(j, &b);
	hp_buf_release(&b);
	return true;
}

/* Append a text as a sentence: with a capital letter and a full stop. */
static void
add_sentence(struct hp_buf *b, const char *text)
{
	if (!text)
		return;
	hp_buf_printf(b, "%s%c%s.", b->len > 0 ? " " : "",
		      toupper((unsigned char)*text), text + 1);
}

/*
 * Write the JSON member "sentence": what to know about the suspects, as a list
 * of texts. A text in an array of its own is emphasised.
 */
static void
write_sentence(struct hp_json *j, const struct hp_result *r,
	       const struct hp_answer *a)
{
	struct hp_buf b = {0}, label = {0};

	hp_json_put_array_flat(j, "sentence");
	add_sentence(&b, a->incomplete);
	if (r->ndumps == 1 && hp_key_is(r->by, HP_KEY_EVENTS) &&
	    write_largest(j, r, &b)) {
		hp_json_array_end(j);
		hp_buf_release(&b);
		return;
	}
	add_sentence(&b, a->missing);
	if (r->nsuspects == 0) {
		if (!a->missing && r->suspects_sought && r->ndumps > 1 &&
		    r->changed)
			hp_buf_text(&b, "No single object retains much of the "
					"growth.");
	} else if (r->ndumps == 1 && !hp_suspect_stands_out(r)) {
		add_sentence(&b, "nothing stands out");
	} else {
		const struct hp_suspect *s = &r->suspects[0];

		if (b.len > 0)
			hp_buf_byte(&b, ' ');
		if (r->nsuspects > 1) {
			hp_buf_text(&b, "The first of ");
			hp_count_noun_text(&b, r->nsuspects,
					   hp_suspect_words(r)->noun);
			hp_buf_text(&b, " is ");
		} else {
			hp_buf_text(&b, hp_suspect_words(r)->only);
		}
		hp_json_buf(j, &b);
		hp_buf_clear(&b);
		hp_suspect_label(&label, s, a->compared && s->was_known);
		hp_json_array_flat(j);
		hp_json_buf(j, &label);
		hp_json_array_end(j);
		hp_buf_text(&b, ": ");
		add_figures(&b, a, s, false);
		hp_buf_byte(&b, '.');
	}
	hp_json_buf(j, &b);
	hp_json_array_end(j);
	hp_buf_release(&b);
	hp_buf_release(&label);
}

void
hp_answer_json(struct hp_json *j, const struct hp_result *r)
{
	struct hp_buf parts = {0};
	struct hp_answer a;

	hp_answer_find(&a, r);
	hp_json_put_object(j, "answer");
	/* with one dump, a card of the page shows the parts of the heap */
	if (a.of_graph && a.compared && hp_html_of_heap(r)) {
		add_parts(&parts, &a);
		hp_html_put_figures(j, "parts", &parts);
		hp_buf_release(&parts);
	}
	if (hp_html_of_heap(r)) {
		add_native(&parts, &a);
		hp_buf_inherit(&j->buf, &parts);
		if (parts.len > 0) {
			parts.data[0] = 'O';
			put_text(j, "outside", &parts);
		}
	}
	if (a.of_graph) {
		hp_json_put_array_flat(j, "garbage");
		hp_json_u64(j, a.garbage.first);
		hp_json_u64(j, a.garbage.last);
		hp_json_array_end(j);
		hp_json_put_array_flat(j, "weak");
		hp_json_u64(j, a.weak.first);
		hp_json_u64(j, a.weak.last);
		hp_json_array_end(j);
		hp_json_put_array_flat(j, "hidden_fields");
		hp_json_u64(j, a.hidden.first);
		hp_json_u64(j, a.hidden.last);
		hp_json_array_end(j);
	}
	if (a.missing)
		hp_json_put_string(j, "missing", a.missing);
	hp_json_put_array(j, "suspects");
	for (size_t i = 0; i < r->nsuspects; i++)
		write_suspect(j, r, &a, &r->suspects[i]);
	hp_json_array_end(j);
	write_sentence(j, r, &a);
	hp_json_object_end(j);
}

static void
add_failed(struct hp_buf *b, const struct hp_failed_thread *f)
{
	if (f->name)
		hp_buf_printf(b, "OutOfMemoryError in thread \"%s\"", f->name);
	else
		hp_buf_text(b, "OutOfMemoryError in a thread");
	hp_buf_text(b, ", which retains ");
	hp_size_text(b, f->retained.bytes);
	hp_buf_printf(b, " (--why=0x%" PRIx64 ")\n", f->id);
	for (size_t i = 0; i < f->nframes; i++)
		hp_buf_printf(b, "   at %s\n", f->frames[i]);
	if (f->more_frames > 0) {
		hp_buf_text(b, "   ");
		hp_count_text(b, f->more_frames);
		hp_buf_text(b, " more\n");
	}
	hp_buf_byte(b, '\n');
}

/*
 * Append how much of the growth the suspects explain together, for example "2
 * suspects explain 97 % of the growth of what is kept alive".
 */
static void
add_explained(struct hp_buf *b, const struct hp_result *r,
	      const struct hp_answer *a)
{
	uint64_t part = (uint64_t)r->explained_growth;
	uint64_t whole = (uint64_t)r->reachable_growth;

	if (r->reachable_growth <= 0 || r->explained_growth <= 0)
		return;
	hp_count_noun_text(b, r->nsuspects, "suspect");
	hp_buf_text(b, r->nsuspects == 1 ? " explains " : " explain ");
	hp_percent_text(b, hp_percent_of(part < whole ? part : whole, whole));
	hp_buf_printf(b, " of %s\n", a->explained_of);
}

void
hp_answer_text(struct hp_buf *b, const struct hp_result *r, size_t width)
{
	struct hp_answer a;

	hp_answer_find(&a, r);
	add_files(b, r, &a);
	if (a.of_objects)
		add_heap(b, &a);
	if (a.incomplete)
		hp_buf_printf(b, "%s\n", a.incomplete);
	if (a.missing)
		hp_buf_printf(b, "%s\n", a.missing);
	hp_buf_byte(b, '\n');
	if (r->failed.found)
		add_failed(b, &r->failed);
	if (!a.compared && r->suspects_sought)
		hp_buf_text(b, hp_suspect_stands_out(r) ? "the largest owners"
			       : r->nsuspects > 0
				       ? "nothing stands out; the largest "
					 "owners"
				       : "nothing stands out");
	if (!a.compared && r->suspects_sought && r->nsuspects > 0) {
		if (a.besides[0])
			hp_buf_printf(b, ", in percent of %s", a.explained_of);
		hp_buf_byte(b, ':');
	}
	if (!a.compared && r->suspects_sought)
		hp_buf_byte(b, '\n');
	for (size_t i = 0; i < r->nsuspects && i < SUSPECTS_SHOWN; i++)
		add_suspect(b, r, &a, i, width);
	if (r->nsuspects > 0 && a.compared)
		add_explained(b, r, &a);
	if (r->nsuspects > SUSPECTS_SHOWN)
		hp_buf_printf(b, "(%zu more with --retained --format=json)\n",
			      r->nsuspects - SUSPECTS_SHOWN);
	if (r->nsuspects == 0 && r->suspects_sought && a.compared)
		hp_buf_text(b, "no object retains much more than "
			       "before\n");
	if (r->nsuspects > 0 || r->suspects_sought)
		hp_buf_byte(b, '\n');
	hp_findings_text(b, r, SUSPECTS_SHOWN, width);
}
