/*
 * runs.c - packs the objects and arrays of a block
 *
 * A definition is found by a tree that grows with the block: below an object's
 * class and size stand the fields that came first, below each of them those
 * that came next. Most objects go the way that the last one went, so a field
 * is compared with that one's line and its value is read forward, no more.
 */
#include "common/text/runs.h"
#include "common/base/seed.h"
#include "common/text/digits.h"
#include "common/text/parse.h"
#include "common/text/spool.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
	NODES_MOST = 8192,  /* of the tree; more end a run */
	TRACES_MOST = 4096, /* of a run, likewise */
	SLOTS = 16384,	    /* of each hash table */
	ROWS_SLACK = 64,    /* a number is written as nine bytes */
	DEF_BYTES = 2,
};

/* A line of an object, behind all those before it. */
struct node {
	const char *key; /* a field's line up to its value, without its tab */
	uint32_t length; /* of the key; 0: an object's or an array's line */
	uint32_t before; /* the node of the line before */
	uint32_t next;	 /* the one that came behind it last; 0: none */
	uint32_t def;	 /* of objects that end here, from 1; 0: none */
	uint64_t class, size;
};

enum open_item { OPEN_NOTHING, OPEN_OBJECT, OPEN_ARRAY };

struct hp_text_packer {
	bool places;
	uint64_t seed;
	struct node nodes[NODES_MOST];
	uint32_t count; /* of nodes; [0] is none */
	uint16_t node_slots[SLOTS], trace_slots[SLOTS];

	/* the block */
	const char *text, *end;
	const char *at; /* the next line */
	uint32_t line;	/* its number in the block */
	struct hp_text_runs *out;
	bool failed; /* out of memory */

	/* the run */
	bool running;
	struct hp_text_run run; /* what of it is sure */
	uint8_t *row;		/* where the next one goes */
	uint32_t row_line;	/* of the object or array before */
	const char *row_at;

	/* the open object or array */
	enum open_item open;
	const char *item_at;
	uint32_t item_line, trace, node, fields;
	uint8_t *item_def; /* where its definition is to be written */
	const char *last;  /* the line before the next one */
	bool wide;
	bool continuing; /* the open array is that of a block before */
	uint64_t next, elements;
};

struct hp_text_packer *
hp_text_packer_open(bool places)
{
	struct hp_text_packer *p = calloc(1, sizeof(*p));

	if (p) {
		p->places = places;
		p->seed = hp_seed(p);
	}
	return p;
}

void
hp_text_packer_close(struct hp_text_packer *p)
{
	free(p);
}

void
hp_text_runs_release(struct hp_text_runs *r)
{
	free(r->rows);
	free(r->defs);
	free(r->traces);
	*r = (struct hp_text_runs){0};
}

/* ---- the tree ---- */

static uint64_t
hash_of(const struct hp_text_packer *p, const struct node *n)
{
	const uint64_t numbers[4] = {n->before, n->class, n->size, p->seed};

	if (n->length > 0)
		return XXH3_64bits_withSeed(n->key, n->length,
					    p->seed + n->before);
	return XXH3_64bits_withSeed(numbers, sizeof(numbers), p->seed);
}

static bool
is_same(const struct node *a, const struct node *b)
{
	return a->before == b->before && a->length == b->length &&
	       a->class == b->class && a->size == b->size &&
	       (a->length == 0 || memcmp(a->key, b->key, a->length) == 0);
}

/* The node like @wanted, a new one if need be; 0: there are too many. */
static uint32_t
find_node(struct hp_text_packer *p, const struct node *wanted)
{
	size_t at = hash_of(p, wanted) % SLOTS;
	uint32_t n;

	while ((n = p->node_slots[at]) != 0) {
		if (is_same(&p->nodes[n], wanted))
			return n;
		at = (at + 1) % SLOTS;
	}
	if (p->count == NODES_MOST)
		return 0;
	p->nodes[p->count] = *wanted;
	p->node_slots[at] = (uint16_t)p->count;
	return p->count++;
}

/* ---- lists ---- */

