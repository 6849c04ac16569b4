# --by=waste finds the waste that a Java program plants, to the byte: each kind in
# a static field of its own. With every JDK of the machine, G1 and Serial.
need java javac jcmd jq
cat >Planted.java <<'JAVA'
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.*;

public class Planted {
    static Object[] sameStrings, sameArrays, zeros, trailing, empty, sparse,
        emptyArrays, nullArrays, sparseArrays, boxed, overlap, many;
    static Map<Long, Object> boxedMap;
    static Set<String> sparseSet;
    static Object[] single, wide;
    static Padded[] padded;

    // 12 + 1 bytes, and 3 bytes of padding
    static class Padded { boolean field; }

    // its finalizer never ends, so that all others wait
    static class Stuck {
        final byte[] kept = new byte[1000];
        protected void finalize() throws Exception {
            stuck = true;
            Thread.sleep(1000000);
        }
    }
    static class Waits {
        final byte[] kept = new byte[2000];
        // the JVM ignores empty finalizers
        protected void finalize() { Thread.yield(); }
    }
    static class Local { final byte[] kept = new byte[3000]; }
    static class Lost { final byte[] kept = new byte[4000]; }

    static volatile boolean stuck;

    // how many objects wait in the queue of the thread that calls finalizers
    static int inQueue() {
        return ManagementFactory.getMemoryMXBean().getObjectPendingFinalizationCount();
    }

    static void makeGarbage() throws Exception {
        new Stuck();
        System.gc();
        while (!stuck)
            Thread.sleep(1);
        int before = inQueue();
        for (int i = 0; i < 10; i++)
            new Waits();
        // the ThreadLocals themselves are not kept
        for (int i = 0; i < 5; i++)
            new ThreadLocal<Object>().set(new Local());
        System.gc();
        while (inQueue() < before + 10)
            Thread.sleep(1);
        // objects that nothing refers to, which a dump without -all keeps
        Object[] lost = new Object[7];
        for (int i = 0; i < lost.length; i++)
            lost[i] = new Lost();
    }

    static Object[] of(Object... all) { return all; }

    // no constant of the program is equal
    static String text() { return new String(new char[9]).replace('\0', 'd'); }

    // a list without free slots, so that only what is planted is waste
    static <T> ArrayList<T> list(int capacity) { return new ArrayList<>(capacity); }

