/*
 * tables.c - store the records outside the heap (strings, loaded classes,
 * frames, traces), and find them by id
 *
 * This file does not check whether the ids in these records refer to existing
 * records.
 */
#include "common/model/tables.h"
#include "common/model/class_name.h"
#include "common/base/memory.h"
#include "common/base/hash.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

/*
 * Returns item number @number of the list @v; the first item has the number 1.
 * NULL if there is no such item. @size: the size of an item in bytes.
 */
static void *
vec_at(const struct hp_vec *v, size_t size, uint64_t number)
{
	return number > 0 && number <= v->count
		       ? (char *)v->items + (number - 1) * size
		       : NULL;
}

/*
 * Returns the item of the list @v for @id; @map contains the number of the item
 * for each id. NULL if there is no such item.
 */
static void *
vec_find(const struct hp_vec *v, size_t size, const struct hp_id_map *map,
	 uint64_t id)
{
	const uint64_t *number = hp_id_map_get(map, id);

	return number ? vec_at(v, size, *number) : NULL;
}

/*
 * Find the item of the list @v for @id. If there is none, append an item and
 * set *@fresh. In @index, the number of an id is the position of its item in
 * the list, from 1. Returns NULL if out of memory.
 */
HP_HOT void *
vec_put(struct hp_vec *v, size_t size, struct hp_id_index *index, uint64_t id,
	bool *fresh)
{
	size_t number = hp_id_index_put(index, id, fresh);

	if (number == 0)
		return NULL;
	return *fresh ? hp_vec_add(v, size) : vec_at(v, size, number);
}

static enum hp_status
no_memory(struct hp_error *err)
{
	return hp_no_memory(err);
}

/* The state of parsing one record. */
struct record_parse {
	struct hp_tables *t;
	const struct hp_record *rec;
	struct hp_cursor body;
	unsigned dumps;
	enum hp_definition met;
};

static bool
parse_id(struct record_parse *k, uint64_t *id)
{
	return hp_uint(&k->body, k->t->id_size, id);
}

static bool
parse_u4(struct record_parse *k, uint32_t *v)
{
	return hp_uint32(&k->body, 4, v);
}

/*
 * Each of the functions parse_...() below parses one kind of record, and sets
 * k->met. If the record is too short, k->met keeps the value HP_MET_MALFORMED.
 * The functions return false if out of memory.
 */

/* The stored copy of a long text. */
struct long_text {
	uint32_t length;
	uint64_t hash; /* the XXH3 hash of the text, computed without a seed */
	uint8_t data[];
};

/*
 * Return the stored copy of a long text; if there is no copy yet, store one.
 * Returns NULL if out of memory.
 */
static const uint8_t *
long_text(struct hp_tables *t, const uint8_t *text, uint32_t n)
{
	uint64_t hash = XXH3_64bits_withSeed(text, n, t->seed), *place;
	struct long_text *kept;
	bool fresh;

	for (;; hash++) {
		place = hp_id_map_put(&t->long_texts, hash, &fresh);
		if (!place)
			return NULL;
		if (fresh || !*place)
			break;
		kept = (struct long_text *)(uintptr_t)*place;
		if (kept->length == n && memcmp(kept->data, text, n) == 0)
			return kept->data;
	}
	kept = hp_arena_alloc(&t->arena, sizeof(*kept) + n);
	if (!kept)
		return NULL;
	kept->length = n;
	kept->hash = XXH3_64bits(text, n);
	memcpy(kept->data, text, n);
	*place = (uint64_t)(uintptr_t)kept;
	return kept->data;
}

/*
 * Find out the style of the string @s, the name of a loaded class (with dots or
 * slashes). This is done only once for each text, because the text may be long,
 * and many classes may have this name.
 */
static void
note_looks(struct hp_tables *t, struct hp_string *s)
{
	if (!s->looked)
		s->looks = (uint8_t)hp_class_name_looks(s->data, s->length);
	s->looked = true;
	t->load_looks |= s->looks;
}

/*
 * If an earlier LOAD CLASS record has this string as its name, find out the
 * style of the name (with dots or slashes).
 */
static void
note_name(struct hp_tables *t, uint64_t id, struct hp_string *s)
{
	if (!hp_id_map_is_empty(&t->unnamed) && hp_id_map_get(&t->unnamed, id))
		note_looks(t, s);
}

/*
 * If the next record is also a string, prefetch its slot of the hash table, so
 * that the wait for memory overlaps with the work on this record.
 */
