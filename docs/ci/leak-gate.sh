#!/bin/sh
# leak-gate.sh DUMP... - fail a build whose heap leaks, and print the leak
#
# Compares the last dump with the first one, or a single dump with the stored
# baseline: how much memory the objects on each path from a root keep alive. If
# the gate fails, the script prints the leak and exits with status 1. Dumps may
# be compressed.
#
# The script uses --by=path and not --by=dominator. If a dump is taken when
# memory runs out, the stack of a thread usually also refers to the leaking
# objects. Then no static field alone keeps them alive.
#
#   BASELINE=leak-baseline.json  the saved result with which a single dump is
#                                compared; the script makes it if it does not
#                                exist (1 to 3 MB)
#   GATE='*(static)* growth-retained>1MB'
#                                the gate; see hprof-diff(1)
#
# Exit status: 0 success; 1 the gate failed; 2 an error.
set -u
: "${BASELINE:=leak-baseline.json}"
: "${GATE:=*(static)* growth-retained>1MB}"

case $# in
0)
	echo "usage: leak-gate.sh DUMP..." >&2
	exit 2
	;;
1)
	[ -e "$BASELINE" ] || {
		hprof-diff --by=path --format=json -o "$BASELINE" "$1" ||
			exit 2
		echo "leak-gate.sh: $BASELINE written, nothing compared"
		exit 0
	}
	set -- "$BASELINE" "$1"
	;;
esac
exec hprof-diff --by=path --top=10 --fail-if="$GATE" "$@"
