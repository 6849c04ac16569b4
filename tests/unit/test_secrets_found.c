/*
 * test_secrets_found.c - tests of --secrets on dumps: which records are
 * searched, which object holds a credential, and that no report shows the
 * credential
 */
#include "common/secrets/secrets.h"
#include "tests/builder/world.h"
#include "tests/unit/must.h"
#include "tests/unit/validate_helper.h"
#include "validate/validate.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_secrets_found_suite(void);

#define TOKEN                                                                  \
	"ghp_"                                                                 \
	"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6"

enum {
	CONFIG = 0x60000000,
	TEXT = 0x61000000,
	ARRAY = 0x62000000,
	LIST = 0x63000000,
	/* size in bytes of an array that is read in several pieces */
	LARGE = 3 << 20,
};

static char *
validate_bytes(const struct b *b, unsigned threads)
{
	struct hp_validate_options o = {.threads = threads,
					.memory = 512 << 20,
					.level = HP_LEVEL_REFERENCES,
					.secrets = HP_SECRETS_STANDARD,
					.max_examples = 20};
	struct hp_validation v;
	int fd = bytes_as_file(b->data, b->len);
	char path[32], *json;

	memset(o.severity, HP_SEVERITY_AS_IS, sizeof(o.severity));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	hp_validate_file(path, &o, &v);
	json = json_of_validation(&v);
	hp_validation_release(&v);
	close(fd);
	return json;
}

static void
add_array(struct b *b, uint64_t id, unsigned type, unsigned width,
	  const char *text, size_t before, size_t n)
{
	uint64_t *values = calloc(n, sizeof(*values));

	must(values);
	for (size_t i = 0; text[i]; i++)
		values[before + i * width] = (uint8_t)text[i];
	b_primitive_array(b, id, type, (uint32_t)n, values);
	free(values);
}

static void
add_config(struct b *b, uint64_t value, uint64_t shared)
{
	b_class(b, &(struct b_class){.id = CONFIG,
				     .super = b_class_id(b, B_C_OBJECT),
				     .size = B_AUTO});
	b_static(b, b_intern(b, "sharedToken"), B_OBJECT, shared);
	b_field(b, b_intern(b, "apiToken"), B_OBJECT);
	b_class_end(b);
	b_instance(b, CONFIG + 8, CONFIG);
	b_value(b, B_OBJECT, value);
	b_instance_end(b);
}

static void
begin(struct b *b)
{
	b_init(b, 8);
	b_world_tables(b, B_HOTSPOT);
	b_intern(b, "sharedToken");
	b_intern(b, "apiToken");
	b_load_class(b, 900, CONFIG, 1, b_intern(b, "com/acme/Config"));
}

static void
add_string(struct b *b, uint64_t id, uint64_t array)
{
	w_instance(b, id, B_C_STRING, (uint64_t[]){array, 0, 0});
}

#define ck_has(json, text)                                                     \
	ck_assert_msg(strstr(json, text) != NULL, "%s not in %s", text, json)

/* Check that a report contains no part of the credential. */
#define ck_hidden(json) ck_assert_ptr_null(strstr(json, "aB3dE6"))

START_TEST(each_place)
{
	struct b b;
	char *json;

	begin(&b);
	b_string(&b, 0x7e000001, "key " TOKEN);
	b_world_heap(&b);
	add_array(&b, ARRAY, B_BYTE, 1, TOKEN, 7, 60);
	add_array(&b, ARRAY + 0x100, B_BYTE, 2, TOKEN, 0, 90);
	add_array(&b, ARRAY + 0x200, B_CHAR, 1, TOKEN, 3, 50);
	add_array(&b, ARRAY + 0x300, B_CHAR, 1, TOKEN, 3, 50);
	/* arrays of longs are not searched */
	add_array(&b, ARRAY + 0x600, B_LONG, 1, TOKEN, 3, 50);
	add_string(&b, TEXT, ARRAY);
	add_string(&b, TEXT + 0x40, ARRAY + 0x100);
	add_config(&b, TEXT, ARRAY + 0x200);
	b_object_array(&b, LIST, b_class_id(&b, B_C_OBJECTS), 2,
		       (uint64_t[]){0, TEXT + 0x40});
	b_world_end(&b);
	json = validate_bytes(&b, 1);
	ck_has(json, "\"secret\"");
	ck_has(json, "a STRING record contains a secret: GitHub personal "
		     "access token, 40 characters\"");
	ck_has(json, "a byte array contains a secret: GitHub personal "
		     "access token, 40 characters, held by apiToken of "
		     "com.acme.Config");
	ck_has(json, "held by elements[1] of java.lang.Object[]");
	ck_has(json, "40 characters, held by sharedToken of com.acme.Config");
	ck_has(json, "a char array contains a secret: GitHub personal "
		     "access token, 40 characters\"");
	ck_has(json, "\"verdict\": \"invalid\"");
	ck_hidden(json);
	free(json);
	b_release(&b);
}
END_TEST

START_TEST(across_pieces)
{
	char *json, *first = NULL;

	for (unsigned wide = 0; wide < 2; wide++)
		for (size_t shift = 0; shift < 60; shift += wide ? 7 : 3) {
			struct b b;
			size_t step = (1 << 20) - 50 + shift;

			begin(&b);
			b_world_heap(&b);
			add_array(&b, ARRAY, B_BYTE, 1 + wide, TOKEN,
				  step & ~(size_t)1, LARGE);
			add_config(&b, ARRAY, 0);
			b_world_end(&b);
			json = validate_bytes(&b, 2);
			ck_has(json, "held by apiToken of com.acme.Config");
			ck_has(json, "\"count\": 1");
			ck_hidden(json);
			if (first)
				ck_assert_str_eq(strstr(json, "\"rules\""),
						 first);
			else
				first = strdup(strstr(json, "\"rules\""));
			free(json);
			b_release(&b);
		}
	free(first);
}
END_TEST

START_TEST(nothing_to_find)
{
	struct b b;
	char *json;

	begin(&b);
	b_world_heap(&b);
	add_array(&b, ARRAY, B_BYTE, 1, "ghp_short", 0, 60);
	add_config(&b, ARRAY, 0);
	b_world_end(&b);
	json = validate_bytes(&b, 2);
	ck_assert_ptr_null(strstr(json, "\"secret\""));
	ck_has(json, "\"verdict\": \"valid\"");
	free(json);
	b_release(&b);
}
END_TEST

Suite *
test_secrets_found_suite(void)
{
	Suite *s = suite_create("secrets_found");
	TCase *t = tcase_create("secrets_found");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, each_place);
	tcase_add_test(t, across_pieces);
	tcase_add_test(t, nothing_to_find);
	suite_add_tcase(s, t);
	return s;
}
