/*
 * answer.h - the numbers on the first screen of a report
 *
 * The text report and the HTML page take these numbers from here and do not
 * compute them again. So all formats show the same numbers.
 */
#ifndef HP_DIFF_RESULT_ANSWER_H
#define HP_DIFF_RESULT_ANSWER_H

#include "diff/result/result.h"

/*
 * Two numbers of bytes: in the first and in the last dump. With one dump, both
 * are equal.
 */
struct hp_answer_sizes {
	uint64_t first, last;
	int64_t growth;
};

struct hp_answer {
	bool compared; /* there are several dumps, which are compared */
	/*
	 * the rows are objects and not events such as CPU samples, so the
	 * following sizes are known
	 */
	bool of_objects;
	/* the first and the last dump have an object graph */
	bool of_graph;
	struct hp_answer_sizes heap;
	/*
	 * The heap, divided into five parts. kept: the reachable objects;
	 * queue: those that only the finalizer queue keeps alive; weak: those
	 * that are otherwise reachable only through weak references; hidden:
	 * those that are kept alive only by fields that the dump does not list
	 * (common/graph/hidden_fields.h); garbage: the others. All five are 0
	 * if there is no object graph.
	 */
	struct hp_answer_sizes kept, queue, weak, hidden, garbage;
	/*
	 * the bytes that leak suspects can explain: those of reachable objects,
	 * those that the finalizer queue keeps alive, and those outside the
	 * heap that reachable objects own
	 */
	struct hp_answer_sizes explained;
	/*
	 * what the shares of suspects refer to: a text for `explained` or, with
	 * several dumps, for its growth
	 */
	const char *explained_of;
	/*
	 * the end of this text, which names the parts of `explained` other than
	 * `kept`: it begins with a comma, or is empty
	 */
	const char *besides;
	/* bytes outside the heap that reachable objects own */
	struct hp_answer_sizes native;
	/*
	 * time between the first and the last dump, in milliseconds; 0: not
	 * known
	 */
	uint64_t apart_ms;
	/*
	 * Two neighbouring dumps in the wrong order: @newer comes before @older
	 * on the command line, but was taken later. NULL: the dumps are in the
	 * order of their times, as far as the times are known.
	 */
	const struct hp_dump_info *newer, *older;
	/*
	 * A text that says that a dump is incomplete, and what this means for
	 * the numbers; NULL: nothing is known to be missing. Whether roots are
	 * missing is known only with an object graph.
	 */
	const char *incomplete;
	/*
	 * A text of whole sentences that says why some numbers of this struct
	 * are missing; NULL: none is missing.
	 */
	const char *missing;
};

/*
 * Returns the sum of the objects that are reachable only through weak
 * references, without those that the finalizer queue keeps alive.
 */
struct hp_graph_sum hp_answer_weak(const struct hp_dump_info *d);

void hp_answer_find(struct hp_answer *a, const struct hp_result *r);

/*
 * Returns the bytes of the objects of a dump that are reachable, or that the
 * finalizer queue keeps alive.
 */
static inline uint64_t
hp_answer_kept(const struct hp_dump_info *d)
{
	return d->reachable.bytes + d->waiting.bytes;
}

/*
 * Returns the name of hp_answer_kept(): "what is kept alive" or, if objects
 * wait for a finalizer, "what is kept alive, with the finalizer queue".
 */
const char *hp_answer_kept_of(const struct hp_dump_info *d);

/*
 * Find the share of a suspect in the growth of the reachable bytes or, with one
 * dump, in the reachable bytes. The unit is millionths of a percent. Returns
 * false if the share is not known, because the growth of the suspect is not
 * known or nothing has grown.
 */
bool hp_answer_share(const struct hp_answer *a, const struct hp_suspect *s,
		     uint64_t *share);

/*
 * A forecast: when the heap will have doubled, if a suspect keeps growing at
 * the same rate.
 */
struct hp_answer_forecast {
	/*
	 * size of the heap at that time in bytes: twice its size in the last
	 * dump
	 */
	uint64_t bytes;
	/*
	 * time in milliseconds from the last dump until the heap will have
	 * doubled; 0: the times of the dumps are not known
	 */
	uint64_t ms;
	/* if `ms` is 0: number of further dumps until the heap has doubled */
	uint64_t dumps;
};

/*
 * Compute when the heap will have doubled. Returns false if there is no
 * forecast: the sizes of the suspect in three or more dumps are not close to a
 * straight line, or the heap would double only after more than 1,000 times the
 * time between the first and the last dump.
 */
bool hp_answer_forecast(const struct hp_answer *a, const struct hp_suspect *s,
			struct hp_answer_forecast *f);

/*
 * Set a->newer and a->older. hp_answer_find() also does this. This function
 * needs only the times of the dumps.
 */
void hp_answer_find_order(struct hp_answer *a, const struct hp_result *r);

/* Append a duration in its largest unit: "3.6 s", "3 h", "2 days". */
void hp_answer_duration(struct hp_buf *b, uint64_t ms);

#endif
