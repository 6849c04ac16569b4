/*
 * threads.c - write the threads of a dump and their stacks in the layout of
 * jstack, so that tools that read thread dumps can read them
 *
 * One pass lists the roots of threads. Two more passes read the priority, the
 * state and other fields of the thread objects. From JDK 19 on, these fields
 * are in a separate object, the holder. thread_names.c finds the names.
 */
#include "convert/export/threads.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "common/cli/quantity.h"
#include "common/format/scan.h"
#include "common/model/class_name.h"
#include "convert/export/table_rows.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

/* A thread of the dump: data of its root and of its thread object. */
struct one {
	uint64_t object, holder;
	/* file offset of the root; threads are written in this order */
	uint64_t offset;
	/*
	 * file offset of the object whose fields were read in the current pass;
	 * 0: none. If several objects have the same id, the first one counts.
	 */
	uint64_t read_at;
	uint32_t serial, trace;
	uint32_t status, priority;
	bool has_status, daemon, failed;
};

/*
 * The positions of fields in an instance of java.lang.Thread, or in the object
 * (holder) that contains these fields from JDK 19 on.
 */
struct fields {
	/* the class that declares the fields: java.lang.Thread or its holder */
	const struct hp_class *class;
	struct hp_field_place status, priority, daemon, holder;
};

struct threads {
	const struct hp_convert_options *o;
	struct hp_prepass prepass;
	struct hp_thread_names names;
	pthread_mutex_t lock;
	struct one *list;
	size_t count, cap;
	/* maps the id of an object to 1 + the index of its thread */
	struct hp_id_map by_object;
	struct fields fields;
	size_t place; /* index of the dump in prepass->dumps */
	struct hp_error *err;
};

/* --- bits of java.lang.Thread.threadStatus -------------------------------- */

/* Source: JVM TI, GetThreadState; jdk.internal.misc.VM.toThreadState() */
enum {
	TERMINATED = 0x2,
	RUNNABLE = 0x4,
	INDEFINITELY = 0x10,
	TIMED = 0x20,
	SLEEPING = 0x40,
	IN_WAIT = 0x100,
	PARKED = 0x200,
	BLOCKED = 0x400,
};

static const char *
state_of(uint32_t status)
{
	return status & RUNNABLE       ? "RUNNABLE"
	       : status & BLOCKED      ? "BLOCKED (on object monitor)"
	       : status & INDEFINITELY ? "WAITING"
	       : status & TIMED	       ? "TIMED_WAITING"
	       : status & TERMINATED   ? "TERMINATED"
				       : "RUNNABLE";
}

static const char *
reason_of(uint32_t status)
{
	if (!(status & (INDEFINITELY | TIMED)))
		return "";
	return status & PARKED	   ? " (parking)"
	       : status & SLEEPING ? " (sleeping)"
	       : status & IN_WAIT  ? " (on object monitor)"
				   : "";
}

static const char *
words_of(const struct one *t)
{
	return !t->has_status		? "unknown"
	       : t->status & RUNNABLE	? "runnable"
	       : t->status & BLOCKED	? "waiting for monitor entry"
	       : t->status & IN_WAIT	? "in Object.wait()"
	       : t->status & TERMINATED ? "terminated"
	       : t->status & ~1u	? "waiting on condition"
					: "runnable";
}

/* --- the passes over the dump -------------------------------------- */

static bool
add_root(struct threads *t, const struct hp_sub *s)
{
	unsigned size = t->prepass.header.id_size;
	const struct one one = {.object = s->id,
				.offset = s->offset,
				.serial = hp_root_thread(s, size),
				.trace = hp_root_third(s, size),
				.priority = 5};
	bool fine;

	pthread_mutex_lock(&t->lock);
	fine = HP_LIST_PUSH(t->list, t->count, t->cap, one);
	pthread_mutex_unlock(&t->lock);
	return fine;
}

static bool
load(const struct threads *t, const struct hp_field_place *place,
     const struct hp_sub *s, uint64_t *value)
{
	return place->from_end != 0 &&
	       hp_field_load(place, t->prepass.header.id_size, s->data,
			     s->count, value);
}

