/*
 * skim.c - counts from the blocks' tables, and the dump without its objects
 *
 * Workers look at blocks; the caller's thread puts the bytes of what is no
 * object together, in order, and writes the lengths of heap records anew.
 */
#include "common/pack/skim.h"

#include "common/io/pool.h"
#include "common/pack/block.h"
#include "common/pack/index.h"

#include <stdatomic.h>
#include <stdlib.h>

/* A place in a block's bytes where a heap record begins, or where one ends. */
struct mark {
	size_t at;
	bool heap; /* it begins with its head; else any other record follows */
};

/* A block on its way. */
struct job {
	uint32_t number;
	struct hp_pack_entry entry;
	enum hp_status status;
	struct hp_error error;
	/* what the worker made of it */
	uint8_t *bytes; /* of what is no object */
	size_t len, room;
	struct mark *marks;
	size_t nmarks, marks_room;
	uint8_t heap_tag;  /* heap records begin here, unmarked; 0: none do */
	uint32_t heads[2]; /* heap records: HEAP DUMP, HEAP DUMP SEGMENT */
	uint32_t ends;	   /* HEAP DUMP END */
	struct hp_pack_facts facts;
};

struct worker {
	unsigned number;
	struct hp_pack_unpacker unpacker;
	struct hp_pack_packed list[HP_PACK_STREAMS];
	uint64_t at[HP_PACK_STREAMS]; /* of the streams in the file */
	uint8_t *packed;	      /* one stream */
	size_t packed_room;
};

struct skim {
	struct hp_source *raw;
	const struct hp_skim_options *options;
	struct hp_pack_index index;
	struct hp_pool *pool;
	pthread_t feeder;
	bool feeding;
	atomic_uint workers;

	/* the caller's: the dump without objects */
	struct hp_buf dump;
	size_t open; /* the open heap record's head; SIZE_MAX: none */
	bool kept;   /* a heap record was */
	bool ended;
	uint64_t heads[2], ends;
	struct hp_pack_facts facts;
};

bool
hp_skim_possible(struct hp_source *raw)
{
	uint8_t magic[8];
	size_t got;

	return hp_source_seekable(raw) &&
	       hp_source_pread(raw, magic, 8, 0, &got, NULL) == HP_OK &&
	       got == 8 && memcmp(magic, HP_PACK_MAGIC, 8) == 0;
}

/* ---- a block's streams ---- */

/* Reads head and list; HP_UNSUPPORTED: not a block to skim. */
static enum hp_status
open_block(struct skim *k, struct worker *w, const struct job *j,
	   struct hp_pack_head *h, struct hp_error *err)
{
	uint8_t bytes[HP_PACK_BLOCK_HEAD + HP_PACK_LIST_MOST];
	uint64_t at = j->entry.at;
	enum hp_status st;
	size_t got, front;

	st = hp_source_pread(k->raw, bytes, sizeof(bytes), at, &got, err);
	if (st != HP_OK)
		return st;
	if (got < HP_PACK_BLOCK_HEAD || !hp_pack_head_read(h, bytes))
		return HP_UNSUPPORTED;
	front = HP_PACK_BLOCK_HEAD + HP_PACK_ENTRY * (size_t)h->nstreams;
	if (got < front || h->flags != 0 || h->number != j->number ||
	    h->plain != j->entry.plain || h->offset != j->entry.offset ||
	    front + h->body != j->entry.stored ||
	    !hp_pack_head_intact(h, bytes, bytes + HP_PACK_BLOCK_HEAD) ||
	    !hp_pack_list_read(h, bytes + HP_PACK_BLOCK_HEAD, w->list))
		return HP_UNSUPPORTED;
	at += front;
	for (uint32_t i = 0; i < h->nstreams; i++) {
		w->at[i] = at;
		at += w->list[i].packed;
	}
	return HP_OK;
}

