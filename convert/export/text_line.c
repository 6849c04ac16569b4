/*
 * text_line.c - the lines of the agent's text format
 *
 * Source of the format: hprof_io.c and hprof_trace.c of the agent in JDK 8.
 */
#include "convert/export/text.h"

#include "common/cli/escape.h"
#include "common/text/text.h"
#include "convert/copy/ordered_pass.h"

/* ---- write the names of classes and members ---- */

static void
add_name(struct hp_buf *out, struct hp_name name)
{
	if (name.data)
		hp_buf_add(out, name.data, name.length);
	else
		hp_buf_text(out, "Unknown_class");
}

static void
add_class(const struct hp_text_names *n, uint64_t id, struct hp_buf *out)
{
	add_name(out, hp_name_cache_class(&n->naming, id));
}

static void
add_serial_class(const struct hp_text_names *n, uint32_t serial,
		 struct hp_buf *out)
{
	const struct hp_load *l =
		hp_tables_load_serial(&n->prepass->tables, serial);

	add_name(out, l ? hp_name_cache_class(&n->naming, l->class_id)
			: (struct hp_name){0});
}

static void
add_string(const struct hp_text_names *n, uint64_t id, const char *missing,
	   struct hp_buf *out)
{
	if (!hp_name_cache_string(&n->naming, id, out))
		hp_buf_text(out, missing);
}

/* ---- write times, the first lines, threads and stack traces ---- */

static void
add_settings(const struct hp_text_names *n, struct hp_buf *out)
{
	const size_t head = strlen(HP_TEXT_SETTINGS);
	const struct hp_vec *v = &n->prepass->tables.string_list;
	const struct hp_string *s = v->items;

	for (size_t i = 0; i < v->count; i++) {
		if (s[i].length <= head || s[i].length > HP_NAME_ROOM ||
		    memcmp(s[i].data, HP_TEXT_SETTINGS, head) != 0)
			continue;
		hp_text_clean(out, s[i].data, s[i].length);
		hp_buf_byte(out, '\n');
		return;
	}
}

void
hp_text_prologue(const struct hp_text_names *n, struct hp_buf *out, uint64_t ms)
{
	hp_buf_text(out, "JAVA PROFILE 1.0.1, created ");
	hp_print_time(out, ms);
	hp_buf_text(out,
		    "\nWritten by hprof-convert from a binary dump. Times are "
		    "UTC. Sizes (sz) are\nthose of a layout model; arrays of "
		    "primitives are without a header.\n");
	add_settings(n, out);
	hp_buf_printf(out,
		      "Identifiers have %u bytes, references %u, headers "
		      "%u.\n\n--------\n\n",
		      n->id_size, n->look->prepass->layout.reference,
		      n->look->prepass->layout.header);
}

/*
 * Append a line of the original text, with control characters other than tabs
 * escaped.
 */
void
hp_text_carried(const struct hp_text_names *n, uint64_t string,
		struct hp_buf *out)
{
	const struct hp_string *s =
		hp_tables_string(&n->prepass->tables, string);
	const char *p, *end, *tab;

	if (!s || !hp_text_is_carried(s->data, s->length))
		/*
		 * Another STRING record with the same id has replaced the line
		 * of the original text.
		 */
		return;
	p = (const char *)s->data + strlen(HP_TEXT_CARRIED);
	end = (const char *)s->data + s->length;
	while ((tab = memchr(p, '\t', (size_t)(end - p)))) {
		hp_text_clean(out, p, (size_t)(tab - p));
		hp_buf_byte(out, '\t');
		p = tab + 1;
	}
	hp_text_clean(out, p, (size_t)(end - p));
	hp_buf_byte(out, '\n');
}

void
hp_text_thread(const struct hp_text_names *n, const struct hp_event *e,
	       struct hp_buf *out)
{
	if (e->kind == HP_EVENT_THREAD_END) {
		hp_buf_printf(out, "THREAD END (id = %u)\n",
			      (unsigned)e->serial);
		return;
	}
	hp_buf_text(out, "THREAD START (obj=");
	hp_buf_hex(out, e->object, 1);
	hp_buf_printf(out, ", id = %u, name=\"", (unsigned)e->serial);
	add_string(n, e->name, "", out);
	hp_buf_text(out, "\", group=\"");
	add_string(n, e->group, "", out);
	hp_buf_text(out, "\")\n");
}

static void
add_method(const struct hp_text_names *n, const struct hp_frame *f,
	   struct hp_buf *out)
{
	if (f)
		add_serial_class(n, f->class_serial, out);
	else
		hp_buf_text(out, "Unknown_class");
	hp_buf_byte(out, '.');
	if (f)
		add_string(n, f->method, "<Unknown Method>", out);
	else
		hp_buf_text(out, "<Unknown Method>");
}

