# The fingerprints of leaks are the same with every installed JVM and every
# collector, and in a second run. The JVMs are those of $JDKS, or all in
# /usr/lib/jvm.
need java javac jq
cat >Leaks.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.*;

public class Leaks {
    static class Item { byte[] text = new byte[500]; Item next; }
    static class Bus { List<Item> listeners = new CopyOnWriteArrayList<>(); }
    static final Bus BUS = new Bus();
    static final Map<String, Map<Integer, Item>> TENANTS =
        new ConcurrentHashMap<>();
    static final ThreadLocal<List<Item>> BUFFERS =
        ThreadLocal.withInitial(ArrayList::new);
    static final ExecutorService POOL = Executors.newFixedThreadPool(1);
    static Item items;

    static void add(int i) throws Exception {
        BUS.listeners.add(new Item());
        TENANTS.get("t7").put(i, new Item());
        Item item = new Item();
        item.next = items;
        items = item;
        POOL.submit(() -> BUFFERS.get().add(new Item())).get();
    }

    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 9; i++)
            TENANTS.put("t" + i, new HashMap<>());
        for (int i = 0, n = 0; i < 2; i++) {
            for (int to = n + 1000 * i + 20; n < to; n++)
                add(n);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpHeap(a[0] + i + ".hprof", true);
        }
        System.exit(0);
    }
}
JAVA
javac --release 17 Leaks.java 2>.err || skip "javac failed"
# one JDK OPTION NAME: the suspects of a run, with their fingerprints
one() {
    "$1/bin/java" -Xmx200m "$2" -cp . Leaks "$3" >.out 2>&1 || return
    hprof-diff --retained --format=json "$3"0.hprof "$3"1.hprof 2>.err |
        jq -r '.suspects[] | [.fingerprint, .field // "-", .element] | @tsv' |
        sort
    rm -f "$3"[01].hprof
}
first=$(dirname "$(dirname "$(readlink -f "$(type -P java)")")")
one "$first" -XX:+UseSerialGC first >want
cut -f 2- want
for jdk in ${JDKS:-/usr/lib/jvm/*}; do
    [ -x "$jdk/bin/java" ] && [ ! -L "$jdk" ] || continue
    for option in -XX:+UseSerialGC -XX:+UseG1GC -XX:+UseZGC; do
        one "$jdk" "$option" run >got || continue
        cmp -s want got || problem "$jdk $option: $(diff want got)"
        looked
    done
done
looked_at 2+
# the leaks of one run are known in the next
one "$first" -XX:+UseG1GC again >again
same want again
