/*
 * proof.c - the decoder behind proof.h
 *
 * A state machine over heads of known size and stretches that are kept or
 * must have been replaced. Nothing of common/format is used here, on purpose:
 * a mistake made there would otherwise be made twice.
 */
#include "convert/proof.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum state {
	AT_HEADER,
	AT_RECORD,
	AT_SUB,	  /* a sub-record's tag */
	AT_TABLE, /* the count of a table of a class dump */
	AT_ENTRY, /* an entry of it */
};

enum { HEADER_SIZE = 31, RECORD_HEAD = 9, GATHER_MAX = 96, AHEAD = 2048 };

struct mark {
	uint64_t end, hash;
};

struct hp_proof {
	struct hp_policy policy;
	enum state state;
	unsigned id;	      /* bytes of an id */
	uint64_t at;	      /* bytes seen */
	uint64_t body;	      /* left of the heap record */
	uint64_t keep, clear; /* left of the stretch: as they were, zero */
	unsigned table, entries;
	uint8_t gather[GATHER_MAX]; /* a head that came in two chunks */
	unsigned have;
	uint64_t overflow_at, overflow_body;
	/* the bytes that are kept */
	XXH3_state_t *hash;
	uint64_t hashed; /* offset up to which they went into marks */
	struct mark *marks;
	size_t mark, nmarks, cap;
	uint64_t checked;
};

enum hp_status
hp_proof_open(struct hp_proof **out, const struct hp_policy *policy,
	      struct hp_error *err)
{
	struct hp_proof *p = calloc(1, sizeof(*p));

	*out = NULL;
	if (!p)
		return hp_fail(err, HP_NOMEM, "out of memory");
	p->hash = XXH3_createState();
	if (!p->hash) {
		free(p);
		return hp_fail(err, HP_NOMEM, "out of memory");
	}
	XXH3_64bits_reset(p->hash);
	p->policy = *policy;
	p->overflow_at = UINT64_MAX;
	*out = p;
	return HP_OK;
}

void
hp_proof_close(struct hp_proof *p)
{
	if (!p)
		return;
	XXH3_freeState(p->hash);
	free(p->marks);
	free(p);
}

void
hp_proof_overflow(struct hp_proof *p, uint64_t offset, uint64_t body)
{
	p->overflow_at = offset;
	p->overflow_body = body;
}

enum hp_status
hp_proof_mark(struct hp_proof *p, uint64_t end, uint64_t hash,
	      struct hp_error *err)
{
	if (p->nmarks == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 64;
		struct mark *larger = realloc(p->marks, cap * sizeof(*larger));

		if (!larger)
			return hp_fail(err, HP_NOMEM, "out of memory");
		p->marks = larger;
		p->cap = cap;
	}
	p->marks[p->nmarks++] = (struct mark){.end = end, .hash = hash};
	return HP_OK;
}

uint64_t
hp_proof_bytes(const struct hp_proof *p)
{
	return p->checked;
}

/* ---- the kept bytes ---- */

static enum hp_status
close_marks(struct hp_proof *p, struct hp_error *err)
{
	while (p->mark < p->nmarks && p->marks[p->mark].end <= p->hashed) {
		if (XXH3_64bits_digest(p->hash) != p->marks[p->mark].hash)
			return hp_fail(err, HP_DAMAGED,
				       "the proof failed: bytes that were to "
				       "stay are changed before offset %llu",
				       (unsigned long long)
					       p->marks[p->mark].end);
		XXH3_64bits_reset(p->hash);
		p->mark++;
	}
	return HP_OK;
}

/* Take @n bytes in order: kept ones from @data, or none that count (NULL). */
static enum hp_status
account(struct hp_proof *p, const uint8_t *data, uint64_t n,
	struct hp_error *err)
{
	enum hp_status st = HP_OK;

	while (n > 0 && st == HP_OK) {
		uint64_t m = n;

		if (p->mark < p->nmarks &&
		    m > p->marks[p->mark].end - p->hashed)
			m = p->marks[p->mark].end - p->hashed;
		if (data) {
			XXH3_64bits_update(p->hash, data, m);
			data += m;
		}
		p->hashed += m;
		n -= m;
		st = close_marks(p, err);
	}
	return st;
}

/* ---- the shape of the dump ---- */

static uint32_t
big4(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
	       (uint32_t)b[2] << 8 | b[3];
}

