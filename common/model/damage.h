/*
 * damage.h - what in a dump cannot be what it claims, for all programs
 *
 * A symptom is one such place: the rule it breaks and where. The functions
 * here decide what is one; hprof-validate makes findings of them, hprof-diff
 * and hprof-convert keep the first of each rule (struct hp_damage) and refuse
 * the dump if one of them is damage (rules.def) in the dialect that the dump
 * turns out to have.
 */
#ifndef HP_MODEL_DAMAGE_H
#define HP_MODEL_DAMAGE_H

#include "common/format/heap.h"
#include "common/format/reader.h"
#include "common/model/instance_lengths.h"
#include "common/model/rules.h"
#include "common/model/tables.h"

struct hp_symptom {
	enum hp_rule rule;
	int8_t severity; /* enum hp_severity, or HP_SEVERITY_DEFAULT */
	uint8_t tag;	 /* of the record or sub-record */
	uint64_t offset; /* in the dump, of the record or sub-record */
	uint64_t line;	 /* of a text, from 1, and offset is the line's in it;
			    0: of a binary dump */
	/* Lengths or counts; what they are is the rule's, see damage.c. */
	uint64_t got, want;
};

/* ---- what is a symptom ---- */

/* A note of the input's compression is always one. */
struct hp_symptom hp_symptom_of_container(const struct hp_container_note *n);

/* The header; false: nothing is wrong with it. got: h->foreign. */
HP_MUST_USE bool hp_symptom_of_header(const struct hp_header *h,
				      struct hp_symptom *out);

/* A problem of the reader is always one. */
struct hp_symptom hp_symptom_of_problem(const struct hp_problem *p);

/**
 * hp_symptom_of_record() - a record's length against its fields
 * @body: as far as it is here
 *
 * Fixed-length: got and want are bytes. Counted-length: got is the count, want
 * the record's bytes. Returns: false: it can be so.
 */
HP_MUST_USE bool hp_symptom_of_record(const struct hp_record *rec,
				      const struct hp_cursor *body,
				      unsigned id_size, struct hp_symptom *out);

/**
 * hp_symptom_of_stop() - why a walk over sub-records ended
 * @it: where hp_heap_next() returned false
 *
 * Returns: false: at the end of the bytes, or in a sub-record that the input
 *          ends in, which is the record's symptom.
 */
HP_MUST_USE bool hp_symptom_of_stop(const struct hp_heap_iter *it,
				    struct hp_symptom *out);

/* More elements than Java can count? got: elements. */
HP_MUST_USE bool hp_symptom_of_array(const struct hp_sub *s,
				     struct hp_symptom *out);

/*
 * An object with id 0; an instance whose data are so long that the scan gives
 * it as a piece, without them: no class is as large. got: its bytes.
 */
HP_MUST_USE bool hp_symptom_of_object(const struct hp_sub *s,
				      struct hp_symptom *out);

/**
 * hp_symptom_of_class() - its instance size against its fields
 * @c: with its layout
 *
 * got: the instance size, want: the sum of the fields.
 */
HP_MUST_USE bool hp_symptom_of_class(const struct hp_class *c,
				     const struct hp_tables *tables,
				     struct hp_symptom *out);

/* Heap records and their ends, as far as they were met; zeroed at first. */
struct hp_heap_records {
	uint64_t records; /* of any kind */
	bool open;	  /* segments without their end so far */
	bool seen_dump, seen_segment;
};

/**
 * hp_heap_records_see() - the next record
 *
 * Returns: true: the segments of the dump before it have no end; @out.
 */
HP_MUST_USE bool hp_heap_records_see(struct hp_heap_records *h,
				     const struct hp_record *rec,
				     struct hp_symptom *out);

/*
 * The input has ended at @bytes: no record, no heap or no end. @problem: the
 * reader had one. False: nothing is missing.
 */
HP_MUST_USE bool hp_heap_records_end(const struct hp_heap_records *h,
				     uint64_t bytes, bool problem,
				     struct hp_symptom *out);

/* ---- the first symptom of each rule ---- */

/* A zeroed one has none. */
struct hp_damage {
	/*
	 * By whether the symptom itself says that it is an error ([1]), or
	 * the rule and the dialect do: one may come long after the other.
	 */
	bool found[2][HP_RULE_COUNT];
	struct hp_symptom first[2][HP_RULE_COUNT];
	/* the first one that is damage whatever the dialect */
	bool sure;
	struct hp_symptom surest;
};

/* Keep a symptom if it is one of damage, and the first of its rule. */
void hp_damage_note(struct hp_damage *d, const struct hp_symptom *s);
void hp_damage_merge(struct hp_damage *into, const struct hp_damage *from);

/* An object, or the head of an array or of an instance too long to be one. */
static inline void
hp_damage_object(struct hp_damage *d, const struct hp_sub *s)
{
	struct hp_symptom symptom;

	if (HP_UNLIKELY(s->id == 0 || !s->data) &&
	    hp_symptom_of_object(s, &symptom))
		hp_damage_note(d, &symptom);
	if (HP_UNLIKELY(s->count > INT32_MAX) &&
	    hp_symptom_of_array(s, &symptom))
		hp_damage_note(d, &symptom);
}

/* A dump is complete: its classes, and its instances' lengths. */
void hp_damage_classes(struct hp_damage *d, const struct hp_classes *classes,
		       const struct hp_tables *tables,
		       const struct hp_instance_lengths *lengths);

/* What the compression of a source that was read to its end has. */
void hp_damage_container(struct hp_damage *d, struct hp_source *src);

/**
 * hp_damage_first() - the damage of a dump, if there is any
 *
 * The compression's comes first, as the cause; then what stands first.
 * Returns: NULL: none; it lives as long as @d.
 */
const struct hp_symptom *hp_damage_first(const struct hp_damage *d,
					 enum hp_dialect dialect);

enum { HP_SYMPTOM_TEXT = 352, HP_SYMPTOM_PLACE = 32 };

/* "offset 123"; of a text "line 5". */
void hp_symptom_place(const struct hp_symptom *s, char text[HP_SYMPTOM_PLACE]);

/* For a message: what is wrong, with the rule's id, without the offset. */
void hp_symptom_text(const struct hp_symptom *s, char text[HP_SYMPTOM_TEXT]);

#endif
