#!/bin/sh
# allocation-sites.sh - fail a build that allocates what it did not before
#
#   allocation-sites.sh BEFORE.jar AFTER.jar MAIN-CLASS [ARGUMENT...]
#
# Runs both with libhprof-agent, every object counted, and compares sites: what
# is live at the end to the object, what was allocated within 2 percent.
# AGENT is libhprof-agent.so, SITES the glob of classes that count (*).
# Exit: 0; 1 a gate tripped, and the rows that tripped it are named with class,
# method and line; 2 trouble.
set -eu

[ $# -ge 3 ] || {
	echo "usage: $0 BEFORE.jar AFTER.jar MAIN-CLASS [ARGUMENT...]" >&2
	exit 2
}
before=$1 after=$2
shift 2
agent=${AGENT:-/usr/local/lib/libhprof-agent.so}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure JAR FILE MAIN-CLASS [ARGUMENT...]: at one place, since the paths of
# its files are among what a program allocates
measure()
{
	file=$2
	rm -rf "$work/program"
	cp -R "$1" "$work/program"
	shift 2
	java "-agentpath:$agent=heap=sites,sample=0,verbose=n,file=$work/x" \
		-cp "$work/program" "$@" || exit 2
	mv "$work/x" "$file"
}

measure "$before" "$work/before.hprof" "$@"
measure "$after" "$work/after.hprof" "$@"

rc=0
hprof-diff --by=site "$work/before.hprof" "$work/after.hprof" \
	--fail-if="${SITES:-*} growth-count>0" || rc=$?
hprof-diff --by=site --measure=allocated \
	"$work/before.hprof" "$work/after.hprof" \
	--fail-if="${SITES:-*} growth-bytes>2%" || {
	now=$?
	[ "$now" -le "$rc" ] || rc=$now
}
exit "$rc"
