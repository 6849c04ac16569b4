/*
 * sanitizers.h - detect the sanitizer that this is compiled with
 *
 * gcc defines a macro for each sanitizer; clang has __has_feature().
 */
#ifndef HP_BASE_SANITIZERS_H
#define HP_BASE_SANITIZERS_H

#ifdef __has_feature
#define HP_HAS_FEATURE(feature) __has_feature(feature)
#else
#define HP_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || HP_HAS_FEATURE(address_sanitizer)
#define HP_ASAN 1
#else
#define HP_ASAN 0
#endif

/*
 * Under TSan, tests skip work that a single thread does: TSan would find
 * nothing in it that the other builds do not.
 */
#if defined(__SANITIZE_THREAD__) || HP_HAS_FEATURE(thread_sanitizer)
#define HP_TSAN 1
#else
#define HP_TSAN 0
#endif

/*
 * A sanitizer whose runtime allocates memory of its own and traces the process
 * at its end, which the sandbox forbids.
 */
#define HP_SANITIZED (HP_ASAN || HP_TSAN)

#endif
