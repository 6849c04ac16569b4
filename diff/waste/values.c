/*
 * values.c - find the texts for --show-values: for each row of duplicate
 * strings, the text that wastes the most
 *
 * The texts are read in another pass, because the earlier passes did not know
 * which texts are needed.
 */
#include "diff/waste/internal.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/model/java_string.h"
#include "diff/count/passes.h"

/* The maximum number of characters of a text that are shown. */
enum { SHOWN = 80 };

bool
hp_waste_note_value(struct hp_waste *w, uint32_t holder, uint32_t first,
		    uint64_t waste, uint64_t dedup)
{
	return !w->want_values ||
	       hp_waste_sums_add(&w->values, (uint64_t)holder << 32 | first, 1,
				 waste, dedup);
}

static bool
is_worse(const struct hp_waste_sum *a, const struct hp_waste_sum *b)
{
	return a->waste > b->waste ||
	       (a->waste == b->waste && (uint32_t)a->key < (uint32_t)b->key);
}

/*
 * For each holder, find the text that wastes the most, and remember the array
 * that contains it.
 */
static bool
choose(struct hp_waste *w)
{
	for (size_t i = 0; i < w->values.count; i++) {
		const struct hp_waste_sum *sum = &w->values.list[i];
		uint64_t *slot =
			hp_id_map_put(&w->value_of, (sum->key >> 32) + 1, NULL);

		if (!slot)
			return false;
		if (!*slot || is_worse(sum, &w->values.list[*slot - 1]))
			*slot = i + 1;
	}
	for (size_t i = 0; i < w->values.count; i++) {
		uint64_t key = w->values.list[i].key;
		const uint64_t *best =
			hp_id_map_get(&w->value_of, (key >> 32) + 1);

		if (best && *best == i + 1 &&
		    !hp_id_map_put(&w->value_texts, (uint32_t)key + UINT64_C(1),
				   NULL))
			return false;
	}
	return true;
}

/* Store a copy of the beginning of a text. Returns false if out of memory. */
static bool
keep_text(struct hp_waste *w, uint64_t *slot, const struct hp_sub *s,
	  uint64_t bytes, uint8_t marks)
{
	bool wide = s->type == HP_TYPE_CHAR || marks & HP_MARK_WIDE;
	struct hp_java_chars chars = {.data = s->data,
				      .wide = wide,
				      .little =
					      s->type == HP_TYPE_BYTE &&
					      w->string.order != HP_ORDER_BIG};
	uint64_t units = wide ? bytes / 2 : bytes;
	struct hp_buf raw = {0}, text = {0};
	char *kept = NULL;

	hp_java_chars_add(&raw, &chars, 0,
			  (uint32_t)(units < SHOWN ? units : SHOWN));
	hp_text_clean(&text, raw.data, raw.len);
	if (units > SHOWN)
		hp_buf_text(&text, "...");
	if (hp_buf_ok(&raw) && hp_buf_ok(&text))
		kept = hp_arena_copy(&w->value_arena, text.data, text.len);
	*slot = (uint64_t)(uintptr_t)kept;
	hp_buf_release(&raw);
	hp_buf_release(&text);
	return kept;
}

static bool
on_sub(void *ctx, unsigned worker, const struct hp_sub *s,
       const struct hp_piece *piece)
{
	struct hp_waste *w = ctx;
	uint64_t n = piece ? piece->elements : s->count, *slot;
	uint32_t node;
	bool fine;

	if (s->tag != HP_SUB_PRIMITIVE_ARRAY_DUMP ||
	    (s->type != HP_TYPE_BYTE && s->type != HP_TYPE_CHAR) ||
	    (piece && piece->first > 0))
		return true;
	node = hp_node_of(&w->nodes, &w->workers[worker].near, s->id);
	if (node == HP_NO_NODE || !hp_node_is_first(&w->nodes, node, s->offset))
		return true;
	slot = hp_id_map_find(&w->value_texts, node + UINT64_C(1));
	if (!slot)
		return true;
	pthread_mutex_lock(&w->longs_lock);
	fine = keep_text(w, slot, s, n * hp_type_size(s->type, 4),
			 hp_waste_marks(w, node));
	pthread_mutex_unlock(&w->longs_lock);
	return fine;
}

enum hp_status
hp_waste_read_values(struct hp_waste *w, struct hp_source *src,
		     struct hp_error *err)
{
	const struct hp_extra_pass pass = {.need = HP_NEED_CONTENTS,
					   .ctx = w,
					   .sub = on_sub,
					   .instances =
						   hp_waste_skip_instances};

	/* hprof-convert lists wasted objects without their texts */
	if (w->values.count == 0 || w->want_arrays)
		return HP_OK;
	return choose(w) ? hp_extra_pass_run(w->g, src, &pass, err)
			 : hp_no_memory(err);
}

bool
hp_waste_show_value(struct hp_waste *w, uint32_t holder, struct hp_rows *rows,
		    struct hp_row *row)
{
	const uint64_t *best = hp_id_map_get(&w->value_of,
					     holder + UINT64_C(1)),
		       *slot;
	const struct hp_waste_sum *sum;
	const char *text;

	if (!best)
		return true;
	sum = &w->values.list[*best - 1];
	slot = hp_id_map_get(&w->value_texts, (uint32_t)sum->key + UINT64_C(1));
	text = slot ? (const char *)(uintptr_t)*slot : NULL;
	/*
	 * two holders with the same name share a row: keep the text that wastes
	 * more
	 */
	if (!text || row->example.waste >= sum->waste)
		return true;
	row->example.text = hp_arena_copy(&rows->arena, text, strlen(text));
	row->example.count = sum->count;
	row->example.waste = sum->waste;
	row->example.characters = hp_waste_characters(w, (uint32_t)sum->key);
	return row->example.text;
}
