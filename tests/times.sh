# shellcheck shell=bash
# times.sh - what each part of a suite took; bash, read by the suites' runners
#
#   TIMES=30  the runners print this many of the slowest, in seconds of
#             processor time (user and system, of all processes) and of the clock
#
# Processor time is what to compare: it is nearly the same on a machine that has
# other things to do.

# took FILE BEGAN: write to FILE the time that this shell and its children used
# since BEGAN, an $EPOCHREALTIME.
took() {
    local now=$EPOCHREALTIME
    times >"$1" # in no pipe: that would be another shell, which took nothing
    awk -v wall=$(((${now/./} - ${2/./}) / 1000)) '
        { for (i = 1; i <= 2; i++) {
            split($i, part, /[ms]/)
            cpu += 60 * part[1] + part[2]
        } }
        END { printf "%.2f %.2f\n", cpu, wall / 1000 }' "$1" >"$1.new"
    mv "$1.new" "$1"
}

# slowest FILE...: print as many lines "PROCESSOR CLOCK FILE" as TIMES says.
# took() wrote each FILE; of its path only the part that identifies the case is
# printed.
slowest() {
    [ -n "${TIMES:-}" ] || return 0
    grep -H . "$@" 2>/dev/null | awk -F '[: ]' '
        { sub(/\.took$|\/took$/, "", $1); sub(/.*\//, "", $1)
            printf "%8.2f %8.2f  %s\n", $2, $3, $1 }' | sort -rn |
        awk -v n="$TIMES" '
            NR == 1 { print "processor clock  of the slowest" }
            NR <= n { print }
            { cpu += $1 }
            END { printf "%8.2f processor seconds of all %d\n", cpu, NR }'
}
