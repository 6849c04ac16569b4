/*
 * test_finalizer_queue.c - compare the objects that wait for their finalizer
 * with a brute-force search, in random small dumps
 *
 * An object waits for its finalizer if it is reachable only through the field
 * `referent` of a reachable java.lang.ref.Finalizer. If object B would not wait
 * without the waiting object A, then A retains B.
 */
#include "common/base/platform.h"
#include "diff/retained/retained.h"
#include "tests/builder/builder.h"
#include "tests/unit/must.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Suite *test_finalizer_queue_suite(void);

enum {
	MOST = 24, /* largest number of objects in a random dump */
	FIELDS = 3,
	/*
	 * number of static fields; the roots are classes, so every path begins
	 * at a static field
	 */
	STATICS = 2,
	NOTHING = -1,
	/*
	 * Indexes of the objects in the model: first the classes, then the
	 * other objects, each of which has a class of its own.
	 */
	OBJECT = 0,
	REFERENCE,
	FINAL_REFERENCE,
	FINALIZER,
	MAIN,
	FIRST,
};

struct object {
	bool finalizer;
	/* indexes of the objects to which the object has strong references */
	int to[FIELDS];
	/* if the object is a finalizer: the target of its field `referent` */
	int referent;
};

struct model {
	struct object objects[MOST];
	int n, statics[STATICS];
	bool reached[MOST];
	/* the field `referent` of a reachable finalizer refers to the object */
	bool seed[MOST];
	bool waiting[MOST]; /* the object waits for a finalizer */
	/* without[x][i]: object i would still wait if object x did not exist */
	bool without[MOST][MOST];
};

static uint64_t seed;
static unsigned graph_at; /* number of the current random graph, for messages */

static int
pick(int below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (int)((seed >> 33) % (unsigned)below);
}

static int
some(const struct model *m)
{
	return pick(3) == 0 ? NOTHING : pick(m->n);
}

static void
make_model(struct model *m)
{
	memset(m, 0, sizeof(*m));
	m->n = 4 + pick(MOST - 4);
	for (int i = 0; i < m->n; i++) {
		struct object *x = &m->objects[i];

		x->finalizer = pick(3) == 0;
		for (unsigned k = 0; k < FIELDS; k++)
			x->to[k] = k > 0 && x->finalizer ? NOTHING : some(m);
		x->referent = x->finalizer ? some(m) : NOTHING;
	}
	for (unsigned k = 0; k < STATICS; k++)
		m->statics[k] = some(m);
}

/* --- the brute-force search, which computes the expected result ---- */

/*
 * Mark the objects that are reachable from @from over strong references. Paths
 * through object @except, or through objects whose element in @barred is true,
 * do not count.
 */
static void
spread(const struct model *m, int from, const bool *barred, int except,
       bool *met)
{
	if (from == NOTHING || from == except || met[from] ||
	    (barred && barred[from]))
		return;
	met[from] = true;
	for (unsigned k = 0; k < FIELDS; k++)
		spread(m, m->objects[from].to[k], barred, except, met);
}

static void
solve(struct model *m)
{
	for (unsigned k = 0; k < STATICS; k++)
		spread(m, m->statics[k], NULL, NOTHING, m->reached);
	for (int i = 0; i < m->n; i++) {
		int referent = m->objects[i].referent;

		if (m->reached[i] && referent != NOTHING)
			m->seed[referent] = !m->reached[referent];
	}
	for (int i = 0; i < m->n; i++) {
		if (!m->seed[i])
			continue;
		spread(m, i, m->reached, NOTHING, m->waiting);
		for (int x = 0; x < m->n; x++)
			spread(m, i, m->reached, x, m->without[x]);
	}
}

static unsigned
retained(const struct model *m, int x)
{
	unsigned sum = 0;

	for (int i = 0; i < m->n; i++)
		sum += m->waiting[i] && !m->without[x][i];
	return sum;
}

static bool
finalizes(const struct model *m, int f, int x)
{
	return m->reached[f] && m->objects[f].referent == x;
}

/* --- write the model as a dump ------------------------------------- */

static uint64_t
class_id(int i)
{
	return 0x1000 + 16 * (uint64_t)i;
}

/*
 * Returns the id of object @i. Each graph is written twice; @turn (0 or 1)
 * selects the order of the ids.
 */
static uint64_t
id_of(int i, unsigned turn)
{
	return i == NOTHING
		       ? 0
		       : 0x10000 + 16 * ((uint64_t)i * (turn ? 7 : 13) % 64);
}

static void
write_class(struct b *b, const struct model *m, int i, unsigned turn)
{
	bool finalizer = i >= FIRST && m->objects[i - FIRST].finalizer;
	int super = i == FINAL_REFERENCE || i == FINALIZER ? i - 1
		    : finalizer				   ? FINALIZER
							   : OBJECT;

	b_root_sticky_class(b, class_id(i));
	b_class(b, &(struct b_class){.id = class_id(i),
				     .super = i == OBJECT ? 0 : class_id(super),
				     .size = B_AUTO});
	for (unsigned k = 0; i == MAIN && k < STATICS; k++)
		b_static(b, b_intern(b, "s"), B_OBJECT,
			 id_of(m->statics[k], turn));
	if (i == REFERENCE)
		b_field(b, b_intern(b, "referent"), B_OBJECT);
	for (unsigned k = 0; i >= FIRST && k < (finalizer ? 1 : FIELDS); k++)
		b_field(b, b_intern(b, "next"), B_OBJECT);
	b_class_end(b);
}

static void
write_object(struct b *b, const struct model *m, int i, unsigned turn)
{
	const struct object *x = &m->objects[i];

	b_instance(b, id_of(i, turn), class_id(FIRST + i));
	for (unsigned k = 0; k < (x->finalizer ? 1 : FIELDS); k++)
		b_value(b, B_OBJECT, id_of(x->to[k], turn));
	if (x->finalizer)
		b_value(b, B_OBJECT, id_of(x->referent, turn));
	b_instance_end(b);
}

