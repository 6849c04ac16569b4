# --to=threads: names, states and stacks of threads are those that the JVM itself
# reports of a program whose threads sleep, wait, park and are blocked.
need java javac
cat >Wait.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.locks.LockSupport;

public class Wait {
    static final Object LOCK = new Object(), OTHER = new Object();

    static class Body extends Thread {
        final String how;

        Body(String how, boolean daemon, int priority) {
            super(how + " thread");
            this.how = how;
            setDaemon(daemon);
            setPriority(priority);
        }

        /* Whether the thread is in its method, and no longer runs. */
        boolean isSettled() {
            Thread.State s = getState();
            boolean there = false;
            for (StackTraceElement e : getStackTrace())
                there |= e.getMethodName().equals(how);
            return there && s != Thread.State.NEW && s != Thread.State.RUNNABLE &&
                (s == Thread.State.BLOCKED) == how.equals("blocked");
        }

        void sleeping() throws Exception { Thread.sleep(1000000); }

        void waiting() throws Exception { synchronized (OTHER) { OTHER.wait(); } }

        void timed() throws Exception { synchronized (OTHER) { OTHER.wait(1000000); } }

        void blocked() throws Exception { synchronized (LOCK) { } }

        void parked() throws Exception { LockSupport.park(); }

        @Override public void run() {
            try {
                switch (how) {
                case "sleeping": sleeping(); break;
                case "waiting": waiting(); break;
                case "timed": timed(); break;
                case "blocked": blocked(); break;
                default: parked(); break;
                }
            } catch (Exception e) {
                throw new RuntimeException(e);
            }
        }
    }

    public static void main(String[] a) throws Exception {
        List<Body> all = new ArrayList<>();
        synchronized (LOCK) {
            int n = 0;
            for (String how : new String[] {"sleeping", "waiting", "timed",
                    "blocked", "parked"}) {
                Body b = new Body(how, n % 2 == 0, 4 + n++);
                b.start();
                all.add(b);
            }
            for (Body b : all)
                while (!b.isSettled())
                    Thread.sleep(1);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpHeap("dump.hprof", false);
            for (Body b : all) {
                System.out.println(b.getName() + " " + b.isDaemon() + " " +
                    b.getPriority() + " " + b.getState());
                for (StackTraceElement e : b.getStackTrace())
                    System.out.println("at " + e.getClassName() + "." +
                        e.getMethodName() + "(" + (e.isNativeMethod() ?
                            "Native Method" : e.getFileName() + ":" +
                            e.getLineNumber()) + ")");
            }
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }
}
JAVA
javac Wait.java 2>.err || skip "javac does not compile the program"
java -Xmx50m -XX:+UseSerialGC -cp . Wait >want 2>.err ||
    skip "the JVM does not run the program"
hprof-convert --to=threads dump.hprof 2>.err >all
awk '/^"/ { on = /^"(sleeping|waiting|timed|blocked|parked) thread"/
        if (on) { split($0, part, "\""); name = part[2]
            daemon = /" daemon / ? "true" : "false"
            match($0, /prio=[0-9]+/); prio = substr($0, RSTART + 5, RLENGTH - 5) } }
    on && /Thread.State/ { print name, daemon, prio, $2 }
    on && /^\tat / { sub(/^\t/, ""); print }' all >got
# the JVM lists threads in another order
blocks() { awk '/ thread / { name = $1 } { print name, $0 }' "$1" | sort -s -k1,1; }
blocks want >w
blocks got >g
same w g
grep -A 1 '^"' all | grep -E -A 1 '^"(sleeping|waiting|timed|blocked|parked) ' |
    sed 's/[ =]0x[0-9a-f]*//g' | grep -v '^--' | LC_ALL=C sort
