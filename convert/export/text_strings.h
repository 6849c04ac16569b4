/*
 * text_strings.h - the values of Strings for their lines in text and NDJSON
 *
 * A String names its array, which may stand anywhere in the dump. Two passes
 * find where: the arrays that Strings name, then the places of these. The last
 * pass looks there. Long values are written piece by piece as their line's
 * turn comes: nothing is cut, and memory does not grow with them.
 *
 * Of several Strings that share an array only the first one has a value of more
 * than 256 bytes in the array; the others have the id of the array. Else a
 * small dump could become a huge text: many Strings, each with the same long
 * value.
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
	struct hp_source *src; /* seekable */
	unsigned id_size, threads;
	struct hp_java_string_class *classes; /* as the prepass's dumps */
	struct hp_dump_tables tables; /* array: its offset in the file */
	struct hp_strings_worker *workers;
	pthread_mutex_t lock;
	struct hp_deferred_value
		*late;	     /* long values that wait for their batch */
	struct hp_buf piece; /* of the thread that writes */
	/* place of an array with a long value: the least index of the batches
	 * that were found to have a String with it */
	struct hp_id_map first_batches;
	_Atomic uint64_t missing;
	/* what stands before a value's quotes; before the id of an array whose
	 * value is elsewhere, and after it; borrowed */
	const char *intro, *shared, *shared_end;
};

/**
 * hp_strings_init() - no arrays yet
 * @s:       zeroed but for intro
 * @src:     seekable; borrowed
 * @prepass: done, with tables; borrowed
 * @memory:  that the tables may take
 *
 * Returns: HP_OK; HP_LIMIT: too many dumps for the memory; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_init(struct hp_strings *s,
					   const struct hp_prepass *prepass,
					   struct hp_source *src,
					   unsigned threads, uint64_t memory,
					   struct hp_error *err);

/* The first pass, for hp_scan() or together with another: needs heads. */
struct hp_pass hp_strings_note_pass(struct hp_strings *s);

/*
 * The second pass. HP_OK; HP_LIMIT: too many Strings for the memory; HP_IO,
 * HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_place(struct hp_strings *s,
					    struct hp_error *err);
void hp_strings_release(struct hp_strings *s);

/**
 * hp_strings_value() - append the value if the instance @sub is a String
 *
 * As the intro and a JSON string; nothing, and counted, if the array is not
 * in the dump; nothing if it is null. A long value is put off to
 * hp_strings_write(), which also decides whether it is in another line. On
 * workers.
 * Returns: HP_OK; HP_IO, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_strings_value(struct hp_strings *s,
					    const struct hp_batch *b,
					    const struct hp_sub *sub,
					    struct hp_buf *out,
					    struct hp_error *err);

/* Write a batch's text with the values that were put off; in order. */
HP_MUST_USE enum hp_status hp_strings_write(struct hp_strings *s,
					    const struct hp_batch *b,
					    const struct hp_buf *out,
					    struct hp_sink *sink,
					    struct hp_error *err);

/* Strings whose array the dump does not have. */
static inline uint64_t
hp_strings_missing(const struct hp_strings *s)
{
	return s->missing;
}

#endif
