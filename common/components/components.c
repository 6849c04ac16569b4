/*
 * components.c - the pointers to optional parts of the library, which are NULL
 * if this build does not include the part
 *
 * The Makefile defines HP_PACK and HP_TEXT for this file only.
 */
#include "common/components/components.h"

#if HP_PACK
#include "common/pack/pack.h"

const struct hp_pack_vtable *const hp_packs = &hp_pack_vtable;
#else
const struct hp_pack_vtable *const hp_packs = NULL;
#endif

#if HP_TEXT
#include "common/text/text.h"

const struct hp_translation *const hp_agent_text = &hp_text_translation;
#else
const struct hp_translation *const hp_agent_text = NULL;
#endif
