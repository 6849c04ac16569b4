/*
 * chosen_dump.h - which records belong to heap dumps that were not chosen
 */
#ifndef HP_CONVERT_PASS_CHOSEN_DUMP_H
#define HP_CONVERT_PASS_CHOSEN_DUMP_H

#include "common/format/reader.h"

struct hp_chosen_dump {
	unsigned dump; /* from 1; 0: all are chosen */
	unsigned last; /* the dump of the last heap record, if it has not
			* ended; 0: none */
};

/*
 * Is @rec a heap record of another dump, or the HEAP DUMP END of one? To be
 * asked for all records, in file order. Other records belong to all dumps.
 */
static inline bool
hp_chosen_dump_skips(struct hp_chosen_dump *c, const struct hp_record *rec)
{
	unsigned last = c->last;

	if (rec->tag == HP_REC_HEAP_DUMP ||
	    rec->tag == HP_REC_HEAP_DUMP_SEGMENT)
		last = c->last = rec->dump;
	else if (rec->tag == HP_REC_HEAP_DUMP_END)
		c->last = 0;
	else
		return false;
	return c->dump != 0 && last != 0 && last != c->dump;
}

#endif
