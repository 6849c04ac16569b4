# Memory outside the heap belongs to the owner of the direct buffers: a static
# field, a thread, a path, and the leak suspect.
need java javac jq
cat >Native.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.*;

public class Native {
    static final List<ByteBuffer> POOL = new ArrayList<>();
    static ByteBuffer view;

    static void work() {
        ByteBuffer mine = ByteBuffer.allocateDirect(700000);
        try { Thread.sleep(1000000); } catch (InterruptedException e) { }
        System.out.println(mine);
    }

    public static void main(String[] a) throws Exception {
        Thread t = new Thread(Native::work, "worker-1");
        t.setDaemon(true);
        t.start();
        while (t.getState() != Thread.State.TIMED_WAITING)
            Thread.sleep(1);
        for (int n : new int[] {10, 400}) {
            while (POOL.size() < n)
                POOL.add(ByteBuffer.allocateDirect(50000));
            /* a view owns no memory */
            view = POOL.get(0).slice();
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpHeap(n + ".hprof", true);
        }
        Runtime.getRuntime().halt(0);
    }
}
JAVA
javac -nowarn Native.java 2>.err || skip "javac does not compile the program"
java -Xmx100m -XX:+UseSerialGC -cp . Native >.out 2>&1 ||
    skip "the JVM does not run the program"
for key in dominator thread path; do
    hprof-diff --by=$key --columns=native --all --format=csv 10.hprof 400.hprof 2>.err |
        grep -e Native.POOL -e worker | grep -v ',0,0,0,' | sed "s/^/$key: /"
    hprof-diff --by=$key --columns=native --format=json 10.hprof >saved 2>.err
    for first in 10.hprof saved; do
        hprof-diff --by=$key --columns=native --format=json "$first" 400.hprof 2>.err |
            jq -c '.total.native'
    done
    hprof-diff --by=$key --columns=native --format=csv --fail-if='* growth-native>18MB' \
        10.hprof 400.hprof >.out 2>.err
    echo "a gate: exit status $?"
done
# the suspect, in the formats that have suspects
hprof-diff 10.hprof 400.hprof 2>.err | sed -n '/^outside/p; /^1  list/,/next/p' |
    sed 's/0x[0-9a-f]*/ID/; s/  */ /g; s/objects own .*/objects own SIZE/; s/[0-9.]* % of/PERCENT of/'
hprof-diff --retained --format=json 10.hprof 400.hprof 2>.err |
    jq -c '.suspects[0] | [.path, .native_bytes, .delta_native_bytes]'
hprof-diff --retained --format=github 10.hprof 400.hprof 2>.err | grep -o 'of which .* heap'
hprof-diff --retained --format=rows 400.hprof 2>.err |
    jq -c 'select(.kind == "suspect" and .native) | [.kept_by, .native]'
