/*
 * hprof.h - libhprof: read heap dumps of JVMs and Android
 *
 * There are three ways to read a dump:
 *
 *   hprof_histogram_read() counts the objects and bytes of each class, in one
 *                          call.
 *   hprof_check_read()     applies the rules of hprof-validate, in one call.
 *   hprof_open() and hprof_next()
 *                          return every record and sub-record, decoded, one at
 *                          a time.
 *
 * The input may be a plain, gzip, zstd or packed dump, or a zip or tar archive,
 * of which the first dump is read. The library detects the format by its
 * content, not by the file name. The path "-" means standard input.
 *
 * The library prints nothing, never ends the process, installs no signal
 * handler and keeps no state of its own between calls. Different threads may
 * use different objects at the same time; only one thread at a time may use the
 * same object. The threads that the library starts block every signal except
 * those that a fault of the thread itself raises: SIGBUS, SIGFPE, SIGILL and
 * SIGSEGV.
 *
 * Structures that the caller fills begin with their size, so that compiled
 * programs continue to work with later versions. Structures that the library
 * fills only ever get new members at their end.
 *
 * Pointers must not be NULL unless the description of the function allows it.
 * The manual page hprof(3) has a list.
 */
#ifndef HPROF_H
#define HPROF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HPROF_VERSION_MAJOR 0
#define HPROF_VERSION_MINOR 2
#define HPROF_VERSION_PATCH 0
#define HPROF_VERSION_NUMBER                                                   \
	(HPROF_VERSION_MAJOR * 10000 + HPROF_VERSION_MINOR * 100 +             \
	 HPROF_VERSION_PATCH)

#if defined(__GNUC__)
#define HPROF_API __attribute__((visibility("default")))
#else
#define HPROF_API
#endif

/**
 * hprof_version_number() returns the version of the library at run time, as a
 * number like HPROF_VERSION_NUMBER. hprof_version_string() returns it as text,
 * for example "0.2.0".
 */
HPROF_API int hprof_version_number(void);
HPROF_API const char *hprof_version_string(void);

/* --- results of calls ----------------------------------------------------- */

/**
 * The result of a call of a library function. 0 and above mean success,
 * negative values mean failure. The number of each value stays the same in
 * later versions of the library.
 */
enum hprof_status {
	HPROF_OK = 0,
	/* success, but there is no further record or sub-record to return */
	HPROF_END = 1,
	/* the dump ends inside the record or sub-record */
	HPROF_TRUNCATED = -1,
	HPROF_DAMAGED = -2,   /* the bytes of the dump contradict the format */
	HPROF_NO_MEMORY = -3, /* memory could not be allocated */
	HPROF_IO = -4,	      /* the system failed to open or read the file */
	/* the limit options.max_size or options.memory is too small */
	HPROF_LIMIT = -5,
	/* the library cannot read this dump or input with this function */
	HPROF_UNSUPPORTED = -6,
	HPROF_ARGUMENT = -7, /* an argument of the call is invalid */
	/* the class, field, object or dump does not exist */
	HPROF_NOT_FOUND = -8,
};

/**
 * Returns a constant text that describes the meaning of a value of enum
 * hprof_status.
 */
HPROF_API const char *hprof_strerror(int status);

/**
 * Describes why one call failed. The parameter @error of any function may be
 * NULL, if the caller does not need the description. Otherwise the call always
 * sets the structure, also on success. The texts are those of the command-line
 * programs. So "--memory" and "--max-size" in a text mean the options `memory`
 * and `max_size` of struct hprof_options.
 */
struct hprof_error {
	/*
	 * the value that the call returned; for hprof_check_read(), the reason
	 * why the verdict is HPROF_UNREADABLE
	 */
	int status;
	char text[500]; /* the description, in one line; "" if there is none */
};

/* --- options -------------------------------------------------------------- */

enum hprof_flags {
	/*
	 * Map plain files into memory instead of reading them, which is about
	 * 10% faster. If another process shortens the file during the call, the
	 * calling process gets the signal SIGBUS.
	 */
	HPROF_MAP = 1,
};

/**
 * The options of a call. Initialise the structure with HPROF_OPTIONS_INIT, then
 * change single members.
 */
