/*
 * progress.c - the line that shows the progress, and the thread that updates it
 *
 * There are two locks. The mutex protects the callback, its context and the
 * label. The lock of the FILE protects the output on the terminal, so that a
 * message and the progress line never mix. If a thread takes both, it takes the
 * mutex first.
 */
#include "common/cli/message.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "common/base/memory.h"
#include "common/base/threads.h"
#include "common/cli/escape.h"
#include "common/cli/quantity.h"
#include "common/io/source.h"

/* --progress=auto shows nothing during the first second (in milliseconds) */
#define HP_PROGRESS_DELAY_MS 1000
/* milliseconds between two updates on a terminal */
#define HP_PROGRESS_TICK_MS 250
/*
 * maximum number of milliseconds between two lines if the output is not a
 * terminal
 */
#define HP_PROGRESS_LINE_MS 60000
#define HP_PROGRESS_LABEL 1024 /* maximum bytes of a label */

struct hp_progress {
	FILE *file;
	const char *program;
	/*
	 * the output is a terminal on which the line can be rewritten in place
	 */
	bool live;
	/* number of milliseconds until the progress line is first shown */
	uint64_t first;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	/* The mutex protects this member and the next four members. */
	hp_progress_fn *fn;
	void *context;
	struct hp_buf label;
	uint64_t began_ms;
	bool stop;
	/*
	 * Incremented when hp_progress_watch() sets another callback. A line
	 * that was built before this change is then not shown any more.
	 */
	atomic_uint generation;
	/*
	 * The progress line is on the terminal. Protected by the lock of the
	 * FILE; atomic only because race detectors do not know this lock.
	 */
	atomic_bool shown;
};

static uint64_t
now_ms(void)
{
	return hp_elapsed_begin() / 1000000;
}

static void
add_time(struct hp_buf *b, uint64_t seconds)
{
	unsigned long long hours = seconds / 3600;
	unsigned minutes = (unsigned)(seconds / 60 % 60);

	if (hours != 0)
		hp_buf_printf(b, "%llu:%02u", hours, minutes);
	else
		hp_buf_printf(b, "%u", minutes);
	hp_buf_printf(b, ":%02u left", (unsigned)(seconds % 60));
}

static void
add_figures(struct hp_buf *b, uint64_t taken, uint64_t total,
	    uint64_t elapsed_ms)
{
	hp_size_text(b, taken);
	if (total != 0) {
		double share = (double)taken / (double)total;
		hp_buf_text(b, " of ");
		hp_size_text(b, total);
		hp_buf_printf(b, ", %u %%",
			      share < 1 ? (unsigned)(share * 100) : 100);
	}
	if (elapsed_ms == 0 || taken == 0)
		return;
	double rate = (double)taken * 1000 / (double)elapsed_ms;
	hp_buf_text(b, ", ");
	hp_size_text(b, rate < 1e18 ? (uint64_t)rate : UINT64_MAX);
	hp_buf_text(b, "/s");
	if (total <= taken)
		return;
	double left = (double)(total - taken) / rate;
	if (left < 1e6) {
		hp_buf_text(b, ", ");
		add_time(b, (uint64_t)(left + 0.5));
	}
}

void
hp_progress_line(struct hp_buf *b, const char *label, uint64_t taken,
		 uint64_t total, uint64_t elapsed_ms, size_t columns)
{
	struct hp_buf figures = {0};
	size_t len = label ? strlen(label) : 0;

	add_figures(&figures, taken, total, elapsed_ms);
	if (len != 0 && figures.len + 12 < columns) {
		size_t room = columns - figures.len - 2;
		if (hp_text_width(label, len) <= room) {
			hp_buf_add(b, label, len);
		} else {
			size_t tail = hp_text_tail(label, len, room - 1);
			hp_buf_text(b, "\u2026");
			hp_buf_add(b, label + tail, len - tail);
		}
		hp_buf_text(b, ": ");
	}
	hp_buf_add(b, figures.data,
		   figures.len < columns ? figures.len : columns);
	hp_buf_release(&figures);
}

/*
 * Build the progress line for the current progress. Returns false if there is
 * nothing to show. The caller holds the mutex.
 */
static bool
render_line(struct hp_progress *p, struct hp_buf *b)
{
	uint64_t taken = 0, total = 0;
	unsigned width = p->live ? hp_terminal_width(p->file) : 0;
	size_t columns = width ? width - 1 : 4096;
	size_t name = strlen(p->program) + 2;

	if (!p->fn)
		return false;
	p->fn(p->context, &taken, &total);
	if (!hp_buf_ok(b))
		hp_buf_release(b);
	hp_buf_clear(b);
	if (p->live)
		hp_buf_text(b, "\r\033[K");
	if (columns > name + 40) {
		hp_buf_printf(b, "%s: ", p->program);
		columns -= name;
	}
	hp_progress_line(b, hp_buf_string(&p->label), taken, total,
			 now_ms() - p->began_ms, columns);
	if (!p->live)
		hp_buf_byte(b, '\n');
	return true;
}

