/*
 * records.c - count what libhprof's reader returns for a dump
 *
 * The output is JSON with the members "records" and "subrecords", as in the
 * output of hprof-validate. To test the installed library, this program is
 * built with the installed header hprof.h and uses no other code of this
 * project. It also checks each item (record or sub-record): the pieces of an
 * object must come in order and be complete, and offsets must grow.
 *
 * records DUMP [map]
 *
 * Exit status: 0 the whole dump was read; 1 it is damaged; 2 it cannot be read;
 * 3 an item breaks a promise; 4 the library changed a signal handler or printed
 * something.
 */
#define _GNU_SOURCE /* needed for the constant NSIG */
#include <hprof.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct count {
	const char *name;
	uint64_t n;
};

static struct count records[64], subs[64];

static void
add(struct count *counts, const char *name)
{
	for (int i = 0; i < 64; i++) {
		if (!counts[i].name)
			counts[i].name = name;
		if (strcmp(counts[i].name, name) == 0) {
			counts[i].n++;
			return;
		}
	}
	exit(3);
}

static void
print(const char *what, const struct count *counts)
{
	printf("\"%s\":{", what);
	for (int i = 0; i < 64 && counts[i].name; i++)
		printf("%s\"%s\":%" PRIu64, i ? "," : "", counts[i].name,
		       counts[i].n);
	printf("}");
}

/*
 * Check an array or an instance that the reader returns in several pieces. It
 * is counted when its first piece comes.
 */
static void
check_object(const struct hprof_item *item, uint32_t id_size)
{
	static uint64_t next, bytes;
	size_t width = item->kind == HPROF_INSTANCE
			       ? 1
			       : hprof_type_size(item->u.object.type, id_size);
	const uint8_t *data = item->u.object.data;

	if (item->u.object.first == 0)
		next = 0;
	if (item->u.object.first != next || width == 0 ||
	    item->u.object.here > item->u.object.count - next)
		exit(3);
	next += item->u.object.here;
	/*
	 * read every byte of the item, to check that all of them are accessible
	 */
	for (size_t i = 0; i < item->u.object.here * width; i++)
		bytes += data[i];
	if (bytes == UINT64_MAX)
		puts("");
}

static int
read_all(hprof_reader *r)
{
	const struct hprof_item *item;
	struct hprof_error error = {0};
	uint64_t offset = 0;
	int status, damaged = 0;

	while ((status = hprof_next(r, &item, &error)) != HPROF_END) {
		if (status != HPROF_OK) {
			fprintf(stderr, "%s: %s\n", hprof_strerror(status),
				error.text);
			damaged = 1;
			if (status != HPROF_DAMAGED &&
			    status != HPROF_TRUNCATED)
				return 2;
			continue;
		}
		if (item->offset < offset)
			exit(3);
		offset = item->offset;
		if (item->kind >= HPROF_INSTANCE &&
		    item->kind <= HPROF_PRIMITIVE_ARRAY) {
			if (item->tag != 0xC3)
				check_object(item,
					     hprof_get_header(r)->id_size);
			if (item->u.object.first > 0)
				continue;
		}
		add(item->kind >= HPROF_ROOT ? subs : records, item->name);
	}
	if (hprof_next(r, &item, &error) != HPROF_END || item)
		exit(3);
	return damaged;
}

int
main(int argc, char **argv)
{
	struct hprof_options o = HPROF_OPTIONS_INIT;
	struct hprof_error error = {0};
	struct sigaction now;
	hprof_reader *r;
	int status;

	if (argc < 2)
		return 2;
	o.flags = argc > 2 && strcmp(argv[2], "map") == 0 ? HPROF_MAP : 0;
	status = hprof_open(argv[1], &o, &r, &error);
	if (status != HPROF_OK) {
		fprintf(stderr, "%s: %s\n", hprof_strerror(status), error.text);
		return status == HPROF_DAMAGED ? 1 : 2;
	}
	status = read_all(r);
	hprof_close(r);
	printf("{");
	print("records", records);
	printf(",");
	print("subrecords", subs);
	printf("}\n");
	for (int i = 1; i < NSIG; i++)
		if (sigaction(i, NULL, &now) == 0 && now.sa_handler != SIG_DFL)
			return 4;
	return status;
}
