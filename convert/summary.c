/*
 * summary.c - print what a conversion changed, what was lost, and what a
 * stripped dump may still reveal
 */
#include "convert/pipeline.h"

#include "common/cli/quantity.h"

struct summary {
	const struct hp_pipeline *s;
	const struct hp_messages *m;
	struct hp_buf text;
};

/*
 * Append @before, a number with its noun, for example "1,234 arrays", and
 * @after.
 */
static void
add_number(struct summary *t, const char *before, uint64_t n, const char *one,
	   const char *after)
{
	hp_buf_text(&t->text, before);
	hp_count_noun_text(&t->text, n, one);
	hp_buf_text(&t->text, after);
}

/*
 * Append an item of a list: a number with its noun, for example "2 fields". A
 * comma comes before it, unless it is the first item.
 */
static void
add_count(struct summary *t, uint64_t n, const char *one, const char *after)
{
	add_number(t, t->text.len > 0 ? ", " : "", n, one, after);
}

static void
print_line(struct summary *t, enum hp_message_level level, const char *intro)
{
	hp_message(t->m, level, t->s->options->input, "%s%s", intro,
		   hp_buf_string(&t->text));
	hp_buf_clear(&t->text);
}

static void
say_android_to_jvm(struct summary *t)
{
	const struct hp_android_to_jvm_result *r = &t->s->standard;

	add_count(t, r->roots, "root", " changed to ROOT UNKNOWN");
	add_count(t, r->arrays, "array", " without data became empty");
	print_line(t, HP_MESSAGE_DETAIL, "");
}

static void
say_renamed(struct summary *t)
{
	const struct hp_rename_counts *c = &t->s->renamed;
	bool fits = hp_rename_fit(c, &t->text);

	print_line(t, fits ? HP_MESSAGE_NOTE : HP_MESSAGE_WARNING, "");
	add_count(t, c->fields, "field", " renamed");
	add_count(t, c->frames, "stack frame", " renamed");
	if (c->ambiguous)
		add_count(t, c->ambiguous, "name",
			  " left as it is, because several are possible");
	print_line(t, HP_MESSAGE_DETAIL, "");
}

static void
add_nulled(struct summary *t, const struct hp_filter_objects_result *s)
{
	add_count(t, s->roots, "root", " left out");
	add_count(t, s->references, "reference", " nulled");
}

static void
say_heaps(struct summary *t)
{
	add_count(t, t->s->heaps.objects, "object", " of other heaps left out");
	add_nulled(t, &t->s->heaps);
	if (t->s->options->prune) {
		hp_buf_text(&t->text, ", ");
		hp_count_text(&t->text, t->s->heaps.classes);
		hp_buf_text(&t->text, t->s->heaps.classes == 1
					      ? " class pruned"
					      : " classes pruned");
	}
	print_line(t, HP_MESSAGE_NOTE, "");
}

/*
 * If decompression ended too early, append how much was recovered, and that the
 * size of the rest is not known.
 */
static void
add_early_end(struct summary *t)
{
	const struct hp_salvage_result *r = &t->s->salvage;
	const struct hp_container_note *end = &t->s->early_end;

	if (end->raw == 0)
		return;
	hp_buf_text(&t->text, "; the compressed data can be read up to byte ");
	hp_count_text(&t->text, end->raw);
	hp_buf_text(&t->text, " of the file: ");
	hp_count_noun_text(&t->text, end->offset, "byte");
	hp_buf_text(&t->text, " of the dump were decompressed, with ");
	hp_count_noun_text(&t->text, r->found, "object");
	hp_buf_text(&t->text,
		    r->ended && r->lost == 0 && r->missing == 0
			    ? "; the dump has its last record, so nothing "
			      "seems to be missing"
			    : "; the rest of the dump is missing, and its "
			      "length is not known");
}

