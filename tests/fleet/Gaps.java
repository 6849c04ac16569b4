import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/*
 * java Gaps FILE: leave gaps between the objects of the old generation, dump the
 * own heap to FILE, print "up", and wait for the end of the input.
 */
public class Gaps {
    static byte[][] kept = new byte[20000][];

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < kept.length; i++)
            kept[i] = new byte[200];
        System.gc();
        for (int i = 0; i < kept.length; i += 50)
            kept[i] = null;
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
        System.out.println("up");
        while (System.in.read() >= 0)
            continue;
    }
}
