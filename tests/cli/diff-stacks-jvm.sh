# --stacks with dumps of a real program: the local variable that keeps the suspect
# alive is marked at its frame. If a static field keeps it alive also, it is not.
need java javac jq
cat >Local.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;

public class Local {
    static class Order { byte[] text = new byte[400]; }

    static List<Order> kept;

    static void dump(String name) throws Exception {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap(name, true);
    }

    static void fill(List<Order> list, int n) {
        for (int i = 0; i < n; i++)
            list.add(new Order());
    }

    static void work() throws Exception {
        List<Order> orders = new ArrayList<>();
        fill(orders, 1000);
        dump("a.hprof");
        fill(orders, 9000);
        dump("b.hprof");
        kept = orders;
        dump("c.hprof");
        orders.clear();
    }

    public static void main(String[] a) throws Exception {
        work();
        Runtime.getRuntime().halt(0);
    }
}
JAVA
javac Local.java 2>.err || skip "javac does not compile the program"
java -Xmx100m -XX:+UseSerialGC -cp . Local >.out 2>&1 ||
    skip "the JVM does not run the program"
marked() {
    hprof-diff --by=thread --stacks "$@" 2>.err |
        grep -E -B 1 'keeps (suspect|owner)' |
        sed 's/(Local.java:[0-9]*)//; s/[0-9.]* [KM]B/SIZE/'
}
marked a.hprof b.hprof
marked b.hprof
hprof-diff --by=thread --stacks --format=json a.hprof b.hprof 2>.err |
    jq -c '.stacks[].frames[] | (.frame // "" | sub("[(].*"; "")) as $frame |
        .locals[] | select(.suspect) | [$frame, .class, .suspect]'
marked a.hprof c.hprof || echo "not marked"
