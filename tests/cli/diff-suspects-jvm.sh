# Suspects of Java programs, each with one planted leak among equal objects that
# do not grow: the first suspect, its field and the number of its elements.
need java javac jq
cat >Plant.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicReference;

public class Plant {
    static class Item {
        byte[] text = new byte[500];
    }

    static class Order {
        Order next;
        byte[] text = new byte[200];
    }

    static class Bus {
        List<Item> listeners = new CopyOnWriteArrayList<>();
    }

    static class Holder {
        List<Item> items = new ArrayList<>();
    }

    static class Cache {
        static final Cache ONE = new Cache();
        AtomicReference<Map<String, Item>> map =
            new AtomicReference<>(new HashMap<>());
    }

    static class Lazy {
        Cell cell;
    }

    static class Cell {
        Lazy more;
        byte[] text = new byte[200];
    }

    static class A { B b; byte[] text = new byte[200]; }
    static class B { C c; }
    static class C { D d; }
    static class D { A a; }

    static class Index {
        Entry root;

        static class Entry {
            int key;
            Entry left, right;
            byte[] text = new byte[200];
        }

        void add(int key) {
            Entry e = new Entry(), at = root;
            e.key = key;
            if (at == null) {
                root = e;
                return;
            }
            for (;;) {
                Entry below = key < at.key ? at.left : at.right;
                if (below == null)
                    break;
                at = below;
            }
            if (key < at.key)
                at.left = e;
            else
                at.right = e;
        }
    }

    static class Freed extends PhantomReference<Object> {
        byte[] text = new byte[200];

        Freed() {
            super(new Object(), QUEUE);
        }
    }

    static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    static final Map<Item, Order> ORDERS = new IdentityHashMap<>();
    static final Map<Object, Object> COPIES = new IdentityHashMap<>();
    static final Set<Item> ITEMS =
        Collections.newSetFromMap(new IdentityHashMap<>());
    static final Set<Freed> FREED = ConcurrentHashMap.newKeySet();

    static class HandMade {
        Object[] data = new Object[16];
        int size;

        void add(Object o) {
            if (size == data.length)
                data = Arrays.copyOf(data, 2 * size);
            data[size++] = o;
        }
    }

    static class Stack {
        Node top;

        static class Node {
            Node below;
            Item item = new Item();
        }
    }

    static class Trie {
        Node root = new Node();

        static class Node {
            Node[] below = new Node[8];
            byte[] text = new byte[400];
        }

        void add(int number) {
            Node n = root;
            for (; n.below[number % 8] != null; number /= 8)
                n = n.below[number % 8];
            n.below[number % 8] = new Node();
        }
    }

    static class Skips {
        Node head = new Node(8);
        Random random = new Random(1);

        static class Node {
            int key;
            Node[] next;
            byte[] text = new byte[200];

            Node(int height) {
                next = new Node[height];
            }
        }

        void add(int key) {
            int height = 1 + Math.min(7, Long.numberOfTrailingZeros(random.nextLong()));
            Node n = new Node(height), at = head;
            n.key = key;
            for (int i = 7; i >= 0; i--) {
                while (at.next[i] != null && at.next[i].key < key)
                    at = at.next[i];
                if (i < height) {
                    n.next[i] = at.next[i];
                    at.next[i] = n;
                }
            }
        }
    }

    static class Shards {
        Shard[] all = {new Shard(), new Shard(), new Shard()};

        static class Shard {
            Object[] items = new Object[4000];
        }
    }

    static final Stack[] STACKS = {new Stack(), new Stack(), new Stack()};
    static final Map<String, Trie> TRIES =
        Map.of("a", new Trie(), "b", new Trie());
    static final List<Skips> SKIPS = List.of(new Skips(), new Skips());
    static final List<Shards> SHARDS = List.of(new Shards(), new Shards());
    static final Bus BUS = new Bus();
    static final Map<String, Map<Integer, Item>> TENANTS =
        new ConcurrentHashMap<>();
    static final Map<String, Holder> HOLDERS = new HashMap<>();
    static final ThreadLocal<List<Item>> BUFFERS =
        ThreadLocal.withInitial(ArrayList::new);
    static final CyclicBarrier BARRIER = new CyclicBarrier(4);
    static final HandMade MADE = new HandMade();
    static final List<Index> INDEXES = List.of(new Index(), new Index());
    static A first;
    static D end;
    static Order orders;
    static Lazy lazy;
    static Cell last;
    static int serial;
    static volatile int count;

