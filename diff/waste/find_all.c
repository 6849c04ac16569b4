/* find_all.c - run the passes for --by=waste in the right order */
#include "diff/waste/internal.h"

enum hp_status
hp_waste_find_all(struct hp_waste *w, struct hp_source *src,
		  struct hp_error *err)
{
	enum hp_status st = hp_waste_read_objects(w, src, err);

	if (st == HP_OK)
		st = hp_waste_find_collections(w, err);
	if (st == HP_OK)
		st = hp_waste_read_contents(w, src, err);
	if (st == HP_OK)
		st = hp_waste_find_contents(w, err);
	if (st == HP_OK)
		st = hp_waste_find_objects(w, err);
	return st == HP_OK ? hp_waste_read_values(w, src, err) : st;
}
