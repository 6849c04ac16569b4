/*
 * stacks.c - make the texts and hashes of stack frames and of stacks
 *
 * Serial numbers and ids differ from one run of a program to the next. So
 * frames are compared by their contents: class, method, file and line (without
 * the line if --site-lines=off). The signature of the method is not compared,
 * because the text format of the HPROF agent does not have it, and no row shows
 * it.
 *
 * Saved results contain the hashes. The hashes must be equal on all processors,
 * so numbers are hashed in little-endian order.
 */
#include "diff/keys/keys.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/*
 * Append a string to the bytes from which a hash is computed: its length, then
 * its bytes or, if it is long, their hash. Without the lengths, the lists "ab",
 * "c" and "a", "bc" would give the same bytes.
 */
static void
add_identity(struct hp_buf *b, const struct hp_string *s)
{
	uint32_t n = htole32(s ? s->length : UINT32_MAX);
	uint64_t hash;

	hp_buf_add(b, &n, sizeof(n));
	if (!s)
		return;
	if (s->length <= HP_TEXT_LONG) {
		hp_buf_add(b, s->data, s->length);
	} else {
		hash = htole64(hp_string_hash(s));
		hp_buf_add(b, &hash, sizeof(hash));
	}
}

static void
line_text(struct hp_keys *k, const struct hp_frame *f,
	  const struct hp_string *file)
{
	bool native = hp_frame_line(f->line, k->g->dialect) == -3;

	hp_buf_byte(&k->a, '(');
	if (file)
		hp_key_add_text(&k->a, file);
	else
		hp_buf_text(&k->a, native ? "Native Method" : "Unknown Source");
	if (file && native)
		hp_buf_text(&k->a, ":native method");
	else if (f->line > 0 && k->o->site_lines) {
		hp_buf_byte(&k->a, ':');
		hp_buf_i64(&k->a, f->line);
	}
	hp_buf_byte(&k->a, ')');
}

/*
 * Make the text of a frame, for example "Ag.make(Ag.java:12)", and its hash.
 * Returns false if out of memory.
 */
static bool
make_frame(struct hp_keys *k, uint64_t id, struct hp_frame_key *key)
{
	const struct hp_tables *t = &k->g->tables;
	const struct hp_frame *f = hp_tables_frame(t, id);
	const struct hp_load *load =
		f ? hp_tables_load_serial(t, f->class_serial) : NULL;
	const struct hp_string *method =
		f ? hp_tables_string(t, f->method) : NULL;
	const struct hp_string *file =
		f && f->source ? hp_tables_string(t, f->source) : NULL;
	const struct hp_name *name = NULL;
	const char *text;
	uint32_t line = f && k->o->site_lines ? htole32((uint32_t)hp_frame_line(
							f->line, k->g->dialect))
					      : 0;
	XXH128_hash_t h;

	if (load)
		name = hp_key_raw(k, hp_tables_load_name(t, load),
				  load->class_id);
	if (load && !name)
		return false;
	hp_buf_clear(&k->a);
	hp_buf_clear(&k->b);
	if (name)
		hp_buf_add(&k->a, name->text, name->len);
	else
		hp_buf_text(&k->a, "unknown class");
	hp_buf_add(&k->b, k->a.data, k->a.len);
	add_identity(&k->b, method);
	add_identity(&k->b, file);
	hp_buf_add(&k->b, &line, sizeof(line));
	hp_buf_byte(&k->a, '.');
	if (method)
		hp_key_add_text(&k->a, method);
	else
		hp_buf_text(&k->a, "unknown");
	if (f)
		line_text(k, f, file);
	text = hp_buf_string(&k->a);
	if (!hp_buf_ok(&k->a) || !hp_buf_ok(&k->b))
		return false;
	h = XXH3_128bits(k->b.data, k->b.len);
	key->hash[0] = htole64(h.low64);
	key->hash[1] = htole64(h.high64);
	key->text = hp_arena_copy(&k->arena, text, k->a.len);
	return key->text != NULL;
}

static const struct hp_frame_key *
frame_text(struct hp_keys *k, uint64_t id)
{
	uint64_t *slot = hp_id_map_put(&k->frames, id, NULL);
	struct hp_frame_key *key;

	if (!slot)
		return NULL;
	if (*slot)
		return (const struct hp_frame_key *)(uintptr_t)*slot;
	key = hp_arena_alloc(&k->arena, sizeof(*key));
	if (!key || !make_frame(k, id, key))
		return NULL;
	*slot = (uintptr_t)key;
	return key;
}