struct hprof_options {
	/* sizeof(struct hprof_options), set by HPROF_OPTIONS_INIT */
	size_t size;
	unsigned threads; /* worker threads; 0: one for each processor */
	/*
	 * The number of the dump to read, from 1, if the file contains several
	 * dumps. 0 means the last dump for a histogram and all dumps for the
	 * other functions.
	 */
	unsigned dump;
	/*
	 * Upper limit of the memory to use, in bytes. 0 means three quarters of
	 * the free memory.
	 */
	uint64_t memory;
	/*
	 * Fail if the unpacked dump is larger than this, in bytes. 0 means no
	 * limit.
	 */
	uint64_t max_size;
	unsigned flags;	   /* bits of enum hprof_flags, combined with | */
	unsigned reserved; /* reserved: must be 0 */
};
#define HPROF_OPTIONS_INIT                                                     \
	{                                                                      \
		sizeof(struct hprof_options), 0, 0, 0, 0, 0, 0                 \
	}

/* --- class histogram ------------------------------------------------------ */

typedef struct hprof_histogram hprof_histogram;

/**
 * hprof_histogram_read() - count the objects of each class
 * @path:    a file, or "-" for standard input
 * @options: NULL for the defaults of HPROF_OPTIONS_INIT
 * @out:     the histogram, set on HPROF_OK
 *
 * Bytes are shallow sizes. They follow the memory layout that the dump shows
 * (size of references, headers, alignment), and are equal to those of
 * hprof-diff. Rows are sorted by bytes, largest first, then by name. From a
 * damaged dump the function counts what it can read: see
 * hprof_histogram_partial().
 *
 * Returns: HPROF_OK; HPROF_DAMAGED (not a dump, or no heap in the dump);
 *          HPROF_NOT_FOUND (the file does not contain the dump options.dump);
 *          HPROF_IO, HPROF_LIMIT, HPROF_NO_MEMORY, HPROF_ARGUMENT.
 * Ownership: hprof_histogram_free() frees the histogram and all its texts.
 */
HPROF_API int hprof_histogram_read(const char *path,
				   const struct hprof_options *options,
				   hprof_histogram **out,
				   struct hprof_error *error);
HPROF_API void hprof_histogram_free(hprof_histogram *h);

/**
 * hprof_histogram_rows() returns the number of rows. The other three functions
 * return the class name, the number of objects and the bytes of row @i, counted
 * from 0. If there is no row @i, they return NULL or 0. Names are UTF-8 and
 * spelled as in Java source, with control characters escaped.
 */
HPROF_API size_t hprof_histogram_rows(const hprof_histogram *h);
HPROF_API const char *hprof_histogram_class(const hprof_histogram *h, size_t i);
HPROF_API uint64_t hprof_histogram_count(const hprof_histogram *h, size_t i);
HPROF_API uint64_t hprof_histogram_bytes(const hprof_histogram *h, size_t i);

/**
 * hprof_histogram_objects() returns the number of objects in all rows,
 * hprof_histogram_total_bytes() the number of bytes in all rows.
 */
HPROF_API uint64_t hprof_histogram_objects(const hprof_histogram *h);
HPROF_API uint64_t hprof_histogram_total_bytes(const hprof_histogram *h);

/**
 * Returns NULL if the dump is complete. Otherwise returns a text that describes
 * which part of the dump is damaged or missing.
 */
HPROF_API const char *hprof_histogram_partial(const hprof_histogram *h);

/**
 * Returns the short name of the program that wrote the dump: "hotspot", "art",
 * "agent", "unknown" ...
 */
HPROF_API const char *hprof_histogram_dialect(const hprof_histogram *h);

/* --- validation ----------------------------------------------------------- */

typedef struct hprof_check hprof_check;

enum hprof_level {
	HPROF_FRAMING = 0,    /* check only the lengths and tags of records */
	HPROF_REFERENCES = 1, /* also check every reference */
	HPROF_GRAPH = 2,      /* also check rules that need the object graph */
};

enum hprof_severity { HPROF_ERROR = 0, HPROF_WARNING = 1, HPROF_INFO = 2 };

enum hprof_verdict { HPROF_VALID = 0, HPROF_INVALID = 1, HPROF_UNREADABLE = 2 };

