/*
 * root_kinds.c - the table of the kinds of roots, the most important one first
 */
#include "common/graph/graph.h"

#include "common/base/status.h"
#include "common/format/format.h"

/*
 * All kinds of roots, the most important kind first. An entry has the tag of
 * the sub-record, the kind of the paths that begin at such a root, and the name
 * in the output.
 */
static const struct {
	uint8_t tag, kind;
	const char *words;
} kinds[] = {
	{HP_SUB_ROOT_STICKY_CLASS, HP_PATH_SYSTEM_CLASS, "system class"},
	{HP_SUB_ROOT_THREAD_OBJECT, HP_PATH_THREAD, "thread"},
	{HP_SUB_ROOT_JNI_GLOBAL, HP_PATH_JNI_GLOBAL, "JNI global"},
	{HP_SUB_ROOT_UNKNOWN, HP_PATH_OTHER, "root"},
	{HP_SUB_ROOT_JAVA_FRAME, HP_PATH_LOCAL, "local variable"},
	{HP_SUB_ROOT_JNI_LOCAL, HP_PATH_JNI_LOCAL, "JNI local"},
	{HP_SUB_ROOT_NATIVE_STACK, HP_PATH_STACK, "native stack"},
	{HP_SUB_ROOT_THREAD_BLOCK, HP_PATH_STACK, "thread block"},
	{HP_SUB_ROOT_MONITOR_USED, HP_PATH_MONITOR, "monitor"},
	{HP_SUB_ROOT_JNI_MONITOR, HP_PATH_MONITOR, "monitor"},
	{HP_SUB_ROOT_INTERNED_STRING, HP_PATH_INTERNED, "interned"},
	{HP_SUB_ROOT_VM_INTERNAL, HP_PATH_VM_INTERNAL, "VM internal"},
	{HP_SUB_ROOT_FINALIZING, HP_PATH_FINALIZING, "finalizing"},
	{HP_SUB_ROOT_DEBUGGER, HP_PATH_DEBUGGER, "debugger"},
	{HP_SUB_ROOT_REFERENCE_CLEANUP, HP_PATH_CLEANUP, "cleanup"},
};

unsigned
hp_root_order(uint8_t tag)
{
	unsigned i = 0;

	while (i + 1 < HP_ARRAY_LEN(kinds) && kinds[i].tag != tag)
		i++;
	return i;
}

enum hp_path_kind
hp_root_kind(uint8_t tag)
{
	return (enum hp_path_kind)kinds[hp_root_order(tag)].kind;
}

const char *
hp_root_words(uint8_t tag)
{
	return kinds[hp_root_order(tag)].words;
}
