/*
 * collection_fields.c - a table of collection classes, and of the fields that
 * refer to their elements and internal parts
 *
 * The table is sorted by class name for binary search.
 */
#include "diff/leaks/merged_tree.h"

#include "common/base/status.h"

#include <stdlib.h>
#include <string.h>

/*
 * A collection class. `inside`: the names of its fields that refer to internal
 * parts. `element`: the names of its fields that refer to elements. Names are
 * separated by spaces.
 */
struct entry {
	const char *class_name, *inside, *element;
	/*
	 * the class is an internal part of a collection, see
	 * hp_is_collection_inside()
	 */
	bool is_inside;
};

static const struct entry table[] = {
	{"android.support.v4.util.ArrayMap", "mCollections", ""},
	{"android.support.v4.util.ArrayMap$1", "this$0", ""},
	{"android.support.v4.util.ArraySet", "mArray mHashes mCollections", ""},
	{"android.support.v4.util.ArraySet$1", "this$0", ""},
	{"android.support.v4.util.CircularArray", "mElements", ""},
	{"android.support.v4.util.LongSparseArray", "mKeys mValues", ""},
	{"android.support.v4.util.LruCache", "map", ""},
	{"android.support.v4.util.MapCollections", "mEntrySet mKeySet mValues",
	 ""},
	{"android.support.v4.util.MapCollections$EntrySet", "this$0", ""},
	{"android.support.v4.util.MapCollections$KeySet", "this$0", ""},
	{"android.support.v4.util.MapCollections$ValuesCollection", "this$0",
	 ""},
	{"android.support.v4.util.SimpleArrayMap", "mArray mHashes", ""},
	{"android.support.v4.util.SparseArrayCompat", "mKeys mValues", ""},
	{"android.util.ArrayMap", "mArray mHashes mCollections", ""},
	{"android.util.ArrayMap$1", "this$0", ""},
	{"android.util.ArraySet", "mArray mHashes mCollections", ""},
	{"android.util.ArraySet$1", "this$0", ""},
	{"android.util.LongSparseArray", "mKeys mValues", ""},
	{"android.util.LongSparseLongArray", "mKeys mValues", ""},
	{"android.util.LruCache", "map", ""},
	{"android.util.MapCollections", "mEntrySet mKeySet mValues", ""},
	{"android.util.MapCollections$EntrySet", "this$0", ""},
	{"android.util.MapCollections$KeySet", "this$0", ""},
	{"android.util.MapCollections$ValuesCollection", "this$0", ""},
	{"android.util.SparseArray", "mKeys mValues", ""},
	{"android.util.SparseBooleanArray", "mKeys mValues", ""},
	{"android.util.SparseIntArray", "mKeys mValues", ""},
	{"android.util.SparseLongArray", "mKeys mValues", ""},
	{"androidx.collection.ArrayMap",
	 "mCollections mEntrySet mKeySet mValues", ""},
	{"androidx.collection.ArrayMap$1", "this$0", ""},
	{"androidx.collection.ArrayMap$EntrySet", "this$0", ""},
	{"androidx.collection.ArrayMap$KeySet", "this$0", ""},
	{"androidx.collection.ArrayMap$ValueCollection", "this$0", ""},
	{"androidx.collection.ArraySet",
	 "mArray mHashes array hashes mCollections", ""},
	{"androidx.collection.ArraySet$1", "this$0", ""},
	{"androidx.collection.CircularArray", "mElements elements", ""},
	{"androidx.collection.FloatObjectMap", "metadata keys values", ""},
	{"androidx.collection.IntObjectMap", "metadata keys values", ""},
	{"androidx.collection.LongObjectMap", "metadata keys values", ""},
	{"androidx.collection.LongSparseArray", "mKeys mValues keys values",
	 ""},
	{"androidx.collection.LruCache", "map", ""},
	{"androidx.collection.MapCollections", "mEntrySet mKeySet mValues", ""},
	{"androidx.collection.MapCollections$EntrySet", "this$0", ""},
	{"androidx.collection.MapCollections$KeySet", "this$0", ""},
	{"androidx.collection.MapCollections$ValuesCollection", "this$0", ""},
	{"androidx.collection.ObjectFloatMap", "metadata keys values", ""},
	{"androidx.collection.ObjectIntMap", "metadata keys values", ""},
	{"androidx.collection.ObjectList", "content", ""},
	{"androidx.collection.ObjectLongMap", "metadata keys values", ""},
	{"androidx.collection.OrderedScatterSet", "metadata elements nodes",
	 ""},
	{"androidx.collection.ScatterMap", "metadata keys values", ""},
	{"androidx.collection.ScatterSet", "metadata elements", ""},
	{"androidx.collection.SimpleArrayMap", "mArray mHashes array hashes",
	 ""},
	{"androidx.collection.SparseArrayCompat", "mKeys mValues keys values",
	 ""},
	{"androidx.collection.internal.LruHashMap", "map", ""},
	{"java.lang.ThreadLocal$ThreadLocalMap", "table", ""},
	{"java.lang.ThreadLocal$ThreadLocalMap$Entry", "", "value", true},
	{"java.util.AbstractList$SubAbstractList", "fullList", ""},
	{"java.util.AbstractList$SubList", "root parent this$0 l", ""},
	{"java.util.AbstractMap", "keySet values valuesCollection", ""},
	{"java.util.AbstractMap$1", "this$0", ""},
	{"java.util.AbstractMap$2", "this$0", ""},
	{"java.util.AbstractMap$SimpleEntry", "", "key value"},
	{"java.util.AbstractMap$SimpleImmutableEntry", "", "key value"},
	{"java.util.ArrayDeque", "elements", ""},
	{"java.util.ArrayList", "array elementData", ""},
	{"java.util.ArrayList$SubList", "root parent this$0", ""},
	{"java.util.Arrays$ArrayList", "a", ""},
	{"java.util.Collections$AsLIFOQueue", "q", ""},
	{"java.util.Collections$CheckedCollection", "c", ""},
	{"java.util.Collections$CheckedList", "list", ""},
	{"java.util.Collections$CheckedMap", "m entrySet", ""},
	{"java.util.Collections$CheckedNavigableMap", "nm", ""},
	{"java.util.Collections$CheckedNavigableSet", "ns", ""},
	{"java.util.Collections$CheckedQueue", "queue", ""},
	{"java.util.Collections$CheckedSortedMap", "sm", ""},
	{"java.util.Collections$CheckedSortedSet", "ss", ""},
	{"java.util.Collections$CopiesList", "", "element"},
	{"java.util.Collections$SetFromMap", "m s backingSet", ""},
	{"java.util.Collections$SingletonList", "", "element"},
	{"java.util.Collections$SingletonMap", "", "k v"},
	{"java.util.Collections$SingletonSet", "", "element"},
	{"java.util.Collections$SynchronizedCollection", "c", ""},
	{"java.util.Collections$SynchronizedList", "list", ""},
	{"java.util.Collections$SynchronizedMap", "m keySet entrySet values",
	 ""},
	{"java.util.Collections$SynchronizedNavigableMap", "nm", ""},
	{"java.util.Collections$SynchronizedNavigableSet", "ns", ""},
	{"java.util.Collections$SynchronizedSortedMap", "sm", ""},
	{"java.util.Collections$SynchronizedSortedSet", "ss", ""},
	{"java.util.Collections$UnmodifiableCollection", "c", ""},
	{"java.util.Collections$UnmodifiableList", "list", ""},
	{"java.util.Collections$UnmodifiableMap", "m keySet entrySet values",
	 ""},
	{"java.util.Collections$UnmodifiableNavigableMap", "nm", ""},
	{"java.util.Collections$UnmodifiableNavigableSet", "ns", ""},
	{"java.util.Collections$UnmodifiableSortedMap", "sm", ""},
	{"java.util.Collections$UnmodifiableSortedSet", "ss", ""},
	{"java.util.EnumMap",
	 "vals keyUniverse keys values hasMapping entrySet", ""},
	{"java.util.EnumMap$EntrySet", "this$0", ""},
	{"java.util.EnumMap$KeySet", "this$0", ""},
	{"java.util.EnumMap$Values", "this$0", ""},
	{"java.util.HashMap",
	 "table entrySet keySet values entryForNullKey elementData", ""},
	{"java.util.HashMap$Entry", "next", "key value", true},
	{"java.util.HashMap$EntrySet", "this$0", ""},
	{"java.util.HashMap$HashMapEntry", "next", "key value", true},
	{"java.util.HashMap$KeySet", "this$0", ""},
	{"java.util.HashMap$Node", "next", "key value", true},
	{"java.util.HashMap$TreeNode", "parent left right prev", "", true},
	{"java.util.HashMap$Values", "this$0", ""},
	{"java.util.HashSet", "map backingMap", ""},
	{"java.util.Hashtable", "table entrySet keySet values elementData", ""},
	{"java.util.Hashtable$Entry", "next", "key value", true},
	{"java.util.Hashtable$EntrySet", "this$0", ""},
	{"java.util.Hashtable$HashtableEntry", "next", "key value", true},
	{"java.util.Hashtable$KeySet", "this$0", ""},
	{"java.util.Hashtable$ValueCollection", "this$0", ""},
	{"java.util.Hashtable$Values", "this$0", ""},
	{"java.util.IdentityHashMap",
	 "table elementData entrySet keySet values", ""},
	{"java.util.IdentityHashMap$EntrySet", "this$0", ""},
	{"java.util.IdentityHashMap$KeySet", "this$0", ""},
	{"java.util.IdentityHashMap$Values", "this$0", ""},
	{"java.util.ImmutableCollections$List1", "", "e0"},
	{"java.util.ImmutableCollections$List12", "", "e0 e1"},
	{"java.util.ImmutableCollections$List2", "", "e0 e1"},
	{"java.util.ImmutableCollections$ListN", "elements", ""},
	{"java.util.ImmutableCollections$Map1", "", "k0 v0"},
	{"java.util.ImmutableCollections$MapN", "table", ""},
	{"java.util.ImmutableCollections$Set1", "", "e0"},
	{"java.util.ImmutableCollections$Set12", "", "e0 e1"},
	{"java.util.ImmutableCollections$Set2", "", "e0 e1"},
	{"java.util.ImmutableCollections$SetN", "elements", ""},
	{"java.util.ImmutableCollections$SubList", "root", ""},
	{"java.util.KeyValueHolder", "", "key value"},
	{"java.util.LinkedHashMap", "head header tail", ""},
	{"java.util.LinkedHashMap$Entry", "before after", "", true},
	{"java.util.LinkedHashMap$LinkedEntry", "nxt prv", "", true},
	{"java.util.LinkedHashMap$LinkedEntrySet", "this$0", ""},
	{"java.util.LinkedHashMap$LinkedHashMapEntry", "before after", "",
	 true},
	{"java.util.LinkedHashMap$LinkedKeySet", "this$0", ""},
	{"java.util.LinkedHashMap$LinkedValues", "this$0", ""},
	{"java.util.LinkedHashMap$ReversedLinkedHashMapView", "base", ""},
	{"java.util.LinkedList", "first header last voidLink", ""},
	{"java.util.LinkedList$Entry", "next previous", "element", true},
	{"java.util.LinkedList$Link", "next previous", "data", true},
	{"java.util.LinkedList$Node", "next prev", "item", true},
	{"java.util.PriorityQueue", "queue elements", ""},
	{"java.util.Properties", "map", ""},
	{"java.util.ReverseOrderDequeView", "base", ""},
	{"java.util.ReverseOrderListView", "base", ""},
	{"java.util.ReverseOrderSortedMapView", "base", ""},
	{"java.util.ReverseOrderSortedSetView", "base", ""},
	{"java.util.SubList", "l", ""},
	{"java.util.TreeMap",
	 "root entrySet navigableKeySet descendingMap keySet values", ""},
	{"java.util.TreeMap$AscendingSubMap$AscendingEntrySetView", "this$0",
	 ""},
	{"java.util.TreeMap$BoundedMap", "this$0 entrySet keySet", ""},
	{"java.util.TreeMap$DescendingSubMap$DescendingEntrySetView", "this$0",
	 ""},
	{"java.util.TreeMap$Entry", "left right parent", "key value", true},
	{"java.util.TreeMap$EntrySet", "this$0", ""},
	{"java.util.TreeMap$KeySet", "this$0 m", ""},
	{"java.util.TreeMap$NavigableSubMap",
	 "m descendingMapView entrySetView navigableKeySetView", ""},
	{"java.util.TreeMap$NavigableSubMap$EntrySetView", "this$0", ""},
	{"java.util.TreeMap$Node", "left right parent", "key value", true},
	{"java.util.TreeMap$TreeMapEntry", "left right parent", "key value",
	 true},
	{"java.util.TreeMap$Values", "this$0", ""},
	{"java.util.TreeSet", "m backingMap", ""},
	{"java.util.Vector", "elementData", ""},
	{"java.util.WeakHashMap", "table elementData entrySet", ""},
	{"java.util.WeakHashMap$Entry", "next", "value", true},
	{"java.util.WeakHashMap$EntrySet", "this$0", ""},
	{"java.util.WeakHashMap$KeySet", "this$0", ""},
	{"java.util.WeakHashMap$Values", "this$0", ""},
	{"java.util.concurrent.ArrayBlockingQueue", "items", ""},
	{"java.util.concurrent.ConcurrentHashMap",
	 "table nextTable segments keySet values entrySet", ""},
	{"java.util.concurrent.ConcurrentHashMap$CollectionView", "map", ""},
	{"java.util.concurrent.ConcurrentHashMap$EntrySet", "this$0", ""},
	{"java.util.concurrent.ConcurrentHashMap$ForwardingNode", "nextTable",
	 "", true},
	{"java.util.concurrent.ConcurrentHashMap$HashEntry", "next",
	 "key value", true},
	{"java.util.concurrent.ConcurrentHashMap$KeySet", "this$0", ""},
	{"java.util.concurrent.ConcurrentHashMap$Node", "next", "key val",
	 true},
	{"java.util.concurrent.ConcurrentHashMap$Segment", "table", "", true},
	{"java.util.concurrent.ConcurrentHashMap$TreeBin", "root first", "",
	 true},
	{"java.util.concurrent.ConcurrentHashMap$TreeNode",
	 "parent left right prev", "", true},
	{"java.util.concurrent.ConcurrentHashMap$Values", "this$0", ""},
	{"java.util.concurrent.ConcurrentLinkedDeque", "head tail", ""},
	{"java.util.concurrent.ConcurrentLinkedDeque$Node", "next prev", "item",
	 true},
	{"java.util.concurrent.ConcurrentLinkedQueue", "head tail", ""},
	{"java.util.concurrent.ConcurrentLinkedQueue$Node", "next", "item",
	 true},
	{"java.util.concurrent.ConcurrentSkipListMap",
	 "head keySet entrySet values descendingMap keySetView valuesView "
	 "entrySetView descendingMapView",
	 ""},
	{"java.util.concurrent.ConcurrentSkipListMap$EntrySet", "m", ""},
	{"java.util.concurrent.ConcurrentSkipListMap$HeadIndex", "", "", true},
	{"java.util.concurrent.ConcurrentSkipListMap$Index", "node down right",
	 "", true},
	{"java.util.concurrent.ConcurrentSkipListMap$KeySet", "m", ""},
	{"java.util.concurrent.ConcurrentSkipListMap$Node", "next",
	 "key val value", true},
	{"java.util.concurrent.ConcurrentSkipListMap$SubMap",
	 "m keySetView valuesView entrySetView keySet values entrySet", ""},
	{"java.util.concurrent.ConcurrentSkipListMap$Values", "m", ""},
	{"java.util.concurrent.ConcurrentSkipListSet", "m", ""},
	{"java.util.concurrent.CopyOnWriteArrayList", "array elements", ""},
	{"java.util.concurrent.CopyOnWriteArrayList$COWSubList", "l this$0",
	 ""},
	{"java.util.concurrent.CopyOnWriteArraySet", "al", ""},
	{"java.util.concurrent.DelayQueue", "q", ""},
	{"java.util.concurrent.LinkedBlockingDeque", "first last", ""},
	{"java.util.concurrent.LinkedBlockingDeque$Node", "next prev", "item",
	 true},
	{"java.util.concurrent.LinkedBlockingQueue", "head last", ""},
	{"java.util.concurrent.LinkedBlockingQueue$Node", "next", "item", true},
	{"java.util.concurrent.LinkedTransferQueue", "head tail", ""},
	{"java.util.concurrent.LinkedTransferQueue$DualNode", "next", "item",
	 true},
	{"java.util.concurrent.LinkedTransferQueue$Node", "next", "item", true},
	{"java.util.concurrent.PriorityBlockingQueue", "queue q", ""},
	{"java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue",
	 "queue dq", ""},
	{"kotlin.collections.AbstractList$SubList", "list", ""},
	{"kotlin.collections.AbstractMap", "_keys _values", ""},
	{"kotlin.collections.ArrayAsCollection", "values", ""},
	{"kotlin.collections.ArrayDeque", "elementData", ""},
	{"kotlin.collections.ReversedList", "delegate", ""},
	{"kotlin.collections.ReversedListReadOnly", "delegate", ""},
	{"kotlin.collections.builders.ListBuilder",
	 "array backing root parent backingList", ""},
	{"kotlin.collections.builders.ListBuilder$BuilderSubList",
	 "backing root parent", ""},
	{"kotlin.collections.builders.MapBuilder",
	 "keysArray valuesArray keysView valuesView entriesView presenceArray "
	 "hashArray",
	 ""},
	{"kotlin.collections.builders.MapBuilderEntries", "backing", ""},
	{"kotlin.collections.builders.MapBuilderKeys", "backing", ""},
	{"kotlin.collections.builders.MapBuilderValues", "backing", ""},
	{"kotlin.collections.builders.SetBuilder", "backing", ""},
};

