/* thread_names.c - find the names of threads in their thread objects */
#include "convert/export/table_rows.h"

#include "common/base/memory.h"
#include "common/cli/escape.h"
#include "common/format/scan.h"

/* A thread, from a ROOT THREAD OBJECT sub-record. */
struct root {
	uint64_t object;
	uint32_t serial;
	unsigned dump;
};

struct thread {
	/*
	 * file offset of the first object with the id of this thread; 0: not
	 * found yet
	 */
	uint64_t offset;
	/*
	 * id of the object that contains the name: a String or, in old JDKs, a
	 * char[]; 0: there is none
	 */
	uint64_t name;
	const char *text;
};

struct hp_thread_names_dump {
	/* maps the id of a thread object to its struct thread */
	struct hp_id_map threads;
	/* memory for the threads of this dump and the texts of their names */
	struct hp_arena arena;
	/*
	 * memory of this dump, in bytes, that hp_thread_names.bytes already
	 * includes
	 */
	uint64_t noted;
	/* `class` and `fields` are initialised */
	bool searched;
	/* the class java.lang.Thread of this dump */
	struct hp_named_class class;
	struct hp_java_texts texts;
};

/*
 * One of the passes over the dump. Its functions return false if out of memory.
 */
struct step {
	/* Called for each sub-record, by several threads. */
	bool (*look)(struct hp_thread_names *n, struct hp_thread_names_dump *d,
		     const struct hp_sub *s);
	/* Called for each dump at the end of the pass. */
	bool (*finish)(struct hp_thread_names_dump *d);
	bool skip_instances;
};

struct step_pass {
	const struct step *step;
	struct hp_thread_names *names;
};

/*
 * Update the sum of the memory in use: the caller used *@noted bytes before,
 * and uses @now bytes now. Stores @now in *@noted. Returns HP_LIMIT if the sum
 * exceeds the limit. The caller holds the lock.
 */
static enum hp_status
note_bytes(struct hp_thread_names *n, uint64_t *noted, uint64_t now,
	   struct hp_error *err)
{
	n->bytes += now - *noted;
	*noted = now;
	if (n->bytes <= n->memory)
		return HP_OK;
	return hp_fail(err, HP_LIMIT,
		       "--memory is too small for the names of all threads; "
		       "allow more");
}

static enum hp_status
note_dump(struct hp_thread_names *n, struct hp_thread_names_dump *d,
	  struct hp_error *err)
{
	return note_bytes(n, &d->noted,
			  hp_id_map_bytes(&d->threads) + d->arena.held +
				  hp_java_texts_bytes(&d->texts),
			  err);
}

static struct hp_thread_names_dump *
dump_of(const struct hp_thread_names *n, unsigned dump)
{
	size_t place = hp_prepass_place(n->prepass, dump);

	return place < n->prepass->ndumps ? &n->dumps[place] : NULL;
}

/* ---- find out which threads a dump has ---- */

/*
 * Collect the roots of threads in one part of the dump. The lock is taken at
 * most once for each part.
 */
static enum hp_status
note_roots(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct hp_thread_names *n = ctx;
	unsigned id_size = n->prepass->header.id_size;
	struct hp_batch_walk walk = {.ahead = HP_AHEAD, .skip_instances = true};
	struct hp_sub s = {0};
	bool locked = false, fine = true;
	uint64_t noted = 0;
	enum hp_status st = HP_OK;

	while (fine && hp_batch_next(&walk, b, &s, id_size)) {
		if (s.tag != HP_SUB_ROOT_THREAD_OBJECT)
			continue;
		if (!locked) {
			pthread_mutex_lock(&n->lock);
			noted = n->roots.cap * sizeof(struct root);
		}
		locked = true;
		fine = HP_VEC_PUSH(&n->roots, struct root, .object = s.id,
				   .serial = hp_root_thread(&s, id_size),
				   .dump = b->dump);
	}
	if (locked) {
		st = note_bytes(n, &noted, n->roots.cap * sizeof(struct root),
				err);
		pthread_mutex_unlock(&n->lock);
	}
	return fine ? st : hp_no_memory(err);
}

