/*
 * proof_learn.c - the learning passes of the proof, which collect classes,
 * names, and the objects that --keep selects
 */
#include "convert/strip/proof_internal.h"

/*
 * Learn from a LOAD CLASS, STACK FRAME or START THREAD record which strings are
 * names.
 */
void
hp_proof_learn_names(struct hp_proof *p, const uint8_t *h)
{
	unsigned id = p->id;

	if (p->tag == 0x02) {
		hp_proof_model_name(p->learn, big_id(p, h + 8 + id));
		if (p->learn->policy->nkeep)
			hp_proof_model_load(p->learn, big_id(p, h + 4),
					    big_id(p, h + 8 + id));
	} else {
		const uint8_t *names = p->tag == 0x04 ? h + id : h + 8 + id;

		for (unsigned i = 0; i < 3; i++)
			hp_proof_model_name(p->learn,
					    big_id(p, names + i * id));
	}
	p->state = AT_RECORD;
}

/*
 * Learn from a STRING record. Its text is read only if it is short enough to
 * match a --keep pattern.
 */
void
hp_proof_learn_string(struct hp_proof *p, const uint8_t *h)
{
	p->string = big_id(p, h);
	p->keep = p->text - p->id;
	if (p->keep > 0 && p->keep < HP_KEEP_TEXT) {
		p->keep = 0;
		p->state = AT_TEXT;
	} else {
		hp_proof_model_text(p->learn, p->string, NULL, 0);
	}
}

void
hp_proof_learn_text(struct hp_proof *p, const uint8_t *h)
{
	hp_proof_model_text(p->learn, p->string, h, p->text - p->id);
	p->state = AT_RECORD;
}

/*
 * The reference is in a field that --keep selects: remember that the object to
 * which it refers must be kept.
 */
void
hp_proof_learn_ref(struct hp_proof *p, const uint8_t *h)
{
	hp_proof_model_keep(p->learn, p->round, p->dump, big_id(p, h));
	if (--p->refs == 0)
		p->state = p->after;
}

/*
 * Divide an instance of the class @k into ranges of bytes: references in fields
 * that --keep selects, and all other bytes.
 */
static enum hp_status
set_reference_spans(struct hp_proof *p, const struct hp_model_class *k,
		    struct hp_error *err)
{
	const uint64_t wanted = hp_proof_model_wanted(p->learn, p->round);
	uint64_t armed = hp_proof_model_kind(p->classes, k)->own & wanted;

	for (const struct hp_model_class *c = k; c;) {
		for (uint32_t i = 0; i < c->count; i++) {
			unsigned type = p->learn->types[c->first + i];
			uint64_t bits = 0;

			if (armed && type < 4)
				bits = hp_proof_model_field_bits(
					       p->learn,
					       p->learn->field_names[c->first +
								     i]) &
				       armed;
			armed &= ~bits;
			if (!hp_proof_span(p, bits,
					   hp_proof_model_width(type, p->id)))
				return hp_no_memory(err);
		}
		armed |= hp_proof_model_kind(p->classes, c)->carry & wanted;
		c = c->up && c->up != HP_MODEL_BROKEN
			    ? &p->classes->classes[c->up - 1]
			    : NULL;
		if (c)
			armed |= hp_proof_model_kind(p->classes, c)->own &
				 wanted;
	}
	return HP_OK;
}

/*
 * Learn from an instance of @n bytes which objects to keep, if --keep may
 * select some of its fields.
 */
enum hp_status
hp_proof_learn_instance(struct hp_proof *p, const uint8_t *h, uint64_t n,
			struct hp_error *err)
{
	const struct hp_model_class *k =
		hp_proof_model_find(p->classes, big_id(p, h + 5 + p->id));
	enum hp_status st = HP_OK;

	p->keep = n;
	p->stretch = p->nstretches = 0;
	if (!k || k->bytes != n ||
	    !(hp_proof_model_kind(p->classes, k)->under &
	      hp_proof_model_wanted(p->learn, p->round)) ||
	    (p->round == 3 && !hp_dump_id_sets_has(&p->learn->kept[0], p->dump,
						   big_id(p, h + 1))))
		return HP_OK;
	st = set_reference_spans(p, k, err);
	p->keep = 0;
	return st;
}

/*
 * Learn from a class dump which patterns of --keep select its static fields. If
 * several class dumps in a dump have the same id, only the first counts.
 */
void
hp_proof_learn_owner(struct hp_proof *p, const uint8_t *h)
{
	const struct hp_model_class *k =
		hp_proof_model_find(p->classes, big_id(p, h + 1));
	struct hp_model_keep *kind =
		k ? &p->classes->keep[k - p->classes->classes] : NULL;

	p->owner =
		kind && !kind->seen
			? kind->own & hp_proof_model_wanted(p->learn, p->round)
			: 0;
	if (kind)
		kind->seen = true;
}

void
hp_proof_learn_span(struct hp_proof *p)
{
	if (p->clear == 0)
		return;
	p->refs = p->clear / p->id;
	p->clear = 0;
	p->after = p->state;
	p->state = AT_REF;
}
