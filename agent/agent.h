/*
 * agent.h - the state that the callbacks of the agent share
 *
 * The agent is libhprof-agent, a JVMTI agent that a JVM loads. A process has
 * one agent. Attaching it a second time does not add another one.
 */
#ifndef HP_AGENT_AGENT_H
#define HP_AGENT_AGENT_H

#include <jvmti.h>
#include <pthread.h>
#include <time.h>

#include "agent/options.h"
#include "agent/events/sites.h"
#include "common/base/buf.h"

/*
 * An event: a thread of the program has started or ended. hp_agent.events has
 * all events in the order in which they happened.
 */
struct hp_agent_event {
	uint32_t serial;
	/*
	 * numbers of strings in the agent's tables: the name of the thread, its
	 * group and the parent group; 0: not known
	 */
	uint32_t name, group, parent;
	bool end;
};

struct hp_agent_thread {
	uint32_t serial;
	/* index of this record in hp_agent.threads */
	uint32_t number;
	/*
	 * if the record is free: index of the next free record; 0: there is
	 * none
	 */
	uint32_t next_free;
	/* the thread has started after the start of the agent was complete */
	bool late;
	/*
	 * processor time of the thread when the sampler last looked at it; 0:
	 * the sampler has not looked at it yet
	 */
	int64_t cpu_ns;
	/*
	 * processor time that the thread has used and that no CPU sample
	 * represents yet
	 */
	int64_t credit_ns;
	/*
	 * weak reference to the virtual thread that runs on this thread (see
	 * mounts.c); NULL: none is known
	 */
	jweak mounted;
	/*
	 * time at which the thread began to wait for a monitor; 0: it is not
	 * waiting
	 */
	int64_t entered_ns;
	uint32_t enter_trace, enter_class;
};

/*
 * How often and how long threads waited for monitors of one class, with one
 * stack trace.
 */
struct hp_agent_wait {
	uint64_t hash;
	uint32_t class, trace;
	_Atomic uint64_t count, ns;
};

/*
 * The state of the report at exit. The thread that changes the state to WRITING
 * writes the report.
 */
enum hp_agent_exit_report {
	HP_AGENT_EXIT_NONE,
	/* the shutdown hook collects garbage before it writes the report */
	HP_AGENT_EXIT_COLLECTING,
	HP_AGENT_EXIT_WRITING,
	HP_AGENT_EXIT_DONE,
};

/* A method of the program; see cpu=times. */
struct hp_agent_method {
	uint64_t hash;
	uint64_t method; /* its jmethodID; the JVM never uses a value twice */
	/*
	 * number of the method's frame in the agent's tables; 0: its calls are
	 * not counted
	 */
	uint32_t frame;
};

struct hp_agent_net;
struct hp_agent_meter;

struct hp_agent {
	JavaVM *vm;
	/*
	 * JVMTI environment for events. In this environment, the tag of an
	 * object contains the number of its allocation site and its size.
	 */
	jvmtiEnv *jvmti;
	/*
	 * JVMTI environment in which the tag of a class or thread is its number
	 * in the agent's tables
	 */
	jvmtiEnv *classes;
	/*
	 * JVMTI environment in which the tag 1 marks an object whose allocation
	 * site is known. NULL unless the options have heap=dump or heap=all
	 */
	jvmtiEnv *sampled;
	struct hp_agent_options o;
	uint64_t start_ms; /* when the agent was loaded, in ms since 1970 */
	/*
	 * start time of the oldest ancestor process that also runs the agent,
	 * in ms since 1970; start_ms if there is no such process
	 */
	uint64_t parents_ms;
	/*
	 * device and inode number of the file of the last report; 0: no report
	 * was written yet
	 */
	uint64_t written[2];
	char version[64]; /* version of the JVM, as text */

	/*
	 * Guards the tables. A thread must not call the JVM while it holds this
	 * lock.
	 */
	pthread_mutex_t lock;
	struct hp_agent_tables tables;
	struct hp_agent_sites sites;
	/*
	 * number, in the agent's tables, of the class that runs the shutdown
	 * hooks of the JVM
	 */
	uint32_t shutdown;
	/*
	 * held while the tag of a thread object is read and set; see threads.c
	 */
	pthread_mutex_t tagging;
	/* the threads of the program; elements: struct hp_agent_thread */
	struct hp_chunks threads;
	/*
	 * index of the first free record in `threads`; each free record has the
	 * index of the next one
	 */
	uint32_t free_thread;
	/*
	 * number of running functions that use records of other threads, see
	 * hp_agent_threads_hold()
	 */
	uint32_t thread_holders;
	uint32_t last_serial;
	/* elements: struct hp_agent_event, the starts and ends of threads */
	struct hp_chunks events;
	/*
	 * elements: struct hp_agent_wait, how long threads waited for monitors
	 */
	struct hp_chunks waits;
	struct hp_agent_index by_wait;
	/* elements: struct hp_agent_method, the methods that were called */
	struct hp_chunks methods;
	struct hp_agent_index by_method;
	/* number of calls that were not counted, because memory ran out */
	_Atomic uint64_t calls_lost;
	/*
	 * guards `meters`, the list with an element for each thread that called
	 * a method; see calls.c
	 */
	pthread_mutex_t metering;
	struct hp_agent_meter *meters;

