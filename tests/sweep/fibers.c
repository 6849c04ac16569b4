/*
 * fibers.c - the library's threads, as fibers of the one thread that there is
 *
 * The library starts its workers anew for every scan and hands them their work
 * through conditions. For a small input that is mostly the kernel's business.
 * Linked with --wrap, threads take turns here: one runs until it waits for a
 * condition, a lock that another has, or another's end. Where all of them
 * wait, nobody ever goes on, and the process aborts and says so. What depends
 * on two that run at once is up to the tests under ThreadSanitizer.
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
	STACK = 1 << 20, /* bytes, and a page that nothing may touch */
	GUARD = 4096,
};

struct fiber {
	bool started; /* has a stack */
	bool taken;   /* until it is joined */
	bool busy;    /* until its work is done */
	ucontext_t context;
	void *stack; /* lowest byte */
	size_t size;
	const void *awaits; /* a condition or a fiber; NULL: it can run */
	void *(*work)(void *);
	void *arg, *result;
};

/* The first is the thread that began. */
static struct fiber fibers[FIBERS_MAX] = {{.started = true, .busy = true}};
static struct fiber *running = fibers;
/* libc's own: the sanitizer's clears the whole new stack's shadow. */
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

/* After a switch, in the one that goes on. */
static void
arrive(void *fake)
{
	const void *bottom;
	size_t size;

	__sanitizer_finish_switch_fiber(fake, &bottom, &size);
	if (!fibers[0].stack) { /* the first switch comes from there */
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

/* Let another run. Where the running one cannot and no other can: abort. */
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

/* Those that wait can run: all, or the first. */
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

/* A fiber that is done takes the next work that comes. */
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
	/* a thread may be kept from signals, but not the alarm from all */
	sigemptyset(&f->context.uc_sigmask);
	makecontext(&f->context, run, 0);
	f->started = true;
	return true;
}

static void
find_swap(void)
{
	void *libc;

	__lsan_disable(); /* what the loader keeps is its own */
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
