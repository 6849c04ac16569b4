# --estimate: dumps of one program in JVMs with different options. For each pair
# of them, the size that --estimate computes from one dump for the JVM of the
# other is at most 0.5 % off. The JVMs are those of $JDKS, or all in
# /usr/lib/jvm. Options that a JVM does not have are skipped and counted on
# standard error.
need java javac jcmd jq
cat >Filled.java <<'JAVA'
import java.util.*;
import java.util.concurrent.*;

public class Filled {
    static class Mixed { byte a; long b; int c; Object d; short e; }
    static class Sub extends Mixed { byte f; Object g; }
    static class References { Object a, b, c, d, e; }
    static final List<Object> all = new ArrayList<>();

    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 3000; i++)
            Collections.addAll(all, new Mixed(), new Sub(), new References(),
                new byte[i % 70], new char[i % 33], new long[i % 9],
                new double[i % 7], new int[i % 30], new Object[i % 30],
                "text " + i, i + 1000, i + 1000L, Optional.of(i),
                new HashMap<>(Map.of(i, "v" + i)), new Exception(),
                new LinkedList<>(List.of(i, i)));
        System.out.println("filled");
        System.in.read();
    }
}
JAVA
javac --release 17 Filled.java 2>.err || skip "javac failed"

# dumped JDK OPTION...: write the dump of the program to ./dump. Without the
# archive of classes (-Xshare:off), all JVMs of a JDK have the same objects.
dumped() {
    local jdk=$1
    shift
    coproc "$jdk/bin/java" -Xmx128m -XX:+UseSerialGC -Xshare:off "$@" -cp . \
        Filled 2>&1
    local pid=$COPROC_PID in=${COPROC[1]} out=${COPROC[0]} line=
    while [ "$line" != filled ] && read -r line <&"$out"; do
        :
    done
    [ "$line" = filled ] || return 1
    rm -f dump
    "$jdk/bin/jcmd" "$pid" GC.heap_dump "$PWD/dump" >.out 2>&1
    echo >&"$in"
    wait "$pid"
}

tried=0
skipped=0
for jdk in ${JDKS:-/usr/lib/jvm/*}; do
    [ -x "$jdk/bin/jcmd" ] && [ ! -L "$jdk" ] || continue
    version=$("$jdk/bin/java" -XshowSettings:properties -version 2>&1 |
        sed -n 's/.*java.specification.version = \([0-9]*\)$/\1/p')
    # the layouts of JDK 17 to 26 are those of 25
    [ "${version:-0}" -ge 17 ] && [ "$version" -le 26 ] || continue
    rm -f ./*.json
    while read -r options; do
        # shellcheck disable=SC2086 # several options
        if ! dumped "$jdk" $options; then
            skipped=$((skipped + 1))
            continue
        fi
        hprof-diff --estimate --format=json dump >"with$options.json"
        tried=$((tried + 1))
    done <<'OPTIONS'

-XX:-UseCompressedOops
-XX:ObjectAlignmentInBytes=16
-XX:+UseCompactObjectHeaders
-XX:+UseCompactObjectHeaders -XX:-UseCompressedOops
-XX:+UseCompactObjectHeaders -XX:ObjectAlignmentInBytes=16
OPTIONS
    for to in ./*.json; do
        options=${to#./with}
        options=${options%.json}
        truth=$(jq .bytes "$to")
        for from in ./*.json; do
            looked
            jq -r --arg to "$options" --argjson truth "$truth" '.estimates[] |
                select(.jdk == 25 and .options == $to) |
                (.bytes - $truth) / $truth * 100' "$from" |
                awk -v pair="$version: ${from#./with} for $options" '
                    { seen++; off = $1 < 0 ? -$1 : $1
                      print pair, $1 >"/dev/stderr" }
                    off > 0.5 { print pair, $1 }
                    END { if (seen != 1) print pair, seen + 0, "estimates" }'
        done
    done
done
[ $tried -gt 0 ] || skip "no JVM"
echo "$tried dumps, skipped $skipped" >&2
looked_at 9+
exit 0
