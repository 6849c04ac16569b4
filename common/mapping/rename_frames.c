/*
 * rename_frames.c - give the stack frames of a dump their original names, and
 * show methods that were inlined
 *
 * A STACK FRAME record of the dump becomes the frame of the outermost original
 * method. Methods that were inlined into it get new records, and the traces
 * then list all of these frames. Two kinds of frames are removed from traces:
 * methods that R8 made, and outlines. An outline is a method to which R8 moved
 * equal code of several methods. The line number in the outline shows from
 * which line of the calling method the code comes.
 */
#include "common/mapping/internal.h"

#include "common/base/memory.h"

enum { FRAMES_MOST = 256 };

/*
 * A frame of the original program. All members except `line` are numbers of
 * texts in r->texts.
 */
struct original {
	uint32_t class, method, signature, source;
	int32_t line;
};

/*
 * The original frames for one STACK FRAME record of the dump. The innermost
 * frame is the first one.
 */
struct stack {
	struct original list[FRAMES_MOST];
	unsigned count;
	bool outline;
	/*
	 * Only for a method that calls outlines (methods with code of several
	 * methods): the mapping that contains the method, and the entry of the
	 * method in it. NULL for other methods.
	 */
	const struct hp_name_mapping *mapping;
	const struct hp_mapped_method *caller;
};

/*
 * The original frames that replace one STACK FRAME record in each trace. The
 * elements of r->stacks are of this type.
 */
struct expansion {
	/*
	 * The index in r->frames of the frame of the innermost inlined method.
	 * The frames of the other inlined methods come after it.
	 */
	size_t first;
	unsigned count;
	bool outline;
	/*
	 * Set only for a method that calls an outline (a method with code of
	 * several methods); otherwise NULL. In each trace, the frame of this
	 * method is renamed again, because its line depends on the line in the
	 * outline.
	 */
	const struct hp_name_mapping *mapping;
	const struct hp_mapped_method *caller;
	const struct hp_class *class;
	/* the frame with its names in the dump, before it was renamed */
	struct original original;
};

static struct hp_slice
text_of(const struct hp_rename *r, uint32_t number)
{
	struct hp_slice t;

	if (number == 0)
		return (struct hp_slice){"", 0};
	t = hp_intern_get(&r->texts, number);
	return (struct hp_slice){t.text, t.length};
}

static uint32_t
put_slice(struct hp_rename *r, struct hp_slice s)
{
	return hp_rename_text(r, s.text, s.length);
}

/*
 * @id is the id of a string of the dump. Returns the number of its text in
 * r->texts; 0 if the dump does not contain the string, or the string is too
 * long.
 */
static uint32_t
put_string(struct hp_rename *r, uint64_t id)
{
	const struct hp_string *s = hp_tables_string(r->tables, id);

	return s && s->length <= HP_MAPPED_NAME_MOST
		       ? hp_rename_text(r, (const char *)s->data, s->length)
		       : 0;
}

/* ---- one frame in one mapping ---- */

static int32_t
original_line(const struct hp_mapped_method *k, const struct hp_mapped_frame *f,
	      int32_t line)
{
	if (f->from == HP_NO_LINE || line <= 0)
		return line;
	if (f->from == f->to || k->from == HP_NO_LINE)
		return f->from;
	if (line - k->from > f->to - f->from)
		return f->to;
	return f->from + (line - k->from);
}

/*
 * Append a guess of the source file of a class: "Name.java" or "Name.kt" for
 * "a.b.Name$Inner". The suffix is that of @old, the file name in the dump.
 */
static void
guess_source(struct hp_slice class, struct hp_slice old, struct hp_buf *out)
{
	const char *dot = memrchr(class.text, '.', class.length), *end;
	bool kotlin = old.length > 3 &&
		      memcmp(old.text + old.length - 3, ".kt", 3) == 0;

	if (dot) {
		class.length -= (size_t)(dot + 1 - class.text);
		class.text = dot + 1;
	}
	end = memchr(class.text, '$', class.length);
	if (end && end > class.text)
		class.length = (size_t)(end - class.text);
	hp_buf_add(out, class.text, class.length);
	hp_buf_text(out, kotlin ? ".kt" : ".java");
}

