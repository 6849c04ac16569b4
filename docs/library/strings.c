/* Every java.lang.String of a dump with the id of its array, read one
 * record at a time: cc strings.c $(pkg-config --cflags --libs hprof) */
#include <hprof.h>
#include <inttypes.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	struct hprof_error error = {0};
	const struct hprof_item *item;
	const hprof_class *string;
	struct hprof_value value;
	hprof_reader *r;
	int status;

	if (argc != 2) {
		fprintf(stderr, "usage: strings DUMP\n");
		return 2;
	}
	if (hprof_open(argv[1], NULL, &r, &error) != HPROF_OK ||
	    hprof_read_classes(r, 0, &error) != HPROF_OK) {
		fprintf(stderr, "strings: %s\n", error.text);
		return 2;
	}
	string = hprof_class_by_name(r, "java.lang.String");
	while ((status = hprof_next(r, &item, &error)) == HPROF_OK)
		if (item->kind == HPROF_INSTANCE && string &&
		    item->u.object.class_id == hprof_class_id(string) &&
		    hprof_instance_value(r, item, "value", &value) == HPROF_OK)
			printf("0x%" PRIx64 "\t0x%" PRIx64 "\n",
			       item->u.object.id, value.value);
	if (status != HPROF_END)
		fprintf(stderr, "strings: %s\n", error.text);
	hprof_close(r);
	return status == HPROF_END ? 0 : 1;
}
