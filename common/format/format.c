/* format.c - the constant tables that are made from format.def */
#include "common/format/format.h"

#include "common/base/bytes.h"

#include <string.h>

#define FIELD(name, shape, role) {#name, HP_##shape, HP_##role},
#define RECORD(name, tag, ending, fields)                                      \
	[tag] = {#name, tag, HP_ENDS_##ending, {fields{0}}},
const struct hp_record_desc hp_records[256] = {
#include "common/format/format.def"
};

#define FIELD(name, shape, role) {#name, HP_##shape, HP_##role},
#define SUBRECORD(name, tag, ending, fields)                                   \
	[tag] = {#name, tag, HP_ENDS_##ending, {fields{0}}},
static const struct hp_record_desc subrecords[256] = {
#include "common/format/format.def"
};

#define FIELD(name, shape, role) {#name, HP_##shape, HP_##role},
#define ROW(name, fields) {#name, 0, HP_ENDS_NOTHING, {fields{0}}},
static const struct hp_record_desc rows[] = {
#include "common/format/format.def"
};

/*
 * The width in bytes of each type of field. The length of the fixed fields of a
 * record is the sum of the widths of their types.
 */
#define WIDTH_U1 1
#define WIDTH_U2 2
#define WIDTH_U4 4
#define WIDTH_I4 4
#define WIDTH_U8 8

#define FIELD(name, shape, role) +WIDTH_##shape
#define RECORD(name, tag, ending, fields) [tag] = 0 fields,
const uint8_t hp_record_fixed[2][256] = {
	{
#define WIDTH_ID 4
#include "common/format/format.def"
#undef WIDTH_ID
	},
	{
#define WIDTH_ID 8
#define FIELD(name, shape, role) +WIDTH_##shape
#define RECORD(name, tag, ending, fields) [tag] = 0 fields,
#include "common/format/format.def"
#undef WIDTH_ID
	},
};

#define FIELD(name, shape, role) +WIDTH_##shape
#define SUBRECORD(name, tag, ending, fields) [tag] = 1 fields,
const uint8_t hp_subrecord_fixed[2][256] = {
	{
#define WIDTH_ID 4
#include "common/format/format.def"
#undef WIDTH_ID
	},
	{
#define WIDTH_ID 8
#define FIELD(name, shape, role) +WIDTH_##shape
#define SUBRECORD(name, tag, ending, fields) [tag] = 1 fields,
#include "common/format/format.def"
#undef WIDTH_ID
	},
};

bool
hp_is_redaction(uint8_t tag, uint32_t length, const uint8_t *body, size_t n)
{
	return tag == HP_TAG_REDACTION && length <= HP_REDACTION_LONGEST &&
	       length >= HP_REDACTION_SIGNATURE &&
	       n >= HP_REDACTION_SIGNATURE &&
	       memcmp(body, "HPROF-REDACT", HP_REDACTION_SIGNATURE) == 0;
}

const struct hp_record_desc *
hp_subrecord_desc(uint8_t tag)
{
	return subrecords[tag].name ? &subrecords[tag] : NULL;
}

const struct hp_record_desc *
hp_site_row(void)
{
	return &rows[0];
}

const struct hp_record_desc *
hp_sample_row(void)
{
	return &rows[1];
}

bool
hp_subrecord_is_root(uint8_t tag)
{
	const struct hp_record_desc *d = hp_subrecord_desc(tag);

	return d && d->fields[0].role == HP_ROOT && tag != HP_SUB_UNREACHABLE;
}

unsigned
hp_header_length(const uint8_t *p, size_t n)
{
	const uint8_t *nul = memchr(p, 0, n < 32 ? n : 32);

	return nul && nul >= p + 13 && memcmp(p, "JAVA PROFILE ", 13) == 0
		       ? (unsigned)(nul - p) + 13
		       : 0;
}

unsigned
hp_header_id_size(const uint8_t *p, size_t n)
{
	uint32_t id_size = 0;

	if (n >= 31 && hp_header_length(p, n) == 31 &&
	    memcmp(p + 13, "1.0.", 4) == 0 && p[17] >= '1' && p[17] <= '3')
		id_size = hp_load4(p + 19);
	return id_size == 4 || id_size == 8 ? id_size : 0;
}

const char *
hp_type_name(unsigned type)
{
	static const char *const names[HP_TYPE_END] = {
		NULL,	 "object", "object", NULL,    "boolean", "char",
		"float", "double", "byte",   "short", "int",	 "long"};

	return type < HP_TYPE_END ? names[type] : NULL;
}

unsigned
hp_type_of_letter(char letter)
{
	/*
	 * The letters that stand for types in a descriptor, in the order of
	 * enum hp_type, beginning with boolean.
	 */
	static const char letters[] = "ZCFDBSIJ";
	const char *p = letter ? strchr(letters, letter) : NULL;

	return p ? HP_TYPE_BOOLEAN + (unsigned)(p - letters) : 0;
}
