/*
 * test_model_classes.c - tests of classes: when they become usable (can be
 * looked up), their fields and sizes, the detection of the program that wrote a
 * dump, and the texts about damage
 */
#include "common/model/classes.h"
#include "common/model/rules.h"
#include "common/model/dialect.h"
#include "common/model/size_model.h"
#include "tests/builder/fixtures.h"
#include "tests/unit/must.h"

#include <check.h>
#include <stdlib.h>

struct bench {
	struct b b;
	struct hp_classes c;
	struct hp_class_cache cache;
};

static void
begin(struct bench *t, unsigned id_size)
{
	b_init(&t->b, id_size);
	b_segment(&t->b);
	memset(&t->cache, 0, sizeof(t->cache));
	ck_assert_int_eq(hp_classes_init(&t->c, id_size, 2, NULL), HP_OK);
}

static void
end(struct bench *t)
{
	hp_classes_release(&t->c);
	hp_classes_release(&t->c);
	b_release(&t->b);
}

/*
 * Add the class dump at t->b.data + @at to the classes, as if it were at
 * @offset of the dump, in batch @batch.
 */
static struct hp_class *
add_as(struct bench *t, uint64_t batch, size_t at, uint64_t offset)
{
	struct hp_heap_iter it = hp_heap_begin(t->b.data + at, t->b.len - at,
					       t->b.len - at, offset);
	struct hp_class *k = NULL;
	struct hp_sub s;

	if (!hp_heap_next(&it, &s, t->b.id_size) ||
	    hp_classes_add(&t->c, (unsigned)(batch % 2), batch, 3, 0, &s, &k,
			   NULL) != HP_OK)
		ck_abort_msg("no class at %zu", at);
	return k;
}

static struct hp_class *
add_at(struct bench *t, uint64_t batch, size_t at)
{
	return add_as(t, batch, at, at);
}

/*
 * Add a class with fields of @types, in which l is a long, o an object and i an
 * int. For example, "loi".
 */
static struct hp_class *
add(struct bench *t, uint64_t batch, uint64_t id, uint64_t super,
    const char *types)
{
	struct b_class c = {.id = id, .super = super};
	size_t at = b_class(&t->b, &c);

	for (; *types; types++)
		b_field(&t->b, 9,
			*types == 'l'	? B_LONG
			: *types == 'o' ? B_OBJECT
					: B_INT);
	b_class_end(&t->b);
	return add_at(t, batch, at);
}

static const struct hp_class *
layout(struct bench *t, uint64_t id)
{
	return hp_classes_layout(&t->c, &t->cache, id);
}

START_TEST(parsed)
{
	struct b_class c = {1, 2, 3, 4, 5, {6, 7}, 99};
	unsigned id_size = _i ? 8 : 4;
	struct bench t;
	struct hp_class *k;
	size_t at;

	begin(&t, id_size);
	t.b.trace = 77;
	at = b_class(&t.b, &c);
	b_constant(&t.b, 11, B_OBJECT, 0x1234);
	b_static(&t.b, 21, B_BOOLEAN, 1);
	b_static(&t.b, 22, B_LONG, UINT64_C(0x123456789ABCDEF0));
	b_static(&t.b, 23, B_OBJECT, 0x5678);
	b_field(&t.b, 31, B_OBJECT);
	b_field(&t.b, 32, B_SHORT);
	b_class_end(&t.b);
	k = add_at(&t, 0, at);
	ck_assert_uint_eq(k->id, 1);
	ck_assert_uint_eq(k->super_id, 2);
	ck_assert_uint_eq(k->loader, 3);
	ck_assert_uint_eq(k->signers, 4);
	ck_assert_uint_eq(k->domain, 5);
	ck_assert_uint_eq(k->reserved[1], 7);
	ck_assert_uint_eq(k->trace, 77);
	ck_assert_uint_eq(k->instance_size, 99);
	ck_assert_uint_eq(k->offset, at);
	ck_assert_uint_eq(k->nconstants, 1);
	ck_assert_uint_eq(k->constants[0].index, 11);
	ck_assert_uint_eq(k->constants[0].value, 0x1234);
	ck_assert_uint_eq(k->nstatics, 3);
	ck_assert_uint_eq(k->statics[1].value, UINT64_C(0x123456789ABCDEF0));
	ck_assert_uint_eq(k->statics[2].name, 23);
	ck_assert_uint_eq(hp_load_id(t.b.data + at + k->statics[2].at, id_size),
			  0x5678);
	ck_assert_uint_eq(k->nfields, 2);
	ck_assert_uint_eq(k->fields[1].name, 32);
	ck_assert_uint_eq(k->fields[1].type, B_SHORT);
	end(&t);
}
END_TEST

