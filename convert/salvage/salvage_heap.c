/*
 * salvage_heap.c - recover the sub-records of a heap record that may be damaged
 *
 * If the length of a sub-record is wrong, the next sub-record is read at a
 * wrong offset. This shows only in the sub-records that follow. So a sub-record
 * waits in a queue (hp_salvage.tail) until a later sub-record is certainly
 * genuine. After damage, anchor.c finds the place where the dump continues.
 *
 * Invariants:
 * I1  the sub-records in the queue follow each other without a gap, so their
 *     offsets ascend.
 * I2  the queue has at most TAIL sub-records; at most the last of them is
 *     certainly genuine.
 */
#include "convert/salvage/internal.h"

#include "common/base/memory.h"
#include "common/model/rules.h"

#include <assert.h>

enum {
	SEGMENT_MAX = 1 << 30,
	HEADS_MOST =
		/*
		 * room for the head and the HEAP DUMP INFO at the start of a
		 * segment, in bytes, rounded up
		 */
	64,
	TAIL = HP_SALVAGE_TAIL,
};

static void
count_sub(struct hp_salvage *s, uint8_t tag)
{
	if (hp_subrecord_is_root(tag))
		s->result->roots++;
	else if (tag != HP_SUB_CLASS_DUMP && tag != HP_SUB_HEAP_DUMP_INFO)
		s->objects++;
}

/*
 * Learn facts from a sub-record. The salvage reads the dump in several rounds:
 * in the first round, this function learns all facts, in later rounds only
 * classes.
 */
static void
learn_sub(struct hp_salvage *s, const struct hp_salvage_waiting *it)
{
	struct hp_sub sub = {0};

	if (s->out && it->tag != HP_SUB_CLASS_DUMP)
		return;
	if (hp_salvage_going(s) &&
	    hp_resync_sub(&s->w, it->offset, it->offset + it->size, false,
			  &sub))
		s->status = hp_plausible_note_sub(&s->known, &sub, s->err);
}

/*
 * Whether a sub-record may be copied to the output. A sub-record that is too
 * long for a segment may not be copied. In a damaged heap record, a root that
 * no known fact supports is copied only before the offset s->unbroken_to: up to
 * there, sub-records follow each other without a gap.
 */
static bool
is_welcome(struct hp_salvage *s, const struct hp_salvage_waiting *it)
{
	if (it->size > UINT32_MAX - HEADS_MOST && !hp_salvage_in_giant(s)) {
		s->giant.found = s->giant.current;
		return false;
	}
	return !(s->torn && it->trust == HP_TRUST_ODD &&
		 it->offset >= s->unbroken_to && hp_subrecord_is_root(it->tag));
}

/*
 * Remember an array without elements, so that it is written with the tag
 * PRIMITIVE_ARRAY_NODATA.
 */
static void
note_cropped(struct hp_salvage *s, const struct hp_salvage_waiting *it)
{
	if (!s->w.cropped || it->tag != HP_SUB_PRIMITIVE_ARRAY_NODATA ||
	    hp_resync_byte(&s->w, it->offset) != HP_SUB_PRIMITIVE_ARRAY_DUMP)
		return;
	s->result->cropped++;
	assert(s->ncropped < HP_SALVAGE_CROPPED);
	s->cropped[s->ncropped++] = it->offset;
}

static void
keep_sub(struct hp_salvage *s, const struct hp_salvage_waiting *it)
{
	hp_resync_earn(&s->w, it->size);
	if (!is_welcome(s, it))
		return;
	if (s->to != it->offset || s->to - s->from + it->size > SEGMENT_MAX ||
	    s->ncropped == HP_SALVAGE_CROPPED) {
		hp_salvage_write_segment(s);
		s->from = it->offset;
		s->from_info = s->info;
	}
	s->to = it->offset + it->size;
	assert(s->from < s->to);
	if (it->tag == HP_SUB_HEAP_DUMP_INFO) {
		s->info = it->offset;
		s->named = true;
	}
	note_cropped(s, it);
	learn_sub(s, it);
	count_sub(s, it->tag);
}

/*
 * Whether this sub-record contains other sub-records. If so, the length is
 * wrong, or some bytes are missing. This is not tested in the first round (scan
 * of the damaged dump), which knows too few classes.
 */
