/*
 * mutator.c - mutate dumps with knowledge of their structure
 *
 * The mutator finds records and sub-records with a tolerant parser of its own,
 * which shares no code with the library. It repeats, removes or swaps records,
 * or copies some from another input. Or it changes a field: it replaces an id
 * by another id of the dump, or a count or length by an extreme value. After
 * most changes it corrects the length of the enclosing record; sometimes it
 * leaves the length wrong on purpose. Under afl-fuzz it is a custom mutator
 * (afl_custom_*). Otherwise the driver calls hp_mutate().
 */
#include "tests/fuzz/mutator.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SPANS = 4096, MAX_IDS = 512 };

struct span { /* a record or a sub-record, as a range of bytes */
	size_t at, n;
	/*
	 * for a sub-record: offset of the record that contains it; for a
	 * record: SIZE_MAX
	 */
	size_t in;
};

struct dump {
	uint8_t *data;
	size_t n, cap;
	unsigned id; /* size of an id, in bytes */
	/* size of the file header, in bytes; 0: the input is not a dump */
	size_t header;
	struct span records[MAX_SPANS], subs[MAX_SPANS];
	size_t nrecords, nsubs;
	uint64_t ids[MAX_IDS];
	size_t nids;
};

struct hp_mutator {
	uint64_t state;
	size_t max;
	struct dump here, there;
};

static uint64_t
number(struct hp_mutator *m)
{
	uint64_t z = (m->state += 0x9E3779B97F4A7C15u);

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static size_t
below(struct hp_mutator *m, size_t n)
{
	return n ? (size_t)(number(m) % n) : 0;
}

static uint64_t
load(const uint8_t *p, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width; i++)
		v = v << 8 | p[i];
	return v;
}

static void
store(uint8_t *p, unsigned width, uint64_t v)
{
	for (unsigned i = width; i-- > 0; v >>= 8)
		p[i] = (uint8_t)v;
}

static bool
reserve(struct dump *d, size_t n)
{
	uint8_t *grown;

	if (n <= d->cap)
		return true;
	grown = realloc(d->data, n);
	if (!grown)
		return false;
	d->data = grown;
	d->cap = n;
	return true;
}

/* ---- find records and sub-records ---- */

static const uint8_t type_sizes[12] = {0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8};

static unsigned
type_size(unsigned type, unsigned id)
{
	if (type == 1 || type == 2)
		return id;
	return type < 12 ? type_sizes[type] : 1;
}

/*
 * Skip one table of a class dump: its constants, static fields or instance
 * fields. Returns false if the table is not complete.
 */
static bool
class_table(const uint8_t *p, size_t left, size_t *pos, unsigned head,
	    bool value, unsigned id)
{
	size_t n;

	if (left - *pos < 2)
		return false;
	n = (size_t)load(p + *pos, 2);
	*pos += 2;
	for (; n > 0; n--) {
		size_t size = head + 1;

		if (left - *pos < size)
			return false;
		if (value)
			size += type_size(p[*pos + head], id);
		if (left - *pos < size)
			return false;
		*pos += size;
	}
	return true;
}

static size_t
class_size(const uint8_t *p, size_t left, unsigned id)
{
	size_t pos = 1 + 7 * (size_t)id + 8;

	if (pos > left || !class_table(p, left, &pos, 2, true, id) ||
	    !class_table(p, left, &pos, id, true, id) ||
	    !class_table(p, left, &pos, id, false, id))
		return 0;
	return pos;
}

static size_t
sub_fixed(uint8_t tag, unsigned id)
{
	switch (tag) {
	case 0x01:
		return 1 + 2 * (size_t)id;
	case 0x02:
	case 0x03:
	case 0x08:
	case 0x8E:
		return 9 + (size_t)id;
	case 0x04:
	case 0x06:
		return 5 + (size_t)id;
	case 0x21:
	case 0x22:
		return 9 + 2 * (size_t)id;
	case 0x23:
	case 0xC3:
		return 10 + (size_t)id;
	case 0xFE:
		return 5 + (size_t)id;
	case 0x05:
	case 0x07:
	case 0xFF:
	case 0x89:
	case 0x8A:
	case 0x8B:
	case 0x8C:
	case 0x8D:
	case 0x90:
		return 1 + (size_t)id;
	default:
		return 0;
	}
}

