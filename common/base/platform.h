/*
 * platform.h - what the processor and the sanitizers of this build support
 */
#ifndef HP_BASE_PLATFORM_H
#define HP_BASE_PLATFORM_H

#include <stdbool.h>

/*
 * ----------------------------------------------------------------------
 * Detect the sanitizer with which the program is compiled
 *
 * gcc defines a macro for each sanitizer; clang has __has_feature().
 */

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
 * This build uses ThreadSanitizer (TSan), which finds data races. Tests then
 * skip work that only one thread does, because TSan finds nothing there.
 */
#if defined(__SANITIZE_THREAD__) || HP_HAS_FEATURE(thread_sanitizer)
#define HP_TSAN 1
#else
#define HP_TSAN 0
#endif

/*
 * This build uses a sanitizer whose runtime allocates memory of its own, and
 * inspects the process when it ends. The sandbox forbids both, so such a build
 * does not use the sandbox.
 */
#define HP_SANITIZED (HP_ASAN || HP_TSAN)

/* ----------------------------------------------------------------------
 * Detect instructions that not every processor has
 */

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

/*
 * HP_PROCESSOR_HAS() returns whether the processor has an instruction. The
 * dynamic loader of glibc 2.34 and later has already executed the instruction
 * CPUID, so use its result. Otherwise the compiler's library would execute
 * CPUID again at program start. In a virtual machine, CPUID traps to the host
 * and takes a tenth of a millisecond.
 */
#if defined(CPU_FEATURE_ACTIVE)
#define HP_PROCESSOR_HAS(active, name) CPU_FEATURE_ACTIVE(active)
#elif defined(__x86_64__)
#define HP_PROCESSOR_HAS(active, name) __builtin_cpu_supports(name)
#else
#define HP_PROCESSOR_HAS(active, name) false
#endif

/*
 * Whether the processor has the instruction POPCNT. Always false on processors
 * other than x86-64, which use portable code.
 */
static inline bool
hp_processor_has_popcnt(void)
{
	return HP_PROCESSOR_HAS(POPCNT, "popcnt");
}

static inline bool
hp_processor_has_avx2(void)
{
	return HP_PROCESSOR_HAS(AVX2, "avx2");
}

static inline bool
hp_processor_has_bmi2(void)
{
	return HP_PROCESSOR_HAS(BMI2, "bmi2");
}

#undef HP_PROCESSOR_HAS

#endif