/**
 * hprof_check_read() - apply the rules of hprof-validate to a dump
 * @level: how much to check, a value of enum hprof_level
 * @out:   the result, set on HPROF_OK
 *
 * Returns: HPROF_OK, regardless of what the rules find; HPROF_NO_MEMORY,
 *          HPROF_ARGUMENT. The result is also HPROF_OK, with the verdict
 *          HPROF_UNREADABLE, if the file cannot be read, does not contain the
 *          dump options.dump, or exceeds options.memory or options.max_size. In
 *          that case the status in @error is the reason (HPROF_IO,
 *          HPROF_NOT_FOUND, HPROF_LIMIT ...).
 * Ownership: hprof_check_free() frees the result and all its texts.
 */
HPROF_API int hprof_check_read(const char *path,
			       const struct hprof_options *options, int level,
			       hprof_check **out, struct hprof_error *error);
HPROF_API void hprof_check_free(hprof_check *c);

/** Returns the verdict about the dump, a value of enum hprof_verdict. */
HPROF_API int hprof_check_verdict(const hprof_check *c);
/**
 * Returns the number of findings with a severity of enum hprof_severity; 0 for
 * other values of @severity.
 */
HPROF_API uint64_t hprof_check_total(const hprof_check *c, int severity);
/**
 * These functions return the number of references that were checked, how many
 * of them are null, and how many refer to an object that is not in the dump.
 * All are 0 at the level HPROF_FRAMING.
 */
HPROF_API uint64_t hprof_check_references(const hprof_check *c);
HPROF_API uint64_t hprof_check_null(const hprof_check *c);
HPROF_API uint64_t hprof_check_dangling(const hprof_check *c);

/**
 * One row for each severity of each rule that found something.
 * hprof_check_rows() returns the number of rows; the other functions return the
 * rule, the severity and the number of findings of row @i. If there is no row
 * @i, the rule is NULL, the number is 0 and the severity is HPROF_INFO.
 */
HPROF_API size_t hprof_check_rows(const hprof_check *c);
HPROF_API const char *hprof_check_rule(const hprof_check *c, size_t i);
HPROF_API int hprof_check_severity(const hprof_check *c, size_t i);
HPROF_API uint64_t hprof_check_count(const hprof_check *c, size_t i);
/**
 * Examples of the findings of row @i: the first ones in the dump, at most five.
 * hprof_check_examples() returns how many there are. The other two functions
 * return the offset in the dump and the description of example @k.
 */
HPROF_API size_t hprof_check_examples(const hprof_check *c, size_t i);
HPROF_API uint64_t hprof_check_example_offset(const hprof_check *c, size_t i,
					      size_t k);
HPROF_API const char *hprof_check_example_text(const hprof_check *c, size_t i,
					       size_t k);
/**
 * Texts about checks that the library left out, because of the memory limit or
 * because the input did not allow them. hprof_check_limits() returns how many
 * texts there are, hprof_check_limit() returns text @i.
 */
HPROF_API size_t hprof_check_limits(const hprof_check *c);
HPROF_API const char *hprof_check_limit(const hprof_check *c, size_t i);

/* --- records one at a time ------------------------------------------------ */

typedef struct hprof_reader hprof_reader;

/** The contents of the file's header. */
struct hprof_header {
	/* the version text of the file, such as "JAVA PROFILE 1.0.2" */
	const char *version;
	uint32_t id_size; /* size of an object id in bytes: 4 or 8 */
	uint64_t time_ms; /* creation time, in ms since 1970-01-01 UTC */
	/*
	 * The outermost compression or archive format: "none", "gzip", "zstd",
	 * "pack", "zip" or "tar".
	 */
	const char *compression;
};

/**
 * The basic types. The numbers are the type codes of the HPROF format. Some
 * writers use code 1 for objects; the library returns 2 instead.
 */
enum hprof_type {
	HPROF_TYPE_OBJECT = 2,
	HPROF_TYPE_BOOLEAN = 4,
	HPROF_TYPE_CHAR = 5,
	HPROF_TYPE_FLOAT = 6,
	HPROF_TYPE_DOUBLE = 7,
	HPROF_TYPE_BYTE = 8,
	HPROF_TYPE_SHORT = 9,
	HPROF_TYPE_INT = 10,
	HPROF_TYPE_LONG = 11,
};

/**
 * Returns the size of a value of type @type in bytes. @id_size is the size of
 * an object id. Returns 0 if @type is not in enum hprof_type.
 */
HPROF_API size_t hprof_type_size(int type, uint32_t id_size);

/**
 * The value of a static field or constant: an object id, or the bits of a
 * primitive value in the low bits.
 */
