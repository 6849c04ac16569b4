# Load the agent into a VM that already runs. A later attach with the option
# report writes a report.
mkfifo ready
"$JAVA" -Xmx64m -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading \
    -cp "$CLASSES" Hostile wait 30000 > ready 2> stderr &
pid=$!
read -r _ < ready
attach()
{
    timeout 20 "$JDK/bin/jcmd" "$pid" JVMTI.agent_load "$AGENT" "$@"
}
# refused OPTIONS: check that an attach with these options fails
refused()
{
    attach "$@" > out || true
    grep -q 'return code: 0' out && fail "$(cat out)"
    return 0
}
# help prints the options. The agent is not loaded, and the VM continues.
refused help
grep -q '^  heap=VALUE ' stderr || fail "$(cat stderr)"
grep -q 'hprof-agent: help .* not loaded$' stderr || fail "$(cat stderr)"
# report is refused, because the agent is not loaded yet
refused report
grep -q 'hprof-agent: the option .report. needs an agent .*; load the agent first$' stderr ||
    fail "$(cat stderr)"
# If nobody listens at the port, the attach fails. It must release everything
# that it has reserved, so that a later attach succeeds.
refused '"net=127.0.0.1:1"'
grep -q 'hprof-agent: net=127.0.0.1:1: ' stderr || fail "$(cat stderr)"
# the same for a file that cannot be written
refused "\"sample=0,file=$PWD/none/a.hprof\""
grep -q 'none/a.hprof: No such file or directory$' stderr || fail "$(cat stderr)"
refused "\"sample=0,file=$PWD\""
grep -q "$PWD: is a directory\$" stderr || fail "$(cat stderr)"
refused "\"sample=0,file=$PWD/ready\""
grep -q '/ready: is no regular file$' stderr || fail "$(cat stderr)"
attach "\"sample=0,file=$PWD/a.hprof\""
[ ! -e a.hprof ]
attach report
valid a.hprof
# jcmd removes what follows a '=' that is not quoted twice. The agent prints a
# message, so the mistake is noticed.
refused 'sample=0'
grep -q 'hprof-agent: the agent is loaded already' stderr || fail "$(cat stderr)"
refused help
[ "$(grep -c '^  heap=VALUE ' stderr)" = 2 ] || fail "$(cat stderr)"
kill -TERM "$pid"
expect 143 wait "$pid"
valid a.hprof

# A VM that runs does not grant all capabilities: monitor=y counts waits, but
# lists no monitors; cpu=times is refused, and the message has the reason.
"$JAVA" -Xmx64m -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading \
    -cp "$CLASSES" Hostile wait-and-work > ready 2> stderr &
pid=$!
read -r _ < ready
refused "\"cpu=times,file=$PWD/m.hprof\""
grep -q 'hprof-agent: the running VM does not grant the capability can_generate_method_entry_events, can_generate_method_exit_events: load the agent at the start' \
    stderr || fail "$(cat stderr)"
attach "\"monitor=y,file=$PWD/m.hprof\""
grep -q 'hprof-agent: monitor=y: waits are counted, .* can_get_current_contended_monitor' \
    stderr || fail "$(cat stderr)"
touch go
expect 0 wait "$pid"
valid m.hprof
hprof-diff --by=monitor --format=json m.hprof |
    jq -e '.rows[] | select(.key == "java.util.ArrayList") | .waits[0] == 1'

# If an attach fails after it has asked the VM for events, the agent must undo
# this. Here it fails because the program has already loaded a class with the
# name of one of the agent's own classes. The program continues without a
# report, and the next attach finds everything that the agent needs.
for then in nothing attach; do
    "$JAVA" -Xmx64m -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading \
        -Xbootclasspath/a:"$BUILD/agent" -cp "$CLASSES" \
        Hostile churn hprofagent.AllocationTraces 15000 > ready 2> stderr &
    pid=$!
    read -r _ < ready
    for options in heap=dump heap=all,cpu=samples,thread=y; do
        refused "\"$options,file=$PWD/taken.hprof\""
        grep -q 'hprof-agent: the VM did not load .*own class AllocationTraces$' stderr ||
            fail "$(cat stderr)"
        sleep 0.5
    done
    [ $then = nothing ] ||
        attach "\"sample=0,cpu=samples,file=$PWD/next.hprof\""
    expect 0 wait "$pid"
    [ ! -e taken.hprof ] || fail "an attach that failed wrote a report"
    [ "$(grep -c 'did not load' stderr)" = 2 ] || fail "$(cat stderr)"
    grep -v 'did not load' stderr > other || true
    [ $then = attach ] || [ ! -s other ] || fail "$(cat stderr)"
done
valid next.hprof
