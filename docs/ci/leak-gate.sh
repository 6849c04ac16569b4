#!/bin/sh
# leak-gate.sh DUMP... - fail a build whose heap leaks, and name the leak
#
# Compares the last dump with the first one, or a single dump with the stored
# baseline: how much the objects on each path from a root keep alive. If a gate
# trips, what leaks is printed and the build fails. A dump may be compressed.
#
# By path, not by dominator: in a dump that is taken as memory runs out a stack
# mostly holds what leaks, too, and no static field owns that alone.
#
#   BASELINE=leak-baseline.json  compared with, if there is one dump; made, if
#                                it is missing: 1 to 3 MB instead of a dump
#   GATE='*(static)* growth-retained>1MB'
#                                what fails the build; see hprof-diff(1)
#
# Exit status: 0; 1 if the gate tripped; 2 for trouble.
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
