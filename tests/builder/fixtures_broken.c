/*
 * fixtures_broken.c - test dumps, each of which is damaged in exactly one place
 *
 * hprof-validate must report the damage at the offset that the builder has
 * marked with the name "damage".
 */
#include "tests/builder/fixtures.h"
#include "tests/builder/internal.h"

/*
 * The values of the argument of build functions. A build function can build
 * several dumps; its argument selects one of them.
 */
enum {
	HEADER_SHORT,
	RECORD_HEADER,
	STRING,
	CLASS,
	INSTANCE,
	ARRAY,
	TRACE,
	LAST_BYTE,
	CUT_OBJECTS
};

static void
damage(struct b *b, size_t at)
{
	b_mark(b, "damage", at);
}

static void
begin(struct b *b)
{
	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
}

static void
hotspot(struct b *b)
{
	begin(b);
	b_world_end(b);
}

/* --- files that are not dumps -------------------------------------------- */

static void
nothing(struct b *b, int arg)
{
	damage(b, 0);
}

static void
no_dump(struct b *b, int arg)
{
	static const char text[] = "This is a text and no heap dump.\n";
	static const char elf[] = "\x7F"
				  "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0>\0";
	static const char seven[] = "7z\274\257\47\34\0\4dump.hprof";
	static const char phd[] = "\0\22portable heap dump\0\0\0\6\0";

	damage(b, 0);
	if (arg == 0)
		b_bytes(b, text, sizeof text - 1);
	else if (arg == 1)
		b_bytes(b, elf, sizeof elf);
	else if (arg == 2)
		b_bytes(b, seven, sizeof seven);
	else
		b_bytes(b, phd, sizeof phd);
}

enum { TEXT_MODE, UTF8_LOSSY, UTF8, UTF16 };

/*
 * Build a dump of HotSpot that was changed by a transfer to another machine,
 * for example by a conversion of line ends.
 */
static void
transferred(struct b *b, int how)
{
	hotspot(b);
	if (how == TEXT_MODE)
		b_text_mode(b);
	else if (how == UTF16)
		b_as_utf16(b);
	else
		b_as_utf8(b, how == UTF8_LOSSY);
	damage(b, 0);
}

static void
bad_header(struct b *b, int arg)
{
	static const char *const versions[] = {"JAVA PROFILE 9.9.9",
					       "JAVA PROFILE 1.0.2",
					       "JAVA PROFILE 1.0.2"};

	damage(b, 0);
	b_header(b, versions[arg], 1700000000000u);
	if (arg == 1)
		b_patch_u4(b, 19, 2);
	if (arg == 2)
		damage(b, b->len);
	else
		b_string(b, 1, "x");
}

/*
 * Build a dump whose version string has no NUL at its end. The first NUL in the
 * file comes much later.
 */
static void
endless_version(struct b *b, int arg)
{
	damage(b, 0);
	b_bytes(b, "JAVA PROFILE 1.0.2", 18);
	for (int i = 0; i < 100; i++)
		b_u1(b, '7');
}

/* --- truncated dumps ----------------------------------------------------- */

static void
cut(struct b *b, int where)
{
	size_t heap, at = 0;

	b_world_tables(b, B_HOTSPOT);
	if (where == STRING) {
		at = b_string(b, 77, "a string that is cut");
		b_cut(b, 5);
	} else if (where == TRACE) {
		at = b_trace(b, 9, 1, 2, (uint64_t[]){1, 2});
		b_cut(b, 3);
	}
	damage(b, at);
	if (at)
		return;
	b_world_heap(b);
	heap = b->record;
	damage(b, heap);
	at = where == CLASS	 ? b_at(b, "first-class") + 30
	     : where == INSTANCE ? b_at(b, "first-object") + 12
	     : where == ARRAY	 ? b->len
				 : 0;
	if (where == ARRAY)
		b_byte_array(b, b_object_id(b, B_O_FREE), "0123456789", 10);
	b_world_end(b);
	if (at)
		b_cut_at(b, where == ARRAY ? at + 22 : at);
	else if (where == LAST_BYTE)
		/* removes the HEAP DUMP END record and one byte of the heap */
		b_cut_at(b, b->len - 10);
	else if (where == RECORD_HEADER) {
		damage(b, b->len - 9);
		b_cut(b, 4);
	} else
		b_cut_at(b, 24);
	if (where == HEADER_SHORT)
		damage(b, 0);
}

