import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
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
 * are to any object, the worst that can be for a processor's caches.
 *
 * Usage: java BenchHeap mixed|dense|scattered BYTES FILE
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

	public static void main(String[] args) throws Exception {
		long bytes = Long.parseLong(args[1]);
		if (args[0].equals("mixed"))
			mixed(bytes);
		else
			dense(bytes, args[0].equals("dense") ? 20 : 100);
		ManagementFactory.getPlatformMXBean(
			HotSpotDiagnosticMXBean.class).dumpHeap(args[2], true);
	}
}
