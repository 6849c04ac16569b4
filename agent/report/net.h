/*
 * net.h - reports to a socket: net=HOST:PORT
 */
#ifndef HP_AGENT_NET_H
#define HP_AGENT_NET_H

#include "agent/report/report.h"

struct hp_agent_net;

/* Connects. HP_OK; HP_IO; HP_NOMEM. */
HP_MUST_USE enum hp_status hp_agent_net_open(struct hp_agent *a,
					     struct hp_error *err);
/* Of a start that failed: no thread uses it. Nothing if it is not open. */
void hp_agent_net_close(struct hp_agent *a);
/* What is new of the tables, and a report; @dump: the VM's dump, too. */
HP_MUST_USE enum hp_status hp_agent_net_report(struct hp_agent *a, JNIEnv *jni,
					       const struct hp_agent_report *r,
					       bool dump, struct hp_error *err);

/* What is new of the tables; @summary: and a HEAP SUMMARY. Says what fails. */
void hp_agent_net_tables(struct hp_agent *a, bool summary);
/* @n bytes of a command. false: the peer is gone. */
bool hp_agent_net_receive(struct hp_agent_net *net, uint8_t *to, size_t n);

#endif
