/*
 * text.h - the text format of the JVMTI agent hprof (java -agentlib:hprof):
 * read it, print it, and store its lines in STRING records of a binary dump
 */
#ifndef HP_TEXT_TEXT_H
#define HP_TEXT_TEXT_H

#include "common/base/buf.h"
#include "common/io/layer.h"
#include "common/model/rules.h"
#include "common/text/lines/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * ----------------------------------------------------------------------
 * Commands that an agent reads from its socket
 *
 * A command has the form: u1 command, u4 sequence number, u4 length, body. The
 * command HP_CMD_EOF is a single byte, without a number, length and body. The
 * body of HP_CMD_CONTROL begins with a u2, one of enum hp_agent_control.
 */

enum hp_agent_command {
	HP_CMD_GC = 0x01,
	HP_CMD_DUMP = 0x02,
	HP_CMD_SITES = 0x03,
	HP_CMD_SUMMARY = 0x04,
	HP_CMD_EXIT = 0x05,
	HP_CMD_TRACES = 0x06,
	HP_CMD_SAMPLES = 0x07,
	HP_CMD_CONTROL = 0x08,
	HP_CMD_EOF = 0xFF,
};

enum hp_agent_control {
	HP_CTL_SITES_ON = 1,
	HP_CTL_SITES_OFF,
	HP_CTL_CPU_ON,
	HP_CTL_CPU_OFF,
	HP_CTL_CPU_CLEAR,
	/*
	 * Clear the allocation sites. If the body of the record has two more
	 * bytes, they set the depth of stack traces, as with HP_CTL_DEPTH. The
	 * manual of the JDK describes these two bytes.
	 */
	HP_CTL_SITES_CLEAR,
	HP_CTL_DEPTH,
};

/*
 * ----------------------------------------------------------------------
 * Lines of a text dump that are stored in STRING records
 *
 * Some lines of the text format have no equivalent in the binary format. They
 * are stored as text in STRING records of the binary dump ("carried"), so that
 * nothing is lost.
 */

/*
 * The beginning of the text of a STRING record. It shows that the rest of the
 * text is a line of a text dump that was stored there ("carried").
 */
#define HP_TEXT_CARRIED "hprof-text: "

/*
 * The beginning of the text of a STRING record with the settings of
 * libhprof-agent. A text dump has the same line in its prologue, the lines
 * before the first report.
 */
#define HP_TEXT_SETTINGS "hprof-agent: "

/*
 * Whether the text of a STRING record is a line of a text dump that was stored
 * there, because the binary format has no record for it.
 */
static inline bool
hp_text_is_carried(const void *text, size_t length)
{
	const size_t n = sizeof(HP_TEXT_CARRIED) - 1;

	return length >= n && memcmp(text, HP_TEXT_CARRIED, n) == 0;
}

/*
 * ----------------------------------------------------------------------
 * Print those lines of the agent's text that contain numbers
 *
 * All programs that write the text use these functions, so that spelling and
 * column widths agree.
 */

/*
 * Print a time in the format of ctime() of C, with a newline. The time is
 * always in UTC. @ms: milliseconds since 1970.
 */
void hp_print_time(struct hp_buf *out, uint64_t ms);

/*
 * Print the line number of a frame: "12", "Unknown line", "Compiled method" or
 * "Native method".
 */
void hp_print_line_number(struct hp_buf *out, int32_t line);

/* Print the beginning of a SITES report, with the column headings. */
void hp_print_sites_begin(struct hp_buf *out, bool by_allocated, uint64_t ms);

struct hp_print_site {
	uint64_t rank, live_bytes, live_count, all_bytes, all_count, trace;
	/*
	 * `sum`: live bytes of all rows up to this one. `total`: live bytes of
	 * all rows of the table.
	 */
	uint64_t sum, total;
};

/*
 * Print a row of SITES, without the class name at its end. The caller appends
 * the name.
 */
void hp_print_site(struct hp_buf *out, const struct hp_print_site *s);

/*
 * Print the beginning of a CPU SAMPLES report. The column headings are printed
 * only if the report has rows.
 */
void hp_print_samples_begin(struct hp_buf *out, uint64_t total, bool rows,
			    uint64_t ms);

