/*
 * net.h - send reports to a socket: net=HOST:PORT
 */
#ifndef HP_AGENT_NET_H
#define HP_AGENT_NET_H

#include "agent/report/report.h"

struct hp_agent_net;

/* Connect to the host of the option net=. Returns HP_OK, HP_IO or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_agent_net_open(struct hp_agent *a,
					     struct hp_error *err);
/*
 * Close the connection after the start of the agent has failed. No thread may
 * use the connection. Does nothing if there is no connection.
 */
void hp_agent_net_close(struct hp_agent *a);
/*
 * Send the new entries of the agent's tables and then a report. @dump: also
 * send the JVM's heap dump.
 */
HP_MUST_USE enum hp_status hp_agent_net_report(struct hp_agent *a, JNIEnv *jni,
					       const struct hp_agent_report *r,
					       bool dump, struct hp_error *err);

/*
 * Send the new entries of the agent's tables. If @summary is true, also send a
 * HEAP SUMMARY record. Prints a message on failure.
 */
void hp_agent_net_tables(struct hp_agent *a, bool summary);
/*
 * Receive the next @n bytes of a command from the socket. Returns false if the
 * other side closed the connection.
 */
bool hp_agent_net_receive(struct hp_agent_net *net, uint8_t *to, size_t n);

#endif