/*
 * Returns the source file of the class with the original name @class, as the
 * number of a text. @old: the file name in the dump, used to guess if the
 * mapping does not have the file.
 */
static uint32_t
source_of(struct hp_rename *r, const struct hp_name_mapping *m,
	  struct hp_slice class, uint32_t old)
{
	const struct hp_mapped_class *c = hp_mapping_find_original(m, class);

	if (c && c->file)
		return put_slice(r, hp_mapping_text(m, c->file));
	if (!old)
		return 0;
	hp_buf_clear(&r->buf);
	guess_source(class, text_of(r, old), &r->buf);
	return hp_buf_ok(&r->buf) ? hp_rename_text(r, r->buf.data, r->buf.len)
				  : 0;
}

/*
 * Returns the number of the JVM descriptor for the types of an original method;
 * 0 if out of memory. The descriptor is computed once for each text, because
 * the text may be long and many frames may have it.
 */
static uint32_t
put_types(struct hp_rename *r, const struct hp_name_mapping *m, uint32_t types)
{
	uint64_t *known =
		hp_id_map_put(&r->types, m->serial << 32 | types, NULL);

	if (!known || *known)
		return known ? (uint32_t)*known : 0;
	hp_buf_clear(&r->buf);
	hp_mapping_descriptor(m, hp_mapping_text(m, types), HP_MAPPING_ORIGINAL,
			      &r->buf);
	if (hp_buf_ok(&r->buf))
		*known = hp_rename_text(r, r->buf.data, r->buf.len);
	return (uint32_t)*known;
}

/*
 * Replace the names of the classes in a descriptor such as "(La/b;I)V" by the
 * original names. Used if the mapping does not contain the method.
 */
static uint32_t
put_descriptor(struct hp_rename *r, const struct hp_name_mapping *m,
	       uint32_t old)
{
	struct hp_slice s = text_of(r, old), name;
	const struct hp_mapped_class *c;
	struct hp_buf dotted = {0};
	const char *end;

	hp_buf_clear(&r->buf);
	for (size_t i = 0; i < s.length; i++) {
		hp_buf_byte(&r->buf, s.text[i]);
		end = s.text[i] == 'L' ? memchr(s.text + i, ';', s.length - i)
				       : NULL;
		if (!end)
			continue;
		name = (struct hp_slice){s.text + i + 1,
					 (size_t)(end - s.text) - i - 1};
		hp_buf_clear(&dotted);
		hp_mapping_dotted(
			&dotted,
			&(struct hp_string){.data = (const uint8_t *)name.text,
					    .length = (uint32_t)name.length});
		c = hp_mapping_find(m,
				    (struct hp_slice){dotted.data, dotted.len});
		if (c)
			name = hp_mapping_text(m, c->original);
		for (size_t k = 0; k < name.length; k++)
			hp_buf_byte(&r->buf,
				    name.text[k] == '.' ? '/' : name.text[k]);
		i = (size_t)(end - s.text) - 1;
	}
	hp_buf_inherit(&r->buf, &dotted);
	hp_buf_release(&dotted);
	return hp_buf_ok(&r->buf) ? hp_rename_text(r, r->buf.data, r->buf.len)
				  : 0;
}

/*
 * Append the original frames of the method @k to a stack. The outermost frame
 * is left out if the compiler made the method.
 */
