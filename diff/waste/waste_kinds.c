/* waste_kinds.c - the table of the kinds of waste, from waste_kinds.def */
#include "diff/waste/internal.h"

enum { COUNTS, BESIDE };

const struct hp_waste_kind_desc hp_waste_kinds[HP_WASTES] = {
#define WASTE(symbol, called, of, total) {called, HP_WASTE_OF_##of, total},
#include "diff/waste/waste_kinds.def"
};
