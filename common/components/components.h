/*
 * components.h - parts of the library that a build can leave out
 *
 * `make PACK=no TEXT=no` builds without packs (common/pack) and without the
 * text format of the JVMTI agent (common/text). The rest of the library does
 * not know these parts: programs pass the pointers below in the options of
 * their sources and sinks.
 */
#ifndef HP_COMPONENTS_COMPONENTS_H
#define HP_COMPONENTS_COMPONENTS_H

#include "common/io/layer.h"

/*
 * Functions that read and write packs (compressed dumps); NULL if the build
 * does not include packs.
 */
extern const struct hp_pack_vtable *const hp_packs;

/*
 * Functions that read the text output of the HPROF agent as a binary dump; NULL
 * if the build does not include them.
 */
extern const struct hp_translation *const hp_agent_text;

/*
 * Whether a file that begins with the @n bytes at @head is the text output of
 * the HPROF agent. Returns false if the build cannot read such text.
 */
static inline bool
hp_agent_text_begins(const void *head, size_t n)
{
	return hp_agent_text && hp_agent_text->begins(head, n);
}

#endif
