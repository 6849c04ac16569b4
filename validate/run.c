/*
 * run.c - validate one file: open it, read it, apply the rules, build the
 * result
 *
 * hp_scan() reads the file and calls functions of this file: for the header,
 * for the records, for the batches of the heap, and at the end of each dump.
 * result.c turns the findings into text.
 */
#include "validate/internal.h"
#include "validate/secrets.h"

#include <stdatomic.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "common/format/scan.h"
#include "common/components/components.h"
#include "validate/checks/check.h"
#include "validate/file_map.h"
#include "validate/references/references.h"

enum {
	/*
	 * memory limit, in bytes, for postponed batches (parts of the dump) of
	 * a pipe
	 */
	SPILL_MOST = 64 << 20,
	/*
	 * Further passes may decompress the input again, but at most AGAIN_FREE
	 * bytes plus AGAIN_TIMES the size of the input in total.
	 */
	AGAIN_FREE = 64 << 20,
	AGAIN_TIMES = 4,
	/*
	 * Memory in bytes that is subtracted from --memory in advance: for the
	 * program itself, and for the mapped part of the file. If --memory is
	 * less than LITTLE, the file is read instead of mapped, because mapped
	 * pages count as memory of the process.
	 */
	PROGRAM = 12 << 20,
	PROGRAM_LITTLE = 4 << 20,
	LITTLE = 64 << 20,
	/*
	 * Memory in bytes for the batches (parts of the dump) that are being
	 * processed: LEAST, and LEAST_THREAD for each thread. A run may
	 * allocate this even if --memory is smaller.
	 */
	LEAST = 5 << 20,
	LEAST_THREAD = 3 << 20,
};

struct run {
	const struct hp_validate_options *o;
	const char *path;
	struct hp_source *src;
	struct hp_validation *out;
	struct hp_header header;
	struct hp_tables tables;
	struct hp_check check;
	/*
	 * the header is readable, and the members `tables` and `check` are
	 * initialised
	 */
	bool checking;
	struct hp_references *refs;
	bool once; /* the input can be read only once */
	/*
	 * the current dump is read only once, because reading it again would
	 * take too long
	 */
	bool dump_once;
	/* number of bytes that were decompressed by passes after the first */
	uint64_t unpacked_again;
	/* number of threads that the dump is large enough for */
	unsigned threads;
	struct hp_string_taker strings;
	/* with --mapping: the original names for the dump */
	struct hp_rename names;
	/* with --secrets: the secrets that were found */
	struct hp_secrets secrets;
	/* the merged results of all workers, and the findings of the checks */
	struct hp_worker sum;
	/*
	 * for text dumps of the HPROF agent: findings about lines, and line
	 * numbers
	 */
	struct hp_text_check text;
	/* findings of the dumps that were read to their end */
	struct hp_findings findings;
	struct hp_worker *workers;
	/*
	 * for each thread: the ordinals of large heap segments, see
	 * hp_large_segments_note()
	 */
	struct hp_vec *multi;
	/*
	 * Maps of the file: one for each thread, then one for the records
	 * outside the heap. NULL: no map was requested.
	 */
	struct hp_file_map *maps;
	unsigned dumps; /* number of dumps that were read to their end */
	/* the same input, opened again for the passes after the first */
	struct hp_source *again;
	/* memory limit for the sets of ids of the current dump, in bytes */
	uint64_t id_memory;
};

static uint64_t
spill_memory(const struct run *r)
{
	return r->o->memory / 8 < SPILL_MOST ? r->o->memory / 8 : SPILL_MOST;
}

/*
 * Returns the part of --memory, in bytes, for everything that the allocator
 * (memory.h) does not count.
 */
static uint64_t
memory_apart(uint64_t memory)
{
	return memory < LITTLE ? PROGRAM_LITTLE : PROGRAM;
}

uint64_t
hp_validate_memory(uint64_t memory, unsigned threads, uint64_t *apart)
{
	uint64_t least = LEAST + (uint64_t)threads * LEAST_THREAD;

	*apart = memory_apart(memory);
	return memory > *apart + least ? memory - *apart : least;
}

/*
 * Returns the map of the file for records outside the heap. The reading thread
 * fills this map.
 */
static struct hp_file_map *
records_map(const struct run *r)
{
	return &r->maps[r->threads];
}