/* --- wrong lengths ------------------------------------------------------- */

static void
wrong_length(struct b *b, int arg)
{
	size_t at;

	b_world_tables(b, B_HOTSPOT);
	at = b_here(b);
	damage(b, at);
	if (arg == B_LOAD_CLASS) {
		b_load_class(b, 90, b_class_id(b, 90), 1, b_intern(b, "main"));
		b_u1(b, 0);
		b_set_length(b, at, b_length(b, at) + 1);
	} else if (arg == B_STACK_TRACE) {
		b_trace(b, 90, 0, 2, (uint64_t[]){1, 2});
		b_patch_u4(b, at + 9 + 8, 3);
	} else {
		b_record(b, B_STRING, "ab", 2);
	}
	b_world_heap(b);
	b_world_end(b);
}

static void
end_nonzero(struct b *b, int arg)
{
	hotspot(b);
	damage(b, b->len - 9);
	b_set_length(b, b->len - 9, 4);
	b_zeros(b, 4);
}

static void
trace_claims(struct b *b, int arg)
{
	size_t at;

	b_world_tables(b, B_HOTSPOT);
	at = b_trace(b, 90, 0, 2, (uint64_t[]){1, 2});
	b_patch_u4(b, at + 9 + 8, 0x40000000);
	damage(b, at);
	b_world_heap(b);
	b_world_end(b);
}

static void
sites_claim(struct b *b, int arg)
{
	struct b_totals t = {0, 0, 0, 0};

	b_world_tables(b, B_AGENT);
	damage(b, b_alloc_sites(b, 0, 0, &t, 0, NULL));
	b_patch_u4(b, b->len - 4, 0xFFFFFFFF);
	b_world_heap(b);
	b_world_end(b);
}

static void
array_claims(struct b *b, int type)
{
	uint64_t id = b_object_id(b, B_O_FREE);

	begin(b);
	if (type == B_OBJECT) {
		damage(b, b_object_array(b, id, b_class_id(b, B_C_OBJECTS), 4,
					 NULL));
		b_patch_u4(b,
			   b_at(b, "damage") + 5 + (b->id_size == 4 ? 4u : 8u),
			   0xFFFFFFFF);
	} else
		damage(b,
		       b_array_claiming(b, id, (unsigned)type, 0xFFFFFFFF, 40));
	b_world_end(b);
}

/*
 * Build a dump with an array without data, as Android writes it. The number in
 * the length field of the array is too large, but no other part of the dump
 * shows this.
 */
static void
nodata_claims(struct b *b, int arg)
{
	b_world_tables(b, B_ART);
	b_world_heap(b);
	damage(b, b_primitive_array_nodata(b, b_object_id(b, B_O_FREE), B_BYTE,
					   0xFFFFFFFF));
	b_world_end(b);
}

/*
 * Build an Android dump whose writer has left out the contents of primitive
 * arrays: the segments contain only the fixed fields of these arrays. If
 * @counted is true, the length fields of the segments still include the missing
 * elements, as in dumps of the tool KOOM. The next segment begins directly
 * after the last array of a segment.
 */
static void
cropped(struct b *b, int counted)
{
	static const unsigned types[] = {B_BYTE, B_CHAR, B_LONG, B_INT};
	static const unsigned sizes[] = {1, 2, 8, 4};
	enum { SEGMENTS = 6, EACH = 9 };
	uint64_t id = b_object_id(b, B_O_FREE);
	uint32_t missing[SEGMENTS] = {0};
	size_t segments[SEGMENTS];

	b_world_tables(b, B_ART);
	b_world_heap(b);
	for (unsigned i = 0; i < SEGMENTS; i++) {
		b_close(b);
		segments[i] = b_segment(b);
		for (unsigned k = 0; k < EACH; k++, id += 64) {
			/*
			 * with these lengths, the first segment ends after the
			 * third byte of an id
			 */
			uint32_t n = i == 0 && k == 0 ? 40 : 14 + 7 * k + i;
			unsigned t = k % 4;

			b_array_claiming(b, id, types[t], n, 0);
			missing[i] += n * sizes[t];
			if (i == 0 && k == 0)
				damage(b, b->len + n);
			if (k % 3 == 1)
				b_instance_zero(b, id + 32,
						b_class_id(b, B_C_ORDER));
		}
	}
	b_world_end(b);
	for (unsigned i = 0; counted && i < SEGMENTS; i++)
		b_set_length(b, segments[i],
			     b_length(b, segments[i]) + missing[i]);
}

