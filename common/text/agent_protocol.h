/*
 * agent_protocol.h - commands that an agent reads from its socket
 *
 * A command has the form: u1 command, u4 sequence number, u4 length, body.
 * HP_CMD_EOF is a single byte. The body of HP_CMD_CONTROL begins with a u2, one
 * of enum hp_agent_control.
 */
#ifndef HP_TEXT_AGENT_PROTOCOL_H
#define HP_TEXT_AGENT_PROTOCOL_H

enum hp_agent_command {
	HP_CMD_GC = 0x01,
	HP_CMD_DUMP = 0x02,
	HP_CMD_SITES = 0x03,
	HP_CMD_SUMMARY = 0x04,
	HP_CMD_EXIT = 0x05,
	HP_CMD_TRACES = 0x06,
	HP_CMD_SAMPLES = 0x07,
	HP_CMD_CONTROL = 0x08,
	HP_CMD_EOF = 0xFF,
};

enum hp_agent_control {
	HP_CTL_SITES_ON = 1,
	HP_CTL_SITES_OFF,
	HP_CTL_CPU_ON,
	HP_CTL_CPU_OFF,
	HP_CTL_CPU_CLEAR,
	/*
	 * Clears the allocation sites. With two more bytes in the body it sets
	 * the stack depth, like HP_CTL_DEPTH: the JDK's manual documents it
	 * that way.
	 */
	HP_CTL_SITES_CLEAR,
	HP_CTL_DEPTH,
};

#endif
