/*
 * survivors.c - damage dumps, and check what --salvage recovers from them
 *
 *	survivors damage KIND TIMES SEED DUMP PLAN >DAMAGED
 *	survivors judge DUMP PLAN DAMAGED SALVAGED
 *
 * `damage` changes DUMP in TIMES places and writes PLAN, a list of lines
 * "OFFSET REMOVED WRITTEN" with offsets in DUMP. KIND is flip (one bit), delete
 * or insert (1 to 200 bytes), mix, or length. "length" changes the length of an
 * instance to another one of up to 128 KiB.
 *
 * `judge` prints how many objects SALVAGED should contain, and how many of them
 * are missing, altered and foreign. It also prints the number of damaged
 * places. For `judge`, these rules apply:
 *
 * - Every object and every class dump of DUMP must be in SALVAGED, byte for
 *   byte. This does not apply if the damage reaches into the object itself,
 *   or into the class dump of its class or of a superclass.
 * - An instance with the id of a class may also be missing: only the name of
 *   its class shows that it is correct, and the record with this name may be
 *   damaged.
 * - An object of SALVAGED is "altered" if it is in the place of an object
 *   that the damage reached into. For example, an int has another value.
 * - Every other object is "foreign": it was never an object of DUMP.
 *
 * The reader here is separate from the library. It expects dumps without
 * errors, as the builder and JVMs write them.
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

struct object {
	size_t at, size;
	/*
	 * id: id of the object or class. of: id of its class or superclass, 0
	 * if it needs no other class.
	 */
	uint64_t id, of;
	uint64_t hash; /* hash of all bytes of the sub-record */
	unsigned dump; /* index of the dump in a file with several dumps */
	uint8_t tag;
	bool hurt;
};

struct objects {
	struct object *list;
	size_t count, cap;
};

struct place {
	size_t at, removed, written;
};

struct plan {
	struct place list[PLACES_MOST];
	size_t count;
};

struct judged {
	struct file damaged, salvaged;
	struct plan plan;
	struct objects before, after;
	/* those objects of `before` in which the damage has changed bytes */
	struct objects reached;
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
	long size = 0;

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

/* ---- read dumps ---- */

static unsigned
width_of(const struct file *f, unsigned type)
{
	static const uint8_t widths[] = {[4] = 1, [5] = 2, [6] = 4,  [7] = 8,
					 [8] = 1, [9] = 2, [10] = 4, [11] = 8};

	/*
	 * if a bit was flipped in the type of a field, the type can be 1 or 2,
	 * for example instead of 9
	 */
	if (type == 1 || type == 2)
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

/*
 * Read the sub-record at @at. If it is not an object, only the size is set in
 * the result.
 */
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
	unsigned dump = 0;

	while (at < f->len) {
		unsigned tag = (unsigned)number(f, at, 1);
		size_t end = at + HEAD + number(f, at + 5, 4);

		if (end > f->len)
			die("a record that is not whole");
		if (tag == 0x0c || tag == 0x1c) {
			for (at += HEAD; at < end;) {
				struct object o = read_sub(f, at);

				at += o.size;
				o.dump = dump;
				if (o.hash)
					add(all, &o);
			}
		}
		dump += tag == 0x0c || tag == 0x2c;
		at = end;
	}
}

/* ---- damage a dump ---- */

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

/*
 * Choose the damage at one place: how many bytes are removed, and which bytes
 * replace them.
 */
static size_t
damage_place(const struct file *f, char kind, struct place *p, uint64_t *seed)
{
	size_t n = 1 + next_random(seed) % 200;

	if (kind == 'm')
		kind = "fdi"[next_random(seed) % 3];
	p->removed = kind == 'f' ? 1 : kind == 'd' ? n : kind == 'l' ? 4 : 0;
	if (p->removed > f->len - p->at)
		p->removed = f->len - p->at;
	p->written = kind == 'f' ? 1 : kind == 'l' ? 4 : kind == 'i' ? n : 0;
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

/*
 * For the damage "length": move each place to the length field of the next
 * instance.
 */
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
		at = p->at < f.len ? damage_place(&f, argv[0][0], p, &seed)
				   : p->at;
		fprintf(out, "%zu %zu %zu\n", p->at, p->removed, p->written);
	}
	fwrite(f.data + at, 1, f.len - at, stdout);
	return fclose(out) != 0 || fflush(stdout) != 0 ? 2 : 0;
}

/* ---- judge a salvaged dump ---- */

