/*
 * chosen_dump.h - filter out the heap records of dumps that were not chosen
 *
 * A file can hold several heap dumps. --dump=N selects one by its number.
 */
#ifndef HP_CONVERT_PASS_CHOSEN_DUMP_H
#define HP_CONVERT_PASS_CHOSEN_DUMP_H

#include "common/format/reader.h"

struct hp_chosen_dump {
	/* number of the chosen dump, from 1; 0: all are chosen */
	unsigned dump;
	/*
	 * number of the dump that is still open, because its last heap record
	 * had no HEAP DUMP END yet; 0: none
	 */
	unsigned last;
};

/*
 * Whether the caller must skip @rec: a heap record of a dump that was not
 * chosen, or the HEAP DUMP END of such a dump. All other records belong to
 * every dump. Call this for all records, in file order, because it keeps state.
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
