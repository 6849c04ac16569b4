/*
 * test_loader_paths.c - check the examples in two tables
 *
 * An example in loader_paths.def must match the pattern in its row, and no
 * pattern in an earlier row. For an example in loader_names.def, the program
 * must create the text that the row contains.
 */
#include "common/cli/glob.h"
#include "diff/findings/findings.h"
#include "diff/count/loader_naming.h"
#include "tests/unit/must.h"

#include <check.h>
#include <string.h>

Suite *test_loader_paths_suite(void);

static const struct {
	const char *pattern, *meaning, *example;
} entries[] = {
#define LOADER_PATH(pattern, meaning, example) {pattern, meaning, example},
#include "diff/findings/loader_paths.def"
};

START_TEST(each_example_has_the_meaning_of_its_entry)
{
	for (size_t i = 0; i < HP_ARRAY_LEN(entries); i++) {
		const char *path = entries[i].example;

		ck_assert_str_eq(hp_loader_path_meaning(path),
				 entries[i].meaning);
		for (size_t k = 0; k < i; k++)
			ck_assert_msg(!hp_glob_match(entries[k].pattern, path,
						     strlen(path)),
				      "%s matches %s", path,
				      entries[k].pattern);
		ck_assert(
			hp_glob_match(entries[i].pattern, path, strlen(path)));
	}
}

START_TEST(each_loader_name_is_that_of_its_example)
{
	static const struct {
		const char *noun, *value, *text;
	} names[] = {
#define LOADER_NAME(class, noun, fields, value, text) {noun, value, text},
#include "diff/count/loader_names.def"
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++) {
		struct hp_buf b = {0};

		hp_loader_name_text(&b, names[i].noun, names[i].value);
		ck_assert_str_eq(hp_buf_string(&b), names[i].text);
		hp_buf_release(&b);
	}
}

Suite *
test_loader_paths_suite(void)
{
	Suite *s = suite_create("loader_paths");
	TCase *t = tcase_create("meanings");

	tcase_add_test(t, each_example_has_the_meaning_of_its_entry);
	tcase_add_test(t, each_loader_name_is_that_of_its_example);
	suite_add_tcase(s, t);
	return s;
}