static void
begin_search(const struct hp_thread_names *n, struct hp_thread_names_dump *d)
{
	const struct hp_tables *tables = &n->prepass->tables;
	const struct hp_classes *c = &n->prepass->dumps[d - n->dumps]->classes;

	if (d->searched)
		return;
	d->searched = true;
	d->class = hp_named_class(c, tables, "java/lang/Thread");
	d->texts = (struct hp_java_texts){.most = HP_THREAD_NAME,
					  .bare = true,
					  .escape = hp_escape_tsv,
					  .arena = &d->arena};
	hp_java_texts_init(&d->texts, c, tables);
}

static bool
make_thread(struct hp_thread_names_dump *d, uint64_t object)
{
	bool fresh;
	uint64_t *slot = hp_id_map_put(&d->threads, object, &fresh);
	struct thread *t;

	if (!slot || !fresh)
		return slot;
	t = hp_arena_alloc(&d->arena, sizeof(*t));
	if (!t)
		return false;
	*t = (struct thread){0};
	*slot = (uintptr_t)t;
	return true;
}

/*
 * List the threads whose names must be found. *@any becomes true if there are
 * any.
 */
static enum hp_status
list_threads(struct hp_thread_names *n, bool *any, struct hp_error *err)
{
	const struct root *r = n->roots.items;
	enum hp_status st = HP_OK;
	struct hp_thread_names_dump *d;

	for (size_t i = 0; st == HP_OK && i < n->roots.count; i++) {
		d = dump_of(n, r[i].dump);
		if (!d || hp_thread_names_started(n, r[i].serial))
			continue;
		begin_search(n, d);
		if (!d->class.top)
			continue;
		*any = true;
		st = make_thread(d, r[i].object) ? note_dump(n, d, err)
						 : hp_no_memory(err);
	}
	return st;
}

/* ---- the passes that find the names of threads ---- */

/*
 * Read the field with the name from a thread object. If several objects have
 * the same id, only the first one in the file counts.
 */
static bool
look_thread(struct hp_thread_names *n, struct hp_thread_names_dump *d,
	    const struct hp_sub *s)
{
	const struct hp_prepass *p = n->prepass;
	const struct hp_class *k;
	struct thread *t;

	if (s->tag != HP_SUB_INSTANCE_DUMP)
		return true;
	t = hp_id_map_pointer(&d->threads, s->id);
	if (!t)
		return true;
	k = hp_classes_get(&p->dumps[d - n->dumps]->classes, s->class_id);
	pthread_mutex_lock(&n->lock);
	if (t->offset == 0 || s->offset < t->offset) {
		t->offset = s->offset;
		t->name = hp_instance_decodable(k, s)
				  ? hp_named_class_read(&d->class, k,
							p->header.id_size,
							s->data, s->count)
				  : 0;
	}
	pthread_mutex_unlock(&n->lock);
	return true;
}

static bool
look_string(struct hp_thread_names *n, struct hp_thread_names_dump *d,
	    const struct hp_sub *s)
{
	return hp_java_texts_string(&d->texts, s);
}

static bool
look_array(struct hp_thread_names *n, struct hp_thread_names_dump *d,
	   const struct hp_sub *s)
{
	return hp_java_texts_array(&d->texts, s);
}

static enum hp_status
check_memory(struct hp_thread_names *n, struct hp_thread_names_dump *d,
	     struct hp_error *err)
{
	enum hp_status st;

	pthread_mutex_lock(&n->lock);
	pthread_mutex_lock(&d->texts.lock);
	st = note_dump(n, d, err);
	pthread_mutex_unlock(&d->texts.lock);
	pthread_mutex_unlock(&n->lock);
	return st;
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	const struct step_pass *p = ctx;
	struct hp_thread_names_dump *d = dump_of(p->names, b->dump);
	struct hp_batch_walk walk = {.ahead = HP_AHEAD,
				     .skip_instances = p->step->skip_instances};
	struct hp_sub s = {0};
	bool fine = true;

	if (!d || hp_id_map_is_empty(&d->threads))
		return HP_OK;
	while (fine &&
	       hp_batch_next(&walk, b, &s, p->names->prepass->header.id_size))
		fine = walk.piece || p->step->look(p->names, d, &s);
	return fine ? check_memory(p->names, d, err) : hp_no_memory(err);
}

/* ---- store the names, and look them up ---- */

static bool
want_names(struct hp_thread_names_dump *d)
{
	uint64_t id, value;
	bool fine = true;
	size_t at = 0;

	while (fine && hp_id_map_next(&d->threads, &at, &id, &value)) {
		const struct thread *t =
			(const struct thread *)(uintptr_t)value;

		fine = t->name == 0 || hp_java_texts_want(&d->texts, t->name);
	}
	return fine;
}

