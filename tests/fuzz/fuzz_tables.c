/*
 * fuzz_tables.c - fuzz target: the conversion of a dump into tables
 *
 * Every row of every table must have as many cells as the header line, for any
 * names in the dump. The only control bytes in a table must be the separators
 * of cells and lines.
 */
#include "convert/export/ndjson.h"
#include "convert/export/tables.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static void
check_table(const char *text, size_t n)
{
	size_t cells = 0, names = 0;

	HP_FUZZ_CHECK(n > 0 && text[n - 1] == '\n');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		HP_FUZZ_CHECK((c >= ' ' && c != 0x7F) || c == '\t' ||
			      c == '\n');
		cells += c == '\t' || c == '\n';
		if (c != '\n')
			continue;
		names = names ? names : cells;
		HP_FUZZ_CHECK(cells == names);
		cells = 0;
	}
}

static void
check_tables(struct hp_table_set *set)
{
	struct hp_error err = {0};

	for (unsigned i = 0; i < HP_TABLES; i++) {
		size_t n = (size_t)set->folder.files[set->file[i]].size;
		char *text = malloc(n + 1);

		HP_FUZZ_CHECK(text != NULL);
		HP_FUZZ_CHECK(hp_output_folder_read(&set->folder, set->file[i],
						    text, n, 0, &err) == HP_OK);
		check_table(text, n);
		free(text);
	}
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	static const uint64_t elements[] = {HP_NDJSON_NO_ELEMENTS, 3, 1000};
	unsigned way = hp_fuzz_choice(data, n, 6);
	struct hp_source *src = hp_fuzz_source(data, n, HP_FUZZ_FILE, 0);
	const struct hp_convert_options how = {
		.common = {.threads = 1,
			   .memory = way & 1 ? 2u << 30 : 2 << 16},
		.elements = elements[way / 2],
		.input = "a\tb"};
	struct hp_table_set set = {0};
	struct hp_undescribed undescribed;
	struct hp_error err = {0};
	enum hp_status st;

	if (!src)
		return 0;
	HP_FUZZ_CHECK(hp_table_set_open(&set, NULL, false, src, &err) == HP_OK);
	st = hp_tables_convert(src, &set, &how, &undescribed, &err);
	HP_FUZZ_CHECK(st == HP_OK || err.text[0]);
	HP_FUZZ_CHECK(st == HP_OK || st == HP_DAMAGED || st == HP_TRUNCATED ||
		      st == HP_LIMIT || st == HP_UNSUPPORTED);
	if (st == HP_OK)
		check_tables(&set);
	hp_table_set_release(&set);
	hp_source_close(src);
	return 0;
}
