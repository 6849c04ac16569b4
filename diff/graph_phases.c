/*
 * graph_phases.c - show in the progress line which phase of building the object
 * graph is running
 */
#include "diff/internal.h"

#include "common/cli/quantity.h"

static void
watch_phase(struct hp_graph_phases *p, hp_progress_fn *fn, const char *name)
{
	struct hp_buf label = {0};

	hp_buf_printf(&label, "%s: %s", p->path, name);
	if (fn)
		hp_progress_watch(p->progress, fn, p, hp_buf_string(&label));
	else
		hp_progress_watch_source(p->progress, p->src,
					 hp_buf_string(&label));
	hp_buf_release(&label);
}

/*
 * Estimate the progress of a phase that reads no data, from the time that the
 * phase has taken so far.
 */
static void
estimate_progress(void *context, uint64_t *taken, uint64_t *total)
{
	const struct hp_graph_phases *p = context;
	double done = (double)(hp_elapsed_begin() - p->begun) /
		      (double)(p->expected + 1);

	hp_source_progress(p->src, taken, total);
	*taken = (uint64_t)((double)*total * (done < 0.99 ? done : 0.99));
}

/*
 * Called when all references were read, before the dominator tree is built.
 * Building the tree takes about as long as reading the references did (measured
 * with heaps of 1 to 8 GB).
 */
static void
begin_tree(void *context)
{
	struct hp_graph_phases *p = context;
	uint64_t now = hp_elapsed_begin();

	p->expected = now - p->begun;
	p->begun = now;
	watch_phase(p, estimate_progress, "retained sizes");
}

void
hp_graph_phases_begin(struct hp_graph_phases *p, struct hp_progress *progress,
		      const char *path, struct hp_source *src,
		      struct hp_retained *t)
{
	*p = (struct hp_graph_phases){.progress = progress,
				      .path = path,
				      .src = src,
				      .begun = hp_elapsed_begin()};
	t->built = begin_tree;
	t->context = p;
	watch_phase(p, NULL, "references");
}
