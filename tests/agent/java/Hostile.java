import java.util.ArrayList;
import java.util.List;

/* Programs that end or behave in ways that are difficult for an agent. */
public class Hostile {
	static volatile Object sink;
	static final List<Object> kept = new ArrayList<>();
	static long sum;

	static void allocate(int n)
	{
		for (int i = 0; i < n; i++)
			sink = new byte[64];
	}

	static void threads() throws Exception
	{
		Thread[] all = new Thread[1000];
		for (int i = 0; i < all.length; i++) {
			all[i] = new Thread(() -> allocate(50));
			all[i].start();
		}
		for (Thread t : all)
			t.join();
	}

	static int deep(int n)
	{
		sink = new byte[16];
		return deep(n + 1) + 1;
	}

	/* Classes that are defined, used once and unloaded. */
	static final class Loader extends ClassLoader {
		Class<?> define(byte[] bytes)
		{
			return defineClass(null, bytes, 0, bytes.length);
		}
	}

	static byte[] unloaded() throws Exception
	{
		try (java.io.InputStream in =
			     Hostile.class.getResourceAsStream("Unloaded.class")) {
			return in.readAllBytes();
		}
	}

	/* 101,000 classes that stay loaded: renamed copies of one class. */
	static void classes() throws Exception
	{
		String bytes = new String(unloaded(), "ISO-8859-1");
		Loader loader = new Loader();
		for (int i = 0; i < 101_000; i++)
			loader.define(bytes.replace("Unloaded",
						    String.format("U%07d", i))
					      .getBytes("ISO-8859-1"));
		kept.add(loader);
	}

	static void unload() throws Exception
	{
		byte[] bytes = unloaded();
		for (int i = 0; i < 200; i++) {
			Class<?> c = new Loader().define(bytes);
			sink = c.getDeclaredConstructor().newInstance();
			if (i % 50 == 0)
				System.gc();
		}
	}

	static void virtual() throws Exception
	{
		java.lang.reflect.Method start =
			Thread.class.getMethod("startVirtualThread",
					       Runnable.class);
		Thread[] all = new Thread[500];
		for (int i = 0; i < all.length; i++)
			all[i] = (Thread)start.invoke(
				null, (Runnable)() -> onVirtual());
		for (Thread t : all)
			t.join();
	}

	static void onVirtual()
	{
		for (int i = 0; i < 10; i++)
			sink = new long[4];
	}

	static long burn(long s)
	{
		for (int i = 0; i < 20000; i++)
			s = s * 31 + i;
		return s;
	}

	/* Work in burn() for a second, and wait for a monitor. */
	static void work() throws Exception
	{
		Thread holder = new Thread(() -> {
			synchronized (kept) {
				try {
					Thread.sleep(400);
				} catch (InterruptedException e) {
					return;
				}
			}
		});
		holder.start();
		Thread.sleep(100);
		synchronized (kept) {
			sum++;
		}
		long end = System.nanoTime() + 1_000_000_000L;
		while (System.nanoTime() < end)
			sum = burn(sum);
	}

	/* Threads that use 4 ms of the processor each, one after another. */
	static void tasks() throws Exception
	{
		java.lang.management.ThreadMXBean bean =
			java.lang.management.ManagementFactory.getThreadMXBean();
		for (int i = 0; i < 300; i++) {
			Thread t = new Thread(() -> {
				while (bean.getCurrentThreadCpuTime() < 4_000_000)
					sum = burn(sum);
			});
			t.start();
			t.join();
		}
	}

	/* Start and end threads all the time. @taken: a class to load first. */
	static void churn(String taken, long ms) throws Exception
	{
		long end = System.nanoTime() + ms * 1_000_000;
		Class.forName(taken);
		System.out.println("ready");
		System.out.flush();
		while (System.nanoTime() < end) {
			Thread[] all = new Thread[8];
			for (int i = 0; i < all.length; i++)
				all[i] = daemon(() -> allocate(50));
			for (Thread t : all)
				t.join();
		}
	}

	static Thread daemon(Runnable r) throws Exception
	{
		Thread t = new Thread(r);
		t.setDaemon(true);
		t.start();
		return t;
	}

	/* At exit, this thread has entered a monitor twice, and two threads
	 * wait to enter it. Three threads wait to be notified of another. */
	static void monitors() throws Exception
	{
		Object notified = new int[0];
		Thread[] all = new Thread[5];
		synchronized (kept) {
			synchronized (kept) {
				for (int i = 0; i < 2; i++)
					all[i] = daemon(() -> {
						synchronized (kept) {
							sum++;
						}
					});
				for (int i = 2; i < 5; i++)
					all[i] = daemon(() -> {
						synchronized (notified) {
							try {
								notified.wait();
							} catch (InterruptedException e) {
								sum++;
							}
						}
					});
				for (Thread t : all)
					while (t.getState() != Thread.State.WAITING &&
					       t.getState() != Thread.State.BLOCKED)
						Thread.sleep(1);
				System.exit(0);
			}
		}
	}

	public static void main(String[] args) throws Exception
	{
		allocate(1000);
		switch (args[0]) {
		case "return":
			break;
		case "allocate":
			allocate(50000);
			break;
		case "exit":
			System.exit(7);
			break;
		case "halt":
			Runtime.getRuntime().halt(9);
			break;
		case "throw":
			throw new IllegalStateException("meant");
		case "full":
			while (true)
				kept.add(new long[10000]);
		case "threads":
			threads();
			break;
		case "deep":
			try {
				deep(0);
			} catch (StackOverflowError e) {
				System.exit(5);
			}
			break;
		case "classes":
			classes();
			break;
		case "unload":
			unload();
			break;
		case "virtual":
			virtual();
			break;
		case "tasks":
			tasks();
			break;
		case "work":
			work();
			break;
		case "monitors":
			monitors();
			break;
		case "wait":
			System.out.println("ready");
			System.out.flush();
			if (args.length > 2)
				new java.io.File(args[2]).createNewFile();
			Thread.sleep(Long.parseLong(args[1]));
			break;
		case "wait-and-work":
			System.out.println("ready");
			System.out.flush();
			while (!new java.io.File("go").exists())
				Thread.sleep(20);
			work();
			break;
		case "hook":
			/* a shutdown hook that ends the VM, by exit or halt */
			Runtime.getRuntime().addShutdownHook(new Thread(() -> {
				allocate(1000);
				System.out.println("hook");
				System.out.flush();
				if (args[1].equals("halt"))
					Runtime.getRuntime().halt(9);
				System.exit(9);
			}));
			System.exit(7);
			break;
		case "parent":
			/* waits for the file "go", then runs the rest of args */
			System.out.println("ready");
			System.out.flush();
			while (!new java.io.File("go").exists())
				Thread.sleep(20);
			System.exit(new ProcessBuilder(java.util.Arrays.asList(args)
							       .subList(1, args.length))
					    .inheritIO().start().waitFor());
			break;
		case "churn":
			churn(args[1], Long.parseLong(args[2]));
			break;
		default:
			System.exit(99);
		}
	}
}