/*
 * Maximum number of bytes of the text of a stack. Further frames are left out
 * of the text, but not of its hash. With ordinary names, no JVM writes longer
 * stacks. The limit keeps the output short if many rows have the same extremely
 * large stack.
 */
enum { HP_STACK_TEXT = 256 << 10 };

/*
 * Returns the text "... n more frames", which replaces omitted frames, or NULL
 * if out of memory.
 */
static const char *
stack_rest(struct hp_keys *k, uint64_t more)
{
	char text[48];
	int n = snprintf(text, sizeof(text), "... %" PRIu64 " more frames",
			 more);

	return hp_arena_copy(&k->arena, text, (size_t)n);
}

static bool
make_stack(struct hp_keys *k, const struct hp_trace *trace,
	   struct hp_stack *stack)
{
	uint64_t depth = trace->nframes, shown = 0, bytes = 0;
	const char **text;
	XXH3_state_t *state;
	XXH128_hash_t h;
	bool fine = true;

	if (k->o->site_depth && depth > k->o->site_depth)
		depth = k->o->site_depth;
	text = hp_arena_alloc(&k->arena, (size_t)depth * sizeof(*text));
	state = XXH3_createState();
	if (!text || !state || XXH3_128bits_reset(state) != XXH_OK) {
		XXH3_freeState(state);
		return false;
	}
	for (uint64_t i = 0; i < depth && fine; i++) {
		const struct hp_frame_key *f = frame_text(k, trace->frames[i]);

		fine = f && XXH3_128bits_update(state, f->hash,
						sizeof(f->hash)) == XXH_OK;
		if (!fine || shown < i)
			continue;
		bytes += strlen(f->text);
		if (bytes <= HP_STACK_TEXT) {
			text[shown++] = f->text;
			continue;
		}
		text[i] = stack_rest(k, depth - i);
		fine = text[i] != NULL;
	}
	h = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	stack->frames.count = (uint32_t)(shown + (shown < depth));
	stack->frames.cut = shown < depth;
	stack->frames.text = text;
	stack->hash[0] = htole64(h.low64);
	stack->hash[1] = htole64(h.high64);
	return fine;
}

struct hp_stack *
hp_stack_get(struct hp_keys *k, uint32_t trace)
{
	uint64_t *slot = hp_id_map_put(&k->traces, trace, NULL);
	const struct hp_trace *t;
	struct hp_stack *stack;

	if (!slot)
		return NULL;
	if (*slot)
		return (struct hp_stack *)(uintptr_t)*slot;
	stack = hp_arena_alloc(&k->arena, sizeof(*stack));
	if (!stack)
		return NULL;
	memset(stack, 0, sizeof(*stack));
	t = hp_tables_trace(&k->g->tables, trace);
	if (t && t->nframes && !make_stack(k, t, stack))
		return NULL;
	*slot = (uintptr_t)stack;
	return stack;
}

struct hp_row *
hp_stack_row(struct hp_keys *k, struct hp_rows *rows,
	     const struct hp_name *name, uint32_t trace, bool *traces)
{
	struct hp_stack *stack = hp_stack_get(k, trace);
	uint64_t parts[4], hash[2];
	struct hp_row *row;

	if (!stack)
		return NULL;
	*traces |= stack->frames.count > 0;
	hp_row_hash(name->text, name->len, 0, parts);
	parts[0] = htole64(parts[0]);
	parts[1] = htole64(parts[1]);
	parts[2] = stack->hash[0];
	parts[3] = stack->hash[1];
	hp_row_hash((const char *)parts, sizeof(parts), 0, hash);
	row = hp_rows_put(rows, name->text, name->len, hash,
			  stack->rows == rows ? &stack->kept : &stack->frames);
	if (row && row->frames.count == stack->frames.count) {
		stack->kept = row->frames;
		stack->rows = rows;
	}
	return row;
}

size_t
hp_frame_method(const char *frame)
{
	const char *end = strrchr(frame, '(');

	return end ? (size_t)(end - frame) : strlen(frame);
}
