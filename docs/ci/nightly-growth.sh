#!/bin/sh
# nightly-growth.sh [PID] - dump a JVM, fail if its heap grew
#
# Takes a dump of the JVM PID, compares it with the stored baseline and fails
# if a gate fails. Then it deletes the dump. It keeps a report, for the
# artifacts of the build, and a JSON result that can become the next baseline.
#
#   BASELINE=heap-baseline.json  the saved result to compare with; the script
#                                makes it if it does not exist
#   TODAY=heap-today.json        the result for today's dump
#   REPORT=heap-growth.html      the comparison, an artifact of the build
#   GATES='total growth-bytes>10%'
#                                the gates, one in each line; see hprof-diff(1)
#   REFRESH=1                    use today's result as the new baseline; growth
#                                is then reported, but is no failure
#   DUMP_COMMAND='jcmd "$PID" GC.heap_dump "$DUMP"'
#                                writes the dump to the file $DUMP
#   DUMP_FOLDER=                 folder for $DUMP (default: TMPDIR); the JVM
#                                must be able to write there
#
# Exit status: 0 success; 1 a gate failed or the dump is damaged; 2 an error.
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

# Take the dump, check it, and save its result. jcmd may write no dump although
# its exit status is 0.
sh -c "$DUMP_COMMAND" || exit 2
[ -s "$DUMP" ] || {
    echo "nightly-growth.sh: there is no dump" >&2
    exit 2
}
hprof-validate -q "$DUMP" || exit
retained=
case $GATES in *retained*) retained=--retained ;; esac
hprof-diff $retained --format=json --force -o "$TODAY" "$DUMP" || exit 2

# A baseline of another version, or without the sizes that a gate needs, cannot
# be compared. REFRESH=1 also replaces such a baseline.
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

# Make an option --fail-if of each gate. A gate contains spaces and stars, which
# the shell must not expand.
set -f
set --
old_ifs=$IFS
IFS='
'
for gate in $GATES; do
    set -- "$@" "--fail-if=$gate"
done
IFS=$old_ifs

# Compare the two JSON results twice, for a page and for a table. Each
# comparison takes little time.
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