static void
on_problem(void *ctx, const struct hp_problem *p)
{
	struct run *r = ctx;

	if (r->maps)
		hp_file_map_problem(records_map(r), p);
	if (r->checking)
		hp_check_problem(&r->check, p);
}

static enum hp_status
take_strings(void *ctx, struct hp_string_run *run, size_t most,
	     struct hp_error *err)
{
	struct run *r = ctx;

	return hp_check_strings(&r->check, run, most, err);
}

static enum hp_status
on_header(void *ctx, const struct hp_header *h, struct hp_error *err)
{
	struct run *r = ctx;

	r->header = *h;
	hp_tables_init(&r->tables, h->id_size);
	hp_check_init(&r->check, &r->sum.findings, &r->tables, &r->header,
		      r->src, r->o->level == HP_LEVEL_FRAMING);
	r->checking = true;
	hp_check_header(&r->check);
	r->strings = (struct hp_string_taker){.ctx = r, .take = take_strings};
	if (r->maps)
		hp_file_map_header(records_map(r), h);
	return HP_OK;
}

static enum hp_status
on_record(void *ctx, const struct hp_record *rec, struct hp_cursor body,
	  struct hp_error *err)
{
	struct run *r = ctx;

	if (rec->dump > r->out->dumps)
		r->out->dumps = rec->dump;
	if (r->maps)
		hp_file_map_record(records_map(r), rec, body, r->o->dump);
	if (rec->first && r->refs)
		hp_references_begin_at(r->refs, rec);
	if (r->o->dump && rec->dump && rec->dump != r->o->dump)
		hp_check_passed_over(&r->check, rec);
	return hp_check_record(&r->check, rec, body, err);
}

static enum hp_status
on_strings(void *ctx, struct hp_string_run *run, struct hp_error *err)
{
	struct run *r = ctx;
	uint64_t from = hp_string_run_offset(run);
	enum hp_status st =
		hp_tables_scan_strings(&r->tables, &r->strings, run, err);

	if (r->maps)
		hp_file_map_strings(records_map(r), from,
				    hp_string_run_offset(run) - from);
	return st;
}

static enum hp_status
on_heap_end(void *ctx, const struct hp_record *rec, struct hp_error *err)
{
	struct run *r = ctx;

	hp_check_heap_end(&r->check, rec);
	return HP_OK;
}

/*
 * Returns the base-2 logarithm of the alignment of ids. The old hprof agent
 * numbers objects consecutively. In all other dumps, ids are addresses. Only
 * ART invents a few unaligned ids, about as many as there are classes.
 */
static unsigned
id_shift(const struct run *r)
{
	return r->check.evidence.first_tag == HP_REC_CONTROL_SETTINGS ? 0 : 3;
}

/* Show in the progress line that a further pass over a dump begins. */
static void
on_pass(void *ctx, unsigned number, unsigned of)
{
	struct run *r = ctx;
	struct hp_buf label = {0};

	hp_buf_printf(&label, "%s, pass %u", r->path, number);
	if (of > 0)
		hp_buf_printf(&label, " of %u", of);
	hp_progress_watch_source(r->o->progress, r->again,
				 hp_buf_string(&label));
	hp_buf_release(&label);
}

/*
 * Returns the part of --memory that remains for the sets of ids, in bytes.
 * Batches in progress, the mapped part of the file, and, for a pipe, the
 * batches that wait for later classes need a fixed part of --memory.
 */
static uint64_t
heap_memory(const struct run *r)
{
	uint64_t all = r->o->memory, left = hp_memory_left();
	uint64_t rest = left < all ? all - left : 0;

	if (r->o->id_memory > 0)
		return r->o->id_memory;
	rest += HP_VALIDATE_FIXED - memory_apart(all) +
		(uint64_t)r->threads * HP_VALIDATE_FIXED_THREAD;
	rest += hp_source_memory(r->src);
	if (r->once)
		rest += spill_memory(r);
	if (rest < all / 4 * 3)
		return all - rest;
	return rest < all ? all / 4 : all / 10;
}

/*
 * Whether the current dump must be read only once, as if from a pipe. In a
 * compressed file, another pass over a dump has to unpack all dumps before it.
 * For a file with many dumps, the time would grow with the square of their
 * number.
 */