struct hprof_value {
	/*
	 * id of the string with the field's name; 0 for an entry of a constant
	 * pool
	 */
	uint64_t name_id;
	/*
	 * The value of a static field or constant. 0 in lists of instance
	 * fields, because a class has no values for them.
	 */
	uint64_t value;
	/* index of an entry of the constant pool; 0 for a field */
	uint16_t index;
	uint8_t type; /* the type of the value, a value of enum hprof_type */
};

/** A row of an ALLOC SITES record. */
struct hprof_site {
	uint32_t class_serial, trace_serial;
	uint32_t live_bytes, live_instances;
	uint32_t allocated_bytes, allocated_instances;
	/*
	 * Type of the array's elements, 2 for references; 0 if the class is not
	 * an array.
	 */
	uint8_t array_kind;
};

/** A row of a CPU SAMPLES record. */
struct hprof_sample {
	uint32_t samples, trace_serial;
};

/**
 * The kinds of records and sub-records. Each comment gives the name of the
 * record in the format, and the member of the union in struct hprof_item that
 * the library sets for this kind.
 */
enum hprof_kind {
	HPROF_STRING = 1,   /* STRING; sets item->string */
	HPROF_LOAD_CLASS,   /* LOAD CLASS; sets item->load_class */
	HPROF_UNLOAD_CLASS, /* UNLOAD CLASS; sets item->number.serial */
	HPROF_STACK_FRAME,  /* STACK FRAME; sets item->frame */
	HPROF_STACK_TRACE,  /* STACK TRACE; sets item->trace */
	HPROF_START_THREAD, /* START THREAD; sets item->thread */
	HPROF_END_THREAD,   /* END THREAD; sets item->number.serial */
	HPROF_ALLOC_SITES,  /* ALLOC SITES; sets item->sites */
	HPROF_HEAP_SUMMARY, /* HEAP SUMMARY; sets item->sites, without rows */
	HPROF_CPU_SAMPLES,  /* CPU SAMPLES; sets item->samples */
	HPROF_CONTROL_SETTINGS, /* CONTROL SETTINGS; sets item->settings */
	HPROF_HEAP_START, /* HEAP DUMP or HEAP DUMP SEGMENT; sets no member */
	HPROF_HEAP_END,	  /* HEAP DUMP END; sets no member */
	HPROF_OTHER,	  /* a record of unknown layout; sets item->bytes */
	HPROF_ROOT,  /* any root, and UNREACHABLE (tag 0x90); sets item->root */
	HPROF_CLASS, /* CLASS DUMP; sets item->class_dump */
	HPROF_INSTANCE,	    /* INSTANCE DUMP; sets item->object */
	HPROF_OBJECT_ARRAY, /* OBJECT ARRAY DUMP; sets item->object */
	/*
	 * PRIMITIVE ARRAY DUMP, and Android's variant of it without the
	 * elements; sets item->object
	 */
	HPROF_PRIMITIVE_ARRAY,
	HPROF_HEAP_INFO, /* HEAP DUMP INFO (Android); sets item->heap_info */
};

/**
 * One record or sub-record. All pointers in it stay valid until the next call
 * with the same reader.
 */
