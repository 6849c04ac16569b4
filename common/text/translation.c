/*
 * translation.c - an input layer that reads the agent's text and delivers a
 * binary dump
 */
#include "common/text/text.h"

#include "common/base/memory.h"
#include "common/io/layer.h"

struct translation {
	/*
	 * This must be the first member: a pointer to `layer` is also a pointer
	 * to the whole struct.
	 */
	struct hp_layer layer;
	/* receives the problems of the text; NULL: they are not reported */
	struct hp_text_watch *watch;
	struct hp_text_records *records;
	bool told; /* watch->end was called, so it must not be called again */
	/*
	 * The first problem because of which the dump lacks data of the text.
	 * Its member `count` is 0 if there was no such problem.
	 */
	struct hp_container_note note;
};

static enum hp_status
read_below(void *ctx, void *buf, size_t n, size_t *got, struct hp_error *err)
{
	return hp_layer_read(ctx, buf, n, got, err);
}

static void
on_problem(void *ctx, const struct hp_text_problem *p)
{
	struct translation *t = ctx;
	struct hp_container_note *note = &t->note;

	if (hp_text_is_damage(p)) {
		if (note->count == 0 || p->offset < note->offset) {
			note->problem = HP_CONTAINER_TEXT;
			note->offset = p->offset;
			note->raw = p->line;
			note->got = hp_text_rule(p->oddity);
		}
		note->count++;
	}
	if (t->watch && t->watch->problem)
		t->watch->problem(t->watch->ctx, p);
}

static enum hp_status
translation_read(struct hp_layer *l, uint8_t *buf, size_t n, size_t *got,
		 struct hp_error *err)
{
	struct translation *t = (struct translation *)l;
	enum hp_status st = hp_text_records_next(t->records, buf, n, got, err);

	if (st == HP_OK && *got < n && !t->told && t->watch && t->watch->end) {
		t->told = true;
		t->watch->end(t->watch->ctx, hp_text_records_bytes(t->records),
			      hp_text_records_lines(t->records));
	}
	return st;
}

static void
translation_close(struct hp_layer *l)
{
	struct translation *t = (struct translation *)l;

	hp_text_records_close(t->records);
	hp_free(t);
}

static void
translation_notes(struct hp_layer *l, struct hp_notes *out)
{
	const struct translation *t = (const struct translation *)l;

	if (t->note.count > 0)
		hp_notes_add(out, &t->note);
}

static uint64_t
translation_memory(const struct hp_layer *l)
{
	const struct translation *t = (const struct translation *)l;

	return hp_text_records_memory(t->records);
}

/*
 * There is no function `stop`: the threads of this layer end when the layers
 * below this one stop, or when this layer is closed.
 */
static const struct hp_layer_ops translation_ops = {
	.read = translation_read,
	.close = translation_close,
	.notes = translation_notes,
	.memory = translation_memory,
};

static void
on_place(void *ctx, uint64_t offset, uint64_t line, uint64_t line_offset)
{
	const struct hp_text_watch *watch = ((struct translation *)ctx)->watch;

	watch->place(watch->ctx, offset, line, line_offset);
}

static enum hp_status
translation_open(struct hp_layer **out, struct hp_layer *below, void *context,
		 unsigned threads, uint64_t memory, struct hp_error *err)
{
	struct hp_text_watch *watch = context;
	struct translation *t = hp_calloc(1, sizeof(*t));
	struct hp_text_reading o = {.problem = on_problem,
				    .ctx = t,
				    .threads = threads,
				    .memory = memory};
	enum hp_status st;

	*out = NULL;
	if (!t)
		return hp_no_memory(err);
	t->layer.ops = &translation_ops;
	if (watch && !watch->taken) {
		watch->taken = true;
		t->watch = watch;
		o.place = watch->place ? on_place : NULL;
	}
	st = hp_text_records_open(&t->records, read_below, below, &o, err);
	if (st != HP_OK) {
		hp_free(t);
		return st;
	}
	*out = &t->layer;
	return HP_OK;
}

const struct hp_translation hp_text_translation = {
	.begins = hp_text_begins,
	.read = translation_open,
};
