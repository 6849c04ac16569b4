/*
 * naming.c - names of classes and fields, escaped once for many uses
 */
#include "convert/naming.h"

#include "common/model/names.h"

static bool
keep_name(struct hp_naming *n, struct hp_buf *b, uint64_t *place)
{
	struct hp_name *name = hp_arena_alloc(&n->arena, sizeof(*name));

	if (!name || !hp_buf_ok(b))
		return false;
	name->length = b->len;
	name->data = hp_arena_copy(&n->arena, b->len ? b->data : "", b->len);
	*place = (uint64_t)(uintptr_t)name;
	return name->data != NULL;
}

static bool
name_class(struct hp_naming *n, const struct hp_load *l, struct hp_buf *java,
	   struct hp_buf *escaped)
{
	const struct hp_string *raw =
		hp_tables_string(&n->survey->tables, l->name_id);
	uint64_t *place;

	if (!raw)
		return true;
	place = hp_id_map_put(&n->classes, l->class_id, NULL);
	if (!place)
		return false;
	hp_buf_clear(java);
	hp_buf_clear(escaped);
	hp_class_name(java, raw->data, raw->length);
	n->escape(escaped, java->len ? java->data : "", java->len);
	return hp_buf_ok(java) && keep_name(n, escaped, place);
}

enum hp_status
hp_naming_init(struct hp_naming *n, const struct hp_survey *survey,
	       hp_escape_fn *escape, struct hp_error *err)
{
	const struct hp_vec *loads = &survey->tables.load_list;
	struct hp_buf java = {0}, escaped = {0};
	bool ok = true;

	*n = (struct hp_naming){.survey = survey, .escape = escape};
	pthread_mutex_init(&n->lock, NULL);
	for (size_t i = 0; i < loads->count && ok; i++)
		ok = name_class(n, (const struct hp_load *)loads->items + i,
				&java, &escaped);
	hp_buf_release(&java);
	hp_buf_release(&escaped);
	return ok ? HP_OK : hp_fail(err, HP_NOMEM, "out of memory");
}

void
hp_naming_release(struct hp_naming *n)
{
	if (!n->survey)
		return;
	hp_arena_release(&n->arena);
	hp_id_map_release(&n->classes);
	hp_id_map_release(&n->plans);
	pthread_mutex_destroy(&n->lock);
	*n = (struct hp_naming){0};
}

struct hp_name
hp_naming_class(const struct hp_naming *n, uint64_t id)
{
	const uint64_t *place = hp_id_map_get(&n->classes, id);

	return place && *place ? *(struct hp_name *)(uintptr_t)*place
			       : (struct hp_name){0};
}

/* The key of a field of class @c; @hidden: one of this name was before. */
static void
field_key(struct hp_naming *n, const struct hp_class *c, uint64_t name,
	  bool hidden, struct hp_buf *b)
{
	const struct hp_string *s = hp_tables_string(&n->survey->tables, name);

	hp_buf_clear(b);
	if (hidden) {
		struct hp_name k = hp_naming_class(n, c->id);

		if (k.data)
			hp_buf_add(b, k.data, k.length);
		else
			hp_buf_printf(b, "0x%llx", (unsigned long long)c->id);
		hp_buf_byte(b, '.');
	}
	if (s)
		n->escape(b, s->data, s->length);
	else
		hp_buf_printf(b, "0x%llx", (unsigned long long)name);
}

static bool
add_fields(struct hp_naming *n, const struct hp_class *c, struct hp_plan *p,
	   struct hp_id_map *seen, struct hp_buf *b, unsigned id_size)
{
	for (uint32_t i = 0; i < c->nfields; i++) {
		struct hp_planned *f = &p->fields[p->count];
		bool fresh;

		if (!hp_id_map_put(seen, c->fields[i].name, &fresh))
			return false;
		field_key(n, c, c->fields[i].name, !fresh, b);
		f->key.length = b->len;
		f->key.data =
			hp_buf_ok(b)
				? hp_arena_copy(&n->arena,
						b->len ? b->data : "", b->len)
				: NULL;
		if (!f->key.data)
			return false;
		f->type = c->fields[i].type;
		f->width = (uint8_t)hp_type_size(f->type, id_size);
		p->count++;
	}
	return true;
}

static struct hp_plan *
make_plan(struct hp_naming *n, const struct hp_survey_dump *d,
	  const struct hp_class *k, unsigned id_size)
{
	struct hp_id_map seen = {0};
	struct hp_buf b = {0};
	struct hp_plan *p;
	size_t count = 0;
	bool ok = true;

	for (const struct hp_class *c = k; c; c = hp_survey_above(d, c))
		count += c->nfields;
	p = hp_arena_alloc(&n->arena,
			   sizeof(*p) + count * sizeof(p->fields[0]));
	if (!p)
		return NULL;
	p->count = 0;
	for (const struct hp_class *c = k; c && ok; c = hp_survey_above(d, c))
		ok = add_fields(n, c, p, &seen, &b, id_size);
	hp_id_map_release(&seen);
	hp_buf_release(&b);
	return ok ? p : NULL;
}

const struct hp_plan *
hp_naming_plan(struct hp_naming *n, const struct hp_survey_dump *d,
	       const struct hp_class *k, unsigned id_size)
{
	uint64_t id = (uint64_t)(uintptr_t)k, *place;
	struct hp_plan *p = NULL;

	pthread_mutex_lock(&n->lock);
	place = hp_id_map_put(&n->plans, id, NULL);
	if (place && *place == 0)
		*place = (uint64_t)(uintptr_t)make_plan(n, d, k, id_size);
	if (place)
		p = (struct hp_plan *)(uintptr_t)*place;
	pthread_mutex_unlock(&n->lock);
	return p;
}
