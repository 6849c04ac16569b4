/*
 * test_owners.c - tests of the rows of --by=dominator, for random small dumps
 *
 * The test computes the expected rows directly from the definition: it removes
 * one object or one static field at a time, and finds out which objects are
 * then still reachable. It builds no dominator tree.
 */
#include "common/base/platform.h"
#include "diff/leaks/leaks.h"
#include "tests/builder/builder.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Indexes of the objects of a random graph: first the classes, then the other
 * objects.
 */
enum {
	OBJECT,
	CLASS,
	THREAD,
	REFERENCE,
	WEAK,
	ARRAY,
	USER,	   /* index of the first class of the application */
	USERS = 4, /* number of classes of the application */
	FIRST = USER + USERS,
	MOST = 24, /* maximum number of objects in a graph */
};

enum {
	STATICS = 4,
	/* number of fields that each class declares itself */
	FIELDS = 2,
	/*
	 * maximum number of elements of an array; it is at least the maximum
	 * number of fields of an instance
	 */
	ELEMENTS = 5,
	LOCALS = 4,
	EDGES = MOST * (ELEMENTS + 1) + USERS * (STATICS + 5) + LOCALS,
	/* serial number of a thread that has no thread object */
	NO_THREAD = 99,
	NOTHING = -1,
	FEW = 600,
};

static const char *const raw_names[FIRST] = {"java/lang/Object",
					     "java/lang/Class",
					     "java/lang/Thread",
					     "java/lang/ref/Reference",
					     "java/lang/ref/WeakReference",
					     "[Ljava/lang/Object;",
					     "com/acme/A",
					     "com/acme/B",
					     "com/acme/C",
					     "com/acme/D"};
static const char *const names[FIRST] = {"java.lang.Object",
					 "java.lang.Class",
					 "java.lang.Thread",
					 "java.lang.ref.Reference",
					 "java.lang.ref.WeakReference",
					 "java.lang.Object[]",
					 "com.acme.A",
					 "com.acme.B",
					 "com.acme.C",
					 "com.acme.D"};
static const char *const statics[STATICS] = {"s0", "s1", "s2", "s3"};
static const char *const fields[FIELDS] = {"f0", "f1"};

/*
 * The kinds of roots, the most important first. If an object has several roots,
 * the most important one counts.
 */
enum { STICKY, THREAD_OBJECT, GLOBAL, UNKNOWN, LOCAL, MONITOR, ROOTS };
static const char *const root_words[ROOTS] = {"system class",	"thread",
					      "JNI global",	"root",
					      "local variable", "monitor"};

struct node {
	int class; /* index of the class of this object */
	/*
	 * indexes of the objects to which the references of a class dump point;
	 * NOTHING: null
	 */
	int super, loader, signers, domain, constant;
	/*
	 * indexes of the objects to which the static fields refer; NOTHING:
	 * null
	 */
	int statics[STATICS];
	/* the static field has the type int instead of a reference type */
	bool is_int[STATICS];
	unsigned nstatics, nfields;
	/*
	 * indexes of the objects to which the fields or elements refer;
	 * NOTHING: null
	 */
	int to[ELEMENTS];
	unsigned nto;
	bool root[ROOTS];
};

struct edge {
	int from, to;
	/*
	 * if the reference is in a static field: the index of this field;
	 * otherwise NOTHING
	 */
	int field;
};

struct local {
	int node;
	/*
	 * if the root belongs to a thread: index of the thread object, or
	 * NO_THREAD if there is no such object
	 */
	unsigned thread;
};

struct row {
	char key[80];
	uint64_t count, bytes, retained_count, retained_bytes;
};

struct model {
	struct node nodes[MOST];
	int n;
	struct local locals[LOCALS];
	unsigned nlocals;
	struct edge edges[EDGES];
	unsigned nedges;
	/*
	 * The expected result by the definition. without: for each object,
	 * which objects are reachable if it is removed. cut: for each reference
	 * of a static field, which objects are reachable if the reference is
	 * removed. reached: which objects are reachable if nothing is removed.
	 */
	bool without[MOST][MOST], cut[EDGES][MOST], reached[MOST];
	struct row rows[2 * MOST];
	unsigned nrows;
};

static uint64_t seed;
static unsigned graph_at; /* number of the random graph, for error messages */

static int
pick(int below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (int)((seed >> 33) % (unsigned)below);
}