/* The first @n bytes of entry @i of the list, to @to. */
static enum hp_status
read_stream(struct skim *k, struct worker *w, uint32_t i, uint8_t *to, size_t n,
	    struct hp_error *err)
{
	const struct hp_pack_packed *s = &w->list[i];
	enum hp_status st;
	size_t got;

	if (s->packed > w->packed_room) {
		free(w->packed);
		w->packed = malloc(s->packed);
		w->packed_room = w->packed ? s->packed : 0;
		if (!w->packed)
			return hp_fail(err, HP_NOMEM, "out of memory");
	}
	st = hp_source_pread(k->raw, w->packed, s->packed, w->at[i], &got, err);
	if (st == HP_OK && got == s->packed)
		st = hp_pack_stream_read(w->unpacker.zstd, s, w->packed, to, n);
	else if (st == HP_OK)
		st = HP_UNSUPPORTED;
	return st == HP_DAMAGED ? HP_UNSUPPORTED : st;
}

/*
 * Reads @want[stream] bytes of each stream into one buffer, and makes them
 * the decoder's.
 */
static enum hp_status
read_streams(struct skim *k, struct worker *w, const struct hp_pack_head *h,
	     const uint64_t *want, struct hp_error *err)
{
	struct hp_pack_decoder *d = &w->unpacker.decoder;
	enum hp_status st = HP_OK;
	uint64_t sum = 0;
	uint8_t *to;

	for (uint32_t i = 0; i < h->nstreams; i++)
		sum += want[w->list[i].stream] < w->list[i].plain
			       ? want[w->list[i].stream]
			       : w->list[i].plain;
	if (!hp_pack_room(&w->unpacker, sum))
		return hp_fail(err, HP_NOMEM, "out of memory");
	hp_pack_streams_clear(d);
	to = w->unpacker.streams;
	for (uint32_t i = 0; i < h->nstreams && st == HP_OK; i++) {
		const struct hp_pack_packed *s = &w->list[i];
		uint64_t n =
			want[s->stream] < s->plain ? want[s->stream] : s->plain;

		if (n == 0)
			continue;
		st = read_stream(k, w, i, to, n, err);
		d->streams[s->stream] = (struct hp_pack_bytes){to, to + n};
		to += n;
	}
	return st;
}

/* ---- what is no object ---- */

/* Is the symbol part of the dump without objects? */
static bool
is_kept(const struct hp_pack_symbol *s)
{
	return s->kind == HP_PACK_ROW || s->kind == HP_PACK_TEXT ||
	       s->kind == HP_PACK_BYTES;
}

/* Does it stand between records, and is no heap record? */
static bool
is_record(const struct hp_pack_symbol *s)
{
	return is_kept(s) && s->tag & (HP_PACK_RECORD | HP_PACK_HEADER) &&
	       !hp_pack_is_heap_head(s);
}

/*
 * The number of kept symbols; all others have to follow them, so that what
 * they take of each stream is its begin. False: some do not.
 */
static bool
count_kept(const struct hp_pack_table *t, uint32_t *kept)
{
	uint32_t n = 0;

	while (n < t->nsymbols && is_kept(&t->symbols[n]))
		n++;
	*kept = n;
	for (; n < t->nsymbols; n++)
		if (is_kept(&t->symbols[n]))
			return false;
	return true;
}

/* What the first @kept symbols take of each stream. */
static void
wanted_streams(const struct hp_pack_decoder *d, uint32_t kept, bool ordered,
	       uint64_t *want)
{
	const struct hp_pack_table *t = &d->table;

	memset(want, 0, HP_PACK_STREAMS * sizeof(*want));
	if (ordered)
		want[HP_PACK_S_OP_LOW] = want[HP_PACK_S_OP_HIGH] = UINT64_MAX;
	want[HP_PACK_S_TEXT] = want[HP_PACK_S_BYTES] = UINT64_MAX;
	want[HP_PACK_S_CLASS] = UINT64_MAX;
	for (uint32_t i = 0; i < kept; i++) {
		const struct hp_pack_symbol *s = &t->symbols[i];

		for (uint32_t c = 0; c < s->ncolumns; c++) {
			const struct hp_pack_column *column =
				&t->columns[s->column + c];
			unsigned group = hp_pack_group(s, column, c);

			for (unsigned p = 0; p < column->planes; p++)
				want[8 * group + p] += s->rows;
		}
	}
}

