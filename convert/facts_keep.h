/*
 * facts_keep.h - for facts.c: what the patterns of --keep mean to classes
 */
#ifndef HP_CONVERT_FACTS_KEEP_H
#define HP_CONVERT_FACTS_KEEP_H

#include "convert/facts.h"

/* Before any dump's classes are linked: what the loads say of a class. False:
 * out of memory. */
bool hp_facts_gather_loads(struct hp_facts *f);

/* All classes of @d are linked: fill d->keep. HP_OK; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_facts_link_keep(const struct hp_facts *f,
					      struct hp_fact_dump *d,
					      struct hp_error *err);

#endif
