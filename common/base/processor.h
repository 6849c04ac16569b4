/*
 * processor.h - detect instructions that not every processor has
 */
#ifndef HP_PROCESSOR_H
#define HP_PROCESSOR_H

#include <stdbool.h>

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

/*
 * The dynamic loader of glibc 2.34 and later has already executed CPUID, so use
 * its result. Elsewhere the compiler's library executes CPUID again at program
 * start. In a virtual machine CPUID traps to the host, which takes a tenth of a
 * millisecond.
 */
#if defined(CPU_FEATURE_ACTIVE)
#define HP_PROCESSOR_HAS(active, name) CPU_FEATURE_ACTIVE(active)
#elif defined(__x86_64__)
#define HP_PROCESSOR_HAS(active, name) __builtin_cpu_supports(name)
#else
#define HP_PROCESSOR_HAS(active, name) false
#endif

/* Only on x86-64; other processors use the portable code. */
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
