/*
 * problems.h - what breaks the framing of a dump, kept until hprof_next() can
 * tell it
 *
 * Private to lib/.
 */
#ifndef HP_LIB_PROBLEMS_H
#define HP_LIB_PROBLEMS_H

#include "lib/hprof_reader.h"

/* Of the reader below: keeps what costs something of the dump. */
void hp_reader_note_problem(void *ctx, const struct hp_problem *p);

/* A failure with the words in which all programs tell a symptom. */
enum hp_status hp_reader_fail_symptom(const struct hp_symptom *s,
				      enum hp_status st, struct hp_error *err);

/* The problem that was kept, as a failure; it is told once. */
enum hp_status hp_reader_tell_problem(struct hprof_reader *r,
				      struct hp_error *err);

#endif