static bool
add_frames(struct hp_rename *r, const struct hp_name_mapping *m,
	   const struct hp_mapped_class *c, const struct hp_mapped_method *k,
	   const struct original *of, struct stack *out)
{
	unsigned n = k->count < HP_INLINED_MOST ? k->count : HP_INLINED_MOST;
	uint32_t first = k->first + (k->count - n);
	bool made = (k->synthesized || c->synthesized) && n > 1;

	for (uint32_t i = first; i < first + n - made; i++) {
		const struct hp_mapped_frame *f = &m->frames[i];
		struct hp_slice class =
			hp_mapping_text(m, f->holder ? f->holder : c->original);
		struct original *to = &out->list[out->count];

		if (out->count == FRAMES_MOST)
			break;
		to->class = put_slice(r, class);
		to->method = put_slice(r, hp_mapping_text(m, f->method));
		to->signature = put_types(r, m, f->types);
		to->source = source_of(r, m, class, of->source);
		to->line = original_line(k, f, of->line);
		if (!to->class || !to->method || !to->signature)
			return false;
		out->count++;
	}
	return true;
}

/*
 * Find the entry of a frame's method in its class. For the first mapping, also
 * search the super classes. The caller sets *@c to the entry of the class of
 * the frame. If the method is found in a super class, the function sets *@c to
 * the entry of that class.
 */
static const struct hp_mapped_method *
find_method(struct hp_rename *r, const struct hp_name_mapping *m,
	    const struct original *f, const struct hp_class *k,
	    const struct hp_mapped_class **c)
{
	const struct hp_mapped_method *found = NULL;
	const struct hp_mapped_class *at = *c;
	struct hp_buf dotted = {0};
	bool known = false;

	for (unsigned up = 0; up < HP_INLINED_MOST && !known; up++) {
		if (at)
			found = hp_mapping_find_method(
				m, at, text_of(r, f->method),
				text_of(r, f->signature), f->line, &known);
		if (known)
			*c = at;
		k = k ? k->super : NULL;
		if (known || !k)
			break;
		const struct hp_string *name =
			hp_tables_class_name(r->tables, k->id);

		hp_buf_clear(&dotted);
		if (name && name->length <= HP_MAPPED_NAME_MOST)
			hp_mapping_dotted(&dotted, name);
		at = dotted.len
			     ? hp_mapping_find(m, (struct hp_slice){dotted.data,
								    dotted.len})
			     : NULL;
	}
	r->counts.ambiguous += known && !found;
	hp_buf_inherit(&r->buf, &dotted);
	hp_buf_release(&dotted);
	return found;
}

/* Append the original frames that the mapping @m has for a frame. */
static bool
map_frame(struct hp_rename *r, const struct hp_name_mapping *m,
	  const struct original *f, const struct hp_class *class,
	  struct stack *out)
{
	const struct hp_mapped_class *own =
		hp_mapping_find(m, text_of(r, f->class));
	const struct hp_mapped_class *c = own;
	const struct hp_mapped_method *k = find_method(r, m, f, class, &c);
	struct original *to = &out->list[out->count];

	if (k && k->outline)
		out->outline = true;
	if (k && k->npositions) {
		out->mapping = m;
		out->caller = k;
	}
	if (k)
		return add_frames(r, m, c, k, f, out);
	if (out->count == FRAMES_MOST)
		return true;
	*to = *f;
	out->count++;
	if (f->signature)
		to->signature = put_descriptor(r, m, f->signature);
	if (!own)
		return to->signature || !f->signature;
	to->class = put_slice(r, hp_mapping_text(m, own->original));
	to->source = source_of(r, m, text_of(r, to->class), f->source);
	return to->class && (to->signature || !f->signature);
}

/*
 * Apply all mappings to a frame, one after the other. Returns false if out of
 * memory.
 */
static bool
map_all(struct hp_rename *r, const struct original *f,
	const struct hp_class *class, struct stack *s)
{
	struct stack *next = hp_malloc(sizeof(*next));
	bool ok = next != NULL;

	s->list[0] = *f;
	s->count = 1;
	for (size_t i = 0; i < r->mappings->count && ok; i++) {
		*next = (struct stack){.outline = s->outline,
				       .mapping = s->mapping,
				       .caller = s->caller};
		for (unsigned k = 0; k < s->count && ok; k++)
			ok = map_frame(r, r->mappings->list[i].mapping,
				       &s->list[k], i == 0 ? class : NULL,
				       next);
		*s = *next;
	}
	hp_free(next);
	return ok;
}

