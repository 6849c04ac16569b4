/*
 * runs.c - packs the objects and arrays of a block
 *
 * A definition is found by a tree that grows with the block: below an object's
 * class and size stand the fields that came first, below each of them those
 * that came next. Most objects go the way that the last one went, so a field
 * is compared with that one's line and its value is read forward, no more.
 */
#include "common/text/lines/runs.h"
#include "common/base/seed.h"
#include "common/base/vec.h"
#include "common/text/lines/digits.h"
#include "common/text/lines/parse.h"
#include "common/text/lines/spool.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
	NODES_MOST = 8192,  /* of the tree; more end a run */
	TRACES_MOST = 4096, /* of a run, likewise */
	HEADS_MOST = 8192,  /* of a run, likewise */
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
	uint32_t head;	 /* that came behind such an object last; 0: none */
	uint64_t class, size;
};

/* A line of an object or array from behind its id on, which many share. */
struct head {
	const char *key; /* up to its newline */
	uint32_t length;
	uint32_t node; /* 0: of primitives */
	uint32_t next; /* the head that came behind this array last */
	uint32_t trace;
	uint64_t count; /* elements */
	uint8_t type;	/* of primitives */
	bool object;
	bool wide; /* class id */
	bool met;  /* its trace was */
};

enum open_item { OPEN_NOTHING, OPEN_OBJECT, OPEN_ARRAY };

struct hp_text_packer {
	bool places;
	uint64_t seed;
	struct node nodes[NODES_MOST];
	struct head heads[HEADS_MOST];
	uint32_t count, head_count; /* of both; [0] is none */
	uint16_t node_slots[SLOTS], trace_slots[SLOTS], head_slots[SLOTS];

	/* the block */
	const char *text, *end;
	const char *at; /* the next line */
	uint32_t line;	/* its number in the block */
	struct hp_text_runs *out;
	unsigned begun; /* runs of it; each empties the tables */
	bool failed;	/* out of memory */

	/* the run */
	bool running;
	struct hp_text_run run; /* what of it is sure */
	uint8_t *row;		/* where the next one goes */
	uint32_t row_line;	/* of the object or array before */
	const char *row_at;

	/* the open object or array */
	enum open_item open;
	const char *item_at;
	uint32_t item_line, node, fields;
	struct head *head;
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
	/* there is always one left for the next object's line */
	if (p->count + (wanted->length > 0) >= NODES_MOST)
		return 0;
	p->nodes[p->count] = *wanted;
	p->node_slots[at] = (uint16_t)p->count;
	return p->count++;
}

/* ---- lists ---- */

