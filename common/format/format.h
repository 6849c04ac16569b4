/*
 * format.h - enums and constant tables that are made from format.def
 *
 * This file contains only facts about the format. It has no code that reads
 * dumps.
 */
#ifndef HP_FORMAT_FORMAT_H
#define HP_FORMAT_FORMAT_H

#include "common/base/status.h"

/*
 * The type and size of a field: U is unsigned, I is signed; the number is the
 * size in bytes. HP_ID is an id, whose size (4 or 8 bytes) is stated in the
 * file header.
 */
enum hp_shape { HP_U1, HP_U2, HP_U4, HP_I4, HP_U8, HP_ID };

/*
 * The meaning of the value of a field, for example a definition, a count, or a
 * reference.
 */
enum hp_role {
	HP_PLAIN,
	/*
	 * The field is the number of rows, bytes or elements that follow the
	 * fixed fields.
	 */
	HP_COUNT,
	/*
	 * the field is the code of a type: a primitive type such as int, or
	 * "object"
	 */
	HP_TYPE,
	HP_DEF_STRING,
	HP_REF_STRING,
	/* the field is the id of a string; 0 means that there is none */
	HP_REF_STRING_OR_NONE,
	HP_DEF_CLASS_SERIAL,
	HP_REF_CLASS_SERIAL,
	/*
	 * the field is the id of the class object; only in LOAD CLASS records
	 */
	HP_LOAD_CLASS,
	HP_DEF_FRAME,
	HP_DEF_TRACE,
	HP_REF_TRACE,
	HP_DEF_THREAD,
	HP_REF_THREAD,
	HP_DEF_OBJECT,
	HP_REF_OBJECT,
	HP_REF_CLASS,
	HP_ROOT,
};

/*
 * The kind of data that follows the fixed fields of a record, for example a
 * text or rows; see format.def.
 */
enum hp_ending {
	HP_ENDS_NOTHING,
	HP_ENDS_TEXT,
	HP_ENDS_FRAME_IDS,
	HP_ENDS_SITE_ROWS,
	HP_ENDS_SAMPLE_ROWS,
	HP_ENDS_HEAP,
	HP_ENDS_OPAQUE,
	HP_ENDS_CLASS_TABLES,
	HP_ENDS_FIELD_BYTES,
	HP_ENDS_ELEMENT_IDS,
	HP_ENDS_ELEMENTS,
};

#define RECORD(name, tag, ending, fields) HP_REC_##name = tag,
enum hp_record_tag {
#include "common/format/format.def"
};

#define SUBRECORD(name, tag, ending, fields) HP_SUB_##name = tag,
enum hp_subrecord_tag {
#include "common/format/format.def"
};

enum { HP_MAX_FIELDS = 9 };

struct hp_field_desc {
	const char *name;
	enum hp_shape shape;
	enum hp_role role;
};

struct hp_record_desc {
	/*
	 * the name of the record in messages and results; NULL: the tag does
	 * not exist
	 */
	const char *name;
	uint8_t tag;
	enum hp_ending ending;
	/* the fixed fields; the list ends with a field without a name */
	struct hp_field_desc fields[HP_MAX_FIELDS + 1];
};

/*
 * The size in bytes of all fixed fields of a record together. The first index
 * is hp_widen(id size), the second is the tag. hp_record_fixed counts the
 * fields in the body of a top-level record. hp_subrecord_fixed counts the tag
 * and the fields of a sub-record; 0: no sub-record has this tag.
 */
extern const uint8_t hp_record_fixed[2][256];
extern const uint8_t hp_subrecord_fixed[2][256];

/*
 * Returns the first index of the tables hp_record_fixed and hp_subrecord_fixed:
 * 0 for ids of 4 bytes, 1 for ids of 8 bytes.
 */
static inline unsigned
hp_widen(unsigned id_size)
{
	return id_size == 8;
}

/* Returns the size of a field in bytes. */
static inline unsigned
hp_shape_size(enum hp_shape shape, unsigned id_size)
{
	static const uint8_t sizes[] = {1, 2, 4, 4, 8};

	return shape == HP_ID ? id_size : sizes[shape];
}

/* The length in bytes of one row of the records ALLOC SITES and CPU SAMPLES. */
enum { HP_SITE_ROW = 25, HP_SAMPLE_ROW = 8 };

/*
 * Returns the length in bytes of each row after the fixed fields of a record; 0
 * if a record with this ending has no rows.
 */
static inline unsigned
hp_row_size(enum hp_ending ending, unsigned id_size)
{
	return ending == HP_ENDS_FRAME_IDS     ? id_size
	       : ending == HP_ENDS_SITE_ROWS   ? HP_SITE_ROW
	       : ending == HP_ENDS_SAMPLE_ROWS ? HP_SAMPLE_ROW
					       : 0;
}

/* descriptions of the records, indexed by tag */
extern const struct hp_record_desc hp_records[256];

/* Returns the description of a top-level record; NULL for an unknown tag. */
static inline const struct hp_record_desc *
hp_record_desc(uint8_t tag)
{
	return hp_records[tag].name ? &hp_records[tag] : NULL;
}

/*
 * Whether messages show the name of a record or sub-record. They show only the
 * tag if the tag is unknown, and for two kinds of records that no known program
 * writes.
 */
static inline bool
hp_record_is_named(const struct hp_record_desc *d)
{
	return d && d->ending != HP_ENDS_OPAQUE;
}