static enum hp_status
lost(const struct hp_proof *p, const char *what, struct hp_error *err)
{
	return hp_fail(err, HP_DAMAGED,
		       "the proof cannot follow the output at offset %llu: %s",
		       (unsigned long long)p->at, what);
}

/* Bytes of a value; 0: no type. Source: HPROF manual, "Basic Type" */
static unsigned
width(unsigned type, unsigned id)
{
	switch (type) {
	case 1:
	case 2:
		return id;
	case 4:
	case 8:
		return 1;
	case 5:
	case 9:
		return 2;
	case 6:
	case 10:
		return 4;
	case 7:
	case 11:
		return 8;
	default:
		return 0;
	}
}

/* Bytes of a sub-record up to its variable part; 0: no such tag. */
static unsigned
sub_head(uint8_t tag, unsigned id)
{
	switch (tag) {
	case 0xFF:
	case 0x05:
	case 0x07:
	case 0x89:
	case 0x8A:
	case 0x8B:
	case 0x8C:
	case 0x8D:
	case 0x90:
		return 1 + id;
	case 0x01:
		return 1 + 2 * id;
	case 0x02:
	case 0x03:
	case 0x08:
	case 0x8E:
		return 9 + id;
	case 0x04:
	case 0x06:
	case 0xFE:
		return 5 + id;
	case 0x20:
		return 9 + 7 * id;
	case 0x21:
	case 0x22:
		return 9 + 2 * id;
	case 0x23:
	case 0xC3:
		return 10 + id;
	default:
		return 0;
	}
}

/* Bytes of the head that comes next, if @first is its first byte; 0: none. */
static unsigned
head_size(const struct hp_proof *p, uint8_t first)
{
	switch (p->state) {
	case AT_HEADER:
		return HEADER_SIZE;
	case AT_RECORD:
		return RECORD_HEAD;
	case AT_SUB:
		return sub_head(first, p->id);
	case AT_TABLE:
		return 2;
	default:
		return p->table == 0 ? 3 : p->id + 1;
	}
}

static enum hp_status
see_header(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	if (memcmp(h, "JAVA PROFILE 1.0.", 17) != 0 || h[18] != 0)
		return lost(p, "no header", err);
	p->id = big4(h + 19);
	if (p->id != 4 && p->id != 8)
		return lost(p, "bad id size", err);
	p->state = AT_RECORD;
	return HP_OK;
}

static void
see_record(struct hp_proof *p, const uint8_t *h)
{
	uint64_t body = big4(h + 5);

	if (h[0] != 0x0C && h[0] != 0x1C) {
		p->keep = body;
		return;
	}
	if (p->at == p->overflow_at)
		body = p->overflow_body;
	p->body = body;
	p->state = body ? AT_SUB : AT_RECORD;
}

/* The next sub-record, or the next record where the heap record ends. */
static void
sub_done(struct hp_proof *p)
{
	p->state = p->body ? AT_SUB : AT_RECORD;
}

static enum hp_status
take_body(struct hp_proof *p, uint64_t n, struct hp_error *err)
{
	if (n > p->body)
		return lost(p, "past the record's end", err);
	p->body -= n;
	return HP_OK;
}

/* An array of primitives: the first elements stay, the others are zero. */
static enum hp_status
see_array(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	uint64_t n = big4(h + 5 + p->id), stay = n;
	unsigned type = h[9 + p->id], size = width(type, p->id);

	if (size == 0 || type < 4)
		return lost(p, "no type of elements", err);
	if (p->policy.array_types >> type & 1 && p->policy.keep_first < n)
		stay = p->policy.keep_first;
	p->keep = stay * size;
	p->clear = (n - stay) * size;
	return take_body(p, n * size, err);
}

static enum hp_status
see_sub(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	enum hp_status st = take_body(p, sub_head(h[0], p->id), err);

	if (st != HP_OK)
		return st;
	switch (h[0]) {
	case 0x20:
		p->state = AT_TABLE;
		p->table = 0;
		return HP_OK;
	case 0x21:
		p->keep = big4(h + 5 + 2 * p->id);
		st = take_body(p, p->keep, err);
		break;
	case 0x22:
		p->keep = (uint64_t)big4(h + 5 + p->id) * p->id;
		st = take_body(p, p->keep, err);
		break;
	case 0x23:
		st = see_array(p, h, err);
		break;
	default:
		break;
	}
	sub_done(p);
	return st;
}

