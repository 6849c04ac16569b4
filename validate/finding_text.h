/*
 * finding_text.h - convert findings to text, with names from the tables
 *
 * The message template of a rule may have these placeholders. N is the number
 * of an argument of the finding:
 *   {u:N} {i:N}  an unsigned or a signed number    {x:N}  an id, 0x...
 *   {s:N}        "s" unless the number is 1        {field}  the field
 *   {class:N}    a class by id, as in Java source  {string:N}  a string by id
 *   {record:N} {sub:N}  the name of a tag          {type:N}  a basic type
 *   {guess:N}    the probable format of a file that is not a dump
 *   {N?a|b|...}  one of the texts: the number selects it, and the last one is
 *                for all larger numbers
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
