/*
 * net_commands.h - commands from the socket of net=HOST:PORT
 */
#ifndef HP_AGENT_NET_COMMANDS_H
#define HP_AGENT_NET_COMMANDS_H

#include "agent/agent.h"

/* Starts the thread that takes commands. */
HP_MUST_USE enum hp_status hp_agent_net_listen(struct hp_agent *a, JNIEnv *jni,
					       struct hp_error *err);

#endif
