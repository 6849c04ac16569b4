/*
 * format.h - the enums and const tables made from format.def
 *
 * Facts about the format only; nothing here reads a byte.
 */
#ifndef HP_FORMAT_FORMAT_H
#define HP_FORMAT_FORMAT_H

#include "common/base/status.h"

/* Field shapes; ID is as wide as the header says. */
enum hp_shape { HP_U1, HP_U2, HP_U4, HP_I4, HP_U8, HP_ID };

/* What a field defines or refers to. */
enum hp_role {
	HP_PLAIN,
	HP_COUNT, /* the number of rows, bytes or elements that follow */
	HP_TYPE,  /* a basic type code */
	HP_DEF_STRING,
	HP_REF_STRING,
	HP_REF_STRING_OR_NONE, /* 0 says that there is none */
	HP_DEF_CLASS_SERIAL,
	HP_REF_CLASS_SERIAL,
	HP_LOAD_CLASS, /* the class object that a LOAD CLASS announces */
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

/* What follows a record's fields; see format.def. */
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
	const char *name; /* the contract's name; NULL: no such tag */
	uint8_t tag;
	enum hp_ending ending;
	/* ended by the first one without a name */
	struct hp_field_desc fields[HP_MAX_FIELDS + 1];
};

/*
 * Bytes of a record's fields without what follows them, by hp_widen(id size)
 * and tag: of the body of a top-level record; of a sub-record including its
 * one-byte tag. 0 in hp_subrecord_fixed: no such tag.
 */
extern const uint8_t hp_record_fixed[2][256];
extern const uint8_t hp_subrecord_fixed[2][256];

/* Which of the two id sizes: the first index of the tables above. */
static inline unsigned
hp_widen(unsigned id_size)
{
	return id_size == 8;
}

/* Bytes of a shape for an id size. */
static inline unsigned
hp_shape_size(enum hp_shape shape, unsigned id_size)
{
	static const uint8_t sizes[] = {1, 2, 4, 4, 8};

	return shape == HP_ID ? id_size : sizes[shape];
}

/* Bytes of a row of ALLOC SITES, of CPU SAMPLES. */
enum { HP_SITE_ROW = 25, HP_SAMPLE_ROW = 8 };

/* Bytes of a row behind a record's fields; 0: there are none. */
static inline unsigned
hp_row_size(enum hp_ending ending, unsigned id_size)
{
	return ending == HP_ENDS_FRAME_IDS     ? id_size
	       : ending == HP_ENDS_SITE_ROWS   ? HP_SITE_ROW
	       : ending == HP_ENDS_SAMPLE_ROWS ? HP_SAMPLE_ROW
					       : 0;
}

extern const struct hp_record_desc hp_records[256]; /* by tag */

/* The description of a top-level tag; NULL for an unknown one. */
static inline const struct hp_record_desc *
hp_record_desc(uint8_t tag)
{
	return hp_records[tag].name ? &hp_records[tag] : NULL;
}

/*
 * Has a record or sub-record a name for users? Not if there is no such tag, nor
 * for the two that no writer known has: only their tags say what they are.
 */
static inline bool
hp_record_is_named(const struct hp_record_desc *d)
{
	return d && d->ending != HP_ENDS_OPAQUE;
}

enum {
	/* hprof-analyzer adds such a record to a dump that it redacted. */
	HP_TAG_REDACTION = 0xDE,
	HP_REDACTION_SIGNATURE = 12, /* bytes of its body that tell it */
	HP_REDACTION_LONGEST = 4096, /* bytes of a body; more are no marker */
};

/*
 * Is the record a marker of a redacted dump? @body: its first @n bytes, of
 * @length; HP_REDACTION_SIGNATURE are enough. Another record with that tag is
 * unknown. A long one is, too: it might hold what should not be shared.
 */
bool hp_is_redaction(uint8_t tag, uint32_t length, const uint8_t *body,
		     size_t n);

/* The description of a heap sub-record's tag; NULL for an unknown one. */
const struct hp_record_desc *hp_subrecord_desc(uint8_t tag);
/* The rows of ALLOC SITES and CPU SAMPLES. */
const struct hp_record_desc *hp_site_row(void);
const struct hp_record_desc *hp_sample_row(void);

/* Is it a tag of Android's writers only? */
static inline bool
hp_subrecord_is_android(uint8_t tag)
{
	return (tag >= 0x89 && tag <= 0x90) || tag == 0xC3 || tag == 0xFE;
}

/* Is it a root? UNREACHABLE is none: it says the contrary. */
bool hp_subrecord_is_root(uint8_t tag);

/* A root that is on some thread's stack, whose serial it has? */
static inline bool
hp_subrecord_is_local(uint8_t tag)
{
	return tag == HP_SUB_ROOT_JNI_LOCAL || tag == HP_SUB_ROOT_JAVA_FRAME ||
	       tag == HP_SUB_ROOT_NATIVE_STACK ||
	       tag == HP_SUB_ROOT_THREAD_BLOCK ||
	       tag == HP_SUB_ROOT_JNI_MONITOR;
}

/* Is @tag that of a sub-record which is an object: instance, array, class? */
static inline bool
hp_subrecord_is_object(uint8_t tag)
{
	return (tag >= HP_SUB_CLASS_DUMP &&
		tag <= HP_SUB_PRIMITIVE_ARRAY_DUMP) ||
	       tag == HP_SUB_PRIMITIVE_ARRAY_NODATA;
}

/* Basic types. 1 is read as an object (the agent's internal enum has it). */
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

/* Bytes of a value of a type; 0 for a code that is no type. */
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

/* May an array of primitives have elements of this type? */
static inline bool
hp_type_is_primitive(unsigned type)
{
	return type >= HP_TYPE_BOOLEAN && type < HP_TYPE_END;
}

/* "int", "boolean" ...; "object" for references; NULL if it is no type. */
const char *hp_type_name(unsigned type);

/* The primitive type of a descriptor's letter, as 'I' of int; 0: of none. */
unsigned hp_type_of_letter(char letter);

/* Bytes of the header whose text is among @n bytes, which may be fewer: text, a
 * NUL, u4 id size, u8 milliseconds. 0: they begin no dump. */
unsigned hp_header_length(const uint8_t *p, size_t n);
/* The id size of a whole header of version 1.0.1 to 1.0.3; 0: it is none. */
unsigned hp_header_id_size(const uint8_t *p, size_t n);

/* Bytes from the start of a record's head to its body. */
enum { HP_HEAD_SIZE = 9 };

/* Sub-record heads up to where the instance bytes or elements begin. */
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
