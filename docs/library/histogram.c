/* The ten largest classes of a dump:
 * cc histogram.c $(pkg-config --cflags --libs hprof) -o histogram */
#include <hprof.h>
#include <inttypes.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	struct hprof_error error = {0};
	hprof_histogram *h;
	size_t i;

	if (argc != 2) {
		fprintf(stderr, "usage: histogram DUMP\n");
		return 2;
	}
	if (hprof_histogram_read(argv[1], NULL, &h, &error) != HPROF_OK) {
		fprintf(stderr, "histogram: %s\n", error.text);
		return 2;
	}
	for (i = 0; i < hprof_histogram_rows(h) && i < 10; i++)
		printf("%" PRIu64 "\t%" PRIu64 "\t%s\n",
		       hprof_histogram_count(h, i), hprof_histogram_bytes(h, i),
		       hprof_histogram_class(h, i));
	hprof_histogram_free(h);
	return 0;
}