/*
 * Show the line in @b. @generation: the value of p->generation when the line
 * was built. If hp_progress_watch() was called since then, the two differ, and
 * the line is not shown.
 */
static void
show_line(struct hp_progress *p, struct hp_buf *b, unsigned generation)
{
	flockfile(p->file);
	if (atomic_load(&p->generation) == generation &&
	    hp_buf_flush(b, p->file, NULL) == HP_OK) {
		p->shown = p->live;
		fflush(p->file);
	}
	funlockfile(p->file);
}

/*
 * Wait until @ms milliseconds have passed, or until the progress thread must
 * stop. Returns true if it must stop. The caller holds the mutex.
 */
static bool
wait_until_stopped(struct hp_progress *p, uint64_t ms)
{
	uint64_t until_ms = now_ms() + ms;
	struct timespec until = {
		.tv_sec = (time_t)(until_ms / 1000),
		.tv_nsec = (long)(until_ms % 1000) * 1000000,
	};

	while (!p->stop) {
		if (pthread_cond_timedwait(&p->wake, &p->mutex, &until) ==
		    ETIMEDOUT)
			break;
	}
	return p->stop;
}

static void *
progress_main(void *argument)
{
	struct hp_progress *p = argument;
	struct hp_buf b = {0};
	uint64_t wait_ms = p->first;

	pthread_mutex_lock(&p->mutex);
	while (!wait_until_stopped(p, wait_ms)) {
		bool any = render_line(p, &b);
		unsigned generation = atomic_load(&p->generation);
		pthread_mutex_unlock(&p->mutex);
		if (any)
			show_line(p, &b, generation);
		if (p->live)
			wait_ms = HP_PROGRESS_TICK_MS;
		else if (wait_ms < HP_PROGRESS_LINE_MS / 2)
			wait_ms *= 2;
		pthread_mutex_lock(&p->mutex);
	}
	pthread_mutex_unlock(&p->mutex);
	hp_buf_release(&b);
	return NULL;
}

static void
progress_free(struct hp_progress *p)
{
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->mutex);
	hp_buf_release(&p->label);
	hp_free(p);
}

struct hp_progress *
hp_progress_start(enum hp_when when, FILE *file, const char *program)
{
	bool live = hp_terminal_live(file);
	pthread_condattr_t attr;

	if (when == HP_NEVER || (when == HP_AUTO && !live))
		return NULL;
	struct hp_progress *p = hp_calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->file = file;
	p->program = program;
	p->live = live;
	p->first = when == HP_AUTO || !live ? HP_PROGRESS_DELAY_MS
					    : HP_PROGRESS_TICK_MS;
	pthread_mutex_init(&p->mutex, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (hp_thread_start(&p->thread, progress_main, p, NULL) == HP_OK)
		return p;
	progress_free(p);
	return NULL;
}

void
hp_progress_watch(struct hp_progress *p, hp_progress_fn *fn, void *context,
		  const char *label)
{
	struct hp_buf last = {0};

	if (!p)
		return;
	pthread_mutex_lock(&p->mutex);
	/*
	 * If the output is no terminal, all progress lines stay visible. So
	 * print a last line for the previous callback.
	 */
	if (!p->live && render_line(p, &last))
		show_line(p, &last, atomic_load(&p->generation));
	p->fn = fn;
	p->context = context;
	p->began_ms = now_ms();
	if (!hp_buf_ok(&p->label))
		hp_buf_release(&p->label);
	hp_buf_clear(&p->label);
	if (label)
		hp_text_clean_cut(&p->label, label, strlen(label),
				  HP_PROGRESS_LABEL);
	atomic_fetch_add(&p->generation, 1);
	pthread_mutex_unlock(&p->mutex);
	hp_progress_clear(p);
	hp_buf_release(&last);
}

static void
read_progress(void *source, uint64_t *taken, uint64_t *total)
{
	hp_source_progress(source, taken, total);
}

void
hp_progress_watch_source(struct hp_progress *p, struct hp_source *source,
			 const char *label)
{
	hp_progress_watch(p, read_progress, source, label);
}

void
hp_progress_clear(struct hp_progress *p)
{
	if (!p)
		return;
	flockfile(p->file);
	if (p->shown) {
		fputs("\r\033[K", p->file);
		fflush(p->file);
		p->shown = false;
	}
	funlockfile(p->file);
}

void
hp_progress_stop(struct hp_progress *p)
{
	if (!p)
		return;
	hp_progress_watch(p, NULL, NULL, NULL);
	pthread_mutex_lock(&p->mutex);
	p->stop = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->mutex);
	pthread_join(p->thread, NULL);
	hp_progress_clear(p);
	progress_free(p);
}
