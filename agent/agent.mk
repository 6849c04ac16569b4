# The agent is built if a JDK of version 11 or later is found, because it needs
# the headers and the compiler. The JDK is JAVA_HOME, or that of the javac on
# the PATH.

JDK ?= $(if $(JAVA_HOME),$(JAVA_HOME),$(patsubst %/bin/javac,%,$(realpath \
	$(shell command -v javac 2>/dev/null))))
JVMTI_H := $(wildcard $(JDK)/include/jvmti.h)

AGENT     := $(B)/libhprof-agent.so
AGENT_SRC := $(wildcard agent/*.c agent/*/*.c)
# The files of common/ that the agent uses. None of them needs a compression
# library, which would be loaded into the user's VM.
AGENT_SHARED := $(addprefix common/,base/buf.c base/memory.c base/status.c \
	base/decimal.c cli/escape.c cli/glob.c cli/quantity.c text/print.c format/format.c)
AGENT_CLASSES := Hook AllocationTraces
AGENT_INC := -I$(B)/agent -isystem $(JDK)/include -isystem $(JDK)/include/linux

.PHONY: agent
ifneq ($(JVMTI_H),)
agent: $(AGENT) ## build libhprof-agent.so (JDK=folder; needs a JDK)
else
agent:
	@echo "no JDK with include/jvmti.h: libhprof-agent.so is not built" \
		"(JDK=folder)"
endif

$(B)/agent/hprofagent/%.class: agent/java/%.java
	@mkdir -p $(@D)
	$(call quiet,JAVAC)$(JDK)/bin/javac --release 11 -g:none -nowarn \
		-Xlint:-options -d $(B)/agent $<

# Convert the class files to C arrays, so that the agent is a single file.
$(B)/agent/hprof-agent-classes.h: \
		$(AGENT_CLASSES:%=$(B)/agent/hprofagent/%.class)
	@for c in $(AGENT_CLASSES); do \
		echo "static const unsigned char $${c}_class[] = {"; \
		od -An -v -tu1 $(B)/agent/hprofagent/$$c.class | \
			sed 's/\([0-9]\) /\1, /g; s/$$/,/'; \
		echo "};"; \
	done > $@

$(call obj,$(AGENT_SRC)): private ALL_CFLAGS += $(AGENT_INC)
$(call obj,agent/exit_report.c agent/report/vm_dump.c): \
	| $(B)/agent/hprof-agent-classes.h

# -z nodelete: the library is never unmapped, although the VM unloads an agent
# that fails to attach. A callback, a thread or an exit handler may still run.
$(AGENT): $(call obj,$(AGENT_SRC) $(AGENT_SHARED))
	$(call quiet,LINK)$(CC) -shared $(HARDEN) -Wl,-z,relro,-z,now \
		-Wl,-z,defs -Wl,-z,nodelete $(LDFLAGS) -pthread -o $@ $^ -lm

-include $(patsubst %.o,%.d,$(call obj,$(AGENT_SRC)))

.PHONY: check-agent
ifneq ($(JVMTI_H),)
check-agent: all agent $(B)/tests/without ## the agent with a JDK (JDK=folder, CASES='glob ...')
	@echo "== agent ($(VARIANT))"
	@set -f; BUILD=$(B) JDK=$(JDK) tests/agent/run $(CASES)
else
check-agent:
	@echo "no JDK with include/jvmti.h: the agent is not tested"
endif

.PHONY: bench-agent
bench-agent: agent ## what the agent costs: ratios of processor time
	@BUILD=$(B) JDK=$(JDK) tests/bench/agent