START_TEST(layouts)
{
	const struct hp_class *k;
	struct bench t;

	begin(&t, 8);
	add(&t, 0, 100, 0, "");
	add(&t, 0, 108, 100, "oio");
	add(&t, 0, 116, 108, "");
	add(&t, 0, 124, 116, "lo");
	ck_assert_ptr_null(layout(&t, 100));
	ck_assert_int_eq(hp_classes_retire(&t.c, 0, NULL), HP_OK);
	k = layout(&t, 124);
	ck_assert_ptr_nonnull(k);
	ck_assert_ptr_eq(layout(&t, 124), k);
	ck_assert_int_eq(k->chain, HP_CHAIN_FINE);
	ck_assert_uint_eq(k->depth, 3);
	ck_assert_uint_eq(k->data_size, 36);
	ck_assert_uint_eq(k->nrefs, 3);
	ck_assert_uint_eq(k->ref_at[0], 8);
	ck_assert_uint_eq(k->ref_at[1], 16);
	ck_assert_uint_eq(k->ref_at[2], 28);
	ck_assert_ptr_eq(layout(&t, 116)->ref_at, layout(&t, 108)->ref_at);
	end(&t);
}
END_TEST

/*
 * Test subclasses that come before their superclasses, in several batches
 * (parts of the dump).
 */
START_TEST(late_super)
{
	struct bench t;

	begin(&t, 4);
	add(&t, 0, 124, 116, "i");
	add(&t, 0, 132, 124, "o");
	ck_assert_int_eq(hp_classes_retire(&t.c, 0, NULL), HP_OK);
	ck_assert_ptr_null(layout(&t, 132));
	ck_assert_ptr_null(layout(&t, 132));
	add(&t, 1, 116, 0, "o");
	ck_assert_ptr_null(layout(&t, 132));
	ck_assert_int_eq(hp_classes_retire(&t.c, 1, NULL), HP_OK);
	ck_assert_uint_eq(layout(&t, 132)->data_size, 12);
	ck_assert_uint_eq(layout(&t, 132)->nrefs, 2);
	ck_assert_uint_eq(layout(&t, 132)->ref_at[1], 8);
	end(&t);
}
END_TEST

/*
 * Test a class in a batch (part of the dump) that is not completely processed
 * yet. The class can be looked up only if this is the next batch to be
 * completed.
 */
START_TEST(retire_begun)
{
	const struct hp_class *k;
	struct bench t;

	begin(&t, 8);
	add(&t, 0, 100, 0, "o");
	add(&t, 1, 108, 100, "i");
	ck_assert(hp_classes_retire_begun(&t.c, 1));
	ck_assert_ptr_null(layout(&t, 100));
	ck_assert(hp_classes_retire_begun(&t.c, 0));
	ck_assert_ptr_nonnull(layout(&t, 100));
	ck_assert_ptr_null(layout(&t, 108));
	add(&t, 0, 116, 100, "l");
	ck_assert_ptr_null(layout(&t, 116));
	ck_assert_int_eq(hp_classes_retire(&t.c, 0, NULL), HP_OK);
	ck_assert_ptr_nonnull(layout(&t, 116));
	ck_assert_ptr_null(layout(&t, 108));
	ck_assert(hp_classes_retire_begun(&t.c, 1));
	k = layout(&t, 108);
	ck_assert_ptr_nonnull(k);
	ck_assert_uint_eq(k->data_size, 12);
	ck_assert_int_eq(hp_classes_retire(&t.c, 1, NULL), HP_OK);
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	ck_assert_uint_eq(t.c.count, 3);
	ck_assert_uint_eq(t.c.nduplicates, 0);
	end(&t);
}
END_TEST

