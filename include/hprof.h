/*
 * hprof.h - libhprof: read heap dumps of JVMs and Android
 *
 * Three ways in:
 *
 *   hprof_histogram_read()
 *                      how many objects and bytes each class has, in one call
 *   hprof_check_read() the rules of hprof-validate over a dump, in one call
 *   hprof_open() and hprof_next()
 *                      every record and sub-record, decoded, one at a time
 *
 * Inputs are plain, gzip, zstd and packed dumps, and the first dump in a zip
 * or tar archive, told by content; "-" is
 * standard input. The library prints nothing, never ends the process, installs
 * no signal handler and keeps no state of its own between calls. Different
 * objects may be used by different threads at the same time; one object is
 * used by one thread at a time. Threads that the library starts have every
 * signal blocked but those of a thread's own faults: SIGBUS, SIGFPE, SIGILL
 * and SIGSEGV.
 *
 * Structures that the caller fills begin with their size, so that programs go
 * on working with later versions; those that the library fills grow at the end
 * only.
 *
 * Pointers must not be NULL but where it says so: hprof(3) has a list.
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

/** The library's version at run time, as HPROF_VERSION_NUMBER and as text. */
HPROF_API int hprof_version_number(void);
HPROF_API const char *hprof_version_string(void);

/* --- how calls end -------------------------------------------------------- */

/** 0 and above: it went well. Values are never given another meaning. */
enum hprof_status {
	HPROF_OK = 0,
	HPROF_END = 1,	      /* nothing is left */
	HPROF_TRUNCATED = -1, /* the dump ends inside what was asked for */
	HPROF_DAMAGED = -2,   /* the dump's bytes contradict the format */
	HPROF_NO_MEMORY = -3, /* an allocation failed */
	HPROF_IO = -4,	      /* the system refused to open or read */
	HPROF_LIMIT = -5,     /* options.max_size or .memory forbids it */
	HPROF_UNSUPPORTED =
		-6,	      /* such a dump or input cannot be had that way */
	HPROF_ARGUMENT = -7,  /* an argument makes no sense */
	HPROF_NOT_FOUND = -8, /* no such class, field, object or dump */
};

/** What a status means in general; a constant text. */
HPROF_API const char *hprof_strerror(int status);

/**
 * What went wrong in a particular case; may be NULL wherever it is asked. Each
 * call that takes it sets it, also where nothing went wrong. The texts are the
 * programs': "--memory" and "--max-size" are options.memory and
 * options.max_size.
 */
struct hprof_error {
	int status;	/* what the call returned, but for hprof_check_read() */
	char text[500]; /* no newline; "" if there is nothing to add */
};

/* --- options -------------------------------------------------------------- */

enum hprof_flags {
	/*
	 * Map plain files instead of reading them: faster by about a tenth.
	 * If somebody shortens the file meanwhile, the process gets SIGBUS,
	 * as with any mapping.
	 */
	HPROF_MAP = 1,
};

/** Fill with HPROF_OPTIONS_INIT, then change what differs. */
struct hprof_options {
	size_t size;	   /* of this structure, as the caller knows it */
	unsigned threads;  /* 0: as many as there are processors */
	unsigned dump;	   /* of a file with several, from 1; 0: the last for
			      histograms, all elsewhere */
	uint64_t memory;   /* bytes that may be taken; 0: three quarters of
			      what is free */
	uint64_t max_size; /* refuse what unpacks to more; 0: any size */
	unsigned flags;	   /* of enum hprof_flags */
	unsigned reserved; /* 0 */
};
#define HPROF_OPTIONS_INIT                                                     \
	{                                                                      \
		sizeof(struct hprof_options), 0, 0, 0, 0, 0, 0                 \
	}

/* --- class histogram ------------------------------------------------------ */

typedef struct hprof_histogram hprof_histogram;