static void
class_claims(struct b *b, int arg)
{
	size_t at;

	begin(b);
	at = b_class(b, &(struct b_class){.id = b_class_id(b, 90),
					  .super = b_class_id(b, B_C_OBJECT)});
	b_class_end(b);
	/* write an invalid number of instance fields */
	b_patch_u2(b, b->len - 2, 0xFFFF);
	damage(b, at);
	b_world_end(b);
}

static void
instance_claims(struct b *b, int arg)
{
	size_t at;

	begin(b);
	at = b_instance_zero(b, b_object_id(b, B_O_FREE),
			     b_class_id(b, B_C_ORDER));
	b_patch_u4(b, at + 5 + 2 * (b->id_size == 4 ? 4u : 8u), (uint32_t)arg);
	damage(b, at);
	b_world_end(b);
}

static void
segment_remainder(struct b *b, int arg)
{
	begin(b);
	damage(b, b->len);
	b_u1(b, B_INSTANCE_DUMP);
	b_u2(b, 0);
	b_world_end(b);
}

static void
unpatched(struct b *b, int arg)
{
	begin(b);
	damage(b, b->record);
	b_close(b);
	b_unpatch_length(b, b_at(b, "damage"));
}

/* Build the dump of a program that crashed just after it had begun the heap. */
static void
unpatched_at_end(struct b *b, int profile)
{
	b_world_tables(b, profile);
	damage(b, b_heap_dump(b));
	b_close(b);
}

/*
 * Build a dump with a record that is so large that it is read in several
 * batches (parts). One sub-record in the middle of it is damaged: an instance,
 * an array or a tag. In addition, the length of the record is 0, as after a
 * crash, or the file is truncated.
 */
static void
long_record(struct b *b, int arg)
{
	enum { REST = 2500000, CLAIM = 2000000 };
	uint64_t id = b_object_id(b, B_O_FREE);
	unsigned width = b->id_size == 4 ? 4 : 8;
	size_t record, at;

	begin(b);
	record = b->record;
	b_primitive_array(b, id, B_BYTE, 100000, NULL);
	at = b->len;
	if (arg == B_INSTANCE_DUMP) {
		b_instance_zero(b, id + 8, b_class_id(b, B_C_ORDER));
		b_patch_u4(b, at + 5 + 2 * width, 0x7FFFFFFF);
	} else if (arg == B_PRIMITIVE_ARRAY_DUMP) {
		b_array_claiming(b, id + 8, B_LONG, CLAIM, 0);
	} else if (arg == B_OBJECT_ARRAY_DUMP || arg == CUT_OBJECTS) {
		b_object_array(b, id + 8, b_class_id(b, B_C_OBJECTS), 0, NULL);
		b_patch_u4(b, at + 5 + width, CLAIM);
	} else {
		b_u1(b, (unsigned)arg);
	}
	damage(b, arg == CUT_OBJECTS ? record : at);
	b_zeros(b, REST);
	b_close(b);
	if (arg == CUT_OBJECTS)
		b_set_length(b, record, b_length(b, record) + CLAIM * width);
	else
		b_unpatch_length(b, record);
}

/* --- wrong tags ---------------------------------------------------------- */

static void
tag_unknown(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	damage(b, b_record(b, (unsigned)arg, "body", 4));
	b_world_heap(b);
	b_world_end(b);
}

static void
subtag_unknown(struct b *b, int arg)
{
	begin(b);
	damage(b, b->len);
	b_u1(b, (unsigned)arg);
	b_zeros(b, 40);
	b_world_end(b);
}