static size_t
sub_size(const uint8_t *p, size_t left, unsigned id)
{
	size_t fixed, more = 0;

	if (p[0] == 0x20)
		return class_size(p, left, id);
	fixed = sub_fixed(p[0], id);
	if (fixed == 0 || fixed > left)
		return 0;
	if (p[0] == 0x21)
		more = (size_t)load(p + 5 + 2 * id, 4);
	else if (p[0] == 0x22)
		more = (size_t)load(p + 5 + id, 4) * id;
	else if (p[0] == 0x23)
		more = (size_t)load(p + 5 + id, 4) * type_size(p[9 + id], id);
	return more > left - fixed ? 0 : fixed + more;
}

static void
add_id(struct dump *d, uint64_t id)
{
	if (d->nids < MAX_IDS && id != 0)
		d->ids[d->nids++] = id;
}

static void
find_subs(struct dump *d, const struct span *rec)
{
	size_t at = rec->at + 9, end = rec->at + rec->n, n;

	while (at < end && d->nsubs < MAX_SPANS) {
		n = sub_size(d->data + at, end - at, d->id);
		if (n == 0)
			break;
		if (d->data[at] != 0xFE)
			add_id(d, load(d->data + at + 1, d->id));
		d->subs[d->nsubs++] =
			(struct span){.at = at, .n = n, .in = rec->at};
		at += n;
	}
}

static void
find(struct dump *d)
{
	const uint8_t *nul = memchr(d->data, 0, d->n < 32 ? d->n : 32);
	size_t at, n;

	d->nrecords = d->nsubs = d->nids = 0;
	d->header = 0;
	if (!nul || nul == d->data || d->n - (size_t)(nul - d->data) < 13)
		return;
	d->id = (unsigned)load(nul + 1, 4);
	if (d->id != 4 && d->id != 8)
		d->id = 4;
	at = d->header = (size_t)(nul - d->data) + 13;
	while (d->n - at >= 9 && d->nrecords < MAX_SPANS) {
		struct span *r = &d->records[d->nrecords++];

		n = (size_t)load(d->data + at + 5, 4);
		if (n > d->n - at - 9)
			n = d->n - at - 9;
		*r = (struct span){.at = at, .n = n + 9, .in = SIZE_MAX};
		if (d->data[at] == 0x0C || d->data[at] == 0x1C)
			find_subs(d, r);
		else if (n >= 4 + (size_t)d->id && d->data[at] <= 2)
			add_id(d,
			       load(d->data + at + (d->data[at] == 2 ? 13 : 9),
				    d->id));
		at += n + 9;
	}
}

/* ---- change the input ---- */

static bool
replace(struct hp_mutator *m, size_t at, size_t n, const uint8_t *with,
	size_t nwith)
{
	struct dump *d = &m->here;

	if (d->n - n + nwith > m->max || !reserve(d, d->n - n + nwith))
		return false;
	memmove(d->data + at + nwith, d->data + at + n, d->n - at - n);
	if (nwith > 0)
		memcpy(d->data + at, with, nwith);
	d->n += nwith - n;
	return true;
}

/*
 * Add @by to the length field of the record at @in. Sometimes leave the length
 * field wrong on purpose.
 */
static void
lengthen(struct hp_mutator *m, size_t in, size_t by)
{
	uint8_t *p;

	if (in == SIZE_MAX || below(m, 16) == 0)
		return;
	p = m->here.data + in + 5;
	store(p, 4, load(p, 4) + by);
}

static uint8_t *
copy_of(const struct dump *d, const struct span *s)
{
	uint8_t *copy = malloc(s->n);

	if (copy)
		memcpy(copy, d->data + s->at, s->n);
	return copy;
}

static void
insert(struct hp_mutator *m, const struct span *at, const struct dump *from,
       const struct span *what)
{
	uint8_t *copy = copy_of(from, what);

	if (copy && replace(m, at->at, 0, copy, what->n))
		lengthen(m, at->in, what->n);
	free(copy);
}

static void
erase(struct hp_mutator *m, const struct span *s)
{
	if (replace(m, s->at, s->n, NULL, 0))
		lengthen(m, s->in, 0 - s->n);
}

