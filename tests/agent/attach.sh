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
# help is for people: the VM goes on, and nothing is loaded
attach help > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
grep -q '^  heap=sites|dump|all' stderr || fail "$(cat stderr)"
grep -q 'hprof-agent: help .* not loaded$' stderr || fail "$(cat stderr)"
# nor is there anything yet to make a report
attach report > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
grep -q 'hprof-agent: report is for .*, and none does$' stderr ||
    fail "$(cat stderr)"
# nobody listens: what that attach took, another one gets
attach '"net=127.0.0.1:1"' > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
grep -q 'hprof-agent: net=127.0.0.1:1: ' stderr || fail "$(cat stderr)"
# nor does one with a place that cannot be written keep anything
attach "\"sample=0,file=$PWD/none/a.hprof\"" > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
grep -q 'none/a.hprof: No such file or directory$' stderr || fail "$(cat stderr)"
attach "\"sample=0,file=$PWD\"" > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
grep -q "$PWD: is a directory\$" stderr || fail "$(cat stderr)"
attach "\"sample=0,file=$PWD/ready\"" > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
grep -q '/ready: is no regular file$' stderr || fail "$(cat stderr)"
attach "\"sample=0,file=$PWD/a.hprof\""
[ ! -e a.hprof ]
attach report
valid a.hprof
# jcmd drops what follows a '=' that is not quoted twice: said, not ignored
attach 'sample=0' > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
grep -q 'hprof-agent: it is loaded already' stderr || fail "$(cat stderr)"
attach help > out || true
grep -q 'return code: 0' out && fail "$(cat out)"
[ "$(grep -c '^  heap=sites|dump|all' stderr)" = 2 ] || fail "$(cat stderr)"
kill -TERM "$pid"
expect 143 wait "$pid"
valid a.hprof
