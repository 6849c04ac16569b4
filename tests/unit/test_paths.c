/*
 * test_paths.c - tests of the shortest paths from roots to objects, in random
 * small dumps
 *
 * A simple search computes the expected paths directly from the rules: the path
 * to an object leads over that referring object whose own path is the best.
 * Among equally good paths, names decide.
 */
#include "common/base/platform.h"
#include "diff/paths/paths.h"
#include "tests/builder/builder.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 20, REFERENCES = 6, STATICS = 2, FIRST = 7 };

/* The first objects of a random dump, which are its classes. */
enum shape { OBJECT, HOLDER, A, B, LIST, ARRAY, THREAD };

static const char *const raw_names[FIRST] = {"java/lang/Object",
					     "Holder",
					     "A",
					     "B",
					     "java/util/ArrayList",
					     "[Ljava/lang/Object;",
					     "java/lang/Thread"};
static const char *const names[FIRST] = {"java.lang.Object",
					 "Holder",
					 "A",
					 "B",
					 "java.util.ArrayList",
					 "java.lang.Object[]",
					 "java.lang.Thread"};

struct node {
	enum shape shape;
	/*
	 * indexes of the objects to which this object refers, from FIRST on; 0:
	 * null
	 */
	unsigned to[REFERENCES], nto;
	bool global;
};

/*
 * A step of a path: a root or a reference. Paths are compared by the kinds of
 * their steps, then by names.
 */
struct step {
	unsigned kind;
	const char *via, *class_name;
};

struct path {
	struct step steps[MOST];
	unsigned n, level, round;
	bool inside;
};

struct model {
	struct node nodes[MOST];
	unsigned n, statics[STATICS], id_size;
	/* the path of each object; n == 0: no path was found yet */
	struct path paths[MOST];
};

static uint64_t seed;