static void
swap(struct hp_mutator *m, struct span a, struct span b)
{
	uint8_t *first, *second;

	if (a.at > b.at) {
		const struct span c = a;

		a = b;
		b = c;
	}
	if (a.at + a.n > b.at)
		return;
	first = copy_of(&m->here, &a);
	second = copy_of(&m->here, &b);
	if (first && second && replace(m, b.at, b.n, first, a.n) &&
	    replace(m, a.at, a.n, second, b.n) && a.in != b.in) {
		lengthen(m, a.in, b.n - a.n);
		if (b.in != SIZE_MAX)
			lengthen(m, b.in + b.n - a.n, a.n - b.n);
	}
	free(first);
	free(second);
}

static uint64_t
odd_number(struct hp_mutator *m, uint64_t old)
{
	static const uint64_t odd[] = {
		0,	    1,		2,	    0x7F,	0x80,
		0xFF,	    0x7FFF,	0xFFFF,	    0x10000,	0x800001,
		0x200001,   0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, UINT64_MAX,
		0x1FFFFFFF, 0x20000000, 0x40000000, 0x7FFFFFF7};

	switch (below(m, 4)) {
	case 0:
		return old + 1 + below(m, 9);
	case 1:
		return old - 1 - below(m, 9);
	case 2:
		return odd[below(m, sizeof(odd) / sizeof(odd[0]))];
	default:
		return old ^ (uint64_t)1 << below(m, 32);
	}
}

static void
change_id(struct hp_mutator *m, size_t at)
{
	struct dump *d = &m->here;
	uint64_t v;

	if (at > d->n || d->n - at < d->id)
		return;
	v = load(d->data + at, d->id);
	if (d->nids > 0 && below(m, 8) > 0)
		v = d->ids[below(m, d->nids)];
	else
		v = odd_number(m, v);
	store(d->data + at, d->id, v);
}

static void
change_number(struct hp_mutator *m, size_t at, unsigned width)
{
	struct dump *d = &m->here;

	if (at > d->n || d->n - at < width)
		return;
	store(d->data + at, width, odd_number(m, load(d->data + at, width)));
}

static void
change_sub(struct hp_mutator *m, const struct span *s)
{
	static const uint8_t tags[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
				       0x07, 0x08, 0x20, 0x21, 0x22, 0x23,
				       0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E,
				       0x90, 0xC3, 0xFE, 0xFF, 0x00, 0x77};
	unsigned id = m->here.id;
	uint8_t tag = m->here.data[s->at];

	switch (below(m, 7)) {
	case 0:
		m->here.data[s->at] = tags[below(m, sizeof(tags))];
		return;
	case 1:
		change_id(m, s->at + 1);
		return;
	case 2: /* change the number of elements, if there is one */
		change_number(m, s->at + 5 + id * (tag == 0x21 ? 2 : 1), 4);
		return;
	case 3: /* change the class, or the superclass of a class */
		change_id(m, s->at + (tag == 0x22 ? 9 : 5) + id);
		return;
	case 4: /* change the type number, or any byte */
		if (tag == 0x23 || tag == 0xC3)
			m->here.data[s->at + 9 + id] = (uint8_t)below(m, 14);
		else
			m->here.data[s->at + below(m, s->n)] ^=
				(uint8_t)(1 << below(m, 8));
		return;
	case 5: /* change the number of entries in one table of a class */
		change_number(m,
			      s->at + (tag == 0x20 ? 9 + 7 * (size_t)id
						   : below(m, s->n)),
			      2);
		return;
	default:
		change_id(m, s->at + below(m, s->n));
	}
}

static void
change_record(struct hp_mutator *m, const struct span *r)
{
	static const uint8_t tags[] = {0x01, 0x02, 0x03, 0x04, 0x05,
				       0x06, 0x07, 0x0A, 0x0B, 0x0C,
				       0x0D, 0x0E, 0x1C, 0x2C, 0x77};

	switch (below(m, 6)) {
	case 0:
		m->here.data[r->at] = tags[below(m, sizeof(tags))];
		return;
	case 1:
		change_number(m, r->at + 5, 4);
		return;
	case 2:
		change_number(m, r->at + 1, 4);
		return;
	case 3:
		change_number(m, r->at + 9 + 4 * below(m, r->n / 4), 4);
		return;
	case 4:
		change_id(m, r->at + 9 + 4 * below(m, r->n / 4));
		return;
	default:
		change_id(m, r->at + 9);
	}
}

