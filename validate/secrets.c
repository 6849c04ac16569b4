/*
 * secrets.c - find secrets in a dump, and the objects that hold them
 *
 * The first pass searches the bytes of whole batches. Only if some bytes look
 * like a credential, it looks for the array that contains these bytes. A
 * credential that begins in one piece of a long array and ends in the next is
 * found when the pieces are handled in file order. Further passes look for the
 * first reference to each array, and then for the first reference to the String
 * that refers to the array.
 */
#include "validate/secrets.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/scan.h"
#include "common/secrets/secrets.h"

#include <stdlib.h>
#include <string.h>

/* number of passes that look for references to the objects with credentials */
enum { LEVELS = 3 };

enum what { IN_STRING, IN_BYTES, IN_CHARS };

struct hit {
	uint64_t offset, record;
	/* id of the array with the credential; 0: a STRING record */
	uint64_t array;
	uint64_t length;
	unsigned kind;
	enum what what;
	/*
	 * The object that refers to the array or, if a String refers to it, to
	 * that String.
	 */
	uint64_t holder; /* class id of this object; 0: not known */
	uint64_t index;
	uint64_t static_name;
	enum hp_place place;
};

/*
 * A reference to an object in the map wanted. If there are several, the one
 * with the smallest offset is used.
 */
struct reference {
	uint64_t target, offset, object, class, index, static_name;
	enum hp_place place;
};

/*
 * The first and the last bytes of a piece of a long array. They are kept to
 * find credentials that are in two pieces.
 */
struct ends {
	uint64_t array, first, bytes;
	struct hit like;
	size_t nhead, ntail;
	uint8_t head[HP_SECRET_OVERLAP], tail[HP_SECRET_OVERLAP];
};

struct finder {
	const struct hp_secrets_request *q;
	unsigned id_size;
	/*
	 * For each worker: what it has found in the current pass, a struct hit
	 * or a struct reference.
	 */
	struct hp_vec *found;
	struct hp_vec hits;
	/* set of the ids of the objects whose holders are searched */
	struct hp_id_map wanted;
	struct hp_class_cache *caches;
	/* the last bytes of the last piece of a long array */
	struct ends *last;
};

static bool
is_text(const struct hp_sub *s)
{
	return s->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	       (s->type == HP_TYPE_BYTE || s->type == HP_TYPE_CHAR);
}

/* Where the secrets of one text are added. */
struct adding {
	struct hp_vec *to;
	const struct hit *like;
};

static bool
add_hit(void *ctx, const struct hp_secret *s)
{
	const struct adding *a = ctx;
	struct hit h = *a->like;

	h.kind = s->kind;
	h.length = s->length;
	return hp_vec_push(a->to, &h, sizeof(h));
}

/*
 * Search the bytes of one text for secrets. Returns false if out of memory.
 */
static bool
search(const struct finder *f, struct hp_vec *to, const struct hit *like,
       const uint8_t *data, size_t n)
{
	struct adding a = {.to = to, .like = like};

	return hp_secrets_each(data, n, f->q->categories, add_hit, &a);
}

/*
 * Returns the index of the first byte at or after @from where a secret may
 * begin; @n if there is none. Some categories have no fast filter: then each
 * byte is such a byte.
 */
static size_t
candidate(const struct finder *f, const uint8_t *data, size_t n, size_t from)
{
	return f->q->categories & HP_SECRETS_PLAIN
		       ? from
		       : hp_secret_candidate(data, n, from);
}

static struct hit
hit_of(const struct hp_sub *s, const struct hp_run *r)
{
	return (struct hit){.offset = s->offset,
			    .record = r->record,
			    .array = s->id,
			    .what = s->type == HP_TYPE_CHAR ? IN_CHARS
							    : IN_BYTES};
}

/* Search the arrays in a run of complete sub-records. */
static bool
search_run(struct finder *f, const struct hp_batch *b, size_t run)
{
	const struct hp_run *r = &b->runs[run];
	const uint8_t *data = b->data + r->at;
	struct hp_vec *to = &f->found[b->worker];
	size_t n = (size_t)r->length, at = candidate(f, data, n, 0);
	struct hp_heap_iter it;
	struct hp_sub s = {0};
	struct hit like;

	if (at >= n)
		return true;
	it = hp_run_iter(b, run);
	while (at < n && hp_heap_next(&it, &s, f->id_size)) {
		size_t end = (size_t)(s.start - data) + (size_t)s.size;

		if (end <= at)
			continue;
		like = hit_of(&s, r);
		if (is_text(&s) && !search(f, to, &like, s.data,
					   (size_t)(data + end - s.data)))
			return false;
		at = candidate(f, data, n, end);
	}
	return true;
}

