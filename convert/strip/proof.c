/*
 * proof.c - check that a stripped dump really lacks the values that were to be
 * removed
 *
 * This file has a decoder of its own. It reads the dump as a sequence of fixed
 * fields, with ranges of bytes between them. The bytes of a range are either
 * kept or replaced. This file deliberately shares no code with common/format: a
 * mistake there would otherwise affect both the strip and its check in the same
 * way.
 *
 * Invariants:
 * I1  p->keep is the number of kept bytes that are still to come in the current
 *     range, and p->clear the number of replaced bytes. While bytes are
 *     consumed, one of the two numbers is 0.
 * I2  p->at is the offset of the next byte. It never decreases, so each byte of
 *     the dump is checked once.
 */
#include "convert/strip/proof.h"

#include "common/base/memory.h"
#include "common/base/vec.h"
#include "convert/strip/proof_internal.h"

#include <assert.h>
#include <string.h>

enum hp_status
hp_proof_open(struct hp_proof **out, const struct hp_policy *policy,
	      const struct hp_proof_model *facts, struct hp_error *err)
{
	struct hp_proof *p = hp_calloc(1, sizeof(*p));

	*out = NULL;
	if (!p)
		return hp_no_memory(err);
	p->hash = XXH3_createState();
	if (!p->hash) {
		hp_free(p);
		return hp_no_memory(err);
	}
	XXH3_64bits_reset(p->hash);
	p->policy = *policy;
	p->facts = facts;
	p->overflow_at = UINT64_MAX;
	*out = p;
	return HP_OK;
}

enum hp_status
hp_proof_learn(struct hp_proof **out, struct hp_proof_model *facts,
	       unsigned round, struct hp_error *err)
{
	static const struct hp_policy nothing;
	enum hp_status st = hp_proof_open(out, &nothing, NULL, err);

	if (st == HP_OK) {
		(*out)->learn = facts;
		(*out)->round = round;
	}
	return st;
}

void
hp_proof_close(struct hp_proof *p)
{
	if (!p)
		return;
	XXH3_freeState(p->hash);
	hp_free(p->marks);
	hp_free(p->stretches);
	hp_free(p);
}

void
hp_proof_overflow(struct hp_proof *p, uint64_t offset, uint64_t body)
{
	p->overflow_at = offset;
	p->overflow_body = body;
	if (p->heap_at != offset || p->heap_body == body)
		return;
	/*
	 * The decoder is already inside this record, so add the bytes that the
	 * length field does not count.
	 */
	p->body += body - p->heap_body;
	p->heap_body = body;
	if (p->state == AT_RECORD)
		p->state = AT_SUB;
}

enum hp_status
hp_proof_mark(struct hp_proof *p, uint64_t end, uint64_t hash,
	      struct hp_error *err)
{
	/*
	 * a mark is an offset at which hashes are compared; marks are added in
	 * ascending order, each before the bytes up to it are hashed
	 */
	assert(p->nmarks == 0 || p->marks[p->nmarks - 1].end <= end);
	assert(p->hashed <= end);
	return HP_LIST_PUSH(p->marks, p->nmarks, p->cap,
			    (struct mark){.end = end, .hash = hash})
		       ? HP_OK
		       : hp_no_memory(err);
}

uint64_t
hp_proof_bytes(const struct hp_proof *p)
{
	return p->checked;
}

/* ---- hash the kept bytes, and compare with the input ---- */

static enum hp_status
close_marks(struct hp_proof *p, struct hp_error *err)
{
	while (p->mark < p->nmarks && p->marks[p->mark].end <= p->hashed) {
		if (XXH3_64bits_digest(p->hash) != p->marks[p->mark].hash)
			return hp_fail(
				err, HP_DAMAGED,
				"the check of the output failed: bytes before "
				"offset %llu have changed, but should be equal "
				"to the input",
				(unsigned long long)p->marks[p->mark].end);
		XXH3_64bits_reset(p->hash);
		p->mark++;
	}
	return HP_OK;
}

/*
 * Account for the next @n bytes of the dump. Kept bytes, at @data, are added to
 * the hash; for replaced bytes, @data is NULL. At certain offsets (marks), the
 * hash must be equal to that of the input.
 */
