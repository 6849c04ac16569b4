# Compare shallow sizes with the JVM's own histogram, for compressed class
# pointers and uncompressed references. The sizes are equal if they are measured,
# as by default, and with --layout as the manual page says. With the model of
# Eclipse MAT the headers are too long.
need java javac jcmd jq
man=$(dirname "$2")/../../man/hprof-diff.1
layout=$(sed -n 's/^\.Cm \(hotspot,header=[^ ]*\).*/\1/p' "$man")
[ "$layout" ] || echo "no layout in the manual page"
cat >Held.java <<'JAVA'
public class Held {
    int a;
    static final class Long extends Held { long b; Object c; }

    static final Held[] all = new Held[1001];
    static final Held[][] pairs = new Held[500][3];

    public static void main(String[] a) throws Exception {
        for (int i = 0; i < all.length; i++)
            all[i] = i % 2 == 0 ? new Held() : new Held.Long();
        System.out.println("held");
        System.in.read();
    }
}
JAVA
javac Held.java || skip "javac failed"
# before JDK 15 class pointers have the width of references
version=$(java -XshowSettings:properties -version 2>&1 |
    sed -n 's/.*java.specification.version = \([0-9]*\)$/\1/p')
[ "${version:-0}" -ge 15 ] || skip "a JDK before 15"
jvm -XX:-UseCompressedOops Held
jvm_says held
jcmd "$pid" GC.class_histogram >jvm
jcmd "$pid" GC.heap_dump "$PWD/dump" >.out
exec 5>&-
wait "$pid"
# [LHeld; and [[LHeld; with the names that hprof-diff shows
awk '$4 ~ /^\[*L?Held(\$Long)?;?$/ {
        name = $4
        sub(/^\[+L/, "", name)
        sub(/;$/, "", name)
        for (i = 1; substr($4, i, 1) == "["; i++)
            name = name "[]"
        print name "," $2 "," $3
    }' jvm | sort >wanted
cat wanted
for l in auto mat "$layout"; do
    hprof-diff --layout="$l" --format=csv --filter='Held*' dump |
        sed 1d | sort >got
    echo "$l: $(diff wanted got | grep -c '^>') differ"
done
exit 0
