/*
 * strip.c - zero the values that --strip removes, in a part of the dump that is
 * in memory
 *
 * Bytes are replaced in place, so lengths, ids and references do not change. A
 * hash of all other bytes is computed. The proof (the code that checks the
 * output) compares it with the hash of these bytes in the output.
 */
#include "convert/strip/strip.h"

void
hp_strip_begin(struct hp_stripper *s, const struct hp_batch *b)
{
	XXH3_64bits_reset(s->hash);
	s->from = b->data;
	hp_dump_classes_select(&s->classes, s->prepass, b->dump);
}

/*
 * Replace the @n bytes at @p by the byte @with. Calls must be in the order of
 * the bytes: the bytes between the last replaced byte and @p are kept, and
 * added to the hash.
 */
static void
clear_bytes(struct hp_stripper *s, const uint8_t *p, uint64_t n, int with)
{
	if (p > s->from)
		XXH3_64bits_update(s->hash, s->from, (size_t)(p - s->from));
	/*
	 * the pointer is const, but this pass may change the data of the batch
	 */
	memset((uint8_t *)(uintptr_t)p, with, (size_t)n);
	s->from = p + n;
	s->stats.bytes += n;
}

static inline bool
is_kept(struct hp_stripper *s, const struct hp_sub *sub)
{
	return s->keep && hp_keep_has(s->keep, s->classes.number, sub->id);
}

static bool
is_array_stripped(const struct hp_stripper *s, const struct hp_sub *sub)
{
	return sub->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	       s->policy->array_types >> sub->type & 1 &&
	       sub->count > s->policy->keep_first;
}

static bool
is_field_stripped(const struct hp_stripper *s, unsigned type)
{
	return hp_type_is_primitive(type) && s->policy->field_types >> type & 1;
}

/*
 * Whether the array has a secret that --strip-matching removes. All elements of
 * such an array become zero, even those that --keep or --keep-first selects.
 */
static inline bool
is_matching(const struct hp_stripper *s, const struct hp_sub *sub)
{
	return HP_UNLIKELY(s->policy->matched != NULL) &&
	       sub->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP &&
	       hp_matching_has_array(s->policy->matched, s->classes.number,
				     sub->id);
}

static void
strip_array(struct hp_stripper *s, const struct hp_sub *sub, unsigned id_size)
{
	bool matching = is_matching(s, sub);
	uint64_t keep = matching ? 0 : s->policy->keep_first;
	unsigned width;

	if (!matching && !is_array_stripped(s, sub))
		return;
	if (!matching && is_kept(s, sub)) {
		s->stats.kept++;
		return;
	}
	width = hp_type_size(sub->type, id_size);
	clear_bytes(s, sub->data + keep * width, (sub->count - keep) * width,
		    0);
	s->stats.arrays++;
}

static void
strip_class(struct hp_stripper *s, const struct hp_sub *sub, unsigned id_size)
{
	const uint8_t *p = sub->data;

	for (unsigned table = 0; table < 2; table++) {
		unsigned n = hp_load2(p), head = table == 0 ? 2 : id_size;

		p += 2;
		for (; n > 0; n--) {
			unsigned type = p[head];
			unsigned size = hp_type_size(type, id_size);

			p += head + 1;
			if (is_field_stripped(s, type)) {
				clear_bytes(s, p, size, 0);
				s->stats.fields++;
			}
			p += size;
		}
	}
}

static bool
strip_instance(struct hp_stripper *s, const struct hp_sub *sub,
	       unsigned id_size, struct hp_error *err)
{
	const struct hp_class *k =
		hp_dump_classes_layout(&s->classes, sub->class_id);
	const uint8_t *p = sub->data;

	if (!hp_instance_decodable(k, sub)) {
		hp_fail(err, HP_DAMAGED,
			"offset %llu: an instance cannot be decoded: %s",
			(unsigned long long)sub->offset,
			!k ? "its class is missing"
			: k->chain != HP_CHAIN_FINE
				? "a superclass is missing"
				: "its length differs from the length in its "
				  "class");
		return false;
	}
	if (is_kept(s, sub)) {
		s->stats.kept++;
		return true;
	}
	for (; k; k = hp_prepass_above(s->classes.dump, k)) {
		for (uint32_t i = 0; i < k->nfields; i++) {
			unsigned type = k->fields[i].type;
			unsigned size = hp_type_size(type, id_size);

			if (is_field_stripped(s, type)) {
				clear_bytes(s, p, size, 0);
				s->stats.fields++;
			}
			p += size;
		}
	}
	return true;
}

