/*
 * runs.c - pack consecutive lines of objects and arrays in a block of text
 *
 * A run is a group of such lines. The values of each object are stored in a
 * row. All objects with the same class, size and sequence of fields share a
 * definition. A definition is found with a trie, a tree that grows while the
 * block is read. A node of the top level stands for a class and a size; each
 * node below stands for a field that some object had after the field of the
 * parent node. Most objects follow the same path in the trie as the previous
 * object. So the name of a field is first compared with the name at the same
 * place of the previous object. If both are equal, only the value is parsed.
 */
#include "common/text/lines/lines.h"
#include "common/base/memory.h"
#include "common/base/hash.h"
#include "common/base/vec.h"
#include "common/text/lines/parse.h"
#include "common/text/lines/spool.h"

#include <endian.h>
#include <string.h>
#include <xxhash.h>

enum {
	/*
	 * maximum number of nodes of the trie; if more are needed, a new run
	 * (group of packed lines) begins
	 */
	NODES_MOST = 8192,
	/*
	 * maximum number of stack traces in a run (group of packed lines); if
	 * there are more, a new run begins
	 */
	TRACES_MOST = 4096,
	/*
	 * maximum number of different heads (first lines of objects) in a run;
	 * if there are more, a new run begins
	 */
	HEADS_MOST = 8192,
	/*
	 * The number of bytes that must be free in the buffer of rows before a
	 * row is packed. Writing a number may write nine bytes.
	 */
	ROWS_SLACK = 64,
	DEF_BYTES = 2,
};

/*
 * A node of the trie, which stands for one line of an object. Its parent stands
 * for the previous line of the same object.
 */
struct node {
	/*
	 * The line of a field without its tab and without its value. Points
	 * into the block.
	 */
	const char *key;
	/*
	 * length in bytes of `key`; 0: the node stands for the first line of an
	 * object or array
	 */
	uint32_t length;
	/*
	 * the parent of this node: it stands for the previous line of the
	 * object
	 */
	uint32_t before;
	/*
	 * the child of this node that was used last, so it is tried first; 0:
	 * none
	 */
	uint32_t next;
	/*
	 * For objects whose last line is this line: 1 + the index of their
	 * definition (class and fields). 0: no object has ended with this line
	 * so far.
	 */
	uint32_t def;
	/*
	 * A guess: the head (first line) of the object that came after the last
	 * object that ended with this line. 0: there is no guess.
	 */
	uint32_t head;
	uint64_t class, size;
};

/*
 * A head: the first line of an object or array, without its id. Many objects
 * have the same head.
 */
struct head {
	/*
	 * the text of the line after the id, with the newline; points into the
	 * block
	 */
	const char *key;
	uint32_t length;
	/*
	 * the node of the trie for this head (first line of an object); 0: an
	 * array of primitives
	 */
	uint32_t node;
	/*
	 * If this head (first line) is that of an array: a guess of the head
	 * that follows the array. It is the head that followed the last array
	 * with the same head.
	 */
	uint32_t next;
	uint32_t trace;
	/*
	 * number of elements of an array with this head (first line of an
	 * object)
	 */
	uint64_t count;
	uint8_t type; /* type code of the elements of a primitive array */
	bool object;
	bool wide; /* the class id in this line needs more than 4 bytes */
	/*
	 * the current run (group of packed lines) has already recorded the
	 * stack trace of this head (first line of an object)
	 */
	bool met;
};

enum open_item { OPEN_NOTHING, OPEN_OBJECT, OPEN_ARRAY };

struct hp_text_packer {
	bool places;
	struct node nodes[NODES_MOST];
	struct head heads[HEADS_MOST];
	/*
	 * `count`: number of nodes in use; `head_count`: number of heads (first
	 * lines of objects) in use. In both lists, index 0 is not used.
	 */
	uint32_t count, head_count;
	/*
	 * Hash tables that find the nodes of the trie, the stack traces of the
	 * current run (group of packed lines), and the heads (first lines of
	 * objects).
	 */
	struct hp_hash_table find_nodes, find_traces, find_heads;

