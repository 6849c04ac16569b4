/*
 * test_secrets.c - tests of the search for credentials: each kind of credential
 * in each text encoding, inside other text; and texts that only look similar
 */
#include "common/base/bytes.h"
#include "common/secrets/secrets.h"
#include "tests/secret_examples.h"

#include "tests/unit/must.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *test_secrets_suite(void);

_Static_assert(HP_ARRAY_LEN(secret_examples) == HP_SECRET_KINDS,
	       "each kind of secret needs an example");

static size_t
code(uint8_t *to, const char *text, size_t skip, unsigned width, bool big)
{
	size_t n = strlen(text);

	memset(to, 0x81, skip);
	to += skip;
	memset(to, 0, n * width);
	for (size_t i = 0; i < n; i++)
		to[i * width + (width == 2 && big)] = (uint8_t)text[i];
	memset(to + n * width, 0x81, 40);
	return skip + n * width + 40;
}

struct wanted {
	size_t n;
	const char *name;
	bool found;
};

static bool
on_found(void *ctx, const struct hp_secret *s)
{
	struct wanted *w = ctx;

	must(s->end > s->at && s->end <= w->n && s->length > 0);
	w->found |= !w->name || strcmp(hp_secret_name(s->kind), w->name) == 0;
	return true;
}

static bool
finds(const uint8_t *data, size_t n, unsigned kind, unsigned categories)
{
	struct wanted w = {.n = n, .name = hp_secret_name(kind)};

	must(hp_secrets_each(data, n, categories, on_found, &w));
	return w.found;
}

START_TEST(each_kind)
{
	static uint8_t bytes[2000];
	char text[400];

	for (unsigned k = 0; k < HP_SECRET_KINDS; k++) {
		snprintf(text, sizeof(text), " %s%s ", secret_examples[k][0],
			 secret_examples[k][1]);
		for (unsigned form = 0; form < 3; form++)
			for (size_t skip = 0; skip < 70; skip++) {
				size_t n = code(bytes, text, skip, form ? 2 : 1,
						form == 1);

				if (!finds(bytes, n, k, hp_secret_category(k)))
					ck_abort_msg("%s, form %u, %zu", text,
						     form, skip);
				ck_assert(!finds(bytes, n, k,
						 ~hp_secret_category(k)));
			}
	}
}
END_TEST

START_TEST(cut_off)
{
	char text[400];

	for (unsigned k = 0; k < HP_SECRET_KINDS; k++) {
		snprintf(text, sizeof(text), "%s%s", secret_examples[k][0],
			 secret_examples[k][1]);
		for (size_t n = 0; n <= strlen(text); n++) {
			uint8_t *copy = malloc(n ? n : 1);

			must(copy);
			memcpy(copy, text, n);
			finds(copy, n, k, HP_SECRETS_ALL);
			free(copy);
		}
	}
}
END_TEST

START_TEST(near_misses)
{
	static const char *const texts[] = {
		"-----BEGIN PRIVATE KEY-----",
		"-----BEGIN CERTIFICATE-----\nMIIE" A72,
		"-----BEGIN PUBLIC KEY-----\nMIIE" A72,
		"XAKIAJ7PQ2RS4TU6VW8XY",
		"AKIAJ7PQ2RS4TU6VW8XYZ",
		"AKIAJ7PQ2RS4TU6VW8x",
		("ghp_"
		 "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3o"),
		"eyJhbGciOiJIUzI1NiJ9",
		"https://db.example.com:8080/a@b",
		"https://joe@localhost/",
		"jdbc://${user}:${password}@host",
		"password=",
		"password=${db.password}",
		"password=******",
		"password=<your password>",
		"password=\"",
		"Bearer of bad news and more",
		"Bearer ",
		"SG.x",
		"JSESSIONID=",
		"JSESSIONID=0123456789ABCDE",
		"java.lang.Object@1b6d3586",
		"@Inject a@b.c",
		"x@example.com",
		"jane@localhost",
		"jane@example.c0m",
		"jane@.com",
		"4111111111111112",
		"14111111111111111",
		"4111111111111111L",
		"3.4111111111111111",
		"1234567812345670",
		"4111  1111 1111 1111",
		"411111111111111",
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(texts); i++) {
		struct wanted w = {.n = strlen(texts[i])};

		must(hp_secrets_each((const uint8_t *)texts[i], w.n,
				     HP_SECRETS_ALL, on_found, &w));
		ck_assert_msg(!w.found, "%s", texts[i]);
	}
}
END_TEST

/*
 * Test very long beginnings of credentials, which a naive search would read
 * again and again.
 */
START_TEST(hostile_bytes)
{
	static const char *const parts[] = {
		"eyJ",	"://",	 "Bearer ",    "-----BEGIN ", "password=",
		"ghp_", "://a:", "@",	       "a@",	      "aa@a.aa.",
		"4",	"4 ",	 "JSESSIONID="};
	size_t n = 4 << 20;
	uint8_t *data = malloc(n);

	must(data);
	for (size_t i = 0; i < HP_ARRAY_LEN(parts); i++) {
		size_t m = strlen(parts[i]);

		for (size_t k = 0; k < n; k++)
			data[k] = (uint8_t)parts[i][k % m];
		finds(data, n, 0, HP_SECRETS_ALL);
	}
	free(data);
}
END_TEST

Suite *
test_secrets_suite(void)
{
	Suite *s = suite_create("secrets");
	TCase *t = tcase_create("secrets");

	tcase_set_timeout(t, 20);
	tcase_add_test(t, each_kind);
	tcase_add_test(t, cut_off);
	tcase_add_test(t, near_misses);
	tcase_add_test(t, hostile_bytes);
	suite_add_tcase(s, t);
	return s;
}
