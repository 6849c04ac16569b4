/*
 * ndjson_edges.c - the pass that writes a line for each reference ("edge") from
 * one object to another
 */
#include "convert/export/ndjson.h"

#include "common/graph/class_edges.h"
#include "convert/copy/ordered_pass.h"

#include <inttypes.h>

struct edges {
	struct hp_ndjson_names *names;
	struct hp_ndjson_worker *workers;
};

/* The object whose references are being written. */
struct holder {
	const struct edges *e;
	struct hp_ndjson_worker *w;
	const struct hp_batch *batch;
	struct hp_buf *out;
	uint64_t id;
	/*
	 * the name of the class of the object; for a class object, the name of
	 * the class that it represents
	 */
	struct hp_name name;
};

/*
 * Append the beginning of the line of a reference, up to the name of the field.
 * If the reference is null, or its target is missing, append nothing and return
 * false.
 */
static bool
begin_edge(const struct holder *h, uint64_t to)
{
	struct hp_name held;

	if (to == 0)
		return false;
	held = hp_object_classes_name(&h->w->kinds, to);
	if (!held.data && !h->w->kinds.kinds->limited &&
	    !hp_object_classes_has(&h->w->kinds, to))
		return false;
	hp_ordered_pass_relieve(h->batch, h->out);
	hp_buf_printf(h->out,
		      "{\"record\":\"EDGE\",\"dump\":%u,"
		      "\"from\":\"0x%" PRIx64 "\",\"to\":\"0x%" PRIx64
		      "\",\"holder\":",
		      h->batch->dump, h->id, to);
	hp_ndjson_name(h->out, h->name);
	hp_buf_text(h->out, ",\"held\":");
	hp_ndjson_name(h->out, held);
	hp_buf_text(h->out, ",\"field\":\"");
	return true;
}

/*
 * Append the line of a reference that is not in a field. @word, for example
 * "<super>", is written instead of the name of a field.
 */
static void
add_edge(const struct holder *h, uint64_t to, const char *word)
{
	if (!begin_edge(h, to))
		return;
	hp_buf_text(h->out, word);
	hp_buf_text(h->out, "\"}\n");
}

static void
add_elements(const struct holder *h, const uint8_t *p, uint64_t n,
	     uint64_t first)
{
	unsigned width = h->e->names->id_size;

	for (uint64_t i = 0; i < n; i++, p += width)
		if (begin_edge(h, hp_load_id(p, width)))
			hp_buf_printf(h->out, "[%" PRIu64 "]\"}\n", first + i);
}

/*
 * Append the line of the reference from an array to its class, if the class has
 * a class dump.
 */
static void
add_array_class(const struct holder *h, uint64_t class_id)
{
	if (hp_dump_classes_get(&h->w->plans.classes, class_id))
		add_edge(h, class_id, "<class>");
}

static enum hp_status
add_fields(const struct holder *h, const struct hp_sub *s, struct hp_error *err)
{
	struct hp_ndjson_names *names = h->e->names;
	struct hp_field_plans *plans = &h->w->plans;
	const struct hp_class *k =
		hp_dump_classes_layout(&plans->classes, s->class_id);
	const struct hp_field_plan *plan;
	const uint8_t *p = s->data;

	add_edge(h, s->class_id, "<class>");
	if (!hp_instance_decodable(k, s))
		return HP_OK;
	plan = hp_field_plans_find(plans, &names->naming, names->id_size, k, s,
				   err);
	for (uint32_t i = 0; plan && i < plan->count;
	     p += plan->fields[i++].width) {
		const struct hp_planned_field *f = &plan->fields[i];

		if (!hp_type_is_reference(f->type) ||
		    !begin_edge(h, hp_load_id(p, f->width)))
			continue;
		hp_planned_field_name(f, h->out);
		hp_buf_text(h->out, "\"}\n");
	}
	return plan ? HP_OK : HP_LIMIT;
}

/*
 * Append the member "field" of a reference in a class dump, and end the line.
 */