    public static void main(String[] a) throws Exception {
        // 3 more Strings (24) with arrays of 9 bytes (32), and one that shares
        String same = text();
        sameStrings = of(same, text(), text(), text(), new String(same));
        // 2 more arrays of 5 ints (40)
        sameArrays = of(new int[] {1, 2, 3, 4, 5}, new int[] {1, 2, 3, 4, 5},
            new int[] {1, 2, 3, 4, 5});
        // 1 more String (24) with an array of 200 bytes (216)
        wide = of(new String(new char[100]).replace('\0', 'Ж'),
            new String(new char[100]).replace('\0', 'Ж'));
        // different lengths: 16 + 100 and 16 + 800 bytes
        zeros = of(new byte[100], new long[101]);
        // 7 longs of 10, and nothing of 5 of 10
        long[] run = new long[10], half = new long[10];
        run[2] = 7;
        half[4] = 8;
        trailing = of(run, half);
        // 24 + 0; 24 + 16 + 80; 48 + 0; 16 + 48 + 16 + 64; 64 + 0
        Map<Object, Object> cleared = new HashMap<>();
        Set<Object> set = new HashSet<>();
        set.add("x");
        set.remove("x");
        List<Object> capacity = list(20);
        empty = of(new ArrayList<>(), capacity, cleared, set,
            new ConcurrentHashMap<>());
        // slots: 100 - 10; 64 - 16; 64 - 17
        ArrayList<Object> much = list(100);
        much.add("one");
        HashMap<Object, Object> big = new HashMap<>(64);
        big.put("one", "two");
        ArrayDeque<Object> deque = new ArrayDeque<>(63);
        deque.add("one");
        // 12 entries in 16 slots, and 10 slots for one entry are no waste
        HashMap<Object, Object> full = new HashMap<>();
        for (int i = 0; i < 12; i++)
            full.put("key " + i, "value");
        ArrayList<Object> one = new ArrayList<>();
        one.add("one");
        sparse = of(much, big, deque, full, one);
        // 16 each
        emptyArrays = of(new Object[0], new String[0]);
        // 16 + 40
        nullArrays = of(new Object[10], new Object[] {"one"});
        // 6 of 10
        Object[] four = new Object[10];
        four[0] = four[1] = four[2] = four[3] = "one";
        Object[] five = new Object[10];
        five[0] = five[1] = five[2] = five[3] = five[4] = "one";
        sparseArrays = of(four, five);
        // Integers: 16 + 4 - 4, Longs: 24 + 4 - 8; cached ones are none
        boxed = of(Integer.valueOf(100000), Integer.valueOf(100001),
            Integer.valueOf(5), Long.valueOf(100002), Boolean.TRUE);
        boxedMap = new HashMap<>();
        for (long i = 0; i < 10; i++)
            boxedMap.put(1000000 + i, "value");
        // two equal arrays with trailing zeros in a sparse list of boxes: the
        // copy is a duplicate (816), the first one has a run (792), the list
        // 64 - 10 slots and one box
        ArrayList<Object> of = list(64);
        for (int i = 0; i < 2; i++) {
            long[] tail = new long[100];
            tail[0] = 42;
            of.add(tail);
        }
        of.add(Integer.valueOf(200000));
        overlap = of(of);
        many = of(new IdentityHashMap<>(), new TreeMap<>(), new LinkedList<>(),
            new Vector<>(), new PriorityQueue<>(),
            new CopyOnWriteArrayList<>(), List.of(), Map.of(1, 2, 3, 4),
            Collections.emptyList());
        // a list of one: its array of 16 + 10 slots of 4; a set of one: a map of
        // 48 and a table of 16 + 64; a reference less
        List<Object> list = new ArrayList<>();
        list.add("one");
        single = of(list, new HashSet<>(Arrays.asList("one")));
        // 41 references need 16 + 164 bytes, and 4 bytes of padding
        padded = new Padded[41];
        for (int i = 0; i < padded.length; i++)
            padded[i] = new Padded();
        makeGarbage();
        System.out.println("held");
        System.in.read();
    }
}
JAVA
cat >want <<'TEXT'
boxed-collections boxedMap 10 200
boxed-collections overlap 1 16
boxed-fields boxed 3 52
duplicate-arrays overlap 1 816
duplicate-arrays sameArrays 2 80
duplicate-strings sameStrings 4 192
duplicate-strings wide 1 240
empty-arrays emptyArrays 2 32
empty-collections empty 5 400
null-arrays nullArrays 1 56
single-collections single 2 176
single-collections sparse 4 1000
sparse-arrays sparseArrays 1 24
sparse-collections overlap 1 216
sparse-collections sparse 3 740
trailing-zeros overlap 1 792
trailing-zeros trailing 1 56
zero-arrays zeros 2 944
TEXT
cat >beside <<'TEXT'
alignment → Planted$Padded 41 123
alignment → Planted$Padded[] 1 4
finalization → Planted$Waits 10 20320
single-collections → Planted.single (static) 2 176
stale-threadlocals → Planted$Local 5 15320
unreachable → Planted$Lost 7 112
TEXT
tried=
for home in /usr/lib/jvm/*/; do
    [ -x "$home/bin/javac" ] && [ -x "$home/bin/jcmd" ] || continue
    # the same JDK can have several names
    case $tried in *" $(readlink -f "$home") "*) continue ;; esac
    tried="$tried $(readlink -f "$home") "
    PATH=$home/bin:$PATH
    javac -encoding UTF-8 Planted.java 2>.err || problem "$home: javac"
    for gc in UseG1GC UseSerialGC; do
        rm -f in said
        jvm -XX:-UseSerialGC -XX:+$gc -XX:-UseCompactObjectHeaders \
            -XX:+IgnoreUnrecognizedVMOptions Planted
        jvm_says held
        jcmd "$pid" GC.heap_dump -overwrite -all "$PWD/all" >.out
        jcmd "$pid" GC.heap_dump -overwrite "$PWD/dump" >.out
        exec 5>&-
        wait "$pid"
        hprof-diff --by=waste --format=json dump |
            jq -r '.rows[] | select(.key | test("Planted\\.") and
                    (test("Planted\\.many") | not)) |
                [(.key | sub(" → Planted."; " ") | sub(" \\(static\\)"; "")),
                .count[0], .waste[0]] | join(" ")' | sort >got
        diff want got || echo "$home $gc"
        hprof-diff --by=waste --show-values --format=json dump |
            jq -c '.rows[] | select(.key == "duplicate-strings → Planted.sameStrings (static)") |
                .example' >got
        [ "$(cat got)" = '{"text":"ddddddddd","characters":9,"count":4,"waste":192}' ] ||
            problem "$home $gc: $(cat got)"
        # 100 characters of two bytes: the first 80 are shown
        hprof-diff --by=waste --show-values --format=json dump |
            jq -r '.rows[] | select(.key == "duplicate-strings → Planted.wide (static)") |
                .example | "\(.text) \(.characters)"' >got
        [ "$(sed 's/\(Ж\)*/&|/' got)" = "$(printf 'Ж%.0s' {1..80})|... 100" ] ||
            problem "$home $gc: $(cat got)"
        # these are empty; the others are constants, or not empty
        hprof-diff --by=waste --format=json dump |
            jq -r '.rows[] | select(.key | test("Planted\\.many")) |
                [.key, .count[0]] | join(" ")' >many
        [ "$(cat many)" = 'empty-collections → Planted.many (static) 6' ] ||
            problem "$home $gc: $(cat many)"
        # not in the total: padding; collections of one; entries (32 bytes) of
        # ThreadLocals that are gone, with a Local (16) and its array (3,016);
        # what waits for the finalizer; seven Lost (16) with arrays (4,016)
        hprof-diff --by=waste --retained --format=json all |
            jq -r '.rows[] | select(.beside) | select(.key |
                    test("align.*Padded|Planted.single|locals.*Local|final.*Waits|unreach.*Lost")) |
                [.key, .count[0], .waste[0]] | join(" ")' | sort >got
        diff beside got || echo "$home $gc"
        looked
    done