/**
 * hprof_histogram_read() - count the objects of each class
 * @path:    a file, or "-"
 * @options: NULL: all as HPROF_OPTIONS_INIT has it
 * @out:     set on HPROF_OK
 *
 * Bytes are shallow sizes by the memory layout that the dump shows (size of
 * references, headers, alignment), as hprof-diff reckons them. Rows come
 * largest bytes first, equal ones by name. A damaged dump gives what can be
 * read of it: see hprof_histogram_partial().
 *
 * Returns: HPROF_OK; HPROF_DAMAGED (no dump, or no heap in it);
 *          HPROF_NOT_FOUND: options.dump is not in it; HPROF_IO,
 *          HPROF_LIMIT, HPROF_NO_MEMORY, HPROF_ARGUMENT.
 * Ownership: hprof_histogram_free(), also of the texts.
 */
HPROF_API int hprof_histogram_read(const char *path,
				   const struct hprof_options *options,
				   hprof_histogram **out,
				   struct hprof_error *error);
HPROF_API void hprof_histogram_free(hprof_histogram *h);

/** Rows, and what the i-th one has (0 or NULL beyond the last). Names are
 * UTF-8 as in Java source, with control characters escaped. */
HPROF_API size_t hprof_histogram_rows(const hprof_histogram *h);
HPROF_API const char *hprof_histogram_class(const hprof_histogram *h, size_t i);
HPROF_API uint64_t hprof_histogram_count(const hprof_histogram *h, size_t i);
HPROF_API uint64_t hprof_histogram_bytes(const hprof_histogram *h, size_t i);

/** Objects and bytes of all rows together. */
HPROF_API uint64_t hprof_histogram_objects(const hprof_histogram *h);
HPROF_API uint64_t hprof_histogram_total_bytes(const hprof_histogram *h);

/** NULL if the dump is whole; else what is wrong with it. */
HPROF_API const char *hprof_histogram_partial(const hprof_histogram *h);

/** Which writer made the dump: "hotspot", "art", "agent", "unknown" ... */
HPROF_API const char *hprof_histogram_dialect(const hprof_histogram *h);

/* --- check ---------------------------------------------------------------- */

typedef struct hprof_check hprof_check;

enum hprof_level {
	HPROF_FRAMING = 0,    /* lengths and tags only */
	HPROF_REFERENCES = 1, /* every reference, too */
	HPROF_GRAPH = 2,      /* and what needs the graph of objects */
};

enum hprof_severity { HPROF_ERROR = 0, HPROF_WARNING = 1, HPROF_INFO = 2 };

enum hprof_verdict { HPROF_VALID = 0, HPROF_INVALID = 1, HPROF_UNREADABLE = 2 };

/**
 * hprof_check_read() - apply the rules of hprof-validate
 * @level: of enum hprof_level
 * @out:   set on HPROF_OK
 *
 * Returns: HPROF_OK, whatever the rules find, also for a file that cannot be
 *          read, has no dump of that number or goes beyond options.memory or
 *          .max_size: the verdict is HPROF_UNREADABLE then, and @error's
 *          status tells why (HPROF_IO, HPROF_NOT_FOUND, HPROF_LIMIT ...);
 *          HPROF_NO_MEMORY, HPROF_ARGUMENT.
 * Ownership: hprof_check_free(), also of the texts.
 */
HPROF_API int hprof_check_read(const char *path,
			       const struct hprof_options *options, int level,
			       hprof_check **out, struct hprof_error *error);
HPROF_API void hprof_check_free(hprof_check *c);

/** Of enum hprof_verdict. */
HPROF_API int hprof_check_verdict(const hprof_check *c);
/** How many findings have a severity, of enum hprof_severity; else 0. */
HPROF_API uint64_t hprof_check_total(const hprof_check *c, int severity);
/** References that were looked at, those that are null, those that name no
 * object of the dump. 0 at HPROF_FRAMING. */