/*
 * Print a row of CPU SAMPLES or MONITOR TIME, without the name at its end.
 * @count is the value of the column "count".
 */
void hp_print_row(struct hp_buf *out, uint64_t rank, uint64_t self,
		  uint64_t sum, uint64_t total, uint64_t count, uint64_t trace);

/*
 * ----------------------------------------------------------------------
 * Read text dumps as if they were binary dumps
 *
 * hp_text_translation connects the translation (records.c) with the code that
 * opens inputs (common/io).
 */

/*
 * Translates the text of an agent to a binary dump. The context of the
 * translation is a struct hp_text_watch, or NULL.
 */
extern const struct hp_translation hp_text_translation;

struct hp_text_problem;

/*
 * Functions that a caller passes to learn about problems and positions in the
 * text.
 */
struct hp_text_watch {
	/*
	 * Called for each problem of the text, on the thread that reads the
	 * text.
	 */
	void (*problem)(void *ctx, const struct hp_text_problem *p);
	/*
	 * Called for each record and sub-record of the binary dump, with the
	 * line of the text from which the record or sub-record was made. See
	 * struct hp_text_reading.
	 */
	void (*place)(void *ctx, uint64_t offset, uint64_t line,
		      uint64_t line_offset);
	/* Called at the end of the text, with its size in bytes and lines. */
	void (*end)(void *ctx, uint64_t bytes, uint64_t lines);
	void *ctx;
	/*
	 * The functions of this struct were already used for one reading of the
	 * text. If the text is read again, they are not called a second time.
	 */
	bool taken;
};

/*
 * ----------------------------------------------------------------------
 * Problems that a text dump can have, and options for reading a text dump
 */

/*
 * A kind of problem of a text dump. "args" in the comments says which numbers
 * hp_text_problem.args contains.
 */
enum hp_text_oddity {
	/*
	 * A line does not match the format. args: 1 if the line is inside a
	 * report
	 */
	HP_TEXT_ODD_LINE,
	/*
	 * The agent truncated a line of 1,023 bytes or more. The newline of
	 * this line is missing.
	 */
	HP_TEXT_ODD_CUT,
	/*
	 * A line has more than HP_TEXT_LINE_MOST bytes. Only its first
	 * HP_TEXT_LINE_MOST bytes were read.
	 */
	HP_TEXT_ODD_LONG,
	HP_TEXT_ODD_LAST, /* the last line has no newline */
	/*
	 * A report does not end with its END line. args: enum hp_text_within of
	 * the report
	 */
	HP_TEXT_ODD_END,
	HP_TEXT_ODD_PROLOGUE, /* the text ends before the first report */
	/*
	 * A line refers to a stack trace that the text does not define. args:
	 * serial number of the trace
	 */
	HP_TEXT_ODD_TRACE,
	/*
	 * The text defines a stack trace twice. args: serial number of the
	 * trace
	 */
	HP_TEXT_ODD_TRACE_AGAIN,
	/* An object refers to a class that has no CLS line. args: class id */
	HP_TEXT_ODD_CLASS,
	/*
	 * A row of a table has a wrong rank (row number). args: the rank, the
	 * expected rank
	 */
	HP_TEXT_ODD_RANK,
	/*
	 * A row of a table has a larger value than the row before it. args:
	 * rank (row number)
	 */
	HP_TEXT_ODD_ORDER,
	/*
	 * A percentage in a row contradicts the other numbers of the table.
	 * args: rank (row number)
	 */
	HP_TEXT_ODD_PERCENT,
	/*
	 * The values of the rows of a table add up to more than its total.
	 * args: sum, total
	 */
	HP_TEXT_ODD_TOTAL,
	/*
	 * The index of an array element is out of order or out of range. args:
	 * index, number of elements
	 */
	HP_TEXT_ODD_ELEMENT,
	/*
	 * A class has more fields or ancestors than the limit allows. The
	 * binary dump contains only as many as the limit. args: 0: too many
	 * fields; 1: too many ancestors
	 */
	HP_TEXT_ODD_FIELDS,
	/*
	 * An id in the text has more digits than an id of the binary dump can
	 * hold. args: id
	 */
	HP_TEXT_ODD_ID,
	HP_TEXT_ODDITIES
};

