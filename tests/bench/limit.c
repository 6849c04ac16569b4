/*
 * limit.c - sum up the 64-bit numbers of a mapped file on one thread
 *
 * The benchmarks compare the programs of this project with limit.c. It reads
 * every byte of a file and does almost nothing else, so its time is a lower
 * limit for all programs. It prints the sum, so that the compiler cannot remove
 * the work.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Compute four independent sums, so that no addition waits for the result of
 * the previous one.
 */
static uint64_t
sum(const uint64_t *p, size_t n)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		a += p[i];
		b += p[i + 1];
		c += p[i + 2];
		d += p[i + 3];
	}
	for (; i < n; i++)
		a += p[i];
	return a + b + c + d;
}

int
main(int argc, char **argv)
{
	struct stat st;
	void *map;
	int fd;

	if (argc != 2) {
		fprintf(stderr, "Usage: limit FILE\n");
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || st.st_size == 0) {
		perror(argv[1]);
		return 2;
	}
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED) {
		perror("mmap");
		return 2;
	}
	printf("%" PRIu64 "\n", sum(map, (size_t)st.st_size / 8));
	return 0;
}
