# Findings of Java programs that each plant one thing that is unusual: the first
# screen names it, with default options.
need java javac jq
cat >Plant.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.SoftReference;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

public class Plant {
    static class Item { byte[] text = new byte[400]; Object more; }

    static class Slow {
        byte[] data = new byte[300];
        @Override protected void finalize() {
            try { Thread.sleep(1000000); } catch (InterruptedException e) { }
        }
    }

    static class Bad {
        final int n;
        Bad(int n) { this.n = n; }
        @Override public int hashCode() { return n % 3; }
        @Override public boolean equals(Object o) { return o instanceof Bad && ((Bad) o).n == n; }
    }

    static class Task implements Runnable {
        byte[] body = new byte[400];
        public void run() { sleep(); }
    }

    public static class Plugin { static byte[] blob = new byte[100]; }

    static final List<Object> KEEP = new ArrayList<>();
    static final ThreadLocal<byte[]> BUFFER = new ThreadLocal<>();
    static final Map<Object, Object> WEAK = new WeakHashMap<>();
    static final Map<Object, Object> CACHE = new ConcurrentHashMap<>();
    static final List<Object> LISTENERS = new CopyOnWriteArrayList<>();
    static final Map<Object, Object> TABLE = new HashMap<>();
    static ExecutorService pool;

    static void sleep() {
        try { Thread.sleep(1000000); } catch (InterruptedException e) { }
    }

    static Thread start(String name, Runnable r) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    // wait until all these threads sleep
    static void settle(List<Thread> all) throws Exception {
        for (Thread t : all)
            while (t.getState() != Thread.State.TIMED_WAITING)
                Thread.sleep(1);
    }

    static void plant(String mode) throws Exception {
        List<Thread> all = new ArrayList<>();
        switch (mode) {
        case "finalizer-backlog":
            for (int i = 0; i < 3000; i++) new Slow();
            System.gc();
            while (ManagementFactory.getMemoryMXBean().getObjectPendingFinalizationCount() < 2900)
                Thread.sleep(1);
            break;
        case "direct-memory":
            for (int i = 0; i < 100; i++) KEEP.add(ByteBuffer.allocateDirect(50000));
            break;
        case "duplicate-classes":
            URL here = Paths.get("").toAbsolutePath().toUri().toURL();
            for (int i = 0; i < 30; i++)
                KEEP.add(new URLClassLoader(new URL[] {here}, null)
                    .loadClass("Plant$Plugin").getDeclaredConstructor().newInstance());
            break;
        case "thread-locals":
            for (int i = 0; i < 20; i++)
                all.add(start("http-worker-" + i,
                    () -> { BUFFER.set(new byte[50000]); sleep(); }));
            settle(all);
            break;
        case "duplicate-strings":
            for (int i = 0; i < 20000; i++) KEEP.add(new String("country " + i % 5));
            for (int i = 0; i < 20000; i++)
                KEEP.set(i, new String(((String) KEEP.get(i)).toCharArray()));
            break;
        case "hash-collisions":
            for (int i = 0; i < 3000; i++) TABLE.put(new Bad(i), i);
            break;
        case "unbounded-collection":
            for (int i = 0; i < 3000; i++) CACHE.put(i, new Item());
            break;
        case "unbounded-collection-listeners":
            for (int i = 0; i < 3000; i++) LISTENERS.add(new Item());
            break;
        case "executor-queue":
            pool = Executors.newFixedThreadPool(1, r -> {
                Thread t = new Thread(r); t.setDaemon(true); return t; });
            for (int i = 0; i < 3000; i++) pool.submit(new Task());
            break;
        case "soft-references":
            for (int i = 0; i < 3000; i++) KEEP.add(new SoftReference<>(new Item()));
            break;
        case "thread-leak":
            for (int i = 0; i < 600; i++) all.add(start("job-" + i, Plant::sleep));
            settle(all);
            break;
        case "stale-thread-locals":
            for (int i = 0; i < 10; i++)
                all.add(start("w-" + i, () -> {
                    for (int k = 0; k < 40; k++)
                        new ThreadLocal<Object>().set(new Item());
                    sleep();
                }));
            settle(all);
            break;
        case "weak-values":
            for (int i = 0; i < 3000; i++) {
                Item key = new Item(), value = new Item();
                value.more = key;
                WEAK.put(key, value);
            }
            break;
        case "waste":
            for (int i = 0; i < 5000; i++) KEEP.add(new Item());
            break;
        case "generated-classes":
            ClassLoader l = Plant.class.getClassLoader();
            for (int i = 0; i < 400; i++)
                KEEP.add(java.lang.reflect.Proxy.newProxyInstance(
                    new URLClassLoader(new URL[0], l), new Class<?>[] {Runnable.class},
                    (p, m, x) -> null));
            break;
        default:
            break;
        }
    }

    public static void main(String[] a) throws Exception {
        plant(a[0]);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap(a[0] + ".hprof", true);
        Runtime.getRuntime().halt(0);
    }
}
JAVA
javac -nowarn Plant.java 2>.err || skip "javac does not compile the program"
java -Xmx100m -XX:+UseSerialGC -cp . Plant healthy >.out 2>&1 ||
    skip "the JVM does not run the program"
hprof-diff healthy.hprof 2>.err | sed -n '/unusual/,/^$/p'
for mode in finalizer-backlog direct-memory duplicate-classes thread-locals \
    duplicate-strings hash-collisions unbounded-collection \
    unbounded-collection-listeners executor-queue soft-references thread-leak \
    stale-thread-locals weak-values waste generated-classes; do
    java -Xmx100m -XX:+UseSerialGC -cp . Plant $mode >.out 2>&1 ||
        problem "$mode: the JVM does not run the program"
    # figures differ between versions of the JDK
    hprof-diff $mode.hprof 2>.err | sed -n '/unusual/,/^$/p' |
        grep "^!  ${mode%-listeners}: " | sed 's/[0-9.]* [KM]B/SIZE/g; s/[0-9][0-9.,]*/N/g'
    looked
done
looked_at 15