static void
read_plan(struct plan *plan, const char *path)
{
	FILE *in = fopen(path, "r");
	struct place p;

	plan->count = 0;
	if (!in)
		die(path);
	while (fscanf(in, "%zu %zu %zu", &p.at, &p.removed, &p.written) == 3 &&
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
compare_id(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	if (x->dump != y->dump)
		return x->dump < y->dump ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int
compare_hashes(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	/*
	 * if two dumps of the file contain equal objects, undamaged objects
	 * come first
	 */
	return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
				  : x->hurt - y->hurt;
}

/*
 * Whether the class dump with this id, or the class dump of a superclass, is
 * lost in this dump.
 */
static bool
is_lost(const struct objects *classes, unsigned dump, uint64_t id)
{
	for (size_t depth = 0; id != 0 && depth <= classes->count; depth++) {
		const struct object key = {.id = id, .dump = dump};
		const struct object *c =
			classes->count
				? bsearch(&key, classes->list, classes->count,
					  sizeof(key), compare_id)
				: NULL;

		if (!c || c->hurt)
			return true;
		id = c->of;
	}
	return id != 0;
}

/*
 * Convert the offset @at in DUMP to an offset in DAMAGED. Returns false if the
 * damage has removed the byte at @at.
 */
static bool
find_in_damaged(const struct plan *plan, size_t at, size_t *damaged)
{
	*damaged = at;
	for (size_t i = 0; i < plan->count; i++) {
		const struct place *p = &plan->list[i];

		if (p->at + p->removed <= at)
			*damaged += p->written - p->removed;
		else if (p->at <= at)
			return p->written == p->removed;
	}
	return true;
}

/*
 * Whether the recovered object @o was made from a damaged object: the file
 * DAMAGED contains the bytes of @o at the new place of a damaged object.
 */
static bool
is_altered(const struct object *o, const struct judged *j)
{
	for (size_t i = 0; i < j->reached.count; i++) {
		size_t at;

		if (find_in_damaged(&j->plan, j->reached.list[i].at, &at) &&
		    at <= j->damaged.len && o->size <= j->damaged.len - at &&
		    memcmp(j->damaged.data + at, j->salvaged.data + o->at,
			   o->size) == 0)
			return true;
	}
	return false;
}

static void
tell_object(const char *what, const struct object *o)
{
	if (getenv("SURVIVORS_VERBOSE"))
		fprintf(stderr, "%s: %#x at %zu, %zu bytes\n", what, o->tag,
			o->at, o->size);
}

/*
 * Compare the objects before and after, and print the result. Both lists of
 * objects are sorted by hash.
 */
static void
judge_objects(const struct judged *j)
{
	const struct objects *all = &j->before, *found = &j->after;
	size_t wanted = 0, missing = 0, altered = 0, foreign = 0, i = 0, k = 0;

	while (i < all->count || k < found->count) {
		const struct object *a = i < all->count ? &all->list[i] : NULL;
		const struct object *b =
			k < found->count ? &found->list[k] : NULL;
		int order = !a	 ? 1
			    : !b ? -1
				 : (a->hash > b->hash) - (a->hash < b->hash);

		wanted += order <= 0 && !a->hurt;
		if (order < 0 && !a->hurt) {
			missing++;
			tell_object("missing", a);
		}
		if (order > 0 && is_altered(b, j)) {
			altered++;
			tell_object("altered", b);
		} else if (order > 0) {
			foreign++;
			tell_object("foreign", b);
		}
		i += order <= 0;
		k += order >= 0;
	}
	printf("%zu wanted, %zu missing, %zu altered, %zu foreign, "
	       "%zu places\n",
	       wanted, missing, altered, foreign, j->plan.count);
}

/*
 * Do not expect instances that have the id of a class. Such an instance is
 * correct only if the name of its class is "java.lang.Class", and the record
 * with this name may be lost.
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

static void
sort_objects(struct objects *o, int (*compare)(const void *, const void *))
{
	if (o->count)
		qsort(o->list, o->count, sizeof(*o->list), compare);
}

static int
judge(char **argv)
{
	static struct judged j;
	struct file dump;
	struct objects classes = {0};

	load(&dump, argv[0]);
	read_plan(&j.plan, argv[1]);
	load(&j.damaged, argv[2]);
	load(&j.salvaged, argv[3]);
	read_objects(&dump, &j.before);
	read_objects(&j.salvaged, &j.after);
	for (size_t i = 0; i < j.before.count; i++) {
		struct object *o = &j.before.list[i];

		o->hurt = is_hurt(o, &j.plan);
		if (o->hurt)
			add(&j.reached, o);
		if (o->tag == 0x20)
			add(&classes, o);
	}
	sort_objects(&classes, compare_id);
	for (size_t i = 0; i < j.before.count; i++) {
		struct object *o = &j.before.list[i];

		if ((o->tag == 0x21 || o->tag == 0x20) &&
		    is_lost(&classes, o->dump, o->of))
			o->hurt = true;
	}
	drop_mirrors(&j.before, &classes);
	sort_objects(&j.before, compare_hashes);
	sort_objects(&j.after, compare_hashes);
	judge_objects(&j);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 7 && strcmp(argv[1], "damage") == 0)
		return damage(argv + 2);
	if (argc == 6 && strcmp(argv[1], "judge") == 0)
		return judge(argv + 2);
	fputs("usage: survivors damage KIND TIMES SEED DUMP PLAN >DAMAGED\n"
	      "       survivors judge DUMP PLAN DAMAGED SALVAGED\n",
	      stderr);
	return 2;
}