/*
 * Test that the first class dump of an id in the file counts, whichever thread
 * calls hp_classes_add() first.
 */
START_TEST(duplicates)
{
	struct bench t;
	struct b_class c = {.id = 100};
	size_t first, second;

	begin(&t, 8);
	first = b_class(&t.b, &c);
	b_field(&t.b, 1, B_INT);
	b_class_end(&t.b);
	second = b_class(&t.b, &c);
	b_class_end(&t.b);
	add_at(&t, 1, second);
	add_at(&t, 0, first);
	ck_assert_int_eq(hp_classes_retire(&t.c, 0, NULL), HP_OK);
	ck_assert_uint_eq(t.c.npending, 1);
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	ck_assert_uint_eq(t.c.count, 1);
	ck_assert_uint_eq(t.c.nduplicates, 1);
	ck_assert_uint_eq(t.c.duplicates[0]->offset, second);
	ck_assert_uint_eq(hp_classes_get(&t.c, 100)->data_size, 4);
	ck_assert_uint_eq(hp_classes_get(&t.c, 100)->index, 0);
	end(&t);
}
END_TEST

START_TEST(broken_chains)
{
	struct bench t;

	begin(&t, 8);
	add(&t, 0, 1, 0, "");
	add(&t, 0, 2, 99, "i"); /* the superclass 99 is missing */
	add(&t, 0, 3, 2, "o");
	/* class 12 comes before its superclass 10, which is part of a cycle */
	add(&t, 0, 12, 10, "i");
	/* the classes 10 and 11 are each other's superclass: a cycle */
	add(&t, 0, 10, 11, "o");
	add(&t, 0, 11, 10, "l");
	/* class 13 comes after its superclass 10, which is part of a cycle */
	add(&t, 0, 13, 10, "l");
	add(&t, 0, 14, 12, "o");
	add(&t, 0, 20, 20, "i"); /* a class that is its own superclass */
	ck_assert_int_eq(hp_classes_retire(&t.c, 0, NULL), HP_OK);
	ck_assert_ptr_null(layout(&t, 3));
	ck_assert_ptr_null(layout(&t, 20));
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	ck_assert_int_eq(layout(&t, 1)->chain, HP_CHAIN_FINE);
	ck_assert_int_eq(layout(&t, 2)->chain, HP_CHAIN_BROKEN);
	ck_assert_int_eq(layout(&t, 3)->chain, HP_CHAIN_BROKEN);
	ck_assert_uint_eq(layout(&t, 3)->data_size, 12);
	ck_assert_int_eq(layout(&t, 10)->chain, HP_CHAIN_CYCLE);
	ck_assert_int_eq(layout(&t, 11)->chain, HP_CHAIN_CYCLE);
	ck_assert_int_eq(layout(&t, 20)->chain, HP_CHAIN_CYCLE);
	ck_assert_ptr_null(layout(&t, 11)->super);
	ck_assert_int_eq(layout(&t, 12)->chain, HP_CHAIN_BROKEN);
	ck_assert_uint_eq(layout(&t, 12)->data_size, 12);
	ck_assert_int_eq(layout(&t, 13)->chain, HP_CHAIN_BROKEN);
	ck_assert_uint_eq(layout(&t, 13)->data_size, 16);
	ck_assert_uint_eq(layout(&t, 14)->data_size, 20);
	ck_assert_ptr_eq(layout(&t, 14)->super, layout(&t, 12));
	ck_assert_ptr_null(layout(&t, 0));
	ck_assert_ptr_null(layout(&t, 77));
	end(&t);
}
END_TEST

