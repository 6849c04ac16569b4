/*
 * layout.c - print the sizes and offsets in hprof.h's structures, and compare
 * them with those of earlier versions
 *
 * Programs that were built with an earlier hprof.h rely on these sizes and
 * offsets.
 */
#include <hprof.h>
#include <stddef.h>
#include <stdio.h>

#define SHOW(type, member)                                                     \
	printf("%s.%s %zu\n", #type, #member, offsetof(struct type, member))

int
main(void)
{
	printf("hprof_error %zu\n", sizeof(struct hprof_error));
	SHOW(hprof_error, text);
	printf("hprof_options %zu\n", sizeof(struct hprof_options));
	SHOW(hprof_options, threads);
	SHOW(hprof_options, dump);
	SHOW(hprof_options, memory);
	SHOW(hprof_options, max_size);
	SHOW(hprof_options, flags);
	SHOW(hprof_header, id_size);
	SHOW(hprof_header, time_ms);
	SHOW(hprof_header, compression);
	printf("hprof_value %zu\n", sizeof(struct hprof_value));
	SHOW(hprof_value, value);
	SHOW(hprof_value, index);
	SHOW(hprof_value, type);
	printf("hprof_site %zu\n", sizeof(struct hprof_site));
	printf("hprof_sample %zu\n", sizeof(struct hprof_sample));
	SHOW(hprof_item, tag);
	SHOW(hprof_item, name);
	SHOW(hprof_item, offset);
	SHOW(hprof_item, dump);
	SHOW(hprof_item, time_us);
	SHOW(hprof_item, u.string.text);
	SHOW(hprof_item, u.load_class.serial);
	SHOW(hprof_item, u.frame.line);
	SHOW(hprof_item, u.trace.count);
	SHOW(hprof_item, u.thread.trace_serial);
	SHOW(hprof_item, u.sites.flags);
	SHOW(hprof_item, u.root.trace_serial);
	SHOW(hprof_item, u.class_dump.nconstants);
	SHOW(hprof_item, u.object.data);
	SHOW(hprof_item, u.heap_info.heap);
	printf("hprof_item %zu\n", sizeof(struct hprof_item));
	SHOW(hprof_field, position);
	SHOW(hprof_field, type);
	printf("OK %d DAMAGED %d NOT_FOUND %d\n", HPROF_OK, HPROF_DAMAGED,
	       HPROF_NOT_FOUND);
	printf("STRING %d OTHER %d ROOT %d HEAP_INFO %d\n", HPROF_STRING,
	       HPROF_OTHER, HPROF_ROOT, HPROF_HEAP_INFO);
	return 0;
}