/*
 * If the instance @s is the object of a thread in the list, read its fields.
 * From JDK 19 on, most fields are in another object (holder), which is handled
 * in the same way.
 */
static void
read_object(struct threads *t, const struct hp_sub *s)
{
	const uint64_t *found = hp_id_map_get(&t->by_object, s->id);
	const struct hp_class *c;
	struct one *one;
	uint64_t v;

	if (!found)
		return;
	c = hp_classes_get(&t->prepass.dumps[t->place]->classes, s->class_id);
	if (!hp_instance_decodable(c, s) || !hp_class_is_a(c, t->fields.class))
		return;
	one = &t->list[*found - 1];
	pthread_mutex_lock(&t->lock);
	if (one->read_at != 0 && one->read_at < s->offset) {
		pthread_mutex_unlock(&t->lock);
		return;
	}
	one->read_at = s->offset;
	/*
	 * The root shows that the thread has started. On Android the status
	 * field is always 0, so ignore a 0.
	 */
	if (load(t, &t->fields.status, s, &v) && v != 0) {
		one->status = (uint32_t)v;
		one->has_status = true;
	}
	if (load(t, &t->fields.priority, s, &v))
		one->priority = (uint32_t)v;
	if (load(t, &t->fields.daemon, s, &v))
		one->daemon = v & 1;
	if (load(t, &t->fields.holder, s, &v))
		one->holder = v;
	pthread_mutex_unlock(&t->lock);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct threads *t = ctx;
	bool roots = !t->fields.class;
	struct hp_batch_walk walk = {.ahead = HP_AHEAD,
				     .skip_instances = roots};
	struct hp_sub s = {0};
	bool fine = true;

	if (b->dump != t->prepass.dump)
		return HP_OK;
	while (fine && hp_batch_next(&walk, b, &s, t->prepass.header.id_size)) {
		/*
		 * skip a ROOT THREAD OBJECT with the id 0: agents also list
		 * threads of the VM, which have no object
		 */
		if (roots && s.tag == HP_SUB_ROOT_THREAD_OBJECT && s.id != 0)
			fine = add_root(t, &s);
		else if (!roots && !walk.piece && s.tag == HP_SUB_INSTANCE_DUMP)
			read_object(t, &s);
	}
	return fine ? HP_OK : hp_no_memory(err);
}

static enum hp_status
run_pass(struct threads *t, struct hp_source *src)
{
	const struct hp_pass pass = {
		.need = HP_NEED_HEADS, .ctx = t, .batch = on_batch};
	const struct hp_scan_options so = {.threads = t->o->common.threads,
					   .only_dump = t->prepass.dump};
	enum hp_status st = hp_source_rewind(src, t->err);

	return st == HP_OK ? hp_scan(src, &pass, &so, t->err) : st;
}

/* --- read the fields of thread objects ----------------------------- */

static void
find_fields(struct threads *t, const char *jvm)
{
	const struct hp_classes *c = &t->prepass.dumps[t->place]->classes;
	const struct hp_tables *tables = &t->prepass.tables;
	unsigned size = t->prepass.header.id_size;
	const struct hp_class *k = hp_boot_class(c, tables, jvm);

	t->fields = (struct fields){.class = k};
	if (!k)
		return;
	t->fields.status = hp_field_find(k, tables, size, "threadStatus");
	t->fields.priority = hp_field_find(k, tables, size, "priority");
	t->fields.daemon = hp_field_find(k, tables, size, "daemon");
	t->fields.holder = hp_field_find(k, tables, size, "holder");
}

/*
 * Read the fields of all thread objects or, if @holders is true, of the holder
 * objects that contain the fields from JDK 19 on.
 */
static enum hp_status
read_objects(struct threads *t, struct hp_source *src, bool holders)
{
	bool any = false;

	find_fields(t, holders ? "java/lang/Thread$FieldHolder"
			       : "java/lang/Thread");
	if (!t->fields.class)
		return HP_OK;
	hp_id_map_release(&t->by_object);
	t->by_object = (struct hp_id_map){0};
	for (size_t i = 0; i < t->count; i++) {
		uint64_t id = holders ? t->list[i].holder : t->list[i].object;

		any |= id != 0;
		t->list[i].read_at = 0;
		if (id != 0 && !hp_id_map_set(&t->by_object, id, i + 1))
			return hp_no_memory(t->err);
	}
	return any ? run_pass(t, src) : HP_OK;
}

