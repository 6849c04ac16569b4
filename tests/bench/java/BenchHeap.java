import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Heaps for the benchmarks, filled until their dump will be about so large.
 *
 * mixed: 60 % of the bytes are small objects, the rest strings and byte[]; a
 * third of the byte[] payload is random, so that it compresses as real heaps
 * do. dense: a graph of objects and Object[], nearly all references; a fifth
 * are to any object, the others to one that was made at about the same time,
 * so that zstd -3 makes it 3.2 times as small. scattered: the same, but all
 * are to any object, the worst that can be for a processor's caches. maps:
 * HashMaps of Strings, next to nothing else. short: objects of twelve classes,
 * never more than three of one class in a row.
 *
 * service: 3,000 classes of ten class loaders, whose objects have Strings,
 * HashMaps and ArrayLists, as the heap of a server has.
 *
 * Usage: java BenchHeap mixed|dense|scattered|maps|short|service BYTES FILE
 */
public final class BenchHeap {
	static final Random RANDOM = new Random(42);
	static final List<Object> KEPT = new ArrayList<>();
	static long dumped; /* bytes that the dump will have, about */

	static final class Customer {
		final long id;
		final String name;
		Order last;

		Customer(long id, String name) {
			this.id = id;
			this.name = name;
		}
	}

	static final class Order {
		final long id;
		final int quantity;
		final double price;
		final boolean open;
		final Customer customer;
		final Order previous;

		Order(long id, Customer customer) {
			this.id = id;
			this.quantity = (int)(id % 17);
			this.price = id * 0.99;
			this.open = id % 3 == 0;
			this.customer = customer;
			this.previous = customer.last;
			customer.last = this;
		}
	}

	static final class Node {
		Node left, right, up, next;
		int value;
	}

	/** Of an instance with so many bytes of fields, with 8-byte ids. */
	static void instance(int fields) {
		dumped += 25 + fields;
	}

	static String string(String s) {
		instance(14);
		dumped += 18 + s.length();
		return s;
	}

	/* Some 600 of 1000 bytes are in small objects. */
	static void mixed(long bytes) {
		long n = 0;
		while (dumped < bytes) {
			Map<Integer, Order> orders = new HashMap<>();
			Customer c = new Customer(n, string("customer " + n));
			instance(24);
			for (int i = 0; i < 12; i++) {
				orders.put((int)n & 0xfffff, new Order(n++, c));
				instance(8 + 4 + 8 + 1 + 16);
				instance(28);
				instance(4);
			}
			instance(48);
			dumped += 25 + 32 * 8;
			KEPT.add(orders);
			dumped += 8;
			payload((int)(n / 12 % 3));
			KEPT.add(string("order of street " + n * 7919 % 1000));
		}
	}

	static void payload(int kind) {
		byte[] b = new byte[600 + RANDOM.nextInt(1000)];
		if (kind == 0)
			RANDOM.nextBytes(b);
		else if (kind == 1)
			for (int i = 0; i < b.length; i++)
				b[i] = (byte)("key=value;".charAt(i % 10) + i / 97 % 3);
		KEPT.add(b);
		dumped += 18 + b.length + 8;
	}

	/** Which of so many objects one refers to that is near another. */
	static int other(int near, int count, int anywhere) {
		if (RANDOM.nextInt(100) < anywhere)
			return RANDOM.nextInt(count);
		return Math.floorMod(near + RANDOM.nextInt(65) - 32, count);
	}

	/* anywhere: how many of 100 references are to any object. */
	static void dense(long bytes, int anywhere) {
		int count = (int)(bytes * 6 / 10 / (25 + 36 + 8));
		Node[] all = new Node[count];
		for (int i = 0; i < count; i++) {
			all[i] = new Node();
			all[i].value = i;
			instance(36);
		}
		for (Node n : all) {
			n.left = all[other(n.value, count, anywhere)];
			n.right = all[other(n.value, count, anywhere)];
			n.up = RANDOM.nextInt(8) == 0 ? null
				: all[other(n.value, count, anywhere)];
		}
		for (int i = 0; i + 1 < count; i++)
			all[i].next = all[i + 1];
		KEPT.add(all);
		dumped += 25 + 8L * count;
		while (dumped < bytes) {
			Object[] some = new Object[4 + RANDOM.nextInt(60)];
			int near = RANDOM.nextInt(count);
			for (int i = 0; i < some.length; i++)
				some[i] = all[other(near, count, anywhere)];
			KEPT.add(some);
			dumped += 25 + 8L * some.length + 8;
		}
	}