done
[ -e .looked ] || skip "no JDK with javac and jcmd"
rm -f .looked
# a cache of equal Strings grew by 1,000, of 24 bytes and an array of 24: a gate
# fails the build, and a gate above the growth does not fail
cat >Cache.java <<'JAVA'
import java.util.*;

public class Cache {
    static final Map<Integer, String> countries = new HashMap<>();

    static void fill(int to) {
        for (int i = countries.size(); i < to; i++)
            countries.put(i, new String(new char[] {'D', 'E', (char) ('A' + i % 2)}));
        System.out.println("filled " + to);
    }

    public static void main(String[] a) throws Exception {
        fill(500);
        System.in.read();
        fill(1500);
        System.in.read();
    }
}
JAVA
javac Cache.java 2>.err || problem "javac Cache"
rm -f in said
jvm Cache
jvm_says 'filled 500'
jcmd "$pid" GC.heap_dump -overwrite "$PWD/before" >.out
echo >&5
jvm_says 'filled 1500'
jcmd "$pid" GC.heap_dump -overwrite "$PWD/after" >.out
exec 5>&-
wait "$pid"
hprof-diff --by=waste --format=json --filter='* → Cache.countries*' before after |
    jq -c '.rows[] | select(.key | test("duplicate-strings")) |
        [.key, .count, .delta_waste, .good]'
for gate in 'duplicate-strings growth-waste>40KB' \
    'Cache.countries (static) growth-count>900' \
    'duplicate-strings growth-waste>60KB'; do
    code hprof-diff --by=waste --fail-if="$gate" before after
done
