/*
 * processor.h - instructions that not every processor has
 */
#ifndef HP_PROCESSOR_H
#define HP_PROCESSOR_H

#include <stdbool.h>

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

/*
 * The C library's loader has asked the processor already. Where its answers
 * cannot be had (glibc before 2.34, musl) the compiler's library asks again, at
 * the start of every program that may want to know: a tenth of a millisecond in
 * a virtual machine, which has to answer in the processor's place.
 */
#if defined(CPU_FEATURE_ACTIVE)
#define HP_PROCESSOR_HAS(active, name) CPU_FEATURE_ACTIVE(active)
#elif defined(__x86_64__)
#define HP_PROCESSOR_HAS(active, name) __builtin_cpu_supports(name)
#else
#define HP_PROCESSOR_HAS(active, name) false
#endif

/* x86-64 only; of other processors nobody asks. */
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