static unsigned
pick(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

/* --- make a random dump ---------------------------------------------- */

static unsigned
some(const struct model *m)
{
	return pick(4) == 0 ? 0 : FIRST + pick(m->n - FIRST);
}

static void
make_model(struct model *m)
{
	static const unsigned most[] = {0, 0, 2, 1, 1, REFERENCES};

	memset(m, 0, sizeof(*m));
	m->id_size = pick(2) ? 4 : 8;
	m->n = FIRST + 2 + pick(MOST - FIRST - 2);
	for (unsigned i = FIRST; i < m->n; i++) {
		struct node *x = &m->nodes[i];

		x->shape = (enum shape)(A + pick(4));
		x->nto = x->shape == ARRAY ? pick(REFERENCES) : most[x->shape];
		for (unsigned k = 0; k < x->nto; k++)
			x->to[k] = some(m);
		x->global = pick(8) == 0;
	}
	for (unsigned i = 0; i < STATICS; i++)
		m->statics[i] = some(m);
}

/*
 * Returns the id of object @i. Each graph is written twice; @turn (0 or 1)
 * selects the order of the ids, and of the objects in the file.
 */
static uint64_t
id_of(unsigned i, unsigned turn)
{
	return i == 0 ? 0 : 0x10000 + 16 * (uint64_t)(i * (turn ? 7 : 13) % 64);
}

static void
write_class(struct b *b, unsigned i, const struct model *m, unsigned turn)
{
	const struct b_class c = {.id = 0x1000 + 16 * (uint64_t)i,
				  .super = i == OBJECT ? 0 : 0x1000,
				  .size = B_AUTO};

	b_class(b, &c);
	for (unsigned k = 0; i == HOLDER && k < STATICS; k++)
		b_static(b, b_intern(b, k ? "t" : "s"), B_OBJECT,
			 id_of(m->statics[k], turn));
	if (i == A)
		b_field(b, b_intern(b, "x"), B_OBJECT);
	if (i == A || i == B)
		b_field(b, b_intern(b, "y"), B_OBJECT);
	if (i == LIST)
		b_field(b, b_intern(b, "elementData"), B_OBJECT);
	b_class_end(b);
}

static void
write_node(struct b *b, const struct model *m, unsigned i, unsigned turn)
{
	const struct node *x = &m->nodes[i];
	uint64_t ids[REFERENCES], class_id = 0x1000 + 16 * (uint64_t)x->shape;

	for (unsigned k = 0; k < x->nto; k++)
		ids[k] = id_of(x->to[k], turn);
	if (x->shape == ARRAY) {
		b_object_array(b, id_of(i, turn), class_id, x->nto, ids);
		return;
	}
	b_instance(b, id_of(i, turn), class_id);
	for (unsigned k = 0; k < x->nto; k++)
		b_value(b, B_OBJECT, ids[k]);
	b_instance_end(b);
}

static void
write_dump(struct b *b, const struct model *m, unsigned turn)
{
	static const char *const fields[] = {"s", "t", "x", "y", "elementData"};

	b_init(b, m->id_size);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	for (unsigned i = 0; i < HP_ARRAY_LEN(fields); i++)
		b_intern(b, fields[i]);
	for (unsigned i = 0; i < FIRST; i++)
		b_load_class(b, i + 1, 0x1000 + 16 * (uint64_t)i, 0,
			     b_intern(b, raw_names[i]));
	b_segment(b);
	for (unsigned i = 0; i < FIRST; i++) {
		b_root_sticky_class(b, 0x1000 + 16 * (uint64_t)i);
		write_class(b, i, m, turn);
	}
	for (unsigned k = FIRST; k < m->n; k++) {
		unsigned i = turn ? m->n - 1 - (k - FIRST) : k;

		if (m->nodes[i].global)
			b_root_jni_global(b, id_of(i, turn), 1);
		write_node(b, m, i, turn);
	}
	b_close(b);
	b_heap_dump_end(b);
}

/* --- brute force: compute the expected paths ------------------------- */

static int
compare_steps(const struct step *a, const struct step *b)
{
	int c = (int)a->kind - (int)b->kind;

	c = c ? c : strcmp(a->via, b->via);
	return c ? c : strcmp(a->class_name, b->class_name);
}

static int
compare_paths(const struct path *a, const struct path *b)
{
	int c = 0;

	for (unsigned i = 0; c == 0 && i < a->n && i < b->n; i++)
		c = compare_steps(&a->steps[i], &b->steps[i]);
	return c ? c : (int)a->n - (int)b->n;
}

static const char *
via_of(const struct node *x, unsigned k)
{
	if (x->shape == ARRAY)
		return "[*]";
	if (x->shape == LIST)
		return ".elementData";
	return x->shape == A && k == 0 ? ".x" : ".y";
}

/*
 * Whether the object @to, to which @from refers, is a part of @from: the
 * internal array of a list, or the next node of a linked list. A path does not
 * show the references to parts.
 */
static bool
is_part(const struct model *m, unsigned from, unsigned to, bool *inside)
{
	const struct node *x = &m->nodes[from];

	*inside = x->shape == LIST;
	return *inside ||
	       (x->shape == m->nodes[to].shape && !m->paths[from].inside);
}

/*
 * A reference that could be the last one of a path, with the data by which such
 * references are compared.
 */
struct choice {
	unsigned from, k;
	bool inside;
};

static bool
is_better(const struct model *m, const struct choice *a, const struct choice *b)
{
	const struct node *x = &m->nodes[a->from], *y = &m->nodes[b->from];
	int c = compare_paths(&m->paths[a->from], &m->paths[b->from]);

	c = c ? c : strcmp(names[x->shape], names[y->shape]);
	return (c ? c : strcmp(via_of(x, a->k), via_of(y, b->k))) < 0;
}

/*
 * Find the best reference for the end of the path to @to. It must come from an
 * object whose path was found in an earlier round. Returns false if there is no
 * such reference.
 */
static bool
find_best(const struct model *m, unsigned to, unsigned level, unsigned round,
	  bool parts, struct choice *best)
{
	bool found = false;

	for (unsigned i = FIRST; i < m->n; i++) {
		const struct path *p = &m->paths[i];

		if (p->n == 0 || p->level != (parts ? level : level - 1) ||
		    (parts && p->round != round - 1))
			continue;
		for (unsigned k = 0; k < m->nodes[i].nto; k++) {
			struct choice c = {.from = i, .k = k};

			if (m->nodes[i].to[k] != to ||
			    is_part(m, i, to, &c.inside) != parts)
				continue;
			if (!found || is_better(m, &c, best))
				*best = c;
			found = true;
		}
	}
	return found;
}

static void
extend(struct model *m, unsigned to, const struct choice *c, bool part)
{
	struct path *p = &m->paths[to];

	*p = m->paths[c->from];
	p->inside = part && c->inside;
	if (!part)
		p->steps[p->n++] = (struct step){
			HP_PATH_FIELD, via_of(&m->nodes[c->from], c->k),
			names[m->nodes[to].shape]};
}

static void
begin(struct model *m, unsigned to, unsigned kind, const char *via)
{
	struct path p = {.n = 1};

	p.steps[0] = (struct step){kind, via, names[m->nodes[to].shape]};
	if (m->paths[to].n == 0 || compare_paths(&p, &m->paths[to]) < 0)
		m->paths[to] = p;
}

/*
 * Find the paths that are one reference longer than those found so far. All
 * references are chosen before a path is stored. Returns whether a new path was
 * found.
 */
static bool
take_turn(struct model *m, unsigned level, unsigned round, bool parts)
{
	struct choice best[MOST];
	bool found[MOST] = {0}, any = false;

	for (unsigned i = FIRST; i < m->n; i++)
		found[i] = m->paths[i].n == 0 &&
			   find_best(m, i, level, round, parts, &best[i]);
	for (unsigned i = FIRST; i < m->n; i++)
		if (found[i]) {
			extend(m, i, &best[i], parts);
			m->paths[i].level = level;
			m->paths[i].round = round;
			any = true;
		}
	return any;
}

static void
solve(struct model *m)
{
	for (unsigned i = FIRST; i < m->n; i++)
		if (m->nodes[i].global)
			begin(m, i, HP_PATH_JNI_GLOBAL, "JNI global");
	for (unsigned i = 0; i < STATICS; i++)
		if (m->statics[i])
			begin(m, m->statics[i], HP_PATH_STATIC,
			      i ? "Holder.t (static)" : "Holder.s (static)");
	for (unsigned level = 0; level < MOST; level++) {
		if (level > 0)
			take_turn(m, level, 0, false);
		for (unsigned round = 1; take_turn(m, level, round, true);)
			round++;
	}
}

static void
write_text(const struct path *p, struct hp_buf *b)
{
	for (unsigned i = 0; i < p->n; i++)
		hp_buf_printf(b, "%s%s%s", p->steps[i].via,
			      p->steps[i].kind == HP_PATH_JNI_GLOBAL
				      ? " "
				      : " \u2192 ",
			      p->steps[i].class_name);
}

/* --- compare with the paths of the program --------------------------- */

struct reader {
	struct hp_histogram_options gathering;
	struct hp_histogram gather;
	struct hp_diff_options options;
	struct hp_retained t;
	struct hp_path_walk walk;
	struct hp_path_tree tree;
	struct hp_source *src;
};

static enum hp_status
read_dump(struct reader *r, const struct b *b, unsigned threads)
{
	const struct hp_source_options reading = {.threads = 1};
	struct hp_dump_info info = {
		.layout = {HP_SIZE_MODEL_HOTSPOT, 4, 12, 16, 8, "test"}};
	struct hp_keys keys = {.g = &r->gather, .o = &r->options};
	int fd = memfd_create("dump", MFD_CLOEXEC);
	enum hp_status st;

	memset(r, 0, sizeof(*r));
	r->gathering =
		(struct hp_histogram_options){.threads = threads, .dump = 1};
	must(fd >= 0 && b_write_fd(b, fd) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	must(hp_source_open_fd(&r->src, fd, "dump", &reading, NULL) == HP_OK);
	must(hp_histogram_run(&r->gather, r->src, &r->gathering, NULL) ==
	     HP_OK);
	must(hp_path_tree_init(&r->tree, 1, NULL) == HP_OK);
	st = hp_retained_read(&r->t, &r->gather, r->src, &r->options, true,
			      true, &info, NULL);
	if (st == HP_OK)
		st = hp_path_walk_run(&r->walk, &r->t, &keys, r->src, &r->tree,
				      (struct hp_path_wanted){0}, NULL);
	if (st == HP_OK)
		st = hp_path_sums_add(&r->walk, &r->t, &r->tree, 0, NULL,
				      HP_NO_NODE, NULL);
	hp_keys_release(&keys);
	return st;
}

static void
release(struct reader *r)
{
	hp_path_walk_release(&r->walk);
	hp_path_tree_release(&r->tree);
	hp_retained_release(&r->t);
	hp_histogram_release(&r->gather);
	hp_source_close(r->src);
}

static uint32_t
step_of(const struct reader *r, uint64_t id)
{
	struct hp_rank_near near = {0};
	uint32_t node = hp_node_of(&r->t.graph.nodes, &near, id);

	return hp_is_reached(&r->walk.reached, node)
		       ? hp_path_step_of(&r->walk, node)
		       : 0;
}

static void
compare(const struct reader *r, const struct model *m, unsigned turn)
{
	struct hp_buf want = {0}, got = {0};
	uint64_t sum = 0;

	for (unsigned i = FIRST; i < m->n; i++) {
		hp_buf_clear(&want);
		hp_buf_clear(&got);
		write_text(&m->paths[i], &want);
		hp_path_text(&r->tree, step_of(r, id_of(i, turn)), &got);
		ck_assert_msg(
			want.len == got.len &&
				(want.len == 0 ||
				 memcmp(want.data, got.data, got.len) == 0),
			"want %s, got %s", hp_buf_string(&want),
			hp_buf_string(&got));
	}
	for (uint32_t i = 1; i < r->tree.count; i++)
		sum += hp_path_sum_of(&r->tree, 0, i).count;
	must(sum == r->t.tree.reachable.objects);
	hp_buf_release(&want);
	hp_buf_release(&got);
}

/*
 * Test a search that ends when the path of one chosen object is known. It must
 * find the same path as a complete search.
 */
static void
compare_wanted(struct reader *r, const struct model *m, unsigned turn)
{
	uint64_t id = id_of(FIRST + pick(m->n - FIRST), turn);
	struct hp_buf want = {0}, got = {0};
	struct hp_keys keys = {.g = &r->gather, .o = &r->options};
	struct hp_path_tree tree;
	struct hp_path_walk walk;
	struct hp_rank_near near = {0};
	uint32_t node = hp_node_of(&r->t.graph.nodes, &near, id);
	const struct hp_path_wanted wanted = {&node, 1};

	if (!hp_is_reached(&r->walk.reached, node))
		return;
	must(hp_path_tree_init(&tree, 1, NULL) == HP_OK);
	must(hp_path_walk_run(&walk, &r->t, &keys, r->src, &tree, wanted,
			      NULL) == HP_OK);
	hp_path_text(&r->tree, step_of(r, id), &want);
	hp_path_text(&tree, hp_path_step_of(&walk, node), &got);
	ck_assert_str_eq(hp_buf_string(&want), hp_buf_string(&got));
	hp_path_walk_release(&walk);
	hp_path_tree_release(&tree);
	hp_keys_release(&keys);
	hp_buf_release(&want);
	hp_buf_release(&got);
}

enum { PARTS = 10, ROUNDS = (HP_TSAN ? 30 : 300) };

/*
 * Test ROUNDS random graphs. The test runs several times, each time with other
 * graphs.
 */
START_TEST(brute_force)
{
	unsigned from = (unsigned)_i * ROUNDS;
	struct reader r;
	struct model m;
	struct b b;

	for (unsigned i = from; i < from + ROUNDS; i++) {
		seed = i + 1;
		make_model(&m);
		solve(&m);
		for (unsigned turn = 0; turn < 2; turn++) {
			write_dump(&b, &m, turn);
			must(read_dump(&r, &b, 1 + (i + turn) % 3) == HP_OK);
			compare(&r, &m, turn);
			compare_wanted(&r, &m, turn);
			release(&r);
			b_release(&b);
		}
	}
}
END_TEST

Suite *test_paths_suite(void);

Suite *
test_paths_suite(void)
{
	Suite *s = suite_create("paths");
	TCase *t = tcase_create("paths"), *q = quick_case(s, 60);

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(q, brute_force, 0, 2);
	tcase_add_loop_test(t, brute_force, 2, PARTS);
	suite_add_tcase(s, t);
	return s;
}