	/*
	 * The block of text that is being packed: its bytes from `text` to
	 * before `end`.
	 */
	const char *text, *end;
	const char *at; /* the beginning of the next line to pack */
	uint32_t line;	/* number of the next line within the block, from 0 */
	struct hp_text_runs *out;
	/*
	 * Number of runs (groups of packed lines) begun in this block. It is
	 * limited, because clearing the tables for each new run takes time.
	 */
	unsigned begun;
	bool failed; /* memory ran out while a line was being packed */

	/* a run (group of packed lines) is being built: `run` is valid */
	bool running;
	/*
	 * The run (group of packed lines) that is being built, up to the end of
	 * the last complete object.
	 */
	struct hp_text_run run;
	uint8_t *row; /* end of the rows (packed lines) so far */
	/*
	 * line number, in the block, of the first line of the previous object
	 * or array
	 */
	uint32_t row_line;
	const char *row_at;

	/* The kind of the object or array whose lines are being packed. */
	enum open_item open;
	const char *item_at;
	uint32_t item_line, node, fields;
	struct head *head;
	/*
	 * The address in the row of the object where the number of its
	 * definition (class and fields) belongs. The number is written when the
	 * object is complete.
	 */
	uint8_t *item_def;
	/* address of the beginning of the line that was packed last */
	const char *last;
	bool wide;
	/*
	 * the lines that are being packed belong to an array that began in an
	 * earlier block
	 */
	bool continuing;
	uint64_t next, elements;
};

struct hp_text_packer *
hp_text_packer_open(bool places)
{
	struct hp_text_packer *p = hp_calloc(1, sizeof(*p));

	if (p)
		p->places = places;
	return p;
}

void
hp_text_packer_close(struct hp_text_packer *p)
{
	if (!p)
		return;
	hp_hash_release(&p->find_nodes);
	hp_hash_release(&p->find_traces);
	hp_hash_release(&p->find_heads);
	hp_free(p);
}

void
hp_text_runs_release(struct hp_text_runs *r)
{
	hp_free(r->rows);
	hp_free(r->defs);
	hp_free(r->traces);
	*r = (struct hp_text_runs){0};
}

/* ---- the trie ---- */

static uint32_t
hash_of(const struct hp_text_packer *p, const struct node *n)
{
	const uint64_t numbers[3] = {n->before, n->class, n->size};
	uint64_t seed = p->find_nodes.seed;

	if (n->length > 0)
		return (uint32_t)XXH3_64bits_withSeed(n->key, n->length,
						      seed + n->before);
	return (uint32_t)XXH3_64bits_withSeed(numbers, sizeof(numbers), seed);
}

static bool
is_node(const void *nodes, uint32_t number, const void *wanted)
{
	const struct node *a = &((const struct node *)nodes)[number];
	const struct node *b = wanted;

	return a->before == b->before && a->length == b->length &&
	       a->class == b->class && a->size == b->size &&
	       (a->length == 0 || memcmp(a->key, b->key, a->length) == 0);
}

/*
 * Find the node that equals @wanted, or add it. Returns 0 if there are too many
 * nodes, or if memory runs out.
 */
static uint32_t
find_node(struct hp_text_packer *p, const struct node *wanted)
{
	struct hp_hash_table *t = &p->find_nodes;
	struct hp_hash_slot *slot;
	uint32_t hash;

	if (!hp_hash_reserve(t, t->count + 1)) {
		p->failed = true;
		return 0;
	}
	hash = hash_of(p, wanted);
	slot = hp_hash_find(t, hash, is_node, p->nodes, wanted);
	if (slot->number)
		return slot->number;
	/*
	 * The last free node is only used for the first line of an object, so
	 * that a node is always left for the next object.
	 */
	if (p->count + (wanted->length > 0) >= NODES_MOST)
		return 0;
	p->nodes[p->count] = *wanted;
	hp_hash_add(t, slot, hash, p->count);
	return p->count++;
}

