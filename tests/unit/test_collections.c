/*
 * test_collections.c - tests of the table of collection classes of the JDK,
 * Android and Kotlin, and of their fields
 */
#include "diff/leaks/merged_tree.h"

#include <check.h>
#include <string.h>

/*
 * For each class: the names of the fields that refer to internal objects of the
 * collection, and of the fields that refer to an element.
 */
static const struct {
	const char *class_name, *inside, *element;
} known[] = {
	{"java.util.HashMap", "table entrySet", ""},
	{"java.util.HashMap$Node", "next", "key value"},
	{"java.util.HashMap$TreeNode", "left right parent prev", ""},
	{"java.util.LinkedHashMap", "head tail", ""},
	{"java.util.LinkedHashMap$Entry", "before after", ""},
	{"java.util.LinkedHashMap$LinkedKeySet", "this$0", ""},
	{"java.util.HashSet", "map", ""},
	{"java.util.Hashtable", "table", ""},
	{"java.util.Hashtable$ValueCollection", "this$0", ""},
	{"java.util.Properties", "map", ""},
	{"java.util.WeakHashMap", "table", ""},
	{"java.util.WeakHashMap$KeySet", "this$0", ""},
	{"java.util.concurrent.ConcurrentHashMap", "table nextTable segments",
	 ""},
	{"java.util.concurrent.ConcurrentHashMap$Segment", "table", ""},
	{"java.util.concurrent.ConcurrentHashMap$HashEntry", "next",
	 "key value"},
	{"java.util.concurrent.ConcurrentHashMap$Node", "next", "key val"},
	{"java.util.concurrent.ConcurrentHashMap$TreeBin", "root first", ""},
	{"java.util.concurrent.ConcurrentHashMap$ForwardingNode", "nextTable",
	 ""},
	{"java.util.concurrent.ConcurrentHashMap$CollectionView", "map", ""},
	{"java.util.TreeMap", "root", ""},
	{"java.util.TreeMap$Entry", "left right parent", "key value"},
	{"java.util.TreeMap$KeySet", "m", ""},
	{"java.util.TreeMap$Values", "this$0", ""},
	{"java.util.TreeSet", "m", ""},
	{"java.util.concurrent.ConcurrentSkipListMap", "head", ""},
	{"java.util.concurrent.ConcurrentSkipListMap$KeySet", "m", ""},
	{"java.util.concurrent.ConcurrentSkipListMap$Index", "node down right",
	 ""},
	{"java.util.concurrent.ConcurrentSkipListMap$Node", "next", "key val"},
	{"java.util.ArrayList", "elementData", ""},
	{"java.util.SubList", "l", ""},
	{"java.util.Vector", "elementData", ""},
	{"java.util.ArrayDeque", "elements", ""},
	{"java.util.PriorityQueue", "queue", ""},
	{"java.util.LinkedList", "first last header", ""},
	{"java.util.LinkedList$Node", "next prev", "item"},
	{"java.util.concurrent.LinkedBlockingQueue", "head last", ""},
	{"java.util.concurrent.ConcurrentLinkedQueue", "head tail", ""},
	{"java.util.concurrent.LinkedTransferQueue", "head tail", ""},
	{"java.util.concurrent.LinkedTransferQueue$DualNode", "next", "item"},
	{"java.util.concurrent.ArrayBlockingQueue", "items", ""},
	{"java.util.concurrent.CopyOnWriteArrayList", "array", ""},
	{"java.util.IdentityHashMap", "table", ""},
	{"java.util.EnumMap", "vals", ""},
	{"java.util.ImmutableCollections$List12", "", "e0 e1"},
	{"java.util.ImmutableCollections$ListN", "elements", ""},
	{"java.util.ImmutableCollections$Map1", "", "k0 v0"},
	{"java.util.ImmutableCollections$MapN", "table", ""},
	{"java.util.KeyValueHolder", "", "key value"},
	{"java.util.Collections$UnmodifiableCollection", "c", ""},
	{"java.util.Collections$SynchronizedMap", "m", ""},
	{"java.util.Collections$AsLIFOQueue", "q", ""},
	{"java.util.Collections$CopiesList", "", "element"},
	{"java.util.Arrays$ArrayList", "a", ""},
	/*
	 * the HashMap of old Android versions, which did not use the
	 * implementation of the JDK
	 */
	{"java.util.HashMap", "entryForNullKey keySet values", ""},
	{"java.util.HashMap$HashMapEntry", "next", "key value"},
	{"java.util.Hashtable$HashtableEntry", "next", "key value"},
	{"java.util.LinkedHashMap$LinkedEntry", "nxt prv", ""},
	{"java.util.LinkedList$Link", "next previous", "data"},
	{"java.util.ArrayList", "array", ""},
	{"java.util.HashSet", "backingMap", ""},
	{"android.util.ArrayMap", "mArray mHashes", ""},
	{"android.util.ArraySet", "mArray mHashes", ""},
	{"android.util.SparseArray", "mKeys mValues", ""},
	{"android.util.LongSparseLongArray", "mKeys mValues", ""},
	{"android.support.v4.util.SimpleArrayMap", "mArray mHashes", ""},
	{"androidx.collection.SimpleArrayMap", "mArray array hashes", ""},
	{"androidx.collection.SparseArrayCompat", "mValues values", ""},
	{"androidx.collection.ScatterMap", "metadata keys values", ""},
	{"androidx.collection.ScatterSet", "elements", ""},
	{"androidx.collection.ObjectList", "content", ""},
	{"androidx.collection.IntObjectMap", "keys values", ""},
	{"kotlin.collections.ArrayDeque", "elementData", ""},
	{"kotlin.collections.builders.ListBuilder", "array backing", ""},
	{"kotlin.collections.builders.ListBuilder$BuilderSubList",
	 "backing root parent", ""},
	{"kotlin.collections.builders.MapBuilder", "keysArray valuesArray", ""},
	{"kotlin.collections.builders.SetBuilder", "backing", ""},
	/* the table has no fields of these classes */
	{"java.util.WeakHashMap", "", ""},
	{"com.acme.HashMap", "", ""},
};

