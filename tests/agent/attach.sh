# Into a VM that runs; attached again it makes a report.
mkfifo ready
"$JAVA" -Xmx64m -XX:+UseSerialGC -XX:+EnableDynamicAgentLoading \
    -cp "$CLASSES" Hostile wait 30000 > ready 2> stderr &
pid=$!
read -r _ < ready
attach()
{
    timeout 20 "$JDK/bin/jcmd" "$pid" JVMTI.agent_load "$AGENT" "$@"
}
# OPTIONS: an attach that is refused
refused()
{
    attach "$@" > out || true
    grep -q 'return code: 0' out && fail "$(cat out)"
    return 0
}
# help is for people: the VM goes on, and nothing is loaded
refused help
grep -q '^  heap=sites|dump|all' stderr || fail "$(cat stderr)"
grep -q 'hprof-agent: help .* not loaded$' stderr || fail "$(cat stderr)"
# nor is there anything yet to make a report
refused report
grep -q 'hprof-agent: report is for .*, and none does$' stderr ||
    fail "$(cat stderr)"
# nobody listens: what that attach took, another one gets
refused '"net=127.0.0.1:1"'
grep -q 'hprof-agent: net=127.0.0.1:1: ' stderr || fail "$(cat stderr)"
# nor does one with a place that cannot be written keep anything
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
# jcmd drops what follows a '=' that is not quoted twice: said, not ignored
refused 'sample=0'
grep -q 'hprof-agent: it is loaded already' stderr || fail "$(cat stderr)"
refused help
[ "$(grep -c '^  heap=sites|dump|all' stderr)" = 2 ] || fail "$(cat stderr)"
kill -TERM "$pid"
expect 143 wait "$pid"
valid a.hprof
