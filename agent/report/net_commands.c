/*
 * net_commands.c - receive and execute the commands of the JDK's old HPROF
 * agent on the socket
 *
 * A command is: u1 command code, u4 sequence number, u4 length, body. This
 * agent differs from the JDK's agent in three points. It uses the length to
 * skip unknown commands. Its thread ends when the other side closes the
 * connection. A command that it cannot execute does not end the JVM.
 */
#include "agent/report/net_commands.h"

#include "agent/events/calls.h"
#include "agent/events/cpu.h"
#include "agent/report/net.h"
#include "agent/report/publish.h"
#include "agent/events/samples.h"
#include "common/base/bytes.h"
#include "common/text/text.h"

#include <string.h>

/*
 * maximum number of bytes of a command's body; a longer body ends the
 * connection
 */
enum { BODY_MOST = 65536 };

static double
load_cutoff(const uint8_t *p)
{
	uint32_t bits = hp_load4(p);
	float cutoff;

	memcpy(&cutoff, &bits, sizeof(cutoff));
	return cutoff >= 0 && cutoff <= 1 ? (double)cutoff : 0;
}

static void
send_sites(struct hp_agent *a, JNIEnv *jni, const uint8_t *body)
{
	uint16_t flags = hp_load2(body);
	struct hp_agent_wish wish = {
		.sites = true,
		.flags = flags & (HP_AGENT_BY_ALLOCATED | HP_AGENT_COLLECTED),
		.collect = flags & HP_AGENT_COLLECTED,
		.cutoff = load_cutoff(body + 2)};

	hp_agent_publish(a, jni, &wish);
}

static void
control(struct hp_agent *a, const uint8_t *body, uint32_t length)
{
	struct hp_error err = {0};
	unsigned what = hp_load2(body);

	if (what == HP_CTL_DEPTH ||
	    (what == HP_CTL_SITES_CLEAR && length >= 4)) {
		uint32_t depth = length >= 4 ? hp_load2(body + 2) : 0;

		if (depth >= 1 && depth <= HP_AGENT_DEPTH_MOST)
			atomic_store_explicit(&a->depth, depth,
					      memory_order_relaxed);
		return;
	}
	switch (what) {
	case HP_CTL_SITES_ON:
	case HP_CTL_SITES_OFF:
		if (a->o.heap &&
		    hp_agent_samples_enable(a, what == HP_CTL_SITES_ON, &err) !=
			    HP_OK)
			hp_agent_say("%s", err.text);
		break;
	case HP_CTL_CPU_ON:
	case HP_CTL_CPU_OFF:
		atomic_store(&a->cpu_on, what == HP_CTL_CPU_ON);
		break;
	case HP_CTL_CPU_CLEAR:
		hp_agent_cpu_clear(a);
		hp_agent_calls_clear(a);
		break;
	default:
		hp_agent_say("the control command %u of the peer is not known",
			     what);
		break;
	}
}

static void
exit_vm(JNIEnv *jni)
{
	jclass system = (*jni)->FindClass(jni, "java/lang/System");
	jmethodID leave = NULL;

	if (system)
		leave = (*jni)->GetStaticMethodID(jni, system, "exit", "(I)V");
	if (leave)
		(*jni)->CallStaticVoidMethod(jni, system, leave, 0);
	(*jni)->ExceptionClear(jni);
}

static void
obey(struct hp_agent *a, JNIEnv *jni, unsigned tag, const uint8_t *body,
     uint32_t length)
{
	struct hp_agent_wish wish = {0};

	switch (tag) {
	case HP_CMD_GC:
		hp_agent_collect_garbage(a);
		break;
	case HP_CMD_DUMP:
		wish.dump = a->o.heap & HP_AGENT_HEAP_DUMP;
		if (wish.dump)
			hp_agent_publish(a, jni, &wish);
		else
			hp_agent_say("no heap dump was sent: start the agent "
				     "with heap=dump");
		break;
	case HP_CMD_SITES:
		if (length >= 6)
			send_sites(a, jni, body);
		break;
	case HP_CMD_SUMMARY:
	case HP_CMD_TRACES:
		hp_agent_net_tables(a, tag == HP_CMD_SUMMARY);
		break;
	case HP_CMD_EXIT:
		exit_vm(jni);
		break;
	case HP_CMD_SAMPLES:
		wish.samples = !a->o.times;
		wish.times = a->o.times;
		hp_agent_publish(a, jni, &wish);
		break;
	case HP_CMD_CONTROL:
		if (length >= 2)
			control(a, body, length);
		break;
	default:
		hp_agent_say("the socket command %u of the peer is not known",
			     tag);
		break;
	}
}

static void JNICALL
listen_to(jvmtiEnv *jvmti, JNIEnv *jni, void *ctx)
{
	struct hp_agent *a = ctx;
	const bool live = hp_agent_await_live(a);
	uint8_t head[9], *body = malloc(BODY_MOST);
	uint32_t length;

	while (live && body && hp_agent_net_receive(a->net, head, 1) &&
	       head[0] != HP_CMD_EOF) {
		if (!hp_agent_net_receive(a->net, head + 1, 8))
			break;
		length = hp_load4(head + 5);
		if (length > BODY_MOST) {
			hp_agent_say(
				"the agent ignores further commands, because "
				"the length of a command is wrong: %u bytes",
				(unsigned)length);
			break;
		}
		if (!hp_agent_net_receive(a->net, body, length) ||
		    atomic_load(&a->closing))
			break;
		if ((*jni)->PushLocalFrame(jni, 64) == 0) {
			obey(a, jni, head[0], body, length);
			(*jni)->PopLocalFrame(jni, NULL);
		}
		(*jni)->ExceptionClear(jni);
	}
	free(body);
	atomic_fetch_sub(&a->own_threads, 1);
}

enum hp_status
hp_agent_net_listen(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	return hp_agent_run_thread(a, jni, "hprof-agent net", listen_to, err);
}