static void
check_words(const char *class_name, const char *words, enum hp_field_role role)
{
	size_t n;

	for (; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		ck_assert_msg(hp_collection_field(class_name, words, n) == role,
			      "%s.%.*s", class_name, (int)n, words);
	}
}

START_TEST(fields)
{
	check_words(known[_i].class_name, known[_i].inside, HP_FIELD_INSIDE);
	check_words(known[_i].class_name, known[_i].element, HP_FIELD_ELEMENT);
	check_words(known[_i].class_name, "queue2 nex x", HP_FIELD_PLAIN);
}
END_TEST

START_TEST(entries)
{
	static const char *const names[] = {
		"java.util.HashMap$Node",
		"java.util.HashMap$Entry",
		"java.util.HashMap$HashMapEntry",
		"java.util.HashMap$TreeNode",
		"java.util.LinkedHashMap$Entry",
		"java.util.LinkedHashMap$LinkedEntry",
		"java.util.Hashtable$Entry",
		"java.util.Hashtable$HashtableEntry",
		"java.util.WeakHashMap$Entry",
		"java.util.concurrent.ConcurrentHashMap$Segment",
		"java.util.concurrent.ConcurrentHashMap$HashEntry",
		"java.util.concurrent.ConcurrentHashMap$Node",
		"java.util.concurrent.ConcurrentHashMap$TreeBin",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_msg(hp_is_collection_inside(names[i]), "%s",
			      names[i]);
	ck_assert(hp_is_collection_inside("java.lang.Object[]"));
	ck_assert(!hp_is_collection_inside("java.lang.Object"));
	ck_assert(!hp_is_collection_inside("java.util.HashMap"));
	ck_assert(!hp_is_collection_inside("[]"));
}
END_TEST

Suite *test_collections_suite(void);

Suite *
test_collections_suite(void)
{
	Suite *s = suite_create("collections");
	TCase *t = tcase_create("collections");

	tcase_add_loop_test(t, fields, 0,
			    (int)(sizeof(known) / sizeof(*known)));
	tcase_add_test(t, entries);
	suite_add_tcase(s, t);
	return s;
}