/* --- make a random model -------------------------------------------- */

static int
some(const struct model *m)
{
	int turn = pick(8);

	if (turn == 0)
		return NOTHING;
	if (turn == 1)
		return USER + pick(USERS);
	return FIRST + pick(m->n - FIRST);
}

static int
seldom(const struct model *m)
{
	return pick(6) == 0 ? some(m) : NOTHING;
}

static void
make_class(struct model *m, int i)
{
	struct node *c = &m->nodes[i];

	c->super = i > USER && pick(3) == 0 ? USER + pick(i - USER) : OBJECT;
	c->loader = seldom(m);
	c->signers = seldom(m);
	c->domain = seldom(m);
	c->constant = seldom(m);
	c->nstatics = (unsigned)pick(STATICS + 1);
	for (unsigned k = 0; k < c->nstatics; k++) {
		c->statics[k] = some(m);
		c->is_int[k] = pick(6) == 0;
	}
	c->nfields = m->nodes[c->super].nfields;
	if (c->nfields + FIELDS <= ELEMENTS)
		c->nfields += (unsigned)pick(FIELDS + 1);
	c->root[STICKY] = pick(3) != 0;
}

static void
make_object(struct model *m, int i)
{
	struct node *x = &m->nodes[i];
	int turn = pick(12);

	x->class = USER + pick(USERS);
	if (turn == 0)
		x->class = THREAD;
	else if (turn == 1)
		x->class = WEAK;
	else if (turn < 4)
		x->class = ARRAY;
	x->nto = x->class == ARRAY ? (unsigned)pick(ELEMENTS + 1)
				   : m->nodes[x->class].nfields;
	for (unsigned k = 0; k < x->nto; k++)
		x->to[k] = some(m);
	x->root[THREAD_OBJECT] = x->class == THREAD && pick(3) != 0;
	x->root[GLOBAL] = pick(16) == 0;
	x->root[UNKNOWN] = pick(24) == 0;
	x->root[MONITOR] = pick(24) == 0;
}

/*
 * Add a local variable of a stack frame to the model. If its thread has a
 * thread object, the variable is a reference of this object, otherwise a root.
 */
static void
make_local(struct model *m)
{
	struct local *l = &m->locals[m->nlocals++];
	int thread = FIRST + pick(m->n - FIRST);

	l->node = FIRST + pick(m->n - FIRST);
	l->thread = NO_THREAD;
	if (m->nodes[thread].root[THREAD_OBJECT])
		l->thread = (unsigned)thread;
	else
		m->nodes[l->node].root[LOCAL] = true;
}

static void
add_edge(struct model *m, int from, int to, int field)
{
	if (to != NOTHING)
		m->edges[m->nedges++] = (struct edge){from, to, field};
}

static void
add_edges_of(struct model *m, int i)
{
	const struct node *x = &m->nodes[i];

	if (i >= FIRST) {
		add_edge(m, i, x->class, NOTHING);
		for (unsigned k = 0; k < x->nto && x->class != WEAK; k++)
			add_edge(m, i, x->to[k], NOTHING);
		return;
	}
	add_edge(m, i, x->super, NOTHING);
	add_edge(m, i, x->loader, NOTHING);
	add_edge(m, i, x->signers, NOTHING);
	add_edge(m, i, x->domain, NOTHING);
	add_edge(m, i, x->constant, NOTHING);
	for (unsigned k = 0; k < x->nstatics; k++)
		if (!x->is_int[k])
			add_edge(m, i, x->statics[k], (int)k);
}

static void
make_model(struct model *m)
{
	memset(m, 0, sizeof(*m));
	m->n = FIRST + 3 + pick(MOST - FIRST - 3);
	for (int i = 0; i < USER; i++) {
		struct node *c = &m->nodes[i];

		c->super = i == OBJECT ? NOTHING : OBJECT;
		c->loader = c->signers = c->domain = c->constant = NOTHING;
		c->root[STICKY] = true;
	}
	m->nodes[REFERENCE].nfields = m->nodes[WEAK].nfields = 1;
	m->nodes[WEAK].super = REFERENCE;
	for (int i = USER; i < FIRST; i++)
		make_class(m, i);
	for (int i = FIRST; i < m->n; i++)
		make_object(m, i);
	for (int k = pick(LOCALS + 1); k > 0; k--)
		make_local(m);
	for (int i = 0; i < m->n; i++)
		add_edges_of(m, i);
	for (unsigned k = 0; k < m->nlocals; k++)
		if (m->locals[k].thread != NO_THREAD)
			add_edge(m, (int)m->locals[k].thread, m->locals[k].node,
				 NOTHING);
}