/*
 * Search one piece of a long array. Keep its first and last bytes for
 * on_retired().
 */
static bool
search_piece(struct finder *f, struct hp_batch *b, const struct hp_run *r)
{
	const uint8_t *data = b->data + r->at;
	struct ends *e;
	size_t n = (size_t)r->length;

	if (!is_text(&r->piece.sub))
		return true;
	e = hp_malloc(sizeof(*e));
	if (!e)
		return false;
	hp_free(b->user);
	b->user = e;
	e->like = hit_of(&r->piece.sub, r);
	e->array = r->piece.sub.id;
	e->first = r->piece.first;
	e->bytes = r->piece.elements;
	e->nhead = n < HP_SECRET_OVERLAP ? n : HP_SECRET_OVERLAP;
	e->ntail = e->nhead;
	memcpy(e->head, data, e->nhead);
	memcpy(e->tail, data + n - e->ntail, e->ntail);
	return search(f, &f->found[b->worker], &e->like, data, n);
}

static enum hp_status
search_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	bool ok = true;

	for (size_t i = 0; i < b->nruns && ok && !b->replay; i++) {
		if (b->runs[i].kind == HP_RUN_SUBS)
			ok = search_run(f, b, i);
		else if (b->runs[i].kind == HP_RUN_ARRAY)
			ok = search_piece(f, b, &b->runs[i]);
	}
	return ok ? HP_OK : hp_no_memory(err);
}

/* Like struct adding, for secrets that contain the border between two pieces.
 */
struct border {
	struct adding add;
	size_t at; /* index of the first byte after the border */
};

static bool
add_border_hit(void *ctx, const struct hp_secret *s)
{
	struct border *b = ctx;

	return s->at >= b->at || s->end <= b->at || add_hit(&b->add, s);
}

/*
 * Search the last bytes of the previous piece together with the first bytes of
 * this piece.
 */
static bool
search_border(struct finder *f, const struct ends *next)
{
	const struct ends *last = f->last;
	struct border b = {.add = {.to = &f->hits, .like = &next->like},
			   .at = last->ntail};
	uint8_t *both = hp_malloc(2ul * HP_SECRET_OVERLAP);
	bool ok = both != NULL;

	if (!ok)
		return false;
	memcpy(both, last->tail, last->ntail);
	memcpy(both + last->ntail, next->head, next->nhead);
	ok = hp_secrets_each(both, last->ntail + next->nhead, f->q->categories,
			     add_border_hit, &b);
	hp_free(both);
	return ok;
}

static enum hp_status
search_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	struct ends *e = b->user;
	bool ok = true;

	b->user = NULL;
	if (e && f->last && f->last->array == e->array &&
	    f->last->first + f->last->bytes == e->first)
		ok = search_border(f, e);
	if (e) {
		hp_free(f->last);
		f->last = e;
	}
	return ok ? HP_OK : hp_no_memory(err);
}

static void
search_dropped(void *ctx, struct hp_batch *b)
{
	hp_free(b->user);
	b->user = NULL;
}

static enum hp_status
search_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	      struct hp_error *err)
{
	struct finder *f = ctx;
	const struct hit like = {.offset = rec->offset,
				 .record = rec->ordinal,
				 .what = IN_STRING};

	if (rec->tag != HP_REC_STRING || !f->q->strings ||
	    hp_left(&body) < f->id_size)
		return HP_OK;
	return search(f, &f->hits, &like, body.data + f->id_size,
		      (size_t)hp_left(&body) - f->id_size)
		       ? HP_OK
		       : hp_no_memory(err);
}

/* ---- find the objects that refer to the arrays ---- */

static bool
add_reference(struct finder *f, unsigned worker, const struct reference *r)
{
	return !hp_id_map_get(&f->wanted, r->target) ||
	       hp_vec_push(&f->found[worker], r, sizeof(*r));
}

