/*
 * test_class_name.c - class names as in Java source, and what of them differs
 * from run to run
 */
#include "common/model/class_name.h"

#include <check.h>
#include <string.h>

Suite *test_class_name_suite(void);

/* raw name, shown as, normalised, is an array, of references */
static const struct name_case {
	const char *raw, *shown, *normal;
	bool array, objects;
} name_cases[] = {
	{"", "", "", 0, 0},
	{"A", "A", "A", 0, 0},
	{"java/lang/String", "java.lang.String", "java.lang.String", 0, 0},
	{"java.lang.String[]", "java.lang.String[]", "java.lang.String[]", 1,
	 1},
	{"[Ljava/lang/String;", "java.lang.String[]", "java.lang.String[]", 1,
	 1},
	{"[Ljava.lang.String;", "java.lang.String[]", "java.lang.String[]", 1,
	 1},
	{"[[Ljava/lang/String;", "java.lang.String[][]", "java.lang.String[][]",
	 1, 1},
	{"[I", "int[]", "int[]", 1, 0},
	{"[[J", "long[][]", "long[][]", 1, 1},
	{"int[]", "int[]", "int[]", 1, 0},
	{"int[][]", "int[][]", "int[][]", 1, 1},
	{"int", "int", "int", 0, 0},
	{"[", "[", "[", 0, 0},
	{"[X", "[X", "[X", 0, 0},
	{"[Lfoo", "[Lfoo", "[Lfoo", 0, 0},
	{"[L;", "[L;", "[L;", 0, 0},
	{"[]", "[]", "[]", 0, 0},
	{"Ljdk/internal/vm/FillerArray;", "Ljdk/internal/vm/FillerArray;",
	 "Ljdk/internal/vm/FillerArray;", 0, 0},
	{"com/acme/Cafe", "com.acme.Cafe", "com.acme.Cafe", 0, 0},
	{"a/b/c", "a.b.c", "a.b.c", 0, 0},
	{"a/T$$Lambda+0x00007f766c006000", "a.T$$Lambda/0x00007f766c006000",
	 "a.T$$Lambda", 0, 0},
	{"a/T$$Lambda$12+0x0000000800c03000",
	 "a.T$$Lambda$12/0x0000000800c03000", "a.T$$Lambda", 0, 0},
	{"[La/T$$Lambda+0x80000003f;", "a.T$$Lambda/0x80000003f[]",
	 "a.T$$Lambda[]", 1, 1},
	{"a/T$$Lambda$6", "a.T$$Lambda$6", "a.T$$Lambda", 0, 0},
	{"a.T$$Lambda$6/1234567[]", "a.T$$Lambda$6/1234567[]", "a.T$$Lambda[]",
	 1, 1},
	{"a.T$$Lambda$1.295530567", "a.T$$Lambda$1.295530567", "a.T$$Lambda", 0,
	 0},
	{"Hid+0x00007f6e3c008c00", "Hid/0x00007f6e3c008c00", "Hid", 0, 0},
	{"java/lang/invoke/LambdaForm$MH+0x1",
	 "java.lang.invoke.LambdaForm$MH/0x1", "java.lang.invoke.LambdaForm$MH",
	 0, 0},
	{"com/sun/proxy/$Proxy12", "com.sun.proxy.$Proxy12",
	 "com.sun.proxy.$Proxy", 0, 0},
	{"jdk/proxy2/$Proxy31", "jdk.proxy2.$Proxy31", "jdk.proxy.$Proxy", 0,
	 0},
	{"[[Ljdk/proxy2/$Proxy31;", "jdk.proxy2.$Proxy31[][]",
	 "jdk.proxy.$Proxy[][]", 1, 1},
	{"com.sun.proxy.jdk.proxy12.$Proxy3",
	 "com.sun.proxy.jdk.proxy12.$Proxy3", "com.sun.proxy.jdk.proxy.$Proxy",
	 0, 0},
	{"jdk/proxy2/Other", "jdk.proxy2.Other", "jdk.proxy2.Other", 0, 0},
	{"a/jdk/proxy2/$Proxy3", "a.jdk.proxy2.$Proxy3", "a.jdk.proxy2.$Proxy",
	 0, 0},
	{"a/v2/$Proxy3", "a.v2.$Proxy3", "a.v2.$Proxy", 0, 0},
	{"[L$Proxy1;", "$Proxy1[]", "$Proxy[]", 1, 1},
	{"a/My$Proxy12", "a.My$Proxy12", "a.My$Proxy12", 0, 0},
	{"sun/reflect/GeneratedMethodAccessor7",
	 "sun.reflect.GeneratedMethodAccessor7",
	 "sun.reflect.GeneratedMethodAccessor", 0, 0},
	{"x/GeneratedConstructorAccessor12", "x.GeneratedConstructorAccessor12",
	 "x.GeneratedConstructorAccessor", 0, 0},
	{"x/GeneratedSerializationConstructorAccessor3",
	 "x.GeneratedSerializationConstructorAccessor3",
	 "x.GeneratedSerializationConstructorAccessor", 0, 0},
	{"a/Order2", "a.Order2", "a.Order2", 0, 0},
	{"a/T$1", "a.T$1", "a.T$1", 0, 0},
	{"a/T.m(La/B;)", "a.T.m(La/B;)", "a.T.m(La/B;)", 0, 0},
};