static enum hp_status
account_bytes(struct hp_proof *p, const uint8_t *data, uint64_t n,
	      struct hp_error *err)
{
	enum hp_status st = HP_OK;

	/* without hashes of the input there is nothing to compare with */
	if (p->nmarks == 0)
		return HP_OK;
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

/* --- read the records and sub-records of the dump ------------------ */

static enum hp_status
fail_lost(const struct hp_proof *p, const char *what, struct hp_error *err)
{
	return hp_fail(err, HP_DAMAGED,
		       "the check failed, because the output cannot be read at "
		       "offset %llu: %s",
		       (unsigned long long)p->at, what);
}

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

/*
 * Returns the size of the fixed fields that come next in the current state and
 * begin with the byte @first; 0 if this byte is not allowed.
 */
static unsigned
head_size(const struct hp_proof *p, uint8_t first)
{
	switch (p->state) {
	case AT_HEADER:
		return p->policy.times ? HEADER_SIZE - HEADER_TIME
				       : HEADER_SIZE;
	case AT_RECORD:
		return p->policy.times ? 1 : RECORD_HEAD;
	case AT_LENGTH:
		return RECORD_HEAD - RECORD_TIME - 1;
	case AT_NAMES:
		return p->tag == 0x02 ? 8 + 2 * p->id : 8 + 4 * p->id;
	case AT_STRING:
	case AT_REF:
		return p->id;
	case AT_TEXT:
		return (unsigned)(p->text - p->id);
	case AT_SUB:
		return sub_head(first, p->id);
	case AT_TABLE:
		return 2;
	default:
		return p->table == 0 ? 3 : p->id + 1;
	}
}

static enum hp_status
parse_header(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	if (memcmp(h, "JAVA PROFILE 1.0.", 17) != 0 || h[18] != 0)
		return fail_lost(p, "it does not begin with a header", err);
	p->id = big4(h + 19);
	if (p->id != 4 && p->id != 8)
		return fail_lost(p, "the size of ids is neither 4 nor 8", err);
	p->state = AT_RECORD;
	p->clear = p->policy.times ? HEADER_TIME : 0;
	p->want = 0;
	if (p->learn)
		p->learn->kept[0].id_size = p->learn->kept[1].id_size = p->id;
	return HP_OK;
}

/*
 * Count the heap dumps. According to the HPROF manual, each HEAP DUMP record is
 * a dump, and so is each series of segments.
 */
static void
count_heap_record(struct hp_proof *p, uint8_t tag)
{
	if (tag == 0x0C || !p->in_dump) {
		p->dump++;
		p->classes = NULL;
		p->class = NULL;
	}
	p->in_dump = tag == 0x1C;
	if (!p->classes && (p->facts || p->round > 1))
		p->classes = hp_proof_model_dump(p->facts ? p->facts : p->learn,
						 p->dump);
}

static void
begin_record(struct hp_proof *p, uint8_t tag, uint64_t at, uint64_t body)
{
	bool names = (tag == 0x02 && body == 8 + 2 * p->id) ||
		     ((tag == 0x04 || tag == 0x0A) && body == 8 + 4 * p->id);

	p->state = AT_RECORD;
	if (tag == 0x2C)
		p->in_dump = false;
	if (p->round == 1 && names) {
		p->tag = tag;
		p->state = AT_NAMES;
	} else if (tag == 0x01 && body >= p->id &&
		   (p->policy.strings || p->policy.matched ||
		    (p->round == 1 && p->learn->policy->nkeep))) {
		p->text = body;
		p->state = AT_STRING;
	} else if (tag != 0x0C && tag != 0x1C) {
		p->keep = body;
	} else {
		if (at == p->overflow_at)
			body = p->overflow_body;
		count_heap_record(p, tag);
		p->heap_at = at;
		p->heap_body = p->body = body;
		p->state = body ? AT_SUB : AT_RECORD;
	}
}

/*
 * Read the head of a record. If its time must be zero, the head has three
 * parts: the tag, bytes that were zeroed, and the length.
 */
static void
parse_record(struct hp_proof *p, const uint8_t *h)
{
	if (!p->policy.times) {
		begin_record(p, h[0], p->at, big4(h + 1 + RECORD_TIME));
		return;
	}
	p->tag = h[0];
	p->clear = RECORD_TIME;
	p->want = 0;
	p->state = AT_LENGTH;
}

static void
parse_string(struct hp_proof *p, const uint8_t *h)
{
	const uint64_t *name = NULL;

	p->state = AT_RECORD;
	if (p->learn) {
		hp_proof_learn_string(p, h);
		return;
	}
	if (p->policy.strings)
		name = hp_id_map_get(&p->facts->names, big_id(p, h));
	if ((name || !p->policy.strings) &&
	    !hp_matching_has_string(p->policy.matched, p->at - RECORD_HEAD)) {
		p->keep = p->text - p->id;
	} else {
		p->clear = p->text - p->id;
		p->want = HP_POLICY_TEXT;
	}
}

/*
 * A sub-record has ended: expect another one or, if the heap record has also
 * ended, a record.
 */
static void
end_sub(struct hp_proof *p)
{
	p->state = p->body ? AT_SUB : AT_RECORD;
}

static enum hp_status
consume_body(struct hp_proof *p, uint64_t n, struct hp_error *err)
{
	if (n > p->body)
		return fail_lost(p, "a sub-record is longer than its record",
				 err);
	p->body -= n;
	return HP_OK;
}

/*
 * Begin a primitive array: the first elements are kept, all others must be
 * zero.
 */
static enum hp_status
parse_array(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	uint64_t n = big4(h + 5 + p->id), stay = n;
	unsigned type = h[9 + p->id], size = hp_proof_model_width(type, p->id);

	if (size == 0 || type < 4)
		return fail_lost(p, "the type of the elements is unknown", err);
	if (p->policy.matched &&
	    hp_matching_has_array(p->policy.matched, p->dump, big_id(p, h + 1)))
		stay = 0;
	else if (p->policy.array_types >> type & 1 &&
		 p->policy.keep_first < n &&
		 !hp_proof_model_is_kept(p->facts, p->dump, big_id(p, h + 1)))
		stay = p->policy.keep_first;
	p->keep = stay * size;
	p->clear = (n - stay) * size;
	p->want = 0;
	return consume_body(p, n * size, err);
}

static bool
is_dropped(const struct hp_proof *p, unsigned type)
{
	return type >= 4 && p->policy.field_types >> type & 1;
}

/*
 * Compute which bytes of an instance of class @k, with @n bytes, are kept and
 * which are replaced.
 */
static enum hp_status
set_instance_spans(struct hp_proof *p, const struct hp_model_class *k,
		   uint64_t n, struct hp_error *err)
{
	p->class = NULL;
	p->nstretches = 0;
	p->class_size = 0;
	for (const struct hp_model_class *c = k; c && p->class_size <= n;) {
		for (uint32_t i = 0; i < c->count; i++) {
			unsigned type = p->facts->types[c->first + i];

			if (!hp_proof_span(p, is_dropped(p, type),
					   hp_proof_model_width(type, p->id)))
				return hp_no_memory(err);
		}
		if (c->up == HP_MODEL_BROKEN)
			return fail_lost(p, "a superclass is missing", err);
		c = c->up ? &p->classes->classes[c->up - 1] : NULL;
	}
	p->class = k;
	return HP_OK;
}

static enum hp_status
parse_instance(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	uint64_t n = big4(h + 5 + 2 * p->id);
	const struct hp_model_class *k;
	enum hp_status st = HP_OK;

	st = consume_body(p, n, err);
	if (st != HP_OK)
		return st;
	if (p->round > 1)
		return hp_proof_learn_instance(p, h, n, err);
	if (!p->policy.field_types) {
		p->keep = n;
		return HP_OK;
	}
	k = hp_proof_model_find(p->classes, big_id(p, h + 5 + p->id));
	if (!k)
		return fail_lost(p, "an instance of an unknown class", err);
	if (k != p->class || p->class_size != n)
		st = set_instance_spans(p, k, n, err);
	if (st == HP_OK && p->class_size != n)
		return fail_lost(
			p, "the length of an instance differs from its class",
			err);
	p->want = 0;
	p->stretch = n > 0 ? 0 : p->nstretches;
	if (hp_proof_model_is_kept(p->facts, p->dump, big_id(p, h + 1))) {
		p->keep = n;
		p->stretch = p->nstretches;
	}
	return st;
}

static enum hp_status
parse_sub(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	enum hp_status st = consume_body(p, sub_head(h[0], p->id), err);

	if (st != HP_OK)
		return st;
	switch (h[0]) {
	case 0x20:
		if (p->round == 2)
			hp_proof_learn_owner(p, h);
		if (p->round == 1)
			hp_proof_model_class(p->learn, p->dump,
					     big_id(p, h + 1),
					     big_id(p, h + 5 + p->id));
		p->state = AT_TABLE;
		p->table = 0;
		return HP_OK;
	case 0x21:
		st = parse_instance(p, h, err);
		break;
	case 0xFE:
		if (p->round == 1)
			hp_proof_model_name(p->learn, big_id(p, h + 5));
		break;
	case 0x22:
		p->keep = (uint64_t)big4(h + 5 + p->id) * p->id;
		st = consume_body(p, p->keep, err);
		break;
	case 0x23:
		st = parse_array(p, h, err);
		break;
	default:
		break;
	}
	end_sub(p);
	return st;
}

/*
 * Read the number of entries of a table in a class dump (constants, static
 * fields or fields). Go to the first entry, or to the next table if it has
 * none.
 */
static enum hp_status
parse_table(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	enum hp_status st = consume_body(p, 2, err);

	p->entries = (unsigned)h[0] << 8 | h[1];
	if (p->entries > 0)
		p->state = AT_ENTRY;
	else if (++p->table > 2)
		end_sub(p);
	return st;
}

static enum hp_status
parse_entry(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	unsigned head = p->table == 0 ? 3 : p->id + 1;
	unsigned type = h[head - 1], size = hp_proof_model_width(type, p->id);
	enum hp_status st = consume_body(p, head, err);
	bool ref;

	if (size == 0)
		return fail_lost(p, "the type of a field is unknown", err);
	if (st == HP_OK && p->table < 2) {
		st = consume_body(p, size, err);
		*(is_dropped(p, type) ? &p->clear : &p->keep) = size;
		p->want = 0;
	}
	ref = p->round == 2 && p->table == 1 && type < 4 &&
	      hp_proof_model_field_bits(p->learn, big_id(p, h)) & p->owner;
	if (p->round == 1 && p->table > 0)
		hp_proof_model_name(p->learn, big_id(p, h));
	if (p->round == 1 && p->table == 2)
		hp_proof_model_field(p->learn, (uint8_t)type, big_id(p, h));
	if (--p->entries == 0) {
		p->state = AT_TABLE;
		if (++p->table > 2)
			end_sub(p);
	}
	if (ref) {
		p->after = p->state;
		p->state = AT_REF;
		p->refs = 1;
		p->keep = 0;
	}
	return st;
}

static enum hp_status
parse_head(struct hp_proof *p, const uint8_t *h, struct hp_error *err)
{
	switch (p->state) {
	case AT_HEADER:
		return parse_header(p, h, err);
	case AT_RECORD:
		parse_record(p, h);
		return HP_OK;
	case AT_LENGTH:
		begin_record(p, p->tag, p->at - 1 - RECORD_TIME, big4(h));
		return HP_OK;
	case AT_NAMES:
		hp_proof_learn_names(p, h);
		return HP_OK;
	case AT_STRING:
		parse_string(p, h);
		return HP_OK;
	case AT_TEXT:
		hp_proof_learn_text(p, h);
		return HP_OK;
	case AT_REF:
		hp_proof_learn_ref(p, h);
		return HP_OK;
	case AT_SUB:
		return parse_sub(p, h, err);
	case AT_TABLE:
		return parse_table(p, h, err);
	default:
		return parse_entry(p, h, err);
	}
}

/* ---- take the dump in chunks of any size ---- */

static size_t
first_nonzero(const uint8_t *b, size_t n)
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

static size_t
first_unequal(const uint8_t *b, size_t n, uint8_t want)
{
	size_t i = 0;

	if (want == 0)
		return first_nonzero(b, n);
	while (i < n && b[i] == want)
		i++;
	return i;
}

static enum hp_status
check_cleared(struct hp_proof *p, const uint8_t *b, uint64_t n,
	      struct hp_error *err)
{
	size_t ok = first_unequal(b, n, p->want);

