/* prepare.c - the passes that run before fields and strings are stripped */
#include "convert/strip/prepare.h"
#include "common/base/memory.h"

#include "convert/strip/proof.h"

enum { CHUNK = 1 << 20 };

/*
 * Run one learning pass over the input. In this pass, the proof (the code that
 * will check the stripped output) collects facts with its own decoder. If this
 * decoder cannot read the input, *@lost receives the error.
 */
static enum hp_status
proof_prepass_round(struct hp_strip_facts *p, struct hp_source *src,
		    unsigned round, uint8_t *buf, enum hp_status *lost,
		    struct hp_error *err)
{
	struct hp_proof *proof = NULL;
	enum hp_status st = hp_source_rewind(src, err);
	size_t got = CHUNK;

	if (st == HP_OK)
		st = hp_proof_learn(&proof, &p->facts, round, err);
	if (st == HP_OK && p->prepass.overflow_body)
		hp_proof_overflow(proof, p->prepass.overflow_at,
				  p->prepass.overflow_body);
	while (st == HP_OK && *lost == HP_OK && got == CHUNK) {
		st = hp_source_read(src, buf, CHUNK, &got, err);
		if (st == HP_OK)
			*lost = hp_proof_feed(proof, buf, got, &p->learnt);
	}
	hp_proof_close(proof);
	return st == HP_OK ? hp_proof_model_end(&p->facts, round, err) : st;
}

/*
 * Let the proof (the code that will check the stripped output) read the input
 * with its own decoder. An error is only stored in p->learnt, because the pass
 * that strips will report the damage.
 */
static enum hp_status
proof_prepass(struct hp_strip_facts *p, const struct hp_policy *policy,
	      struct hp_source *src, struct hp_error *err)
{
	unsigned rounds = policy->nkeep ? HP_PROOF_MODEL_ROUNDS : 1;
	uint8_t *buf = hp_malloc(CHUNK);
	enum hp_status st = HP_OK, lost = HP_OK;

	if (!buf)
		return hp_no_memory(err);
	p->facts.policy = policy;
	for (unsigned r = 1; r <= rounds && st == HP_OK && lost == HP_OK; r++)
		st = proof_prepass_round(p, src, r, buf, &lost, err);
	hp_free(buf);
	return st;
}

enum hp_status
hp_strip_prepare(struct hp_strip_facts *p, const struct hp_policy *policy,
		 struct hp_source *src, unsigned threads, uint64_t memory,
		 struct hp_error *err)
{
	enum hp_status st;

	if (policy->matching) {
		st = hp_matching_find(&p->matching, src, policy->matching,
				      threads, memory, err);
		if (st == HP_OK)
			st = hp_source_rewind(src, err);
		if (st != HP_OK)
			return st;
	}
	p->prepass.want_tables = policy->nkeep > 0;
	p->prepass.memory = memory;
	st = hp_prepass_run(&p->prepass, src, threads, NULL, err);
	if (st == HP_OK && policy->nkeep)
		st = hp_keep_find(&p->keep, policy, &p->prepass, src, threads,
				  err);
	if (st == HP_OK)
		st = proof_prepass(p, policy, src, err);
	return st == HP_OK ? hp_source_rewind(src, err) : st;
}

void
hp_strip_facts_release(struct hp_strip_facts *p)
{
	hp_matching_release(&p->matching);
	hp_keep_release(&p->keep);
	hp_prepass_release(&p->prepass);
	hp_proof_model_release(&p->facts);
}