START_TEST(decodable)
{
	struct hp_sub fits = {.count = 12}, shorter = {.count = 11},
		      longer = {.count = 13};
	struct bench t;

	begin(&t, 8);
	add(&t, 0, 1, 0, "o");
	add(&t, 0, 2, 1, "i");
	add(&t, 0, 3, 99, "oi"); /* the superclass 99 is missing */
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	must(hp_instance_decodable(layout(&t, 2), &fits));
	must(!hp_instance_decodable(layout(&t, 2), &shorter));
	must(!hp_instance_decodable(layout(&t, 2), &longer));
	must(!hp_instance_decodable(layout(&t, 3), &fits));
	must(!hp_instance_decodable(NULL, &fits));
	end(&t);
}
END_TEST

/*
 * Test a malicious hierarchy: many subclasses of a class with many reference
 * fields. The total length of the lists of reference fields must not be the
 * product of both numbers.
 */
START_TEST(bounded_lists)
{
	struct bench t;
	char wide[20001];
	uint64_t id;

	memset(wide, 'o', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	begin(&t, 8);
	add(&t, 0, 1, 0, wide);
	for (id = 2; id < 1500; id++)
		add(&t, 0, id, id % 2 ? 1 : id - 1, "o");
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	ck_assert_uint_le(t.c.layouts.list_bytes, (16 << 20) + t.b.len * 4);
	ck_assert_uint_eq(layout(&t, 1)->nrefs, 20000);
	ck_assert_uint_eq(layout(&t, 1499)->references, 20001);
	ck_assert_uint_eq(layout(&t, 1499)->nrefs, 0);
	ck_assert_uint_eq(layout(&t, 1499)->data_size, 160008);
	end(&t);
}
END_TEST

START_TEST(is_a)
{
	enum { CLASSES = 300 };
	uint64_t super[CLASSES + 1] = {0}, id, other, up;
	uint32_t random = 1;
	struct bench t;

	begin(&t, 8);
	add(&t, 0, 1, 0, "");
	for (id = 2; id <= CLASSES; id++) {
		random = random * 1664525 + 1013904223;
		super[id] = id - 1 - (random >> 8) % (id < 5 ? 1 : 4);
		add(&t, 0, id, super[id], "");
	}
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	for (id = 1; id <= CLASSES; id++) {
		for (other = 1; other <= CLASSES; other++) {
			for (up = id; up != 0 && up != other;)
				up = super[up];
			must(hp_class_is_a(layout(&t, id), layout(&t, other)) ==
			     (up == other));
		}
	}
	end(&t);
}
END_TEST

START_TEST(deep_chain)
{
	enum { DEPTH = 20000 };
	struct b_class c = {.id = 1};
	struct bench t;
	uint64_t id;
	size_t at;

	begin(&t, 4);
	at = b_class(&t.b, &c);
	b_field(&t.b, 1, B_INT);
	b_class_end(&t.b);
	for (id = DEPTH; id > 0; id--) {
		b_patch_id(&t.b, at + 1, id);
		b_patch_id(&t.b, at + 9, id - 1);
		add_as(&t, DEPTH - id, at, DEPTH - id);
	}
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	ck_assert_uint_eq(t.c.count, DEPTH);
	ck_assert_uint_eq(layout(&t, DEPTH)->depth, DEPTH - 1);
	ck_assert_uint_eq(layout(&t, DEPTH)->data_size, 4 * DEPTH);
	for (id = 1; id <= DEPTH; id++) {
		must(hp_class_is_a(layout(&t, DEPTH), layout(&t, id)));
		must(hp_class_is_a(layout(&t, id), layout(&t, id)));
		must(id == DEPTH ||
		     !hp_class_is_a(layout(&t, id), layout(&t, id + 1)));
	}
	end(&t);
}
END_TEST

START_TEST(instance_sizes)
{
	struct hp_size_model mat4 = {HP_SIZE_MODEL_MAT, 4, 12, 16, 8, "auto"};
	struct hp_size_model mat8 = {HP_SIZE_MODEL_MAT, 8, 16, 24, 8, "auto"};
	struct hp_size_model odd = {HP_SIZE_MODEL_MAT, 8, 12, 24, 8, "auto"};
	struct hp_size_model hot8 = {
		HP_SIZE_MODEL_HOTSPOT, 8, 16, 24, 8, "auto"};
	struct hp_size_model art = {HP_SIZE_MODEL_ART, 4, 8, 12, 8, "auto"};
	uint32_t sizes[3] = {0};
	struct hp_class *k;
	struct bench t;

	begin(&t, 8);
	add(&t, 0, 1, 0, "");
	add(&t, 0, 2, 1, "oi");
	k = add(&t, 0, 3, 2, "i");
	ck_assert_int_eq(hp_classes_complete(&t.c, NULL), HP_OK);
	ck_assert_uint_eq(hp_instance_bytes(&mat4, layout(&t, 1), 8), 16);
	ck_assert_uint_eq(hp_instance_bytes(&mat4, layout(&t, 2), 8), 24);
	ck_assert_uint_eq(hp_instance_bytes(&mat4, k, 8), 24);
	ck_assert_uint_eq(hp_instance_bytes(&mat8, layout(&t, 1), 8), 16);
	ck_assert_uint_eq(hp_instance_bytes(&mat8, layout(&t, 2), 8), 32);
	ck_assert_uint_eq(hp_instance_bytes(&mat8, k, 8), 40);
	ck_assert_uint_eq(hp_instance_bytes(&odd, layout(&t, 2), 8), 24);
	ck_assert_uint_eq(hp_instance_bytes(&odd, k, 8), 32);
	ck_assert_uint_eq(hp_instance_bytes(&hot8, k, 8), 32);
	ck_assert_uint_eq(hp_instance_bytes(&art, k, 8), 24);
	/*
	 * the fields of class 2 have 4 + 4 bytes with ids of 4 bytes, and 8 + 4
	 * bytes with ids of 8 bytes; each of its subclasses adds 4 bytes
	 */
	ck_assert_uint_eq(hp_instance_padding(&mat4, layout(&t, 1), 8), 4);
	ck_assert_uint_eq(hp_instance_padding(&mat4, layout(&t, 2), 8), 4);
	ck_assert_uint_eq(hp_instance_padding(&mat4, k, 8), 0);
	ck_assert_uint_eq(hp_instance_padding(&mat8, layout(&t, 2), 8), 4);
	ck_assert_uint_eq(hp_instance_padding(&mat8, k, 8), 8);
	ck_assert_uint_eq(hp_instance_padding(&hot8, k, 8), 0);
	ck_assert_uint_eq(hp_instance_padding(&mat4, NULL, 8), 0);
	/*
	 * a measured size of 32 is 8 bytes larger than the fields require:
	 * these bytes count as fields that HotSpot has added; in a measured
	 * size of 160, 136 bytes are padding
	 */
	mat4.measured =
		&(struct hp_measured_sizes){.instances = sizes, .classes = 3};
	sizes[k->index] = 32;
	ck_assert_uint_eq(hp_instance_padding(&mat4, k, 8), 0);
	sizes[k->index] = 160;
	ck_assert_uint_eq(hp_instance_padding(&mat4, k, 8), 136);
	mat4.measured = NULL;
	k->instance_size = 25;
	ck_assert_uint_eq(hp_instance_padding(&art, k, 8), 7);
	ck_assert_uint_eq(hp_instance_bytes(&art, k, 8), 32);
	/*
	 * a class without a class dump: only the size of the header in the VM
	 * is known
	 */
	ck_assert_uint_eq(hp_instance_bytes(&mat4, NULL, 8), 16);
	ck_assert_uint_eq(hp_instance_bytes(&odd, NULL, 8), 16);
	ck_assert_uint_eq(hp_instance_bytes(&art, NULL, 8), 8);
	end(&t);
}
END_TEST

START_TEST(class_object_size)
{
	struct hp_size_model l = {HP_SIZE_MODEL_MAT, 4, 12, 16, 8, "auto"};
	struct b_class c = {.id = 5};
	struct hp_class *k;
	struct bench t;
	size_t at;

	begin(&t, 8);
	at = b_class(&t.b, &c);
	b_static(&t.b, 1, B_OBJECT, 0);
	b_static(&t.b, 2, B_LONG, 0);
	b_class_end(&t.b);
	k = add_at(&t, 0, at);
	ck_assert_uint_eq(hp_class_object_bytes(&l, k, 8), 16);
	end(&t);
}
END_TEST

/*
 * Returns which program wrote the dump. The detection sees all records, as in a
 * pass over the dump.
 */
static enum hp_dialect
dialect_of(const struct b *b)
{
	struct hp_dialect_evidence e = {.id_size = b->id_size}, heap = {0};
	struct hp_classes c;
	size_t at = strlen((const char *)b->data) + 13;
	struct hp_heap_iter it;
	enum hp_dialect d;
	struct hp_tables t;
	struct hp_sub s;

	e.version = b->data[17] == '1'	 ? HP_VERSION_1_0_1
		    : b->data[17] == '2' ? HP_VERSION_1_0_2
					 : HP_VERSION_1_0_3;
	hp_tables_init(&t, b->id_size);
	ck_assert_int_eq(hp_classes_init(&c, b->id_size, 1, NULL), HP_OK);
	while (at < b->len) {
		struct hp_record rec = {.tag = b->data[at], .offset = at};
		struct hp_cursor body = {.data = b->data + at + HP_HEAD_SIZE,
					 .len = b_length(b, at)};

		hp_dialect_evidence_record(&e, &rec, body);
		if (rec.tag == HP_REC_HEAP_DUMP ||
		    rec.tag == HP_REC_HEAP_DUMP_SEGMENT) {
			it = hp_heap_begin(body.data, body.len, body.len, 0);
			while (hp_heap_next(&it, &s, b->id_size)) {
				hp_dialect_evidence_sub(&heap, &s, b->id_size);
				if (s.tag == HP_SUB_CLASS_DUMP)
					ck_assert_int_eq(
						hp_classes_add(&c, 0, 0, 1, 0,
							       &s, NULL, NULL),
						HP_OK);
			}
		} else {
			ck_assert_int_eq(
				hp_tables_record(&t, &rec, body, 0, NULL, NULL),
				HP_OK);
		}
		at += HP_HEAD_SIZE + body.len;
	}
	hp_dialect_evidence_merge(&e, &heap);
	ck_assert_int_eq(hp_classes_complete(&c, NULL), HP_OK);
	hp_dialect_evidence_classes(&e, &c, &t);
	d = hp_dialect_of(&e, &t);
	hp_classes_release(&c);
	hp_tables_release(&t);
	return d;
}

START_TEST(dialects)
{
	static const char *const want[B_WRITERS] = {
		[B_HOTSPOT] = "hotspot",
		[B_HOTSPOT_25] = "hotspot",
		[B_HOTSPOT_7] = "hotspot",
		[B_HOTSPOT_5] = "hotspot",
		[B_SA] = "sa",
		[B_SA_28] = "sa",
		[B_AGENT] = "agent",
		[B_AGENT_102] = "agent",
		[B_ART] = "art",
		[B_DALVIK] = "dalvik",
		[B_HPROF_CONV] = "hprof-conv",
		[B_NATIVE_IMAGE] = "native-image",
		[B_MAT] = "mat",
	};
	struct b b;

	b_init(&b, b_writer_id_size((enum b_writer)_i));
	b_world(&b, (enum b_writer)_i, b.id_size);
	ck_assert_str_eq(hp_dialect_name(dialect_of(&b)), want[_i]);
	b_release(&b);
}
END_TEST

START_TEST(no_dialect)
{
	struct hp_dialect_evidence e = {0};
	struct hp_tables t;

	hp_tables_init(&t, 8);
	ck_assert_str_eq(hp_dialect_name(hp_dialect_of(&e, &t)), "unknown");
	hp_tables_release(&t);
}
END_TEST

Suite *test_model_classes_suite(void);

START_TEST(array_sizes)
{
	struct hp_size_hints h = {.overlap = true};
	struct hp_size_model l = hp_size_model_detect(&h, 8, false);

	ck_assert_uint_eq(hp_array_bytes(&l, 0, 1), 16);
	ck_assert_uint_eq(hp_array_bytes(&l, 1, 1), 24);
	ck_assert_uint_eq(hp_array_bytes(&l, 3, 4), 32);
	l = hp_size_model_detect(&h, 4, true);
	ck_assert_uint_eq(hp_array_bytes(&l, 1, 4), 16);
	ck_assert_uint_eq(hp_array_bytes(&l, 1, 8), 24);
}
END_TEST

START_TEST(type_letters)
{
	static const char letters[] = "ZCFDBSIJ";

	for (unsigned t = HP_TYPE_BOOLEAN; t < HP_TYPE_END; t++)
		ck_assert_uint_eq(hp_type_of_letter(letters[t - 4]), t);
	ck_assert_uint_eq(hp_type_of_letter('L'), 0);
	ck_assert_uint_eq(hp_type_of_letter('\0'), 0);
	ck_assert_str_eq(hp_type_name(hp_type_of_letter('J')), "long");
}
END_TEST

/*
 * Test the text of each symptom (kind of damage). It ends with the name of a
 * rule, unless the damage is in the file header.
 */
START_TEST(symptom_texts)
{
	static const struct {
		struct hp_symptom symptom;
		const char *text;
	} cases[] = {
		{{.rule = HP_RULE_MAGIC}, "the input is empty"},
		{{.rule = HP_RULE_ID_SIZE, .got = 1},
		 "identifiers have 1 byte, but only 4 and 8 bytes are "
		 "possible"},
		{{.rule = HP_RULE_ID_SIZE, .got = 3},
		 "identifiers have 3 bytes, but only 4 and 8 bytes are "
		 "possible"},
		{{.rule = HP_RULE_FIXED_LENGTH,
		  .tag = HP_REC_LOAD_CLASS,
		  .got = 7,
		  .want = 24},
		 "LOAD_CLASS has 7 bytes instead of 24 [fixed-length]"},
		{{.rule = HP_RULE_SUBTAG_UNKNOWN, .tag = 0x0d},
		 "unknown sub-record 0x0d [subtag-unknown]"},
		{{.rule = HP_RULE_RECORD_TRUNCATED,
		  .offset = 100,
		  .got = 2,
		  .want = 1},
		 "the input ends at offset 111, inside a record: 2 of 1 byte "
		 "[record-truncated]"},
	};
	char text[HP_SYMPTOM_TEXT];

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		hp_symptom_text(&cases[i].symptom, text);
		ck_assert_str_eq(text, cases[i].text);
	}
}
END_TEST

Suite *
test_model_classes_suite(void)
{
	Suite *s = suite_create("model classes");
	TCase *c = tcase_create("classes");

	tcase_add_loop_test(c, parsed, 0, 2);
	tcase_add_test(c, layouts);
	tcase_add_test(c, late_super);
	tcase_add_test(c, retire_begun);
	tcase_add_test(c, duplicates);
	tcase_add_test(c, broken_chains);
	tcase_add_test(c, decodable);
	tcase_add_test(c, bounded_lists);
	tcase_add_test(c, deep_chain);
	tcase_add_test(c, is_a);
	tcase_add_test(c, instance_sizes);
	tcase_add_test(c, class_object_size);
	tcase_add_loop_test(c, dialects, 0, B_WRITERS);
	tcase_add_test(c, no_dialect);
	tcase_add_test(c, array_sizes);
	tcase_add_test(c, type_letters);
	tcase_add_test(c, symptom_texts);
	suite_add_tcase(s, c);
	return s;
}
