/*
 * collections.c - names of what collections are made of
 */
#include "diff/leaks/collections.h"

#include "common/base/status.h"

#include <string.h>

/* Without the "[]" of arrays of them. */
static const char *const insides[] = {
	"java.lang.Object",
	"java.util.HashMap$Entry",
	"java.util.HashMap$HashMapEntry",
	"java.util.HashMap$Node",
	"java.util.HashMap$TreeNode",
	"java.util.Hashtable$Entry",
	"java.util.Hashtable$HashtableEntry",
	"java.util.LinkedHashMap$Entry",
	"java.util.LinkedHashMap$LinkedEntry",
	"java.util.LinkedHashMap$LinkedHashMapEntry",
	"java.util.LinkedList$Entry",
	"java.util.LinkedList$Link",
	"java.util.LinkedList$Node",
	"java.util.TreeMap$Entry",
	"java.util.TreeMap$Node",
	"java.util.TreeMap$TreeMapEntry",
	"java.util.WeakHashMap$Entry",
	"java.util.concurrent.ConcurrentHashMap$ForwardingNode",
	"java.util.concurrent.ConcurrentHashMap$HashEntry",
	"java.util.concurrent.ConcurrentHashMap$Node",
	"java.util.concurrent.ConcurrentHashMap$Segment",
	"java.util.concurrent.ConcurrentHashMap$TreeBin",
	"java.util.concurrent.ConcurrentHashMap$TreeNode",
	"java.util.concurrent.ConcurrentLinkedDeque$Node",
	"java.util.concurrent.ConcurrentLinkedQueue$Node",
	"java.util.concurrent.ConcurrentSkipListMap$HeadIndex",
	"java.util.concurrent.ConcurrentSkipListMap$Index",
	"java.util.concurrent.ConcurrentSkipListMap$Node",
	"java.util.concurrent.LinkedBlockingDeque$Node",
	"java.util.concurrent.LinkedBlockingQueue$Node",
	"java.util.concurrent.LinkedTransferQueue$DualNode",
	"java.util.concurrent.LinkedTransferQueue$Node",
};

bool
hp_is_collection_inside(const char *name)
{
	size_t n = strlen(name);
	bool array = n > 2 && memcmp(name + n - 2, "[]", 2) == 0;

	if (array)
		n -= 2;
	/* plain objects are elements, arrays of them are not */
	for (size_t i = array ? 0 : 1; i < HP_ARRAY_LEN(insides); i++)
		if (strlen(insides[i]) == n && memcmp(name, insides[i], n) == 0)
			return true;
	return false;
}