static void
prefetch_next_string(const struct record_parse *k)
{
	struct hp_cursor next = {.data = k->body.data,
				 .len = k->body.len + k->rec->ahead,
				 .pos = k->body.len};
	struct hp_cursor head;
	uint64_t id;

	if (hp_take(&next, HP_HEAD_SIZE, &head) &&
	    head.data[0] == HP_REC_STRING && hp_uint(&next, k->t->id_size, &id))
		hp_id_index_prefetch(&k->t->strings, id);
}

/*
 * Make room for at least one more string. The list of strings has the same
 * capacity as t->strings, the index of their ids. Returns how many strings can
 * be added; 0 if out of memory.
 */
static size_t
string_room(struct hp_tables *t)
{
	struct hp_vec *v = &t->string_list;

	if (!hp_id_index_reserve(&t->strings) ||
	    (v->cap < t->strings.ids_cap &&
	     !hp_list_resize(&v->items, &v->cap, t->strings.ids_cap,
			     sizeof(struct hp_string))))
		return 0;
	return v->cap - v->count;
}

static bool
parse_string(struct record_parse *k)
{
	struct hp_tables *t = k->t;
	struct hp_string *s;
	const uint8_t *text, *copy;
	uint64_t id;
	uint32_t n;
	bool fresh, named;

	if (!parse_id(k, &id) || hp_left(&k->body) > UINT32_MAX)
		return true;
	prefetch_next_string(k);
	text = k->body.data + k->body.pos;
	n = (uint32_t)hp_left(&k->body);
	s = string_room(t) > 0 ? vec_put(&t->string_list, sizeof(*s),
					 &t->strings, id, &fresh)
			       : NULL;
	if (!s)
		return false;
	k->met = HP_MET_NOTHING;
	if (fresh)
		*s = (struct hp_string){.data = (const uint8_t *)""};
	else if (s->length == n && memcmp(s->data, text, n) == 0)
		k->met = HP_MET_SAME;
	else
		k->met = HP_MET_DIFFERENT;
	if (k->met == HP_MET_SAME)
		return true;
	copy = n > HP_TEXT_LONG
		       ? long_text(t, text, n)
		       : (const uint8_t *)hp_arena_copy(&t->arena, text, n);
	if (!copy)
		return false;
	/*
	 * if the earlier string was the name of a loaded class, the new string
	 * becomes the name of that class
	 */
	named = s->looked;
	*s = (struct hp_string){.data = copy, .length = n};
	if (named)
		note_looks(t, s);
	else
		note_name(t, id, s);
	return true;
}

/*
 * Whether the strings with the ids @a and @b have the same text. If one of the
 * strings is missing, returns whether the ids are equal.
 */
static bool
same_text(const struct hp_tables *t, uint64_t a, uint64_t b)
{
	return a == b ||
	       hp_string_same(hp_tables_string(t, a), hp_tables_string(t, b));
}

/*
 * Look up the name of a loaded class and store its position in @load, because
 * the name is needed often. Also find out the style of the name (with dots or
 * slashes), which dialect.c needs. Returns false if out of memory.
 */
static bool
note_load(struct hp_tables *t, struct hp_load *load)
{
	struct hp_string *name;

	load->name = hp_id_index_get(&t->strings, load->name_id);
	name = vec_at(&t->string_list, sizeof(*name), load->name);
	if (!name)
		return hp_id_map_put(&t->unnamed, load->name_id, NULL);
	note_looks(t, name);
	return true;
}

/*
 * Set k->met, the result of comparing a record with an earlier one. @known: an
 * earlier record has the same id. @same: that earlier record is equal to this
 * one.
 */
static void
note_met(struct record_parse *k, bool known, bool same)
{
	k->met = !known ? HP_MET_NOTHING
		 : same ? HP_MET_SAME
			: HP_MET_DIFFERENT;
}

static bool
parse_load(struct record_parse *k)
{
	struct hp_tables *t = k->t;
	struct hp_load load = {.offset = k->rec->offset,
			       .record = k->rec->ordinal};
	const struct hp_load *old;
	uint64_t *by_id, *by_serial;

	if (!parse_u4(k, &load.serial) || !parse_id(k, &load.class_id) ||
	    !parse_u4(k, &load.trace) || !parse_id(k, &load.name_id))
		return true;
	old = hp_tables_load(t, load.class_id);
	note_met(k, old, old && same_text(t, old->name_id, load.name_id));
	by_id = hp_id_map_put(&t->loads_by_id, load.class_id, NULL);
	by_serial = hp_id_map_put(&t->loads_by_serial, load.serial, NULL);
	if (!by_id || !by_serial || !note_load(t, &load) ||
	    !hp_vec_push(&t->load_list, &load, sizeof(load)))
		return false;
	*by_id = *by_serial = t->load_list.count;
	return true;
}