static bool
refer_instance(struct finder *f, unsigned worker, const struct hp_sub *s)
{
	const struct hp_class *k = hp_classes_layout(
		f->q->classes, &f->caches[worker], s->class_id);
	bool ok = true;

	if (!hp_instance_decodable(k, s))
		return true;
	for (uint32_t i = 0; i < k->nrefs && ok; i++) {
		const struct reference r = {
			.target =
				hp_load_id(s->data + k->ref_at[i], f->id_size),
			.offset = s->offset,
			.object = s->id,
			.class = s->class_id,
			.index = k->ref_at[i],
			.place = HP_PLACE_INSTANCE_FIELD};

		ok = add_reference(f, worker, &r);
	}
	return ok;
}

static bool
refer_elements(struct finder *f, unsigned worker, const struct hp_sub *s,
	       const uint8_t *data, uint64_t first, uint64_t n)
{
	bool ok = true;

	for (uint64_t i = 0; i < n && ok; i++) {
		const struct reference r = {
			.target = hp_load_id(data + i * f->id_size, f->id_size),
			.offset = s->offset,
			.object = s->id,
			.class = s->class_id,
			.index = first + i,
			.place = HP_PLACE_ELEMENT};

		ok = add_reference(f, worker, &r);
	}
	return ok;
}

static enum hp_status
refer_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct finder *f = ctx;
	struct hp_batch_walk w = {.every_piece = true};
	struct hp_sub s;
	bool ok = true;

	while (ok && !b->replay && hp_batch_next(&w, b, &s, f->id_size)) {
		if (s.tag == HP_SUB_INSTANCE_DUMP && !w.piece)
			ok = refer_instance(f, b->worker, &s);
		else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP && w.piece)
			ok = refer_elements(f, b->worker, &s,
					    b->data + w.run->at, w.piece->first,
					    w.piece->elements);
		else if (s.tag == HP_SUB_OBJECT_ARRAY_DUMP)
			ok = refer_elements(f, b->worker, &s, s.data, 0,
					    s.count);
	}
	return ok ? HP_OK : hp_no_memory(err);
}

static bool
refer_statics(struct finder *f)
{
	const struct hp_classes *c = f->q->classes;
	bool ok = true;

	for (size_t i = 0; i < c->count; i++)
		for (uint32_t k = 0; k < c->list[i]->nstatics && ok; k++) {
			const struct hp_class_static *s =
				&c->list[i]->statics[k];
			const struct reference r = {.target = s->value,
						    .offset =
							    c->list[i]->offset,
						    .class = c->list[i]->id,
						    .index = k,
						    .static_name = s->name,
						    .place = HP_PLACE_STATIC};

			if (hp_type_is_reference(s->type))
				ok = add_reference(f, 0, &r);
		}
	return ok;
}

static int
compare_references(const void *a, const void *b)
{
	const struct reference *x = a, *y = b;
	int c = hp_order(x->target, y->target);

	c = c ? c : hp_order(x->offset, y->offset);
	return c ? c : hp_order(x->index, y->index);
}

static bool
is_string(const struct finder *f, uint64_t class_id)
{
	return hp_string_is(hp_tables_class_name(f->q->tables, class_id),
			    "java/lang/String", "java.lang.String");
}

/*
 * Store in each hit which object holds the array. The holder should not be a
 * String: if it is, the next pass looks for an object that refers to the
 * String. Returns whether another pass is needed.
 */
static bool
assign_holders(struct finder *f, const struct hp_vec *all)
{
	struct hit *hits = f->hits.items;
	const struct reference *list = all->items;
	bool waits = false;

	for (size_t i = 0; i < f->hits.count; i++) {
		size_t at = hp_list_find(list, all->count, sizeof(*list), 0,
					 hits[i].array);
		const struct reference *r = &list[at];

		if (!hits[i].array || at == all->count ||
		    r->target != hits[i].array)
			continue;
		hits[i].holder = r->class;
		hits[i].index = r->index;
		hits[i].place = r->place;
		hits[i].static_name = r->static_name;
		hits[i].array = is_string(f, r->class) ? r->object : 0;
		waits |= hits[i].array != 0;
	}
	return waits;
}

static enum hp_status
want_arrays(struct finder *f, struct hp_error *err)
{
	const struct hit *hits = f->hits.items;

	hp_id_map_release(&f->wanted);
	for (size_t i = 0; i < f->hits.count; i++)
		if (hits[i].array &&
		    !hp_id_map_set(&f->wanted, hits[i].array, 1))
			return hp_no_memory(err);
	return HP_OK;
}

static enum hp_status
run_pass(struct finder *f, struct hp_source *src, struct hp_pass pass,
	 struct hp_error *err)
{
	const struct hp_scan_options options = {.threads = f->q->threads,
						.only_dump = f->q->dump};

