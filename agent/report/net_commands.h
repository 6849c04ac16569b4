/*
 * net_commands.h - handle commands that arrive on the socket of net=HOST:PORT
 */
#ifndef HP_AGENT_NET_COMMANDS_H
#define HP_AGENT_NET_COMMANDS_H

#include "agent/agent.h"

/* Start the thread that receives and executes commands. */
HP_MUST_USE enum hp_status hp_agent_net_listen(struct hp_agent *a, JNIEnv *jni,
					       struct hp_error *err);

#endif