static bool
add_mark(struct job *j, bool heap)
{
	if (j->nmarks == j->marks_room) {
		size_t room = 2 * j->marks_room + 64;
		void *list = realloc(j->marks, room * sizeof(*j->marks));

		if (!list)
			return false;
		j->marks = list;
		j->marks_room = room;
	}
	j->marks[j->nmarks++] = (struct mark){.at = j->len, .heap = heap};
	return true;
}

/* Gives the next row of a kept symbol its place. */
static bool
place(struct hp_pack_decoder *d, struct job *j, uint32_t number)
{
	const struct hp_pack_symbol *s = &d->table.symbols[number];
	uint32_t row;
	uint64_t size = s->fixed;

	if (d->next[number] == s->rows)
		return false;
	row = s->first + d->next[number]++;
	if (s->unit)
		size += (uint64_t)d->lengths[row] * s->unit;
	if (size > d->plain - j->len)
		return false;
	d->rows[row] = (uint32_t)j->len;
	j->len += size;
	return true;
}

/* In the dump's order: the items have to be gone through. */
static bool
place_in_order(struct hp_pack_decoder *d, uint32_t kept, struct job *j)
{
	const struct hp_pack_table *t = &d->table;
	const struct hp_pack_bytes *low = &d->streams[HP_PACK_S_OP_LOW];
	const struct hp_pack_bytes *high = &d->streams[HP_PACK_S_OP_HIGH];
	bool inside = true; /* a heap record may be open */

	if (hp_pack_left(low) != t->items ||
	    (t->nsymbols > 256 && hp_pack_left(high) != t->items))
		return false;
	for (uint32_t i = 0; i < t->items; i++) {
		unsigned op = low->p[i];
		const struct hp_pack_symbol *s;

		if (t->nsymbols > 256)
			op |= (unsigned)high->p[i] << 8;
		if (op >= t->nsymbols)
			return false;
		if (op >= kept)
			continue;
		s = &t->symbols[op];
		if (hp_pack_is_heap_head(s) && !add_mark(j, true))
			return false;
		if (is_record(s) && inside && !add_mark(j, false))
			return false;
		inside = hp_pack_is_heap_head(s) || (inside && !is_record(s));
		if (!place(d, j, op))
			return false;
	}
	return true;
}

/* Sub-records only: in any order. */
static bool
place_subs(struct hp_pack_decoder *d, uint32_t kept, struct job *j)
{
	for (uint32_t i = 0; i < kept; i++)
		for (uint32_t k = 0; k < d->table.symbols[i].rows; k++)
			if (!place(d, j, i))
				return false;
	return true;
}

/* The bytes of all kept items, at their places. */
static enum hp_status
fill(struct hp_pack_decoder *d, uint32_t kept, struct job *j)
{
	enum hp_status st = HP_OK;

	if (j->len > j->room) {
		free(j->bytes);
		j->bytes = malloc(j->len);
		j->room = j->bytes ? j->len : 0;
		if (!j->bytes)
			return HP_NOMEM;
	}
	d->out = j->bytes;
	for (uint32_t i = 0; i < kept && st == HP_OK; i++) {
		const struct hp_pack_symbol *s = &d->table.symbols[i];

		if (d->next[i] != s->rows)
			return HP_DAMAGED;
		for (uint32_t k = 0; s->fixed && k < s->rows; k++)
			d->out[d->rows[s->first + k]] = (uint8_t)s->tag;
		st = hp_pack_decode_symbol(d, s);
	}
	return st;
}

