# Measured sizes are those of the JVM's own class histogram, for each collector
# and layout that the JVMs here have. A JVM without an option is skipped and
# counted on standard error. The JVMs are those of $JDKS, or all in
# /usr/lib/jvm.
need java javac jcmd jq
cat >Kinds.java <<'JAVA'
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Supplier;

public class Kinds {
    static class Empty {}
    static class OneByte { byte b; }
    static class Mixed { byte a; long b; int c; Object d; short e; }
    static class Sub extends Mixed { byte f; Object g; }
    static class SubSub extends Sub { int h; boolean i; }
    static class References { Object a, b, c, d, e; }
    static class IntOnly { int a; }
    static class LongChild extends IntOnly { long b; }
    static class ByteChild extends OneByte { byte c; Object o; }
    static class Statics { static long a; static byte b; static Object c = "x"; }
    enum Color { RED, GREEN { int x() { return 1; } }; int x() { return 0; } }
    static final List<Object> all = new ArrayList<>();
    static byte[] garbage;

    static void fill(int i, Random r) {
        Collections.addAll(all, new Empty(), new OneByte(), new Mixed(),
            new Sub(), new SubSub(), new References(), new IntOnly(),
            new LongChild(), new ByteChild(), new byte[r.nextInt(70)],
            new char[r.nextInt(70)], new boolean[r.nextInt(30)],
            new int[r.nextInt(30)], new long[r.nextInt(30)],
            new double[r.nextInt(9)], new float[r.nextInt(9)],
            new short[r.nextInt(9)], new Object[r.nextInt(30)],
            new int[r.nextInt(3)][r.nextInt(3)], "text " + i, i + 1000,
            i + 1000L, (double) i, Optional.of("o" + i),
            (Supplier<Integer>) () -> i, new Exception());
        garbage = new byte[r.nextInt(500)];
        Map<Object, Object> map = new HashMap<>();
        for (int j = 0; j < i % 20; j++)
            map.put(j, "v" + j);
        Collections.addAll(all, map, new ConcurrentHashMap<>(map),
            new TreeMap<>(map), new LinkedList<>(map.values()));
    }

    public static void main(String[] a) throws Exception {
        Random r = new Random(7);
        all.add(new Statics());
        all.addAll(Arrays.asList(Color.values()));
        for (int i = 0; i < 500; i++)
            fill(i, r);
        System.out.println("filled");
        System.in.read();
    }
}
JAVA
javac --release 17 Kinds.java 2>.err || skip "javac failed"

# named FILE: the classes of a histogram with the names of hprof-diff: name,
# objects, bytes
named() {
    awk 'BEGIN {
            split("Z boolean C char F float D double B byte S short I int " \
                "J long", list, " ")
            for (i = 1; i in list; i += 2)
                type[list[i]] = list[i + 1]
        }
        $1 ~ /^[0-9]+:$/ {
            name = $4
            array = ""
            while (sub(/^\[/, "", name))
                array = array "[]"
            if (array != "" && name in type)
                name = type[name]
            else if (array != "")
                name = substr(name, 2, length(name) - 2)
            count[name array] += $2
            bytes[name array] += $3
        }
        END {
            for (name in count)
                print name "\t" count[name] "\t" bytes[name]
        }' "$1" | sort
}

# compare LAYOUT: the share of classes with right sizes, and of all bytes that
# are wrong, both in per mille; then whether this is good
compare() {
    hprof-diff --layout="$1" --normalize=off --top=0 --format=json dump >json
    jq -r '.rows[] | [.key, .count[0], .bytes[0]] | @tsv' json | sort >got
    join -t "$(printf '\t')" vm got | awk -F '\t' '$2 == $4 {
            classes++
            wrong = $5 > $3 ? $5 - $3 : $3 - $5
            right += wrong <= $3 / 200
            ours += $5
            vm += $3
        }
        END {
            off = 1000 * (ours > vm ? ours - vm : vm - ours) / vm
            verdict = "bad"
            if (classes > 200 && right >= classes * 0.98 && off <= 5)
                verdict = "good"
            print verdict, int(1000 * right / (classes + 0.01)), int(off)
        }'
}

tried=0
skipped=0
# check JDK COLLECTOR OPTION...
check() {
    local jdk=$1 mat
    shift
    coproc "$jdk/bin/java" -Xmx128m "$@" -cp . Kinds 2>&1
    local pid=$COPROC_PID in=${COPROC[1]} out=${COPROC[0]} line=
    # warnings come first; the end of the output: the JVM lacks the option
    while [ "$line" != filled ] && read -r line <&"$out"; do
        :
    done
    if [ "$line" != filled ]; then
        skipped=$((skipped + 1))
        return
    fi
    "$jdk/bin/jcmd" "$pid" GC.class_histogram >.histogram 2>&1
    rm -f dump
    "$jdk/bin/jcmd" "$pid" GC.heap_dump "$PWD/dump" >.out 2>&1
    echo >&"$in"
    wait "$pid"
    named .histogram >vm
    set -- "${jdk##*/}" "$@"
    looked
    tried=$((tried + 1))
    set -- "$*" "$(compare auto)"
    [ "${2%% *}" = good ] || problem "$1: sizes: $2"
    jq -e '.dumps[0] | .measured > .objects * 0.95' json >.out ||
        problem "$1: measured only $(jq -c .dumps json)"
    mat=$(compare "$(jq -r '.layout | "\(.model),reference=\(.reference)," +
        "header=\(.header),array_header=\(.array_header)," +
        "alignment=\(.alignment)"' json)")
    [ "${mat%% *}" = bad ] || problem "$1: the model alone is good: $mat"
    echo "$1: measured $2; the model alone: $mat" >&2
}

for jdk in ${JDKS:-/usr/lib/jvm/*}; do
    [ -x "$jdk/bin/jcmd" ] && [ ! -L "$jdk" ] || continue
    for gc in Serial Parallel G1 Shenandoah Z; do
        check "$jdk" "-XX:+Use${gc}GC"
    done
    check "$jdk" -XX:+UseZGC -XX:+UseCompactObjectHeaders
    check "$jdk" -XX:+UseG1GC -XX:+UseCompactObjectHeaders
    check "$jdk" -XX:+UseG1GC -XX:-UseCompressedOops
    check "$jdk" -XX:+UseG1GC -XX:-UseCompressedClassPointers
    check "$jdk" -XX:+UseG1GC -XX:ObjectAlignmentInBytes=16
done
[ $tried -gt 0 ] || skip "no JVM"
echo "$tried dumps, skipped $skipped" >&2
looked_at 1+