	/* A cache of text, as most servers have: String, byte[], HashMap.Node. */
	static void maps(long bytes) {
		long n = 0;
		while (dumped < bytes) {
			Map<String, String> map = new HashMap<>();
			int size = 3 + RANDOM.nextInt(40);
			for (int i = 0; i < size; i++, n++) {
				map.put(string("key." + n * 7919 % 1000003),
					string("value of " + n));
				instance(28);
			}
			instance(48);
			dumped += 25 + 8L * (size < 12 ? 16 : size < 24 ? 32 : 64);
			KEPT.add(map);
			dumped += 8;
		}
	}

	static class Part { Object a; int i; }
	static final class P1 extends Part { }
	static final class P2 extends Part { Object b; }
	static final class P3 extends Part { Object b, c; }
	static final class P4 extends Part { long l; }
	static final class P5 extends Part { Object b, c, d; }
	static final class P6 extends Part { boolean z; Object b; }
	static final class P7 extends Part { double x, y; }
	static final class P8 extends Part { Object b, c, d, e, f; }
	static final class P9 extends Part { byte k; short s; }
	static final class P10 extends Part { Object b; float f; }
	static final class P11 extends Part { long l; Object b, c; }
	static final class P12 { int only; }

	static Object part(int kind, Object a) {
		Part p;
		instance(kind < 4 ? 20 : 28);
		switch (kind) {
		case 0: p = new P1(); break;
		case 1: P2 p2 = new P2(); p2.b = a; p = p2; break;
		case 2: P3 p3 = new P3(); p3.c = a; p = p3; break;
		case 3: p = new P4(); break;
		case 4: P5 p5 = new P5(); p5.d = a; p = p5; break;
		case 5: p = new P6(); break;
		case 6: p = new P7(); break;
		case 7: P8 p8 = new P8(); p8.e = a; p8.c = p8; p = p8; break;
		case 8: p = new P9(); break;
		case 9: p = new P10(); break;
		case 10: P11 p11 = new P11(); p11.b = a; p = p11; break;
		default: return new P12();
		}
		p.a = a;
		return p;
	}

	/* One to three of a class, then another. */
	static void shortRuns(long bytes) {
		Object last = null;
		Object[] some = new Object[1000];
		int n = 0;
		while (dumped < bytes) {
			int kind = RANDOM.nextInt(12);
			for (int i = RANDOM.nextInt(3); i >= 0; i--) {
				last = part(kind, last);
				some[n++ % 1000] = last;
				dumped += 8;
				if (n % 1000 == 0) {
					KEPT.add(some);
					some = new Object[1000];
					last = null;
				}
			}
		}
		KEPT.add(some);
	}

	/** The superclass of all classes of the kind "service". */
	public static class Entity {
		public String name;
		public Map<String, Object> attributes;
		public List<Entity> parts;
		public Entity parent;
		public long id;
	}

	/** Defines classes that extend Entity and contain nothing else. */
	static final class Module extends ClassLoader {
		Module(String name) {
			super(name, BenchHeap.class.getClassLoader());
		}