static void
say_salvage(struct summary *t)
{
	const struct hp_salvage_result *r = &t->s->salvage;

	if (r->preamble) {
		hp_buf_printf(&t->text, "the dump begins at byte %llu, after ",
			      (unsigned long long)r->preamble);
		hp_buf_text(&t->text, r->http ? "HTTP headers"
					      : "bytes of something else");
		hp_buf_text(&t->text, "; the output begins with the dump");
		print_line(t, HP_MESSAGE_NOTE, "");
	}
	if (t->s->container.status != HP_OK) {
		hp_buf_text(&t->text, t->s->container.text);
		add_early_end(t);
		print_line(t, HP_MESSAGE_NOTE, "");
	}
	add_count(t, r->records, "record", " kept");
	/*
	 * report no lost bytes of the dump if only decompression lost bytes, or
	 * if only lines of a text are damaged
	 */
	if (r->lost > 0 || t->s->container.status == HP_OK)
		add_count(t, r->lost, "byte", " lost");
	if (r->places) {
		add_number(t, " in ", r->places, "place", "");
		hp_buf_printf(&t->text, ", the first at offset %llu",
			      (unsigned long long)r->first);
	}
	if (r->missing)
		add_count(t, r->missing, "byte", " of the last record missing");
	if (r->objects)
		add_number(t, ": about ", r->objects, "object", "");
	if (r->sifted.objects)
		add_count(t, r->sifted.objects, "object",
			  " left out because no class fits");
	if (r->sifted.sizes)
		add_count(t, r->sifted.sizes, "instance size",
			  " of a class corrected");
	if (t->s->options->null_dangling)
		add_nulled(t, &r->sifted);
	if (r->missing)
		hp_buf_text(&t->text, "; what followed is not known");
	print_line(t, HP_MESSAGE_NOTE, "salvaged: ");
	if (r->version_unknown) {
		hp_buf_text(&t->text, "the version in the header is not known, "
				      "so the header of the output has another "
				      "version");
		print_line(t, HP_MESSAGE_WARNING, "");
	}
	if (r->cropped) {
		add_number(t, "", r->cropped, "array",
			   " without elements: the writer left them out, and "
			   "only the lengths are known");
		print_line(t, HP_MESSAGE_WARNING, "");
	}
	if (r->second) {
		hp_buf_printf(&t->text,
			      "another dump begins at offset %llu: it is not "
			      "in the output; to salvage it, extract it with "
			      "tail -c +%llu",
			      (unsigned long long)r->second,
			      (unsigned long long)r->second + 1);
		print_line(t, HP_MESSAGE_WARNING, "");
	}
	if (r->found == 0)
		hp_buf_text(&t->text, "the output has no objects");
	else if (r->roots == 0)
		hp_buf_text(&t->text, "the output has no roots: tools that "
				      "show only reachable objects show "
				      "nothing (in Eclipse MAT, select 'Keep "
				      "unreachable objects')");
	if (t->text.len > 0)
		print_line(t, HP_MESSAGE_WARNING, "");
}

static void
say_cut(struct summary *t)
{
	hp_buf_text(&t->text, t->s->container.text);
	hp_buf_text(&t->text, "; wrote only what could be decompressed, ");
	hp_size_text(&t->text, t->s->copied);
	print_line(t, HP_MESSAGE_RESULT, "");
}

static void
add_remainder(struct summary *t)
{
	const struct hp_copy_result *c = &t->s->copy;
	const struct hp_policy *p = &t->s->options->policy;

	const struct {
		bool there;
		const char *what;
	} rest[] = {
		{c->remainder.thread_names, ", thread names"},
		{c->stripped.heaps, ", heap names"},
		{!p->strings, p->matching ? ", other string constants"
					  : ", string constants"},
		{p->array_types != HP_POLICY_ALL_TYPES || p->keep_first,
		 p->matching ? ", elements of other arrays"
			     : ", elements of arrays"},
		{p->field_types != HP_POLICY_ALL_TYPES, ", primitive fields"},
		{c->remainder.counts,
		 ", counts in summaries, allocation sites and "
		 "samples"},
		{c->remainder.time && !p->times, ", the dump's time"},
		{c->remainder.record_times && !p->times, ", times of records"},
		{c->stripped.reserved, ", reserved ids"},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(rest); i++)
		if (rest[i].there)
			hp_buf_text(&t->text, rest[i].what);
	hp_buf_text(&t->text, ", lengths, references and serial numbers");
	if (p->nkeep)
		hp_buf_text(&t->text, ", values that --keep selects");
}

/*
 * For --shareable: print in whole sentences what was removed, what the output
 * still contains, and how this was checked.
 */
static void
say_shareable(struct summary *t)
{
	const struct hp_copy_result *c = &t->s->copy;
	const struct hp_policy *p = &t->s->options->policy;

	hp_buf_text(&t->text,
		    "removed: the contents of all texts and arrays, so also "
		    "passwords, system properties and environment variables, "
		    "and the values of all numbers and flags");
	add_number(t, " (", c->stripped.arrays, "array", "");
	add_count(t, c->stripped.fields, "field", "");
	add_count(t, c->stripped.strings, "string constant", "");
	add_count(t, c->stripped.bytes, "byte", ")");
	if (p->times)
		hp_buf_text(&t->text, ", and all times");
	print_line(t, HP_MESSAGE_NOTE, "");
	hp_buf_text(&t->text,
		    "kept: the names of classes, fields, methods and source "
		    "files, stack traces, ids, the number and sizes of the "
		    "objects and the lengths of texts, the references between "
		    "them");
	if (c->stripped.heaps)
		hp_buf_text(&t->text, ", names of heaps");
	if (c->remainder.thread_names)
		hp_buf_text(&t->text, ", names of threads");
	if (c->remainder.counts)
		hp_buf_text(&t->text, ", counts of allocations and samples");
	if (c->remainder.time && !p->times)
		hp_buf_text(&t->text,
			    ", the time of the dump (--no-times removes it)");
	else if (c->remainder.record_times && !p->times)
		hp_buf_text(&t->text, ", times of records (--no-times removes "
				      "them)");
	if (c->stripped.reserved)
		hp_buf_text(&t->text, ", reserved ids");
	print_line(t, HP_MESSAGE_NOTE, "");
	hp_buf_text(&t->text,
		    "checked: other code has read the output. Everything that "
		    "is listed as removed is gone, and no other byte has "
		    "changed");
	print_line(t, HP_MESSAGE_NOTE, "");
}

