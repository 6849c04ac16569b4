#!/bin/bash
# make-corpus.sh - take the corpus's dumps from a JVM, with what to expect
#
#   corpus/make-corpus.sh [DIR]      DIR: where they go, default corpus/
#   CORPUS_WORK=/srv/app             where the VMs run; it must not exist
#
# A dump holds the VM's properties: the folder that it runs in, its class path,
# its user. So the VMs get a neutral folder, user and home and an environment
# with nothing in it, and a dump that names this machine's is refused.
#
# The programs in corpus/java/ say how many objects of which class they have
# planted; Tally.java, which shares nothing with the toolkit, counts records
# and references; the VM's own class histogram is taken right before each dump.
# All three go to NAME.expected.json, which corpus/check compares with what
# our programs say. It needs a JDK (17 wrote what is in the repository), jq
# and zstd.

set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
into=${1:-$here}
mkdir -p "$into"
into=$(cd "$into" && pwd)
work=${CORPUS_WORK:-/tmp/app}
mkdir "$work"
vm=
trap 'if [ -n "$vm" ]; then kill "$vm" 2>/dev/null; fi; rm -rf "$work"' EXIT

# Soft references stay, however long it takes from the VM's own histogram to the
# dump: both must show the same heap.
HEAP=(-Xmx8m -XX:+UseSerialGC -XX:SoftRefLRUPolicyMSPerMB=1000000
	-Dfile.encoding=UTF-8 -Duser.name=user -Duser.home=/home/user
	-cp classes)

# java_here OPTION...: a VM in $work that knows nothing of who runs it
java_here()
{
	cd "$work"
	exec env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 java "$@"
}

die()
{
	echo "make-corpus: $*" >&2
	exit 1
}

# start CLASS [OPTION...]: a VM whose output is in $work/out
start()
{
	local class=$1
	shift
	rm -f "$work/in"
	mkfifo "$work/in"
	: > "$work/out"
	java_here "$@" "${HEAP[@]}" "$class" < "$work/in" > "$work/out" &
	vm=$!
	exec 3> "$work/in"
}

# ready NAME: wait until the program stands at that point
ready()
{
	local i
	for ((i = 0; i < 300; i++)); do
		grep -qx "READY $1" "$work/out" && break
		kill -0 "$vm" 2>/dev/null || die "the VM ended before $1"
		sleep 0.1
	done
	grep -qx "READY $1" "$work/out" || die "$1 is not ready"
	# The first command starts a thread in the VM: not while we count.
	jcmd "$vm" VM.version > /dev/null
	jcmd "$vm" VM.version > /dev/null
}

# go_on: let the program run to its next point or its end
go_on()
{
	echo >&3
}

finish()
{
	go_on
	exec 3>&-
	wait "$vm"
	vm=
}

# The VM's histogram as {"class": count}, names as in Java source. Classes
# whose name holds an address are left out: it differs from run to run.
# shellcheck disable=SC2016 # the dollars are jq's
VM_HISTOGRAM='
	def java: (capture("^(?<d>\\[+)(?<e>.*)$") // null) as $a
		| if $a == null then .
		  else ({Z:"boolean",C:"char",F:"float",D:"double",B:"byte",
			 S:"short",I:"int",J:"long"}[$a.e]
			// ($a.e | ltrimstr("L") | rtrimstr(";")))
			+ ("[]" * ($a.d | length))
		  end;
	[inputs
	 | capture("^ *[0-9]+: +(?<n>[0-9]+) +[0-9]+  (?<c>.*)$")
	 | .c |= sub(" \\([a-z][A-Za-z0-9.]*(@[^ )]*)?\\)$"; "")
	 | select(.c | test("[/+]0x") | not)
	 | {c: (.c | java), n: (.n | tonumber)}]
	| reduce .[] as $r ({}; .[$r.c] += $r.n)'

# planted WORD NAME: the lines "WORD what count" before READY NAME, as JSON
planted()
{
	awk -v name="READY $2" '
		$0 == name { for (i = 0; i < n; i++) print line[i]; exit }
		/^READY / { n = 0; next }
		{ line[n++] = $0 }' "$work/out" |
	jq -Rn --arg word "$1" '[inputs
		| capture("^" + $word + " (?<what>.*) (?<n>[0-9]+)$")
		| {(.what): (.n | tonumber)}] | add // {}'
}

# neutral FILE: refuse a dump that says where it was taken, and by whom
neutral()
{
	local what
	for what in "$HOME/" "$here" "$PWD" "=$(id -un)" "HOSTNAME="; do
		! grep -qaF -- "$what" "$1" || die "${1##*/} names $what"
	done
}

# expected NAME FILE COMPRESSION PLAIN STORY: write NAME.expected.json
expected()
{
	neutral "$4"
	java -cp "$work/classes" Tally "$4" > "$work/tally.json"
	jq -n --arg file "$2" --arg compression "$3" --arg story "$5" \
		--arg vm "$(java -version 2>&1 | sed -n 2p)" \
		--slurpfile tally "$work/tally.json" \
		--argjson planted "$(planted EXPECT "$1")" \
		--argjson globs "$(planted GLOB "$1")" \
		--slurpfile histogram "$work/$1.histogram.json" \
		'{file: $file, story: $story, vm: $vm, verdict: "valid",
		  exit: 0, compression: $compression,
		  header: "JAVA PROFILE 1.0.2", dialect: "hotspot"}
		 + $tally[0]
		 + {planted: $planted, globs: $globs,
		    vm_histogram: $histogram[0]}' > "$into/$1.expected.json"
}