		Class<?> define(String name) throws IOException {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			DataOutputStream out = new DataOutputStream(bytes);
			String[] texts = {name, "BenchHeap$Entity", "<init>", "()V",
				"Code"};

			out.writeInt(0xCAFEBABE);
			out.writeInt(52); /* the class file version of Java 8 */
			out.writeShort(10); /* 1 + number of constants */
			for (String text : texts) { /* constants 1 to 5 */
				out.writeByte(1);
				out.writeUTF(text);
			}
			out.write(new byte[] {7, 0, 1}); /* 6: this class */
			out.write(new byte[] {7, 0, 2}); /* 7: its superclass */
			out.write(new byte[] {12, 0, 3, 0, 4}); /* 8: its constructor */
			out.write(new byte[] {10, 0, 7, 0, 8}); /* 9: call it */
			/* public class, no interfaces, no fields, one method */
			out.write(new byte[] {0, 0x21, 0, 6, 0, 7, 0, 0, 0, 0, 0, 1});
			/* the method: public <init>()V, with one attribute */
			out.write(new byte[] {0, 1, 0, 3, 0, 4, 0, 1, 0, 5});
			/* code of 17 bytes: aload_0, invokespecial, return */
			out.write(new byte[] {0, 0, 0, 17, 0, 1, 0, 1, 0, 0, 0, 5,
				0x2A, (byte)0xB7, 0, 9, (byte)0xB1, 0, 0, 0, 0});
			out.writeShort(0);
			return defineClass(name, bytes.toByteArray(), 0, bytes.size());
		}
	}

	static final int MODULES = 10;
	static final int CLASSES = 3000;
	static final int ROOTS = 300; /* classes of the largest objects */
	static final int OWNER = 15; /* each so many objects, one owns others */
	static final int DEPTH = 4;  /* owners in owners */

	static Entity entity(Constructor<?> type, long id) throws Exception {
		Entity e = (Entity)type.newInstance();
		e.id = id;
		e.name = string(type.getName() + " " + id);
		instance(40);
		if (id % 3 == 0) {
			e.attributes = new HashMap<>();
			instance(48);
			dumped += 25 + 16 * 8;
			for (int k = 0; k < id % 7; k++) {
				instance(28);
				e.attributes.put("key " + k, string("value " + (id + k)));
			}
		}
		if (id % 5 == 0) {
			e.parts = new ArrayList<>();
			instance(16);
			dumped += 25 + 10 * 8;
		}
		return e;
	}

	static void service(long bytes) throws Exception {
		Constructor<?>[] types = new Constructor<?>[CLASSES];
		Module[] modules = new Module[MODULES];
		Entity owner = null;
		int ownerType = 0, depth = 0;

		for (int i = 0; i < MODULES; i++)
			modules[i] = new Module("module " + i);
		for (int i = 0; i < CLASSES; i++)
			types[i] = modules[i % MODULES].define("Entity" + i)
				.getConstructor();
		for (long id = 0; dumped < bytes; id++) {
			boolean owns = id % OWNER == 0;
			boolean root = owns && (owner == null || depth == DEPTH);
			int type = root ? rootType() : partType(ownerType);
			Entity e = entity(types[type], id);

			if (root) {
				KEPT.add(e);
				depth = 0;
			} else if (owner.parts.size() < 10) {
				owner.parts.add(e);
			} else {
				e.parent = owner;
				owner.attributes.put(e.name, e);
			}
			if (owns) {
				owner = e;
				ownerType = type;
				depth++;
			}
		}
	}

	/* A few classes have most of the objects, as in real heaps. */
	static int rootType() {
		double place = RANDOM.nextDouble();

		return (int)(ROOTS * place * place * place);
	}

	/*
	 * The parts of an object have one of two classes, because a program
	 * declares the types of its fields. So there are much fewer different
	 * paths than objects, as in the heaps of servers.
	 */
	static int partType(int ownerType) {
		return (ownerType * 31 + RANDOM.nextInt(2) * 977 + 1) % CLASSES;
	}

	public static void main(String[] args) throws Exception {
		long bytes = Long.parseLong(args[1]);
		if (args[0].equals("mixed"))
			mixed(bytes);
		else if (args[0].equals("maps"))
			maps(bytes);
		else if (args[0].equals("short"))
			shortRuns(bytes);
		else if (args[0].equals("service"))
			service(bytes);
		else
			dense(bytes, args[0].equals("dense") ? 20 : 100);
		ManagementFactory.getPlatformMXBean(
			HotSpotDiagnosticMXBean.class).dumpHeap(args[2], true);
	}
}