static void
end_class_edge(const struct holder *h, const struct hp_class *c,
	       const struct hp_class_edge *e)
{
	static const char *const words[] = {
		[HP_CLASS_EDGE_SUPER] = "<super>",
		[HP_CLASS_EDGE_LOADER] = "<loader>",
		[HP_CLASS_EDGE_SIGNERS] = "<signers>",
		[HP_CLASS_EDGE_DOMAIN] = "<domain>"};

	if (e->of == HP_CLASS_EDGE_CONSTANT) {
		hp_buf_printf(h->out, "<constant %u>",
			      (unsigned)c->constants[e->index].index);
	} else if (e->of == HP_CLASS_EDGE_STATIC) {
		hp_name_cache_string(&h->e->names->naming,
				     c->statics[e->index].name, h->out);
	} else {
		hp_buf_text(h->out, words[e->of]);
	}
	hp_buf_text(h->out, "\"}\n");
}

/*
 * Append the lines for the references of a class. If several class dumps have
 * the same id, only the first one counts.
 */
static void
add_class(const struct holder *h, const struct hp_sub *s)
{
	const struct hp_class *c =
		hp_dump_classes_get(&h->w->plans.classes, s->id);
	struct hp_class_edge e = {0};

	if (!c || c->offset != s->offset)
		return;
	while (hp_class_edge_next(c, &e))
		if (begin_edge(h, e.to))
			end_class_edge(h, c, &e);
}

/*
 * Set the object whose references are written next, and the name of its class.
 * For a class object, @class_id is the id of the object itself.
 */
static void
set_holder(struct holder *h, uint64_t id, uint64_t class_id)
{
	h->id = id;
	h->name = hp_name_cache_class(&h->e->names->naming, class_id);
}

static enum hp_status
on_run(void *ctx, const struct hp_batch *b, const struct hp_run *r,
       const struct hp_sub *sub, struct hp_buf *out, struct hp_error *err)
{
	struct edges *e = ctx;
	struct hp_ndjson_worker *w = &e->workers[b->worker];
	const struct hp_piece *piece = &r->piece;
	struct holder h = {.e = e, .w = w, .batch = b, .out = out};

	if (!sub && (r->kind != HP_RUN_ARRAY ||
		     piece->sub.tag != HP_SUB_OBJECT_ARRAY_DUMP))
		return HP_OK;
	hp_object_classes_select_dump(&w->kinds, b->dump);
	hp_dump_classes_select(&w->plans.classes, e->names->prepass, b->dump);
	if (!hp_object_classes_is_first(&w->kinds,
					sub ? sub->id : piece->sub.id,
					sub ? sub->offset : piece->sub.offset))
		return HP_OK;
	if (!sub) {
		set_holder(&h, piece->sub.id, piece->sub.class_id);
		if (piece->head)
			add_array_class(&h, piece->sub.class_id);
		add_elements(&h, b->data + r->at, piece->elements,
			     piece->first);
	} else if (sub->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		set_holder(&h, sub->id, sub->class_id);
		add_array_class(&h, sub->class_id);
		add_elements(&h, sub->data, sub->count, 0);
	} else if (sub->tag == HP_SUB_CLASS_DUMP) {
		set_holder(&h, sub->id, sub->id);
		add_class(&h, sub);
	} else if (sub->tag == HP_SUB_INSTANCE_DUMP) {
		set_holder(&h, sub->id, sub->class_id);
		return add_fields(&h, sub, err);
	}
	return HP_OK;
}

enum hp_status
hp_ndjson_edges_write(struct hp_source *src, struct hp_sink *sink,
		      struct hp_ndjson_names *names,
		      struct hp_ndjson_worker *workers, unsigned threads,
		      uint64_t memory, struct hp_error *err)
{
	struct edges e = {.names = names, .workers = workers};
	const struct hp_transform t = {.need = HP_NEED_REFERENCES,
				       .memory = memory,
				       .ctx = &e,
				       .relieves = true,
				       .only_dump = names->prepass->dump,
				       .run = on_run};
	enum hp_status st = hp_source_rewind(src, err);

	return st == HP_OK ? hp_ordered_pass_run(src, sink, &t, threads, err)
			   : st;
}
