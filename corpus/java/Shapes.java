import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * One small heap with every shape that plain Java can give an HPROF file:
 * names outside ASCII, names that attack terminals, spreadsheets and browsers,
 * arrays of every type with the values at the ends of their ranges, shadowed
 * fields, cycles, lambdas, hidden classes, proxies, one class in several
 * loaders, deep stacks, monitors and references of every strength.
 *
 * It prints "EXPECT class count" and "GLOB pattern count" for what it has
 * planted, then "READY name", and waits for a line on standard input.
 */
public final class Shapes {
	static final List<Object> KEPT = new ArrayList<>();

	static class Größe { int höhe = 1; String 𝒜 = "Ä€𝒜"; }
	static class 日本 { Object 東京 = "東京"; }
	static class Shadow1 { int x = 1; Object ref = "one"; }
	static class Shadow2 extends Shadow1 { long x = 2; Object ref = "two"; }
	static class Shadow3 extends Shadow2 { byte x = 3; Object ref = this; }
	static class Empty { }
	static class OnlyBoolean { boolean yes = true; }
	static class SelfRef { Object self = this; }
	static class StackLocal { int depth; StackLocal(int d) { depth = d; } }
	static class SoftTarget { }
	static class WeakTarget { }
	record Point(int x, int y) { }
	enum Colour { RED, GREEN, BLUE { @Override int rank() { return 7; } };
		int rank() { return 1; } }

	static class Cycle {
		final Cycle next;
		Cycle closing;

		Cycle(Cycle next) {
			this.next = next;
		}
	}

	static class AllTypes {
		boolean z = true;
		char c = '\uffff';
		float f = Float.NaN;
		double d = Double.MIN_VALUE;
		byte b = Byte.MIN_VALUE;
		short s = Short.MIN_VALUE;
		int i = Integer.MIN_VALUE;
		long j = Long.MIN_VALUE;
		Object l = null;
	}

	static boolean staticBoolean = true;
	static char staticChar = '\u0001';
	static float staticFloat = Float.NEGATIVE_INFINITY;
	static double staticDouble = -0.0;
	static byte staticByte = -1;
	static short staticShort = 0x1234;
	static int staticInt = 0x12345678;
	static long staticLong = 0x123456789abcdef0L;
	static final Object STATIC_ARRAY = new Object[][] { {}, { null }, { "x" } };

	static void expect(String name, int count) {
		System.out.println("EXPECT " + name + " " + count);
	}

	static void keep(int count, Supplier<?> maker) {
		Object o = null;
		for (int i = 0; i < count; i++)
			KEPT.add(o = maker.get());
		expect(o.getClass().getTypeName(), count);
	}

	static void arrays() {
		KEPT.add(new boolean[] { true, false, true });
		KEPT.add(new char[] { 0, 'a', '\ud835', '\udc9c', '\uffff' });
		KEPT.add(new float[] { 0f, -0f, Float.NaN, Float.MAX_VALUE,
			Float.POSITIVE_INFINITY });
		KEPT.add(new double[] { 0, Double.NaN, Double.MIN_VALUE, -1e308 });
		KEPT.add(new byte[] { Byte.MIN_VALUE, -1, 0, Byte.MAX_VALUE });
		KEPT.add(new short[] { Short.MIN_VALUE, 0, Short.MAX_VALUE });
		KEPT.add(new int[] { Integer.MIN_VALUE, 0, Integer.MAX_VALUE });
		KEPT.add(new long[] { Long.MIN_VALUE, 0, Long.MAX_VALUE });
		KEPT.add(new int[40000]);
		keep(5, () -> new double[3][2]);
		keep(4, () -> new boolean[2][1][]);
		keep(3, () -> new Point[0]);
		keep(2, () -> new Runnable[7]);
		keep(6, () -> new StackLocal[1][0][0]);
	}

	static void strings() {
		KEPT.add("");
		KEPT.add(new String("latin \u00e9"));
		KEPT.add("wide \u20ac \ud835\udc9c");
		KEPT.add("nul \0 esc \u001b[2J newline \n");
		KEPT.add("lone \ud800");
		KEPT.add("x".repeat(70000));
	}