/* ---- definitions and traces ---- */

/*
 * Find or add the definition (class and fields) of the object or array that was
 * just packed. *@def receives the number of the definition, from 0. Returns
 * false if out of memory.
 */
static bool
define_object(struct hp_text_packer *p, uint32_t *def)
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

static bool
is_trace(const void *traces, uint32_t number, const void *trace)
{
	const struct hp_text_met *list = traces;

	return list[number - 1].trace == *(const uint32_t *)trace;
}

/*
 * Record the stack trace of the current object, if this run (group of packed
 * lines) did not refer to the trace before. Returns false if out of memory.
 */
static bool
record_trace(struct hp_text_packer *p)
{
	struct hp_text_runs *out = p->out;
	uint32_t trace = p->head->trace, hash;
	uint32_t at = p->run.trace + p->run.traces;
	struct hp_hash_table *t = &p->find_traces;
	struct hp_hash_slot *slot;

	if (p->head->met)
		return true;
	p->head->met = true;
	if (!hp_hash_reserve(t, t->count + 1) ||
	    !HP_LIST_RESERVE(out->traces, at, out->trace_room))
		return false;
	hash = (uint32_t)XXH3_64bits_withSeed(&trace, sizeof(trace), t->seed);
	slot = hp_hash_find(t, hash, is_trace, out->traces + p->run.trace,
			    &trace);
	if (slot->number)
		return true;
	out->traces[at] =
		(struct hp_text_met){.at = (size_t)(p->item_at - p->text),
				     .line = p->item_line,
				     .trace = trace};
	hp_hash_add(t, slot, hash, ++p->run.traces);
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
		hp_hash_clear(&p->find_nodes);
		hp_hash_clear(&p->find_traces);
		hp_hash_clear(&p->find_heads);
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

/*
 * Extend the run (group of packed lines) up to the current line, where an
 * object is complete.
 */
static void
extend_run(struct hp_text_packer *p)
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

/* Complete the current object. Returns false if out of memory. */
static bool
close_object(struct hp_text_packer *p)
{
	uint32_t def;
	uint16_t bytes;

	if (p->open != OPEN_OBJECT)
		return true;
	if (!define_object(p, &def) || !record_trace(p))
		return false;
	bytes = htole16((uint16_t)def);
	memcpy(p->item_def, &bytes, sizeof(bytes));
	return true;
}

/*
 * End the run after its last complete object. The lines of an incomplete object
 * belong to no run.
 */
static void
end_run(struct hp_text_packer *p)
{
	if (p->open == OPEN_ARRAY)
		extend_run(p);
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

static void
step(struct hp_text_packer *p, const char *end)
{
	p->last = p->at;
	p->at = end + 1;
	p->line++;
}

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
	if ((h->node && !define_object(p, &def)) || !record_trace(p)) {
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

/*
 * Parse the first line of an object after its id. @end is the address of the
 * newline. Returns false if the line has an unusual format, so that it cannot
 * belong to a run (group of packed lines).
 */
static bool
parse_head(struct hp_text_packer *p, const char *end, struct head *h)
{
	struct node wanted = {0};
	struct hp_text_item i;
	enum hp_text_kind kind;

	kind = hp_text_parse(p->at, (size_t)(end - p->at), HP_WITHIN_HEAP, &i);
	/*
	 * in the trie, the size UINT64_MAX means an array, so no object may
	 * have this size
	 */
	if ((kind != HP_TEXT_OBJECT && kind != HP_TEXT_ARRAY) ||
	    (kind == HP_TEXT_OBJECT && i.size == UINT64_MAX))
		return false;
	/*
	 * JDK 1.4 prints the class of the elements, not the class of the array;
	 * heap.c handles such lines
	 */
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
begins_with_head(const struct hp_text_packer *p, const struct head *h,
		 const char *key)
{
	return h->length <= (size_t)(p->end - key) &&
	       h->object == (*p->at == 'O') &&
	       memcmp(h->key, key, h->length) == 0;
}

/*
 * The key to find a head: the part of the first line of an object or array that
 * comes after the id.
 */
struct head_key {
	const struct hp_text_packer *packer;
	struct hp_slice line;
};

static bool
is_head(const void *heads, uint32_t number, const void *key)
{
	const struct head *h = &((const struct head *)heads)[number];
	const struct head_key *k = key;

	return h->length == k->line.length &&
	       begins_with_head(k->packer, h, k->line.text);
}

/*
 * Find the head of the next object, or add a new head. (A head is the first
 * line of an object without the id.) @key: the part of the first line of the
 * object that comes after the id. Returns NULL if the line has an unusual
 * format, or if memory runs out.
 */
static struct head *
find_head(struct hp_text_packer *p, const char *key)
{
	const char *end = memchr(key, '\n', (size_t)(p->end - key));
	struct hp_hash_table *t = &p->find_heads;
	struct head_key wanted = {.packer = p, .line.text = key};
	struct head h = {.key = key};
	struct hp_hash_slot *slot;
	uint32_t hash;

	if (!end || end - p->at >= HP_TEXT_LINE_CUT)
		return NULL;
	h.length = (uint32_t)(end + 1 - key);
	wanted.line.length = h.length;
	if (!hp_hash_reserve(t, t->count + 1)) {
		p->failed = true;
		return NULL;
	}
	hash = (uint32_t)XXH3_64bits_withSeed(key, h.length, t->seed);
	slot = hp_hash_find(t, hash, is_head, p->heads, &wanted);
	if (slot->number)
		return &p->heads[slot->number];
	if (p->head_count == HEADS_MOST || !parse_head(p, end, &h))
		return NULL;
	hp_hash_add(t, slot, hash, p->head_count);
	p->heads[p->head_count] = h;
	return &p->heads[p->head_count++];
}

/*
 * Returns where the guess for the next head (first line of an object) is
 * stored. The guess is the head that came after the last object with the same
 * lines as the current one. Returns NULL if there is no current object, or if
 * it is an array that began in an earlier block.
 */
static uint32_t *
next_head(struct hp_text_packer *p)
{
	if (p->open == OPEN_OBJECT)
		return &p->nodes[p->node].head;
	return p->open == OPEN_ARRAY && !p->continuing ? &p->head->next : NULL;
}

/*
 * Like find_head(), but compares the line with the guess of next_head() first.
 */
static struct head *
guess_head(struct hp_text_packer *p, const char *key)
{
	uint32_t *next = next_head(p);
	struct head *h;

	if (next && *next && begins_with_head(p, &p->heads[*next], key) &&
	    key + p->heads[*next].length - p->at <= HP_TEXT_LINE_CUT)
		return &p->heads[*next];
	h = find_head(p, key);
	if (h && next)
		*next = (uint32_t)(h - p->heads);
	return h;
}

/*
 * Whether the tables may have no space for the next line, so that a new run
 * (group of packed lines) must begin.
 */
static bool
is_full(const struct hp_text_packer *p)
{
	return p->count + 2 >= NODES_MOST || p->head_count == HEADS_MOST ||
	       p->run.traces == TRACES_MOST;
}

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
	extend_run(p);
	if (is_full(p)) {
		end_run(p);
		if (p->begun >= HP_TEXT_RUNS_MOST)
			return false;
		begin_run(p);
		head = find_head(p, key);
		if (!head)
			return false;
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

/*
 * Guess that the fields of this object come in the same order as in the
 * previous object of this kind. If the line has the guessed field, pack the
 * line and return true.
 */
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

/*
 * Pack the line of an array element. The row contains the index only if the run
 * (group of packed lines) begins with this element, or if the index is not the
 * previous index plus 1. Returns false if the line has an unusual format.
 */
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

/*
 * Begin a run (group of packed lines) with elements of an array whose own line
 * is in an earlier block.
 */
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
		out->rows = hp_malloc(HP_TEXT_BLOCK + ROWS_SLACK);
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
