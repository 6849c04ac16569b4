#!/bin/sh
# nightly-growth.sh [PID] - dump a JVM, fail if its heap grew
#
# Takes a dump of the JVM PID, compares it with the stored baseline and fails
# if a gate trips. The dump itself is thrown away; what stays is a report for
# the artifacts and a JSON result that can become the next baseline.
#
#   BASELINE=heap-baseline.json  what to compare with; made, if it is missing
#   TODAY=heap-today.json        today's histogram
#   REPORT=heap-growth.html      the comparison, to be kept as an artifact
#   GATES='total growth-bytes>10%'
#                                what makes the night fail, a gate a line; see
#                                hprof-diff(1)
#   REFRESH=1                    take today's heap as the new baseline; what
#                                grew is reported, but is no failure
#   DUMP_COMMAND='jcmd "$PID" GC.heap_dump "$DUMP"'
#                                writes the dump to the file $DUMP
#   DUMP_FOLDER=                 where $DUMP lies for a while (TMPDIR); the
#                                JVM must be able to write there
#
# Exit status: 0; 1 if a gate tripped or the dump is damaged; 2 for trouble.
set -u
: "${BASELINE:=heap-baseline.json}" "${TODAY:=heap-today.json}"
: "${REPORT:=heap-growth.html}" "${GATES:=total growth-bytes>10%}"
: "${DUMP_COMMAND:=jcmd \"\$PID\" GC.heap_dump \"\$DUMP\"}"
PID=${1:-}
folder=$(mktemp -d "${DUMP_FOLDER:-${TMPDIR:-/tmp}}/heap.XXXXXX") || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
DUMP=$folder/heap.hprof
export PID DUMP

# The dump, whole, and its histogram. jcmd may say yes and write nothing.
sh -c "$DUMP_COMMAND" || exit 2
[ -s "$DUMP" ] || {
    echo "nightly-growth.sh: there is no dump" >&2
    exit 2
}
hprof-validate -q "$DUMP" || exit
retained=
case $GATES in *retained*) retained=--retained ;; esac
hprof-diff $retained --format=json --force -o "$TODAY" "$DUMP" || exit 2

# A baseline of another version, or without the sizes that gates are about,
# cannot be compared; REFRESH=1 replaces that, too.
first=
if [ ! -e "$BASELINE" ]; then
    first="first night"
elif [ "${REFRESH:-0}" = 1 ]; then
    hprof-diff $retained "$BASELINE" "$TODAY" >"$folder/all" ||
        first="nothing compared"
fi
if [ "$first" ]; then
    cp "$TODAY" "$BASELINE" || exit 2
    echo "nightly-growth.sh: $first, $BASELINE written"
    exit 0
fi

# One option a gate; a gate has spaces and stars, so neither may be expanded.
set -f
set --
old_ifs=$IFS
IFS='
'
for gate in $GATES; do
    set -- "$@" "--fail-if=$gate"
done
IFS=$old_ifs

# Both compare the two JSON results, which takes no time.
hprof-diff --format=html --force -o "$REPORT" "$@" "$BASELINE" "$TODAY"
status=$?
[ "$status" -le 1 ] || {
    hprof-diff $retained "$BASELINE" "$TODAY" >"$folder/all" 2>&1 ||
        echo "nightly-growth.sh: REFRESH=1 replaces $BASELINE" >&2
    exit "$status"
}
hprof-diff --sort=growth --top=20 "$@" "$BASELINE" "$TODAY"

if [ "${REFRESH:-0}" = 1 ]; then
    cp "$TODAY" "$BASELINE" || exit 2
    echo "nightly-growth.sh: $BASELINE refreshed"
    exit 0
fi
exit "$status"