	static void references() {
		List<Object> targets = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			WeakTarget t = new WeakTarget();
			targets.add(t);
			KEPT.add(new WeakReference<>(t));
		}
		KEPT.add(targets);
		expect(WeakTarget.class.getTypeName(), 8);
		for (int i = 0; i < 5; i++)
			KEPT.add(new SoftReference<>(new SoftTarget()));
		expect(SoftTarget.class.getTypeName(), 5);
		Cycle first = new Cycle(null);
		Cycle c = first;
		for (int i = 1; i < 42; i++)
			c = new Cycle(c);
		first.closing = c;
		KEPT.add(first);
		expect(Cycle.class.getTypeName(), 42);
	}

	/** Alone in its class, so that no other lambda has a like name. */
	static class Closures {
		static Supplier<Integer> make(int captured) {
			return () -> captured;
		}
	}

	static void generated() {
		for (int i = 0; i < 9; i++)
			KEPT.add(Closures.make(i));
		System.out.println("GLOB Shapes$Closures$$Lambda* 9");
		for (int i = 0; i < 3; i++)
			KEPT.add(Proxy.newProxyInstance(
				Shapes.class.getClassLoader(),
				new Class<?>[] { Comparator.class },
				(p, m, a) -> null));
		System.out.println("GLOB jdk.proxy.$Proxy 3");
	}

	/** A class file with a constructor without arguments and nothing else. */
	static byte[] classFile(String name) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream o = new DataOutputStream(bytes);
		o.writeInt(0xcafebabe);
		o.writeInt(52);
		o.writeShort(10);
		utf8(o, name);                        /* 1 */
		o.writeByte(7); o.writeShort(1);      /* 2: this class */
		utf8(o, "java/lang/Object");          /* 3 */
		o.writeByte(7); o.writeShort(3);      /* 4: super class */
		utf8(o, "<init>");                    /* 5 */
		utf8(o, "()V");                       /* 6 */
		utf8(o, "Code");                      /* 7 */
		o.writeByte(12); o.writeShort(5); o.writeShort(6);  /* 8 */
		o.writeByte(10); o.writeShort(4); o.writeShort(8);  /* 9 */
		o.writeShort(0x0021);
		o.writeShort(2);
		o.writeShort(4);
		o.writeInt(0);                        /* interfaces, fields */
		o.writeShort(1);
		o.writeShort(1); o.writeShort(5); o.writeShort(6);
		o.writeShort(1);
		o.writeShort(7); o.writeInt(17);
		o.writeShort(1); o.writeShort(1); o.writeInt(5);
		o.write(new byte[] { 0x2a, (byte)0xb7, 0, 9, (byte)0xb1 });
		o.writeInt(0);                        /* handlers, attributes */
		o.writeShort(0);
		return bytes.toByteArray();
	}

	static void utf8(DataOutputStream o, String s) throws IOException {
		o.writeByte(1);
		o.writeUTF(s);
	}

	static final class IsoLoader extends ClassLoader {
		IsoLoader(String name) {
			super(name, Shapes.class.getClassLoader());
		}

		Class<?> define(String name) throws IOException {
			byte[] b = classFile(name);
			return defineClass(null, b, 0, b.length);
		}
	}

	static void make(Class<?> c, int count) throws Exception {
		for (int i = 0; i < count; i++)
			KEPT.add(c.getDeclaredConstructor().newInstance());
	}

	static void loaders() throws Exception {
		for (int i = 0; i < 3; i++) {
			IsoLoader l = new IsoLoader("plugin \"" + i + "\"\n");
			KEPT.add(l);
			make(l.define("Plugin"), 2 + i);
		}
		expect("Plugin", 9);
		expect(IsoLoader.class.getTypeName(), 4);
		IsoLoader l = new IsoLoader("hostile");
		KEPT.add(l);
		String[] hostile = { "=SUM(A1)", "<script>alert(1)<\u2044script>",
			"\u001bc\u009b31mred", "\"quoted\", 'n ${x}", "::error::hi" };
		for (String name : hostile) {
			make(l.define(name), 2);
			expect(name, 2);
		}
		MethodHandles.Lookup lookup = MethodHandles.lookup();
		for (int i = 0; i < 5; i++)
			make(lookup.defineHiddenClass(classFile("Shapes$Hidden"),
				false).lookupClass(), 1);
		System.out.println("GLOB Shapes$Hidden* 5");
	}

	static int descend(int depth, int stop, CountDownLatch ready) {
		StackLocal local = new StackLocal(depth);
		int below = 0;
		if (depth < stop) {
			below = descend(depth + 1, stop, ready);
		} else {
			ready.countDown();
			while (true)
				LockSupport.park();
		}
		return below + local.depth;
	}

	static void daemon(String name, Runnable r) {
		Thread t = new Thread(r, name);
		t.setDaemon(true);
		t.start();
	}

	static void threads() throws Exception {
		CountDownLatch ready = new CountDownLatch(3);
		Object lock = new Object();
		daemon("deep", () -> descend(1, 150, ready));
		daemon("holder \u001b]0;title\u0007", () -> {
			synchronized (lock) {
				descend(1, 3, ready);
			}
		});
		daemon("waiter\nnext line", () -> {
			Object waiting = new Object();
			synchronized (waiting) {
				ready.countDown();
				while (true) {
					try {
						waiting.wait();
					} catch (InterruptedException e) {
						return;
					}
				}
			}
		});
		ready.await();
		daemon("blocked", () -> {
			synchronized (lock) {
				KEPT.clear();
			}
		});
		expect(StackLocal.class.getTypeName(), 153);
	}

	public static void main(String[] args) throws Exception {
		keep(11, Größe::new);
		keep(12, 日本::new);
		keep(13, Shadow3::new);
		keep(14, Empty::new);
		keep(15, OnlyBoolean::new);
		keep(16, AllTypes::new);
		keep(1, SelfRef::new);
		keep(40, () -> new Point(1, 2));
		expect(Colour.class.getTypeName(), 2);
		KEPT.add(Colour.BLUE);
		KEPT.add(Class.forName("java.lang.Runnable"));
		arrays();
		strings();
		references();
		generated();
		loaders();
		threads();
		System.out.println("READY shapes");
		System.out.flush();
		int c = System.in.read();
		while (c != '\n' && c != -1)
			c = System.in.read();
	}
}
