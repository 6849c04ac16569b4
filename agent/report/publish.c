/* publish.c - make reports and write them to a file or socket */
#include "agent/report/publish.h"

#include "agent/report/monitor_dump.h"
#include "agent/report/net.h"
#include "agent/report/output.h"
#include "agent/report/vm_dump.h"

#include <sys/stat.h>
#include <unistd.h>

enum {
	/* maximum number of bytes of earlier reports that a file repeats */
	KEPT_MOST = 64 << 20,
	/* how many seconds to wait if another thread is making a report */
	PATIENCE_S = 10,
};

struct hp_agent_wish
hp_agent_wish_all(const struct hp_agent *a)
{
	return (struct hp_agent_wish){.sites = a->o.heap & HP_AGENT_HEAP_SITES,
				      .samples = a->o.cpu,
				      .times = a->o.times,
				      .waits = a->o.monitor,
				      .dump = a->o.heap & HP_AGENT_HEAP_DUMP,
				      .collect = a->o.heap != HP_AGENT_HEAP_OFF,
				      .cutoff = a->o.cutoff,
				      .flags = a->o.heap ? HP_AGENT_COLLECTED
							 : 0};
}

void
hp_agent_collect_garbage(struct hp_agent *a)
{
	jvmtiEnv *jvmti = a->jvmti;

	(*jvmti)->ForceGarbageCollection(jvmti);
	/*
	 * JDK 17 and later report freed objects with a delay. When the event is
	 * disabled, they report all these objects at once.
	 */
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE,
					   JVMTI_EVENT_OBJECT_FREE, NULL);
	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
					   JVMTI_EVENT_OBJECT_FREE, NULL);
}

static enum hp_status
gather(struct hp_agent *a, JNIEnv *jni, const struct hp_agent_wish *wish,
       struct hp_agent_report *r, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	*r = (struct hp_agent_report){.flags = wish->flags,
				      .cutoff = wish->cutoff,
				      .now_ms = hp_agent_now_ms(),
				      .time_us = hp_agent_time_us(a)};
	if (wish->sites)
		st = hp_agent_report_sites(r, a, err);
	if (st == HP_OK && wish->samples)
		st = hp_agent_report_samples(r, a, err);
	if (st == HP_OK && wish->times)
		st = hp_agent_report_times(r, a, err);
	if (st == HP_OK && wish->waits)
		st = hp_agent_report_waits(r, a, err);
	if (st == HP_OK && wish->waits && jni)
		st = hp_agent_dump_monitors(a, jni, &r->monitor_dump, err);
	return st;
}

static enum hp_status
write_reports(struct hp_agent *a, struct hp_agent_writer *w,
	      const struct hp_agent_report *r, struct hp_error *err)
{
	const struct hp_agent_format *f = hp_agent_format_of(a);
	enum hp_status st;
	size_t before;

	f->header(w);
	st = f->tables(w, err);
	if (st == HP_OK)
		hp_buf_add(&w->out, a->reports.data, a->reports.len);
	if (st == HP_OK)
		st = hp_agent_writer_flush(w, 0, err);
	if (st != HP_OK)
		return st;
	before = w->out.len;
	w->carried = a->carried;
	hp_agent_write_report(f, w, r);
	/*
	 * with cpu=old, a file contains only one report, which includes the
	 * earlier ones
	 */
	if (a->reports.len + w->out.len < KEPT_MOST && hp_buf_ok(&w->out) &&
	    !a->o.old) {
		hp_buf_add(&a->reports, w->out.data + before,
			   w->out.len - before);
		a->carried = w->carried;
	}
	return hp_agent_writer_flush(w, 0, err);
}

/*
 * Write the file of a report. The file gets its final name when the report is
 * complete.
 * @dump: descriptor of the heap dump to include; -1: none.
 */
static enum hp_status
write_file(struct hp_agent *a, const struct hp_agent_report *r, int dump,
	   struct hp_agent_output *out, struct hp_error *err)
{
	struct hp_agent_writer w = {.a = a,
				    .id_size = hp_agent_id_size(a),
				    .within = dump >= 0,
				    .put = hp_agent_output_put,
				    .ctx = out};
	enum hp_status st = HP_OK;

	if (dump >= 0)
		st = hp_agent_dump_head(dump, w.put, out, err);
	if (st == HP_OK)
		st = write_reports(a, &w, r, err);
	if (st == HP_OK && dump >= 0)
		st = hp_agent_dump_rest(dump, w.put, out, err);
	hp_buf_release(&w.out);
	return st == HP_OK ? hp_agent_output_commit(out, err) : st;
}

static void
say_written(const struct hp_agent *a, const struct hp_agent_report *r,
	    const char *path)
{
	if (!a->o.verbose)
		return;
	if (a->o.times)
		hp_agent_say("wrote %s (%zu rows of methods, %zu sites, %zu "
			     "rows of monitors)",
			     path, r->ncalls, r->nsites, r->nwaits);
	else
		hp_agent_say("wrote %s (%zu sites, %zu rows of samples, %zu of "
			     "monitors)",
			     path, r->nsites, r->nsamples, r->nwaits);
	if (a->samples_unknown)
		hp_agent_say("%llu CPU samples have no stack, because the "
			     "agent never saw their threads run",
			     (unsigned long long)a->samples_unknown);
	if (atomic_load(&a->calls_lost))
		hp_agent_say("%llu calls were not counted: out of memory",
			     (unsigned long long)atomic_load(&a->calls_lost));
	if (atomic_load(&a->sites.lost))
		hp_agent_say("%llu objects were not counted: out of memory",
			     (unsigned long long)atomic_load(&a->sites.lost));
}

