/*
 * parents.h - JVMs that have started this JVM and have loaded the agent
 * themselves
 */
#ifndef HP_AGENT_PARENTS_H
#define HP_AGENT_PARENTS_H

#include <stdint.h>

/*
 * Returns when the oldest parent process that has loaded the agent was started,
 * in milliseconds since 1970. Parents of parents are included, up to 32.
 * Returns @now_ms if there is none, or if the system does not show it.
 */
uint64_t hp_agent_parents_start_ms(uint64_t now_ms);

#endif
