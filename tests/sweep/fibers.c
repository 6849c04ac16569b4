/*
 * fibers.c - run the library's threads as fibers of a single thread
 *
 * The library starts new workers for every scan and uses condition variables to
 * pass work to them. For a small input most of the time is spent in the kernel.
 * The linker option --wrap replaces the pthread functions by the functions of
 * this file, so that only one fiber runs at a time. A fiber runs until it waits
 * for a condition, for a lock that another fiber holds, or for the end of
 * another fiber. If all fibers wait, there is a deadlock, and the process
 * prints a message and aborts. This file cannot find data races; the tests
 * under ThreadSanitizer do that.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum {
	FIBERS_MAX = 64,
	/* size of a stack in bytes; an inaccessible guard page follows it */
	STACK = 1 << 20,
	GUARD = 4096,
};

struct fiber {
	bool started; /* the fiber was used before, so it already has a stack */
	/* the fiber stands for a thread that was created and not yet joined */
	bool taken;
	bool busy; /* the function of the thread has not returned yet */
	ucontext_t context;
	void *stack; /* lowest address of the stack */
	size_t size;
	/*
	 * address of what the fiber waits for: a condition, a lock or another
	 * fiber; NULL: it can run
	 */
	const void *awaits;
	void *(*work)(void *);
	void *arg, *result;
};

/* All fibers. The first one is the original thread. */
static struct fiber fibers[FIBERS_MAX] = {{.started = true, .busy = true}};
static struct fiber *running = fibers;
/*
 * swapcontext() of the C library. The replacement of swapcontext() in the
 * sanitizer would clear the shadow memory of the whole new stack, which is
 * slow.
 */
static int (*swap)(ucontext_t *from, const ucontext_t *to);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*work)(void *), void *arg);
int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_mutex_lock(pthread_mutex_t *m);
int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *l);
int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *l);
int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __wrap_pthread_cond_signal(pthread_cond_t *c);
int __wrap_pthread_cond_broadcast(pthread_cond_t *c);

/* Report to AddressSanitizer that the switch to this fiber is complete. */
static void
arrive(void *fake)
{
	const void *bottom;
	size_t size;

	__sanitizer_finish_switch_fiber(fake, &bottom, &size);
	/*
	 * The stack of the original thread is known only now, after the first
	 * switch away from it.
	 */
	if (!fibers[0].stack) {
		fibers[0].stack = (void *)bottom;
		fibers[0].size = size;
	}
}

static void
switch_to(struct fiber *to)
{
	struct fiber *from = running;
	void *fake = NULL;

	running = to;
	__sanitizer_start_switch_fiber(&fake, to->stack, to->size);
	swap(&from->context, &to->context);
	arrive(fake);
}

/*
 * Switch to another fiber. If the current fiber waits and no other fiber can
 * run, the process aborts.
 */
static void
yield(void)
{
	size_t at = (size_t)(running - fibers);

	for (size_t i = 1; i < FIBERS_MAX; i++) {
		struct fiber *f = &fibers[(at + i) % FIBERS_MAX];

		if (f->busy && !f->awaits) {
			switch_to(f);
			return;
		}
	}
	fputs("all threads wait for each other\n", stderr);
	abort();
}

static void
wait_for(const void *what)
{
	running->awaits = what;
	yield();
}

/*
 * Wake the fibers that wait for @what: all of them if @all is true, otherwise
 * only the first one.
 */
static void
wake(const void *what, bool all)
{
	for (size_t i = 0; i < FIBERS_MAX; i++) {
		if (fibers[i].awaits != what)
			continue;
		fibers[i].awaits = NULL;
		if (!all)
			return;
	}
}

/* The main function of a fiber: do the work of one thread after another. */
static void
run(void)
{
	arrive(NULL);
	for (;;) {
		struct fiber *f = running;

		f->result = f->work(f->arg);
		f->busy = false;
		wake(f, true);
		yield();
	}
}

static bool
start(struct fiber *f)
{
	char *p = mmap(NULL, STACK + GUARD, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED || mprotect(p, GUARD, PROT_NONE) ||
	    getcontext(&f->context))
		return false;
	f->stack = p + GUARD;
	f->size = STACK;
	f->context.uc_stack.ss_sp = f->stack;
	f->context.uc_stack.ss_size = f->size;
	f->context.uc_link = NULL;
	/*
	 * the library may block signals in its threads, but here SIGALRM must
	 * not be blocked
	 */
	sigemptyset(&f->context.uc_sigmask);
	makecontext(&f->context, run, 0);
	f->started = true;
	return true;
}

static void
find_swap(void)
{
	void *libc;

	/*
	 * the dynamic loader allocates memory that it never frees, which is not
	 * a leak of the program
	 */
	__lsan_disable();
	libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	*(void **)&swap = libc ? dlsym(libc, "swapcontext") : NULL;
	__lsan_enable();
}

int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		      void *(*work)(void *), void *arg)
{
	if (!swap)
		find_swap();
	for (size_t i = 1; swap && i < FIBERS_MAX; i++) {
		struct fiber *f = &fibers[i];

		if (f->taken || (!f->started && !start(f)))
			continue;
		f->work = work;
		f->arg = arg;
		f->taken = f->busy = true;
		*thread = (pthread_t)i;
		return 0;
	}
	return EAGAIN;
}

int
__wrap_pthread_join(pthread_t thread, void **result)
{
	struct fiber *f = &fibers[(size_t)thread];

	while (f->busy)
		wait_for(f);
	f->taken = false;
	if (result)
		*result = f->result;
	return 0;
}

int
__wrap_pthread_mutex_lock(pthread_mutex_t *m)
{
	int failed;

	while ((failed = pthread_mutex_trylock(m)) == EBUSY)
		yield();
	return failed;
}

int
__wrap_pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	int failed;

	while ((failed = pthread_rwlock_tryrdlock(l)) == EBUSY)
		yield();
	return failed;
}

int
__wrap_pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	int failed;

	while ((failed = pthread_rwlock_trywrlock(l)) == EBUSY)
		yield();
	return failed;
}

int
__wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	pthread_mutex_unlock(m);
	wait_for(c);
	return __wrap_pthread_mutex_lock(m);
}

int
__wrap_pthread_cond_signal(pthread_cond_t *c)
{
	wake(c, false);
	return 0;
}

int
__wrap_pthread_cond_broadcast(pthread_cond_t *c)
{
	wake(c, true);
	return 0;
}
