/*
 * agent.h - the agent's state, which its callbacks share
 *
 * One agent a process: a second attach reaches the same one.
 */
#ifndef HP_AGENT_AGENT_H
#define HP_AGENT_AGENT_H

#include <jvmti.h>
#include <pthread.h>

#include "agent/options.h"
#include "agent/events/sites.h"
#include "common/base/buf.h"

/* A thread that started or ended, in the order of these events. */
struct hp_agent_event {
	uint32_t serial;
	uint32_t name, group, parent; /* strings; 0: unknown */
	bool end;
};

/* What is known of a thread. */
struct hp_agent_thread {
	uint32_t serial;
	uint32_t number;    /* its own, in the list */
	uint32_t next_free; /* of those that ended */
	bool late;	    /* it began when the agent was live */
	int64_t cpu_ns;	    /* when it was last looked at; 0: never */
	int64_t credit_ns;  /* not yet turned into samples */
	int64_t entered_ns; /* began to wait for a monitor; 0: does not */
	uint32_t enter_trace, enter_class;
};

/* Waiting for monitors of a class at a trace. */
struct hp_agent_wait {
	uint64_t hash;
	uint32_t class, trace;
	_Atomic uint64_t count, ns;
};

/* The report at exit: whoever moves it to WRITING writes it. */
enum hp_agent_exit_report {
	HP_AGENT_EXIT_NONE,
	HP_AGENT_EXIT_COLLECTING, /* the hook collects garbage */
	HP_AGENT_EXIT_WRITING,
	HP_AGENT_EXIT_DONE,
};

struct hp_agent_net;

struct hp_agent {
	JavaVM *vm;
	jvmtiEnv *jvmti;   /* events; tags of objects: site and size */
	jvmtiEnv *classes; /* tags of classes and threads: their numbers */
	jvmtiEnv *sampled; /* tag 1: has a site; NULL unless heap=dump|all */
	struct hp_agent_options o;
	uint64_t start_ms; /* when it was loaded, since 1970 */
	char version[64];  /* of the VM */

	pthread_mutex_t lock; /* of tables; never held over a call of the VM */
	struct hp_agent_tables tables;
	struct hp_agent_sites sites;
	uint32_t shutdown;	  /* the class of the VM that runs hooks */
	pthread_mutex_t tagging;  /* of threads; see threads.c */
	struct hp_chunks threads; /* struct hp_agent_thread */
	uint32_t free_thread;	  /* first of the list */
	uint32_t thread_holders;  /* that use records of other threads */
	uint32_t last_serial;
	struct hp_chunks events; /* struct hp_agent_event */
	struct hp_chunks waits;	 /* struct hp_agent_wait */
	struct hp_agent_index by_wait;

	pthread_mutex_t reporting; /* one report at a time */
	struct hp_buf reports;	   /* earlier ones, as they are written */
	uint32_t carried;	   /* strings in these that no table has */
	struct hp_agent_net *net;  /* NULL: reports go to a file */
	jclass traces_class;	   /* hprofagent.AllocationTraces */

	atomic_int in_flight;	/* callbacks that are running */
	atomic_int own_threads; /* of hp_agent_run_thread(), until they end */
	bool withdrawn;		/* the start failed; what it began is to end */
	atomic_bool live;	/* the start succeeded */
	atomic_bool closing;	/* callbacks do nothing any more */
	atomic_int exit_report; /* enum hp_agent_exit_report */
	atomic_bool cpu_on;	/* samples are taken */
	atomic_uint depth;	/* frames of a trace, which a command changes */
};

extern struct hp_agent hp_agent;

/*
 * A message on standard error: "hprof-agent: text", in the visible form of
 * common/cli/escape.h, since names of files may have any bytes.
 */
void hp_agent_say(const char *fmt, ...) HP_PRINTF(1, 2);

/* Microseconds since the agent was loaded, as records have them. */
uint32_t hp_agent_time_us(const struct hp_agent *a);
uint64_t hp_agent_now_ms(void);
int64_t hp_agent_now_ns(void);

/**
 * hp_agent_enter() - a callback begins
 *
 * Returns: false: the agent is closing, or this thread is in a callback of the
 *          agent already; then hp_agent_leave() is not to be called.
 */
bool hp_agent_enter(struct hp_agent *a);
void hp_agent_leave(struct hp_agent *a);

/*
 * From here on, or no longer, what this thread does is the agent's own work,
 * of which no callback tells; unlike hp_agent_enter() it goes on while closing.
 */
void hp_agent_set_inside(bool is);

/* No callback begins any more. false: one still runs, after 5 s. */
bool hp_agent_close(struct hp_agent *a);

/* Until nothing is counted any more. false: something is, after 5 s. */
bool hp_agent_await_none(atomic_int *count);

/* Take a lock that its holder may never give back. false: not in that time. */
bool hp_agent_lock_within(pthread_mutex_t *lock, int seconds);

/**
 * hp_agent_run_thread() - a daemon thread of the agent's own
 *
 * It begins with hp_agent_await_live(), and takes itself off own_threads at its
 * end.
 * Returns: HP_OK; HP_UNSUPPORTED: the VM refuses.
 */
HP_MUST_USE enum hp_status hp_agent_run_thread(struct hp_agent *a, JNIEnv *jni,
					       const char *name,
					       jvmtiStartFunction run,
					       struct hp_error *err);

/* Threads of the agent's own wait. false: the start failed, they are to end. */
bool hp_agent_await_live(struct hp_agent *a);

#endif