/* Room for one item more in a list. */
static bool
grow(void **list, uint32_t count, uint32_t *room, size_t size)
{
	uint32_t more = *room ? 2 * *room : 256;
	void *larger;

	if (count < *room)
		return true;
	larger = realloc(*list, more * size);
	if (!larger)
		return false;
	*list = larger;
	*room = more;
	return true;
}

/* The definition that the open object, or array, ends as, from 0. */
static bool
define(struct hp_text_packer *p, uint32_t *def)
{
	struct hp_text_runs *out = p->out;
	struct node *n = &p->nodes[p->node];
	uint32_t at = p->run.def + p->run.defs;

	if (!n->def) {
		if (!grow((void **)&out->defs, at, &out->def_room,
			  sizeof(*out->defs)))
			return false;
		out->defs[at] = (struct hp_text_def){
			.at = (size_t)(p->item_at - p->text),
			.line = p->item_line,
			.fields = p->fields};
		n->def = ++p->run.defs;
	}
	*def = n->def - 1;
	return true;
}

/* A trace's first object is noted. */
static bool
meet_trace(struct hp_text_packer *p)
{
	struct hp_text_runs *out = p->out;
	uint32_t at = p->run.trace + p->run.traces, n;
	size_t slot = (size_t)hp_seed_place(p->seed, p->trace, SLOTS);
	const struct hp_text_met *met = out->traces + p->run.trace;

	while ((n = p->trace_slots[slot]) != 0) {
		if (met[n - 1].trace == p->trace)
			return true;
		slot = (slot + 1) % SLOTS;
	}
	if (!grow((void **)&out->traces, at, &out->trace_room,
		  sizeof(*out->traces)))
		return false;
	out->traces[at] =
		(struct hp_text_met){.at = (size_t)(p->item_at - p->text),
				     .line = p->item_line,
				     .trace = p->trace};
	p->trace_slots[slot] = (uint16_t)++p->run.traces;
	return true;
}

/* ---- runs ---- */

static void
begin_run(struct hp_text_packer *p)
{
	struct hp_text_runs *out = p->out;
	const struct hp_text_run *before =
		out->count ? &out->list[out->count - 1] : NULL;

	if (p->count != 1 || p->run.traces > 0 || p->run.defs > 0) {
		memset(p->node_slots, 0, sizeof(p->node_slots));
		memset(p->trace_slots, 0, sizeof(p->trace_slots));
		p->count = 1;
	}
	p->run = (struct hp_text_run){.from = (size_t)(p->at - p->text),
				      .line = p->line};
	if (before) {
		p->run.def = before->def + before->defs;
		p->run.trace = before->trace + before->traces;
		p->run.row = before->row + before->rows;
	}
	p->running = true;
	p->row = out->rows + p->run.row;
	p->row_line = p->line;
	p->row_at = p->last = p->at;
	p->open = OPEN_NOTHING;
	p->wide = p->continuing = false;
}

/* Everything up to the next line is sure. */
static void
settle(struct hp_text_packer *p)
{
	struct hp_text_run *r = &p->run;

	r->to = (size_t)(p->at - p->text);
	r->lines = p->line - r->line;
	r->last = (size_t)(p->last - p->text);
	r->rows = (size_t)(p->row - p->out->rows) - r->row;
	r->wide = p->wide;
	if (p->continuing)
		r->behind = p->next;
	r->array = p->open == OPEN_ARRAY;
	r->elements = p->elements;
	r->next = p->next;
}

/* The open object is whole. False: out of memory. */
static bool
close_object(struct hp_text_packer *p)
{
	uint32_t def;
	uint16_t bytes;

	if (p->open != OPEN_OBJECT)
		return true;
	if (!define(p, &def) || !meet_trace(p))
		return false;
	bytes = htole16((uint16_t)def);
	memcpy(p->item_def, &bytes, sizeof(bytes));
	return true;
}

/* What is sure becomes a run; the open object is in none. */
static void
end_run(struct hp_text_packer *p)
{
	if (p->open == OPEN_ARRAY)
		settle(p);
	p->running = false;
	p->open = OPEN_NOTHING;
	if (p->run.lines > 0)
		p->out->list[p->out->count++] = p->run;
}