/*
 * Let the JVM write its heap dump if @wish requests one. This can fail, for
 * example if the heap is full. Then the report is written without a heap dump.
 */
static enum hp_status
take_dump(struct hp_agent *a, JNIEnv *jni, const struct hp_agent_wish *wish,
	  const char *path, int *dump, struct hp_error *err)
{
	enum hp_status st;

	if (!wish->dump)
		return HP_OK;
	st = jni ? hp_agent_dump(a, jni, path, dump, err)
		 : hp_fail(err, HP_UNSUPPORTED,
			   "the VM has ended, so it writes no heap dump");
	if (st == HP_OK ||
	    !(wish->sites || wish->samples || wish->times || wish->waits))
		return st;
	hp_agent_say("%s", err->text);
	*err = (struct hp_error){0};
	return HP_OK;
}

/*
 * Whether another process has written the file at @path since this JVM, or the
 * JVM that started it, began to run. A process inherits the options of the JVM
 * that has started it, so it writes to the same path.
 */
static bool
is_of_other(const struct hp_agent *a, const char *path)
{
	struct stat sb;

	return stat(path, &sb) == 0 && S_ISREG(sb.st_mode) &&
	       (uint64_t)sb.st_mtim.tv_sec * 1000 +
			       (uint64_t)sb.st_mtim.tv_nsec / 1000000 >
		       a->parents_ms &&
	       (a->written[0] != sb.st_dev || a->written[1] != sb.st_ino);
}

/*
 * Returns the path for the report; NULL if out of memory. If the file belongs
 * to another process, the process id is appended to the path. The caller frees
 * the path.
 */
static char *
choose_path(const struct hp_agent *a)
{
	char *path = hp_agent_path(a->o.file);
	struct hp_buf b = {0};

	if (!path || !a->o.force || !is_of_other(a, path))
		return path;
	hp_buf_text(&b, path);
	hp_buf_byte(&b, '.');
	hp_buf_i64(&b, getpid());
	hp_agent_say("another process has written %s: the report is in %s.%ld",
		     path, path, (long)getpid());
	free(path);
	return hp_buf_take(&b);
}

/*
 * Remember the device and inode number of the report's file, which the next
 * report may replace.
 */
static void
remember_file(struct hp_agent *a, const char *path)
{
	struct stat sb;

	if (stat(path, &sb) != 0)
		return;
	a->written[0] = sb.st_dev;
	a->written[1] = sb.st_ino;
}

static enum hp_status
publish_file(struct hp_agent *a, JNIEnv *jni, const struct hp_agent_wish *wish,
	     struct hp_agent_report *r, struct hp_error *err)
{
	struct hp_agent_output out = {.fd = -1};
	char *path = choose_path(a);
	enum hp_status st;
	int dump = -1;

	st = path ? hp_agent_output_open(&out, path, a->o.force, err)
		  : hp_no_memory(err);
	if (st == HP_OK)
		st = take_dump(a, jni, wish, path, &dump, err);
	/*
	 * do this after the heap dump is written, because the agent may add
	 * entries to its tables for the allocation traces in the dump
	 */
	if (st == HP_OK)
		st = gather(a, jni, wish, r, err);
	if (st == HP_OK)
		st = write_file(a, r, dump, &out, err);
	if (st == HP_OK) {
		remember_file(a, out.path);
		say_written(a, r, out.path);
	}
	if (dump >= 0)
		close(dump);
	hp_agent_output_release(&out);
	free(path);
	return st;
}

enum hp_status
hp_agent_publish_check(const struct hp_agent *a, struct hp_error *err)
{
	struct hp_agent_output out = {.fd = -1};
	char *path = hp_agent_path(a->o.file);
	enum hp_status st;

	st = path ? hp_agent_output_open(&out, path, a->o.force, err)
		  : hp_no_memory(err);
	hp_agent_output_release(&out);
	free(path);
	return st;
}

void
hp_agent_publish(struct hp_agent *a, JNIEnv *jni,
		 const struct hp_agent_wish *wish)
{
	struct hp_agent_report r = {0};
	struct hp_error err = {0};
	enum hp_status st = HP_OK;

	/*
	 * do not wait forever: a thread that the JVM has stopped at exit may
	 * hold the lock
	 */
	if (!hp_agent_lock_within(&a->reporting, PATIENCE_S)) {
		hp_agent_say("no report: the previous report is not finished");
		return;
	}
	if (jni && wish->collect)
		hp_agent_collect_garbage(a);
	if (a->net) {
		st = gather(a, jni, wish, &r, &err);
		if (st == HP_OK)
			st = hp_agent_net_report(a, jni, &r, wish->dump, &err);
	} else {
		st = publish_file(a, jni, wish, &r, &err);
	}
	if (st != HP_OK)
		hp_agent_say("no report: %s", err.text);
	hp_agent_report_release(&r);
	pthread_mutex_unlock(&a->reporting);
}