/* ---- records ---- */

/*
 * Returns the serial number of the class with the original name @class. A class
 * whose methods were all inlined is not in the dump, so it gets a new LOAD
 * CLASS record. Returns 0 if out of memory.
 */
static uint32_t
serial_of(struct hp_rename *r, uint32_t class)
{
	struct hp_slice name = text_of(r, class);
	struct hp_load load = {0};
	uint64_t *serial;
	uint32_t spelled;

	serial = hp_id_map_put(&r->serials, class, NULL);
	if (!serial || *serial)
		return serial ? (uint32_t)*serial : 0;
	hp_buf_clear(&r->buf);
	for (size_t i = 0; i < name.length; i++)
		hp_buf_byte(&r->buf,
			    r->jvm && name.text[i] == '.' ? '/' : name.text[i]);
	spelled = hp_buf_ok(&r->buf)
			  ? hp_rename_text(r, r->buf.data, r->buf.len)
			  : 0;
	if (!spelled)
		return 0;
	while (hp_tables_load_serial(r->tables, ++r->next_serial))
		;
	load.serial = r->next_serial;
	load.name_id = hp_rename_id(r, spelled);
	/*
	 * No other record uses the new string id of the name. So this id can
	 * also be the id of the class.
	 */
	load.class_id = load.name_id;
	*serial = load.serial;
	return hp_vec_push(&r->loads, &load, sizeof(load)) ? load.serial : 0;
}

/* Remember the serial numbers of all classes by their original names. */
static bool
note_serials(struct hp_rename *r)
{
	const struct hp_load *loads = r->tables->load_list.items;
	struct hp_mapped_chain chain;
	struct hp_buf dotted = {0};
	bool ok = true;

	for (size_t i = 0; i < r->tables->load_list.count && ok; i++) {
		const struct hp_string *raw =
			hp_tables_load_name(r->tables, &loads[i]);
		struct hp_slice name;
		uint64_t *serial;
		uint32_t number;

		if (!raw || raw->length > HP_MAPPED_NAME_MOST)
			continue;
		hp_buf_clear(&dotted);
		hp_mapping_dotted(&dotted, raw);
		name = hp_rename_chain(
			r, (struct hp_slice){dotted.data, dotted.len}, &chain);
		number = put_slice(r, name);
		serial = number ? hp_id_map_put(&r->serials, number, NULL)
				: NULL;
		ok = serial != NULL;
		if (ok && !*serial)
			*serial = loads[i].serial;
	}
	ok &= hp_buf_ok(&dotted);
	hp_buf_release(&dotted);
	return ok;
}

static uint64_t
id_of(struct hp_rename *r, uint32_t text, uint64_t otherwise)
{
	return text ? hp_rename_id(r, text) : otherwise;
}

static bool
fill_frame(struct hp_rename *r, const struct original *o, struct hp_frame *f)
{
	uint32_t serial = o->class ? serial_of(r, o->class) : f->class_serial;

	f->method = id_of(r, o->method, f->method);
	f->signature = id_of(r, o->signature, f->signature);
	f->source = id_of(r, o->source, f->source);
	f->class_serial = serial;
	f->line = o->line;
	return serial != 0 || !o->class;
}