/* The definition that the open object, or array, ends as, from 0. */
static bool
define(struct hp_text_packer *p, uint32_t *def)
{
	struct hp_text_runs *out = p->out;
	struct node *n = &p->nodes[p->node];
	uint32_t at = p->run.def + p->run.defs;

	if (!n->def) {
		if (!HP_LIST_RESERVE(out->defs, at, out->def_room))
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
	uint32_t trace = p->head->trace, n;
	uint32_t at = p->run.trace + p->run.traces;
	size_t slot = (size_t)hp_seed_place(p->seed, trace, SLOTS);

	if (p->head->met)
		return true;
	p->head->met = true;
	while ((n = p->trace_slots[slot]) != 0) {
		if (out->traces[p->run.trace + n - 1].trace == trace)
			return true;
		slot = (slot + 1) % SLOTS;
	}
	if (!HP_LIST_RESERVE(out->traces, at, out->trace_room))
		return false;
	out->traces[at] =
		(struct hp_text_met){.at = (size_t)(p->item_at - p->text),
				     .line = p->item_line,
				     .trace = trace};
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

	if (p->count != 1 || p->head_count != 1 || p->run.traces > 0) {
		memset(p->node_slots, 0, sizeof(p->node_slots));
		memset(p->trace_slots, 0, sizeof(p->trace_slots));
		memset(p->head_slots, 0, sizeof(p->head_slots));
		p->count = p->head_count = 1;
	}
	p->run = (struct hp_text_run){.from = (size_t)(p->at - p->text),
				      .line = p->line};
	if (before) {
		p->run.def = before->def + before->defs;
		p->run.trace = before->trace + before->traces;
		p->run.row = before->row + before->rows;
	}
	p->running = true;
	p->begun++;
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
	p->fields = 0;
	p->continuing = false;
}

static void
begin_object(struct hp_text_packer *p, uint64_t id)
{
	begin_row(p, HP_TEXT_ROW_OBJECT);
	p->item_def = p->row;
	p->row += DEF_BYTES;
	put_number(p, id);
	put_number(p, p->head->trace);
	p->open = OPEN_OBJECT;
	p->node = p->head->node;
}

static bool
begin_array(struct hp_text_packer *p, uint64_t id)
{
	const struct head *h = p->head;
	uint32_t def = 0;
	uint16_t bytes;

	begin_row(p, h->node ? HP_TEXT_ROW_ARRAY : HP_TEXT_ROW_PRIMITIVES);
	p->node = h->node;
	if ((h->node && !define(p, &def)) || !meet_trace(p)) {
		p->failed = true;
		return false;
	}
	bytes = htole16((uint16_t)def);
	memcpy(p->row, &bytes, sizeof(bytes));
	p->row += h->node ? DEF_BYTES : 0;
	if (!h->node)
		*p->row++ = h->type;
	put_number(p, id);
	put_number(p, h->trace);
	put_number(p, h->count);
	p->open = OPEN_ARRAY;
	p->elements = h->node ? h->count : 0;
	p->next = 0;
	return true;
}

/* What the next line says behind its id; false: it is odd. */
static bool
parse_head(struct hp_text_packer *p, const char *end, struct head *h)
{
	struct node wanted = {0};
	struct hp_text_item i;
	enum hp_text_kind kind;

	kind = hp_text_parse(p->at, (size_t)(end - p->at), HP_WITHIN_HEAP, &i);
	/* the greatest size is that of arrays among the nodes */
	if ((kind != HP_TEXT_OBJECT && kind != HP_TEXT_ARRAY) ||
	    (kind == HP_TEXT_OBJECT && i.size == UINT64_MAX))
		return false;
	/* JDK 1.4 names the class of the elements; heap.c knows what to do */
	if (kind == HP_TEXT_ARRAY && !hp_text_is_array(i.name))
		return false;
	h->object = kind == HP_TEXT_OBJECT;
	h->trace = i.trace;
	h->count = i.count;
	h->wide = is_wide(i.other);
	wanted.class = i.other;
	wanted.size = h->object ? i.size : UINT64_MAX;
	if (i.primitive)
		h->type = (uint8_t)hp_text_array_type(i.name);
	else
		h->node = find_node(p, &wanted);
	return i.primitive || h->node;
}

static bool
is_head(const struct hp_text_packer *p, const struct head *h, const char *key)
{
	return h->length <= (size_t)(p->end - key) &&
	       h->object == (*p->at == 'O') &&
	       memcmp(h->key, key, h->length) == 0;
}

/* The head of the next line, with its newline; NULL: the line is odd. */
static struct head *
find_head(struct hp_text_packer *p, const char *key)
{
	const char *end = memchr(key, '\n', (size_t)(p->end - key));
	struct head h = {.key = key};
	size_t at;
	uint32_t n;

	if (!end || end - p->at >= HP_TEXT_LINE_CUT)
		return NULL;
	h.length = (uint32_t)(end + 1 - key);
	at = XXH3_64bits_withSeed(key, h.length, p->seed) % SLOTS;
	while ((n = p->head_slots[at]) != 0) {
		if (p->heads[n].length == h.length &&
		    is_head(p, &p->heads[n], key))
			return &p->heads[n];
		at = (at + 1) % SLOTS;
	}
	if (p->head_count == HEADS_MOST || !parse_head(p, end, &h))
		return NULL;
	p->head_slots[at] = (uint16_t)p->head_count;
	p->heads[p->head_count] = h;
	return &p->heads[p->head_count++];
}

/* Where it is kept which head comes behind what is open; NULL: nothing is. */
static uint32_t *
next_head(struct hp_text_packer *p)
{
	if (p->open == OPEN_OBJECT)
		return &p->nodes[p->node].head;
	return p->open == OPEN_ARRAY && !p->continuing ? &p->head->next : NULL;
}

/* The head of the next line, most often the one expected. */
static struct head *
guess_head(struct hp_text_packer *p, const char *key)
{
	uint32_t *next = next_head(p);
	struct head *h;

	if (next && *next && is_head(p, &p->heads[*next], key) &&
	    key + p->heads[*next].length - p->at <= HP_TEXT_LINE_CUT)
		return &p->heads[*next];
	h = find_head(p, key);
	if (h && next)
		*next = (uint32_t)(h - p->heads);
	return h;
}

/* May it be that the next line does not find room in the run? */
static bool
is_full(const struct hp_text_packer *p)
{
	return p->count + 2 >= NODES_MOST || p->head_count == HEADS_MOST ||
	       p->run.traces == TRACES_MOST;
}

/* A line that begins an object or an array; false: it is odd. */
static bool
take_item(struct hp_text_packer *p)
{
	struct head *head;
	const char *key;
	uint64_t id;

	if (p->end - p->at < 5 ||
	    (memcmp(p->at, "OBJ ", 4) != 0 && memcmp(p->at, "ARR ", 4) != 0))
		return false;
	key = hp_hex_number(p->at + 4, p->end, &id);
	if (!key || key == p->end)
		return false;
	if (!p->running)
		begin_run(p);
	head = guess_head(p, key);
	if (!head)
		return false;
	if (!close_object(p)) {
		p->failed = true;
		return false;
	}
	settle(p);
	if (is_full(p)) {
		end_run(p);
		if (p->begun >= HP_TEXT_RUNS_MOST)
			return false;
		begin_run(p);
		head = find_head(p, key);
	}
	p->head = head;
	p->wide |= is_wide(id) || p->head->wide;
	if (p->head->object)
		begin_object(p, id);
	else if (!begin_array(p, id))
		return false;
	step(p, key + p->head->length - 1);
	return true;
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

	if (*p->at == 'O' || *p->at == 'A')
		return take_item(p);
	if (*p->at != '\t' || p->open == OPEN_NOTHING)
		return false;
	if (p->open == OPEN_ARRAY)
		return take_element(p);
	if (take_expected_field(p))
		return true;
	end = memchr(p->at, '\n', (size_t)(p->end - p->at));
	return end && end - p->at < HP_TEXT_LINE_CUT && take_field(p, end);
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
	p->begun = 0;
	p->failed = p->running = false;
	p->open = OPEN_NOTHING;
	continue_array(p);
	while (p->at < p->end && !p->failed && out->count < HP_TEXT_RUNS_MOST) {
		const char *end;

		if (take_line(p))
			continue;
		if (p->running)
			end_run(p);
		end = memchr(p->at, '\n', (size_t)(p->end - p->at));
		p->at = end ? end + 1 : p->end;
		p->line++;
	}
	if (p->running)
		end_run(p);
	return !p->failed;
}