static bool
is_lie(struct hp_salvage *s, const struct hp_salvage_waiting *it)
{
	unsigned head = hp_subrecord_fixed[hp_widen(s->w.id_size)][it->tag];

	return !s->known.learning && it->size > head &&
	       (!it->length_sure || s->torn || s->unsure) &&
	       hp_anchor_swallowed(&s->w, &s->known, it->offset + head,
				   it->offset + it->size);
}

/*
 * Accept the first @n sub-records of the queue as valid: copy them to the
 * output, and remove them from the queue. Returns false if one of them has a
 * wrong length; it is then the first one in the queue, and marked as
 * HP_TRUST_MISFIT.
 */
static bool
keep_first(struct hp_salvage *s, unsigned n)
{
	unsigned i = 0;
	bool fine = true;

	assert(n <= s->ntail);
	for (; i < n && fine; i++) {
		fine = !is_lie(s, &s->tail[i]);
		if (fine)
			keep_sub(s, &s->tail[i]);
	}
	i -= !fine;
	s->ntail -= i;
	memmove(s->tail, s->tail + i, s->ntail * sizeof(*s->tail));
	if (!fine)
		s->tail[0].trust = HP_TRUST_MISFIT;
	return fine;
}

static bool
tail_lies(const struct hp_salvage *s)
{
	return s->ntail > 0 && s->tail[0].trust == HP_TRUST_MISFIT;
}

static bool
tail_is_likely(const struct hp_salvage *s)
{
	unsigned likely = 0;

	for (unsigned i = 0; i < s->ntail; i++)
		likely += s->tail[i].trust >= HP_TRUST_LIKELY;
	return 2 * likely >= s->ntail;
}

/*
 * No known fact supports the sub-records in the queue: mark the first one as
 * wrong. Roots at the front of the queue are kept if they are likely, because
 * the tag of a root determines its length.
 */
static void
doubt_tail(struct hp_salvage *s)
{
	unsigned n = 0;

	while (n < s->ntail && s->tail[n].trust >= HP_TRUST_LIKELY &&
	       hp_subrecord_is_root(s->tail[n].tag))
		n++;
	keep_first(s, n);
	if (s->ntail > 0)
		s->tail[0].trust = HP_TRUST_MISFIT;
}

static bool
measure_waiting(struct hp_salvage *s, uint64_t at, uint64_t end,
		struct hp_salvage_waiting *it)
{
	struct hp_symptom too_long;
	struct hp_sub sub = {0};

	if (!hp_resync_sub(&s->w, at, end, false, &sub) ||
	    hp_symptom_of_array(&sub, &too_long))
		return false;
	*it = (struct hp_salvage_waiting){
		.offset = at,
		.size = sub.size,
		.tag = sub.tag,
		.trust = hp_plausible_sub(&s->known, &sub)};
	it->length_sure = hp_plausible_length(&s->known, &sub);
	if (it->trust != HP_TRUST_MISFIT)
		return true;
	/*
	 * The length of this instance differs from that of its class: the
	 * length is wrong, or the class dump is damaged or belongs to another
	 * dump. The sub-records after the instance decide.
	 */
	return at < s->unbroken_to || at + sub.size == end ||
	       hp_anchor_chain(&s->w, &s->known, at + sub.size, NULL);
}

/*
 * Compute the end of the instance at @at from its class, because the length
 * field of the instance does not agree with the class. Returns false if no
 * sub-records follow at this end.
 */
static bool
end_by_class(struct hp_salvage *s, uint64_t at, uint64_t end, uint64_t *next)
{
	unsigned head = hp_subrecord_fixed[hp_widen(s->w.id_size)]
					  [HP_SUB_INSTANCE_DUMP];
	struct hp_sub sub = {0};
	uint64_t size;

	if (!hp_resync_head(&s->w, at, &sub) ||
	    !hp_plausible_data_size(&s->known, &sub, &size) ||
	    size == sub.count || size + head >= end - at)
		return false;
	*next = at + head + size;
	return hp_anchor_chain(&s->w, &s->known, *next, NULL);
}

/*
 * Copy the valid sub-records of the queue that come before @at to the output,
 * and discard the others. A root that no known fact supports is discarded (for
 * example one with the object id 0, which the agent writes for some threads).
 * The sub-records after such a root can still be copied, because the tag of a
 * root determines its length.
 */
