/*
 * salvage.c - the valid part of a damaged dump, as a valid dump
 *
 * Rounds over the damaged dump first: one that learns which classes there are,
 * then one that copies to a temporary file what is framed well: whole records,
 * and of heap records the stretches of whole sub-records, each a segment. If
 * that one meets classes that the round before did not see, there is another.
 * Then the copy is rewritten without the instances whose class is lost, which
 * is filter_objects.c's. Where to go on behind damage is anchor.c's.
 *
 * A sub-record is kept once what follows it is sure: a length that lies leads
 * astray, and is found out only then. Until then it waits in the tail.
 */
#include "convert/salvage/salvage.h"

#include "common/model/damage.h"
#include "convert/salvage/anchor.h"
#include "convert/salvage/unbroken.h"
#include "convert/pass/temp_copy.h"

enum {
	CHUNK = 1 << 20,
	SEGMENT_MAX = 1 << 30,
	HEADS_MOST = 64, /* bytes of a segment before its sub-records, or more */
	TAIL = 32, /* sub-records that wait; so many in a row are no accident */
	ROUNDS = 4,	 /* at most */
	HEADER_END = 12, /* bytes of a header behind the version */
};

/* A sub-record that waits. */
struct waiting {
	uint64_t offset, size;
	uint8_t tag;
	enum hp_trust trust;
	bool length_sure;
};

/*
 * A HEAP DUMP with a sub-record of 4 GB or more, which no segment can hold. The
 * length of such a record wraps, and readers find its end only where it is the
 * end of the file. So the HEAP DUMP is written as one record, without segments,
 * if nothing is kept after it. A round finds that out, the next one writes.
 */
struct giant {
	/* offsets of heads in the input; 0: none */
	uint64_t current; /* the HEAP DUMP at hand */
	uint64_t found;	  /* it has such a sub-record */
	uint64_t wanted;  /* is written as one record in this round */
	uint64_t records; /* kept up to its end, it included */
	uint64_t segments; /* that it became, or would become */
	uint64_t bytes;	   /* written, without its head */
	bool alone;	   /* it was all of the heap in the round before */
	bool refused;	   /* something follows it */
};

struct salvage {
	struct hp_resync w;
	struct hp_plausible known;
	struct hp_sink *out; /* NULL: this round learns */
	struct hp_salvage_result *result;
	bool keep_numbers; /* as in the options */
	bool android;	   /* by the header: it always has a heap */
	bool named;    /* a heap has a name, in any round: so do Android's */
	bool begun;    /* a dump, of which nothing may be left */
	bool in_dump;  /* a segment was written, no end yet */
	bool heap;     /* any was */
	bool heapless; /* the agent's: it need not have one */
	bool torn;     /* the heap record at hand is damaged */
	bool unsure;   /* ... or its end is not where it says */
	/* sub-records are known to stand behind each other from where the
	 * present ones begin to there; 0: that is not known */
	uint64_t unbroken_to;
	uint64_t kept_until; /* what is before it is kept, or counted as lost */
	uint64_t info;	     /* offset of the heap name in force; 0: none */
	/* sub-records that become the next segment, the name in force there */
	uint64_t from, to, from_info;
	uint64_t segments;
	bool empty_segments; /* some were written */
	struct giant giant;
	uint64_t objects, heap_bytes; /* kept */
	uint64_t heap_lost;	      /* bytes of heap records */
	struct waiting tail[TAIL];
	unsigned ntail;
	enum hp_status status;
	struct hp_error *err;
};

static bool
going(const struct salvage *s)
{
	return s->status == HP_OK && s->w.status == HP_OK;
}

/* ---- the copy ---- */

static void
write_bytes(struct salvage *s, const void *bytes, size_t n)
{
	if (s->status == HP_OK && s->out)
		s->status = hp_sink_write(s->out, bytes, n, s->err);
}

/* Bytes of the input, as they are. */
static void
write_range(struct salvage *s, uint64_t from, uint64_t to)
{
	while (from < to && s->status == HP_OK && s->out) {
		uint64_t n = to - from < CHUNK ? to - from : CHUNK;
		const uint8_t *p;
		size_t got;

		p = hp_resync_view(&s->w, from, (size_t)n, &got);
		if (!p || got < n) {
			s->status = hp_fail(s->err, HP_IO,
					    "cannot read the input again");
			return;
		}
		write_bytes(s, p, (size_t)n);
		from += n;
	}
}