HPROF_API uint64_t hprof_check_references(const hprof_check *c);
HPROF_API uint64_t hprof_check_null(const hprof_check *c);
HPROF_API uint64_t hprof_check_dangling(const hprof_check *c);

/** The rules that found something: a row for each rule and severity. Beyond
 * the last a rule and a text are NULL, numbers 0, the severity HPROF_INFO. */
HPROF_API size_t hprof_check_rows(const hprof_check *c);
HPROF_API const char *hprof_check_rule(const hprof_check *c, size_t i);
HPROF_API int hprof_check_severity(const hprof_check *c, size_t i);
HPROF_API uint64_t hprof_check_count(const hprof_check *c, size_t i);
/** The first examples of a row (five at the most): where, and in words. */
HPROF_API size_t hprof_check_examples(const hprof_check *c, size_t i);
HPROF_API uint64_t hprof_check_example_offset(const hprof_check *c, size_t i,
					      size_t k);
HPROF_API const char *hprof_check_example_text(const hprof_check *c, size_t i,
					       size_t k);
/** What memory or the input did not allow to be checked: texts. */
HPROF_API size_t hprof_check_limits(const hprof_check *c);
HPROF_API const char *hprof_check_limit(const hprof_check *c, size_t i);

/* --- records one at a time ------------------------------------------------ */

typedef struct hprof_reader hprof_reader;

/** What the file's header says. */
struct hprof_header {
	const char *version;	 /* "JAVA PROFILE 1.0.2" */
	uint32_t id_size;	 /* 4 or 8 */
	uint64_t time_ms;	 /* since 1970-01-01 UTC */
	const char *compression; /* "none", "gzip", "zstd", "pack",
				    "zip", "tar": the outermost */
};

/** Basic types, as the format codes them; 1, which some writers have for
 * objects, is given as 2. */
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

/** Bytes of a value of a type; 0 for a code that is no type. */
HPROF_API size_t hprof_type_size(int type, uint32_t id_size);

/** A value: an id, or the bits of a primitive, right-aligned. */
struct hprof_value {
	uint64_t name_id; /* of the field; 0 in constant pools */
	uint64_t value;	  /* 0 in field lists, which have no values */
	uint16_t index;	  /* constant pools: the entry */
	uint8_t type;	  /* of enum hprof_type */
};

/** A row of ALLOC SITES. */
struct hprof_site {
	uint32_t class_serial, trace_serial;
	uint32_t live_bytes, live_instances;
	uint32_t allocated_bytes, allocated_instances;
	uint8_t array_kind; /* 0: no array; 2: of references; else a type */
};

/** A row of CPU SAMPLES. */
struct hprof_sample {
	uint32_t samples, trace_serial;
};

/** Which member of an item's union is set. */
enum hprof_kind {
	HPROF_STRING = 1,	/* STRING */
	HPROF_LOAD_CLASS,	/* LOAD CLASS */
	HPROF_UNLOAD_CLASS,	/* UNLOAD CLASS: number.serial */
	HPROF_STACK_FRAME,	/* STACK FRAME */
	HPROF_STACK_TRACE,	/* STACK TRACE */
	HPROF_START_THREAD,	/* START THREAD */
	HPROF_END_THREAD,	/* END THREAD: number.serial */
	HPROF_ALLOC_SITES,	/* ALLOC SITES: sites */
	HPROF_HEAP_SUMMARY,	/* HEAP SUMMARY: sites, without rows */
	HPROF_CPU_SAMPLES,	/* CPU SAMPLES: samples */
	HPROF_CONTROL_SETTINGS, /* CONTROL SETTINGS: settings */
	HPROF_HEAP_START,	/* HEAP DUMP or HEAP DUMP SEGMENT: nothing */
	HPROF_HEAP_END,		/* HEAP DUMP END: nothing */
	HPROF_OTHER,		/* a record of no known layout: bytes */
	HPROF_ROOT,		/* any root, and UNREACHABLE (tag 0x90): root */
	HPROF_CLASS,		/* CLASS DUMP */
	HPROF_INSTANCE,		/* INSTANCE DUMP */
	HPROF_OBJECT_ARRAY,	/* OBJECT ARRAY DUMP */
	HPROF_PRIMITIVE_ARRAY,	/* PRIMITIVE ARRAY DUMP, and without data */
	HPROF_HEAP_INFO,	/* HEAP DUMP INFO (Android) */
};