static void
keep_before(struct hp_salvage *s, uint64_t at)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->ntail; i++) {
		const struct hp_salvage_waiting *it = &s->tail[i];

		if (it->offset + it->size > at)
			break;
		if (it->trust >= HP_TRUST_LIKELY)
			n = it->tag == HP_SUB_HEAP_DUMP_INFO ? n : i + 1;
		else if (it->tag != HP_SUB_HEAP_DUMP_INFO &&
			 !hp_subrecord_is_root(it->tag))
			break;
	}
	keep_first(s, n);
	s->ntail = 0;
}

/*
 * Whether the primitive arrays of the current heap record lack their elements,
 * as some Android tools write them. If so, the round (scan of the damaged dump)
 * starts again, and treats all primitive arrays as arrays without elements.
 */
static bool
finds_cropped(struct hp_salvage *s, uint64_t end, bool sure)
{
	if (s->w.cropped || s->crop_tested || s->heap_at == 0 || !s->android)
		return false;
	s->crop_tested = true;
	if (!hp_resync_finds_cropped(&s->w, s->heap_at, s->heap_length, end,
				     sure))
		return false;
	s->cropped = hp_malloc(HP_SALVAGE_CROPPED * sizeof(*s->cropped));
	if (!s->cropped)
		s->status = hp_no_memory(s->err);
	s->w.cropped = s->restart = true;
	return true;
}

/*
 * Continue after damage: there is no valid sub-record at *@at, or the first
 * sub-record in the queue has a wrong length. Finds the next place where the
 * dump continues (the anchor), and stores its offset in *@at. Copies the valid
 * sub-records of the queue before this place to the output. @sure: the heap
 * record certainly ends at @end. Returns the type of the anchor.
 */
static enum hp_anchor
continue_after_damage(struct hp_salvage *s, uint64_t *at, uint64_t end,
		      bool sure)
{
	bool lie = tail_lies(s);
	uint64_t from = s->ntail > 0 ? s->tail[0].offset : *at;
	uint64_t places[TAIL + 1];
	struct hp_anchor_hints hints = {.dead = places, .no_records = sure};
	enum hp_anchor kind = HP_ANCHOR_SUBS;

	if (finds_cropped(s, end, sure))
		return HP_ANCHOR_NONE;
	s->torn = true;
	if (!lie) {
		for (unsigned i = 1; i < s->ntail; i++)
			places[hints.ndead++] = s->tail[i].offset;
		places[hints.ndead++] = hints.beyond = *at;
	}
	if (!end_by_class(s, lie ? from : *at, end, at))
		kind = hp_anchor_find(&s->w, &s->known, from + 1, end, &hints,
				      at);
	keep_before(s, *at);
	return kind;
}

/*
 * Add the sub-record at @at to the queue. *@next receives the offset of its
 * end. Returns false if there is no sub-record, or if no known fact supports
 * the many sub-records in the queue.
 */
static bool
take_sub(struct hp_salvage *s, uint64_t at, uint64_t end, bool sure,
	 uint64_t *next)
{
	bool unbroken = at < s->unbroken_to;
	struct hp_salvage_waiting it;

	if (!measure_waiting(s, at, end, &it) ||
	    (it.trust < HP_TRUST_LIKELY && !sure && !unbroken &&
	     hp_resync_records(&s->w, at)))
		return false;
	*next = at + it.size;
	if (it.trust == HP_TRUST_SURE) {
		if (!keep_first(s, s->ntail))
			return false;
	} else if (s->ntail == TAIL) {
		if (!unbroken && !tail_is_likely(s)) {
			doubt_tail(s);
			return false;
		}
		if (!keep_first(s, 1))
			return false;
	}
	/* invariant I2 (see above): the queue is not full */
	assert(s->ntail < TAIL);
	assert(s->ntail == 0 ||
	       /* invariant I1 (see above): the offsets in the queue ascend */
	       s->tail[s->ntail - 1].offset < it.offset);
	s->tail[s->ntail++] = it;
	return true;
}

/*
 * Whether the sub-records of the heap record end at @at, because other records
 * begin there. If the heap record is known to end at @end (@sure), only a HEAP
 * DUMP END just before @end counts. Then the heap record lacks exactly as many
 * bytes as a HEAP DUMP END has.
 */