static bool
parse_unload(struct record_parse *k)
{
	struct hp_load *load;
	uint32_t serial;

	if (!parse_u4(k, &serial))
		return true;
	load = vec_find(&k->t->load_list, sizeof(*load), &k->t->loads_by_serial,
			serial);
	note_met(k, load, load && !load->unloaded);
	if (load)
		load->unloaded = true;
	return true;
}

static bool
same_frame(const struct hp_frame *a, const struct hp_frame *b)
{
	return a->method == b->method && a->signature == b->signature &&
	       a->source == b->source && a->class_serial == b->class_serial &&
	       a->line == b->line;
}

static bool
parse_frame(struct record_parse *k)
{
	struct hp_tables *t = k->t;
	struct hp_frame frame = {.offset = k->rec->offset}, *place;
	uint32_t line;
	bool fresh;

	if (!parse_id(k, &frame.id) || !parse_id(k, &frame.method) ||
	    !parse_id(k, &frame.signature) || !parse_id(k, &frame.source) ||
	    !parse_u4(k, &frame.class_serial) || !parse_u4(k, &line))
		return true;
	frame.line = (int32_t)line;
	place = vec_put(&t->frame_list, sizeof(frame), &t->frames, frame.id,
			&fresh);
	if (!place)
		return false;
	note_met(k, !fresh, same_frame(place, &frame));
	if (k->met != HP_MET_SAME)
		*place = frame;
	return true;
}

static bool
same_trace(const struct hp_trace *a, const struct hp_trace *b)
{
	return a->thread == b->thread && a->nframes == b->nframes &&
	       (a->nframes == 0 ||
		memcmp(a->frames, b->frames, a->nframes * sizeof(*a->frames)) ==
			0);
}

static uint64_t *
copy_ids(struct hp_tables *t, struct hp_cursor ids, uint32_t n)
{
	uint64_t *out;
	uint32_t i;

	out = hp_arena_alloc(&t->arena, n * sizeof(*out));
	if (!out)
		return NULL;
	for (i = 0; i < n; i++)
		out[i] = hp_load_id(ids.data + (size_t)i * t->id_size,
				    t->id_size);
	return out;
}

static bool
parse_trace(struct record_parse *k)
{
	struct hp_tables *t = k->t;
	struct hp_trace trace = {.offset = k->rec->offset}, *place;
	struct hp_cursor ids;
	bool fresh;

	if (!parse_u4(k, &trace.serial) || !parse_u4(k, &trace.thread) ||
	    !parse_u4(k, &trace.nframes) ||
	    !hp_take_array(&k->body, trace.nframes, t->id_size, &ids))
		return true;
	trace.frames = copy_ids(t, ids, trace.nframes);
	if (!trace.frames)
		return false;
	place = vec_put(&t->trace_list, sizeof(trace), &t->traces, trace.serial,
			&fresh);
	if (!place)
		return false;
	note_met(k, !fresh, !fresh && same_trace(place, &trace));
	if (k->met != HP_MET_SAME)
		*place = trace;
	return true;
}

static bool
same_thread(const struct hp_thread *a, const struct hp_thread *b)
{
	return a->object == b->object && a->name == b->name &&
	       a->group == b->group && a->parent == b->parent &&
	       a->trace == b->trace;
}

static bool
parse_thread(struct record_parse *k)
{
	struct hp_tables *t = k->t;
	struct hp_thread thread = {.offset = k->rec->offset};
	const struct hp_thread *old;
	uint64_t *index;

	if (!parse_u4(k, &thread.serial) || !parse_id(k, &thread.object) ||
	    !parse_u4(k, &thread.trace) || !parse_id(k, &thread.name) ||
	    !parse_id(k, &thread.group) || !parse_id(k, &thread.parent))
		return true;
	old = hp_tables_thread(t, thread.serial);
	if (old && old->ended)
		old = NULL;
	note_met(k, old, old && same_thread(old, &thread));
	index = hp_id_map_put(&t->threads, thread.serial, NULL);
	if (!index || !hp_vec_push(&t->thread_list, &thread, sizeof(thread)))
		return false;
	*index = t->thread_list.count;
	return true;
}

