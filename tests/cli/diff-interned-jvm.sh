# Interned Strings that only the JVM's table of Strings refers to. HotSpot writes no
# roots for them, because the table does not keep them alive: they are garbage.
# With a list that refers to them, the list is the suspect.
need java javac jq
cat >Intern.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;

public class Intern {
    static final List<String> KEPT = new ArrayList<>();

    static void dump(String name) throws Exception {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap(name, false);
    }

    public static void main(String[] a) throws Exception {
        dump("before.hprof");
        for (int i = 0; i < 20000; i++)
            ("customer " + i).intern();
        dump("flood.hprof");
        for (int i = 0; i < 20000; i++)
            KEPT.add(("customer " + i).intern());
        dump("kept.hprof");
        Runtime.getRuntime().halt(0);
    }
}
JAVA
javac Intern.java 2>.err || skip "javac does not compile the program"
java -Xms100m -Xmn80m -XX:+UseSerialGC -cp . Intern >.out 2>&1 ||
    skip "the JVM does not run the program"
hprof-diff --format=json before.hprof flood.hprof 2>.err >json
jq -c '.rows[] | select(.key == "java.lang.String") |
    [.key, .delta_count >= 20000, .delta_retained_count < 2000]' json
hprof-diff before.hprof flood.hprof 2>.err | grep -o '^!  unreachable: '
hprof-diff before.hprof kept.hprof 2>.err |
    sed -n 's/^\(1  list of [0-9,]* String\).*/\1/p; /^   Intern.KEPT/p'
