/*
 * sanitizers.h - options of the sanitizers, which a test program defines
 *
 * The shared sanitizer libraries see a definition only if it is exported, and
 * all objects are compiled with hidden symbols.
 */
#ifndef TESTS_SANITIZERS_H
#define TESTS_SANITIZERS_H

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char *__asan_default_options(void);
EXPORTED const char *__ubsan_default_options(void);

#undef EXPORTED

#endif
