/*
 * finding_text.h - findings as text, with names from the tables
 *
 * A rule's template holds in braces, N being the number of an argument:
 *   {u:N} {i:N}  a number, unsigned or signed      {x:N}  an id, 0x...
 *   {s:N}        "s" unless the number is 1        {field}  the place
 *   {class:N}    a class by id, as in Java source  {string:N}  a string by id
 *   {record:N} {sub:N}  a tag by name              {type:N}  a basic type
 *   {guess:N}  what a file is that is no dump
 *   {N?a|b|...}  one of the texts, the last for all larger numbers
 */
#ifndef HP_VALIDATE_FINDING_TEXT_H
#define HP_VALIDATE_FINDING_TEXT_H

#include "common/base/buf.h"
#include "common/model/tables.h"
#include "validate/finding.h"
#include "validate/load_history.h"

/*
 * How names are shown: whole up to HP_NAME_MOST bytes and then with a hash, or
 * only their first bytes, where findings are so many that long names would
 * make a result far larger than its dump.
 */
struct hp_naming {
	const struct hp_tables *tables;	     /* may be NULL */
	const struct hp_load_history *loads; /* of these tables */
	bool brief;
};

/* The message, in the visible form. */
void hp_finding_message(struct hp_buf *out, const struct hp_finding *f,
			const struct hp_naming *names);

/* The field, in the visible form; nothing if the finding has none. */
void hp_finding_field(struct hp_buf *out, const struct hp_finding *f,
		      const struct hp_naming *names);

/* The contract's names of tags; unknown ones are "0x77". */
void hp_record_name(struct hp_buf *out, uint8_t tag);
void hp_subrecord_name(struct hp_buf *out, uint8_t tag);

#endif