/* --- find the order in which threads are written -------------------------- */

static bool
has_failed(const struct threads *t, uint32_t serial)
{
	const struct hp_tables *tables = &t->prepass.tables;
	const struct hp_trace *trace = hp_tables_trace(tables, serial);

	for (uint32_t i = 0; trace && i < trace->nframes && i < 4; i++) {
		const struct hp_frame *f =
			hp_tables_frame(tables, trace->frames[i]);
		const struct hp_load *load =
			f ? hp_tables_load_serial(tables, f->class_serial)
			  : NULL;

		if (load &&
		    hp_string_is(hp_tables_load_name(tables, load),
				 "java/lang/OutOfMemoryError",
				 "java.lang.OutOfMemoryError") &&
		    hp_string_is(hp_tables_string(tables, f->method), "<init>",
				 "<init>"))
			return true;
	}
	return false;
}

static int
by_place(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	if (x->failed != y->failed)
		return x->failed ? -1 : 1;
	return hp_order(x->offset, y->offset);
}

/* --- write the text ------------------------------------------------ */

static void
add_string(struct hp_buf *b, const struct hp_string *s, const char *otherwise)
{
	if (s)
		hp_text_clean(b, (const char *)s->data, s->length);
	else
		hp_buf_text(b, otherwise);
}

/*
 * Append the source position of a frame in the form of jstack, for example
 * "(Import.java:88)".
 */
static void
add_source(struct hp_buf *b, const struct threads *t, const struct hp_frame *f)
{
	const struct hp_string *file =
		hp_tables_string(&t->prepass.tables, f->source);

	hp_buf_byte(b, '(');
	if (f->line == -3)
		hp_buf_text(b, "Native Method");
	else
		add_string(b, file && file->length > 0 ? file : NULL,
			   "Unknown Source");
	if (f->line > 0 && file && file->length > 0)
		hp_buf_printf(b, ":%d", (int)f->line);
	hp_buf_byte(b, ')');
}

static void
add_frame(struct hp_buf *b, const struct threads *t, uint64_t id)
{
	const struct hp_tables *tables = &t->prepass.tables;
	const struct hp_frame *f = hp_tables_frame(tables, id);
	const struct hp_load *load =
		f ? hp_tables_load_serial(tables, f->class_serial) : NULL;
	const struct hp_string *raw =
		load ? hp_tables_load_name(tables, load) : NULL;
	struct hp_buf class = {0};

	if (!f)
		return;
	hp_buf_text(b, "\tat ");
	if (raw)
		hp_class_name(&class, raw->data, raw->length);
	hp_text_clean(b, raw ? hp_buf_string(&class) : "?",
		      raw ? class.len : 1);
	hp_buf_inherit(b, &class);
	hp_buf_release(&class);
	hp_buf_byte(b, '.');
	add_string(b, hp_tables_string(tables, f->method), "?");
	add_source(b, t, f);
	hp_buf_byte(b, '\n');
}

static void
add_name(struct hp_buf *b, const struct threads *t, const struct one *one)
{
	const struct hp_tables *tables = &t->prepass.tables;
	uint64_t started = hp_thread_names_started(&t->names, one->serial);
	const char *name =
		hp_thread_names_get(&t->names, t->place, one->object);

	if (started)
		add_string(b, hp_tables_string(tables, started), "(no name)");
	else
		hp_buf_text(b, name && *name ? name : "(no name)");
}

static void
add_thread(struct hp_buf *b, const struct threads *t, const struct one *one,
	   struct hp_threads_result *r)
{
	const struct hp_trace *trace =
		hp_tables_trace(&t->prepass.tables, one->trace);