/* Enter the tables of a class dump that are not empty, or leave it. */
static enum hp_status
see_table(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	enum hp_status st = take_body(p, 2, err);

	p->entries = (unsigned)h[0] << 8 | h[1];
	if (p->entries > 0)
		p->state = AT_ENTRY;
	else if (++p->table > 2)
		sub_done(p);
	return st;
}

static enum hp_status
see_entry(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	unsigned head = p->table == 0 ? 3 : p->id + 1;
	unsigned type = h[head - 1], size = width(type, p->id);
	enum hp_status st = take_body(p, head, err);

	if (size == 0)
		return lost(p, "no type", err);
	if (st == HP_OK && p->table < 2) {
		st = take_body(p, size, err);
		if (type >= 4 && p->policy.field_types >> type & 1)
			p->clear = size;
		else
			p->keep = size;
	}
	if (--p->entries == 0) {
		p->state = AT_TABLE;
		if (++p->table > 2)
			sub_done(p);
	}
	return st;
}

static enum hp_status
see_head(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	switch (p->state) {
	case AT_HEADER:
		return see_header(p, h, err);
	case AT_RECORD:
		see_record(p, h);
		return HP_OK;
	case AT_SUB:
		return see_sub(p, h, err);
	case AT_TABLE:
		return see_table(p, h, err);
	default:
		return see_entry(p, h, err);
	}
}

/* ---- the chunks ---- */

/* The first of @n bytes that is not zero; @n if all are. */
static size_t
zeros(const uint8_t *b, size_t n)
{
	size_t i = 0;
	uint64_t w[8];

	for (; n - i >= sizeof(w); i += sizeof(w)) {
		memcpy(w, b + i, sizeof(w));
		if (w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7])
			break;
	}
	while (i < n && b[i] == 0)
		i++;
	return i;
}

/* Bytes that must be zero: as many as the stretch and the chunk have. */
static enum hp_status
check_clear(struct hp_proof *p, const uint8_t *b, uint64_t n,
	    struct hp_error *err)
{
	size_t ok = zeros(b, n);

	if (ok < n)
		return hp_fail(err, HP_DAMAGED,
			       "the proof failed: a payload byte survived at "
			       "offset %llu",
			       (unsigned long long)(p->at + ok));
	p->clear -= n;
	p->at += n;
	p->checked += n;
	return account(p, NULL, n, err);
}

/*
 * Bytes at @b that belong to a head; *@taken: how many. The head is looked at
 * once it is whole.
 */
static enum hp_status
take_head(struct hp_proof *p, const uint8_t *b, size_t n, size_t *taken,
	  struct hp_error *err)
{
	unsigned need = head_size(p, p->have ? p->gather[0] : b[0]);
	enum hp_status st;

	if (need == 0)
		return lost(p, "no such sub-record", err);
	if (p->have == 0 && n >= need) {
		*taken = need;
		st = see_head(p, b, err);
		p->at += need;
		return st;
	}
	*taken = n < need - p->have ? n : need - p->have;
	memcpy(p->gather + p->have, b, *taken);
	p->have += (unsigned)*taken;
	if (p->have < need)
		return HP_OK;
	p->have = 0;
	st = see_head(p, p->gather, err);
	p->at += need;
	return st;
}

enum hp_status
hp_proof_feed(struct hp_proof *p, const void *data, size_t n,
	      struct hp_error *err)
{
	const uint8_t *b = data, *end = b + n, *from = b;
	enum hp_status st = HP_OK;

	while (b < end && st == HP_OK) {
		size_t left = (size_t)(end - b), m = left;

		if (p->keep > 0) {
			if (m > p->keep)
				m = p->keep;
			p->keep -= m;
			p->at += m;
		} else if (p->clear > 0) {
			if (m > p->clear)
				m = p->clear;
			st = account(p, from, (uint64_t)(b - from), err);
			if (st == HP_OK)
				st = check_clear(p, b, m, err);
			from = b + m;
		} else {
			if (left > AHEAD)
				__builtin_prefetch(b + AHEAD);
			st = take_head(p, b, left, &m, err);
		}
		b += m;
	}
	return st == HP_OK ? account(p, from, (uint64_t)(end - from), err) :
			     st;
}

enum hp_status
hp_proof_end(struct hp_proof *p, struct hp_error *err)
{
	if (p->state != AT_RECORD || p->have || p->keep || p->clear)
		return lost(p, "it ends inside a record", err);
	if (p->mark < p->nmarks)
		return lost(p, "it is too short", err);
	return HP_OK;
}
