/*
 * exit_status.h - what the three programs end with
 */
#ifndef HP_CLI_EXIT_STATUS_H
#define HP_CLI_EXIT_STATUS_H

#define HP_EXIT_OK 0
#define HP_EXIT_FOUND 1	  /* an error, a difference, a gate */
#define HP_EXIT_TROUBLE 2 /* usage, or something could not be read */

/* Exit status never improves: the worse of two. */
static inline int
hp_exit_worse(int a, int b)
{
	return a > b ? a : b;
}

#endif