/* Convert a STACK FRAME record to a struct original, and find its class. */
static bool
read_frame(struct hp_rename *r, const struct hp_frame *f, struct original *o,
	   const struct hp_class **class)
{
	const struct hp_load *load =
		hp_tables_load_serial(r->tables, f->class_serial);
	const struct hp_string *raw =
		load ? hp_tables_load_name(r->tables, load) : NULL;

	if (!raw || raw->length > HP_MAPPED_NAME_MOST)
		return false;
	hp_buf_clear(&r->buf);
	hp_mapping_dotted(&r->buf, raw);
	*class = r->classes ? hp_classes_get(r->classes, load->class_id) : NULL;
	*o = (struct original){
		.class = hp_buf_ok(&r->buf)
				 ? hp_rename_text(r, r->buf.data, r->buf.len)
				 : 0,
		.method = put_string(r, f->method),
		.signature = put_string(r, f->signature),
		.source = f->source ? put_string(r, f->source) : 0,
		.line = f->line};
	return o->class && o->method;
}

static bool
is_same(const struct original *a, const struct original *b)
{
	return a->class == b->class && a->method == b->method &&
	       a->signature == b->signature && a->source == b->source &&
	       a->line == b->line;
}

/*
 * The first @n frames of @s are inlined methods. Store them as new records; @e
 * receives the position and the number of these records.
 */
static bool
add_inlined(struct hp_rename *r, const struct stack *s,
	    const struct hp_frame *from, unsigned n, struct expansion *e)
{
	e->first = r->frames.count;
	e->count = n;
	for (unsigned i = 0; i < n; i++) {
		struct hp_frame inlined = *from;

		inlined.offset = 0;
		inlined.id = hp_rename_new_id(r);
		if (!fill_frame(r, &s->list[i], &inlined) ||
		    !hp_vec_push(&r->frames, &inlined, sizeof(inlined)))
			return false;
	}
	return true;
}

/*
 * Rename a STACK FRAME record to its outermost original method. Store its other
 * original frames in r->stacks, for the traces. Returns false if out of memory.
 */
static bool
rename_frame(struct hp_rename *r, struct hp_frame *f, struct stack *s)
{
	struct expansion e = {0};
	const struct original *outer;

	*s = (struct stack){0};
	if (!read_frame(r, f, &e.original, &e.class))
		return hp_buf_ok(&r->buf);
	if (!map_all(r, &e.original, e.class, s))
		return false;
	outer = &s->list[s->count - 1];
	r->counts.frames += s->count > 1 || !is_same(outer, &e.original);
	e.outline = s->outline;
	e.mapping = s->mapping;
	e.caller = s->caller;
	if (!add_inlined(r, s, f, s->count - 1, &e) ||
	    (!is_same(outer, &e.original) && !fill_frame(r, outer, f)))
		return false;
	if (e.count == 0 && !e.outline && !e.caller)
		return true;
	return hp_vec_push(&r->stacks, &e, sizeof(e)) &&
	       hp_id_map_set(&r->expanded, f->id, r->stacks.count);
}

/* ---- traces ---- */

static const struct expansion *
expansion_of(const struct hp_rename *r, uint64_t frame)
{
	const uint64_t *number = hp_id_map_get(&r->expanded, frame);
	const struct expansion *list = r->stacks.items;

	return number ? &list[*number - 1] : NULL;
}

/*
 * @line is a line of an outline (a method with code of several methods).
 * Returns the line of the calling method from which the code comes; HP_NO_LINE
 * if the mapping does not contain @line.
 */
static int32_t
caller_line(const struct expansion *e, int32_t line)
{
	const struct hp_mapped_position *list =
		e->mapping->positions + e->caller->positions;
	size_t low = 0, high = e->caller->npositions;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].from < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low < e->caller->npositions && list[low].from == line
		       ? list[low].to
		       : HP_NO_LINE;
}

static void
add_id(struct hp_buf *ids, uint64_t id)
{
	hp_buf_add(ids, &id, sizeof(id));
}

static void
add_records(const struct hp_rename *r, const struct expansion *e,
	    struct hp_buf *ids)
{
	const struct hp_frame *frames = r->frames.items;

	for (unsigned i = 0; i < e->count; i++)
		add_id(ids, frames[e->first + i].id);
}

/*
 * Append the ids of the frames that replace @frame, which called an outline (a
 * method with code of several methods). @line: the line in the outline, which
 * determines the line in the calling method. Returns false if out of memory.
 */
