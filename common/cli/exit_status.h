/*
 * exit_status.h - the exit status of the three programs
 */
#ifndef HP_CLI_EXIT_STATUS_H
#define HP_CLI_EXIT_STATUS_H

#define HP_EXIT_OK 0
/* an error in a dump, a difference, or a failed gate */
#define HP_EXIT_FOUND 1
/* wrong usage, or something could not be read or written */
#define HP_EXIT_TROUBLE 2

/* Returns the worse of two exit statuses. */
static inline int
hp_exit_worse(int a, int b)
{
	return a > b ? a : b;
}

#endif
