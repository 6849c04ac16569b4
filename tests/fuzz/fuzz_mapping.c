/*
 * fuzz_mapping.c - fuzz target: mapping files of R8 and ProGuard
 *
 * The input is the text of a mapping file. The target makes small tables of
 * classes and frames whose names are taken from the input. It renames them with
 * the mapping, and checks that every record is still readable.
 */
#include "common/mapping/mapping.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void
record(struct hp_tables *t, uint8_t tag, const uint8_t *body, size_t n)
{
	const struct hp_record rec = {.tag = tag, .length = (uint32_t)n};
	struct hp_cursor c = {.data = body, .len = n};

	HP_FUZZ_CHECK(hp_tables_record(t, &rec, c, 0, NULL, NULL) == HP_OK);
}

static void
fill(struct hp_tables *t, const uint8_t *data, size_t n)
{
	uint8_t body[64] = {0};
	size_t part = n / 4 < 40 ? n / 4 : 40;

	for (uint8_t i = 1; i <= 4; i++) {
		body[3] = i;
		memcpy(body + 4, data + (i - 1) * (n / 4), part);
		record(t, HP_REC_STRING, body, 4 + part);
	}
	record(t, HP_REC_LOAD_CLASS,
	       (const uint8_t[]){0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0,
				 1},
	       16);
	for (uint8_t i = 1; i <= 3; i++)
		record(t, HP_REC_STACK_FRAME,
		       (const uint8_t[]){0, 0, 0, i, 0, 0, 0, 2, 0, 0, 0, 3,
					 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, i},
		       24);
	record(t, HP_REC_STACK_TRACE,
	       (const uint8_t[]){0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3,
				 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3},
	       24);
}

static void
rename_tables(struct hp_mappings *maps, const uint8_t *data, size_t n)
{
	struct hp_rename r = {0};
	struct hp_tables t;
	const struct hp_trace *trace;

	hp_tables_init(&t, 4);
	fill(&t, data, n);
	hp_rename_init(&r, maps, &t);
	HP_FUZZ_CHECK(hp_rename_records(&r, NULL, NULL) == HP_OK);
	HP_FUZZ_CHECK(hp_rename_publish(&r, NULL) == HP_OK);
	trace = hp_tables_trace(&t, 1);
	HP_FUZZ_CHECK(trace && trace->nframes > 0);
	for (uint32_t i = 0; i < trace->nframes; i++) {
		const struct hp_frame *f =
			hp_tables_frame(&t, trace->frames[i]);

		HP_FUZZ_CHECK(f && hp_tables_string(&t, f->method) &&
			      hp_tables_load_serial(&t, f->class_serial));
	}
	hp_rename_release(&r);
	hp_tables_release(&t);
}

int
hp_fuzz_one(const uint8_t *data, size_t n)
{
	struct hp_mappings maps = {0};
	struct hp_error err = {0};

	for (int i = 0; i < 2; i++) {
		HP_FUZZ_CHECK(hp_mappings_add(&maps, "m", &err) == HP_OK);
		if (hp_mapping_parse(&maps.list[i].mapping, (const char *)data,
				     n, &err) != HP_OK) {
			HP_FUZZ_CHECK(err.text[0] != 0);
			maps.count = 0;
			break;
		}
	}
	if (maps.count > 0 && n >= 4)
		rename_tables(&maps, data, n);
	hp_mappings_release(&maps);
	return 0;
}