static bool
parse_thread_end(struct record_parse *k)
{
	struct hp_thread *thread;
	uint32_t serial;

	if (!parse_u4(k, &serial))
		return true;
	thread = vec_find(&k->t->thread_list, sizeof(*thread), &k->t->threads,
			  serial);
	note_met(k, thread, thread && !thread->ended);
	if (thread)
		thread->ended = true;
	return true;
}

static bool
parse_site(struct hp_cursor *rows, struct hp_site *s)
{
	uint32_t kind;

	if (!hp_uint32(rows, 1, &kind) ||
	    !hp_uint32(rows, 4, &s->class_serial) ||
	    !hp_uint32(rows, 4, &s->trace) ||
	    !hp_uint32(rows, 4, &s->live_bytes) ||
	    !hp_uint32(rows, 4, &s->live_instances) ||
	    !hp_uint32(rows, 4, &s->allocated_bytes) ||
	    !hp_uint32(rows, 4, &s->allocated_instances))
		return false;
	s->array_kind = (uint8_t)kind;
	return true;
}

static bool
parse_sites(struct record_parse *k)
{
	struct hp_tables *t = k->t;
	struct hp_sites sites = {.offset = k->rec->offset,
				 .record = k->rec->ordinal,
				 .dump = k->dumps};
	struct hp_cursor rows;
	uint32_t flags, i;

	if (!hp_uint32(&k->body, 2, &flags) || !parse_u4(k, &sites.cutoff) ||
	    !parse_u4(k, &sites.live_bytes) ||
	    !parse_u4(k, &sites.live_instances) ||
	    !hp_uint(&k->body, 8, &sites.allocated_bytes) ||
	    !hp_uint(&k->body, 8, &sites.allocated_instances) ||
	    !parse_u4(k, &sites.nsites) ||
	    !hp_take_array(&k->body, sites.nsites, HP_SITE_ROW, &rows))
		return true;
	sites.flags = (uint16_t)flags;
	sites.sites =
		hp_arena_alloc(&t->arena, sites.nsites * sizeof(*sites.sites));
	if (!sites.sites || !hp_vec_push(&t->site_list, &sites, sizeof(sites)))
		return false;
	for (i = 0; i < sites.nsites; i++)
		if (!parse_site(&rows, &sites.sites[i]))
			break;
	k->met = HP_MET_NOTHING;
	return true;
}

static bool
parse_samples(struct record_parse *k)
{
	struct hp_tables *t = k->t;
	struct hp_samples s = {.offset = k->rec->offset,
			       .record = k->rec->ordinal};
	struct hp_cursor rows;
	uint32_t i;

	if (!parse_u4(k, &s.total) || !parse_u4(k, &s.nsamples) ||
	    !hp_take_array(&k->body, s.nsamples, HP_SAMPLE_ROW, &rows))
		return true;
	s.samples = hp_arena_alloc(&t->arena, s.nsamples * sizeof(*s.samples));
	if (!s.samples || !hp_vec_push(&t->sample_list, &s, sizeof(s)))
		return false;
	for (i = 0; i < s.nsamples; i++)
		if (!hp_uint32(&rows, 4, &s.samples[i].samples) ||
		    !hp_uint32(&rows, 4, &s.samples[i].trace))
			break;
	k->met = HP_MET_NOTHING;
	return true;
}

/*
 * Parse a record with the function for its tag. For records that are not stored
 * in a table, k->met is HP_MET_NOTHING.
 */
static bool
parse_record(struct record_parse *k)
{
	switch (k->rec->tag) {
	case HP_REC_STRING:
		return parse_string(k);
	case HP_REC_LOAD_CLASS:
		return parse_load(k);
	case HP_REC_UNLOAD_CLASS:
		return parse_unload(k);
	case HP_REC_STACK_FRAME:
		return parse_frame(k);
	case HP_REC_STACK_TRACE:
		return parse_trace(k);
	case HP_REC_ALLOC_SITES:
		return parse_sites(k);
	case HP_REC_START_THREAD:
		return parse_thread(k);
	case HP_REC_END_THREAD:
		return parse_thread_end(k);
	case HP_REC_CPU_SAMPLES:
		return parse_samples(k);
	default:
		k->met = HP_MET_NOTHING;
		return true;
	}
}

void
hp_tables_init(struct hp_tables *t, unsigned id_size)
{
	*t = (struct hp_tables){.id_size = id_size, .seed = hp_seed(t)};
}