struct hprof_item {
	/* the kind of the record or sub-record, a value of enum hprof_kind */
	int kind;
	uint8_t tag; /* the tag byte of the record or sub-record in the file */
	/* name of the tag: "INSTANCE_DUMP"; "0x77" if unknown */
	const char *name;
	/* offset of the first byte of the record in the unpacked dump */
	uint64_t offset;
	/* only for sub-records: the number of their dump in the file, from 1 */
	unsigned dump;
	/* only for records: microseconds after hprof_header.time_ms */
	uint32_t time_us;
	union {
		struct {
			uint64_t id;
			/*
			 * the text of the string: modified UTF-8, not
			 * NUL-terminated
			 */
			const char *text;
			size_t length; /* number of bytes of the text */
		} string;
		struct {
			uint64_t class_id, name_id;
			uint32_t serial, trace_serial;
		} load_class;
		struct {
			uint32_t serial;
		} number;
		struct {
			uint64_t id, method_id, signature_id, source_id;
			uint32_t class_serial;
			/*
			 * line number; 0: none, -1: unknown, -2 and -3: native
			 */
			int32_t line;
		} frame;
		struct {
			uint32_t serial, thread_serial;
			/*
			 * the ids of the frames, from the innermost method to
			 * the outermost
			 */
			const uint64_t *frames;
			size_t count;
		} trace;
		struct {
			uint64_t object_id, name_id, group_id, parent_id;
			uint32_t serial, trace_serial;
		} thread;
		struct {
			uint64_t allocated_bytes, allocated_instances;
			const struct hprof_site *rows;
			size_t count;
			uint32_t live_bytes, live_instances;
			/*
			 * The cutoff ratio as in the file. Some agents write an
			 * invalid value.
			 */
			uint32_t cutoff;
			uint16_t flags;
		} sites;
		struct {
			const struct hprof_sample *rows;
			size_t count;
			uint32_t total;
		} samples;
		struct {
			uint32_t flags;
			uint16_t depth;
		} settings;
		struct {
			/* the bytes of the record after its header */
			const void *data;
			size_t length;
		} bytes;
		struct {
			uint64_t object_id;
			/*
			 * only for JNI global roots: the id of the JNI
			 * reference
			 */
			uint64_t reference_id;
			/*
			 * serial number of the thread; 0 for kinds of roots
			 * that have no thread
			 */
			uint32_t thread_serial;
			/*
			 * number of the frame in the stack of the thread; -1:
			 * none
			 */
			int32_t frame;
			/*
			 * Only for roots that are thread objects: the serial
			 * number of the stack trace of the thread.
			 */
			uint32_t trace_serial;
		} root;
		struct {
			uint64_t id, super_id, loader_id, signers_id, domain_id;
			uint32_t trace_serial;
			/*
			 * size of an instance of the class in bytes, as the
			 * file contains it
			 */
			uint32_t instance_size;
			const struct hprof_value *statics, *fields, *constants;
			size_t nstatics, nfields, nconstants;
		} class_dump;
		struct {
			uint64_t id, class_id;
			uint32_t trace_serial;
			/*
			 * number of elements of an array, or number of bytes of
			 * an instance
			 */
			uint32_t count;
			/*
			 * type of the array's elements; 0: the object is an
			 * instance
			 */
			uint8_t type;
			/*
			 * A long array or instance is returned as several
			 * consecutive items, each with a piece of the data.
			 * This item contains the elements with the indexes from
			 * `first` to `first` + `here` - 1. For an instance
			 * these are indexes of bytes. The elements are
			 * big-endian, as in the file. If `here` is 0, `data` is
			 * NULL.
			 */
			uint32_t first, here;
			const void *data;
		} object;
		struct {
			uint64_t name_id;
			uint32_t heap;
		} heap_info;
		uint64_t room[16]; /* reserved for later versions */
	} u;
};

/**
 * hprof_open() - open a dump and read its header
 * @path:    a file, or "-" for standard input
 * @options: NULL for the defaults of HPROF_OPTIONS_INIT
 * @out:     the reader, set on HPROF_OK
 *
 * Returns: HPROF_OK; HPROF_DAMAGED (not a dump, or the header cannot be read),
 *          HPROF_UNSUPPORTED (version 1.0 of the format), HPROF_IO,
 *          HPROF_LIMIT, HPROF_NO_MEMORY, HPROF_ARGUMENT.
 * Ownership: hprof_close() closes the file and frees the reader.
 */
HPROF_API int hprof_open(const char *path, const struct hprof_options *options,
			 hprof_reader **out, struct hprof_error *error);
HPROF_API void hprof_close(hprof_reader *r);

/**
 * Returns the header of the dump, or NULL if @r is NULL. The header stays valid
 * until hprof_close().
 */
HPROF_API const struct hprof_header *hprof_get_header(const hprof_reader *r);

/**
 * hprof_next() - read the next record or sub-record
 * @item: set on HPROF_OK; valid until the next call with @r
 *
 * Returns: HPROF_OK; HPROF_END. After the following failures you can call it
 *          again, and it continues after the record concerned: HPROF_TRUNCATED
 *          or HPROF_DAMAGED (the rest of a record cannot be decoded) and
 *          HPROF_UNSUPPORTED (a record outside the heap is longer than 64 MB).
 *          After these failures reading ends: HPROF_NOT_FOUND (at the end of
 *          the file: it does not contain the dump options.dump); HPROF_IO,
 *          HPROF_LIMIT, HPROF_NO_MEMORY.
 * Memory:  an array or instance longer than a megabyte is returned in pieces,
 *          so that memory is never allocated only because a dump claims a large
 *          length.
 */