/**
 * One record or sub-record. Whatever it points to is borrowed until the next
 * call on its reader.
 */
struct hprof_item {
	int kind;	  /* of enum hprof_kind */
	uint8_t tag;	  /* as in the file */
	const char *name; /* of the tag: "INSTANCE_DUMP", "0x77" */
	uint64_t offset;  /* of its first byte, in the unpacked dump */
	unsigned dump;	  /* sub-records: which dump of the file, from 1 */
	uint32_t time_us; /* records: microseconds since the header's */
	union {
		struct {
			uint64_t id;
			const char *text; /* modified UTF-8, no NUL behind */
			size_t length;	  /* bytes */
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
			int32_t line; /* 0 none, -1 unknown, -2, -3 native */
		} frame;
		struct {
			uint32_t serial, thread_serial;
			const uint64_t *frames; /* ids, innermost first */
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
			uint32_t cutoff; /* as in the file; agents write junk */
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
			const void *data; /* the record's body */
			size_t length;
		} bytes;
		struct {
			uint64_t object_id;
			uint64_t reference_id;	/* JNI global */
			uint32_t thread_serial; /* 0: this kind has none */
			int32_t frame;		/* -1: none */
			uint32_t trace_serial;	/* thread objects */
		} root;
		struct {
			uint64_t id, super_id, loader_id, signers_id, domain_id;
			uint32_t trace_serial;
			uint32_t instance_size; /* as the dump says */
			const struct hprof_value *statics, *fields, *constants;
			size_t nstatics, nfields, nconstants;
		} class_dump;
		struct {
			uint64_t id, class_id;
			uint32_t trace_serial;
			/* Instances: bytes; arrays: elements. */
			uint32_t count;
			uint8_t type; /* of the elements; 0: an instance */
			/*
			 * A long array comes in several items, one after the
			 * other: these are elements first to first + here - 1.
			 * Big-endian, as in the file; NULL if here is 0.
			 */
			uint32_t first, here;
			const void *data;
		} object;
		struct {
			uint64_t name_id;
			uint32_t heap;
		} heap_info;
		uint64_t room[16]; /* for later versions */
	} u;
};

/**
 * hprof_open() - open a dump and read its header
 * @out: set on HPROF_OK
 *
 * Returns: HPROF_OK; HPROF_DAMAGED (not a dump, or a header that cannot be
 *          read), HPROF_UNSUPPORTED (version 1.0), HPROF_IO, HPROF_LIMIT,
 *          HPROF_NO_MEMORY, HPROF_ARGUMENT.
 * Ownership: hprof_close().
 */
HPROF_API int hprof_open(const char *path, const struct hprof_options *options,
			 hprof_reader **out, struct hprof_error *error);
HPROF_API void hprof_close(hprof_reader *r);

/** Borrowed until hprof_close(); NULL of no reader. */
HPROF_API const struct hprof_header *hprof_get_header(const hprof_reader *r);

/**
 * hprof_next() - step to the next record or sub-record
 * @item: set on HPROF_OK; borrowed until the next call on @r
 *
 * Returns: HPROF_OK; HPROF_END; HPROF_TRUNCATED or HPROF_DAMAGED: the rest of
 *          that record cannot be decoded, and the next call goes on behind it
 *          if there is anything; HPROF_UNSUPPORTED: a record outside the heap
 *          of more than 64 MB, behind which it goes on, too; HPROF_NOT_FOUND
 *          at the end: there was no options.dump; HPROF_IO, HPROF_LIMIT,
 *          HPROF_NO_MEMORY: reading ends.
 * Memory:  an array or instance is given in pieces of a megabyte, so that no
 *          length that a dump claims is ever allocated.
 */
