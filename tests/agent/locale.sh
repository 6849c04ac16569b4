# A VM sets the locale of its user. If this locale has a decimal comma, the
# numbers in reports and options still have a decimal point.
localedef -i de_DE -f UTF-8 "$PWD/de_DE.UTF-8" > localedef.log 2>&1 || {
    cat localedef.log
    echo "localedef has no de_DE"
    exit 77
}
comma=(LOCPATH="$PWD" LC_ALL=de_DE.UTF-8)
[ "$(env "${comma[@]}" printf '%.1f' 0,5)" = 0,5 ] || fail "no decimal comma"
# with_comma COMMAND...: run the command with a locale that has a decimal comma
with_comma()
{
    (
        export "${comma[@]}"
        "$@"
    ) 2> stderr || fail "$*: $(cat stderr)"
}

with_comma run_java heap=sites,sample=0,cpu=samples,monitor=y,interval=5,format=a,file=a.txt \
    Hostile work
valid a.txt
for table in SITES CPU.SAMPLES MONITOR.TIME; do
    sed -n "/^$table BEGIN/,/^$table END/p" a.txt > table
    grep -q '^ *1 \+[0-9]\+\.[0-9][0-9]% \+[0-9]\+\.[0-9][0-9]% ' table ||
        fail "$table: $(cat table)"
done
with_comma run_java monitor=y,file=b.hprof Hostile work
valid b.hprof
hprof-diff --by=monitor --format=json b.hprof |
    jq -e '.rows[] | select(.key == "java.util.ArrayList") | .ms[0] >= 200'

# a running VM reads a number in the options of an attach
mkfifo ready
env "${comma[@]}" "$JAVA" -Xmx64m -XX:+EnableDynamicAgentLoading -cp "$CLASSES" \
    Hostile wait 30000 > ready 2> stderr &
pid=$!
read -r _ < ready
for cutoff in 0,5 2; do
    timeout 20 "$JDK/bin/jcmd" "$pid" JVMTI.agent_load "$AGENT" \
        "\"cutoff=$cutoff\"" > out || true
    grep -q 'return code: 0' out && fail "cutoff=$cutoff: $(cat out)"
done
timeout 20 "$JDK/bin/jcmd" "$pid" JVMTI.agent_load "$AGENT" \
    "\"sample=0,cutoff=0.001,file=$PWD/c.hprof\"" > out
grep -q 'return code: 0' out || fail "$(cat out stderr)"
kill -TERM "$pid"
expect 143 wait "$pid"
valid c.hprof
