# --by=thread and virtual threads that are parked: they are one row by their
# names, with their stacks and what their local variables retain.
need java javac jq
cat >Virtual.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;

public class Virtual {
    static void hold() {
        byte[] buffer = new byte[10000];
        while (true) {
            LockSupport.park();
            buffer[0]++;
        }
    }

    public static void main(String[] a) throws Exception {
        Thread[] all = new Thread[1000];
        for (int i = 0; i < all.length; i++)
            all[i] = Thread.ofVirtual().name("request-" + i).start(Virtual::hold);
        for (Thread t : all)
            while (t.getState() != Thread.State.WAITING)
                Thread.sleep(1);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap("dump.hprof", true);
        Runtime.getRuntime().halt(0);
    }
}
JAVA
javac Virtual.java 2>.err || skip "the JDK has no virtual threads"
version=$(java -version 2>&1 | sed -n 's/^[a-z]* version "\([0-9]*\).*/\1/p')
[ "${version:-0}" -ge 25 ] ||
    skip "JDK $version does not write the stacks of virtual threads"
java -Xmx100m -XX:+UseSerialGC -cp . Virtual >.out 2>&1 ||
    skip "the JVM does not run the program"
hprof-diff --by=thread --stacks --format=json dump.hprof 2>.err >json
jq -c '[.rows[] | select(.key | startswith("request")) | [.key, .count]] | flatten' json
jq -c '[.stacks[] | select(.key == "request-*")] |
    [(map(.threads) | add), (map(.retained_bytes) | add) > 10000000,
        ([.[].frames[] | select(.frame // "" | startswith("Virtual.hold(")) |
            .locals[] | select(.class == "byte[]") | .count] | add)]' json