	pass.ctx = f;
	return hp_scan(src, &pass, &options, err);
}

/*
 * Append the lists of all workers to one list, and empty the lists of the
 * workers.
 */
static bool
gather(struct finder *f, struct hp_vec *to, size_t size)
{
	bool ok = true;

	for (unsigned i = 0; i < f->q->threads && ok; i++)
		ok = hp_vec_move(to, &f->found[i], size);
	return ok;
}

static enum hp_status
find_holders(struct finder *f, struct hp_source *src, struct hp_error *err)
{
	const struct hp_pass refer = {.need = HP_NEED_REFERENCES,
				      .batch = refer_batch};
	enum hp_status st = HP_OK;
	bool waits = true;

	for (unsigned level = 0; level < LEVELS && waits && st == HP_OK;
	     level++) {
		struct hp_vec all = {0};

		st = want_arrays(f, err);
		if (st != HP_OK || hp_id_map_is_empty(&f->wanted))
			break;
		st = hp_source_rewind(src, err);
		if (st == HP_OK)
			st = run_pass(f, src, refer, err);
		if (st == HP_OK &&
		    (!refer_statics(f) ||
		     !gather(f, &all, sizeof(struct reference)) ||
		     !hp_sort(all.items, all.count, sizeof(struct reference),
			      compare_references)))
			st = hp_no_memory(err);
		if (st == HP_OK)
			waits = assign_holders(f, &all);
		hp_free(all.items);
	}
	return st;
}

/* ---- report the findings ---- */

static int
compare_hits(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;
	int c = hp_order(x->offset, y->offset);

	c = c ? c : hp_order(x->kind, y->kind);
	return c ? c : hp_order(y->length, x->length);
}

/*
 * If an array has several credentials of the same kind, keep only the longest.
 */
static bool
drop_repeated(struct finder *f)
{
	struct hit *hits = f->hits.items;
	size_t n = 0;

	if (!hp_sort(hits, f->hits.count, sizeof(*hits), compare_hits))
		return false;
	for (size_t i = 0; i < f->hits.count; i++)
		if (n == 0 || hits[n - 1].offset != hits[i].offset ||
		    hits[n - 1].kind != hits[i].kind)
			hits[n++] = hits[i];
	f->hits.count = n;
	return true;
}

static void
report(const struct finder *f, struct hp_findings *findings)
{
	const struct hit *hits = f->hits.items;

	for (size_t i = 0; i < f->hits.count; i++) {
		const struct hit *h = &hits[i];
		struct hp_finding out = {
			.offset = h->offset,
			.record = h->record,
			.rule = HP_RULE_SECRET,
			.severity = HP_SEVERITY_DEFAULT,
			.args = {h->kind, h->length, h->what, h->holder}};

		if (h->what != IN_STRING)
			out.dump = f->q->dump;
		if (h->holder) {
			out.place = (uint8_t)h->place;
			out.holder = h->holder;
			out.index = h->index;
			out.named = h->place == HP_PLACE_STATIC;
			out.name = h->static_name;
		}
		hp_findings_add(findings, &out);
	}
}

static void
release(struct finder *f)
{
	for (unsigned i = 0; f->found && i < f->q->threads; i++)
		hp_free(f->found[i].items);
	hp_free(f->found);
	hp_free(f->hits.items);
	hp_free(f->caches);
	hp_free(f->last);
	hp_id_map_release(&f->wanted);
}

enum hp_status
hp_secrets_find(struct hp_source *src, const struct hp_secrets_request *q,
		struct hp_findings *findings, struct hp_error *err)
{
	const struct hp_pass pass = {.need = HP_NEED_CONTENTS,
				     .record = search_record,
				     .batch = search_batch,
				     .retired = search_retired,
				     .dropped = search_dropped};
	struct finder f = {.q = q, .id_size = q->tables->id_size};
	enum hp_status st = HP_OK;

	f.found = hp_calloc(q->threads, sizeof(*f.found));
	f.caches = hp_calloc(q->threads, sizeof(*f.caches));
	if (!f.found || !f.caches)
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = run_pass(&f, src, pass, err);
	if (st == HP_OK &&
	    (!gather(&f, &f.hits, sizeof(struct hit)) || !drop_repeated(&f)))
		st = hp_no_memory(err);
	if (st == HP_OK)
		st = find_holders(&f, src, err);
	if (st == HP_OK)
		report(&f, findings);
	release(&f);
	return st;
}