static void
type_code(struct b *b, int arg)
{
	begin(b);
	damage(b, b_array_claiming(b, b_object_id(b, B_O_FREE), (unsigned)arg,
				   4, 16));
	b_world_end(b);
}

static void
android_root(struct b *b, int arg)
{
	begin(b);
	damage(b, b_root_vm_internal(b, b_object_id(b, B_O_ORDER_1)));
	b_world_end(b);
}

static void
garbage(struct b *b, int arg)
{
	size_t at;

	b_world_tables(b, B_HOTSPOT);
	at = b_here(b);
	b_garbage(b, at, 200);
	damage(b, at);
	b_world_heap(b);
	b_world_end(b);
}

static void
end_missing(struct b *b, int arg)
{
	hotspot(b);
	b_remove_record(b, b->len - 9);
	damage(b, b->len);
}

/* --- damaged classes and objects ----------------------------------------- */

static size_t
extra_class(struct b *b, unsigned n, uint64_t super)
{
	size_t at;

	at = b_class(b,
		     &(struct b_class){.id = b_class_id(b, n), .super = super});
	b_class_end(b);
	return at;
}

static void
super_cycle(struct b *b, int n)
{
	b_world_tables(b, B_HOTSPOT);
	for (unsigned i = 0; i < (unsigned)n; i++) {
		char name[] = "com/acme/Ring0";

		name[sizeof name - 2] = (char)('0' + i);
		b_load_class(b, 90 + i, b_class_id(b, 90 + i), 1,
			     b_intern(b, name));
	}
	b_world_heap(b);
	damage(b, b_here(b));
	for (unsigned i = 0; i < (unsigned)n; i++)
		extra_class(b, 90 + i,
			    b_class_id(b, 90 + (i + 1) % (unsigned)n));
	b_instance_bytes(b, b_object_id(b, B_O_FREE), b_class_id(b, 90), NULL,
			 0);
	b_world_end(b);
}

static void
super_missing(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_load_class(b, 90, b_class_id(b, 90), 1,
		     b_intern(b, "com/acme/Orphan"));
	b_world_heap(b);
	damage(b, extra_class(b, 90, b_class_id(b, 91)));
	b_world_end(b);
}

static void
instance_length(struct b *b, int arg)
{
	begin(b);
	damage(b, b_instance(b, b_object_id(b, B_O_FREE),
			     b_class_id(b, B_C_ORDER)));
	b_zeros(b,
		(size_t)((int)b_expected(b, b_class_id(b, B_C_ORDER)) + arg));
	b_instance_end(b);
	b_world_end(b);
}

static void
instance_class_missing(struct b *b, int arg)
{
	begin(b);
	damage(b, b_instance_bytes(b, b_object_id(b, B_O_FREE),
				   b_class_id(b, 95), "12345678", 8));
	b_world_end(b);
}

static void
object_dup(struct b *b, int arg)
{
	begin(b);
	damage(b, b_instance_zero(b, b_object_id(b, B_O_ORDER_1),
				  b_class_id(b, B_C_ORDER)));
	b_world_end(b);
}

static void
object_id_zero(struct b *b, int arg)
{
	begin(b);
	damage(b, b_instance_zero(b, 0, b_class_id(b, B_C_ORDER)));
	b_world_end(b);
}

static void
dangling_field(struct b *b, int arg)
{
	size_t at;

	begin(b);
	at = b_instance_zero(b, b_object_id(b, B_O_FREE),
			     b_class_id(b, B_C_ORDER));
	b_patch_id(b, at + 9 + 2 * (b->id_size == 4 ? 4u : 8u), 0x7FF00010);
	damage(b, at);
	b_world_end(b);
}

static void
dangling_static(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_load_class(b, 90, b_class_id(b, 90), 1,
		     b_intern(b, "com/acme/Holder"));
	b_world_heap(b);
	damage(b, b_class(b, &(struct b_class){
				     .id = b_class_id(b, 90),
				     .super = b_class_id(b, B_C_OBJECT)}));
	b_static(b, b_intern(b, "LAST"), B_OBJECT, 0x7FF00010);
	b_class_end(b);
	b_world_end(b);
}

