# cpu=samples finds the method that uses the processor. monitor=y finds the
# monitor for which a thread waits. The text format gives the same result.
for format in a b; do
    run_java "cpu=samples,monitor=y,interval=5,format=$format,file=$format.hprof" \
        Hostile work
    valid $format.hprof
    hprof-diff --by=cpu --format=json $format.hprof > cpu.json
    jq -r '.rows[] | "\(.samples[0]) \(.key)"' cpu.json | head -5
    jq -e '.rows | max_by(.samples[0]).key | test("Hostile.burn")' cpu.json
    # A second of work with a sample each 5 ms gives 200 samples if the machine
    # is idle. Rows that are sums of others are left out, because they contain
    # the same samples.
    jq -e '[.rows[] | select((.rollup | not) and
        (.key | test("Hostile.burn"))) | .samples[0]] |
        add > 5 and add < 260' cpu.json
    hprof-diff --by=monitor --format=json $format.hprof |
        jq -e '.rows[] | select(.key == "java.util.ArrayList") |
            .waits[0] == 1 and .ms[0] >= 200'
done

# threads that end within one interval get a sample only by chance
run_java cpu=samples,interval=10,file=t.hprof Hostile tasks
hprof-diff --by=cpu --format=json t.hprof |
    jq -e '[.rows[] | select((.rollup | not) and
        (.key | test("Hostile.burn"))) | .samples[0]] |
        add > 3 and add < 130'