    static void work() {
        try {
            for (;; BARRIER.await()) {
                BARRIER.await();
                for (int i = 0; i < count; i++)
                    BUFFERS.get().add(new Item());
            }
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    static void add(String mode, int i) {
        switch (mode) {
        case "listener": BUS.listeners.add(new Item()); break;
        case "tenant": TENANTS.get("t7").put(serial++, new Item()); break;
        case "side": HOLDERS.get("h3").items.add(new Item());
            HOLDERS.get("h9").items.add(new Item()); break;
        case "all": for (Holder h : HOLDERS.values())
                if (i % 20 == 0)
                    h.items.add(new Item()); break;
        case "orders": Order o = new Order(); o.next = orders; orders = o;
            break;
        case "lazy": Lazy l = new Lazy(); l.cell = new Cell();
            if (last == null)
                lazy = l;
            else
                last.more = l;
            last = l.cell; break;
        case "pairs": ORDERS.put(new Item(), new Order()); break;
        case "nulls": ORDERS.put(new Item(), i % 3 == 0 ? new Order() : null);
            break;
        // each key has the class of its value, and there are two classes
        case "copies": if (i % 3 == 0)
                COPIES.put(new Order(), new Order());
            else
                COPIES.put(new Item(), new Item());
            break;
        case "identity": ITEMS.add(new Item()); break;
        case "freed": FREED.add(new Freed()); break;
        case "four": A a = new A(); a.b = new B(); a.b.c = new C();
            D d = a.b.c.d = new D();
            if (end == null)
                first = a;
            else
                end.a = a;
            end = d; break;
        case "index": INDEXES.get(1).add(serial++ * 0x2F0B4C47); break;
        case "cache": Cache.ONE.map.get().put("k" + serial++, new Item());
            break;
        case "stack": Stack.Node n = new Stack.Node();
            n.below = STACKS[1].top; STACKS[1].top = n; break;
        case "trie": TRIES.get("b").add(serial++ * 0x2F0B4C47 >>> 1); break;
        case "skips": SKIPS.get(1).add(serial++ * 0x2F0B4C47); break;
        case "shards": SHARDS.get(1).all[i % 3].items[serial++] = new Item();
            break;
        case "made": MADE.add(new Item()); break;
        }
    }

    static void grow(String mode, int n) throws Exception {
        for (int i = 0; i < n; i++)
            add(mode, i);
        count = n;
        if (mode.equals("threads")) {
            BARRIER.await();
            BARRIER.await();
        }
    }

    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 30; i++) {
            HOLDERS.put("h" + i, new Holder());
            TENANTS.put("t" + i, new HashMap<>());
        }
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(Plant::work, "http-worker-" + i);
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < 4; i++) {
            grow(a[0], i == 0 ? 20 : 500);
            if (a[0].equals("freed")) {
                // a thread of the JVM adds the references to the queue
                System.gc();
                for (Freed f : FREED)
                    while (!f.isEnqueued())
                        Thread.sleep(1);
            }
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpHeap(a[0] + i + ".hprof", true);
        }
        System.exit(0);
    }
}
JAVA
javac Plant.java 2>.err || skip "javac does not compile the program"
for mode in listener tenant side all orders lazy cache made threads stack trie \
    shards four index freed pairs nulls copies identity skips; do
    java -Xmx100m -XX:+UseSerialGC -cp . Plant $mode >.out 2>&1 ||
        skip "the JVM does not run the program"
    # a single dump has owners; without a large container it has no suspects
    {
        echo "\"$mode\""
        hprof-diff --retained --format=json $mode[0-3].hprof
        hprof-diff --retained --format=json ${mode}0.hprof
    } >>all 2>.err
    looked
done
looked_at 20
jq -n -r 'def problem($what): "problem: \($what)";
    def mode: . as $mode | input as $all | input as $first | $all |
        ([$mode] + (.suspects[:if $mode == "side" then 2
            else 1 end][] | [.label, .field, .class, .count, .elements,
            .evidence.grew, .evidence.steps, has("object"),
            .evidence.bytes_per_dump > 40000]) | tojson),
        # after a steady growth, the report says when the heap doubles
        (select($mode == "listener") | .suspects[0] | .evidence as $e |
            select((($e.heap_doubles_in_ms > 0 or
            $e.heap_doubles_in_dumps > 0) == ($e.bytes_per_dump > 0) and
            (.retained_bytes_of_dumps | length == 4 and . == sort)) | not) |
            problem("no forecast")),
        # the suspects together explain 90 to 110 % of the growth
        (.suspects_explain | select((.explained > .growth * 0.9 and
            .explained < .growth * 1.1) | not) |
            problem("\($mode): the growth is not explained")),
        ($first | select((.suspects == [] and (.largest_owners | length > 0)) |
            not) | problem("\($mode): a healthy dump has suspects"));
    range(20) | input | mode' all
