/* status.c - the status codes, errors, options and version of libhprof */
#include "lib/internal.h"

#include "common/cli/resources.h"
#include "common/format/format.h"
#include "common/components/components.h"
#include "diff/budget.h"

#include <stdio.h>
#include <string.h>

int
hprof_version_number(void)
{
	return HPROF_VERSION_NUMBER;
}

const char *
hprof_version_string(void)
{
	return HP_VERSION;
}

const char *
hprof_strerror(int status)
{
	/*
	 * The texts of the public status codes. The index is HPROF_END -
	 * status, because HPROF_END is the largest status.
	 */
	static const char *const texts[] = {
		[HPROF_END - HPROF_OK] = "no error",
		[HPROF_END - HPROF_END] = "end of the dump",
		[HPROF_END - HPROF_TRUNCATED] = "the dump is truncated",
		[HPROF_END - HPROF_DAMAGED] = "the dump is damaged",
		[HPROF_END - HPROF_NO_MEMORY] = "out of memory",
		[HPROF_END - HPROF_IO] = "cannot open or read the file",
		[HPROF_END - HPROF_LIMIT] =
			"the input exceeds the limit for memory or size",
		[HPROF_END - HPROF_UNSUPPORTED] =
			"not supported for this input",
		[HPROF_END - HPROF_ARGUMENT] = "invalid argument",
		[HPROF_END - HPROF_NOT_FOUND] = "not found",
	};
	const size_t i = (size_t)HPROF_END - (size_t)status;

	return i < HP_ARRAY_LEN(texts) ? texts[i] : "unknown status";
}

size_t
hprof_type_size(int type, uint32_t id_size)
{
	return type < 0 ? 0 : hp_type_size((unsigned)type, id_size);
}

static int
public_status(enum hp_status st)
{
	static const int statuses[] = {
		[HP_OK] = HPROF_OK,
		[HP_EOF] = HPROF_END,
		[HP_TRUNCATED] = HPROF_TRUNCATED,
		[HP_DAMAGED] = HPROF_DAMAGED,
		[HP_NOMEM] = HPROF_NO_MEMORY,
		[HP_IO] = HPROF_IO,
		[HP_LIMIT] = HPROF_LIMIT,
		[HP_UNSUPPORTED] = HPROF_UNSUPPORTED,
		/*
		 * the next two cannot happen: nothing stops the library, and it
		 * has no output
		 */
		[HP_STOPPED] = HPROF_IO,
		[HP_CLOSED] = HPROF_IO,
	};

	return statuses[st];
}

void
hp_lib_error_clear(struct hprof_error *error)
{
	if (error) {
		error->status = HPROF_OK;
		error->text[0] = '\0';
	}
}

int
hp_lib_fail_text(struct hprof_error *error, int status, const char *fmt, ...)
{
	va_list args;

	if (error) {
		error->status = status;
		va_start(args, fmt);
		vsnprintf(error->text, sizeof(error->text), fmt, args);
		va_end(args);
	}
	return status;
}

int
hp_lib_fail(struct hprof_error *error, const struct hp_error *err)
{
	return hp_lib_fail_text(error, public_status(err->status), "%s",
				err->text);
}

int
hp_lib_no_memory(struct hprof_error *error)
{
	return hp_lib_fail_text(error, HPROF_NO_MEMORY, "out of memory");
}

void *
hp_lib_new(size_t size, struct hprof_error *error)
{
	void *object = hp_calloc(1, size);

	if (!object)
		hp_lib_no_memory(error);
	return object;
}

static int
read_options(const struct hprof_options *given, struct hp_lib_options *out,
	     struct hprof_error *error)
{
	struct hprof_options o = HPROF_OPTIONS_INIT;

	if (given && given->size < sizeof(given->size))
		return hp_lib_fail_text(error, HPROF_ARGUMENT,
					"options.size is not set");
	/*
	 * The caller may be compiled with an older or newer version of the
	 * library. So copy only the members that both know.
	 */
	if (given)
		memcpy(&o, given,
		       given->size < sizeof(o) ? given->size : sizeof(o));
	if (o.flags & ~(unsigned)HPROF_MAP)
		return hp_lib_fail_text(error, HPROF_ARGUMENT,
					"options.flags has unknown bits");
	*out = (struct hp_lib_options){
		.threads = o.threads ? o.threads : hp_default_threads(),
		.dump = o.dump,
		.memory = o.memory ? o.memory : hp_memory_budget(),
		.max_size = o.max_size,
		.mapping = o.flags & HPROF_MAP ? HP_MAP_BARE : HP_MAP_NEVER};
	if (out->threads > HP_THREADS_MAX)
		out->threads = HP_THREADS_MAX;
	return HPROF_OK;
}

int
hp_lib_begin(bool valid, const char *invalid, const struct hprof_options *given,
	     struct hp_lib_options *out, struct hprof_error *error)
{
	int status;

	hp_lib_error_clear(error);
	status = read_options(given, out, error);
	if (status == HPROF_OK && !valid)
		return hp_lib_fail_text(error, HPROF_ARGUMENT, "%s", invalid);
	return status;
}

enum hp_status
hp_lib_memory_enter(struct hp_lib_memory *m, struct hp_lib_options *o,
		    struct hp_error *err)
{
	uint64_t apart;
	enum hp_status st = hp_budget_plan(o->memory, &o->threads, &apart, err);

	*m = (struct hp_lib_memory){0};
	if (st == HP_OK && !hp_memory_child(&m->memory, o->memory - apart))
		st = hp_no_memory(err);
	if (st != HP_OK)
		return st;
	m->memory.apart = apart;
	m->before = hp_memory_enter(&m->memory);
	return HP_OK;
}

void
hp_lib_memory_leave(struct hp_lib_memory *m)
{
	hp_memory_enter(m->before);
	hp_memory_join(&m->memory);
}

struct hp_source_options
hp_lib_source_options(const struct hp_lib_options *o)
{
	return (struct hp_source_options){.threads = o->threads > 1 ? o->threads
								    : 0,
					  .max_size = o->max_size,
					  .memory = o->memory / 8 * 5,
					  .mapping = o->mapping,
					  .packing = hp_packs,
					  .translation = hp_agent_text};
}