static enum hp_status
count_objects(struct skim *k, struct worker *w, struct job *j)
{
	const struct hp_pack_table *t = &w->unpacker.decoder.table;
	const struct hp_skim_options *o = k->options;
	enum hp_status st = HP_OK;

	for (uint32_t i = 0; i < t->nsymbols && st == HP_OK; i++) {
		const struct hp_pack_symbol *s = &t->symbols[i];

		if (hp_pack_is_object(s->kind))
			st = o->count(o->context, w->number, s,
				      t->residues + s->residue);
		else if (hp_pack_is_heap_head(s))
			j->heads[s->tag ==
				 (HP_PACK_RECORD | HP_REC_HEAP_DUMP_SEGMENT)] +=
				s->rows;
		else if (s->tag == (HP_PACK_RECORD | HP_REC_HEAP_DUMP_END))
			j->ends += s->rows;
	}
	return st;
}

/*
 * Does the order of the first @kept symbols matter? Not if they are
 * sub-records. Heads of heap records behind them are left out then: the heap
 * record's length is written anew, and where in the block it begins says
 * nothing.
 */
static bool
is_ordered(const struct hp_pack_table *t, uint32_t *kept, struct job *j)
{
	uint32_t n = *kept;

	while (n > 0 && hp_pack_is_heap_head(&t->symbols[n - 1]))
		n--;
	for (uint32_t i = 0; i < n; i++)
		if (is_record(&t->symbols[i]) ||
		    hp_pack_is_heap_head(&t->symbols[i]))
			return true;
	if (n < *kept)
		j->heap_tag = (uint8_t)t->symbols[n].tag;
	*kept = n;
	return false;
}

/* What is no object, of a block that has such. */
static enum hp_status
keep_rest(struct skim *k, struct worker *w, const struct hp_pack_head *h,
	  uint32_t kept, struct job *j)
{
	struct hp_pack_decoder *d = &w->unpacker.decoder;
	bool ordered = is_ordered(&d->table, &kept, j), placed;
	uint64_t want[HP_PACK_STREAMS];
	enum hp_status st;

	if (kept == 0)
		return HP_OK;
	wanted_streams(d, kept, ordered, want);
	st = read_streams(k, w, h, want, &j->error);
	if (st == HP_OK)
		st = hp_pack_decode_lengths(d, kept);
	if (st != HP_OK)
		return st;
	placed = ordered ? place_in_order(d, kept, j) : place_subs(d, kept, j);
	return placed ? fill(d, kept, j) : HP_DAMAGED;
}

/* A block: counted, and its bytes but for the objects. */
static enum hp_status
skim_block(struct skim *k, struct worker *w, struct job *j)
{
	struct hp_pack_decoder *d = &w->unpacker.decoder;
	uint64_t want[HP_PACK_STREAMS] = {[HP_PACK_S_SYMBOLS] = UINT64_MAX};
	struct hp_pack_head h;
	enum hp_status st = open_block(k, w, j, &h, &j->error);
	uint32_t kept;

	if (st == HP_OK)
		st = read_streams(k, w, &h, want, &j->error);
	if (st == HP_OK)
		st = hp_pack_decode_table(d, h.plain);
	if (st == HP_OK)
		st = count_objects(k, w, j);
	if (st != HP_OK)
		return st;
	j->facts = d->table.facts;
	if (!count_kept(&d->table, &kept))
		return HP_UNSUPPORTED;
	return keep_rest(k, w, &h, kept, j);
}

/* ---- threads ---- */

static void
work(void *context, void *state, void *slot)
{
	struct job *j = slot;

	j->len = j->nmarks = 0;
	j->heap_tag = 0;
	j->heads[0] = j->heads[1] = j->ends = 0;
	j->error = (struct hp_error){0};
	j->status = skim_block(context, state, j);
}

static void
worker_close(void *state)
{
	struct worker *w = state;

	hp_pack_unpacker_release(&w->unpacker);
	free(w->packed);
	free(w);
}

