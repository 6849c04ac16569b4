# --by=reference in a dump of a JVM: what soft references keep, and the length of queues
need java javac jq
cat >Refs.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.*;
import java.util.*;

public class Refs {
    static class Image { byte[] pixels = new byte[100]; }
    static class Session { byte[] data = new byte[100]; }
    static class Watched { }

    static final List<Object> KEEP = new ArrayList<>();
    static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 100; i++)
            KEEP.add(new SoftReference<>(new Image()));
        /* one image that a soft and a strong reference keep alive */
        Image used = new Image();
        KEEP.add(used);
        KEEP.add(new SoftReference<>(used));
        for (int i = 0; i < 50; i++)
            KEEP.add(new WeakReference<Object>(new Session(), QUEUE));
        System.gc();
        while (!((Reference<?>) KEEP.get(KEEP.size() - 1)).refersTo(null))
            System.gc();
        for (Object r : KEEP)
            while (r instanceof WeakReference && !((Reference<?>) r).isEnqueued())
                Thread.sleep(1);
        for (int i = 0; i < 7; i++) {
            Watched w = new Watched();
            KEEP.add(w);
            KEEP.add(new PhantomReference<Object>(w, QUEUE));
        }
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap("refs.hprof", false);
        Runtime.getRuntime().halt(0);
    }
}
JAVA
javac -nowarn Refs.java 2>.err || skip "javac does not compile the program"
java -Xmx100m -XX:+UseSerialGC -cp . Refs >.out 2>&1 ||
    skip "the JVM does not run the program"
hprof-diff --by=reference --format=json refs.hprof 2>.err |
    jq -c '.rows[] | select(.key | test("Refs")) | [.key, .count[0], .retained_count[0]]'
hprof-diff --by=reference --format=json refs.hprof 2>.err |
    jq -c '.rows[] | select(.key | test("Weak.*cleared")) | .queued[0] >= 50'