/* --- write the model as a dump --------------------------------------- */

/*
 * Returns the id of object @i. Each graph is written several times; @turn
 * selects the order of the ids, and of the objects in the file.
 */
static uint64_t
id_of(int i, unsigned turn)
{
	if (i == NOTHING)
		return 0;
	return 0x10000 + 16 * ((uint64_t)i * (turn ? 7 : 13) % 64);
}

static void
write_class(struct b *b, const struct model *m, int i, unsigned turn)
{
	const struct node *x = &m->nodes[i];
	const struct b_class c = {.id = id_of(i, turn),
				  .super = id_of(x->super, turn),
				  .loader = id_of(x->loader, turn),
				  .signers = id_of(x->signers, turn),
				  .domain = id_of(x->domain, turn),
				  .size = B_AUTO};
	unsigned inherited = i == OBJECT ? 0 : m->nodes[x->super].nfields;

	if (x->root[STICKY])
		b_root_sticky_class(b, c.id);
	b_class(b, &c);
	if (x->constant != NOTHING)
		b_constant(b, 1, B_OBJECT, id_of(x->constant, turn));
	for (unsigned k = 0; k < x->nstatics; k++)
		b_static(b, b_intern(b, statics[k]),
			 x->is_int[k] ? B_INT : B_OBJECT,
			 id_of(x->statics[k], turn));
	for (unsigned k = inherited; k < x->nfields; k++)
		b_field(b,
			b_intern(b, i == REFERENCE ? "referent"
						   : fields[k - inherited]),
			B_OBJECT);
	b_class_end(b);
}

/*
 * Write an object. In an instance, the fields of its own class come first and
 * those of the superclass last. Which of the fields refers to an object makes
 * no difference to the rows.
 */
static void
write_object(struct b *b, const struct model *m, int i, unsigned turn)
{
	const struct node *x = &m->nodes[i];
	uint64_t ids[ELEMENTS], id = id_of(i, turn);

	if (x->root[THREAD_OBJECT])
		b_root_thread_object(b, id, (uint32_t)i, 0);
	if (x->root[GLOBAL])
		b_root_jni_global(b, id, 1);
	if (x->root[UNKNOWN])
		b_root_unknown(b, id);
	if (x->root[MONITOR])
		b_root_monitor_used(b, id);
	for (unsigned k = 0; k < x->nto; k++)
		ids[k] = id_of(x->to[k], turn);
	if (x->class == ARRAY) {
		b_object_array(b, id, id_of(ARRAY, turn), x->nto, ids);
		return;
	}
	b_instance(b, id, id_of(x->class, turn));
	for (unsigned k = 0; k < x->nto; k++)
		b_value(b, B_OBJECT, ids[k]);
	b_instance_end(b);
}

static void
write_dump(struct b *b, const struct model *m, unsigned turn)
{
	b_init(b, turn ? 4 : 8);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_intern(b, "referent");
	for (unsigned k = 0; k < STATICS; k++)
		b_intern(b, statics[k]);
	for (unsigned k = 0; k < FIELDS; k++)
		b_intern(b, fields[k]);
	for (int i = 0; i < FIRST; i++)
		b_load_class(b, (uint32_t)i + 1, id_of(i, turn), 0,
			     b_intern(b, raw_names[i]));
	b_segment(b);
	for (int i = 0; i < FIRST; i++)
		write_class(b, m, i, turn);
	for (unsigned k = 0; k < m->nlocals; k++)
		b_root_java_frame(b, id_of(m->locals[k].node, turn),
				  m->locals[k].thread, 0);
	for (int k = FIRST; k < m->n; k++)
		write_object(b, m, turn ? m->n - 1 - (k - FIRST) : k, turn);
	b_close(b);
	b_heap_dump_end(b);
}

/* --- compute the expected result by the definition ------------------- */

/*
 * Find the objects that are reachable from the roots if the object @node or the
 * reference @edge is removed. NOTHING: none is removed.
 */