static bool
body_ends_at(struct hp_salvage *s, uint64_t at, uint64_t end, bool sure)
{
	return sure ? s->torn && end - at == HP_HEAD_SIZE &&
			       hp_resync_dump_ends(&s->w, at)
		    : hp_resync_records(&s->w, at);
}

uint64_t
hp_salvage_heap_body(struct hp_salvage *s, uint64_t at, uint64_t end,
		     bool headed, bool sure)
{
	uint64_t segments = s->segments;

	s->torn = false;
	s->unsure = !sure;
	s->unbroken_to =
		headed ? hp_unbroken_to(&s->w, &s->known, at, end, sure, true)
		       : 0;
	s->info = 0;
	s->ntail = 0;
	while (hp_salvage_going(s)) {
		bool kept = (at == end || at == s->unbroken_to) &&
			    keep_first(s, s->ntail);

		if (kept && at == end)
			break;
		if (at != end && !tail_lies(s) &&
		    take_sub(s, at, end, sure, &at))
			continue;
		if (!tail_lies(s) && body_ends_at(s, at, end, sure)) {
			keep_first(s, s->ntail);
			break;
		}
		if (continue_after_damage(s, &at, end, sure) != HP_ANCHOR_SUBS)
			break;
		s->unbroken_to =
			hp_unbroken_to(&s->w, &s->known, at, end, sure, false);
	}
	s->ntail = 0;
	hp_salvage_write_segment(s);
	s->result->records += s->segments > segments;
	return at;
}

/*
 * Write a HEAP DUMP as one record: first its sub-records, and finally the
 * length in its head. The parameters and the result are those of
 * hp_salvage_heap_body().
 */
static uint64_t
salvage_giant(struct hp_salvage *s, uint64_t at, uint64_t end, bool sure)
{
	uint64_t out = s->out ? hp_sink_tell(s->out) : 0;
	uint8_t length[4];

	s->giant.bytes = 0;
	hp_salvage_write_head(s, HP_REC_HEAP_DUMP, 0);
	at = hp_salvage_heap_body(s, at, end, true, sure);
	hp_store4(length, (uint32_t)s->giant.bytes);
	if (s->status == HP_OK && s->out)
		s->status = hp_sink_patch(s->out, out + HP_HEAD_SIZE - 4,
					  length, sizeof(length), s->err);
	/* A HEAP DUMP ends its dump itself, so no HEAP DUMP END is written. */
	s->in_dump = false;
	return at;
}

uint64_t
hp_salvage_heap_record(struct hp_salvage *s, uint64_t pos, uint8_t tag,
		       uint32_t length)
{
	uint64_t segments = s->segments;
	bool sure;
	uint64_t end = hp_resync_heap_end(&s->w, pos, tag, length, &sure);
	uint64_t at = pos + HP_HEAD_SIZE, left = s->w.size - at;

	if (tag == HP_REC_HEAP_DUMP)
		hp_salvage_end_dump(s);
	s->begun = true;
	hp_salvage_note_kept(s, pos, at);
	s->result->missing = !sure && length > left ? length - left : 0;
	if (tag == HP_REC_HEAP_DUMP_SEGMENT && length == 0 && sure) {
		/* keep a segment without sub-records, which is valid */
		hp_salvage_write_empty(s);
		s->result->records++;
	}
	s->giant.current = tag == HP_REC_HEAP_DUMP ? pos : 0;
	s->heap_at = at;
	s->heap_length = length;
	s->crop_tested = false;
	at = hp_salvage_in_giant(s)
		     ? salvage_giant(s, at, end, sure)
		     : hp_salvage_heap_body(s, at, end, true, sure);
	if (s->giant.found == pos || hp_salvage_in_giant(s)) {
		s->giant.records = s->result->records;
		s->giant.segments = s->segments - segments;
	}
	s->giant.current = s->heap_at = 0;
	s->result->ended = tag == HP_REC_HEAP_DUMP && sure;
	if (tag == HP_REC_HEAP_DUMP && sure)
		hp_salvage_end_dump(
			/*
			 * If the end of the record is not certain, more
			 * sub-records of this dump may follow: do not end the
			 * dump.
			 */
			s);
	return at;
}