/* ---- lines ---- */

static bool
is_wide(uint64_t v)
{
	return v > UINT32_MAX;
}

static void
put_number(struct hp_text_packer *p, uint64_t v)
{
	p->row = hp_text_number_put(p->row, v);
}

/* The next line was taken; @end: its newline. */
static void
step(struct hp_text_packer *p, const char *end)
{
	p->last = p->at;
	p->at = end + 1;
	p->line++;
}

/* A row begins; its definition follows later. */
static void
begin_row(struct hp_text_packer *p, enum hp_text_row_kind kind)
{
	*p->row++ = (uint8_t)kind;
	if (p->places) {
		put_number(p, p->line - p->row_line);
		put_number(p, (uint64_t)(p->at - p->row_at));
		p->row_line = p->line;
		p->row_at = p->at;
	}
	p->item_at = p->at;
	p->item_line = p->line;
	p->continuing = false;
}

/* An object's or array's class and size lead to its node. */
static bool
find_item(struct hp_text_packer *p, const struct hp_text_item *i, uint64_t size)
{
	const struct node wanted = {.class = i->other, .size = size};

	p->node = find_node(p, &wanted);
	return p->node != 0;
}

static bool
begin_object(struct hp_text_packer *p, const struct hp_text_item *i)
{
	/* a size of no object is no array's */
	if (i->size == UINT64_MAX || !find_item(p, i, i->size))
		return false;
	begin_row(p, HP_TEXT_ROW_OBJECT);
	p->item_def = p->row;
	p->row += DEF_BYTES;
	put_number(p, i->id);
	put_number(p, i->trace);
	p->trace = i->trace;
	p->open = OPEN_OBJECT;
	p->fields = 0;
	return true;
}

static bool
begin_array(struct hp_text_packer *p, const struct hp_text_item *i)
{
	uint32_t def = 0;

	if (!i->primitive && !find_item(p, i, UINT64_MAX))
		return false;
	begin_row(p, i->primitive ? HP_TEXT_ROW_PRIMITIVES : HP_TEXT_ROW_ARRAY);
	p->trace = i->trace;
	p->fields = 0;
	if ((!i->primitive && !define(p, &def)) || !meet_trace(p)) {
		p->failed = true;
		return false;
	}
	if (i->primitive) {
		*p->row++ = (uint8_t)hp_text_array_type(i->name);
	} else {
		const uint16_t bytes = htole16((uint16_t)def);

		memcpy(p->row, &bytes, sizeof(bytes));
		p->row += DEF_BYTES;
	}
	put_number(p, i->id);
	put_number(p, i->trace);
	put_number(p, i->count);
	p->open = OPEN_ARRAY;
	p->elements = i->primitive ? 0 : i->count;
	p->next = 0;
	return true;
}

/* A line that begins an object or an array; false: it begins none. */
static bool
take_item(struct hp_text_packer *p, const char *end)
{
	struct hp_text_item i;
	enum hp_text_kind kind;

	kind = hp_text_parse(p->at, (size_t)(end - p->at), HP_WITHIN_HEAP, &i);
	if (kind != HP_TEXT_OBJECT && kind != HP_TEXT_ARRAY)
		return false;
	if (!p->running)
		begin_run(p);
	if (!close_object(p)) {
		p->failed = true;
		return false;
	}
	settle(p);
	if (p->count + 1 >= NODES_MOST || p->run.traces == TRACES_MOST) {
		end_run(p);
		if (p->out->count == HP_TEXT_RUNS_MOST)
			return false;
		begin_run(p);
	}
	p->wide |= is_wide(i.id) || is_wide(i.other);
	return kind == HP_TEXT_OBJECT ? begin_object(p, &i)
				      : begin_array(p, &i);
}

