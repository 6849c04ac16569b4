/*
 * text_strings.h - the values of Strings, for their lines in text and NDJSON
 *
 * A String refers to an array that may be anywhere in the dump. Two passes find
 * it: the first collects the ids of the arrays that Strings refer to, the
 * second the offsets of these arrays. The last pass reads the array at its
 * offset. Long values are written piece by piece when their line is written, so
 * nothing is truncated and memory does not grow with them.
 *
 * If several Strings share an array and the value has more than 256 bytes
 * there, only the first String shows the value. The others show the id of the
 * array. Otherwise a small dump could become a huge text: many Strings with the
 * same long value.
 */
#ifndef HP_CONVERT_EXPORT_TEXT_STRINGS_H
#define HP_CONVERT_EXPORT_TEXT_STRINGS_H

#include "common/base/buf.h"
#include "common/ids/id_map.h"
#include "common/sink/sink.h"
#include "common/model/java_string.h"
#include "convert/pass/dump_tables.h"

struct hp_strings_worker;
struct hp_deferred_value;

struct hp_strings {
	const struct hp_prepass *prepass;
	struct hp_source *src; /* seekable; borrowed */
	unsigned id_size, threads;
	/*
	 * the class java.lang.String of each dump, one for each entry of
	 * prepass->dumps
	 */
	struct hp_java_string_class *classes;
	/* id of an array -> its offset in the file */
	struct hp_dump_tables tables;
	struct hp_strings_worker *workers;
	pthread_mutex_t lock;
	struct hp_deferred_value
		*late;	     /* values to write later, with their batch */
	struct hp_buf piece; /* scratch buffer of the thread that writes */
	/*
	 * offset of an array with a long value -> lowest index of the batches
	 * known to have a String with it
	 */
	struct hp_id_map first_batches;
	/* limit for the memory of first_batches, in bytes */
	uint64_t shared_memory;
	_Atomic uint64_t missing;
	/*
	 * Texts of the output format, borrowed: @intro comes before the quotes
	 * of a value. @shared and @shared_end come before and after the id of
	 * an array whose value is in another line.
	 */
	const char *intro, *shared, *shared_end;
};

/**
 * hp_strings_init() - begin without any arrays
 * @s: zeroed, except intro, shared and shared_end
 * @src: seekable; borrowed
 * @prepass: finished, with tables; borrowed
 * @memory: limit for the tables, in bytes
 *
 * Returns: HP_OK; HP_LIMIT: too many dumps for the memory; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_init(struct hp_strings *s,
					   const struct hp_prepass *prepass,
					   struct hp_source *src,
					   unsigned threads, uint64_t memory,
					   struct hp_error *err);

/*
 * Returns the first pass, for hp_scan() or together with another pass. Needs
 * heads.
 */
struct hp_pass hp_strings_note_pass(struct hp_strings *s);

/*
 * Run the second pass. Returns HP_OK; HP_LIMIT: too many Strings for the
 * memory; HP_IO; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_place(struct hp_strings *s,
					    struct hp_error *err);
void hp_strings_release(struct hp_strings *s);

/**
 * hp_strings_value() - append the value if the instance @sub is a String
 *
 * Appends the intro and a JSON string. Appends nothing if the reference to the
 * array is null. If the array is missing, it appends nothing and counts the
 * String. A long value is left to hp_strings_write(), which also decides
 * whether another line has it. Called by workers.
 * Returns: HP_OK; HP_IO; HP_LIMIT: too many long values for the memory;
 *          HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_value(struct hp_strings *s,
					    const struct hp_batch *b,
					    const struct hp_sub *sub,
					    struct hp_buf *out,
					    struct hp_error *err);

/*
 * Write the text of a batch, with the values that were left out. Call this in
 * order.
 */
HP_MUST_USE enum hp_status hp_strings_write(struct hp_strings *s,
					    const struct hp_batch *b,
					    const struct hp_buf *out,
					    struct hp_sink *sink,
					    struct hp_error *err);

/* The number of Strings whose array is missing. */
static inline uint64_t
hp_strings_missing(const struct hp_strings *s)
{
	return s->missing;
}

#endif