static bool
is_read_once(const struct run *r)
{
	return r->once || r->dump_once ||
	       r->unpacked_again >
		       AGAIN_TIMES * hp_source_tell(r->src) + AGAIN_FREE;
}

static enum hp_status
on_dump_begin(void *ctx, unsigned dump, struct hp_error *err)
{
	struct run *r = ctx;
	uint64_t size = hp_source_size(r->src);
	uint64_t memory = r->id_memory = heap_memory(r);
	struct hp_references_options o = {
		.id_size = r->header.id_size,
		.workers = r->threads,
		.shift = id_shift(r),
		.input_bytes = size == UINT64_MAX ? 0 : size,
		.memory = memory,
		.framing_only = r->o->level == HP_LEVEL_FRAMING,
		.android = r->header.version == HP_VERSION_1_0_3,
		.old_hotspot =
			r->header.version == HP_VERSION_1_0_1 &&
			r->check.evidence.first_tag != HP_REC_CONTROL_SETTINGS,
		.slow_again = !hp_source_seekable(r->src),
		.pass = on_pass,
		.ctx = r};
	enum hp_status st = HP_OK;

	if (!r->refs)
		st = hp_references_new(&r->refs, &o, err);
	r->dump_once = is_read_once(r);
	if (st == HP_OK)
		st = hp_references_dump_begin(r->refs, dump, r->dump_once,
					      &r->tables, err);
	return st;
}

/*
 * Whether the end of the dump must wait for records after the heap, because a
 * class has no name yet. The rules about names, and the detection of the
 * program that wrote the dump, need these names.
 */
static bool
on_dump_waits(void *ctx, unsigned dump)
{
	struct run *r = ctx;
	const struct hp_classes *classes = hp_references_classes(r->refs);

	if (r->o->level == HP_LEVEL_FRAMING)
		return false;
	for (size_t i = 0; i < classes->count; i++)
		if (!hp_tables_class_name(&r->tables, classes->list[i]->id))
			return true;
	return false;
}

static enum hp_status
on_classes_complete(void *ctx, unsigned dump, struct hp_error *err)
{
	struct run *r = ctx;

	return hp_references_classes_complete(r->refs, &r->tables, err);
}

static enum hp_status
on_batch(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct run *r = ctx;
	enum hp_status st =
		b->replay ? HP_OK
			  : hp_large_segments_note(&r->multi[b->worker], b,
						   r->header.id_size, err);

	if (st != HP_OK || b->dump == 0)
		return st;
	if (r->maps && !b->replay)
		hp_file_map_batch(&r->maps[b->worker], b, r->header.id_size);
	return hp_references_batch(r->refs, b, &r->workers[b->worker], err);
}

static enum hp_status
on_retired(void *ctx, struct hp_batch *b, struct hp_error *err)
{
	struct run *r = ctx;

	return hp_references_retired(r->refs, b, err);
}

/* --- work at the end of a dump ---------------------------------------- */

/*
 * Returns the dialect, that is, which program wrote the dump, as far as it is
 * known by now.
 */
static enum hp_dialect
dialect_now(const struct run *r)
{
	struct hp_dialect_evidence e = r->check.evidence;

	hp_dialect_evidence_merge(&e, &r->sum.evidence);
	return hp_dialect_of(&e, &r->tables);
}

static struct hp_source_options
source_options(struct run *r)
{
	return (struct hp_source_options){
		.threads = r->o->threads > 1 ? r->o->threads : 0,
		.max_size = r->o->max_size,
		.again = r->o->level == HP_LEVEL_GRAPH || r->o->secrets != 0,
		.memory = r->o->memory / 8 * 5,
		.mapping = r->o->memory < LITTLE ? HP_MAP_NEVER : r->o->mapping,
		.digest = r->o->identify,
		.packing = hp_packs,
		.translation = hp_agent_text,
		.translation_context = &r->text.watch};
}

static void
retry_closed(struct run *r)
{
	if (!hp_source_seekable(r->again))
		r->unpacked_again += hp_source_tell(r->again);
	hp_progress_watch_source(r->o->progress, r->src, r->path);
	hp_source_close(r->again);
	r->again = NULL;
}