void
hp_text_trace(const struct hp_text_names *n, const struct hp_trace *t,
	      struct hp_buf *out)
{
	hp_buf_printf(out, "TRACE %u:", (unsigned)t->serial);
	if (t->thread)
		hp_buf_printf(out, " (thread=%u)", (unsigned)t->thread);
	hp_buf_byte(out, '\n');
	if (t->nframes == 0)
		hp_buf_text(out, "\t<empty>\n");
	for (uint32_t i = 0; i < t->nframes; i++) {
		const struct hp_frame *f =
			hp_tables_frame(&n->prepass->tables, t->frames[i]);

		n->flush(n->flush_ctx);
		hp_buf_byte(out, '\t');
		add_method(n, f, out);
		hp_buf_byte(out, '(');
		add_string(n, f ? f->source : 0, "<Unknown Source>", out);
		hp_buf_byte(out, ':');
		hp_print_line_number(out, f ? hp_frame_line(f->line, n->dialect)
					    : -1);
		hp_buf_text(out, ")\n");
	}
}

/* ---- write the lines of a heap dump ---- */

/*
 * Returns the allocation trace of the object that a JNI global root refers to;
 * 0 if it is not known.
 */
static uint32_t
trace_of(const struct hp_text_prepass_dump *d, uint64_t id)
{
	const uint64_t *t = hp_id_map_get(&d->globals, id);

	return t && *t ? (uint32_t)(*t - 1) : 0;
}

void
hp_text_root(const struct hp_text_names *n,
	     const struct hp_text_prepass_dump *d, const struct hp_sub *s,
	     struct hp_buf *out)
{
	unsigned second = 0, third = 0;
	bool has_two = s->tag == HP_SUB_ROOT_JNI_LOCAL ||
		       s->tag == HP_SUB_ROOT_JAVA_FRAME ||
		       s->tag == HP_SUB_ROOT_THREAD_OBJECT;

	if (has_two || s->tag == HP_SUB_ROOT_THREAD_BLOCK ||
	    s->tag == HP_SUB_ROOT_NATIVE_STACK)
		second = hp_root_thread(s, n->id_size);
	if (has_two)
		third = hp_root_third(s, n->id_size);
	hp_buf_text(out, "ROOT ");
	hp_buf_hex(out, s->id, 1);
	hp_buf_text(out, " (kind=<");
	switch (s->tag) {
	case HP_SUB_ROOT_THREAD_OBJECT:
		/* Android writes -1 for "no trace"; the text format has 0 */
		hp_buf_printf(out, "thread>, id=%u, trace=%u", second,
			      third == UINT32_MAX ? 0 : third);
		break;
	case HP_SUB_ROOT_JNI_GLOBAL:
		hp_buf_text(out, "JNI global ref>, id=");
		hp_buf_hex(out,
			   hp_load_id(s->start + 1 + n->id_size, n->id_size),
			   1);
		hp_buf_printf(out, ", trace=%u", (unsigned)trace_of(d, s->id));
		break;
	case HP_SUB_ROOT_JNI_LOCAL:
		hp_buf_printf(out, "JNI local ref>, thread=%u, frame=%d",
			      second, (int)third);
		break;
	case HP_SUB_ROOT_STICKY_CLASS:
		hp_buf_text(out, "system class>, name=");
		add_class(n, s->id, out);
		break;
	case HP_SUB_ROOT_MONITOR_USED:
		hp_buf_text(out, "busy monitor>");
		break;
	case HP_SUB_ROOT_THREAD_BLOCK:
		hp_buf_printf(out, "thread block>, thread=%u", second);
		break;
	case HP_SUB_ROOT_JAVA_FRAME:
		hp_buf_printf(out, "Java stack>, thread=%u, frame=%d", second,
			      (int)third);
		break;
	case HP_SUB_ROOT_NATIVE_STACK:
		hp_buf_printf(out, "native stack>, thread=%u", second);
		break;
	/*
	 * other types of roots occur only on Android, and the agent's text has
	 * no word for them
	 */
	default:
		hp_buf_text(out, "unknown>");
		break;
	}
	hp_buf_text(out, ")\n");
}