	/*
	 * number of CPU samples for which no stack is known, because the agent
	 * never saw the thread running
	 */
	uint64_t samples_unknown;

	/* held by the thread that makes a report */
	pthread_mutex_t reporting;
	/* the bytes of all reports so far; the next report file repeats them */
	struct hp_buf reports;
	/*
	 * number of STRING records so far that contain a line of a text report
	 */
	uint32_t carried;
	/* the connection of the option net=; NULL: reports go to a file */
	struct hp_agent_net *net;
	/*
	 * the Java class hprofagent.AllocationTraces, with which a heap dump
	 * gets allocation traces; NULL: not loaded
	 */
	jclass traces_class;

	/* number of callbacks of the JVM that are running now */
	atomic_int in_flight;
	/* number of threads of the agent that are running now */
	atomic_int own_threads;
	bool attached; /* the agent was attached to a running JVM */
	/*
	 * The start of the agent has failed. Its threads and callbacks will end
	 * soon.
	 */
	bool withdrawn;
	atomic_bool live; /* the agent has started successfully */
	/* The agent is ending: callbacks return without doing anything. */
	atomic_bool closing;
	/* the state of the report at exit, of enum hp_agent_exit_report */
	atomic_int exit_report;
	/* whether the agent currently takes CPU samples or counts calls */
	atomic_bool cpu_on;
	/*
	 * maximum number of frames in a stack trace; a command on the socket
	 * can change it
	 */
	atomic_uint depth;
};

extern struct hp_agent hp_agent;

/*
 * Print a message on standard error: "hprof-agent: text". Control characters
 * are escaped as in common/cli/escape.h, because file names may contain any
 * bytes.
 */
void hp_agent_say(const char *fmt, ...) HP_PRINTF(1, 2);

/*
 * Returns the microseconds since the agent was loaded, as HPROF records contain
 * them.
 */
uint32_t hp_agent_time_us(const struct hp_agent *a);
uint64_t hp_agent_now_ms(void);

/* Returns the time of a clock in nanoseconds; 0 if the clock fails. */
int64_t hp_agent_clock_ns(clockid_t clock);

static inline int64_t
hp_agent_now_ns(void)
{
	return hp_agent_clock_ns(CLOCK_MONOTONIC);
}

/* Returns the processor time of the current thread in nanoseconds. */
static inline int64_t
hp_agent_own_ns(void)
{
	return hp_agent_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/**
 * hp_agent_enter() - begin a callback of the JVM
 *
 * Returns: true. Returns false if the agent is closing, or if this thread is
 *          already in a callback of the agent. After false do not call
 *          hp_agent_leave().
 */
bool hp_agent_enter(struct hp_agent *a);
void hp_agent_leave(struct hp_agent *a);

/*
 * Set or clear a flag of the calling thread. While the flag is set, callbacks
 * for this thread do nothing. It is set for the agent's own work. Unlike
 * hp_agent_enter(), this function also works while the agent is closing.
 */
void hp_agent_set_inside(bool is);

/*
 * Prevent further callbacks, and wait until the running ones have ended.
 * Returns false if a callback still runs after 5 s.
 */
bool hp_agent_close(struct hp_agent *a);

/* Wait until *@count is 0. Returns false if it is still not 0 after 5 s. */
bool hp_agent_await_none(atomic_int *count);

/*
 * Lock a mutex. Returns false if this takes longer than @seconds, because the
 * thread that holds the mutex may have been stopped forever.
 */
bool hp_agent_lock_within(pthread_mutex_t *lock, int seconds);

/**
 * hp_agent_run_thread() - start a daemon thread of the agent
 *
 * The function that the thread runs must call hp_agent_await_live() first, and
 * subtract 1 from own_threads at its end.
 * Returns: HP_OK; HP_UNSUPPORTED if the JVM refuses.
 */
HP_MUST_USE enum hp_status hp_agent_run_thread(struct hp_agent *a, JNIEnv *jni,
					       const char *name,
					       jvmtiStartFunction run,
					       struct hp_error *err);

/*
 * Make a thread of the agent wait until the start of the agent is complete.
 * Returns false if the start failed; then the thread must end.
 */
bool hp_agent_await_live(struct hp_agent *a);

#endif
