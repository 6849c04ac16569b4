# The collections of a JVM, with several capacities and every number of elements
# from 0 to 40: size, slots, used slots and wasted bytes are those that a Java
# program finds in the same objects by reflection. With every JDK of the machine.
need java javac jcmd jq
cat >Fills.java <<'JAVA'
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;

public class Fills {
    enum Day {
        D0, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10, D11, D12, D13, D14, D15, D16,
        D17, D18, D19, D20, D21, D22, D23, D24, D25, D26, D27, D28, D29, D30, D31,
        D32, D33, D34, D35, D36, D37, D38, D39
    }
    static final int MOST = 40;
    static final String[] keys = new String[MOST];
    static final List<Object> held = new ArrayList<>();

    static Object make(String name, int n) {
        switch (name) {
        case "Vector": return new Vector<>(n);
        case "Stack": return new Stack<>();
        case "ArrayList": return new ArrayList<>(n);
        case "LinkedList": return new LinkedList<>();
        case "ArrayDeque": return new ArrayDeque<>(n);
        case "PriorityQueue": return new PriorityQueue<>(n + 1);
        case "concurrent.ArrayBlockingQueue":
            return new ArrayBlockingQueue<>(n + MOST);
        case "concurrent.CopyOnWriteArrayList":
            return new CopyOnWriteArrayList<>();
        case "concurrent.CopyOnWriteArraySet": return new CopyOnWriteArraySet<>();
        case "HashSet": return new HashSet<>(n);
        case "LinkedHashSet": return new LinkedHashSet<>(n);
        case "TreeSet": return new TreeSet<>();
        case "HashMap": return new HashMap<>(n);
        case "LinkedHashMap": return new LinkedHashMap<>(n);
        case "WeakHashMap": return new WeakHashMap<>(n);
        case "Hashtable": return new Hashtable<>(n);
        case "Properties": return new Properties();
        case "TreeMap": return new TreeMap<>();
        case "IdentityHashMap": return new IdentityHashMap<>(n);
        case "concurrent.ConcurrentHashMap": return new ConcurrentHashMap<>(n);
        case "synchronizedMap":
            return Collections.synchronizedMap(new HashMap<>(n));
        case "synchronizedList":
            return Collections.synchronizedList(new ArrayList<>(n));
        case "checkedMap":
            return Collections.checkedMap(new Hashtable<>(n), Object.class,
                Object.class);
        case "checkedSet":
            return Collections.checkedSet(new HashSet<>(n), Object.class);
        case "newSetFromMap":
            return Collections.newSetFromMap(new IdentityHashMap<>(n));
        case "unmodifiableMap": return new HashMap<>(n);
        case "unmodifiableList": return new ArrayList<>(n);
        default: return new EnumMap<Day, Object>(Day.class);
        }
    }

    @SuppressWarnings("unchecked")
    static void fill(Object c, int n) {
        for (int i = 0; i < n; i++)
            if (c instanceof EnumMap)
                ((Map<Object, Object>) c).put(Day.values()[i], keys[i]);
            else if (c instanceof Map)
                ((Map<Object, Object>) c).put(keys[i], keys[i]);
            else
                ((Collection<Object>) c).add(keys[i]);
    }

    // the first of these fields that the class or an ancestor declares
    static Object get(Object c, String... names) throws Exception {
        for (String name : names)
            for (Class<?> k = c.getClass(); k != null; k = k.getSuperclass())
                try {
                    Field f = k.getDeclaredField(name);
                    f.setAccessible(true);
                    return f.get(c);
                } catch (NoSuchFieldException e) {
                }
        return null;
    }

    static Object[] slots(Object c) throws Exception {
        if (c instanceof TreeSet || c instanceof TreeMap || c instanceof LinkedList)
            return null;
        if (c instanceof Properties || c instanceof HashSet ||
                c instanceof CopyOnWriteArraySet || isWrapper(c)) {
            Object inner = get(c, "map", "al", "m", "c");
            if (inner != null)
                return slots(inner);
        }
        return (Object[]) get(c, "table", "elementData", "elements", "queue",
            "items", "array", "vals");
    }

    static boolean isWrapper(Object c) {
        return c.getClass().getName().startsWith("java.util.Collections$");
    }