uint64_t
hp_tables_bytes(const struct hp_tables *t)
{
	const struct hp_id_index *indexes[] = {&t->strings, &t->frames,
					       &t->traces};
	const struct hp_id_map *maps[] = {&t->loads_by_id, &t->loads_by_serial,
					  &t->threads, &t->long_texts,
					  &t->unnamed};
	uint64_t bytes = t->arena.held;

	for (size_t i = 0; i < HP_ARRAY_LEN(indexes); i++)
		bytes += hp_id_index_bytes(indexes[i]);
	for (size_t i = 0; i < HP_ARRAY_LEN(maps); i++)
		bytes += hp_id_map_bytes(maps[i]);
	return bytes + t->string_list.cap * sizeof(struct hp_string) +
	       t->load_list.cap * sizeof(struct hp_load) +
	       t->frame_list.cap * sizeof(struct hp_frame) +
	       t->trace_list.cap * sizeof(struct hp_trace) +
	       t->thread_list.cap * sizeof(struct hp_thread) +
	       t->site_list.cap * sizeof(struct hp_sites) +
	       t->sample_list.cap * sizeof(struct hp_samples);
}

void
hp_tables_release(struct hp_tables *t)
{
	hp_arena_release(&t->arena);
	hp_id_index_release(&t->strings);
	hp_id_map_release(&t->loads_by_id);
	hp_id_map_release(&t->loads_by_serial);
	hp_id_index_release(&t->frames);
	hp_id_index_release(&t->traces);
	hp_id_map_release(&t->threads);
	hp_id_map_release(&t->long_texts);
	hp_id_map_release(&t->unnamed);
	hp_free(t->string_list.items);
	hp_free(t->load_list.items);
	hp_free(t->frame_list.items);
	hp_free(t->trace_list.items);
	hp_free(t->thread_list.items);
	hp_free(t->site_list.items);
	hp_free(t->sample_list.items);
	*t = (struct hp_tables){0};
}

enum hp_status
hp_tables_record(struct hp_tables *t, const struct hp_record *rec,
		 struct hp_cursor body, unsigned dumps, enum hp_definition *met,
		 struct hp_error *err)
{
	struct record_parse k = {.t = t,
				 .rec = rec,
				 .body = body,
				 .dumps = dumps,
				 .met = HP_MET_MALFORMED};

	if (!rec->cut && !rec->partial && !parse_record(&k))
		return no_memory(err);
	if (met)
		*met = k.met;
	return HP_OK;
}

_Static_assert((int)HP_ARENA_SHORT == (int)HP_STRING_SHORT,
	       "as many bytes as a short text has can be copied and read");

enum hp_status
hp_tables_strings(struct hp_tables *t, const struct hp_string_row *rows,
		  size_t n, size_t *taken, struct hp_error *err)
{
	uint64_t ids[HP_ID_INDEX_TOGETHER];
	size_t room = string_room(t), i;
	struct hp_string *s;

	*taken = 0;
	n = n < room ? n : room;
	for (i = 0; i < n && rows[i].length <= HP_TEXT_LONG; i++)
		ids[i] = rows[i].id;
	n = i;
	if (room == 0 ||
	    (n > 0 && !hp_id_index_append(&t->strings, ids, n, taken)))
		return no_memory(err);
	s = (struct hp_string *)t->string_list.items + t->string_list.count;
	t->string_list.count += *taken;
	for (i = 0; i < *taken; i++) {
		const struct hp_string_row *r = &rows[i];
		const char *text =
			r->is_short
				? hp_arena_copy_short(&t->arena, r->text,
						      r->length)
				: hp_arena_copy(&t->arena, r->text, r->length);

		if (!text)
			return no_memory(err);
		s[i] = (struct hp_string){.data = (const uint8_t *)text,
					  .length = r->length};
		note_name(t, ids[i], &s[i]);
	}
	return HP_OK;
}

enum hp_status
hp_tables_take_strings(struct hp_tables *t, struct hp_string_run *run,
		       size_t most, size_t *taken, struct hp_error *err)
{
	struct hp_string_row rows[HP_ID_INDEX_TOGETHER];
	struct hp_string_run ahead = *run;
	enum hp_status st;
	size_t n = 0;

	while (n < most && n < HP_ARRAY_LEN(rows) &&
	       hp_string_run_look(&ahead, &rows[n]))
		hp_string_run_step(&ahead, &rows[n++]);
	st = hp_tables_strings(t, rows, n, taken, err);
	if (st == HP_OK && *taken > 0)
		hp_string_run_pass(run, &rows[*taken - 1], *taken);
	return st;
}

