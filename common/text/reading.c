/*
 * reading.c - map each problem of a text dump to the rule of hprof-validate
 * that reports it
 */
#include "common/text/text.h"

static const enum hp_rule rules[HP_TEXT_ODDITIES] = {
	[HP_TEXT_ODD_LINE] = HP_RULE_TEXT_LINE,
	[HP_TEXT_ODD_CUT] = HP_RULE_TEXT_LINE_CUT,
	[HP_TEXT_ODD_LONG] = HP_RULE_TEXT_LINE_LONG,
	[HP_TEXT_ODD_LAST] = HP_RULE_TEXT_LAST_LINE,
	[HP_TEXT_ODD_END] = HP_RULE_TEXT_END_MISSING,
	[HP_TEXT_ODD_PROLOGUE] = HP_RULE_TEXT_PROLOGUE,
	[HP_TEXT_ODD_TRACE] = HP_RULE_TEXT_TRACE_MISSING,
	[HP_TEXT_ODD_TRACE_AGAIN] = HP_RULE_TEXT_TRACE_AGAIN,
	[HP_TEXT_ODD_CLASS] = HP_RULE_TEXT_CLASS_MISSING,
	[HP_TEXT_ODD_RANK] = HP_RULE_TEXT_RANK,
	[HP_TEXT_ODD_ORDER] = HP_RULE_TEXT_ORDER,
	[HP_TEXT_ODD_PERCENT] = HP_RULE_TEXT_PERCENT,
	[HP_TEXT_ODD_TOTAL] = HP_RULE_TEXT_TOTAL,
	[HP_TEXT_ODD_ELEMENT] = HP_RULE_TEXT_ELEMENT,
	[HP_TEXT_ODD_FIELDS] = HP_RULE_TEXT_FIELDS,
	[HP_TEXT_ODD_ID] = HP_RULE_TEXT_ID,
};

enum hp_rule
hp_text_rule(enum hp_text_oddity oddity)
{
	return rules[oddity];
}

/*
 * Whether the binary dump lacks some data of the text because of the problem.
 * An unknown line between reports is ignored: it contains no data.
 */
bool
hp_text_is_damage(const struct hp_text_problem *p)
{
	return hp_rule_is_damage(rules[p->oddity]) &&
	       (p->oddity != HP_TEXT_ODD_LINE || p->args[0] != 0);
}