/* A field that came behind the last one before, too. */
static bool
take_expected_field(struct hp_text_packer *p)
{
	uint32_t n = p->nodes[p->node].next;
	const struct node *node = &p->nodes[n];
	const char *value = p->at + 1 + node->length, *behind;
	uint64_t v;

	if (n == 0 || node->length + 1 >= (size_t)(p->end - p->at) ||
	    memcmp(p->at + 1, node->key, node->length) != 0)
		return false;
	behind = hp_hex_number(value, p->end, &v);
	if (!behind || behind == p->end || *behind != '\n' ||
	    behind - p->at >= HP_TEXT_LINE_CUT)
		return false;
	p->node = n;
	p->fields++;
	p->wide |= is_wide(v);
	put_number(p, v);
	step(p, behind);
	return true;
}

static bool
take_field(struct hp_text_packer *p, const char *end)
{
	struct node wanted = {.key = p->at + 1, .before = p->node};
	struct hp_text_item i;
	const char *value = end;
	uint32_t n;

	if (hp_text_parse(p->at, (size_t)(end - p->at), HP_WITHIN_OBJECT, &i) !=
	    HP_TEXT_FIELD)
		return false;
	while (value[-1] != '\t')
		value--;
	wanted.length = (uint32_t)(value - wanted.key);
	n = find_node(p, &wanted);
	if (n == 0)
		return false;
	p->nodes[p->node].next = n;
	p->node = n;
	p->fields++;
	p->wide |= is_wide(i.other);
	put_number(p, i.other);
	step(p, end);
	return true;
}

/* An index that is the next one is not written, but for a run's first. */
static bool
take_element(struct hp_text_packer *p)
{
	bool first = p->at == p->text + p->run.from;
	uint64_t index, value;
	const char *end = hp_array_element(p->at, p->end, &index, &value);

	if (!end || end == p->end || *end != '\n' || index < p->next ||
	    index >= p->elements || end - p->at >= HP_TEXT_LINE_CUT)
		return false;
	if (index == p->next && !first) {
		*p->row++ = HP_TEXT_ROW_NEXT;
	} else {
		*p->row++ = HP_TEXT_ROW_ELEMENT;
		put_number(p, index);
	}
	put_number(p, value);
	p->wide |= is_wide(value);
	p->next = index + 1;
	step(p, end);
	return true;
}

/* The next line, of a run or the first one. False: it is odd, or the last. */
static bool
take_line(struct hp_text_packer *p)
{
	const char *end;

	if (*p->at == '\t' && p->open == OPEN_ARRAY)
		return take_element(p);
	if (*p->at == '\t' &&
	    (p->open != OPEN_OBJECT || take_expected_field(p)))
		return p->open == OPEN_OBJECT;
	end = memchr(p->at, '\n', (size_t)(p->end - p->at));
	if (!end || end - p->at >= HP_TEXT_LINE_CUT)
		return false;
	if (*p->at == '\t')
		return take_field(p, end);
	if ((*p->at != 'O' && *p->at != 'A') || !take_item(p, end))
		return false;
	step(p, end);
	return true;
}

/* Elements of an array that began in a block before. */
static void
continue_array(struct hp_text_packer *p)
{
	uint64_t index, value;

	if (!hp_array_element(p->at, p->end, &index, &value))
		return;
	begin_run(p);
	p->open = OPEN_ARRAY;
	p->elements = UINT64_MAX;
	p->next = p->run.least = index;
	p->run.continues = p->continuing = true;
}

static void
skip_line(struct hp_text_packer *p)
{
	const char *end = memchr(p->at, '\n', (size_t)(p->end - p->at));

	p->at = end ? end + 1 : p->end;
	p->line++;
}

bool
hp_text_pack(struct hp_text_packer *p, const char *text, size_t length,
	     struct hp_text_runs *out)
{
	out->count = 0;
	if (!out->rows)
		out->rows = malloc(HP_TEXT_BLOCK + ROWS_SLACK);
	if (!out->rows)
		return false;
	p->text = p->at = text;
	p->end = text + length;
	p->line = 0;
	p->out = out;
	p->failed = p->running = false;
	p->open = OPEN_NOTHING;
	continue_array(p);
	while (p->at < p->end && !p->failed && out->count < HP_TEXT_RUNS_MOST) {
		if (take_line(p))
			continue;
		if (p->running)
			end_run(p);
		skip_line(p);
	}
	if (p->running)
		end_run(p);
	return !p->failed;
}
