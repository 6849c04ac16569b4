/* answer.c - compute the numbers that the first lines of a report show */
#include "diff/result/answer.h"

#include <inttypes.h>
#include <string.h>

/*
 * A forecast looks ahead by at most this many times the time between the first
 * and the last dump: a line through dumps of one minute says nothing about the
 * next year.
 */
enum { FORECAST_RANGES = 1000 };

static void
set_sizes(struct hp_answer_sizes *s, uint64_t first, uint64_t last)
{
	s->first = first;
	s->last = last;
	s->growth = hp_growth(first, last);
}

/*
 * Say that objects are missing in a dump. Whether a dump has roots is known
 * only if its object graph was built.
 */
static const char *
find_incomplete(const struct hp_result *r)
{
	bool partial = false;

	for (size_t i = 0; i < r->ndumps; i++) {
		if (r->dumps[i].unrooted)
			return "a dump is incomplete, because it has no roots: "
			       "too few objects count as kept alive, and "
			       "owners may be missing";
		partial |= r->dumps[i].partial;
	}
	if (!partial)
		return NULL;
	if (hp_key_is(r->by, HP_KEY_EVENTS))
		return "a dump is incomplete, because it is damaged: events "
		       "of the lost part are missing";
	return r->rows.retained
		       ? "a dump is incomplete, because it is damaged: objects "
			 "of the lost part are missing, and retained sizes "
			 "may be wrong"
		       : "a dump is incomplete, because it is damaged: objects "
			 "of the lost part are missing";
}

/* Whether a part of the heap has a share in what suspects explain. */
static bool
counts(const struct hp_answer *a, const struct hp_answer_sizes *s)
{
	return a->compared ? s->growth != 0 : s->last > 0;
}

/*
 * Name what suspects explain, or its growth, with all parts that it has besides
 * the reachable objects.
 */
static const char *
explained_text(bool growth, bool queue, bool native)
{
#define GROWTH "the growth of "
#define KEPT "what is kept alive"
#define QUEUE ", with the finalizer queue"
#define NATIVE ", with memory outside the heap"
#define BOTH ", with the finalizer queue and memory outside the heap"
	static const char *const texts[2][2][2] = {
		{{KEPT, KEPT NATIVE}, {KEPT QUEUE, KEPT BOTH}},
		{{GROWTH KEPT, GROWTH KEPT NATIVE},
		 {GROWTH KEPT QUEUE, GROWTH KEPT BOTH}}};
#undef GROWTH
#undef KEPT
#undef QUEUE
#undef NATIVE
#undef BOTH

	return texts[growth][queue][native];
}

const char *
hp_answer_kept_of(const struct hp_dump_info *d)
{
	return explained_text(false, d->waiting.bytes > 0, false);
}

static const char *
find_missing(const struct hp_result *r)
{
	if (r->no_graph)
		return r->no_graph;
	if (hp_key_is(r->by, HP_KEY_EVENTS))
		return "what is kept alive is not known: this report counts "
		       "events, not objects";
	if (r->rows.retained) {
		if (r->suspects_sought || r->options->why)
			return NULL;
		return r->dumps[0].saved || r->dumps[r->ndumps - 1].saved
			       ? "what grew is known only for each class, "
				 "because a saved result has no object graph"
			       : "what is kept alive is not known: the classes "
				 "of a dump are missing";
	}
	if (hp_key_is(r->by, HP_KEY_PARTS_OF_HEAP))
		/*
		 * Reports about waste do not show the numbers that need an
		 * object graph. So none of their numbers is missing.
		 */
		return NULL;
	if (hp_key_is(r->by, HP_KEY_OVERLAPS))
		return "what is kept alive is not known: these rows are "
		       "counted without an object graph; run hprof-diff "
		       "without --by";
	return r->options->quick
		       ? "what is kept alive, and whether roots are missing, "
			 "is not known: --quick builds no object graph"
		       : "what is kept alive, and whether roots are missing, "
			 "is not known; --retained builds the object graph";
}

void
hp_answer_find_order(struct hp_answer *a, const struct hp_result *r)
{
	const struct hp_dump_info *before = NULL;

	a->newer = a->older = NULL;
	for (size_t i = 0; i < r->ndumps && !a->older; i++) {
		const struct hp_dump_info *d = &r->dumps[i];

		if (!d->timestamp_ms)
			continue;
		if (before && d->timestamp_ms < before->timestamp_ms) {
			a->newer = before;
			a->older = d;
		}
		before = d;
	}
}

