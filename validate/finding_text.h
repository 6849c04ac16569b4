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
 * How to show names. By default the whole name, or, beyond HP_NAME_MOST bytes,
 * the beginning with a hash. @brief: show only the first bytes, because with
 * very many findings long names would make the result far larger than the dump.
 */
struct hp_naming {
	const struct hp_tables *tables;	     /* may be NULL */
	const struct hp_load_history *loads; /* the history of these tables */
	bool brief;
};

/* Append the message of a finding, with control characters escaped. */
void hp_finding_message(struct hp_buf *out, const struct hp_finding *f,
			const struct hp_naming *names);

/*
 * Append the name of the field, with control characters escaped. Appends
 * nothing if the finding has no field.
 */
void hp_finding_field(struct hp_buf *out, const struct hp_finding *f,
		      const struct hp_naming *names);

/* Append the official name of a tag. Unknown tags are shown as "0x77". */
void hp_record_name(struct hp_buf *out, uint8_t tag);
void hp_subrecord_name(struct hp_buf *out, uint8_t tag);

#endif