static void *
worker_open(void *context)
{
	struct skim *k = context;
	struct worker *w = calloc(1, sizeof(*w));

	if (w && !hp_pack_unpacker_init(&w->unpacker)) {
		worker_close(w);
		return NULL;
	}
	if (w)
		w->number = atomic_fetch_add(&k->workers, 1);
	return w;
}

static void
job_release(void *slot)
{
	struct job *j = slot;

	free(j->bytes);
	free(j->marks);
}

static void
job_set(const struct skim *k, struct job *j, size_t block)
{
	j->number = (uint32_t)block;
	j->entry = k->index.entries[block];
}

static void *
feeder_run(void *argument)
{
	struct skim *k = argument;

	for (size_t i = 0; i < k->index.count; i++) {
		struct job *j = hp_pool_fill(k->pool);

		if (!j)
			return NULL;
		job_set(k, j, i);
		hp_pool_put(k->pool, true);
	}
	hp_pool_end(k->pool);
	return NULL;
}

/* ---- the dump without objects, in order ---- */

/* Ends the open heap record: its length is known now. */
static bool
close_heap(struct skim *k)
{
	size_t n;

	if (k->open == SIZE_MAX)
		return true;
	n = k->dump.len - k->open - HP_HEAD_SIZE;
	if (n > UINT32_MAX)
		return false;
	if (n == 0)
		k->dump.len = k->open; /* nothing of it is left */
	else
		hp_store4(k->dump.data + k->open + 5, (uint32_t)n);
	k->kept |= n > 0;
	k->open = SIZE_MAX;
	return true;
}

/* Of a mark: a heap record begins at the dump's end, or another record. */
static bool
take_mark(struct skim *k, const struct mark *m)
{
	if (!close_heap(k) || (m->heap && k->ended))
		return false;
	if (m->heap)
		k->open = k->dump.len;
	return true;
}

/* A block's bytes. HP_UNSUPPORTED: records are not where they should be. */
static enum hp_status
take_block(struct skim *k, const struct job *j)
{
	uint8_t head[HP_HEAD_SIZE] = {j->heap_tag};
	size_t from = 0;

	if (j->heap_tag && k->open == SIZE_MAX) {
		if (k->ended)
			return HP_UNSUPPORTED;
		k->open = k->dump.len;
		hp_buf_add(&k->dump, head, sizeof(head));
	}
	if (j->len > 0 && (j->nmarks == 0 || j->marks[0].at > 0) &&
	    k->open == SIZE_MAX)
		return HP_UNSUPPORTED;
	for (size_t i = 0; i < j->nmarks; i++) {
		hp_buf_add(&k->dump, j->bytes + from, j->marks[i].at - from);
		from = j->marks[i].at;
		if (!take_mark(k, &j->marks[i]))
			return HP_UNSUPPORTED;
	}
	if (j->len > from)
		hp_buf_add(&k->dump, j->bytes + from, j->len - from);
	k->ended |= j->ends > 0;
	return hp_buf_ok(&k->dump) ? HP_OK : HP_NOMEM;
}

/* The block's facts behind those before it. */
static void
take_facts(struct skim *k, const struct hp_pack_facts *f)
{
	struct hp_pack_facts *all = &k->facts;

	all->id_bits |= f->id_bits;
	all->overlaps += f->overlaps;
	all->near += f->near;
	if (!f->any)
		return;
	if (all->any && f->first_array > all->last_array &&
	    f->first_array < all->last_end)
		all->overlaps++;
	all->any = true;
	all->last_array = f->last_array;
	all->last_end = f->last_end;
}