START_TEST(class_names)
{
	const struct name_case *c = &name_cases[_i];
	struct hp_buf shown = {0}, normal = {0};
	size_t n = strlen(c->raw);
	unsigned looks = hp_class_name_looks(c->raw, n);

	hp_class_name(&shown, c->raw, n);
	ck_assert_str_eq(hp_buf_string(&shown), c->shown);
	hp_class_name_normalize(&normal, c->shown, strlen(c->shown));
	ck_assert_str_eq(hp_buf_string(&normal), c->normal);
	ck_assert_int_eq((looks & HP_LOOKS_ARRAY) != 0, c->array);
	ck_assert_int_eq((looks & HP_LOOKS_OBJECT_ARRAY) != 0, c->objects);
	hp_buf_release(&shown);
	hp_buf_release(&normal);
}
END_TEST

START_TEST(packages)
{
	static const struct {
		const char *name, *package;
	} cases[] = {
		{"Order", ""},
		{"com.acme.Order", "com.acme"},
		{"com.acme.Order[][]", "com.acme"},
		{"com.acme.T$$Lambda/0x00007f76.6c006000", "com.acme"},
		{"com.acme.T$$Lambda$6/1234567[]", "com.acme"},
		{"com.acme.T$$Lambda$1.295530567", "com.acme"},
		{"com.acme.T$$Lambda$1.295530567[]", "com.acme"},
		{"T$$Lambda$1.295530567", ""},
		{"T$$Lambda$1/295530567", ""},
		{"com.acme.v2.Order", "com.acme.v2"},
		/* cut, as names of more than 8,192 bytes are */
		{"Order...#0123456789abcdef", ""},
		{"com.acme.Order...#0123456789abcdef[]", "com.acme"},
		{"com.acme...#0123456789abcdef", "com"},
		{"<method> a.T.m(La.B;)", "<method> a.T"},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		const char *name = cases[i].name;
		size_t n = hp_class_name_package(name, strlen(name));

		ck_assert_uint_eq(n, strlen(cases[i].package));
		ck_assert_mem_eq(name, cases[i].package, n);
	}
}
END_TEST

Suite *
test_class_name_suite(void)
{
	Suite *s = suite_create("class_name");
	TCase *c = tcase_create("names");

	tcase_add_loop_test(c, class_names, 0, (int)HP_ARRAY_LEN(name_cases));
	tcase_add_test(c, packages);
	suite_add_tcase(s, c);
	return s;
}
