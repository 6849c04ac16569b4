/*
 * agent.h - the state of the agent, which its callbacks share
 *
 * A process has one agent. A second attach uses the same agent.
 */
#ifndef HP_AGENT_AGENT_H
#define HP_AGENT_AGENT_H

#include <jvmti.h>
#include <pthread.h>

#include "agent/options.h"
#include "agent/events/sites.h"
#include "common/base/buf.h"

/*
 * The start or the end of a thread. The list is in the order of these events.
 */
struct hp_agent_event {
	uint32_t serial;
	/* numbers in the table of strings; 0: not known */
	uint32_t name, group, parent;
	bool end;
};

/* The state of a thread. */
struct hp_agent_thread {
	uint32_t serial;
	/* index of this thread in the agent's list of threads */
	uint32_t number;
	/* index of the next record in the list of free records */
	uint32_t next_free;
	bool late; /* the thread started after the agent became live */
	/*
	 * processor time of the thread when it was last checked; 0: not checked
	 * yet
	 */
	int64_t cpu_ns;
	/* processor time for which no sample was counted yet */
	int64_t credit_ns;
	/* when it began to wait for a monitor; 0: it does not wait */
	int64_t entered_ns;
	uint32_t enter_trace, enter_class;
};

/* Waiting times for monitors of a class at a trace. */
struct hp_agent_wait {
	uint64_t hash;
	uint32_t class, trace;
	_Atomic uint64_t count, ns;
};

/*
 * State of the report at exit. The thread that sets WRITING writes the report.
 */
enum hp_agent_exit_report {
	HP_AGENT_EXIT_NONE,
	/* the shutdown hook collects garbage before its report */
	HP_AGENT_EXIT_COLLECTING,
	HP_AGENT_EXIT_WRITING,
	HP_AGENT_EXIT_DONE,
};

struct hp_agent_net;

struct hp_agent {
	JavaVM *vm;
	/*
	 * JVMTI environment for events; the tag of an object is its site and
	 * size
	 */
	jvmtiEnv *jvmti;
	/*
	 * JVMTI environment in which the tag of a class or thread is its number
	 */
	jvmtiEnv *classes;
	/*
	 * JVMTI environment in which the tag 1 marks an object with a site;
	 * NULL unless heap=dump or heap=all
	 */
	jvmtiEnv *sampled;
	struct hp_agent_options o;
	uint64_t start_ms; /* when the agent was loaded, in ms since 1970 */
	/* device and inode of the last report's file; 0: there is none */
	uint64_t written[2];
	char version[64]; /* version of the Java VM, as text */

	/* guards the tables; never held while calling the VM */
	pthread_mutex_t lock;
	struct hp_agent_tables tables;
	struct hp_agent_sites sites;
	/* number of the class whose method runs shutdown hooks */
	uint32_t shutdown;
	/* held while a thread is tagged; see threads.c */
	pthread_mutex_t tagging;
	/* the threads of the VM; elements: struct hp_agent_thread */
	struct hp_chunks threads;
	/*
	 * index of the first free element of the list; the free ones are linked
	 */
	uint32_t free_thread;
	/*
	 * number of users of records of other threads, see
	 * hp_agent_threads_hold()
	 */
	uint32_t thread_holders;
	uint32_t last_serial;
	/* elements: struct hp_agent_event, the starts and ends of threads */
	struct hp_chunks events;
	/* elements: struct hp_agent_wait, the waits for monitors */
	struct hp_chunks waits;
	struct hp_agent_index by_wait;

	/* a thread holds this lock while it makes a report */
	pthread_mutex_t reporting;
	/* the reports made so far, as they are in the file */
	struct hp_buf reports;
	/* number of STRING records that only hold text of reports */
	uint32_t carried;
	/* the connection of net=; NULL: reports go to a file */
	struct hp_agent_net *net;
	/* the class hprofagent.AllocationTraces; NULL: not loaded */
	jclass traces_class;

	/* number of callbacks of the VM that run at the moment */
	atomic_int in_flight;
	/* number of threads of the agent that run at the moment */
	atomic_int own_threads;
	/* The agent could not start; its threads and callbacks end soon. */
	bool withdrawn;
	atomic_bool live; /* the agent has started successfully */
	/* The agent is ending: callbacks return without doing anything. */
	atomic_bool closing;
	/* who writes the report at exit, of enum hp_agent_exit_report */
	atomic_int exit_report;
	atomic_bool cpu_on; /* CPU samples are taken at the moment */
	/* maximum frames of a trace; a socket command can change it */
	atomic_uint depth;
};

extern struct hp_agent hp_agent;

/*
 * Print a message on standard error: "hprof-agent: text". Control characters
 * are escaped as in common/cli/escape.h, because file names may contain any
 * bytes.
 */
void hp_agent_say(const char *fmt, ...) HP_PRINTF(1, 2);

/* Microseconds since the agent was loaded, as HPROF records have them. */
uint32_t hp_agent_time_us(const struct hp_agent *a);
uint64_t hp_agent_now_ms(void);
int64_t hp_agent_now_ns(void);

/**
 * hp_agent_enter() - start a callback
 *
 * Returns: true. false if the agent is closing, or if this thread is already in
 *          a callback of the agent; then do not call hp_agent_leave().
 */
bool hp_agent_enter(struct hp_agent *a);
void hp_agent_leave(struct hp_agent *a);

/*
 * Set or clear a flag of this thread that makes callbacks ignore it. Use it for
 * the agent's own work. Unlike hp_agent_enter(), it works while the agent is
 * closing.
 */
void hp_agent_set_inside(bool is);

/*
 * Let no more callbacks start, and wait for running ones. Returns false if one
 * is still running after 5 s.
 */
bool hp_agent_close(struct hp_agent *a);

/* Wait until *@count is 0. Returns false if that has not happened after 5 s. */
bool hp_agent_await_none(atomic_int *count);

/*
 * Lock a mutex whose holder may never release it. Returns false after @seconds.
 */
bool hp_agent_lock_within(pthread_mutex_t *lock, int seconds);

/**
 * hp_agent_run_thread() - start a daemon thread of the agent
 *
 * The thread must call hp_agent_await_live() first, and subtract 1 from
 * own_threads at its end.
 * Returns: HP_OK; HP_UNSUPPORTED if the VM refuses.
 */
HP_MUST_USE enum hp_status hp_agent_run_thread(struct hp_agent *a, JNIEnv *jni,
					       const char *name,
					       jvmtiStartFunction run,
					       struct hp_error *err);

/*
 * Make a thread of the agent wait until the agent is live. Returns false if the
 * start failed; then the thread must end.
 */
bool hp_agent_await_live(struct hp_agent *a);

#endif
