/*
 * collections.c - names of collections and of what they are made of
 */
#include "diff/leaks/collections.h"

#include "common/base/status.h"

#include <string.h>

static const char *const collections[] = {
	"android.util.ArrayMap",
	"android.util.ArraySet",
	"android.util.LongSparseArray",
	"android.util.SparseArray",
	"androidx.collection.ArrayMap",
	"androidx.collection.ArraySet",
	"androidx.collection.LruCache",
	"androidx.collection.SimpleArrayMap",
	"androidx.collection.SparseArrayCompat",
	"java.util.ArrayDeque",
	"java.util.ArrayList",
	"java.util.Arrays$ArrayList",
	"java.util.Collections$SetFromMap",
	"java.util.Collections$SynchronizedCollection",
	"java.util.Collections$SynchronizedList",
	"java.util.Collections$SynchronizedMap",
	"java.util.Collections$SynchronizedRandomAccessList",
	"java.util.Collections$SynchronizedSet",
	"java.util.Collections$UnmodifiableCollection",
	"java.util.Collections$UnmodifiableList",
	"java.util.Collections$UnmodifiableMap",
	"java.util.Collections$UnmodifiableRandomAccessList",
	"java.util.Collections$UnmodifiableSet",
	"java.util.EnumMap",
	"java.util.HashMap",
	"java.util.HashSet",
	"java.util.Hashtable",
	"java.util.IdentityHashMap",
	"java.util.ImmutableCollections$ListN",
	"java.util.ImmutableCollections$MapN",
	"java.util.ImmutableCollections$SetN",
	"java.util.LinkedHashMap",
	"java.util.LinkedHashSet",
	"java.util.LinkedList",
	"java.util.PriorityQueue",
	"java.util.Properties",
	"java.util.Stack",
	"java.util.TreeMap",
	"java.util.TreeSet",
	"java.util.Vector",
	"java.util.WeakHashMap",
	"java.util.concurrent.ArrayBlockingQueue",
	"java.util.concurrent.ConcurrentHashMap",
	"java.util.concurrent.ConcurrentLinkedDeque",
	"java.util.concurrent.ConcurrentLinkedQueue",
	"java.util.concurrent.ConcurrentSkipListMap",
	"java.util.concurrent.ConcurrentSkipListSet",
	"java.util.concurrent.CopyOnWriteArrayList",
	"java.util.concurrent.CopyOnWriteArraySet",
	"java.util.concurrent.DelayQueue",
	"java.util.concurrent.LinkedBlockingDeque",
	"java.util.concurrent.LinkedBlockingQueue",
	"java.util.concurrent.PriorityBlockingQueue",
	"kotlin.collections.ArrayDeque",
	"kotlin.collections.builders.ListBuilder",
	"kotlin.collections.builders.MapBuilder",
	"kotlin.collections.builders.SetBuilder",
};

/* Without the "[]" of arrays of them. */
static const char *const insides[] = {
	"java.lang.Object",
	"java.util.HashMap$Entry",
	"java.util.HashMap$Node",
	"java.util.HashMap$TreeNode",
	"java.util.Hashtable$Entry",
	"java.util.LinkedHashMap$Entry",
	"java.util.LinkedHashMap$LinkedHashMapEntry",
	"java.util.LinkedList$Entry",
	"java.util.LinkedList$Link",
	"java.util.LinkedList$Node",
	"java.util.TreeMap$Entry",
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
};

bool
hp_is_collection(const char *name)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(collections); i++)
		if (strcmp(name, collections[i]) == 0)
			return true;
	return false;
}

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