void
hp_text_object(const struct hp_text_names *n, const struct hp_sub *s,
	       const struct hp_class *k, struct hp_buf *out)
{
	bool instance = s->tag == HP_SUB_INSTANCE_DUMP;

	hp_buf_text(out, instance ? "OBJ " : "ARR ");
	hp_buf_hex(out, s->id, 1);
	hp_buf_text(out, " (sz=");
	hp_buf_u64(out, hp_text_prepass_bytes(n->look, s, k));
	hp_buf_text(out, ", trace=");
	hp_buf_u64(out, s->trace);
	if (!instance) {
		hp_buf_text(out, ", nelems=");
		hp_buf_u64(out, s->count);
	}
	hp_buf_text(out, instance ? ", class=" : ", elem type=");
	if (instance || s->tag == HP_SUB_OBJECT_ARRAY_DUMP) {
		add_class(n, s->class_id, out);
		hp_buf_byte(out, '@');
		hp_buf_hex(out, s->class_id, 1);
	} else {
		hp_buf_text(out, hp_type_name(s->type));
		hp_buf_text(out, "[]");
	}
}

void
hp_text_elements(const struct hp_text_names *n, const uint8_t *p,
		 uint64_t first, uint64_t count, const struct hp_batch *b,
		 struct hp_buf *out)
{
	for (uint64_t i = 0; i < count; i++, p += n->id_size) {
		uint64_t v = hp_load_id(p, n->id_size);

		hp_ordered_pass_relieve(b, out);
		if (!v)
			continue;
		hp_buf_add(out, "\t[", 2);
		hp_buf_u64(out, first + i);
		hp_buf_add(out, "]\t\t", 3);
		hp_buf_hex(out, v, 1);
		hp_buf_byte(out, '\n');
	}
}

void
hp_text_fields(const struct hp_text_names *n, const struct hp_text_plan *plan,
	       const uint8_t *data, const struct hp_batch *b,
	       struct hp_buf *out)
{
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct hp_text_field *f = &plan->fields[i];
		uint64_t v = hp_load_id(data + f->at, n->id_size);

		if (!v)
			continue;
		hp_ordered_pass_relieve(b, out);
		hp_buf_byte(out, '\t');
		hp_buf_add(out, f->name.data, f->name.length);
		hp_buf_add(out, "\t\t", f->name.length < 8 ? 2 : 1);
		hp_buf_hex(out, v, 1);
		hp_buf_byte(out, '\n');
	}
}

static void
add_link(struct hp_buf *out, const char *name, uint64_t id)
{
	if (!id)
		return;
	hp_buf_printf(out, "\t%s\t\t", name);
	hp_buf_hex(out, id, 1);
	hp_buf_byte(out, '\n');
}

void
hp_text_class(const struct hp_text_names *n, const struct hp_class *k,
	      struct hp_buf *out)
{
	hp_buf_text(out, "CLS ");
	hp_buf_hex(out, k->id, 1);
	hp_buf_text(out, " (name=");
	add_class(n, k->id, out);
	hp_buf_printf(out, ", trace=%u)\n", (unsigned)k->trace);
	add_link(out, "super", k->super_id);
	add_link(out, "loader", k->loader);
	add_link(out, "signers", k->signers);
	add_link(out, "domain", k->domain);
	for (uint32_t i = 0; i < k->nstatics; i++) {
		if (!hp_type_is_reference(k->statics[i].type) ||
		    !k->statics[i].value)
			continue;
		n->flush(n->flush_ctx);
		hp_buf_text(out, "\tstatic ");
		add_string(n, k->statics[i].name, "<Unknown Field>", out);
		hp_buf_byte(out, '\t');
		hp_buf_hex(out, k->statics[i].value, 1);
		hp_buf_byte(out, '\n');
	}
	for (uint32_t i = 0; i < k->nconstants; i++) {
		if (!hp_type_is_reference(k->constants[i].type) ||
		    !k->constants[i].value)
			continue;
		hp_buf_printf(out, "\tconstant pool entry %u\t",
			      (unsigned)k->constants[i].index);
		hp_buf_hex(out, k->constants[i].value, 1);
		hp_buf_byte(out, '\n');
	}
}

/*
 * Append the reference fields that the class @c declares to @fields, a list of
 * fields to print. @at: offset in an instance of the first field of @c. Returns
 * false if out of memory.
 */
static bool
plan_class(struct hp_text_names *n, const struct hp_class *c, uint32_t at,
	   struct hp_text_field *fields)
{
	static const struct hp_name unknown = {"<Unknown Field>", 15};

	for (uint32_t i = 0; i < c->nfields; i++) {
		uint64_t string = c->fields[i].name;

		if (hp_type_is_reference(c->fields[i].type)) {
			const struct hp_name *name = &unknown;

			if (hp_tables_string(&n->prepass->tables, string))
				name = hp_name_cache_field(&n->naming, string);
			if (!name)
				return false;
			*fields++ =
				(struct hp_text_field){.name = *name, .at = at};
		}
		at += hp_type_size(c->fields[i].type, n->id_size);
	}
	return true;
}

