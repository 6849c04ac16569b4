# cpu=times and cpu=old: the calls of a program with known numbers of calls

# counts FILE: the calls of each method of the class Calls, one line each
counts()
{
    hprof-diff --by=cpu --all --format=json "$1" | jq -r '
        [.rows[] | select((.rollup | not) and (.key | test("^Calls\\$?[A-Z]*")))]
        | group_by(.key)[] | "\(map(.calls[0]) | add) \(.[0].key)"' |
        grep -v -e Lambda -e 'lambda' | sort -k 2
}

cat > expected << 'END'
50 Calls$Made.<init>
50 Calls.catcher
200 Calls.even
19760 Calls.large
1 Calls.main
19760 Calls.middle
50 Calls.nativeCall
50 Calls.nativeThrow
5 Calls.onThread
200 Calls.odd
1 Calls.ratio
500 Calls.recurse
20260 Calls.small
5 Calls.start
250 Calls.thrower
END
sort -k 2 -o expected expected

# both formats, with and without only=, and every depth have the same counts
for options in only=Calls* only=None:Calls:Calls?M*,format=a depth=1 \
    only=Calls*,thread=y; do
    run_java "cpu=times,$options,file=t.hprof" Calls 2> stderr
    [ "$(grep -c '^hprof-agent: cpu=times is slow' stderr)" = 1 ] ||
        fail "$options: $(cat stderr)"
    valid t.hprof
    counts t.hprof > got
    diff expected got || fail "$options"
done

# native methods and constructors of the JDK are counted unless only= is given
hprof-convert --to=text t.hprof t.txt
run_java cpu=times,format=a,file=all.txt Calls
native=java.lang.Runtime.availableProcessors
if [ "$VM" = zero ]; then
    ! grep -F " $native" all.txt || fail "Zero reports calls of native methods"
    run_java cpu=times,file=said.hprof Known 2> stderr
    grep -q 'cpu=times does not count native methods' stderr || fail "$(cat stderr)"
    native=
fi
for call in Calls.catcher java.lang.IllegalStateException.'<init>' $native; do
    grep -E "^ +[0-9]+ .* 50 [0-9]+ $call\$" all.txt > found || fail "$call"
    [ "$call" = Calls.catcher ] || ! grep -F " $call" t.txt || fail "only= has $call"
done

# the times of the three methods are as 6:3:1
run_java cpu=times,only=Calls,file=r.hprof Calls ratio
hprof-diff --by=cpu --all --format=json r.hprof | jq -e '
    [.rows[] | select(.rollup | not) | {key: .key, value: .ms[0]}] |
    from_entries | (.["Calls.small"]) as $one |
    .["Calls.large"] > 4.5 * $one and .["Calls.large"] < 7.5 * $one and
    .["Calls.middle"] > 2.2 * $one and .["Calls.middle"] < 3.8 * $one and
    .["Calls.ratio"] < 0.8 * $one' || fail "times: $(hprof-diff --by=cpu r.hprof)"

# a call that has not ended has its time so far; a stack overflow has an end
run_java cpu=times,only=Calls,file=u.hprof Calls unfinished
hprof-diff --by=cpu --all --format=json u.hprof | jq -e '
    .rows[] | select(.key == "Calls.unfinished" and (.rollup | not)) |
    .calls[0] == 1 and .ms[0] > 50' || fail "unfinished call"
run_java cpu=times,only=Calls*,file=v.hprof Calls overflow
counts v.hprof | grep -v overflow > got
diff expected got

# cpu=old: pairs of methods, with the time of the methods that they call
run_java cpu=old,only=Calls*,file=old.txt Calls
valid old.txt
[ "$(head -n 1 old.txt)" = 'count callee caller time' ]
for row in '19760 Calls.large()V Calls.ratio()V' \
    '450 Calls.recurse(I)I Calls.recurse(I)I' \
    '50 Calls.recurse(I)I Calls.main([Ljava/lang/String;)V' \
    '50 Calls.thrower(I)V Calls.catcher()V' \
    '50 Calls$Made.<init>(I)V Calls.main([Ljava/lang/String;)V' \
    '1 Calls.main([Ljava/lang/String;)V <unknown caller>'; do
    grep -F "$row " old.txt > found || fail "cpu=old: $row"
done
counts old.txt > got
diff expected got
awk '$2 == "Calls.large()V" { large = $4 } $2 == "Calls.ratio()V" { all = $4 }
    END { exit !(large > 0 && all > large) }' old.txt || fail "cpu=old: total times"

# a virtual thread has a stack of its own
if [ "$JAVA_MAJOR" -ge 21 ]; then
    run_java cpu=times,only=Calls*,file=w.hprof Calls virtual
    counts w.hprof > got
    sed 's/^500 Calls.recurse/2100 Calls.recurse/' expected | diff - got
fi

# JFR's method timing counts the same, except calls that end by an exception:
# it counts 50 of the 250 calls of thrower()
if [ "$JAVA_MAJOR" -ge 25 ]; then
    "$JAVA" -XX:StartFlightRecording:method-timing=Calls,filename=m.jfr \
        -cp "$CLASSES" Calls > /dev/null
    "$JDK/bin/jfr" print --json --events jdk.MethodTiming m.jfr |
        jq -r '.recording.events[].values | select(.invocations > 0) |
            "\(.invocations) Calls.\(.method.name)"' |
        grep -v -e lambda -e thrower | sort -k 2 > got
    grep -v -e Made -e thrower expected | diff - got || fail "JFR"
fi