	if (ok < n)
		return hp_fail(err, HP_DAMAGED,
			       "the check of the output failed: the output "
			       "still has payload at offset %llu",
			       (unsigned long long)(p->at + ok));
	/*
	 * invariant I1 (see above): the range has at least @n more replaced
	 * bytes
	 */
	assert(n <= p->clear);
	p->clear -= n;
	p->at += n;
	p->checked += n;
	return account_bytes(p, NULL, n, err);
}

/*
 * Collect the bytes of fixed fields, which may arrive in several chunks. @b is
 * the current chunk; *@taken receives how many of its bytes were used. The
 * fields are decoded when all their bytes have arrived.
 */
static enum hp_status
consume_head(struct hp_proof *p, const uint8_t *b, size_t n, size_t *taken,
	     struct hp_error *err)
{
	unsigned need = head_size(p, p->have ? p->gather[0] : b[0]);
	enum hp_status st;

	if (need == 0)
		return fail_lost(p, "the tag of a sub-record is unknown", err);
	if (p->have == 0 && n >= need) {
		*taken = need;
		st = parse_head(p, b, err);
		p->at += need;
		return st;
	}
	*taken = n < need - p->have ? n : need - p->have;
	memcpy(p->gather + p->have, b, *taken);
	p->have += (unsigned)*taken;
	if (p->have < need)
		return HP_OK;
	p->have = 0;
	st = parse_head(p, p->gather, err);
	p->at += need;
	return st;
}

/*
 * Skip consecutive instances that are completely in memory. Called only if
 * instances do not change, so that only their lengths matter. Returns the
 * number of bytes skipped.
 */
static size_t
skip_instances(struct hp_proof *p, const uint8_t *b, size_t n)
{
	const unsigned head = 9 + 2 * p->id;
	uint64_t most = n < p->body ? n : p->body, size;
	size_t m = 0;

	while (most - m >= head && b[m] == 0x21) {
		size = head + (uint64_t)big4(b + m + head - 4);
		if (size > most - m)
			break;
		m += (size_t)size;
		__builtin_prefetch(b + m + AHEAD);
	}
	/*
	 * the skipped bytes are in the chunk and in the record, so no byte is
	 * skipped twice (invariant I2, see above)
	 */
	assert(m <= most);
	p->body -= m;
	p->at += m;
	if (m > 0)
		end_sub(p);
	return m;
}

/*
 * Whether skip_instances() is possible now: the decoder is at the start of a
 * sub-record, and no values of instances are removed.
 */
static bool
may_skip_instances(const struct hp_proof *p)
{
	return p->state == AT_SUB && p->have == 0 && !p->learn &&
	       !p->policy.field_types;
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
			st = account_bytes(p, from, (uint64_t)(b - from), err);
			if (st == HP_OK)
				st = check_cleared(p, b, m, err);
			from = b + m;
		} else if (p->refs == 0 && p->stretch < p->nstretches) {
			p->keep = p->stretches[p->stretch].keep;
			p->clear = p->stretches[p->stretch++].clear;
			if (p->learn)
				hp_proof_learn_span(p);
			m = 0;
		} else {
			m = may_skip_instances(p) ? skip_instances(p, b, left)
						  : 0;
			if (left > AHEAD)
				__builtin_prefetch(b + AHEAD);
			if (m == 0)
				st = consume_head(p, b, left, &m, err);
		}
		b += m;
	}
	return st == HP_OK ? account_bytes(p, from, (uint64_t)(end - from), err)
			   : st;
}

enum hp_status
hp_proof_end(struct hp_proof *p, struct hp_error *err)
{
	if (p->state != AT_RECORD || p->have || p->keep || p->clear ||
	    p->stretch < p->nstretches)
		return fail_lost(p, "the output ends inside a record", err);
	if (p->mark < p->nmarks)
		return fail_lost(p, "the output is too short", err);
	return HP_OK;
}