/* Run the passes after the first, if needed. They open the input again. */
static enum hp_status
run_further_passes(struct run *r, struct hp_error *err)
{
	enum hp_status st;

	if (!hp_references_needs_passes(r->refs))
		return HP_OK;
	st = hp_source_reopen(&r->again, r->src, err);
	if (st != HP_OK)
		return st;
	st = hp_references_further_passes(r->refs, r->again, &r->tables,
					  &r->sum, err);
	retry_closed(r);
	return st;
}

static enum hp_status
add_totals(struct run *r, unsigned dump, struct hp_error *err)
{
	const struct hp_reference_totals *t = hp_references_totals(r->refs);

	if (r->o->level == HP_LEVEL_FRAMING)
		return HP_OK;
	r->out->checked += t->checked;
	r->out->null += t->null;
	r->out->dangling += t->dangling;
	r->out->more_may_dangle |=
		t->unchecked > 0 || t->crowded || !t->dangling_known;
	return hp_validation_limits(r->out, dump, t, r->dump_once, err);
}

/* Apply the rules of --level=graph. Their passes open the input again. */
static enum hp_status
check_graph(struct run *r, unsigned dump, struct hp_error *err)
{
	const bool *off = r->o->disabled;
	bool reach = !off[HP_RULE_UNREACHABLE];
	/*
	 * the object graph gets the memory of the sets of ids, which are no
	 * longer needed
	 */
	uint64_t left = hp_memory_left() / 4 * 3;
	const struct hp_graph_request request = {
		.tables = &r->tables,
		.memory = left < r->id_memory ? left : r->id_memory,
		.bytes = hp_source_tell(r->src),
		.reach = reach,
		.hidden_fields = hp_dialect_hides_class_fields(dialect_now(r))};
	struct hp_graph_result graph;
	enum hp_status st;

	if (r->o->level != HP_LEVEL_GRAPH ||
	    (!reach && off[HP_RULE_REF_TYPE_MISMATCH] &&
	     off[HP_RULE_REF_ELEMENT_STORE]))
		return HP_OK;
	r->out->graphs++;
	if (r->dump_once && !r->once)
		return hp_validation_graph_not_read(r->out, dump, err);
	st = hp_source_reopen(&r->again, r->src, err);
	if (st != HP_OK)
		return st;
	st = hp_references_graph(r->refs, r->again, &request, &r->sum, &graph,
				 err);
	retry_closed(r);
	if (graph.in_files > r->out->graph_in_files)
		r->out->graph_in_files = graph.in_files;
	return st == HP_OK && graph.gap != HP_GRAPH_DONE
		       ? hp_validation_graph_left_out(r->out, dump, graph.gap,
						      err)
		       : st;
}

static void
add_unlocated(struct run *r, unsigned dump)
{
	const struct hp_reference_totals *t = hp_references_totals(r->refs);

	if (t->duplicates > 0 && !t->duplicates_located)
		hp_findings_add_many(
			&r->sum.findings,
			&(struct hp_finding){
				.rule = HP_RULE_OBJECT_DUP,
				.severity = HP_SEVERITY_DEFAULT,
				.offset = r->check.dump_spot.offset,
				.record = r->check.dump_spot.record,
				.dump = dump},
			t->duplicates);
}

/*
 * Move the findings about the dump that has ended, and about the records before
 * this dump, to the findings of earlier dumps. Otherwise they would be
 * processed again at the end of the next dump.
 */
static enum hp_status
keep_findings(struct run *r, const struct hp_classes *classes, unsigned dump,
	      struct hp_error *err)
{
	struct hp_findings *f = &r->sum.findings;
	enum hp_status st;

	if (!f->any)
		return HP_OK;
	st = hp_validation_resolve(f, classes, dump, err);
	if (st != HP_OK)
		return st;
	hp_findings_merge(&r->findings, f);
	hp_findings_clear(f);
	return r->findings.failed ? hp_no_memory(err) : HP_OK;
}

/*
 * With --mapping, rename the fields of a dump. Called after the checks of its
 * classes, and before the names of fields are stored in findings.
 */
static enum hp_status
rename_fields(struct run *r, struct hp_error *err)
{
	if (r->o->mappings.count == 0)
		return HP_OK;
	if (!r->names.tables)
		hp_rename_init(&r->names, &r->o->mappings, &r->tables);
	return hp_references_rename(r->refs, &r->names, err);
}

