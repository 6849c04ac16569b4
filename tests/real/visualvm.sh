# visualvm.sh - open the output of hprof-convert with VisualVM's heap library
#
# VisualVM's heap library counts the instances of each class in real dumps, and in
# dumps that hprof-convert has stripped, compressed, salvaged, divided into
# segments or converted to the standard format. hprof-diff must count the same
# numbers in the original dump, or in the salvaged dump. The script is skipped
# without the library, which is a jar of Debian's package visualvm.
# VISUALVM_HEAP_JAR is the path of the jar if it is elsewhere.
dir=/usr/share/visualvm/visualvm/modules
jar=${VISUALVM_HEAP_JAR:-$dir/org-graalvm-visualvm-lib-jfluid-heap.jar}
[ -e "$jar" ] || { echo "no $jar"; exit 77; }
for tool in java javac; do
    command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
javac -cp "$jar" -d classes "$HPROF_REAL_TESTS/Histogram.java" 2>err ||
    { cat err; exit 1; }

# ours FILE: "class count" lines. VisualVM does not count class dumps among the
# instances of java.lang.Class, and leaves the + of hidden classes.
ours() {
    local classes
    classes=$(hprof-validate --format=json "$1" 2>err.v |
        jq '.files[0].subrecords.CLASS_DUMP // 0')
    hprof-diff --format=json --normalize=off "$1" 2>err.d |
        jq -r --argjson classes "$classes" '.rows[] |
            if .key == "java.lang.Class" then .count[0] -= $classes else . end |
            select(.count[0] > 0) | [.key, .count[0]] | @tsv' |
        sort
}

# compare WANT FILE: FILE's histogram in `theirs` is that of the dump WANT.
compare() {
    ours "$1" >want
    [ -s want ] || echo "$1: no histogram"
    awk -F '\t' -v OFS='\t' -v file="$2" '$1 == file { print $2, $3 }' theirs |
        sed 's/[+]\(0x[0-9a-f]*\(\[\]\)*\t\)/\/\1/' | sort >got
    cmp -s want got || { echo "$2: differs"; diff want got | head -n 6; }
}

# make FILE OPTION...: convert $dump to FILE, and note it
make() {
    local file=$1
    shift
    hprof-convert "$@" "$dump" "$file" 2>err ||
        { echo "$file: exit $?"; head -n 2 err; }
    files+=("$file")
}

files=() same=()
for name in hotspot/rich_17_def hotspot/rich_25_def hotspot/rich_8_32_def \
    mat/sun_jdk6_18_x64 agent/ag_8_all android/O; do
    [ -e "$HPROF_REAL_DUMPS/$name.hprof" ] || continue
    base=${name#*/}
    dump=$base.hprof # a copy: the library leaves a folder beside what it reads
    cp "$HPROF_REAL_DUMPS/$name.hprof" "$dump"
    files+=("$dump")
    same+=("$dump:$dump")
    make "$base.shape.hprof" --shape-only
    make "$base.hprof.gz"
    same+=("$dump:$base.shape.hprof" "$dump:$base.hprof.gz")
    case $name in
    agent/*) # its classes come last, and VisualVM shows no object without
        make "$base.segments.hprof" --profile=1.0.2
        same+=("$dump:$base.segments.hprof")
        ;;
    android/*)
        # VisualVM takes empty segments under 1.0.3 only
        make "$base.standard.hprof" --standard --profile=1.0.2
        make "$base.pruned.hprof" --standard --profile=1.0.2 --heaps=app \
            --prune-classes
        same+=("$dump:$base.standard.hprof"
            "$base.pruned.hprof:$base.pruned.hprof")
        ;;
    *) # two thirds of it, as after a full disk
        head -c $(($(stat -c %s "$dump") * 2 / 3)) "$dump" >short
        whole=$dump dump=short
        make "$base.salvaged.hprof" --salvage --null-dangling
        dump=$whole
        same+=("$base.salvaged.hprof:$base.salvaged.hprof")
        ;;
    esac
done
[ ${#files[@]} -gt 0 ] || { echo "none of its dumps"; exit 77; }
java -Xmx512m -Djava.io.tmpdir="$PWD" -cp "$jar:classes" Histogram \
    "${files[@]}" >theirs 2>err || { echo "VisualVM:"; tail -n 5 err; }
for pair in "${same[@]}"; do
    compare "${pair%%:*}" "${pair#*:}"
done
exit 0
