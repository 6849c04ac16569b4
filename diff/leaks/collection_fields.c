/*
 * collection_fields.c - a table of classes with their fields, sorted by class
 */
#include "diff/leaks/collection_fields.h"

#include "common/base/status.h"

#include <stdlib.h>
#include <string.h>

/* Fields in lists of words. */
struct entry {
	const char *class_name, *inside, *element;
};

static const struct entry table[] = {
	{"android.util.ArrayMap", "mArray mHashes mCollections", ""},
	{"android.util.ArraySet", "mArray mHashes mCollections", ""},
	{"android.util.LongSparseArray", "mKeys mValues", ""},
	{"android.util.LruCache", "map", ""},
	{"android.util.SparseArray", "mKeys mValues", ""},
	{"android.util.SparseIntArray", "mKeys mValues", ""},
	{"androidx.collection.ArraySet", "mArray mHashes array hashes", ""},
	{"androidx.collection.LongSparseArray", "mKeys mValues keys values",
	 ""},
	{"androidx.collection.LruCache", "map", ""},
	{"androidx.collection.SimpleArrayMap", "mArray mHashes array hashes",
	 ""},
	{"androidx.collection.SparseArrayCompat", "mKeys mValues keys values",
	 ""},
	{"java.util.AbstractList$SubList", "root parent this$0 l", ""},
	{"java.util.AbstractMap", "keySet values", ""},
	{"java.util.AbstractMap$SimpleEntry", "", "key value"},
	{"java.util.AbstractMap$SimpleImmutableEntry", "", "key value"},
	{"java.util.ArrayDeque", "elements", ""},
	{"java.util.ArrayList", "array elementData", ""},
	{"java.util.ArrayList$SubList", "root parent this$0", ""},
	{"java.util.Arrays$ArrayList", "a", ""},
	{"java.util.Collections$CheckedCollection", "c", ""},
	{"java.util.Collections$CheckedList", "list", ""},
	{"java.util.Collections$CheckedMap", "m", ""},
	{"java.util.Collections$SetFromMap", "m s", ""},
	{"java.util.Collections$SingletonList", "", "element"},
	{"java.util.Collections$SingletonMap", "", "k v"},
	{"java.util.Collections$SingletonSet", "", "element"},
	{"java.util.Collections$SynchronizedCollection", "c", ""},
	{"java.util.Collections$SynchronizedList", "list", ""},
	{"java.util.Collections$SynchronizedMap", "m keySet entrySet values",
	 ""},
	{"java.util.Collections$SynchronizedNavigableMap", "nm", ""},
	{"java.util.Collections$SynchronizedSortedMap", "sm", ""},
	{"java.util.Collections$SynchronizedSortedSet", "ss", ""},
	{"java.util.Collections$UnmodifiableCollection", "c", ""},
	{"java.util.Collections$UnmodifiableList", "list", ""},
	{"java.util.Collections$UnmodifiableMap", "m keySet entrySet values",
	 ""},
	{"java.util.Collections$UnmodifiableSortedMap", "sm", ""},
	{"java.util.Collections$UnmodifiableSortedSet", "ss", ""},
	{"java.util.EnumMap", "vals keyUniverse", ""},
	{"java.util.HashMap", "table entrySet", ""},
	{"java.util.HashMap$Entry", "next", "key value"},
	{"java.util.HashMap$EntrySet", "this$0", ""},
	{"java.util.HashMap$HashMapEntry", "next", "key value"},
	{"java.util.HashMap$KeySet", "this$0", ""},
	{"java.util.HashMap$Node", "next", "key value"},
	{"java.util.HashMap$TreeNode", "parent left right prev", ""},
	{"java.util.HashMap$Values", "this$0", ""},
	{"java.util.HashSet", "map backingMap", ""},
	{"java.util.Hashtable", "table entrySet keySet values", ""},
	{"java.util.Hashtable$Entry", "next", "key value"},
	{"java.util.Hashtable$HashtableEntry", "next", "key value"},
	{"java.util.IdentityHashMap", "table elementData entrySet", ""},
	{"java.util.ImmutableCollections$List12", "", "e0 e1"},
	{"java.util.ImmutableCollections$ListN", "elements", ""},
	{"java.util.ImmutableCollections$Map1", "", "k0 v0"},
	{"java.util.ImmutableCollections$MapN", "table", ""},
	{"java.util.ImmutableCollections$Set12", "", "e0 e1"},
	{"java.util.ImmutableCollections$SetN", "elements", ""},
	{"java.util.ImmutableCollections$SubList", "root", ""},
	{"java.util.LinkedHashMap", "head header tail", ""},
	{"java.util.LinkedHashMap$Entry", "before after", ""},
	{"java.util.LinkedHashMap$LinkedEntry", "nxt prv", ""},
	{"java.util.LinkedHashMap$LinkedHashMapEntry", "before after", ""},
	{"java.util.LinkedList", "first header last voidLink", ""},
	{"java.util.LinkedList$Entry", "next previous", "element"},
	{"java.util.LinkedList$Link", "next previous", "data"},
	{"java.util.LinkedList$Node", "next prev", "item"},
	{"java.util.PriorityQueue", "queue elements", ""},
	{"java.util.Properties", "map", ""},
	{"java.util.TreeMap", "root entrySet navigableKeySet descendingMap",
	 ""},
	{"java.util.TreeMap$Entry", "left right parent", "key value"},
	{"java.util.TreeMap$NavigableSubMap", "m", ""},
	{"java.util.TreeMap$Node", "left right parent", "key value"},
	{"java.util.TreeMap$TreeMapEntry", "left right parent", "key value"},
	{"java.util.TreeSet", "m backingMap", ""},
	{"java.util.Vector", "elementData", ""},
	{"java.util.WeakHashMap", "table elementData entrySet", ""},
	{"java.util.WeakHashMap$Entry", "next", "value"},
	{"java.util.concurrent.ArrayBlockingQueue", "items", ""},
	{"java.util.concurrent.ConcurrentHashMap",
	 "table nextTable segments keySet values entrySet", ""},
	{"java.util.concurrent.ConcurrentHashMap$CollectionView", "map", ""},
	{"java.util.concurrent.ConcurrentHashMap$ForwardingNode", "nextTable",
	 ""},
	{"java.util.concurrent.ConcurrentHashMap$HashEntry", "next",
	 "key value"},
	{"java.util.concurrent.ConcurrentHashMap$Node", "next", "key val"},
	{"java.util.concurrent.ConcurrentHashMap$Segment", "table", ""},
	{"java.util.concurrent.ConcurrentHashMap$TreeBin", "root first", ""},
	{"java.util.concurrent.ConcurrentHashMap$TreeNode",
	 "parent left right prev", ""},
	{"java.util.concurrent.ConcurrentLinkedDeque", "head tail", ""},
	{"java.util.concurrent.ConcurrentLinkedDeque$Node", "next prev",
	 "item"},
	{"java.util.concurrent.ConcurrentLinkedQueue", "head tail", ""},
	{"java.util.concurrent.ConcurrentLinkedQueue$Node", "next", "item"},
	{"java.util.concurrent.ConcurrentSkipListMap",
	 "head keySet entrySet values descendingMap", ""},
	{"java.util.concurrent.ConcurrentSkipListMap$Index", "node down right",
	 ""},
	{"java.util.concurrent.ConcurrentSkipListMap$Node", "next",
	 "key val value"},
	{"java.util.concurrent.ConcurrentSkipListSet", "m", ""},
	{"java.util.concurrent.CopyOnWriteArrayList", "array elements", ""},
	{"java.util.concurrent.CopyOnWriteArraySet", "al", ""},
	{"java.util.concurrent.DelayQueue", "q", ""},
	{"java.util.concurrent.LinkedBlockingDeque", "first last", ""},
	{"java.util.concurrent.LinkedBlockingDeque$Node", "next prev", "item"},
	{"java.util.concurrent.LinkedBlockingQueue", "head last", ""},
	{"java.util.concurrent.LinkedBlockingQueue$Node", "next", "item"},
	{"java.util.concurrent.LinkedTransferQueue", "head tail", ""},
	{"java.util.concurrent.LinkedTransferQueue$Node", "next", "item"},
	{"java.util.concurrent.PriorityBlockingQueue", "queue q", ""},
	{"kotlin.collections.ArrayDeque", "elementData", ""},
	{"kotlin.collections.builders.ListBuilder",
	 "array backing root parent backingList", ""},
	{"kotlin.collections.builders.MapBuilder",
	 "keysArray valuesArray keysView valuesView entriesView presenceArray "
	 "hashArray",
	 ""},
	{"kotlin.collections.builders.MapBuilderEntries", "backing", ""},
	{"kotlin.collections.builders.MapBuilderKeys", "backing", ""},
	{"kotlin.collections.builders.MapBuilderValues", "backing", ""},
	{"kotlin.collections.builders.SetBuilder", "backing", ""},
};

static int
by_class(const void *key, const void *entry)
{
	return strcmp(key, ((const struct entry *)entry)->class_name);
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
	const struct entry *e = bsearch(class_name, table, HP_ARRAY_LEN(table),
					sizeof(*table), by_class);

	if (!e)
		return HP_FIELD_PLAIN;
	if (has_word(e->inside, field, len))
		return HP_FIELD_INSIDE;
	return has_word(e->element, field, len) ? HP_FIELD_ELEMENT
						: HP_FIELD_PLAIN;
}
