/*
 * tsan.h - what a test may leave out under ThreadSanitizer
 *
 * There a test shows whether threads that share something go about it in turn.
 * What one thread does alone, and the same once more with other contents, shows
 * nothing there and is done in the other builds.
 */
#ifndef HP_TESTS_UNIT_TSAN_H
#define HP_TESTS_UNIT_TSAN_H

#ifdef __SANITIZE_THREAD__
#define TEST_UNDER_TSAN 1
#else
#define TEST_UNDER_TSAN 0
#endif

#endif