/*
 * Build a dump with an array that refers to a missing object. HotSpot has an
 * array of archived objects, in which missing objects are normal. The array of
 * this dump is not that one, because a static field refers to it.
 */
static void
dangling_array(struct b *b, int arg)
{
	uint64_t elements[] = {0, 0x7FF00010};

	begin(b);
	damage(b, b_object_array(b, b_object_id(b, B_O_FREE),
				 b_class_id(b, B_C_ORDERS), 2, elements));
	b_root_java_frame(b, b_object_id(b, B_O_FREE), 1, 0);
	b_world_end(b);
}

static void
root_missing(struct b *b, int arg)
{
	begin(b);
	damage(b, b_root_jni_global(b, 0x7FF00010, 0x1234));
	b_world_end(b);
}

#define E(name, build, arg, rule, shows)                                       \
	{                                                                      \
		name, build, arg, 4 | 8, B_INVALID, rule, shows                \
	}
#define W(name, build, arg, rule, shows)                                       \
	{                                                                      \
		name, build, arg, 4 | 8, B_VALID, rule, shows                  \
	}

const struct b_fixture b_fixtures_broken[] = {
	E("empty", nothing, 0, "magic", "no byte at all"),
	E("text", no_dump, 0, "magic", "a text file"),
	E("elf", no_dump, 1, "magic", "an ELF file"),
	E("7z", no_dump, 2, "magic", "a 7-Zip archive"),
	E("phd", no_dump, 3, "magic", "an OpenJ9 portable heap dump"),
	E("utf16", transferred, UTF16, "magic", "bytes became UTF-16"),
	E("text-mode", transferred, TEXT_MODE, "transfer",
	  "line feeds became CR LF"),
	E("utf8-lossy", transferred, UTF8_LOSSY, "transfer",
	  "bytes above 0x7f became U+FFFD"),
	E("utf8", transferred, UTF8, "transfer", "Latin-1 became UTF-8"),
	E("version", bad_header, 0, "version-known", "version 9.9.9"),
	E("version-endless", endless_version, 0, "version-known",
	  "no NUL in the version"),
	E("id-size", bad_header, 1, "id-size", "ids of 2 bytes"),
	E("header-only", bad_header, 2, "empty-body", "no record"),
	E("cut-header", cut, HEADER_SHORT, "header-short",
	  "cut in the file header"),
	E("cut-record-header", cut, RECORD_HEADER, "record-header-short",
	  "cut in the 9 bytes of HEAP DUMP END"),
	E("cut-string", cut, STRING, "record-truncated", "cut in a STRING"),
	E("cut-trace", cut, TRACE, "record-truncated", "cut in a TRACE"),
	E("cut-class", cut, CLASS, "record-truncated", "cut in a CLASS DUMP"),
	E("cut-instance", cut, INSTANCE, "record-truncated",
	  "cut in an INSTANCE DUMP"),
	E("cut-array", cut, ARRAY, "record-truncated", "cut in an array"),
	E("cut-byte", cut, LAST_BYTE, "record-truncated",
	  "the heap's last byte is missing"),
	E("length-load", wrong_length, B_LOAD_CLASS, "fixed-length",
	  "a LOAD CLASS one byte too long"),
	E("length-trace", wrong_length, B_STACK_TRACE, "counted-length",
	  "a TRACE that counts one frame more than it has"),
	E("length-string", wrong_length, B_STRING, "string-short",
	  "a STRING shorter than its id"),
	W("length-end", end_nonzero, 0, "end-nonzero",
	  "a HEAP DUMP END with a body"),
	E("claim-trace", trace_claims, 0, "counted-length",
	  "a TRACE of 2 frames that claims 2^30"),
	{"claim-sites", sites_claim, 0, 4, B_INVALID, "counted-length",
	 "an empty ALLOC SITES that claims 2^32-1 rows"},
	E("claim-array", array_claims, B_BYTE, "array-too-long",
	  "a byte[] of 40 bytes that claims 2^32-1"),
	E("claim-longs", array_claims, B_LONG, "array-too-long",
	  "a long[] of 40 bytes that claims 2^32-1 elements"),
	E("claim-objects", array_claims, B_OBJECT, "array-too-long",
	  "an Object[4] that claims 2^32-1"),
	{"cropped", cropped, 0, 4, B_INVALID, "subtag-unknown",
	 "ART: primitive arrays without their elements"},
	{"cropped-counted", cropped, 1, 4, B_INVALID, "subtag-unknown",
	 "the same, and the segments' lengths count the elements"},
	E("claim-nodata", nodata_claims, 0, "array-too-long",
	  "ART: a byte[] without data that claims 2^32-1 elements"),
	E("claim-fields", class_claims, 0, "subrecord-overrun",
	  "a class without fields that claims 65535"),
	E("claim-instance", instance_claims, 0x7FFFFFFF, "subrecord-overrun",
	  "an instance that claims 2^31-1 bytes"),
	E("remainder", segment_remainder, 0, "segment-remainder",
	  "three bytes at the segment's end"),
	E("unpatched", unpatched, 0, "heap-length-unpatched",
	  "length 0, the heap to the end of the file"),
	E("unpatched-at-end", unpatched_at_end, B_HOTSPOT_7,
	  "heap-length-unpatched", "length 0 at the end of the file"),
	E("unpatched-sa", unpatched_at_end, B_SA, "heap-length-unpatched",
	  "jhsdb: the same"),
	{"unpatched-instance", long_record, B_INSTANCE_DUMP, 8, B_INVALID,
	 "subrecord-overrun",
	 "length 0, 2.5 MB, an instance that claims 2^31-1 bytes"},
	{"unpatched-array", long_record, B_PRIMITIVE_ARRAY_DUMP, 8, B_INVALID,
	 "array-too-long", "the same with a long[] of 16 MB"},
	{"unpatched-objects", long_record, B_OBJECT_ARRAY_DUMP, 8, B_INVALID,
	 "array-too-long", "the same with an Object[] of 16 MB"},
	{"unpatched-tag", long_record, 0x77, 8, B_INVALID, "subtag-unknown",
	 "the same with a sub-record of tag 0x77"},
	{"cut-objects", long_record, CUT_OBJECTS, 8, B_INVALID,
	 "record-truncated", "cut in an Object[] of 16 MB"},
	W("tag-unknown", tag_unknown, 0x77, "tag-unknown",
	  "a record of tag 0x77"),
	E("subtag-unknown", subtag_unknown, 0x77, "subtag-unknown",
	  "a sub-record of tag 0x77"),
	W("subtag-android", android_root, 0, "subtag-android",
	  "an Android root in a HotSpot dump"),
	E("type-code", type_code, 3, "type-code", "an array of type 3"),
	E("type-code-object", type_code, B_OBJECT, "type-code",
	  "a primitive array of type object"),
	E("garbage", garbage, 0, "tag-unknown",
	  "200 bytes of garbage between two records"),
	E("end-missing", end_missing, 0, "end-missing",
	  "segments without a HEAP DUMP END"),
	E("super-self", super_cycle, 1, "super-cycle",
	  "a class that is its own superclass"),
	E("super-cycle", super_cycle, 3, "super-cycle",
	  "three classes in a ring"),
	W("super-missing", super_missing, 0, "super-missing",
	  "a superclass that was not dumped"),
	E("instance-long", instance_length, 3, "instance-length",
	  "three bytes more than the class's fields"),
	E("instance-short", instance_length, -1, "instance-length",
	  "a byte less than the class's fields"),
	W("instance-class", instance_class_missing, 0, "instance-class-missing",
	  "an instance of a class not dumped"),
	W("object-dup", object_dup, 0, "object-dup", "an id dumped twice"),
	E("object-zero", object_id_zero, 0, "object-id-zero",
	  "an instance with id 0"),
	W("dangling-field", dangling_field, 0, "ref-dangling-field",
	  "a field that names nothing"),
	W("dangling-static", dangling_static, 0, "ref-dangling-static",
	  "a static that names nothing"),
	W("dangling-array", dangling_array, 0, "ref-dangling-array",
	  "an element that names nothing"),
	W("root-missing", root_missing, 0, "root-missing",
	  "a root that names nothing"),
	{0},
};