HPROF_API int hprof_next(hprof_reader *r, const struct hprof_item **item,
			 struct hprof_error *error);

/* --- names, classes and fields -------------------------------------------- */

typedef struct hprof_class hprof_class;

/**
 * hprof_read_classes() - read all names and classes of a dump in advance
 * @dump: which dump to read in a file with several, from 1; 0: the first
 *
 * Call this function at most once, before the first hprof_next(). It reads the
 * whole input, which hprof_next() then reads again, so the input must be a
 * regular file. The functions below look up names, superclasses and fields.
 * They find nothing without this call. After it they know all classes, also
 * those that come later in the file than the current item.
 *
 * Returns: HPROF_OK, also for a damaged dump; HPROF_UNSUPPORTED (the input is a
 *          pipe, or this is not the first call); HPROF_NOT_FOUND (there is no
 *          such dump); HPROF_IO, HPROF_LIMIT, HPROF_NO_MEMORY.
 */
HPROF_API int hprof_read_classes(hprof_reader *r, unsigned dump,
				 struct hprof_error *error);

/**
 * Look up the text of a STRING record: modified UTF-8, not NUL-terminated.
 * Returns HPROF_OK or HPROF_NOT_FOUND.
 */
HPROF_API int hprof_get_string(const hprof_reader *r, uint64_t id,
			       const char **text, size_t *length);

/**
 * Find a class by its id, or by its name as in Java source ("java.lang.String",
 * "int[][]"). If several classes have the same name, the result is the first
 * one in the file. Returns NULL if there is no such class. The result stays
 * valid until hprof_close(). These functions allocate no memory.
 */
HPROF_API const hprof_class *hprof_class_by_id(const hprof_reader *r,
					       uint64_t id);
HPROF_API const hprof_class *hprof_class_by_name(hprof_reader *r,
						 const char *name);

/* If the class @c is NULL, the functions below return 0, "" or NULL. */
HPROF_API uint64_t hprof_class_id(const hprof_class *c);
/**
 * Returns the name of a class, spelled as in Java source; "" if the dump has no
 * name for the class. The text stays valid until hprof_close().
 */
HPROF_API const char *hprof_class_name(hprof_reader *r, const hprof_class *c);
/**
 * Returns the superclass of @c; NULL if the class has no superclass, or if
 * the dump has no CLASS DUMP for it.
 */
HPROF_API const hprof_class *hprof_class_super(const hprof_class *c);
/** Returns 1 if @c is the class @above or one of its subclasses, else 0. */
HPROF_API int hprof_class_is_a(const hprof_class *c, const hprof_class *above);

/** The place of a field in the bytes of an instance. */
struct hprof_field {
	size_t size;	   /* sizeof(struct hprof_field), set by the caller */
	uint64_t position; /* offset from the first byte of the instance */
	int type; /* the type of the field, a value of enum hprof_type */
};

/**
 * hprof_class_field() - find an instance field by name
 * @name: UTF-8, or modified UTF-8 as in the dump. The function searches the
 *        class first, then its superclasses from the nearest to the farthest
 * @out:  receives the field; the caller sets its size first
 *
 * Returns: HPROF_OK; HPROF_NOT_FOUND; HPROF_DAMAGED (a superclass is not in
 *          the dump); HPROF_ARGUMENT.
 */
HPROF_API int hprof_class_field(const hprof_reader *r, const hprof_class *c,
				const char *name, struct hprof_field *out);

/**
 * hprof_instance_value() - get the value of a field of an instance
 * @item: an item of kind HPROF_INSTANCE from hprof_next()
 * @name: the name of the field, as for hprof_class_field()
 *
 * The class of the instance must be known: call hprof_read_classes() first.
 *
 * Returns: HPROF_OK; HPROF_NOT_FOUND; HPROF_DAMAGED (a superclass is not in
 *          the dump); HPROF_TRUNCATED (the instance is shorter than its class
 *          requires; fields after its end are not searched); HPROF_ARGUMENT
 *          (also if the item is not an instance).
 */
HPROF_API int hprof_instance_value(const hprof_reader *r,
				   const struct hprof_item *item,
				   const char *name, struct hprof_value *out);

#ifdef __cplusplus
}
#endif

#endif