/*
 * With --mapping, rename classes and frames at the end of the file, when no
 * check needs the names of the dump any more.
 */
static enum hp_status
rename_records(struct run *r, struct hp_error *err)
{
	enum hp_status st;

	if (!r->names.tables)
		return HP_OK;
	st = hp_rename_records(&r->names, hp_references_classes(r->refs), err);
	if (st == HP_OK)
		st = hp_rename_publish(&r->names, err);
	r->out->renamed = r->names.counts;
	return st;
}

/*
 * Report the secrets of the dump with the number @dump (--secrets); for this,
 * the input is opened again. The first call searches all dumps, so that a file
 * with many dumps is not read again for each of them. @dump is 0 for a file
 * without a heap dump; such a file has only STRING records to search.
 */
static enum hp_status
find_secrets(struct run *r, unsigned dump, struct hp_error *err)
{
	struct hp_secret_search q = {.dump = r->o->dump,
				     .threads = r->threads,
				     .strings = true,
				     .categories = r->o->secrets};
	enum hp_status st;

	if (!r->o->secrets || r->o->disabled[HP_RULE_SECRET] ||
	    !hp_secrets_pending(&r->secrets, dump))
		return HP_OK;
	st = hp_source_reopen(&r->again, r->src, err);
	if (st != HP_OK)
		return st;
	st = hp_secrets_search(&r->secrets, r->again, &q, err);
	q.dump = dump;
	if (st == HP_OK)
		st = hp_secrets_report(&r->secrets, r->again, &q, &r->tables,
				       hp_references_class_list(r->refs),
				       &r->sum.findings, err);
	retry_closed(r);
	if (st != HP_OK || r->out->secrets)
		return st;
	r->out->secrets = r->o->secrets;
	r->out->secrets_found = r->secrets.hits.count;
	r->out->secrets_incomplete = r->secrets.hits.incomplete;
	return HP_OK;
}

static enum hp_status
on_dump_end(void *ctx, unsigned dump, struct hp_error *err)
{
	struct run *r = ctx;
	const struct hp_classes *classes = hp_references_classes(r->refs);
	enum hp_status st = HP_OK;

	for (unsigned i = 0; st == HP_OK && i < r->threads; i++)
		st = hp_worker_merge(&r->sum, &r->workers[i], err);
	if (st == HP_OK)
		st = hp_references_dump_end(r->refs, &r->tables, &r->sum, err);
	if (st == HP_OK)
		st = run_further_passes(r, err);
	if (st == HP_OK)
		st = add_totals(r, dump, err);
	if (st == HP_OK)
		st = check_graph(r, dump, err);
	if (st != HP_OK)
		return st;
	add_unlocated(r, dump);
	r->check.dump = dump;
	if (r->o->level != HP_LEVEL_FRAMING) {
		hp_dialect_evidence_classes(&r->check.evidence, classes,
					    &r->tables);
		st = hp_check_classes(&r->check, r->refs, dialect_now(r), err);
	}
	if (st == HP_OK)
		st = hp_check_roots(&r->check, &r->sum, r->refs, err);
	if (st == HP_OK)
		st = find_secrets(r, dump, err);
	if (st == HP_OK)
		st = rename_fields(r, err);
	if (st == HP_OK)
		st = keep_findings(r, classes, dump, err);
	hp_worker_reset(&r->sum);
	r->dumps++;
	return st;
}

/* --- check the whole file ------------------------------------------------ */

static enum hp_status
finish_result(struct run *r, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	r->out->dialect = dialect_now(r);
	if (hp_header_readable(&r->header)) {
		st = hp_large_segments_merge(r->multi, r->threads, err);
		if (st == HP_OK)
			hp_check_records_end(&r->check, r->multi[0].items,
					     r->multi[0].count, r->out->bytes,
					     r->out->dialect);
	}
	if (st == HP_OK && !r->check.framing_only) {
		if (r->dumps > 0)
			hp_check_loads_end(&r->check);
		st = hp_check_tables_end(&r->check, err);
		if (st == HP_OK)
			st = hp_check_strings_end(&r->check, err);
	}
	if (st == HP_OK && r->o->dump > r->out->dumps) {
		r->out->lacks_dump = true;
		hp_scan_no_dump(r->o->dump, r->out->dumps, err);
	}
	return st;
}