static void
write_head(struct salvage *s, uint8_t tag, uint64_t length)
{
	uint8_t head[HP_HEAD_SIZE] = {tag};

	hp_store4(head + 5, (uint32_t)length);
	write_bytes(s, head, sizeof(head));
}

/* What is in [@from, @to) is kept; what is before and was not is lost. */
static void
note_kept(struct salvage *s, uint64_t from, uint64_t to)
{
	if (from > s->kept_until) {
		if (s->in_dump)
			s->heap_lost += from - s->kept_until;
		s->result->lost += from - s->kept_until;
		s->result->places++;
		if (s->kept_until < s->result->first)
			s->result->first = s->kept_until;
	}
	if (to > s->kept_until)
		s->kept_until = to;
}

static void
put_empty_segment(struct salvage *s)
{
	write_head(s, HP_REC_HEAP_DUMP_SEGMENT, 0);
	s->in_dump = s->heap = s->empty_segments = true;
}

static void
end_dump(struct salvage *s)
{
	if (s->begun && !s->in_dump && s->keep_numbers)
		put_empty_segment(s);
	if (s->in_dump)
		write_head(s, HP_REC_HEAP_DUMP_END, 0);
	s->in_dump = s->begun = false;
}

/* Is the heap record at hand written as one HEAP DUMP? */
static bool
in_giant(const struct salvage *s)
{
	return s->giant.wanted && s->giant.wanted == s->giant.current;
}

/*
 * The sub-records that were gathered become a segment, or are added to the HEAP
 * DUMP that is written as one record.
 */
static void
write_segment(struct salvage *s)
{
	unsigned info = 5 + s->w.id_size;
	uint64_t size = s->to - s->from;
	bool named = s->from_info != 0;

	if (size == 0)
		return;
	note_kept(s, s->from, s->to);
	s->heap_bytes += size;
	s->segments++;
	size += named ? info : 0;
	if (in_giant(s))
		s->giant.bytes += size;
	else
		write_head(s, HP_REC_HEAP_DUMP_SEGMENT, size);
	if (named)
		write_range(s, s->from_info, s->from_info + info);
	write_range(s, s->from, s->to);
	s->in_dump = s->heap = true;
	s->from = s->to = 0;
}

/* A dump that ends before its heap would not be valid: an empty one. */
static void
put_empty_heap(struct salvage *s)
{
	if (s->heap || s->heapless || s->result->records == 0)
		return;
	put_empty_segment(s);
	end_dump(s);
}

/* ---- sub-records ---- */

static void
count_sub(struct salvage *s, uint8_t tag)
{
	if (hp_subrecord_is_root(tag))
		s->result->roots++;
	else if (tag != HP_SUB_CLASS_DUMP && tag != HP_SUB_HEAP_DUMP_INFO)
		s->objects++;
}

/* What it says becomes known: everything at first, then classes only. */
static void
learn(struct salvage *s, const struct waiting *it)
{
	struct hp_sub sub = {0};

	if (s->out && it->tag != HP_SUB_CLASS_DUMP)
		return;
	if (going(s) && hp_resync_sub(&s->w, it->offset, it->offset + it->size,
				      false, &sub))
		s->status = hp_plausible_note_sub(&s->known, &sub, s->err);
}

/* May it be kept: not too long, no root of nothing where there is damage? */
static bool
is_welcome(struct salvage *s, const struct waiting *it)
{
	if (it->size > UINT32_MAX - HEADS_MOST && !in_giant(s)) {
		s->giant.found = s->giant.current;
		return false;
	}
	return !(s->torn && it->trust == HP_TRUST_ODD &&
		 it->offset >= s->unbroken_to && hp_subrecord_is_root(it->tag));
}

static void
keep_sub(struct salvage *s, const struct waiting *it)
{
	hp_resync_earn(&s->w, it->size);
	if (!is_welcome(s, it))
		return;
	if (s->to != it->offset || s->to - s->from + it->size > SEGMENT_MAX) {
		write_segment(s);
		s->from = it->offset;
		s->from_info = s->info;
	}
	s->to = it->offset + it->size;
	if (it->tag == HP_SUB_HEAP_DUMP_INFO) {
		s->info = it->offset;
		s->named = true;
	}
	learn(s, it);
	count_sub(s, it->tag);
}

/*
 * Does it claim others as its own? Only once layouts are known. Where its
 * length is right it does if some of its own bytes are missing.
 */
