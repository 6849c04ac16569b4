/*
 * java Fleet.java DIR COUNT [WAIT]: dump the own heap COUNT times while it grows.
 * With a third argument, print "up" afterwards, and wait for the end of the input.
 */
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Fleet {
    static class Order { long id; String name; Order(long id) { this.id = id; name = "order " + id; } }
    static class Session { final List<Order> orders = new ArrayList<>(); Order newest; byte[] buffer = new byte[64]; }

    static final Map<String, Session> SESSIONS = new HashMap<>();
    static final List<Order> LEAK = new ArrayList<>();
    static Order last;

    public static void main(String[] args) throws Exception {
        Path dir = Path.of(args[0]);
        int count = Integer.parseInt(args[1]);
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (int i = 0; i < count; i++) {
            int version = 1 + i * 3 / count;    /* only version 3 leaks */
            Session s = SESSIONS.computeIfAbsent("session " + i % 20, k -> new Session());
            for (int k = 0; k < 10; k++)
                s.orders.add(new Order(i));
            last = s.newest = s.orders.get(s.orders.size() - 1);
            for (int k = 0; version == 3 && k < 50; k++)
                LEAK.add(new Order(-k));
            Path folder = dir.resolve("host" + i % 5).resolve("" + version);
            Files.createDirectories(folder);
            vm.dumpHeap(folder.resolve(String.format("%04d.hprof", i)).toString(), true);
        }
        if (args.length > 2) {
            System.out.println("up");
            while (System.in.read() >= 0)
                continue;
        }
    }
}