/* Read the rest of the input, to learn the size of the dump. */
static enum hp_status
measure_input(struct run *r, struct hp_error *err)
{
	uint64_t skipped;
	enum hp_status st;

	do {
		st = hp_source_skip(r->src, UINT64_C(1) << 40, &skipped, err);
	} while (st == HP_OK && skipped > 0);
	r->out->bytes = hp_source_tell(r->src);
	return st;
}

static enum hp_status
scan_file(struct run *r, struct hp_error *err)
{
	const struct hp_pass pass = {.need = r->o->level == HP_LEVEL_FRAMING
						     ? HP_NEED_HEADS
						     : HP_NEED_REFERENCES,
				     .ctx = r,
				     .problem = on_problem,
				     .header = on_header,
				     .record = on_record,
				     .strings = on_strings,
				     .heap_end = on_heap_end,
				     .dump_begin = on_dump_begin,
				     .dump_waits = on_dump_waits,
				     .classes_complete = on_classes_complete,
				     .dump_end = on_dump_end,
				     .batch = on_batch,
				     .retired = on_retired};
	const struct hp_scan_options options = {.threads = r->threads,
						.only_dump = r->o->dump,
						.spill_memory =
							spill_memory(r)};
	const struct hp_container_note *notes;
	enum hp_status st = hp_scan(r->src, &pass, &options, err);
	size_t count;

	if (st == HP_OK)
		st = measure_input(r, err);
	if (st == HP_OK && r->out->dumps == 0 && r->o->dump == 0 &&
	    hp_header_readable(&r->header))
		st = find_secrets(r, 0, err);
	if (st == HP_OK)
		st = finish_result(r, err);
	if (st != HP_OK)
		return st;
	notes = hp_source_notes(r->src, &count);
	hp_check_container(&r->sum.findings, notes, count);
	hp_findings_merge(&r->sum.findings, &r->text.findings);
	if (hp_source_translated(r->src)) {
		r->out->text = true;
		r->out->bytes = r->text.bytes;
	}
	return HP_OK;
}

/*
 * Merge the maps of all threads, and store the map in the result. A text dump
 * has no map.
 */
static void
finish_map(struct run *r)
{
	if (!r->maps || !r->checking || r->out->text)
		return;
	hp_file_map_finish(r->maps, r->threads, r->out->bytes);
	r->out->map = r->maps;
	r->maps = NULL;
}

static enum hp_status
fill_result(struct run *r, struct hp_error *err)
{
	struct hp_validation *out = r->out;

	finish_map(r);
	memcpy(out->header, r->header.text, sizeof(out->header));
	out->id_size = r->header.id_size;
	out->timestamp_ms = r->header.timestamp_ms;
	out->has_references = r->o->level != HP_LEVEL_FRAMING;
	memcpy(out->records, r->check.records, sizeof(out->records));
	memcpy(out->subs, r->sum.evidence.subs, sizeof(out->subs));
	hp_findings_merge(&r->findings, &r->sum.findings);
	if (r->findings.failed)
		return hp_no_memory(err);
	if (rename_records(r, err) != HP_OK)
		return err->status;
	if (hp_validation_build_report(out, &r->findings, &r->tables, r->o,
				       err) != HP_OK)
		return err->status;
	return hp_validation_limit_search(out, r->o, err);
}

/*
 * --level=graph reads a compressed file through two decoders at once, because
 * the first one must continue after the dump. Each decoder needs memory for its
 * window and for one block, together up to 16 MB for zstd.
 */
static enum hp_status
check_graph_memory(const struct run *r, struct hp_error *err)
{
	enum { TWO_DECODERS = 40 << 20 };

	if (r->o->level != HP_LEVEL_GRAPH || r->o->memory >= TWO_DECODERS ||
	    strcmp(r->out->compression, "none") == 0)
		return HP_OK;
	return hp_fail(
		err, HP_LIMIT,
		"--memory is too small for --level=graph of a compressed "
		"file: at least %d MB is needed",
		TWO_DECODERS >> 20);
}

