#!/usr/bin/env bash
# planted.sh SWEEP - check that the sweep finds exactly the faults of planted.c,
# with one worker and with three, and that its exit status is right
set -u
sweep=$(realpath "$1")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

cat >want <<'EOF'
prefix of 10 bytes: a sanitizer objects
prefix of 100 bytes: a sanitizer objects
prefix of 110 bytes: a sanitizer objects
prefix of 120 bytes: killed by signal 6
prefix of 20 bytes: hangs for 2 s
prefix of 30 bytes: killed by signal 6
prefix of 40 bytes: a sanitizer objects
prefix of 50 bytes: a sanitizer objects
prefix of 60 bytes: leaks
prefix of 70 bytes: ended the process with 0
prefix of 80 bytes: killed by signal 6
prefix of 90 bytes: hangs for 2 s
EOF

# wrong WHAT: print which expectation of the last run failed
wrong() {
    echo "FAILED planted faults: $1"
    cat got
    failed=1
}

for run in '1 5000' '3 100'; do
    jobs=${run% *} chunk=${run#* }
    rm -f ./*.bin
    "$sweep" --jobs="$jobs" --chunk="$chunk" --limit=2 tiny:4 >got 2>&1
    [ $? -eq 1 ] || wrong "exit status with $jobs workers"
    sed -n 's/^FAILED planted: tiny:4, \(.*\) (--only=.*/\1/p' got | sort |
        cmp -s - want || wrong "findings with $jobs workers"
    grep -q '^[0-9]* passed, 12 failed, 0 skipped$' got ||
        wrong "totals with $jobs workers"
    for bytes in 10 20 30 40 50 60 70 80 90 100 110 120; do
        [ -n "$(find . -name '*.bin' -size ${bytes}c)" ] ||
            wrong "the input of $bytes bytes is not kept"
    done
done

# A saved mutation can be run again by its number.
only=$(sed -n 's/.*prefix of 30 bytes.*(--only=\([0-9]*\).*/\1/p' got)
{ "$sweep" --only="$only" tiny:4 >got 2>&1; } 2>/dev/null &&
    wrong "--only=$only"
grep -q 'does not hold: n != 30' got || wrong "what --only=$only says"

# If the time is up, the sweep says so, and reports no fault.
"$sweep" --seconds=0.001 hotspot:8 >got 2>&1 || wrong "time that is up"
grep -q '^[0-9]* passed, 0 failed, [1-9][0-9]* skipped$' got ||
    wrong "totals where time is up"

[ $failed -eq 0 ] && echo "planted faults: found"
exit $failed