static bool
is_lie(struct salvage *s, const struct waiting *it)
{
	unsigned head = hp_subrecord_fixed[hp_widen(s->w.id_size)][it->tag];

	return !s->known.learning && it->size > head &&
	       (!it->length_sure || s->torn || s->unsure) &&
	       hp_anchor_swallowed(&s->w, &s->known, it->offset + head,
				   it->offset + it->size);
}

/*
 * The first @n that wait are kept. Returns false if one is a lie: it is at the
 * tail's begin then, as a misfit.
 */
static bool
keep_first(struct salvage *s, unsigned n)
{
	unsigned i = 0;
	bool fine = true;

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

/* Does one that lies stand at the tail's begin? */
static bool
tail_lies(const struct salvage *s)
{
	return s->ntail > 0 && s->tail[0].trust == HP_TRUST_MISFIT;
}

/* Have most of those that wait something that speaks for them? */
static bool
tail_is_likely(const struct salvage *s)
{
	unsigned likely = 0;

	for (unsigned i = 0; i < s->ntail; i++)
		likely += s->tail[i].trust >= HP_TRUST_LIKELY;
	return 2 * likely >= s->ntail;
}

/*
 * What waits is not likely: the first of them lies. Roots at the begin that
 * have something that speaks for them do not, since their length is their
 * tag's.
 */
static void
doubt_tail(struct salvage *s)
{
	unsigned n = 0;

	while (n < s->ntail && s->tail[n].trust >= HP_TRUST_LIKELY &&
	       hp_subrecord_is_root(s->tail[n].tag))
		n++;
	keep_first(s, n);
	if (s->ntail > 0)
		s->tail[0].trust = HP_TRUST_MISFIT;
}

/* Measure what is at @at. Returns false if it cannot be a sub-record there. */
static bool
measure(struct salvage *s, uint64_t at, uint64_t end, struct waiting *it)
{
	struct hp_symptom too_long;
	struct hp_sub sub = {0};

	if (!hp_resync_sub(&s->w, at, end, false, &sub) ||
	    hp_symptom_of_array(&sub, &too_long))
		return false;
	*it = (struct waiting){.offset = at,
			       .size = sub.size,
			       .tag = sub.tag,
			       .trust = hp_plausible_sub(&s->known, &sub)};
	it->length_sure = hp_plausible_length(&s->known, &sub);
	if (it->trust != HP_TRUST_MISFIT)
		return true;
	/*
	 * Its length is a lie, or its class is damaged, or has another layout
	 * in another dump: what follows tells.
	 */
	return at < s->unbroken_to || at + sub.size == end ||
	       hp_anchor_chain(&s->w, &s->known, at + sub.size, NULL);
}

/*
 * An instance at @at has a length that its class says is wrong: where it ends
 * by its class, if sub-records go on there.
 */
static bool
end_by_class(struct salvage *s, uint64_t at, uint64_t end, uint64_t *next)
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
 * Of those that wait, what is before @at and fine is kept; the rest goes. A
 * root's length is its tag's: one of nothing, as the agent's of threads that
 * have no object, does not lead astray.
 */
static void
keep_before(struct salvage *s, uint64_t at)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->ntail; i++) {
		const struct waiting *it = &s->tail[i];

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
 * It goes on @at, no sub-record being there, or one that lies at the tail's
 * begin. Keeps of the tail what is before the next anchor, whose kind is
 * returned; *@at becomes its place. @sure: no record is before @end.
 */
static enum hp_anchor
go_on(struct salvage *s, uint64_t *at, uint64_t end, bool sure)
{
	bool lie = tail_lies(s);
	uint64_t from = s->ntail > 0 ? s->tail[0].offset : *at;
	uint64_t places[TAIL + 1];
	struct hp_anchor_hints hints = {.dead = places, .no_records = sure};
	enum hp_anchor kind = HP_ANCHOR_SUBS;

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

/* Takes what is at @at, if it is a sub-record; *@next: where that ends. */
static bool
take_sub(struct salvage *s, uint64_t at, uint64_t end, bool sure,
	 uint64_t *next)
{
	bool unbroken = at < s->unbroken_to;
	struct waiting it;

	if (!measure(s, at, end, &it) ||
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
	s->tail[s->ntail++] = it;
	return true;
}

/*
 * Do other records begin at @at? Where the record's end is @sure, only one that
 * it took for its own may: the dump's end, if as many bytes are missing.
 */
static bool
body_ends_at(struct salvage *s, uint64_t at, uint64_t end, bool sure)
{
	return sure ? s->torn && end - at == HP_HEAD_SIZE &&
			       hp_resync_dump_ends(&s->w, at)
		    : hp_resync_records(&s->w, at);
}

/*
 * What is whole of a heap record's sub-records, from @at on. @headed: its head
 * is in front of them. @sure: that it ends at @end; else it ends where other
 * records begin. Returns where to go on.
 */
static uint64_t
salvage_heap_body(struct salvage *s, uint64_t at, uint64_t end, bool headed,
		  bool sure)
{
	uint64_t segments = s->segments;

	s->torn = false;
	s->unsure = !sure;
	s->unbroken_to =
		headed ? hp_unbroken_to(&s->w, &s->known, at, end, sure, true)
		       : 0;
	s->info = 0;
	s->ntail = 0;
	while (going(s)) {
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
		if (go_on(s, &at, end, sure) != HP_ANCHOR_SUBS)
			break;
		s->unbroken_to =
			hp_unbroken_to(&s->w, &s->known, at, end, sure, false);
	}
	s->ntail = 0;
	write_segment(s);
	s->result->records += s->segments > segments;
	return at;
}

/*
 * The HEAP DUMP that is written as one record: its sub-records, then its
 * length. Parameters and return value are those of salvage_heap_body().
 */
static uint64_t
salvage_giant(struct salvage *s, uint64_t at, uint64_t end, bool sure)
{
	uint64_t out = s->out ? hp_sink_tell(s->out) : 0;
	uint8_t length[4];

	s->giant.bytes = 0;
	write_head(s, HP_REC_HEAP_DUMP, 0);
	at = salvage_heap_body(s, at, end, true, sure);
	hp_store4(length, (uint32_t)s->giant.bytes);
	if (s->status == HP_OK && s->out)
		s->status = hp_sink_patch(s->out, out + HP_HEAD_SIZE - 4,
					  length, sizeof(length), s->err);
	s->in_dump = false; /* no HEAP DUMP END belongs to it */
	return at;
}

/* A heap record: what is whole in it. Returns where to go on. */
static uint64_t
salvage_heap_record(struct salvage *s, uint64_t pos, uint8_t tag,
		    uint32_t length)
{
	uint64_t segments = s->segments;
	bool sure;
	uint64_t end = hp_resync_heap_end(&s->w, pos, tag, length, &sure);
	uint64_t at = pos + HP_HEAD_SIZE, left = s->w.size - at;

	if (tag == HP_REC_HEAP_DUMP)
		end_dump(s);
	s->begun = true;
	note_kept(s, pos, at);
	s->result->missing = !sure && length > left ? length - left : 0;
	if (tag == HP_REC_HEAP_DUMP_SEGMENT && length == 0 && sure) {
		put_empty_segment(s); /* as sifting leaves it */
		s->result->records++;
	}
	s->giant.current = tag == HP_REC_HEAP_DUMP ? pos : 0;
	at = in_giant(s) ? salvage_giant(s, at, end, sure)
			 : salvage_heap_body(s, at, end, true, sure);
	if (s->giant.found == pos || in_giant(s)) {
		s->giant.records = s->result->records;
		s->giant.segments = s->segments - segments;
	}
	s->giant.current = 0;
	if (tag == HP_REC_HEAP_DUMP && sure)
		end_dump(s); /* else what follows may be of it, too */
	return at;
}

/* ---- records ---- */

/* What a record tells of classes and traces. */
static void
learn_record(struct salvage *s, uint64_t pos, uint8_t tag)
{
	const uint8_t *p;
	size_t got;

	if (s->out || (tag != HP_REC_LOAD_CLASS && tag != HP_REC_STACK_TRACE))
		return;
	p = hp_resync_peek(&s->w, pos + HP_HEAD_SIZE, 12, &got);
	if (!p || got < 12)
		return;
	s->status = tag == HP_REC_LOAD_CLASS
			    ? hp_plausible_note_load(
				      &s->known,
				      hp_load_id(p + 4, s->w.id_size), s->err)
			    : hp_plausible_note_trace(&s->known, hp_load4(p),
						      s->err);
}

/* Has the text of the STRING record at @pos a zero byte, as no name has? */
static bool
has_zero(struct salvage *s, uint64_t pos, uint64_t end)
{
	pos += HP_HEAD_SIZE + s->w.id_size;
	while (pos < end) {
		size_t got;
		const uint8_t *p = hp_resync_view(&s->w, pos, 1, &got);

		if (!p || got == 0)
			break;
		if (got > end - pos)
			got = (size_t)(end - pos);
		if (memchr(p, 0, got))
			return true;
		pos += got;
	}
	return false;
}

/* A record that is none of the heap's, of @bytes. Returns where to go on. */
static uint64_t
salvage_record(struct salvage *s, uint64_t pos, uint8_t tag, uint64_t bytes)
{
	uint64_t end = pos + bytes, next = end;
	enum hp_anchor kind = HP_ANCHOR_RECORD;

	if (s->result->records == 0)
		s->heapless = tag == HP_REC_CONTROL_SETTINGS && !s->android;
	if (!hp_resync_begins(&s->w, end) && !hp_resync_whole_heap(&s->w, end))
		kind = hp_anchor_find(&s->w, &s->known, pos + HP_HEAD_SIZE,
				      s->w.size, NULL, &next);
	else if (tag == HP_REC_STRING && has_zero(s, pos, end))
		kind = hp_anchor_find(&s->w, &s->known, pos + HP_HEAD_SIZE, end,
				      NULL, &next);
	if (next >= end) { /* its length can be trusted */
		note_kept(s, pos, end);
		if (tag == HP_REC_HEAP_DUMP_END)
			end_dump(s);
		else
			write_range(s, pos, end);
		learn_record(s, pos, tag);
		s->result->records++;
	}
	return kind == HP_ANCHOR_SUBS
		       ? salvage_heap_body(s, next, s->w.size, false, false)
		       : next;
}

/* Where records go on; other sub-records may come first. */
static uint64_t
search(struct salvage *s, uint64_t from)
{
	uint64_t at;

	return hp_anchor_find(&s->w, &s->known, from, s->w.size, NULL, &at) ==
			       HP_ANCHOR_SUBS
		       ? salvage_heap_body(s, at, s->w.size, false, false)
		       : at;
}

static void
salvage_all(struct salvage *s, uint64_t pos)
{
	while (pos < s->w.size && going(s)) {
		uint64_t bytes;
		const uint8_t *p;
		size_t got;
		uint8_t tag;

		p = hp_resync_peek(&s->w, pos, HP_HEAD_SIZE, &got);
		if (!p || got < HP_HEAD_SIZE)
			break;
		tag = p[0];
		if (hp_resync_header(&s->w, pos)) {
			s->result->second = pos; /* its ids are its own */
			break;
		}
		if (tag == HP_REC_HEAP_DUMP && s->result->places > 0 &&
		    s->segments > 0 && !hp_resync_records(&s->w, pos))
			pos = search(s, pos + 1); /* it would end the dump */
		else if (tag == HP_REC_HEAP_DUMP ||
			 tag == HP_REC_HEAP_DUMP_SEGMENT)
			pos = salvage_heap_record(s, pos, tag, hp_load4(p + 5));
		else if (hp_resync_record(&s->w, pos, &bytes))
			pos = salvage_record(s, pos, tag, bytes);
		else
			pos = search(s, pos + 1);
	}
	note_kept(s, s->result->second ? s->result->second : s->w.size, 0);
	end_dump(s);
	put_empty_heap(s);
	if (s->status == HP_OK)
		s->status = s->w.status;
}

/* The id size of a header of any version but 1.0; 0: it is none. */
static unsigned
id_size_of(const uint8_t *p, size_t n)
{
	unsigned length = hp_header_length(p, n), id_size;

	if (length == 0 || n < length ||
	    strcmp((const char *)p + 13, "1.0") == 0)
		return 0;
	id_size = hp_load4(p + length - HEADER_END);
	return id_size == 4 || id_size == 8 ? id_size : 0;
}

/*
 * The header as it is, but 1.0.2 for 1.0.1: there are segments. Of a version
 * that is not known it is one that has the dump's sub-records.
 */
static uint64_t
salvage_header(struct salvage *s)
{
	uint8_t header[HP_WRECK_HEADER] = "JAVA PROFILE 1.0.2";
	unsigned length, id_size;
	const uint8_t *p;
	size_t got;

	p = hp_resync_peek(&s->w, 0, HP_WRECK_HEADER_MOST, &got);
	if (s->w.status != HP_OK) {
		s->status = s->w.status;
		return 0;
	}
	id_size = p ? id_size_of(p, got) : 0;
	if (id_size == 0) {
		s->status = hp_fail(s->err, HP_DAMAGED,
				    "there is no header of a dump");
		return 0;
	}
	length = hp_header_length(p, got);
	s->result->version_unknown = hp_header_id_size(p, got) == 0;
	s->android = s->result->version_unknown ? s->named : p[17] == '3';
	if (s->android)
		header[17] = '3';
	else if (s->giant.wanted && s->giant.alone && p[17] == '1')
		header[17] = '1'; /* without segments */
	memcpy(header + sizeof(header) - HEADER_END, p + length - HEADER_END,
	       HEADER_END);
	s->w.id_size = s->known.id_size = id_size;
	write_bytes(s, header, sizeof(header));
	return s->kept_until = length;
}

/*
 * After a round: is a HEAP DUMP to be written as one record in the next round?
 * Returns true if this round did not write it as it has to be.
 */
static bool
choose_giant(struct salvage *s)
{
	struct giant *g = &s->giant;
	bool last = s->result->records == g->records;
	uint64_t before = g->wanted;

	if (before && (g->bytes == 0 || (g->bytes > UINT32_MAX && !last)))
		g->refused = true;
	if (g->refused)
		g->wanted = 0;
	else if (!before && g->found && last)
		g->wanted = g->found;
	g->alone = s->segments == g->segments && !s->empty_segments;
	return g->wanted != before;
}

/* Once over the input. *@more: classes were met that were not known. */
static void
run_round(struct salvage *s, bool *more)
{
	uint64_t pos;

	*s->result = (struct hp_salvage_result){.first = UINT64_MAX};
	s->in_dump = s->begun = s->heap = s->heapless = false;
	s->empty_segments = false;
	s->giant.current = s->giant.found = s->giant.bytes = 0;
	s->from = s->to = s->segments = 0;
	s->objects = s->heap_bytes = s->heap_lost = 0;
	pos = salvage_header(s);
	if (s->status == HP_OK)
		s->status = hp_plausible_begin(&s->known, s->err);
	if (s->status == HP_OK)
		salvage_all(s, pos);
	if (s->status == HP_OK)
		s->status = hp_plausible_end(&s->known, more, s->err);
}

/* All rounds: the last one's copy is whole. */
static void
run_rounds(struct salvage *s)
{
	unsigned most = ROUNDS;
	bool more = true;

	s->known.learning = true;
	for (unsigned r = 0; r < most && more && s->status == HP_OK; r++) {
		if (s->out)
			hp_sink_abort(s->out);
		s->out = NULL;
		if (r > 0)
			s->status = hp_sink_open_temporary(&s->out, s->err);
		if (s->status == HP_OK)
			run_round(s, &more);
		if (choose_giant(s)) { /* at most twice */
			more = true;
			most += r + 1 == most;
		}
		more = more || r == 0;
	}
}

/* The first step: *@found is a dump whose framing is right. */
static enum hp_status
copy_valid_records(struct hp_source *src, const struct hp_hole *holes,
		   size_t nholes, bool keep_numbers, struct hp_source **found,
		   struct hp_salvage_result *result, struct hp_error *err)
{
	struct salvage s = {.w = {.src = src,
				  .size = hp_source_size(src),
				  .holes = holes,
				  .nholes = nholes,
				  .err = err},
			    .keep_numbers = keep_numbers,
			    .result = result,
			    .err = err};

	s.status = hp_resync_init(&s.w);
	if (s.status == HP_OK)
		run_rounds(&s);
	hp_resync_release(&s.w);
	hp_plausible_release(&s.known);
	result->found = s.objects;
	if (s.objects > 0)
		result->objects = (uint64_t)(((double)s.heap_lost +
					      (double)result->missing) *
						     (double)s.objects /
						     (double)s.heap_bytes +
					     0.5);
	if (s.status == HP_OK && result->records == 0)
		s.status = hp_fail(err, HP_DAMAGED,
				   "there is not one whole record");
	if (s.status == HP_OK)
		return hp_temp_copy_end(s.out, found, err);
	if (s.out)
		hp_sink_abort(s.out);
	return s.status;
}

enum hp_status
hp_salvage(struct hp_source *src, const struct hp_hole *holes, size_t nholes,
	   struct hp_sink *sink, const struct hp_salvage_options *options,
	   struct hp_salvage_result *result, struct hp_error *err)
{
	struct hp_source *found = NULL;
	const struct hp_filter_objects how = {.mend = true,
					      .nulls = options->null_dangling,
					      .memory = options->memory};
	enum hp_status st;

	*result = (struct hp_salvage_result){.first = UINT64_MAX};
	st = copy_valid_records(src, holes, nholes, options->keep_numbers,
				&found, result, err);
	if (st == HP_OK)
		st = hp_filter_objects(found, sink, &how, options->threads,
				       &result->sifted, err);
	hp_source_close(found);
	return st;
}