static void
write_dump(struct b *b, const struct model *m, unsigned turn)
{
	static const char *const names[] = {"java/lang/Object",
					    "java/lang/ref/Reference",
					    "java/lang/ref/FinalReference",
					    "java/lang/ref/Finalizer", "Main"};
	char name[16];

	b_init(b, 4);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_intern(b, "referent");
	b_intern(b, "next");
	b_intern(b, "s");
	for (int i = 0; i < FIRST + m->n; i++) {
		snprintf(name, sizeof(name), "N%d", i);
		b_load_class(b, (uint32_t)i + 1, class_id(i), 0,
			     b_intern(b, i < FIRST ? names[i] : name));
	}
	b_segment(b);
	for (int i = 0; i < FIRST + m->n; i++)
		write_class(b, m, i, turn);
	for (int i = 0; i < m->n; i++)
		write_object(b, m, turn ? m->n - 1 - i : i, turn);
	b_close(b);
}

/* --- compare with the result of the program ------------------------ */

struct reader {
	struct hp_histogram gather;
	struct hp_retained t;
	struct hp_source *src;
};

static void
read_dump(struct reader *r, const struct b *b, unsigned threads)
{
	const struct hp_source_options reading = {.threads = 1};
	const struct hp_histogram_options gathering = {.threads = threads,
						       .dump = 1};
	const struct hp_diff_options options = {.by = HP_BY_PATH};
	struct hp_dump_info info = {
		.layout = {HP_SIZE_MODEL_HOTSPOT, 4, 12, 16, 8, "test"}};
	int fd = memfd_create("dump", MFD_CLOEXEC);

	memset(r, 0, sizeof(*r));
	must(fd >= 0 && b_write_fd(b, fd) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	must(hp_source_open_fd(&r->src, fd, "dump", &reading, NULL) == HP_OK);
	must(hp_histogram_run(&r->gather, r->src, &gathering, NULL) == HP_OK);
	must(hp_retained_read(&r->t, &r->gather, r->src, &options, true, true,
			      &info, NULL) == HP_OK);
}

static void
release(struct reader *r)
{
	hp_retained_release(&r->t);
	hp_histogram_release(&r->gather);
	hp_source_close(r->src);
}

static int
object_at(const struct reader *r, const struct hp_tree *t, uint32_t place)
{
	uint32_t kind = hp_tree_kind(t, place);
	uint64_t id = r->t.graph.kinds.list[kind].class_id;

	must(id >= class_id(FIRST));
	return (int)((id - class_id(FIRST)) / 16);
}

static void
compare_tree(const struct reader *r, const struct model *m)
{
	const struct hp_tree *t = &r->t.queue.tree;
	bool met[MOST] = {false};
	unsigned waiting = 0;

	for (int i = 0; i < m->n; i++)
		waiting += m->waiting[i];
	ck_assert_msg(t->count == waiting + 1, "graph %u: %u wait, not %u",
		      graph_at, t->count - 1, waiting);
	for (uint32_t p = 1; p < t->count; p++) {
		int x = object_at(r, t, p);

		ck_assert_msg(m->waiting[x] && !met[x],
			      "graph %u: object %d does not wait", graph_at, x);
		met[x] = true;
		ck_assert_msg(hp_tree_end(t, p) - p == retained(m, x),
			      "graph %u: object %d retains %u, not %u",
			      graph_at, x, hp_tree_end(t, p) - p,
			      retained(m, x));
	}
}

static void
compare_list(const struct reader *r, const struct model *m)
{
	const struct hp_finalizer_queue *q = &r->t.queue;
	struct hp_graph_sum all = hp_finalizer_queue_sum(q, 1, r->t.tree.count);
	uint32_t last = 0;

	must(all.objects == q->tree.count - 1);
	for (size_t i = 0; i < q->count; i++) {
		const struct hp_queued *e = &q->list[i];
		int f = object_at(r, &r->t.tree, e->finalizer);
		int x = object_at(r, &q->tree, e->waiting);
		struct hp_graph_sum sum = hp_finalizer_queue_sum(
			q, e->finalizer, e->finalizer + 1);

		must(e->finalizer >= last);
		last = e->finalizer;
		must(m->objects[f].finalizer && m->reached[f]);
		if (m->seed[x])
			ck_assert_msg(finalizes(m, f, x),
				      "graph %u: %d is no finalizer of %d",
				      graph_at, f, x);
		must(sum.objects >= retained(m, x));
	}
}

START_TEST(every_object_that_waits)
{
	unsigned queued = 0;

	for (unsigned i = 0; i < (HP_TSAN ? 100 : 600); i++) {
		struct model m;
		struct reader r;
		struct b b;

		graph_at = i;
		seed = i + 1;
		make_model(&m);
		solve(&m);
		for (unsigned turn = 0; turn < 2; turn++) {
			write_dump(&b, &m, turn);
			read_dump(&r, &b, 1 + (i + turn) % 3);
			compare_tree(&r, &m);
			compare_list(&r, &m);
			queued += r.t.queue.count > 1;
			release(&r);
			b_release(&b);
		}
	}
	/*
	 * the test would be useless if hardly any random graph had waiting
	 * objects
	 */
	ck_assert_uint_gt(queued, HP_TSAN ? 10 : 100);
}
END_TEST

Suite *
test_finalizer_queue_suite(void)
{
	Suite *s = suite_create("finalizer_queue");
	TCase *t = tcase_create("finalizer_queue");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, every_object_that_waits);
	suite_add_tcase(s, t);
	return s;
}