enum {
	/*
	 * The tag of a record that marks a redacted dump. The program
	 * hprof-analyzer adds it when it redacts a dump.
	 */
	HP_TAG_REDACTION = 0xDE,
	/*
	 * The body of the record that marks a redacted dump starts with a
	 * signature of this many bytes.
	 */
	HP_REDACTION_SIGNATURE = 12,
	/*
	 * maximum length in bytes of the body of the record that marks a
	 * redacted dump
	 */
	HP_REDACTION_LONGEST = 4096,
};

/*
 * Whether a record marks a redacted dump. @body: the first @n bytes of the body
 * of the record, which has @length bytes; it suffices that @n is
 * HP_REDACTION_SIGNATURE. A record with the same tag but another signature is
 * an unknown record. A record that is too long is also an unknown record,
 * because it might contain data that should not be shared.
 */
bool hp_is_redaction(uint8_t tag, uint32_t length, const uint8_t *body,
		     size_t n);

/* Returns the description of a heap sub-record; NULL for an unknown tag. */
const struct hp_record_desc *hp_subrecord_desc(uint8_t tag);
/* Return the descriptions of the rows of ALLOC SITES and of CPU SAMPLES. */
const struct hp_record_desc *hp_site_row(void);
const struct hp_record_desc *hp_sample_row(void);

/* Whether only Android writes sub-records with this tag. */
static inline bool
hp_subrecord_is_android(uint8_t tag)
{
	return (tag >= 0x89 && tag <= 0x90) || tag == 0xC3 || tag == 0xFE;
}

/*
 * Whether a sub-record with this tag is a root. The sub-record UNREACHABLE is
 * not a root: it marks an object that is not reachable.
 */
bool hp_subrecord_is_root(uint8_t tag);

/*
 * Whether a sub-record with this tag is a root on the stack of a thread. The
 * sub-record then contains the serial number of the thread.
 */
static inline bool
hp_subrecord_is_local(uint8_t tag)
{
	return tag == HP_SUB_ROOT_JNI_LOCAL || tag == HP_SUB_ROOT_JAVA_FRAME ||
	       tag == HP_SUB_ROOT_NATIVE_STACK ||
	       tag == HP_SUB_ROOT_THREAD_BLOCK ||
	       tag == HP_SUB_ROOT_JNI_MONITOR;
}

/*
 * Whether a sub-record with this tag is an object: an instance, an array or a
 * class.
 */
static inline bool
hp_subrecord_is_object(uint8_t tag)
{
	return (tag >= HP_SUB_CLASS_DUMP &&
		tag <= HP_SUB_PRIMITIVE_ARRAY_DUMP) ||
	       tag == HP_SUB_PRIMITIVE_ARRAY_NODATA;
}

/*
 * The codes of types of fields and array elements. HP_TYPE_ARRAY exists only in
 * an internal enum of the HPROF agent; it is treated like HP_TYPE_OBJECT.
 */
enum hp_type {
	HP_TYPE_ARRAY = 1,
	HP_TYPE_OBJECT = 2,
	HP_TYPE_BOOLEAN = 4,
	HP_TYPE_CHAR = 5,
	HP_TYPE_FLOAT = 6,
	HP_TYPE_DOUBLE = 7,
	HP_TYPE_BYTE = 8,
	HP_TYPE_SHORT = 9,
	HP_TYPE_INT = 10,
	HP_TYPE_LONG = 11,
	HP_TYPE_END = 12,
};

/*
 * Returns the number of bytes of a value of the type; 0 for an invalid type
 * code.
 */
static inline unsigned
hp_type_size(unsigned type, unsigned id_size)
{
	static const uint8_t sizes[HP_TYPE_END] = {0, 0, 0, 0, 1, 2,
						   4, 8, 1, 2, 4, 8};

	if (type >= HP_TYPE_END)
		return 0;
	return type == HP_TYPE_OBJECT || type == HP_TYPE_ARRAY ? id_size
							       : sizes[type];
}

static inline bool
hp_type_is_reference(unsigned type)
{
	return type == HP_TYPE_OBJECT || type == HP_TYPE_ARRAY;
}

/* Whether the type can be the element type of a primitive array. */
static inline bool
hp_type_is_primitive(unsigned type)
{
	return type >= HP_TYPE_BOOLEAN && type < HP_TYPE_END;
}

/*
 * Returns the name of the type, such as "int"; "object" for references; NULL
 * for an invalid type code.
 */
const char *hp_type_name(unsigned type);

/*
 * Returns the primitive type for the letter of a descriptor, such as 'I' for
 * int; 0 if there is no such type.
 */
unsigned hp_type_of_letter(char letter);

/*
 * Returns the length in bytes of the file header: a text, a NUL, the id size
 * (u4) and the time in milliseconds (u8). Only the text and its NUL must be
 * within the @n bytes at @p. Returns 0 if this is not the header of a dump.
 */
unsigned hp_header_length(const uint8_t *p, size_t n);
/*
 * Returns the id size (4 or 8) that a file header states. @p: the complete
 * header. If it is not a valid header of version 1.0.1 to 1.0.3, returns 0.
 */
unsigned hp_header_id_size(const uint8_t *p, size_t n);

/* The length in bytes of a record header: tag, time and length. */
enum { HP_HEAD_SIZE = 9 };

/*
 * Functions that return the length in bytes of the fixed fields of some
 * sub-records, including the tag. After these, an instance has the values of
 * its fields, and an array has its elements.
 */
static inline unsigned
hp_instance_head(unsigned id_size)
{
	return 9 + 2 * id_size;
}

static inline unsigned
hp_object_array_head(unsigned id_size)
{
	return 9 + 2 * id_size;
}

static inline unsigned
hp_primitive_array_head(unsigned id_size)
{
	return 10 + id_size;
}

#endif
