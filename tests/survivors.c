/*
 * survivors.c - damages dumps, and tells what of them has to survive
 *
 *	survivors damage KIND TIMES SEED DUMP PLAN >DAMAGED
 *	survivors judge DUMP PLAN SALVAGED
 *
 * KIND is flip (a bit), delete or insert (1 to 200 bytes), mix, or length (of
 * an instance, which becomes another one, of up to 128 KiB). PLAN becomes a
 * list of lines "OFFSET REMOVED", in DUMP. An object of DUMP is to be in
 * SALVAGED, byte for byte, unless damage reaches into it, or into the class
 * dump of its class or of one above that; or its id is a class's, since only a
 * name tells that this may be. So is a class dump. Whatever else SALVAGED has
 * is foreign. `judge` prints the numbers of objects that had to be there, of
 * those that are missing and of those that are foreign, and the places of
 * damage.
 *
 * The reader here is its own: nothing of the library is used. Dumps are taken
 * to be whole, as the builder and the JVMs write them.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 31, HEAD = 9, LEAST_OBJECT = 14, PLACES_MOST = 1000 };

struct file {
	uint8_t *data;
	size_t len;
	unsigned id_size;
};

/* A sub-record that is an object or a class. */
struct object {
	size_t at, size;
	uint64_t id, of; /* its class, or its super class; 0: none is needed */
	uint64_t hash;	 /* of its bytes */
	uint8_t tag;
	bool hurt;
};

struct objects {
	struct object *list;
	size_t count, cap;
};

struct place {
	size_t at, removed;
};

struct plan {
	struct place list[PLACES_MOST];
	size_t count;
};

static void
die(const char *why)
{
	fprintf(stderr, "survivors: %s\n", why);
	exit(2);
}

static void
load(struct file *f, const char *path)
{
	FILE *in = fopen(path, "rb");
	long size;

	if (!in || fseek(in, 0, SEEK_END) != 0 || (size = ftell(in)) < 0 ||
	    fseek(in, 0, SEEK_SET) != 0)
		die(path);
	f->len = (size_t)size;
	f->data = malloc(f->len + 1);
	if (!f->data || fread(f->data, 1, f->len, in) != f->len)
		die(path);
	fclose(in);
	if (f->len < HEADER)
		die("no dump");
	f->id_size = f->data[22];
}

static uint64_t
number(const struct file *f, size_t at, unsigned width)
{
	uint64_t v = 0;

	if (at > f->len || width > f->len - at)
		die("a dump that is not whole");
	while (width-- > 0)
		v = v << 8 | f->data[at++];
	return v;
}

/* ---- reading ---- */

static unsigned
width_of(const struct file *f, unsigned type)
{
	static const uint8_t widths[] = {[4] = 1, [5] = 2, [6] = 4,  [7] = 8,
					 [8] = 1, [9] = 2, [10] = 4, [11] = 8};

	if (type == 2)
		return f->id_size;
	if (type >= sizeof(widths) || widths[type] == 0)
		die("an invalid type");
	return widths[type];
}

static size_t
class_size(const struct file *f, size_t at)
{
	size_t p = at + 9 + 7 * f->id_size;

	for (unsigned table = 0; table < 3; table++) {
		uint64_t n = number(f, p, 2);

		p += 2;
		for (; n > 0; n--) {
			p += table == 0 ? 2 : f->id_size;
			p += table == 2 ? 1
					: 1 + width_of(f, (unsigned)number(f, p,
									   1));
		}
	}
	return p - at;
}

/* Bytes of a sub-record that is neither object nor class. */
static size_t
root_size(const struct file *f, size_t at)
{
	unsigned n = f->id_size;

	switch (f->data[at]) {
	case 0x01:
		return 1 + 2 * n;
	case 0x02:
	case 0x03:
	case 0x08:
	case 0x8e:
		return 9 + n;
	case 0x04:
	case 0x06:
	case 0xfe:
		return 5 + n;
	case 0x05:
	case 0x07:
	case 0x89:
	case 0x8a:
	case 0x8b:
	case 0x8c:
	case 0x8d:
	case 0x90:
	case 0xff:
		return 1 + n;
	default:
		die("a sub-record that is none");
		return 0;
	}
}