static enum hp_status
run_file(struct run *r, struct hp_error *err)
{
	struct hp_source_options so;
	enum hp_status st;

	hp_text_check_init(&r->text, r->o->max_examples, r->o->places);
	so = source_options(r);
	st = hp_source_open(&r->src, r->path, &so, err);
	if (st != HP_OK)
		return st;
	r->once = !hp_source_rewindable(r->src);
	r->out->compression = hp_source_compression(r->src);
	st = check_graph_memory(r, err);
	if (st != HP_OK)
		return st;
	/*
	 * The graph needs much time per byte, so use all threads even for small
	 * files.
	 */
	r->threads = r->o->level == HP_LEVEL_GRAPH
			     ? r->o->threads
			     : hp_scan_threads(r->src, r->o->threads);
	r->workers = hp_calloc(r->threads, sizeof(*r->workers));
	r->multi = hp_calloc(r->threads, sizeof(*r->multi));
	if (r->o->places)
		r->maps = hp_calloc(r->threads + 1ul, sizeof(*r->maps));
	if (!r->workers || !r->multi || (r->o->places && !r->maps))
		return hp_no_memory(err);
	for (unsigned i = 0; i < r->threads; i++)
		hp_worker_init(&r->workers[i], r->o->max_examples,
			       r->o->places);
	hp_worker_init(&r->sum, r->o->max_examples, r->o->places);
	hp_findings_init(&r->findings, r->o->max_examples, r->o->places);
	hp_progress_watch_source(r->o->progress, r->src, r->path);
	st = scan_file(r, err);
	hp_progress_watch(r->o->progress, NULL, NULL, NULL);
	if (st == HP_OK)
		st = fill_result(r, err);
	return st == HP_OK && r->out->text
		       ? hp_text_check_lines(&r->text, r->out, err)
		       : st;
}

static void
release_run(struct run *r)
{
	for (unsigned i = 0; r->workers && i < r->threads; i++)
		hp_worker_release(&r->workers[i]);
	for (unsigned i = 0; r->multi && i < r->threads; i++)
		hp_free(r->multi[i].items);
	hp_free(r->workers);
	hp_free(r->multi);
	hp_free(r->maps);
	hp_worker_release(&r->sum);
	hp_findings_release(&r->findings);
	if (r->checking) {
		hp_check_release(&r->check);
		hp_tables_release(&r->tables);
	}
	hp_rename_release(&r->names);
	hp_secrets_release(&r->secrets);
	hp_references_free(r->refs);
	hp_source_close(r->again);
	hp_source_close(r->src);
	hp_text_check_release(&r->text);
}

/*
 * Check the file once. Returns whether the check failed because --memory is too
 * small.
 */
static bool
try_file(const char *path, const struct hp_validate_options *options,
	 struct hp_validation *out)
{
	struct run r = {.o = options, .path = path, .out = out};
	enum hp_status st, identified = HP_OK;
	struct hp_dump_id id = {0};
	bool refused;

	memset(out, 0, sizeof(*out));
	out->path = path;
	out->compression = "none";
	out->only_dump = options->dump;
	st = run_file(&r, &out->error);
	/*
	 * Find out, before more memory is allocated, whether a second attempt
	 * with one thread may succeed.
	 */
	refused = st == HP_LIMIT && r.src && hp_source_rewindable(r.src) &&
		  hp_memory_refused(NULL, NULL);
	if (options->identify)
		identified = hp_dump_id_read(&id, r.src, path,
					     st == HP_OK ? &out->error : NULL);
	if (st != HP_OK || identified != HP_OK)
		hp_validation_unreadable(out);
	out->id = id;
	if (r.src)
		out->narchives = hp_source_archives(r.src, out->archives);
	release_run(&r);
	return refused;
}

void
hp_validate_file(const char *path, const struct hp_validate_options *options,
		 struct hp_validation *out)
{
	struct hp_validate_options alone = *options;

	alone.threads = 1;
	hp_memory_forget_refusal();
	if (!try_file(path, options, out) || options->threads == 1)
		return;
	/*
	 * With a larger --memory, more threads are used, which need more
	 * memory. So the check could fail although it succeeds with a smaller
	 * --memory. To avoid that, try again with one thread.
	 */
	hp_validation_release(out);
	hp_trim_malloc();
	hp_memory_forget_refusal();
	try_file(path, &alone, out);
}
