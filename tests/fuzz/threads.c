/*
 * threads.c - reuse threads in the many runs of a fuzz target
 *
 * The library starts new threads for every pass over a dump. Under a sanitizer,
 * starting a thread takes longer than handling a small input. So the linker
 * option --wrap replaces pthread_create() and pthread_join(). The replacement
 * gives the work of a new thread to an existing thread that has finished its
 * work and waits ("parked"). The library sees no difference.
 */
#include <pthread.h>
#include <stdbool.h>

enum { PARKED_MAX = 64 };

enum state { NOBODY, PARKED, BUSY, DONE };

struct parked {
	pthread_t thread;
	enum state state;
	void *(*work)(void *);
	void *arg, *result;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct parked threads[PARKED_MAX];

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*work)(void *), void *arg);
int __real_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*work)(void *), void *arg);
int __wrap_pthread_join(pthread_t thread, void **result);

_Noreturn static void *
wait_for_work(void *slot)
{
	struct parked *p = slot;

	pthread_mutex_lock(&lock);
	for (;;) {
		while (p->state != BUSY)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
		p->result = p->work(p->arg);
		pthread_mutex_lock(&lock);
		p->state = DONE;
		pthread_cond_broadcast(&changed);
	}
}

/*
 * Returns a parked thread (one that waits for work), or NULL if there is none.
 * The caller holds the lock.
 */
static struct parked *
take_parked(void)
{
	for (unsigned i = 0; i < PARKED_MAX; i++) {
		struct parked *p = &threads[i];

		if (p->state == PARKED)
			return p;
		if (p->state != NOBODY)
			continue;
		if (__real_pthread_create(&p->thread, NULL, wait_for_work, p))
			return NULL;
		return p;
	}
	return NULL;
}

int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
		      void *(*work)(void *), void *arg)
{
	struct parked *p;

	pthread_mutex_lock(&lock);
	p = take_parked();
	if (p) {
		p->work = work;
		p->arg = arg;
		p->state = BUSY;
		*thread = p->thread;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return p ? 0 : __real_pthread_create(thread, attr, work, arg);
}

int
__wrap_pthread_join(pthread_t thread, void **result)
{
	bool mine = false;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < PARKED_MAX && !mine; i++) {
		struct parked *p = &threads[i];

		if (p->state == NOBODY || !pthread_equal(p->thread, thread))
			continue;
		mine = true;
		while (p->state != DONE)
			pthread_cond_wait(&changed, &lock);
		p->state = PARKED;
		if (result)
			*result = p->result;
	}
	pthread_mutex_unlock(&lock);
	return mine ? 0 : __real_pthread_join(thread, result);
}
