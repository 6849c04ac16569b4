/*
 * net.h - send reports to a socket: net=HOST:PORT
 */
#ifndef HP_AGENT_NET_H
#define HP_AGENT_NET_H

#include "agent/report/report.h"

struct hp_agent_net;

/* Connect to the host. Returns HP_OK, HP_IO or HP_NOMEM. */
HP_MUST_USE enum hp_status hp_agent_net_open(struct hp_agent *a,
					     struct hp_error *err);
/*
 * Close the connection after a failed start, when no thread uses it. Does
 * nothing if it is not open.
 */
void hp_agent_net_close(struct hp_agent *a);
/*
 * Send the new entries of the tables and a report. @dump: also send the VM's
 * dump.
 */
HP_MUST_USE enum hp_status hp_agent_net_report(struct hp_agent *a, JNIEnv *jni,
					       const struct hp_agent_report *r,
					       bool dump, struct hp_error *err);

/*
 * Send the new entries of the tables, and with @summary a HEAP SUMMARY. Prints
 * a message on failure.
 */
void hp_agent_net_tables(struct hp_agent *a, bool summary);
/*
 * Receive @n bytes of a command. Returns false if the peer closed the
 * connection.
 */
bool hp_agent_net_receive(struct hp_agent_net *net, uint8_t *to, size_t n);

#endif