/*
 * Count values that a strip does not remove although users may expect it: names
 * of Android heaps, and reserved ids in class dumps.
 */
static void
note_remainder(struct hp_stripper *s, const struct hp_sub *sub,
	       unsigned id_size)
{
	/*
	 * Two reserved ids and the instance size come directly before the
	 * constants.
	 */
	const uint8_t *ids = sub->data - 4 - 2 * id_size;

	if (sub->tag == HP_SUB_HEAP_DUMP_INFO)
		s->stats.heaps = true;
	else if (sub->tag == HP_SUB_CLASS_DUMP &&
		 (hp_load_id(ids, id_size) ||
		  hp_load_id(ids + id_size, id_size)))
		s->stats.reserved = true;
}

bool
hp_strip_sub(struct hp_stripper *s, const struct hp_sub *sub, unsigned id_size,
	     struct hp_error *err)
{
	note_remainder(s, sub, id_size);
	if (sub->tag == HP_SUB_PRIMITIVE_ARRAY_DUMP)
		strip_array(s, sub, id_size);
	else if (!hp_strip_fields(s))
		return true;
	else if (sub->tag == HP_SUB_INSTANCE_DUMP)
		return strip_instance(s, sub, id_size, err);
	else if (sub->tag == HP_SUB_CLASS_DUMP)
		strip_class(s, sub, id_size);
	return true;
}

bool
hp_strip_piece(struct hp_stripper *s, const struct hp_batch *b,
	       const struct hp_run *run, unsigned id_size, struct hp_error *err)
{
	const struct hp_piece *p = &run->piece;
	bool matching = is_matching(s, &p->sub);
	uint64_t keep = matching ? 0 : s->policy->keep_first;
	unsigned width = hp_type_size(p->sub.type, id_size);

	if (p->sub.tag == HP_SUB_INSTANCE_DUMP && hp_strip_fields(s)) {
		hp_fail(err, HP_DAMAGED,
			"offset %llu: an instance of %u bytes cannot be "
			"decoded",
			(unsigned long long)p->sub.offset,
			(unsigned)p->sub.count);
		return false;
	}
	if (!matching && !is_array_stripped(s, &p->sub))
		return true;
	if (!matching && is_kept(s, &p->sub)) {
		s->stats.kept += p->head;
		return true;
	}
	keep = keep > p->first ? keep - p->first : 0;
	if (keep < p->elements)
		clear_bytes(s, b->data + run->at + keep * width,
			    (p->elements - keep) * width, 0);
	s->stats.arrays += p->head;
	return true;
}

void
hp_strip_text(struct hp_stripper *s, const struct hp_batch *b,
	      const struct hp_run *run, const struct hp_text *text)
{
	uint64_t from = text->offset, to = text->offset + text->length;

	if (from < run->offset)
		from = run->offset;
	else if (from < run->offset + run->length)
		/*
		 * A text may be in several runs (ranges of bytes): count it
		 * only in the run in which it begins.
		 */
		s->stats.strings++;
	if (to > run->offset + run->length)
		to = run->offset + run->length;
	if (from < to)
		clear_bytes(s, b->data + run->at + (from - run->offset),
			    to - from, HP_POLICY_TEXT);
}

void
hp_strip_times(struct hp_stripper *s, const struct hp_batch *b,
	       const struct hp_run *run)
{
	/*
	 * The time is the last 8 bytes of the file header, or the 4 bytes after
	 * the tag of a record.
	 */
	enum { HEADER_TIME = 8, RECORD_TIME = 4 };
	const uint8_t *p = b->data + run->at;

	if (!run->record_start || !s->policy->times)
		return;
	if (run->record)
		clear_bytes(s, p + 1, RECORD_TIME, 0);
	else
		clear_bytes(s, p + run->length - HEADER_TIME, HEADER_TIME, 0);
}

uint64_t
hp_strip_end(struct hp_stripper *s, const struct hp_batch *b)
{
	const uint8_t *end = b->data + b->length;

	if (end > s->from)
		XXH3_64bits_update(s->hash, s->from, (size_t)(end - s->from));
	return XXH3_64bits_digest(s->hash);
}