	hp_buf_byte(b, '"');
	add_name(b, t, one);
	hp_buf_printf(b,
		      "\" %sprio=%" PRIu32 " tid=0x%016" PRIx64
		      " nid=0x%" PRIx32 " %s [0x0000000000000000]\n",
		      one->daemon ? "daemon " : "", one->priority, one->object,
		      one->serial, words_of(one));
	if (one->has_status)
		hp_buf_printf(b, "   java.lang.Thread.State: %s%s\n",
			      state_of(one->status), reason_of(one->status));
	for (uint32_t i = 0; trace && i < trace->nframes; i++)
		add_frame(b, t, trace->frames[i]);
	hp_buf_byte(b, '\n');
	r->threads++;
	r->states += one->has_status;
	r->stacks += trace && trace->nframes > 0;
}

/* --- run all passes ------------------------------------------------ */

static enum hp_status
write_all(struct threads *t, struct hp_sink *sink, struct hp_threads_result *r)
{
	struct hp_buf b = {0};
	enum hp_status st = HP_OK;
	uint64_t ms = t->prepass.header.timestamp_ms;

	/*
	 * tools that read thread dumps expect a time without a time zone in the
	 * first line
	 */
	if (ms == 0 || !hp_time_text(&b, ms))
		hp_buf_text(&b, "1970-01-01 00:00:00 UTC");
	b.len -= strlen(" UTC");
	hp_buf_text(&b, "\nFull thread dump of a heap dump "
			"(hprof-convert):\n\n");
	for (size_t i = 0; i < t->count && st == HP_OK; i++) {
		add_thread(&b, t, &t->list[i], r);
		st = hp_buf_ok(&b) ? hp_sink_write(sink, b.data, b.len, t->err)
				   : hp_no_memory(t->err);
		hp_buf_clear(&b);
	}
	if (st == HP_OK && b.len > 0)
		st = hp_sink_write(sink, b.data, b.len, t->err);
	hp_buf_release(&b);
	return st == HP_OK ? hp_sink_finish(sink, t->err) : st;
}

static enum hp_status
read_all(struct threads *t, struct hp_source *src)
{
	const struct hp_pass names = hp_thread_names_note_pass(&t->names);
	enum hp_status st = hp_prepass_run(
		&t->prepass, src, t->o->common.threads, &names, t->err);

	if (st == HP_OK)
		st = hp_thread_names_read(&t->names, src, t->err);
	if (st != HP_OK)
		return st;
	if (t->prepass.dump == 0)
		t->prepass.dump = t->prepass.last_dump;
	t->place = hp_prepass_place(&t->prepass, t->prepass.dump);
	st = run_pass(t, src);
	if (st == HP_OK && t->place < t->prepass.ndumps)
		st = read_objects(t, src, false);
	if (st == HP_OK && t->place < t->prepass.ndumps)
		st = read_objects(t, src, true);
	for (size_t i = 0; i < t->count; i++)
		t->list[i].failed = has_failed(t, t->list[i].trace);
	if (st == HP_OK &&
	    !hp_sort(t->list, t->count, sizeof(*t->list), by_place))
		st = hp_no_memory(t->err);
	return st;
}

enum hp_status
hp_threads_convert(struct hp_source *src, struct hp_sink *sink,
		   const struct hp_convert_options *options,
		   struct hp_threads_result *result, struct hp_error *err)
{
	struct threads t = {.o = options,
			    .prepass = {.want_tables = true,
					.dump = (unsigned)options->common.dump},
			    .lock = PTHREAD_MUTEX_INITIALIZER,
			    .err = err};
	enum hp_status st;

	*result = (struct hp_threads_result){0};
	t.names = (struct hp_thread_names){.prepass = &t.prepass,
					   .memory = hp_convert_memory(options),
					   .threads = options->common.threads};
	hp_thread_names_init(&t.names);
	st = read_all(&t, src);
	if (st == HP_OK)
		st = write_all(&t, sink, result);
	hp_thread_names_release(&t.names);
	hp_prepass_release(&t.prepass);
	hp_id_map_release(&t.by_object);
	hp_free(t.list);
	pthread_mutex_destroy(&t.lock);
	return st;
}
