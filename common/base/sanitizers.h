/*
 * sanitizers.h - which sanitizer this is compiled with, by gcc or by clang
 *
 * gcc defines a macro for each; clang 14 answers by a question of its own.
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
 * Tests leave out here what one thread does alone: it shows nothing that the
 * other builds do not.
 */
#if defined(__SANITIZE_THREAD__) || HP_HAS_FEATURE(thread_sanitizer)
#define HP_TSAN 1
#else
#define HP_TSAN 0
#endif

/* A runtime has memory of its own, and traces the process when it ends. */
#define HP_SANITIZED (HP_ASAN || HP_TSAN)

#endif
