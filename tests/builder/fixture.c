/*
 * fixture.c - the program with which shell tests write a test dump (a fixture)
 * to standard output
 *
 * - fixture NAME [--id-size=4|8]: writes the dump
 * - fixture --info NAME [...]: writes a description of the dump, as JSON
 * - fixture --list: writes for each fixture its name, id sizes, verdict, rule
 *   and description
 */
#include "tests/builder/fixtures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tag_name {
	unsigned tag;
	const char *name;
};

static const struct tag_name record_names[] = {
	{B_STRING, "STRING"},
	{B_LOAD_CLASS, "LOAD_CLASS"},
	{B_UNLOAD_CLASS, "UNLOAD_CLASS"},
	{B_STACK_FRAME, "STACK_FRAME"},
	{B_STACK_TRACE, "STACK_TRACE"},
	{B_ALLOC_SITES, "ALLOC_SITES"},
	{B_HEAP_SUMMARY, "HEAP_SUMMARY"},
	{B_START_THREAD, "START_THREAD"},
	{B_END_THREAD, "END_THREAD"},
	{B_HEAP_DUMP, "HEAP_DUMP"},
	{B_CPU_SAMPLES, "CPU_SAMPLES"},
	{B_CONTROL_SETTINGS, "CONTROL_SETTINGS"},
	{B_HEAP_DUMP_SEGMENT, "HEAP_DUMP_SEGMENT"},
	{B_HEAP_DUMP_END, "HEAP_DUMP_END"},
	{0, NULL}};
static const struct tag_name subrecord_names[] = {
	{B_ROOT_UNKNOWN, "ROOT_UNKNOWN"},
	{B_ROOT_JNI_GLOBAL, "ROOT_JNI_GLOBAL"},
	{B_ROOT_JNI_LOCAL, "ROOT_JNI_LOCAL"},
	{B_ROOT_JAVA_FRAME, "ROOT_JAVA_FRAME"},
	{B_ROOT_NATIVE_STACK, "ROOT_NATIVE_STACK"},
	{B_ROOT_STICKY_CLASS, "ROOT_STICKY_CLASS"},
	{B_ROOT_THREAD_BLOCK, "ROOT_THREAD_BLOCK"},
	{B_ROOT_MONITOR_USED, "ROOT_MONITOR_USED"},
	{B_ROOT_THREAD_OBJECT, "ROOT_THREAD_OBJECT"},
	{B_CLASS_DUMP, "CLASS_DUMP"},
	{B_INSTANCE_DUMP, "INSTANCE_DUMP"},
	{B_OBJECT_ARRAY_DUMP, "OBJECT_ARRAY_DUMP"},
	{B_PRIMITIVE_ARRAY_DUMP, "PRIMITIVE_ARRAY_DUMP"},
	{B_ROOT_INTERNED_STRING, "ROOT_INTERNED_STRING"},
	{B_ROOT_FINALIZING, "ROOT_FINALIZING"},
	{B_ROOT_DEBUGGER, "ROOT_DEBUGGER"},
	{B_ROOT_REFERENCE_CLEANUP, "ROOT_REFERENCE_CLEANUP"},
	{B_ROOT_VM_INTERNAL, "ROOT_VM_INTERNAL"},
	{B_ROOT_JNI_MONITOR, "ROOT_JNI_MONITOR"},
	{B_UNREACHABLE, "UNREACHABLE"},
	{B_PRIMITIVE_ARRAY_NODATA, "PRIMITIVE_ARRAY_NODATA"},
	{B_HEAP_DUMP_INFO, "HEAP_DUMP_INFO"},
	{0, NULL}};

static void
print_counts(const char *key, const uint64_t *counts,
	     const struct tag_name *names)
{
	const char *comma = "";

	printf(",\"%s\":{", key);
	for (unsigned tag = 0; tag < 256; tag++) {
		const struct tag_name *n = names;

		if (!counts[tag])
			continue;
		while (n->name && n->tag != tag)
			n++;
		if (n->name)
			printf("%s\"%s\":", comma, n->name);
		else
			printf("%s\"0x%02x\":", comma, tag);
		printf("%llu", (unsigned long long)counts[tag]);
		comma = ",";
	}
	printf("}");
}

static void
print_info(const struct b_fixture *f, const struct b *b)
{
	printf("{\"name\":\"%s\",\"bytes\":%zu,\"id_size\":%u,"
	       "\"verdict\":\"%s\"",
	       f->name, b_here(b), b->id_size,
	       f->verdict == B_VALID ? "valid" : "invalid");
	if (f->rule)
		printf(",\"rule\":\"%s\"", f->rule);
	print_counts("records", b->records, record_names);
	print_counts("subrecords", b->subrecords, subrecord_names);
	printf(",\"marks\":{");
	for (size_t i = 0; i < b->nmarks; i++)
		printf("%s\"%s\":%zu", i ? "," : "", b->marks[i].name,
		       b->marks[i].at);
	printf("}}\n");
}

static void
print_list(void)
{
	for (const struct b_fixture *f = b_fixtures(); f->name; f++)
		printf("%s\t%s\t%s\t%s\t%s\n", f->name,
		       f->id_sizes == 12  ? "4,8"
		       : f->id_sizes == 4 ? "4"
					  : "8",
		       f->verdict == B_VALID ? "valid" : "invalid",
		       f->rule ? f->rule : "-", f->shows);
}

static int
usage(void)
{
	fputs("usage: fixture [--info] NAME [--id-size=4|8] | --list\n",
	      stderr);
	return 2;
}

static int
flush(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	perror("fixture");
	return 2;
}

int
main(int argc, char **argv)
{
	const struct b_fixture *f = NULL;
	unsigned id_size = 0;
	bool info = false;
	struct b b;
	int rc = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--list") == 0) {
			print_list();
			return flush();
		} else if (strcmp(argv[i], "--info") == 0)
			info = true;
		else if (strncmp(argv[i], "--id-size=", 10) == 0)
			id_size = (unsigned)strtoul(argv[i] + 10, NULL, 10);
		else if (f || !(f = b_fixture_find(argv[i])))
			return usage();
	}
	if (!f)
		return usage();
	b_fixture_build(f, &b, id_size);
	if (info)
		print_info(f, &b);
	else if (b_write_fd(&b, STDOUT_FILENO)) {
		perror("fixture");
		rc = 2;
	}
	b_release(&b);
	return rc ? rc : flush();
}
