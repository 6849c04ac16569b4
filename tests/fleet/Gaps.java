import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/* Leaves gaps in the old generation, dumps itself, waits: java Gaps FILE */
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