/* The sub-record at @at; of what is no object the size only. */
static struct object
read_sub(const struct file *f, size_t at)
{
	unsigned n = f->id_size;
	struct object o = {.at = at, .tag = (uint8_t)number(f, at, 1)};

	switch (o.tag) {
	case 0x20:
		o.of = number(f, at + 5 + n, n);
		o.size = class_size(f, at);
		break;
	case 0x21:
		o.of = number(f, at + 5 + n, n);
		o.size = 9 + 2 * n + number(f, at + 5 + 2 * n, 4);
		break;
	case 0x22:
		o.size = 9 + 2 * n + number(f, at + 5 + n, 4) * n;
		break;
	case 0x23:
		o.size =
			10 + n +
			number(f, at + 5 + n, 4) *
				width_of(f, (unsigned)number(f, at + 9 + n, 1));
		break;
	case 0xc3:
		o.size = 10 + n;
		break;
	default:
		o.size = root_size(f, at);
		return o;
	}
	o.id = number(f, at + 1, n);
	if (o.size > f->len - at)
		die("an object that is not whole");
	o.hash = UINT64_C(1469598103934665603);
	for (size_t i = 0; i < o.size; i++)
		o.hash = (o.hash ^ f->data[at + i]) * UINT64_C(1099511628211);
	return o;
}

static void
add(struct objects *all, const struct object *o)
{
	if (all->count == all->cap) {
		all->cap = 2 * all->cap + 1000;
		all->list = realloc(all->list, all->cap * sizeof(*all->list));
		if (!all->list)
			die("out of memory");
	}
	all->list[all->count++] = *o;
}

static void
read_objects(const struct file *f, struct objects *all)
{
	size_t at = HEADER;

	while (at < f->len) {
		unsigned tag = (unsigned)number(f, at, 1);
		size_t end = at + HEAD + number(f, at + 5, 4);

		if (end > f->len)
			die("a record that is not whole");
		if (tag == 0x0c || tag == 0x1c) {
			for (at += HEAD; at < end;) {
				struct object o = read_sub(f, at);

				at += o.size;
				if (o.hash)
					add(all, &o);
			}
		}
		at = end;
	}
}

/* ---- damage ---- */

static uint64_t
next_random(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* One place: what is written in the stead of the bytes it removes. */
static size_t
hurt(const struct file *f, char kind, struct place *p, uint64_t *seed)
{
	size_t n = 1 + next_random(seed) % 200;

	if (kind == 'm')
		kind = "fdi"[next_random(seed) % 3];
	p->removed = kind == 'f' ? 1 : kind == 'd' ? n : kind == 'l' ? 4 : 0;
	if (p->removed > f->len - p->at)
		p->removed = f->len - p->at;
	if (kind == 'f')
		putchar(f->data[p->at] ^ 1 << next_random(seed) % 8);
	for (unsigned i = 0; kind == 'l' && i < 4; i++)
		putchar((int)(next_random(seed) & (i == 0   ? 0
						   : i == 1 ? 1
							    : 255)));
	for (size_t i = 0; kind == 'i' && i < n; i++)
		putchar((int)(next_random(seed) & 255));
	return p->at + p->removed;
}

/* The next instance's length is the place, for each of them. */
static void
move_to_lengths(const struct file *f, struct plan *plan)
{
	struct objects all = {0};
	size_t i = 0;

	read_objects(f, &all);
	for (size_t k = 0; k < plan->count; k++) {
		struct place *p = &plan->list[k];

		while (i < all.count &&
		       (all.list[i].tag != 0x21 || all.list[i].at < p->at))
			i++;
		p->at = i < all.count ? all.list[i++].at + 5 + 2 * f->id_size
				      : f->len;
	}
	free(all.list);
}

static int
damage(char **argv)
{
	struct file f;
	struct plan plan = {.count = (size_t)atoi(argv[1])};
	uint64_t seed = strtoull(argv[2], NULL, 10);
	FILE *out = fopen(argv[4], "w");
	size_t at = 0;

	load(&f, argv[3]);
	if (!out || plan.count == 0 || plan.count > PLACES_MOST)
		die("no plan");
	for (size_t i = 0; i < plan.count; i++)
		plan.list[i].at =
			HEADER + next_random(&seed) % (f.len - HEADER);
	qsort(plan.list, plan.count, sizeof(*plan.list), compare_places);
	if (argv[0][0] == 'l')
		move_to_lengths(&f, &plan);
	for (size_t i = 0; i < plan.count; i++) {
		struct place *p = &plan.list[i];

		if (p->at < at)
			p->at = at;
		fwrite(f.data + at, 1, p->at - at, stdout);
		at = p->at < f.len ? hurt(&f, argv[0][0], p, &seed) : p->at;
		fprintf(out, "%zu %zu\n", p->at, p->removed);
	}
	fwrite(f.data + at, 1, f.len - at, stdout);
	return fclose(out) != 0 || fflush(stdout) != 0 ? 2 : 0;
}

/* ---- judging ---- */

static void
read_plan(struct plan *plan, const char *path)
{
	FILE *in = fopen(path, "r");
	struct place p;

	plan->count = 0;
	if (!in)
		die(path);
	while (fscanf(in, "%zu %zu", &p.at, &p.removed) == 2 &&
	       plan->count < PLACES_MOST)
		plan->list[plan->count++] = p;
	fclose(in);
}

static bool
is_hurt(const struct object *o, const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct place *p = &plan->list[i];

		if (p->removed ? p->at < o->at + o->size &&
					 p->at + p->removed > o->at
			       : p->at > o->at && p->at < o->at + o->size)
			return true;
	}
	return false;
}