/*
 * The class name to search for in the table of collection classes: the first
 * `len` bytes of `name`.
 */
struct wanted {
	const char *name;
	size_t len;
};

static int
by_class(const void *key, const void *entry)
{
	const struct wanted *w = key;
	const char *name = ((const struct entry *)entry)->class_name;
	int c = strncmp(w->name, name, w->len);

	return c ? c : -(name[w->len] != 0);
}

static const struct entry *
find_class(const char *name, size_t len)
{
	const struct wanted w = {name, len};

	return bsearch(&w, table, HP_ARRAY_LEN(table), sizeof(*table),
		       by_class);
}

static bool
has_word(const char *words, const char *word, size_t len)
{
	size_t n;

	for (; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (n == len && memcmp(words, word, n) == 0)
			return true;
	}
	return false;
}

enum hp_field_role
hp_collection_field(const char *class_name, const char *field, size_t len)
{
	const struct entry *e = find_class(class_name, strlen(class_name));

	if (!e)
		return HP_FIELD_PLAIN;
	if (has_word(e->inside, field, len))
		return HP_FIELD_INSIDE;
	return has_word(e->element, field, len) ? HP_FIELD_ELEMENT
						: HP_FIELD_PLAIN;
}

bool
hp_is_collection_inside(const char *name)
{
	size_t n = strlen(name);
	const struct entry *e;

	/*
	 * an Object[] counts as an internal part, because collections store
	 * their elements in such arrays; but an object of the class Object may
	 * be an element
	 */
	if (strcmp(name, "java.lang.Object[]") == 0)
		return true;
	if (n > 2 && strcmp(name + n - 2, "[]") == 0)
		n -= 2;
	e = find_class(name, n);
	return e && e->is_inside;
}

bool
hp_is_collection(const char *name)
{
	const struct entry *e = find_class(name, strlen(name));

	return e && !e->is_inside;
}

bool
hp_has_elements(const char *name)
{
	const struct entry *e = find_class(name, strlen(name));

	return e && e->is_inside && e->element[0];
}