    static int allowed(Object c, int size) throws Exception {
        if (isWrapper(c))
            return allowed(get(c, "m", "c"), size);
        if (c instanceof ArrayList)
            return Math.max(size + size / 2, 10);
        if (c instanceof Vector)
            return Math.max(2 * size, 10);
        if (c instanceof ArrayDeque)
            return Math.max(2 * size, 17);
        if (c instanceof EnumMap)
            return size;
        if (c instanceof IdentityHashMap)
            return 2 * size;
        if (c instanceof Map || c instanceof HashSet)
            return Math.max(size * 8 / 3, 16);
        return Integer.MAX_VALUE;
    }

    static void show(Object c) throws Exception {
        int size = c instanceof Map ? ((Map<?, ?>) c).size() :
            ((Collection<?>) c).size(), used = 0, waste = 0;
        Object[] slots = slots(c);
        int length = slots == null ? 0 : slots.length;
        for (int i = 0; i < length; i++)
            used += slots[i] != null ? 1 : 0;
        int allowed = allowed(c, size);
        if (size > 0 && length > allowed)
            waste = 4 * Math.min(length - used, length - allowed);
        System.out.println(c.getClass().getName() + " " + size + " " + length +
            " " + used + " " + (size > 0 ? waste : "empty"));
    }

    public static void main(String[] a) throws Exception {
        String[] names = {"Vector", "Stack", "ArrayList", "LinkedList",
            "ArrayDeque", "PriorityQueue", "concurrent.ArrayBlockingQueue",
            "concurrent.CopyOnWriteArrayList", "concurrent.CopyOnWriteArraySet",
            "HashSet", "LinkedHashSet", "TreeSet", "HashMap", "LinkedHashMap",
            "WeakHashMap", "Hashtable", "Properties", "TreeMap",
            "IdentityHashMap", "concurrent.ConcurrentHashMap", "EnumMap",
            "synchronizedMap", "synchronizedList", "checkedMap", "checkedSet",
            "newSetFromMap", "unmodifiableMap", "unmodifiableList"};
        for (int i = 0; i < MOST; i++)
            keys[i] = "key " + i;
        for (String name : names)
            for (int capacity : new int[] {0, 1, 5, 16, 64, 100})
                for (int n = 0; n <= MOST; n++) {
                    Object c = make(name, capacity);
                    fill(c, n);
                    if (name.equals("unmodifiableMap"))
                        c = Collections.unmodifiableMap((Map<?, ?>) c);
                    if (name.equals("unmodifiableList"))
                        c = Collections.unmodifiableList((List<?>) c);
                    held.add(c);
                }
        for (Object c : held)
            show(c);
        System.out.println("held");
        System.in.read();
    }
}
JAVA
tried=
for home in /usr/lib/jvm/*/; do
    [ -x "$home/bin/javac" ] && [ -x "$home/bin/jcmd" ] || continue
    case $tried in *" $(readlink -f "$home") "*) continue ;; esac
    tried="$tried $(readlink -f "$home") "
    PATH=$home/bin:$PATH
    javac Fills.java 2>.err || problem "$home: javac"
    rm -f in said
    jvm -XX:-UseCompactObjectHeaders -XX:+IgnoreUnrecognizedVMOptions \
        --add-opens=java.base/java.util=ALL-UNNAMED \
        --add-opens=java.base/java.util.concurrent=ALL-UNNAMED Fills
    jvm_says held
    jcmd "$pid" GC.heap_dump -overwrite "$PWD/dump" >.out
    exec 5>&-
    wait "$pid"
    grep '^java' said | LC_ALL=C sort >want
    rm -rf tables
    hprof-convert -q --to=tables dump tables
    awk -F '\t' '$9 == "Fills.held (static)" && ($3 != "java.util.ArrayList" || $4 <= 40) {
            print $3, $4, $5, $6, ($4 > 0 ? $8 : $8 > 0 ? "empty" : "none") }' \
        tables/collections.tsv | LC_ALL=C sort >got
    [ "$(wc -l <want)" = 6888 ] || problem "$home: $(wc -l <want) collections"
    diff want got >differs || { echo "$home"; head -n 20 differs; }
    looked
done
[ -e .looked ] || skip "no JDK with javac and jcmd"
rm -f .looked
echo compared
