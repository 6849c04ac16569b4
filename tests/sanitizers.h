/*
 * sanitizers.h - declare sanitizer options that a test program defines
 *
 * The shared sanitizer libraries find these functions only if they are
 * exported, but all objects are compiled with hidden symbols. This header gives
 * them default visibility.
 */
#ifndef TESTS_SANITIZERS_H
#define TESTS_SANITIZERS_H

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char *__asan_default_options(void);
EXPORTED const char *__ubsan_default_options(void);

#undef EXPORTED

#endif
