/*
 * test_class_name.c - tests of class names: their spelling as in Java source,
 * and their parts that change from run to run
 */
#include "common/model/class_name.h"

#include <check.h>
#include <string.h>

Suite *test_class_name_suite(void);

/*
 * For each case: the name as in the dump, the name as shown, and the name
 * without its generated parts. The two numbers: 1 if it is the name of an array
 * class, and 1 if its elements are references.
 */
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
	/*
	 * In these names, 12 and 0xCAFE are ordinary parts, not generated ones.
	 */
	{"com/acme/12", "com.acme.12", "com.acme.12", 0, 0},
	{"com/acme/1234567", "com.acme.1234567", "com.acme.1234567", 0, 0},
	{"[Lcom/acme/12;", "com.acme.12[]", "com.acme.12[]", 1, 1},
	{"com.acme.12", "com.acme.12", "com.acme.12", 0, 0},
	{"com/Acme/12", "com.Acme.12", "com.Acme.12", 0, 0},
	{"com/Acme/12345", "com.Acme.12345", "com.Acme.12345", 0, 0},
	{"com/acme/0xCAFE", "com.acme.0xCAFE", "com.acme.0xCAFE", 0, 0},
	{"com/acme/1a2b3c4d", "com.acme.1a2b3c4d", "com.acme.1a2b3c4d", 0, 0},
	{"12", "12", "12", 0, 0},
	{"/123456", ".123456", ".123456", 0, 0},
	{"a/C+1", "a.C+1", "a.C+1", 0, 0},
	/*
	 * In these names, the part after the last slash shows that the JVM has
	 * defined a hidden class.
	 */
	{"com/Acme/1234567", "com.Acme/1234567", "com.Acme", 0, 0},
	{"com/acme$1/1234567", "com.acme$1/1234567", "com.acme$1", 0, 0},
	{"a/T$$Lambda$6/12", "a.T$$Lambda$6/12", "a.T$$Lambda", 0, 0},
	{"java/lang/invoke/LambdaForm$DMH/7",
	 "java.lang.invoke.LambdaForm$DMH/7", "java.lang.invoke.LambdaForm$DMH",
	 0, 0},
	{"java.lang.invoke.LambdaForm$MH.1523510420",
	 "java.lang.invoke.LambdaForm$MH.1523510420",
	 "java.lang.invoke.LambdaForm$MH", 0, 0},
	/*
	 * a generator has made these names from names that were already
	 * generated; some are names of array classes
	 */
	{"[La/B$$EnhancerByGuice$$969b9638$$FastClassByGuice$$96f9109e;",
	 "a.B$$EnhancerByGuice$$969b9638$$FastClassByGuice$$96f9109e[]",
	 "a.B$$EnhancerByGuice$$FastClassByGuice[]", 1, 1},
	{"a/B$HibernateProxy$Ab3dE5gH$auxiliary$0cWx9y8z",
	 "a.B$HibernateProxy$Ab3dE5gH$auxiliary$0cWx9y8z",
	 "a.B$HibernateProxy$auxiliary", 0, 0},
	{"a/Foo$$Lambda$14+0x0000000800c03000",
	 "a.Foo$$Lambda$14/0x0000000800c03000", "a.Foo$$Lambda", 0, 0},
};

/*
 * The entries of generated_names.def. If `group` is not empty, the pattern must
 * begin with this character, so that a quick check finds the entry.
 */
static const struct generated_case {
	const char *group, *pattern, *example, *normal;
} generated_cases[] = {
#define GENERATED_DOLLAR(from, pattern, example, normal)                       \
	{"$", pattern, example, normal},
#define GENERATED_START(from, pattern, example, normal)                        \
	{"^", pattern, example, normal},
#define GENERATED_OWN(from, pattern, example, normal)                          \
	{"<", pattern, example, normal},
#define GENERATED_OTHER(from, pattern, example, normal)                        \
	{"", pattern, example, normal},
#include "common/model/generated_names.def"
};

