#!/bin/sh
# allocation-sites.sh - fail a build that allocates more than an earlier build
#
#   allocation-sites.sh BEFORE.jar AFTER.jar MAIN-CLASS [ARGUMENT...]
#
# Runs both programs with libhprof-agent, which records every object that a
# method of the program allocates, also through methods of libraries, and every
# object of the program's own classes. Then compares the allocation sites. No
# site may have more live objects of the program's own classes at the end, and
# all sites together may not allocate more than 0.5 percent of additional bytes.
# AGENT is the path of libhprof-agent.so. SITES is a pattern for the program's
# own classes (default: the package of MAIN-CLASS). TOLERANCE is the allowed
# growth of the allocated bytes (default: 0.5%). DEPTH is the number of frames
# among which the agent looks for a method of the program (default: 8). JIT has
# the options of the VM about the compiler; the default allows only the compiler
# C1, since C2 removes allocations, and not the same ones in each run.
# Exit status: 0 success; 1 a gate failed, and the output has class, method and
# line of the sites; 2 an error.
set -eu

[ $# -ge 3 ] || {
	echo "usage: $0 BEFORE.jar AFTER.jar MAIN-CLASS [ARGUMENT...]" >&2
	exit 2
}
before=$1 after=$2
shift 2
agent=${AGENT:-/usr/local/lib/libhprof-agent.so}
jit=${JIT--XX:TieredStopAtLevel=1}
case $1 in
*.*) own="${1%.*}.*" ;;
*) own="$1*" ;;
esac
own=${SITES:-$own}
options="heap=sites,sample=0,only=$own,depth=${DEPTH:-8},verbose=n"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure JAR FILE MAIN-CLASS [ARGUMENT...]: run the program and write the
# agent's file to FILE. Both programs run in the same folder, because a program
# also allocates the paths of its files.
measure()
{
	file=$2
	rm -rf "$work/program"
	cp -R "$1" "$work/program"
	shift 2
	# shellcheck disable=SC2086 # $jit may have several options
	java $jit "-agentpath:$agent=$options,file=$work/x" \
		-cp "$work/program" "$@" || exit 2
	mv "$work/x" "$file"
}

measure "$before" "$work/before.hprof" "$@"
measure "$after" "$work/after.hprof" "$@"

rc=0
hprof-diff --by=site "$work/before.hprof" "$work/after.hprof" \
	--fail-if="$own growth-count>0" || rc=$?
hprof-diff --by=site --measure=allocated --wide \
	"$work/before.hprof" "$work/after.hprof" \
	--fail-if="total growth-bytes>${TOLERANCE:-0.5%}" || {
	now=$?
	[ "$now" -le "$rc" ] || rc=$now
}
exit "$rc"
