/*
 * foreign_file.c - kinds of files that are taken for dumps, by their first
 * bytes
 *
 * Compression that our sources peel is not among them, but for layers too
 * many.
 */
#include "common/format/foreign_file.h"

#include <string.h>

static const struct {
	const char *bytes;
	unsigned length;
	const char *what;
	unsigned at; /* offset of the bytes */
} kinds[] = {
	{"\0\23portable heap", 15, "a portable heap dump of OpenJ9"},
	{"\177ELF", 4, "an ELF file, perhaps a core"},
	{"PK\3\4", 4, "a zip archive"},
	{"\375"
	 "7zXZ\0",
	 6, "compressed with xz, which is to be unpacked first"},
	{"BZh", 3, "compressed with bzip2, which is to be unpacked first"},
	{"\4\"M\30", 4, "compressed with lz4, which is to be unpacked first"},
	{"7z\274\257\47\34", 6, "a 7-Zip archive"},
	{"\37\213\10", 3, "still compressed after three layers"},
	{"\50\265\57\375", 4, "still compressed after three layers"},
	{"ustar", 5, "a tar archive", 257}, /* POSIX, "ustar Interchange" */
	{"", 0, "text"},		    /* the last: told by all bytes */
};

const char *
hp_foreign_file_text(uint64_t guess)
{
	return guess > 0 && guess <= HP_ARRAY_LEN(kinds) ? kinds[guess - 1].what
							 : NULL;
}

static bool
is_text(const struct hp_header *h)
{
	for (unsigned i = 0; i < h->nstart; i++)
		if (h->start[i] == 0 ||
		    (h->start[i] < ' ' && !strchr("\t\n\r", h->start[i])))
			return false;
	return h->nstart > 0;
}

unsigned
hp_foreign_file(const struct hp_header *h)
{
	for (unsigned i = 0; i + 1 < HP_ARRAY_LEN(kinds); i++)
		if (h->nstart >= kinds[i].at + kinds[i].length &&
		    memcmp(h->start + kinds[i].at, kinds[i].bytes,
			   kinds[i].length) == 0)
			return i + 1;
	if (h->nstart > 13 && memcmp(h->start, "JAVA PROFILE ", 13) == 0)
		return 0;
	return is_text(h) ? HP_ARRAY_LEN(kinds) : 0;
}
