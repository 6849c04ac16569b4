/*
 * parse.h - one line of the agent's text as values
 *
 * Knows the layout of lines and nothing of what they mean together. Sources:
 * hprof_io.c of the JDK's agent (what it prints); for each kind the layout
 * stands in parse.c.
 */
#ifndef HP_TEXT_PARSE_H
#define HP_TEXT_PARSE_H

#include "common/base/status.h"

#include <string.h>

enum hp_text_kind {
	HP_TEXT_OTHER, /* no line of the format */
	HP_TEXT_THREAD_START,
	HP_TEXT_THREAD_END,
	HP_TEXT_TRACE,
	HP_TEXT_FRAME,
	HP_TEXT_NO_FRAME, /* "<empty>" */
	HP_TEXT_HEAP_BEGIN,
	HP_TEXT_HEAP_END,
	HP_TEXT_ROOT,
	HP_TEXT_OBJECT,
	HP_TEXT_FIELD,
	HP_TEXT_ARRAY, /* of objects, or of primitives */
	HP_TEXT_ELEMENT,
	HP_TEXT_CLASS,
	HP_TEXT_LINK, /* super, loader, signers, domain: count says which */
	HP_TEXT_STATIC,
	HP_TEXT_CONSTANT,
	HP_TEXT_SITES_BEGIN,
	HP_TEXT_SITES_END,
	HP_TEXT_SITE,
	HP_TEXT_SAMPLES_BEGIN,
	HP_TEXT_SAMPLES_END,
	HP_TEXT_TIMES_BEGIN,
	HP_TEXT_TIMES_END,
	HP_TEXT_MONITORS_BEGIN, /* MONITOR TIME */
	HP_TEXT_MONITORS_END,
	HP_TEXT_ROW, /* of samples, times, monitors */
	HP_TEXT_OLD_BEGIN,
	HP_TEXT_OLD_ROW,
	HP_TEXT_MONITOR_DUMP_BEGIN,
	HP_TEXT_MONITOR_DUMP_END,
	HP_TEXT_MONITOR_LINE,  /* inside it */
	HP_TEXT_MONITOR_EVENT, /* WAIT, WAITED, SLEEP, EXIT */
	HP_TEXT_HEADING,       /* of a table's columns */
	HP_TEXT_BLANK,
};

/* What the line stands in: tells what lines of tabs and blanks are. */
enum hp_text_within {
	HP_WITHIN_NOTHING,
	HP_WITHIN_TRACE,
	HP_WITHIN_HEAP, /* nothing that has lines of its own */
	HP_WITHIN_OBJECT,
	HP_WITHIN_ARRAY,
	HP_WITHIN_CLASS,
	HP_WITHIN_SITES,
	HP_WITHIN_SAMPLES,
	HP_WITHIN_TIMES,
	HP_WITHIN_MONITORS,
	HP_WITHIN_MONITOR_DUMP,
	HP_WITHIN_OLD,
};

enum hp_text_root {
	HP_TEXT_ROOT_UNKNOWN,
	HP_TEXT_ROOT_THREAD,
	HP_TEXT_ROOT_JNI_GLOBAL,
	HP_TEXT_ROOT_JNI_LOCAL,
	HP_TEXT_ROOT_CLASS,
	HP_TEXT_ROOT_MONITOR,
	HP_TEXT_ROOT_THREAD_BLOCK,
	HP_TEXT_ROOT_JAVA_FRAME,
	HP_TEXT_ROOT_NATIVE,
};

enum hp_text_link {
	HP_TEXT_SUPER,
	HP_TEXT_LOADER,
	HP_TEXT_SIGNERS,
	HP_TEXT_DOMAIN,
};

struct hp_text_word { /* borrowed from the line */
	const char *text;
	size_t length;
};

static inline bool
hp_text_word_is(struct hp_text_word w, const char *text)
{
	return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

/* A line's values. Those that its kind has not are 0. */
struct hp_text_item {
	enum hp_text_kind kind;
	bool primitive; /* array without a class id */
	int32_t line;	/* of a frame, of a source file; of a stack */
	uint32_t serial, trace;
	uint64_t id;	/* of the object, thread's object, class */
	uint64_t other; /* class id; value; JNI reference */
	uint64_t count; /* elements, index, objects; which root or link */
	uint64_t size;	/* sz; bytes; total */
	/* class, thread, field, callee; group, method, caller; source file,
	 * caller's method; signature, caller's signature */
	struct hp_text_word name;
	/* from here on: not of a line of a heap dump, and not cleared there */
	struct hp_text_word method, source;
	bool by_allocated; /* SITES: their order */
	uint64_t time_ms;  /* since 1970, UTC; 0: none */
	/* rows */
	uint32_t rank, self, accum; /* percents in hundredths */
	uint64_t live_bytes, live_count, all_bytes, all_count;
};

/**
 * hp_text_parse() - the values of one line
 *
 * Returns: what they are, also item->kind; HP_TEXT_OTHER if the line is none
 *          of the format's in its place.
 */
enum hp_text_kind hp_text_parse(const char *line, size_t length,
				enum hp_text_within within,
				struct hp_text_item *item);

/*
 * How much of a report's total a row has, of whose share only hundredths of a
 * percent are told: rounded, UINT64_MAX at the most.
 */
static inline uint64_t
hp_text_share(uint64_t hundredths, uint64_t total)
{
	unsigned __int128 part =
		((unsigned __int128)hundredths * total + 5000) / 10000;

	return part > UINT64_MAX ? UINT64_MAX : (uint64_t)part;
}

/* "java.lang.String.length()I": at the last dot before the parenthesis. */
struct hp_text_method {
	struct hp_text_word class_name, name, signature;
};
bool hp_text_method(struct hp_text_word text, struct hp_text_method *out);

/* ctime()'s text, as UTC; 0: it is none. */
uint64_t hp_text_time_ms(const char *text, size_t length);

/* The type code of "int[]" and the like; 0: it is none. */
unsigned hp_text_array_type(struct hp_text_word name);

/* The type code of "int" and the like, and of "int[]"; 0: it is neither. */
unsigned hp_text_element_type(struct hp_text_word name);

/* Is it the name of an array class, "int[]" or "java.lang.String[]"? */
bool hp_text_is_array(struct hp_text_word name);

#endif
