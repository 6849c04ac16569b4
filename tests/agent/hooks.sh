# A shutdown hook of the program ends the VM itself. halt() in a hook ends the
# VM at once. exit() in a hook never returns, so the VM does not end, with or
# without the agent. In both cases there is a report.
for options in sample=0 cpu=times cpu=samples,monitor=y; do
    expect 9 run_java "$options,file=halt.hprof" Hostile hook halt
    valid halt.hprof
    rm halt.hprof

    mkfifo said
    "$JAVA" -Xmx64m -agentpath:"$AGENT=$options,file=exit.hprof" \
        -cp "$CLASSES" Hostile hook exit > said 2> stderr &
    pid=$!
    read -r _ < said
    eventually [ -e exit.hprof ]
    valid exit.hprof
    kill -KILL "$pid"
    expect 137 wait "$pid"
    rm exit.hprof said
done

# a folder in which not even root can create files
expect 7 run_java sample=0,file=/proc/a.hprof Hostile exit 2> stderr
grep -q '^hprof-agent: /proc/a.hprof: .*; until this is fixed, no report can be written$' \
    stderr || fail "$(cat stderr)"
grep -q '^hprof-agent: no report: /proc/a.hprof: ' stderr || fail "$(cat stderr)"

# classes that are unloaded while the agent counts their methods and objects
for options in cpu=times sample=0,cpu=samples,interval=1; do
    expect 0 run_java "$options,file=u.hprof" Hostile unload
    valid u.hprof
done