HPROF_API int hprof_next(hprof_reader *r, const struct hprof_item **item,
			 struct hprof_error *error);

/* --- names, classes and fields -------------------------------------------- */

typedef struct hprof_class hprof_class;

/**
 * hprof_read_classes() - learn all names and classes of a dump beforehand
 * @dump: of a file with several, from 1; 0: the first
 *
 * Once, before the first hprof_next(), on an input that can be read twice (a
 * regular file): what follows then answers for every class, wherever in the
 * file it stands, as names, super classes and fields need. Without this call
 * the functions below find nothing.
 *
 * Returns: HPROF_OK, also of a damaged dump; HPROF_UNSUPPORTED: a pipe, or not
 *          the first call; HPROF_NOT_FOUND: no such dump; HPROF_IO,
 *          HPROF_LIMIT, HPROF_NO_MEMORY.
 */
HPROF_API int hprof_read_classes(hprof_reader *r, unsigned dump,
				 struct hprof_error *error);

/** The text of a STRING record, modified UTF-8 without a NUL behind it.
 * Returns HPROF_OK or HPROF_NOT_FOUND. */
HPROF_API int hprof_get_string(const hprof_reader *r, uint64_t id,
			       const char **text, size_t *length);

/** The class of an id or of a name as in Java source ("java.lang.String",
 * "int[][]"; of several with one name the first in the file); NULL: there is
 * none. Nothing is allocated for that. Borrowed until hprof_close(). */
HPROF_API const hprof_class *hprof_class_by_id(const hprof_reader *r,
					       uint64_t id);
HPROF_API const hprof_class *hprof_class_by_name(hprof_reader *r,
						 const char *name);

/* Of no class, as the two may return, these tell 0, "", NULL and 0. */
HPROF_API uint64_t hprof_class_id(const hprof_class *c);
/** As in Java source; "": it has none. Borrowed until hprof_close(). */
HPROF_API const char *hprof_class_name(hprof_reader *r, const hprof_class *c);
/** NULL: none, or it has no CLASS DUMP. */
HPROF_API const hprof_class *hprof_class_super(const hprof_class *c);
/** Is @c the class @above, or below it? 1 or 0. */
HPROF_API int hprof_class_is_a(const hprof_class *c, const hprof_class *above);

/** Where a field lies in the bytes of its class's instances. */
struct hprof_field {
	size_t size;	   /* of this structure, as the caller knows it */
	uint64_t position; /* bytes from the first */
	int type;	   /* of enum hprof_type */
};

/**
 * hprof_class_field() - find an instance field by name
 * @name: UTF-8, or modified UTF-8 as in the dump; of the class itself or of
 *        one above it, the nearest first
 * @out:  its size is set by the caller
 *
 * Returns: HPROF_OK; HPROF_NOT_FOUND; HPROF_DAMAGED: a super class is not in
 *          the dump; HPROF_ARGUMENT.
 */
HPROF_API int hprof_class_field(const hprof_reader *r, const hprof_class *c,
				const char *name, struct hprof_field *out);

/**
 * hprof_instance_value() - the value of a field of an instance
 * @item: of kind HPROF_INSTANCE, from hprof_next(), its class known
 *
 * Returns: as hprof_class_field(); HPROF_TRUNCATED: the instance is shorter
 *          than its class says; what lies beyond it is not looked for;
 *          HPROF_ARGUMENT, too: the item is no instance.
 */
HPROF_API int hprof_instance_value(const hprof_reader *r,
				   const struct hprof_item *item,
				   const char *name, struct hprof_value *out);

#ifdef __cplusplus
}
#endif

#endif
