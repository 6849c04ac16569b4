/*
 * references_framing.c - findings about the lengths and tags of sub-records
 *
 * These functions are rarely called, so they are not in the innermost loop.
 */
#include "validate/references/internal.h"

#include "common/model/rules.h"

void
hp_reference_framing(const struct hp_references *r, struct hp_worker *out,
		     const struct hp_heap_iter *it, uint32_t count,
		     uint64_t record)
{
	struct hp_symptom symptom;
	struct hp_finding f;

	if (!hp_symptom_of_stop(it, &symptom))
		return;
	f = hp_reference_finding(r, symptom.rule, symptom.offset, record,
				 symptom.tag);
	f.args[1] = it->need;
	f.args[2] = hp_heap_limit(it);
	f.place = HP_PLACE_NAME;
	f.index = HP_WORD_LENGTH;
	switch (it->stop) {
	case HP_HEAP_UNKNOWN_TAG:
		f.args[1] = hp_heap_limit(it);
		f.index = HP_WORD_TAG;
		break;
	case HP_HEAP_ARRAY:
		f.args[1] = count;
		f.args[2] = it->need;
		f.args[3] = hp_heap_limit(it);
		f.index = HP_WORD_COUNT;
		break;
	case HP_HEAP_TYPE:
		f.args[1] = it->at[it->bad - hp_heap_offset(it)];
		f.args[2] = hp_type_name((unsigned)f.args[1]) != NULL;
		f.args[3] = it->bad;
		f.index = HP_WORD_TYPE;
		break;
	default:
		break;
	}
	hp_findings_add(&out->findings, &f);
}

void
hp_reference_length(const struct hp_references *r, struct hp_worker *out,
		    struct hp_sub s, const struct hp_run *run)
{
	struct hp_symptom symptom;
	struct hp_finding f;

	if (!hp_symptom_of_array(&s, &symptom)) {
		if (s.size <= UINT32_MAX - 16 || s.size > UINT32_MAX)
			return;
		symptom.rule = HP_RULE_ARRAY_TRUNCATED;
	}
	f = hp_reference_finding(r, symptom.rule, s.offset, run->record, s.tag);
	f.args[1] = s.count;
	f.place = HP_PLACE_NAME;
	f.index = HP_WORD_COUNT;
	hp_findings_add(&out->findings, &f);
}

void
hp_reference_long_head(const struct hp_references *r, struct hp_worker *out,
		       const struct hp_run *run)
{
	const struct hp_sub *s = &run->piece.sub;

	out->evidence.subs[s->tag]++;
	if (s->tag != HP_SUB_INSTANCE_DUMP)
		hp_reference_length(r, out, *s, run);
}