static enum hp_status
take_job(struct skim *k, const struct job *j, struct hp_error *err)
{
	enum hp_status st = j->status;

	if (st == HP_OK)
		st = take_block(k, j);
	k->heads[0] += j->heads[0];
	k->heads[1] += j->heads[1];
	k->ends += j->ends;
	take_facts(k, &j->facts);
	if (st == HP_IO)
		return hp_fail(err, st, "%s", j->error.text);
	if (st == HP_NOMEM)
		return hp_fail(err, st, "out of memory");
	return st == HP_DAMAGED ? HP_UNSUPPORTED : st;
}

static enum hp_status
take_jobs(struct skim *k, struct hp_error *err)
{
	enum hp_status st = HP_OK;
	struct job *j;

	while (st == HP_OK && (j = hp_pool_take(k->pool))) {
		st = take_job(k, j, err);
		hp_pool_give(k->pool);
	}
	return st;
}

/*
 * Two arrays overlap only as seen within a batch. Batches end every 512 KiB at
 * most, at long records' ends, and at gaps of 64 KiB between heap records.
 * Where it is not certain, the dump has to be read in full.
 */
static enum hp_status
judge(const struct skim *k, struct hp_skim_facts *facts)
{
	uint64_t batches = k->index.plain / (512 << 10) +
			   k->dump.len / (64 << 10) +
			   2 * (k->heads[0] + k->heads[1]) + 16;

	facts->id_bits = k->facts.id_bits;
	facts->overlap = k->facts.near > 0 || k->facts.overlaps > batches;
	if (k->facts.overlaps > 0 && !facts->overlap)
		return HP_UNSUPPORTED;
	/* one dump, of which something is left */
	if (k->heads[0] > 1 || (k->heads[0] && k->heads[1]) || k->ends > 1 ||
	    !k->kept)
		return HP_UNSUPPORTED;
	return HP_OK;
}

static enum hp_status
run_threads(struct skim *k, struct hp_error *err)
{
	const struct hp_pool_options o = {
		.threads = k->options->threads,
		.slots = 2 * k->options->threads + 1,
		.slot_size = sizeof(struct job),
		.work = work,
		.worker_open = worker_open,
		.worker_close = worker_close,
		.slot_release = job_release,
		.context = k,
	};
	enum hp_status st = hp_pool_open(&k->pool, &o, err);

	if (st == HP_OK)
		st = hp_thread_start(&k->feeder, feeder_run, k, err);
	k->feeding = st == HP_OK;
	if (st == HP_OK)
		st = take_jobs(k, err);
	if (k->pool)
		hp_pool_stop(k->pool);
	if (k->feeding)
		pthread_join(k->feeder, NULL);
	hp_pool_close(k->pool);
	return st;
}

/* All blocks on the caller's thread. */
static enum hp_status
run_alone(struct skim *k, struct hp_error *err)
{
	struct worker *w = worker_open(k);
	enum hp_status st = HP_OK;
	struct job j = {0};

	if (!w)
		return hp_fail(err, HP_NOMEM, "out of memory");
	for (size_t i = 0; i < k->index.count && st == HP_OK; i++) {
		job_set(k, &j, i);
		work(k, w, &j);
		st = take_job(k, &j, err);
	}
	worker_close(w);
	job_release(&j);
	return st;
}

enum hp_status
hp_skim(struct hp_source *raw, const struct hp_skim_options *options,
	struct hp_skim_facts *facts, struct hp_error *err)
{
	struct skim k = {.raw = raw, .options = options, .open = SIZE_MAX};
	enum hp_status st = hp_pack_index_read(&k.index, raw, err);

	if (st == HP_DAMAGED)
		st = HP_UNSUPPORTED;
	if (st == HP_OK)
		st = options->threads > 1 ? run_threads(&k, err)
					  : run_alone(&k, err);
	if (st == HP_OK && !close_heap(&k))
		st = HP_UNSUPPORTED;
	if (st == HP_OK)
		st = judge(&k, facts);
	if (st == HP_OK)
		st = options->put(options->context, k.dump.data, k.dump.len,
				  err);
	hp_buf_release(&k.dump);
	hp_pack_index_release(&k.index);
	return st;
}