static bool
want_arrays(struct hp_thread_names_dump *d)
{
	return hp_java_texts_want_arrays(&d->texts);
}

static bool
make_texts(struct hp_thread_names_dump *d)
{
	uint64_t id, value;
	bool fine = true;
	size_t at = 0;

	while (fine && hp_id_map_next(&d->threads, &at, &id, &value)) {
		struct thread *t = (struct thread *)(uintptr_t)value;

		fine = t->name == 0 ||
		       hp_java_texts_get(&d->texts, t->name, &t->text);
	}
	return fine;
}

static const struct step steps[] = {
	{look_thread, want_names, false},
	{look_string, want_arrays, false},
	{look_array, make_texts, true},
};

/* ---- run all passes ---- */

void
hp_thread_names_init(struct hp_thread_names *n)
{
	pthread_mutex_init(&n->lock, NULL);
}

struct hp_pass
hp_thread_names_note_pass(struct hp_thread_names *n)
{
	return (struct hp_pass){
		.need = HP_NEED_HEADS, .ctx = n, .batch = note_roots};
}

static void
end_search(struct hp_thread_names_dump *d)
{
	if (d->searched)
		hp_java_texts_release(&d->texts);
	d->texts = (struct hp_java_texts){0};
	d->searched = false;
}

static enum hp_status
run_step(struct hp_thread_names *n, const struct step *step,
	 struct hp_source *src, struct hp_error *err)
{
	struct step_pass p = {.step = step, .names = n};
	const struct hp_pass pass = {
		.need = HP_NEED_HEADS, .ctx = &p, .batch = on_batch};
	const struct hp_scan_options so = {.threads = n->threads,
					   .only_dump = n->prepass->dump};
	enum hp_status st = hp_source_rewind(src, err);
	bool fine = true;

	if (st == HP_OK)
		st = hp_scan(src, &pass, &so, err);
	for (size_t i = 0; st == HP_OK && fine && i < n->prepass->ndumps; i++)
		fine = !n->dumps[i].searched || step->finish(&n->dumps[i]);
	return fine ? st : hp_no_memory(err);
}

enum hp_status
hp_thread_names_read(struct hp_thread_names *n, struct hp_source *src,
		     struct hp_error *err)
{
	size_t ndumps = n->prepass->ndumps;
	uint64_t noted = n->roots.cap * sizeof(struct root);
	enum hp_status st = HP_OK;
	bool any = false;

	n->dumps = hp_calloc(ndumps + 1, sizeof(*n->dumps));
	if (!n->dumps)
		return hp_no_memory(err);
	st = list_threads(n, &any, err);
	hp_free(n->roots.items);
	n->roots = (struct hp_vec){0};
	if (st == HP_OK)
		st = note_bytes(n, &noted, any ? ndumps * sizeof(*n->dumps) : 0,
				err);
	for (size_t i = 0; any && st == HP_OK && i < HP_ARRAY_LEN(steps); i++)
		st = run_step(n, &steps[i], src, err);
	for (size_t i = 0; i < ndumps; i++) {
		struct hp_thread_names_dump *d = &n->dumps[i];

		end_search(d);
		if (st == HP_OK)
			st = note_dump(n, d, err);
	}
	return st;
}

void
hp_thread_names_release(struct hp_thread_names *n)
{
	for (size_t i = 0; n->dumps && i < n->prepass->ndumps; i++) {
		end_search(&n->dumps[i]);
		hp_id_map_release(&n->dumps[i].threads);
		hp_arena_release(&n->dumps[i].arena);
	}
	hp_free(n->dumps);
	hp_free(n->roots.items);
	pthread_mutex_destroy(&n->lock);
}

uint64_t
hp_thread_names_started(const struct hp_thread_names *n, uint32_t serial)
{
	const struct hp_tables *tables = &n->prepass->tables;
	const struct hp_thread *t = hp_tables_thread(tables, serial);
	const struct hp_string *s =
		t ? hp_tables_string(tables, t->name) : NULL;

	return s && s->length > 0 ? t->name : 0;
}

const char *
hp_thread_names_get(const struct hp_thread_names *n, size_t place,
		    uint64_t object)
{
	const struct thread *t =
		place < n->prepass->ndumps
			? hp_id_map_pointer(&n->dumps[place].threads, object)
			: NULL;

	return t ? t->text : NULL;
}