static void
reach(const struct model *m, int node, int edge, bool *reached)
{
	bool more = true;

	for (int i = 0; i < m->n; i++) {
		reached[i] = false;
		for (unsigned k = 0; k < ROOTS && i != node; k++)
			reached[i] |= m->nodes[i].root[k];
	}
	while (more) {
		more = false;
		for (int k = 0; k < (int)m->nedges; k++) {
			const struct edge *e = &m->edges[k];

			if (k == edge || e->to == node || !reached[e->from] ||
			    reached[e->to])
				continue;
			reached[e->to] = more = true;
		}
	}
}

static bool
keeps(const struct model *m, int a, int b)
{
	return a == b || !m->without[a][b];
}

/*
 * Returns the first object that is on all paths from the roots to @x. Only
 * objects with an index below @end count. NOTHING: there is none.
 */
static int
first_on_all_paths(const struct model *m, int x, int end)
{
	int first = NOTHING;

	for (int i = 0; i < end; i++)
		if (m->reached[i] && keeps(m, i, x) &&
		    (first == NOTHING || keeps(m, i, first)))
			first = i;
	return first;
}

/*
 * Returns the reference in a static field of @class that is on all paths from
 * the roots to @x; NOTHING if there is none.
 */
static int
field_on_all_paths(const struct model *m, int class, int x)
{
	for (int k = 0; k < (int)m->nedges; k++)
		if (m->edges[k].from == class && m->edges[k].field != NOTHING &&
		    !m->cut[k][x])
			return k;
	return NOTHING;
}

static uint64_t
shallow(const struct model *m, int i)
{
	const struct node *x = &m->nodes[i];
	uint64_t bytes = (x->class == ARRAY ? 16 : 12) + 4 * x->nto;

	if (i < FIRST)
		bytes = 4 * x->nstatics;
	return (bytes + 7) / 8 * 8;
}

static void
add_to_row(struct model *m, const char *key, int x, bool is_owner)
{
	uint64_t bytes = shallow(m, x);
	unsigned i = 0;

	while (i < m->nrows && strcmp(m->rows[i].key, key) != 0)
		i++;
	if (i == m->nrows) {
		memset(&m->rows[i], 0, sizeof(m->rows[i]));
		strcpy(m->rows[m->nrows++].key, key);
	}
	m->rows[i].count += is_owner;
	m->rows[i].bytes += is_owner ? bytes : 0;
	m->rows[i].retained_count++;
	m->rows[i].retained_bytes += bytes;
}

static const char *
words_of(const struct node *x)
{
	for (unsigned k = 0; k < ROOTS; k++)
		if (x->root[k])
			return root_words[k];
	return "several roots:";
}

static void
give_to_owner(struct model *m, int x)
{
	int owner = first_on_all_paths(m, x, FIRST), edge;
	char key[80];

	if (owner == NOTHING) {
		owner = first_on_all_paths(m, x, m->n);
		snprintf(key, sizeof(key), "%s %s", words_of(&m->nodes[owner]),
			 names[m->nodes[owner].class]);
		add_to_row(m, key, x, x == owner);
		return;
	}
	edge = x == owner ? NOTHING : field_on_all_paths(m, owner, x);
	if (edge != NOTHING)
		snprintf(key, sizeof(key), "%s.%s (static)", names[owner],
			 statics[m->edges[edge].field]);
	else
		snprintf(key, sizeof(key), "class %s", names[owner]);
	add_to_row(m, key, x,
		   x == (edge == NOTHING ? owner : m->edges[edge].to));
}

static void
solve(struct model *m)
{
	reach(m, NOTHING, NOTHING, m->reached);
	for (int i = 0; i < m->n; i++)
		reach(m, i, NOTHING, m->without[i]);
	for (int k = 0; k < (int)m->nedges; k++)
		if (m->edges[k].field != NOTHING)
			reach(m, NOTHING, k, m->cut[k]);
	for (int i = 0; i < m->n; i++)
		if (m->reached[i])
			give_to_owner(m, i);
}

/* --- compare with the rows of the program ---------------------------- */

struct reader {
	struct hp_histogram_options gathering;
	struct hp_histogram gather;
	struct hp_diff_options options;
	struct hp_dump_info info;
	struct hp_retained t;
	struct hp_rows rows;
	struct hp_source *src;
};