static bool
add_caller(struct hp_rename *r, const struct expansion *e, uint64_t frame,
	   int32_t line, struct stack *s, struct hp_buf *ids)
{
	struct hp_frame from = *hp_tables_frame(r->tables, frame);
	struct original o = e->original;
	struct expansion all = {0};

	o.line = line;
	*s = (struct stack){0};
	if (!map_all(r, &o, e->class, s) ||
	    !add_inlined(r, s, &from, s->count, &all))
		return false;
	add_records(r, &all, ids);
	return true;
}

/*
 * Append to @ids the ids of the frames that replace the frames of the trace @t.
 * @moved receives the new position of each old frame. Returns false if out of
 * memory.
 */
static bool
expand_trace(struct hp_rename *r, const struct hp_trace *t, struct stack *s,
	     struct hp_buf *ids, uint32_t *moved)
{
	int32_t outlined = HP_NO_LINE, line;

	for (uint32_t i = 0; i < t->nframes; i++) {
		const struct expansion *e = expansion_of(r, t->frames[i]);

		moved[i] = (uint32_t)(ids->len / sizeof(uint64_t));
		/*
		 * An outline (a method with code of several methods) is removed
		 * from the trace only if a frame of the calling method follows.
		 */
		if (e && e->outline && i + 1 < t->nframes) {
			outlined = e->original.line;
			continue;
		}
		line = e && e->caller && outlined != HP_NO_LINE
			       ? caller_line(e, outlined)
			       : HP_NO_LINE;
		outlined = HP_NO_LINE;
		if (line != HP_NO_LINE) {
			if (!add_caller(r, e, t->frames[i], line, s, ids))
				return false;
			moved[i] = (uint32_t)(ids->len / sizeof(uint64_t)) - 1;
			continue;
		}
		if (e)
			add_records(r, e, ids);
		moved[i] = (uint32_t)(ids->len / sizeof(uint64_t));
		add_id(ids, t->frames[i]);
	}
	return hp_buf_ok(ids);
}

static bool
rename_trace(struct hp_rename *r, struct hp_trace *t, struct stack *s,
	     struct hp_buf *ids)
{
	bool changes = false;
	uint32_t *moved;
	uint64_t *copy;

	for (uint32_t i = 0; i < t->nframes && !changes; i++)
		changes = expansion_of(r, t->frames[i]) != NULL;
	if (!changes)
		return true;
	hp_buf_clear(ids);
	moved = hp_arena_alloc(&r->tables->arena, t->nframes * sizeof(*moved));
	if (!moved || !expand_trace(r, t, s, ids, moved) ||
	    ids->len / sizeof(uint64_t) > UINT32_MAX)
		return false;
	copy = hp_arena_alloc(&r->tables->arena, ids->len);
	if (!copy)
		return false;
	memcpy(copy, ids->data, ids->len);
	t->moved = moved;
	t->nmoved = t->nframes;
	t->frames = copy;
	t->nframes = (uint32_t)(ids->len / sizeof(uint64_t));
	return true;
}

enum hp_status
hp_rename_frames(struct hp_rename *r, struct hp_error *err)
{
	struct hp_frame *frames = r->tables->frame_list.items;
	struct hp_trace *traces = r->tables->trace_list.items;
	struct stack *s;
	struct hp_buf ids = {0};
	bool ok;

	if (r->tables->frame_list.count == 0)
		return HP_OK;
	s = hp_malloc(sizeof(*s));
	ok = s && note_serials(r);
	for (size_t i = 0; i < r->tables->frame_list.count && ok; i++)
		ok = rename_frame(r, &frames[i], s);
	for (size_t i = 0; i < r->tables->trace_list.count && ok; i++)
		ok = rename_trace(r, &traces[i], s, &ids);
	hp_buf_release(&ids);
	hp_free(s);
	return ok ? HP_OK : hp_no_memory(err);
}