struct hp_text_problem {
	enum hp_text_oddity oddity;
	uint64_t line;	 /* number of the line in the text; the first is 1 */
	uint64_t offset; /* offset of the line in the text */
	uint64_t args[2];
};

/* Returns the rule of hprof-validate that reports this kind of problem. */
enum hp_rule hp_text_rule(enum hp_text_oddity oddity);

/*
 * Whether the binary dump lacks some data of the text because of the problem.
 */
bool hp_text_is_damage(const struct hp_text_problem *p);

struct hp_text_reading {
	/*
	 * Called for each problem of the text. The order of the calls is not
	 * defined. May be NULL.
	 */
	void (*problem)(void *ctx, const struct hp_text_problem *p);
	/*
	 * Called for each record and sub-record, with its offset in the binary
	 * dump. @line and @line_offset are the number and offset of the line of
	 * the text from which the record was made. May be NULL.
	 */
	void (*place)(void *ctx, uint64_t offset, uint64_t line,
		      uint64_t line_offset);
	void *ctx;
	/*
	 * number of threads that split and parse lines; 0 or 1: the calling
	 * thread does all the work
	 */
	unsigned threads;
	/*
	 * For tests: process each line separately. Normally consecutive lines
	 * of similar objects are packed and processed as a group (a run). The
	 * result is the same, but takes longer.
	 */
	bool by_line;
	/*
	 * Limit of the memory in bytes for names, classes and traces. 0: no
	 * limit.
	 */
	uint64_t memory;
};

/*
 * ----------------------------------------------------------------------
 * Translate the text of the JVMTI agent to a binary dump
 *
 * The input is lines of text; the output is a dump of version 1.0.2. So every
 * program that reads binary dumps can also read text. Records of strings,
 * loaded classes, frames and traces are written before the report that refers
 * to them. A heap dump becomes a sequence of segments, and the first segments
 * contain the classes.
 *
 * The text does not contain the values of primitives, so they are zero in the
 * output. Lines that have no equivalent in the binary format (monitors, CPU
 * TIME, cpu=old) are stored in STRING records that begin with HP_TEXT_CARRIED.
 *
 * In the text, classes come after the objects; in the binary dump, they come
 * before. So all objects of a heap dump are packed and stored in an unlinked
 * temporary file until the last line of the heap dump is read. Everything else
 * is in memory.
 */

struct hp_text_records;

/**
 * hp_text_records_open() - begin to translate a text
 * @read: called for the next bytes of the text, with @read_ctx
 *
 * Returns: HP_OK; HP_NOMEM. Ownership: the caller must call
 *          hp_text_records_close().
 */
HP_MUST_USE enum hp_status
hp_text_records_open(struct hp_text_records **out, hp_text_read *read,
		     void *read_ctx, const struct hp_text_reading *options,
		     struct hp_error *err);

void hp_text_records_close(struct hp_text_records *r);

/**
 * hp_text_records_next() - get the next bytes of the binary dump
 * @buf: receives the bytes; NULL: skip them
 * @got: receives the number of bytes; less than @n only at the end or on
 *       failure
 *
 * Returns: HP_OK; HP_NOMEM; HP_LIMIT (memory limit exceeded); HP_IO (temporary
 *          file); or the status of the reading function.
 */
HP_MUST_USE enum hp_status hp_text_records_next(struct hp_text_records *r,
						void *buf, size_t n,
						size_t *got,
						struct hp_error *err);

/*
 * hp_text_records_bytes() and hp_text_records_lines() return how many bytes and
 * lines of the text were read so far.
 */
uint64_t hp_text_records_bytes(const struct hp_text_records *r);
uint64_t hp_text_records_lines(const struct hp_text_records *r);

/* Returns the approximate memory of the translation in bytes. */
uint64_t hp_text_records_memory(const struct hp_text_records *r);

enum { HP_TEXT_MAGIC = 20 };

/*
 * Whether a file that begins with the @n bytes at @head is a text dump. Returns
 * false if @n is less than HP_TEXT_MAGIC.
 */
bool hp_text_begins(const void *head, size_t n);

#endif