static uint64_t
rest_of(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

struct hp_graph_sum
hp_answer_weak(const struct hp_dump_info *d)
{
	struct hp_graph_sum weak = d->weak;

	weak.objects = rest_of(weak.objects, d->waiting.objects);
	weak.bytes = rest_of(weak.bytes, d->waiting.bytes);
	return weak;
}

void
hp_answer_find(struct hp_answer *a, const struct hp_result *r)
{
	const struct hp_dump_info *x = &r->dumps[0];
	const struct hp_dump_info *y = &r->dumps[r->ndumps - 1];

	*a = (struct hp_answer){.compared = r->ndumps > 1};
	a->of_objects = !hp_key_is(r->by, HP_KEY_EVENTS);
	a->of_graph = a->of_objects && r->rows.retained;
	if (a->of_objects)
		set_sizes(&a->heap, x->bytes, y->bytes);
	if (a->of_graph) {
		set_sizes(&a->kept, x->reachable.bytes, y->reachable.bytes);
		set_sizes(&a->queue, x->waiting.bytes, y->waiting.bytes);
		set_sizes(&a->weak, hp_answer_weak(x).bytes,
			  hp_answer_weak(y).bytes);
		set_sizes(&a->hidden, x->hidden.bytes, y->hidden.bytes);
		set_sizes(&a->garbage, x->unreachable.bytes,
			  y->unreachable.bytes);
		set_sizes(&a->native, x->reachable_native, y->reachable_native);
		set_sizes(&a->explained,
			  hp_answer_kept(x) + x->reachable_native,
			  hp_answer_kept(y) + y->reachable_native);
	}
	a->explained_of = explained_text(a->compared, counts(a, &a->queue),
					 counts(a, &a->native));
	a->besides = a->explained_of +
		     strlen(explained_text(a->compared, false, false));
	if (x->timestamp_ms && y->timestamp_ms > x->timestamp_ms)
		a->apart_ms = y->timestamp_ms - x->timestamp_ms;
	hp_answer_find_order(a, r);
	a->incomplete = find_incomplete(r);
	a->missing = find_missing(r);
}

bool
hp_answer_share(const struct hp_answer *a, const struct hp_suspect *s,
		uint64_t *share)
{
	uint64_t part = hp_suspect_bytes(s, 1), whole = a->explained.last;

	if (a->compared) {
		int64_t growth = hp_growth(hp_suspect_bytes(s, 0),
					   hp_suspect_bytes(s, 1));

		if (!s->was_known || growth <= 0 || a->explained.growth <= 0)
			return false;
		part = (uint64_t)growth;
		whole = (uint64_t)a->explained.growth;
	}
	if (whole == 0)
		return false;
	/*
	 * Show at most 100 %. A suspect can grow by more bytes than the whole
	 * heap, if other objects became garbage at the same time.
	 */
	*share = hp_percent_of(part, whole);
	return true;
}

bool
hp_answer_forecast(const struct hp_answer *a, const struct hp_suspect *s,
		   struct hp_answer_forecast *f)
{
	const struct hp_suspect_evidence *e = &s->evidence;
	double dumps, hours;

	*f = (struct hp_answer_forecast){.bytes = 2 * a->heap.last};
	if (!a->compared || !e->is_linear || e->bytes_per_dump < 1 ||
	    a->heap.last == 0 || a->heap.last > UINT64_MAX / 2)
		return false;
	dumps = (double)a->heap.last / e->bytes_per_dump;
	if (dumps > (double)FORECAST_RANGES * e->steps)
		return false;
	hours = e->bytes_per_hour > 0 ? (double)a->heap.last / e->bytes_per_hour
				      : 0;
	f->ms = (uint64_t)(hours * 3600000);
	f->dumps = f->ms ? 0 : (uint64_t)(dumps + 0.999);
	return true;
}

void
hp_answer_duration(struct hp_buf *b, uint64_t ms)
{
	static const struct {
		uint64_t ms;
		const char *unit;
	} units[] = {{86400000, "days"},
		     {3600000, "h"},
		     {60000, "min"},
		     {1000, "s"}};
	size_t i = 0;

	if (ms < 2000) {
		uint64_t tenths = (ms + 50) / 100;

		hp_buf_printf(b, "%" PRIu64 ".%" PRIu64 " s", tenths / 10,
			      tenths % 10);
		return;
	}
	/*
	 * choose the largest unit in which the duration is at least 2; for
	 * example, show 90 min and not 1.5 h
	 */
	while (i + 1 < HP_ARRAY_LEN(units) && ms < 2 * units[i].ms)
		i++;
	hp_buf_printf(b, "%" PRIu64 " %s", (ms + units[i].ms / 2) / units[i].ms,
		      units[i].unit);
}