static void
change_file(struct hp_mutator *m)
{
	struct dump *d = &m->here;
	struct dump *o = &m->there;

	switch (below(m, 5)) {
	case 0: /* truncate the file */
		d->n = 1 + below(m, d->n);
		return;
	case 1: /* replace the id size in the header: 4 by 8, or 8 by 4 */
		store(d->data + d->header - 12, 4, d->id == 4 ? 8 : 4);
		return;
	case 2: /* change the last digit of the version */
		d->data[d->header - 14] = (uint8_t)('0' + below(m, 5));
		return;
	case 3: /* append a second dump to the file */
		if (o->n > o->header && o->header > 0)
			replace(m, d->n, 0, o->data + o->header,
				o->n - o->header);
		return;
	default:
		change_number(m, d->header - 8, 8);
	}
}

static void
change_list(struct hp_mutator *m, const struct span *list, size_t count,
	    const struct span *others, size_t nothers, bool subs)
{
	const struct span a = list[below(m, count)];
	const struct span b = list[below(m, count)];

	switch (below(m, 8)) {
	case 0:
		insert(m, &a, &m->here, &b);
		return;
	case 1:
		erase(m, &a);
		return;
	case 2:
		swap(m, a, b);
		return;
	case 3:
		if (nothers > 0)
			insert(m, &a, &m->there, &others[below(m, nothers)]);
		return;
	default:
		if (subs)
			change_sub(m, &a);
		else
			change_record(m, &a);
	}
}

static void
change_once(struct hp_mutator *m)
{
	struct dump *d = &m->here, *o = &m->there;
	size_t what;

	find(d);
	what = below(m, 32);
	if (d->header == 0 || d->nrecords == 0)
		d->data[below(m, d->n)] ^= (uint8_t)(1 << below(m, 8));
	else if (what == 0)
		change_file(m);
	else if (what < 20 && d->nsubs > 0)
		change_list(m, d->subs, d->nsubs, o->subs, o->nsubs, true);
	else
		change_list(m, d->records, d->nrecords, o->records, o->nrecords,
			    false);
	if (d->n == 0) {
		d->data[0] = 'J';
		d->n = 1;
	}
}

struct hp_mutator *
hp_mutator_new(unsigned seed)
{
	struct hp_mutator *m = calloc(1, sizeof(*m));

	if (m)
		m->state = seed;
	return m;
}

void
hp_mutator_free(struct hp_mutator *m)
{
	if (!m)
		return;
	free(m->here.data);
	free(m->there.data);
	free(m);
}

static bool
fill(struct dump *d, const uint8_t *data, size_t n)
{
	d->n = 0;
	if (!reserve(d, n + 1))
		return false;
	if (n > 0)
		memcpy(d->data, data, n);
	d->n = n;
	return true;
}

size_t
hp_mutate(struct hp_mutator *m, const uint8_t *data, size_t n,
	  const uint8_t *other, size_t nother, size_t max, uint8_t **out)
{
	static uint8_t nothing[1] = {'J'};
	size_t changes = 1 + below(m, 1u << below(m, 5));

	*out = nothing;
	m->max = max;
	if (n > max)
		n = max;
	if (n == 0 || !fill(&m->here, data, n) ||
	    !fill(&m->there, other, other ? nother : 0))
		return 1;
	find(&m->there);
	for (; changes > 0; changes--)
		change_once(m);
	*out = m->here.data;
	return m->here.n;
}

/* ---- the functions that afl-fuzz calls ---- */

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t n, uint8_t **out,
		       uint8_t *add, size_t nadd, size_t max);
void afl_custom_deinit(void *data);

void *
afl_custom_init(void *afl, unsigned int seed)
{
	return hp_mutator_new(seed);
}

size_t
afl_custom_fuzz(void *data, uint8_t *buf, size_t n, uint8_t **out, uint8_t *add,
		size_t nadd, size_t max)
{
	return hp_mutate(data, buf, n, add, nadd, max, out);
}

void
afl_custom_deinit(void *data)
{
	hp_mutator_free(data);
}
