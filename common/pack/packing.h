/*
 * packing.h - packs for the sources and sinks of programs
 */
#ifndef HP_PACK_PACKING_H
#define HP_PACK_PACKING_H

#include "common/io/packing.h"

extern const struct hp_packing hp_packing;

#endif