static uint32_t
own_references(const struct hp_class *c)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->nfields; i++)
		count += hp_type_is_reference(c->fields[i].type);
	return count;
}

/*
 * Create the plan of a class: its reference fields in the order of the text. In
 * an instance, the fields of its own class come first; in the text, those of
 * the topmost superclass come first.
 */
static struct hp_text_plan *
make_plan(struct hp_text_names *n, const struct hp_prepass_dump *d,
	  const struct hp_class *k)
{
	struct hp_text_plan *p;
	uint32_t count = 0, left, at = 0;
	bool ok = true;

	for (const struct hp_class *c = k; c; c = hp_prepass_above(d, c))
		count += own_references(c);
	p = hp_arena_alloc(&n->arena,
			   sizeof(*p) + count * sizeof(p->fields[0]));
	if (!p)
		return NULL;
	p->count = left = count;
	for (const struct hp_class *c = k; c && ok;
	     c = hp_prepass_above(d, c)) {
		left -= own_references(c);
		ok = plan_class(n, c, at, p->fields + left);
		for (uint32_t i = 0; i < c->nfields; i++)
			at += hp_type_size(c->fields[i].type, n->id_size);
	}
	return ok ? p : NULL;
}

const struct hp_text_plan *
hp_text_plan(struct hp_text_names *n, const struct hp_prepass_dump *d,
	     const struct hp_class *k)
{
	struct hp_text_plan *p = NULL;
	uint64_t *place;

	pthread_mutex_lock(&n->naming.lock);
	place = hp_id_map_put(&n->plans, (uint64_t)(uintptr_t)k, NULL);
	if (place && *place == 0)
		*place = (uint64_t)(uintptr_t)make_plan(n, d, k);
	if (place)
		p = (struct hp_text_plan *)(uintptr_t)*place;
	pthread_mutex_unlock(&n->naming.lock);
	return p;
}

/* ---- write the reports of allocation sites and CPU samples ---- */

static void
add_site_class(const struct hp_text_names *n, const struct hp_site *s,
	       struct hp_buf *out)
{
	if (!hp_tables_load_serial(&n->prepass->tables, s->class_serial) &&
	    hp_type_is_primitive(s->array_kind)) {
		hp_buf_text(out, hp_type_name(s->array_kind));
		hp_buf_text(out, "[]");
	} else {
		add_serial_class(n, s->class_serial, out);
	}
}

void
hp_text_sites(const struct hp_text_names *n, const struct hp_sites *s,
	      uint64_t ms, struct hp_buf *out)
{
	struct hp_print_site line;
	uint64_t sum = 0;

	hp_print_sites_begin(out, s->flags & 2, ms);
	for (uint32_t i = 0; i < s->nsites; i++) {
		const struct hp_site *r = &s->sites[i];

		n->flush(n->flush_ctx);
		sum += r->live_bytes;
		line = (struct hp_print_site){.rank = i + 1,
					      .live_bytes = r->live_bytes,
					      .live_count = r->live_instances,
					      .all_bytes = r->allocated_bytes,
					      .all_count =
						      r->allocated_instances,
					      .trace = r->trace,
					      .sum = sum,
					      .total = s->live_bytes};
		hp_print_site(out, &line);
		add_site_class(n, r, out);
		hp_buf_byte(out, '\n');
	}
	hp_buf_text(out, "SITES END\n");
}

void
hp_text_samples(const struct hp_text_names *n, const struct hp_samples *s,
		uint64_t ms, struct hp_buf *out)
{
	const struct hp_tables *tables = &n->prepass->tables;
	uint64_t sum = 0;

	hp_print_samples_begin(out, s->total, s->nsamples > 0, ms);
	for (uint32_t i = 0; i < s->nsamples; i++) {
		const struct hp_sample *r = &s->samples[i];
		const struct hp_trace *t = hp_tables_trace(tables, r->trace);

		n->flush(n->flush_ctx);
		sum += r->samples;
		hp_print_row(out, i + 1, r->samples, sum, s->total, r->samples,
			     r->trace);
		if (t && t->nframes)
			add_method(n, hp_tables_frame(tables, t->frames[0]),
				   out);
		else
			hp_buf_text(out, "<empty trace>");
		hp_buf_byte(out, '\n');
	}
	hp_buf_text(out, "CPU SAMPLES END\n");
}