static int
compare_ids(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	return x->id != y->id ? (x->id < y->id ? -1 : 1)
			      : (x->at < y->at ? -1 : x->at > y->at);
}

static int
compare_id(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int
compare_hashes(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Is the class, or one above it, not there any more? */
static bool
is_lost(const struct objects *classes, uint64_t id)
{
	for (size_t depth = 0; id != 0 && depth <= classes->count; depth++) {
		const struct object key = {.id = id};
		size_t low = 0, high = classes->count;
		bool whole = false;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (classes->list[middle].id < key.id)
				low = middle + 1;
			else
				high = middle;
		}
		if (low == classes->count || classes->list[low].id != id)
			return true;
		for (high = low;
		     high < classes->count && classes->list[high].id == id;
		     high++)
			whole = whole || !classes->list[high].hurt;
		if (!whole)
			return true;
		id = classes->list[low].of;
	}
	return id != 0;
}

static void
judge_objects(struct objects *all, struct objects *found)
{
	size_t wanted = 0, missing = 0, foreign = 0, i = 0, k = 0;

	qsort(all->list, all->count, sizeof(*all->list), compare_hashes);
	qsort(found->list, found->count, sizeof(*found->list), compare_hashes);
	while (i < all->count || k < found->count) {
		const struct object *a = i < all->count ? &all->list[i] : NULL;
		const struct object *b =
			k < found->count ? &found->list[k] : NULL;
		int order = !a ? 1 : !b ? -1 : compare_hashes(a, b);

		wanted += order <= 0 && !a->hurt;
		missing += order < 0 && !a->hurt;
		foreign += order > 0;
		if (order < 0 && !a->hurt && getenv("SURVIVORS_VERBOSE"))
			fprintf(stderr, "missing: %#x at %zu, %zu bytes\n",
				a->tag, a->at, a->size);
		if (order > 0 && getenv("SURVIVORS_VERBOSE"))
			fprintf(stderr, "foreign: %#x at %zu, %zu bytes\n",
				b->tag, b->at, b->size);
		i += order <= 0;
		k += order >= 0;
	}
	printf("%zu wanted, %zu missing, %zu foreign", wanted, missing,
	       foreign);
}

/*
 * Class objects that are instances, too, are told by a name in a record: they
 * may go, if that is lost.
 */
static void
drop_mirrors(struct objects *all, const struct objects *classes)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].tag == 0x21 && classes->count &&
		    bsearch(&all->list[i], classes->list, classes->count,
			    sizeof(*classes->list), compare_id))
			all->list[i].hurt = true;
}

static int
judge(char **argv)
{
	struct file before, after;
	struct objects all = {0}, found = {0}, classes = {0};
	static struct plan plan;

	load(&before, argv[0]);
	read_plan(&plan, argv[1]);
	load(&after, argv[2]);
	read_objects(&before, &all);
	read_objects(&after, &found);
	for (size_t i = 0; i < all.count; i++) {
		all.list[i].hurt = is_hurt(&all.list[i], &plan);
		if (all.list[i].tag == 0x20)
			add(&classes, &all.list[i]);
	}
	if (classes.count)
		qsort(classes.list, classes.count, sizeof(*classes.list),
		      compare_ids);
	for (size_t i = 0; i < all.count; i++)
		if ((all.list[i].tag == 0x21 || all.list[i].tag == 0x20) &&
		    is_lost(&classes, all.list[i].of))
			all.list[i].hurt = true;
	drop_mirrors(&all, &classes);
	judge_objects(&all, &found);
	printf(", %zu places\n", plan.count);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 7 && strcmp(argv[1], "damage") == 0)
		return damage(argv + 2);
	if (argc == 5 && strcmp(argv[1], "judge") == 0)
		return judge(argv + 2);
	fputs("usage: survivors damage KIND TIMES SEED DUMP PLAN >DAMAGED\n"
	      "       survivors judge DUMP PLAN SALVAGED\n",
	      stderr);
	return 2;
}