# dump NAME [OPTION...]: histogram, then the dump, both of live objects
dump()
{
	local name=$1
	shift
	# What the first collection finds dead, cleaners let go of later.
	jcmd "$vm" GC.run > /dev/null
	sleep 0.5
	jcmd "$vm" GC.run > /dev/null
	jcmd "$vm" GC.class_histogram > "$work/$name.histogram.txt"
	jq -Rn "$VM_HISTOGRAM" "$work/$name.histogram.txt" \
		> "$work/$name.histogram.json"
	jcmd "$vm" GC.heap_dump "$@" "$work/$name.hprof" > "$work/$name.log"
	[ -s "$work/$name.hprof" ] || die "no dump: $(cat "$work/$name.log")"
	chmod 644 "$work/$name.hprof"
}

pack_zstd()
{
	zstd -q -19 -f "$work/$1.hprof" -o "$into/$1.hprof.zst"
	chmod 644 "$into/$1.hprof.zst"
}

make_shop()
{
	start Shop -Xshare:auto
	ready before
	dump before
	go_on
	ready after
	dump after
	finish
	local name
	for name in before after; do
		expected $name "shop-$name.hprof.zst" zstd \
			"$work/$name.hprof" "$1 ($name)"
		mv "$into/$name.expected.json" \
			"$into/shop-$name.expected.json"
		mv "$work/$name.hprof" "$work/shop-$name.hprof"
		pack_zstd "shop-$name"
	done
}

# The VM compresses this one itself.
make_shapes()
{
	start Shapes -Xshare:auto
	ready shapes
	dump shapes -gz=1
	finish
	cp "$work/shapes.hprof" "$into/shapes.hprof.gz"
	gzip -dc "$into/shapes.hprof.gz" > "$work/shapes.plain"
	expected shapes shapes.hprof.gz gzip "$work/shapes.plain" "$1"
}

make_tiny()
{
	start Tiny -Xshare:off
	ready tiny
	dump tiny
	finish
	expected tiny tiny.hprof none "$work/tiny.hprof" "$1"
	cp "$work/tiny.hprof" "$into/tiny.hprof"
}

make_oom()
{
	(java_here -XX:+HeapDumpOnOutOfMemoryError \
		-XX:HeapDumpPath="$work/oom.hprof" "${HEAP[@]}" Oom) \
		> "$work/out"
	echo "READY oom" >> "$work/out"
	echo '{}' > "$work/oom.histogram.json"
	expected oom oom.hprof.zst zstd "$work/oom.hprof" "$1"
	pack_zstd oom
}

# A file size limit stops the VM's writing where a full disk would: the VM
# ignores the signal and sees write() fail. The limit is 3/4 of the whole
# dump, in whole KiB.
make_cut()
{
	local whole kib
	start Shop -Xshare:auto
	ready before
	dump before
	finish
	whole=$(stat -c %s "$work/before.hprof")
	kib=$((whole * 3 / 4 / 1024))
	start_limited "$kib"
	ready before
	jcmd "$vm" GC.heap_dump "$work/cut.hprof" > "$work/cut.log" || true
	finish
	[ "$(stat -c %s "$work/cut.hprof")" -eq $((kib * 1024)) ] ||
		die "the dump was not cut: $(cat "$work/cut.log")"
	chmod 644 "$work/cut.hprof"
	echo '{}' > "$work/cut.histogram.json"
	expected cut cut.hprof.zst zstd "$work/cut.hprof" "$1"
	jq '.verdict = "invalid" | .exit = 1 | .rules = ["record-truncated"]
		| .planted = {} | .globs = {}' "$into/cut.expected.json" \
		> "$work/cut.json"
	mv "$work/cut.json" "$into/cut.expected.json"
	pack_zstd cut
}

# start_limited KIB: as start Shop, under a file size limit
start_limited()
{
	rm -f "$work/in"
	mkfifo "$work/in"
	: > "$work/out"
	(ulimit -f "$1"; java_here -Xshare:auto -XX:-UsePerfData \
		"${HEAP[@]}" Shop) < "$work/in" > "$work/out" &
	vm=$!
	exec 3> "$work/in"
}

mkdir "$work/classes"
javac -encoding UTF-8 -d "$work/classes" "$here"/java/*.java

make_tiny "A VM that has done next to nothing, without a shared archive."
make_shop "A cart service whose listeners and sessions are never let go."
make_shapes "Every shape that plain Java can give a dump; hostile names."
make_oom "A job that kept every page: written by the VM as it ran out."
make_cut "The cart service again; the disk was full at three quarters."
rm -f "$into"/before.expected.json "$into"/after.expected.json
ls -l "$into"/*.hprof*
