/*
 * layout_prepass.h - what a pass over a dump tells of its layout in memory
 *
 * To be made in the scan of another prepass, see scan_two.h.
 */
#ifndef HP_CONVERT_PASS_LAYOUT_PREPASS_H
#define HP_CONVERT_PASS_LAYOUT_PREPASS_H

#include "common/format/scan.h"
#include "common/model/size_model.h"

struct hp_layout_prepass_worker;

struct hp_layout_prepass {
	unsigned threads;
	struct hp_header header;
	struct hp_layout_prepass_worker *workers;
	/* set by hp_layout_prepass_end(): */
	struct hp_size_model layout;
	uint64_t id_bits;	    /* "or" of all objects' ids */
	unsigned first_dump, dumps; /* the first one with objects, the last; 0:
				       there is none */
};

/* HP_OK; HP_NOMEM. Release it in any case. */
HP_MUST_USE enum hp_status hp_layout_prepass_init(struct hp_layout_prepass *l,
						  unsigned threads,
						  struct hp_error *err);
void hp_layout_prepass_release(struct hp_layout_prepass *l);

/* The pass, which needs heads. */
struct hp_pass hp_layout_prepass_pass(struct hp_layout_prepass *l);

/* It was made: the layout that the file's writer suggests. */
void hp_layout_prepass_end(struct hp_layout_prepass *l);

#endif