static void
read_dump(struct reader *r, const struct b *b, unsigned threads)
{
	const struct hp_source_options reading = {.threads = 1};
	const struct hp_column column = {.g = &r->gather,
					 .o = &r->options,
					 .rows = &r->rows,
					 .info = &r->info};
	struct hp_unowned u = {.count = 0};
	int fd = memfd_create("dump", MFD_CLOEXEC);

	memset(r, 0, sizeof(*r));
	r->options.by = HP_BY_DOMINATOR;
	r->info.layout = (struct hp_size_model){
		HP_SIZE_MODEL_HOTSPOT, 4, 12, 16, 8, "test"};
	r->gathering =
		(struct hp_histogram_options){.threads = threads, .dump = 1};
	hp_rows_init(&r->rows, 1);
	r->rows.retained = true;
	r->rows.columns |= HP_COLUMN_RETAINED;
	must(fd >= 0 && b_write_fd(b, fd) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	must(hp_source_open_fd(&r->src, fd, "dump", &reading, NULL) == HP_OK);
	must(hp_histogram_run(&r->gather, r->src, &r->gathering, NULL) ==
	     HP_OK);
	must(hp_retained_read(&r->t, &r->gather, r->src, &r->options, true,
			      false, &r->info, NULL) == HP_OK);
	must(hp_owners_add(&r->t, &column, r->src, false, &u, NULL) == HP_OK);
	hp_unowned_release(&u);
}

static void
release(struct reader *r)
{
	hp_retained_release(&r->t);
	hp_rows_release(&r->rows);
	hp_histogram_release(&r->gather);
	hp_source_close(r->src);
}

static void
compare(const struct reader *r, const struct model *m)
{
	for (unsigned i = 0; i < m->nrows; i++) {
		const struct row *want = &m->rows[i];
		const struct hp_row *got =
			hp_rows_find(&r->rows, want->key, strlen(want->key));

		ck_assert_msg(got, "graph %u has no row %s", graph_at,
			      want->key);
		ck_assert_msg(
			got->count[0] == want->count &&
				got->bytes[0] == want->bytes &&
				got->retained_count[0] ==
					want->retained_count &&
				got->retained_bytes[0] == want->retained_bytes,
			"graph %u: %s has %lu %lu %lu %lu, not %lu %lu %lu %lu",
			graph_at, want->key, got->count[0], got->bytes[0],
			got->retained_count[0], got->retained_bytes[0],
			want->count, want->bytes, want->retained_count,
			want->retained_bytes);
	}
	must(r->rows.count == m->nrows);
}

static void
compare_graphs(unsigned from, unsigned to)
{
	struct reader r;
	struct model m;
	struct b b;

	for (unsigned i = from; i < to; i++) {
		graph_at = i;
		seed = i + 1;
		make_model(&m);
		solve(&m);
		for (unsigned turn = 0; turn < 2; turn++) {
			write_dump(&b, &m, turn);
			read_dump(&r, &b, 1 + (i + turn) % 3);
			compare(&r, &m);
			release(&r);
			b_release(&b);
		}
	}
}

START_TEST(every_row_follows_from_the_definition)
{
	compare_graphs(0, FEW);
}
END_TEST

START_TEST(threads_of_a_pool_have_one_name)
{
	static const char *const threads[][2] = {
		{"main", "main"},
		{"http-nio-8080-exec-12", "http-nio-8080-exec-*"},
		{"pool-1-thread-3", "pool-1-thread-*"},
		{"Thread-0", "Thread-*"},
		{"qtp1873653341-25", "qtp*-*"},
		{"G1 Conc#0 worker", "G1 Conc#* worker"},
		{"7", "*"},
		{"", ""}};

	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		struct hp_buf b = {0};

		hp_thread_pool_name(&b, threads[i][0]);
		ck_assert_str_eq(hp_buf_string(&b), threads[i][1]);
		hp_buf_release(&b);
	}
}
END_TEST

START_TEST(more_graphs)
{
	compare_graphs(FEW, HP_TSAN ? 500 : 6000);
}
END_TEST

Suite *test_owners_suite(void);

Suite *
test_owners_suite(void)
{
	Suite *s = suite_create("owners");
	TCase *t = tcase_create("owners"), *quick = quick_case(s, 60);

	tcase_add_test(quick, every_row_follows_from_the_definition);
	tcase_add_test(quick, threads_of_a_pool_have_one_name);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, more_graphs);
	suite_add_tcase(s, t);
	return s;
}