static void
say_strip(struct summary *t)
{
	const struct hp_strip_stats *r = &t->s->copy.stripped;
	const struct hp_policy *p = &t->s->options->policy;

	if (p->array_types || p->matching)
		add_count(t, r->arrays, "array", "");
	if (p->field_types)
		add_count(t, r->fields, "field", "");
	if (p->strings || p->matching)
		add_count(t, r->strings, "string", "");
	if (p->times)
		hp_buf_text(&t->text, t->text.len > 0 ? ", times" : "times");
	add_count(t, r->bytes, "byte", "");
	if (p->nkeep)
		add_number(t, "; kept ", r->kept, "object", "");
	hp_buf_text(&t->text, "; the check of the output passed");
	print_line(t, HP_MESSAGE_NOTE, "stripped ");
	add_remainder(t);
	print_line(t, HP_MESSAGE_NOTE, "kept: class, member and file names");
}

static void
warn_unused_patterns(struct summary *t)
{
	const struct hp_policy *p = &t->s->options->policy;

	for (unsigned i = 0; i < p->nkeep; i++)
		if (!(t->s->copy.keep_used >> i & 1))
			hp_message(t->m, HP_MESSAGE_WARNING,
				   t->s->options->input,
				   "--keep=%s: there is no such class, or it "
				   "has no such field of a reference type",
				   p->keep[i]);
}

static void
say_strings(struct summary *t)
{
	uint64_t missing = t->s->text.missing + t->s->ndjson.missing;

	if (missing == 0)
		return;
	add_count(t, missing, "String",
		  " without a value: their arrays are not in the dump");
	print_line(t, HP_MESSAGE_NOTE, "");
}

static void
say_threads(struct summary *t)
{
	const struct hp_threads_result *r = &t->s->threads;

	if (r->threads == 0)
		hp_message(t->m, HP_MESSAGE_WARNING, t->s->options->input,
			   "the dump has no threads: it has no ROOT THREAD "
			   "OBJECT");
	else if (r->stacks == 0)
		hp_message(t->m, HP_MESSAGE_WARNING, t->s->options->input,
			   "the dump has no stacks of threads");
	if (r->threads > 0 && r->states == 0)
		hp_message(t->m, HP_MESSAGE_NOTE, t->s->options->input,
			   "the states of threads are not in the dump");
}

/*
 * Print how many objects got an allocation trace. A few objects of the agent's
 * table got none, because the garbage collector removed them before the dump.
 */
static void
say_join(struct summary *t)
{
	add_count(t, t->s->joined.joined, "object", " of ");
	hp_count_text(&t->text, t->s->joined.noted);
	hp_buf_text(&t->text, " got an allocation trace");
	print_line(t, HP_MESSAGE_NOTE, "");
}

void
hp_summary(const struct hp_pipeline *s, const struct hp_messages *m)
{
	const struct hp_convert_options *o = s->options;
	struct summary t = {.s = s, .m = m};

	if (s->newer)
		hp_message(m, HP_MESSAGE_NOTE, o->input,
			   "the format is version 1.0; it was upgraded to "
			   "version 1.0.1 first");
	if (s->from_text && !hp_convert_holds(o, HP_OUTPUT_AGENT_TEXT))
		hp_message(m, HP_MESSAGE_NOTE, o->input,
			   "the input is text of the agent, which has no "
			   "values of primitive types: these values are zero "
			   "in the output");
	if (o->salvage)
		say_salvage(&t);
	else if (s->container.status != HP_OK)
		say_cut(&t);
	if (o->join_traces)
		say_join(&t);
	if (o->mappings.count > 0)
		say_renamed(&t);
	if (o->heaps)
		say_heaps(&t);
	if (o->standard)
		say_android_to_jvm(&t);
	if (o->shareable)
		say_shareable(&t);
	else if (hp_policy_strips(&o->policy))
		say_strip(&t);
	warn_unused_patterns(&t);
	say_strings(&t);
	if (hp_convert_holds(o, HP_OUTPUT_STACKS))
		say_threads(&t);
	if (s->ndjson.unrooted)
		hp_message(m, HP_MESSAGE_WARNING, o->input,
			   "no root refers to an object of the dump: all %llu "
			   "objects are unreachable, and nothing is retained",
			   (unsigned long long)s->ndjson.unrooted);
	hp_message_undescribed(m, o->input, &s->undescribed,
			       hp_convert_holds(o, HP_OUTPUT_FOLDER)
				       ? "their references are left out"
				       : hp_ndjson_lacks(o));
	hp_message_graph_in_files(m, o->input, s->ndjson.graph_in_files);
	if (s->ndjson.limited)
		hp_message(m, HP_MESSAGE_WARNING, o->input,
			   "references are written without the class of the "
			   "object that they refer to%s: %s",
			   o->edges ? ", and EDGE lines may refer to missing "
				      "objects, or come from objects with a "
				      "duplicate id"
				    : "",
			   s->ndjson.limited);
	hp_buf_release(&t.text);
}
