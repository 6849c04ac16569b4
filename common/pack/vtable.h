/* vtable.h - the pack format for the sources and sinks of programs */
#ifndef HP_PACK_VTABLE_H
#define HP_PACK_VTABLE_H

#include "common/io/pack_vtable.h"

extern const struct hp_pack_vtable hp_pack_vtable;

#endif