enum hp_status
hp_tables_scan_strings(const struct hp_tables *t, struct hp_string_taker *k,
		       struct hp_string_run *run, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	struct hp_string_row next;
	uint64_t first, most;
	bool all = true;

	while (st == HP_OK && all && hp_string_run_look(run, &next)) {
		first = run->ordinal;
		most = HP_TABLES_DUE - first % HP_TABLES_DUE;
		if (most == HP_TABLES_DUE && k->due)
			st = k->due(k->ctx,
				    hp_tables_bytes_with_strings(
					    t, run->id_size + next.length),
				    err);
		if (k->together > 0 && most > k->together)
			most = k->together;
		if (st == HP_OK)
			st = k->take(k->ctx, run, most, err);
		all = run->ordinal - first == most;
		k->together = all ? 0 : 1;
	}
	return st;
}

const struct hp_string *
hp_tables_string(const struct hp_tables *t, uint64_t id)
{
	return vec_at(&t->string_list, sizeof(struct hp_string),
		      hp_id_index_get(&t->strings, id));
}

const struct hp_load *
hp_tables_load(const struct hp_tables *t, uint64_t class_id)
{
	return vec_find(&t->load_list, sizeof(struct hp_load), &t->loads_by_id,
			class_id);
}

const struct hp_load *
hp_tables_load_serial(const struct hp_tables *t, uint32_t serial)
{
	return vec_find(&t->load_list, sizeof(struct hp_load),
			&t->loads_by_serial, serial);
}

const struct hp_string *
hp_tables_load_name(const struct hp_tables *t, const struct hp_load *load)
{
	return load->name ? vec_at(&t->string_list, sizeof(struct hp_string),
				   load->name)
			  : hp_tables_string(t, load->name_id);
}

const struct hp_frame *
hp_tables_frame(const struct hp_tables *t, uint64_t id)
{
	return vec_at(&t->frame_list, sizeof(struct hp_frame),
		      hp_id_index_get(&t->frames, id));
}

const struct hp_trace *
hp_tables_trace(const struct hp_tables *t, uint32_t serial)
{
	return vec_at(&t->trace_list, sizeof(struct hp_trace),
		      hp_id_index_get(&t->traces, serial));
}

const struct hp_thread *
hp_tables_thread(const struct hp_tables *t, uint32_t serial)
{
	return vec_find(&t->thread_list, sizeof(struct hp_thread), &t->threads,
			serial);
}

const struct hp_string *
hp_tables_class_name(const struct hp_tables *t, uint64_t class_id)
{
	const struct hp_load *load = hp_tables_load(t, class_id);

	return load ? hp_tables_load_name(t, load) : NULL;
}

bool
hp_string_same(const struct hp_string *a, const struct hp_string *b)
{
	if (!a || !b || a->length != b->length)
		return false;
	return a->data == b->data || (a->length <= HP_TEXT_LONG &&
				      memcmp(a->data, b->data, a->length) == 0);
}

uint64_t
hp_string_hash(const struct hp_string *s)
{
	const struct long_text *kept;

	if (s->length <= HP_TEXT_LONG)
		return XXH3_64bits(s->data, s->length);
	kept = (const void *)(s->data - offsetof(struct long_text, data));
	return kept->hash;
}

struct hp_string
hp_string_short(const struct hp_string *s, char *room)
{
	size_t n = HP_NAME_MOST;

	if (s->length <= HP_NAME_MOST)
		return *s;
	/* do not cut the text inside a UTF-8 character */
	while (n > HP_NAME_MOST - 6 && (s->data[n] & 0xC0) == 0x80)
		n--;
	memcpy(room, s->data, n);
	n += (size_t)snprintf(room + n, HP_NAME_ROOM - n, "...#%016" PRIx64,
			      hp_string_hash(s));
	return (struct hp_string){.data = (const uint8_t *)room,
				  .length = (uint32_t)n};
}

bool
hp_string_is(const struct hp_string *raw, const char *jvm, const char *java)
{
	return raw && ((raw->length == strlen(jvm) &&
			memcmp(raw->data, jvm, raw->length) == 0) ||
		       (raw->length == strlen(java) &&
			memcmp(raw->data, java, raw->length) == 0));
}

bool
hp_string_is_java(const struct hp_string *raw, const char *java)
{
	size_t n = strlen(java);

	if (!raw || raw->length != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (raw->data[i] != (uint8_t)java[i] &&
		    !(raw->data[i] == '/' && java[i] == '.'))
			return false;
	return true;
}