/* Ordinary names that look similar to generated names. */
static const char *const ordinary_names[] = {
	"Foo$1",
	"Foo$1$2",
	"com.acme.Foo$12",
	"com.acme.Foo$1Local",
	"com.acme.Order2",
	"com.acme.Script1",
	"com.acme.Script12$Inner",
	"Script",
	"Script1a",
	"ScriptEngine1",
	"Script_1",
	"com.acme.Proxy12",
	"com.acme.My$Proxy12",
	"com.acme.GeneratedMethodAccessor",
	"com.acme.MyGeneratedMethodAccessor7",
	"com.acme.Lambda$1",
	"com.acme.T$Lambda$1",
	"com.acme.T$$Lambda",
	"com.acme.ByCGLIB",
	"com.acme.EnhancerByCGLIB$Naming",
	"com.acme.EnhancerByCGLIB$$Naming",
	"com.acme.SpringCGLIB$$0",
	"com.acme.Order$HibernateProxy",
	"com.acme.HibernateProxy$Factory",
	"com.acme.MockitoMock$1",
	"com.acme.ByteBuddy$1",
	"com.acme.Order_$$_jvst",
	"com.acme.Order_1_2",
	"com.acme.Outer$Inner__1",
	"com.acme.Outer__12",
	"com.acme.Outer$__1",
	"com.acme.Fn__12$Inner",
	"com.acme.Outer$evaluate1",
	"com.acme.Outer$eval",
	"com.acme.Foo_closure1",
	"com.acme.Foo$Bar_closure1",
	"com.acme.T$$anon$1",
	"com.acme.anonfun$1",
	"com.acme.MainKt$main$1",
	"com.acme.MainKt$main$lambda$1",
	"com.acme.Foo$sample$1",
	"com.acme.Recorder$ExternalSyntheticLambda1",
	"com.acme.rubyjit.Tool_1f",
	"org.jruby.gen.RubyObject6",
	"org.jruby.RubyString$INVOKER$i$1$0$op_plus",
	"org.codehaus.groovy.runtime.dgm$123",
	"java.lang.invoke.LambdaForm$Name",
	"java.lang.invoke.LambdaForm$MHx",
	"java.lang.invoke.BoundMethodHandle$SpeciesData",
	"com.acme.BoundMethodHandle$Species_L",
	"java.util.stream.StreamSpliterators$SliceSpliterator$OfInt",
	"sun.nio.cs.MS1252",
	"com.android.org.conscrypt.OpenSSLMac$HmacSHA256",
	"android.icu.impl.ICUResourceBundleReader$Table1632",
	"_",
	"$",
	"$$",
	"a$",
	"a.",
	"1",
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

static void
normalizes(const char *name, const char *normal)
{
	struct hp_buf b = {0};

	hp_class_name_normalize(&b, name, strlen(name));
	ck_assert_str_eq(hp_buf_string(&b), normal);
	hp_buf_release(&b);
}

static bool
has_suffix(const char *name)
{
	const char *own = name + hp_class_name_package(name, strlen(name));

	own += *own == '.';
	return hp_class_name_has_suffix(own, strlen(own));
}

START_TEST(generated_names)
{
	const struct generated_case *c = &generated_cases[_i];
	struct hp_buf array = {0}, normal = {0};

	if (*c->group)
		ck_assert_ptr_nonnull(strchr(c->group, c->pattern[0]));
	else
		ck_assert_ptr_null(strchr("$^<", c->pattern[0]));
	normalizes(c->example, c->normal);
	normalizes(c->normal, c->normal);
	hp_buf_printf(&array, "%s[][]", c->example);
	hp_buf_printf(&normal, "%s[][]", c->normal);
	normalizes(hp_buf_string(&array), hp_buf_string(&normal));
	if (c->pattern[0] == '$') {
		ck_assert(has_suffix(c->example));
		ck_assert(has_suffix(c->normal));
	}
	hp_buf_release(&array);
	hp_buf_release(&normal);
}
END_TEST

START_TEST(ordinary)
{
	normalizes(ordinary_names[_i], ordinary_names[_i]);
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
		{"com.acme.12", "com.acme"},
		{"com.acme.1234567", "com.acme"},
		/*
		 * hprof-diff shortens names of more than 8,192 bytes in this
		 * way
		 */
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

START_TEST(nested_classes_are_no_suffixes)
{
	static const char *const names[] = {
		"Order",
		"java.util.HashMap$Node",
		"com.acme.Order$MockitoMocker",
		"com.acme.Order$Evaluation$Evaluator",
		"com.google.gson.$Gson$Types$ParameterizedTypeImpl",
		"com.sun.proxy.$Proxy12",
		"a$",
		"$",
		"",
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++)
		ck_assert_msg(!has_suffix(names[i]), "%s", names[i]);
	ck_assert(has_suffix("com.acme.Order$$EnhancerBySpringCGLIB"));
	ck_assert(has_suffix("com.acme.Order$MockitoMock$Part"));
}
END_TEST

Suite *
test_class_name_suite(void)
{
	Suite *s = suite_create("class_name");
	TCase *c = tcase_create("names");

	tcase_add_loop_test(c, class_names, 0, (int)HP_ARRAY_LEN(name_cases));
	tcase_add_loop_test(c, generated_names, 0,
			    (int)HP_ARRAY_LEN(generated_cases));
	tcase_add_loop_test(c, ordinary, 0, (int)HP_ARRAY_LEN(ordinary_names));
	tcase_add_test(c, packages);
	tcase_add_test(c, nested_classes_are_no_suffixes);
	suite_add_tcase(s, c);
	return s;
}
