import java.io.FileInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.SynchronousQueue;
import java.util.zip.CRC32;

/* Programs whose methods use known shares of the processor time. */
public class Truth {
	static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
	static final Object lock = new Object();
	static volatile long sum;

	static long step(long s)
	{
		for (int i = 0; i < 2000; i++)
			s = s * 31 + i;
		return s;
	}

	/* Use the processor for so many microseconds. */
	static void work(long us)
	{
		long end = bean.getCurrentThreadCpuTime() + us * 1000;
		long s = sum;
		while (bean.getCurrentThreadCpuTime() < end)
			for (int i = 0; i < 20; i++)
				s = step(s);
		sum = s;
	}

	/* Waits about 8 ms. */
	interface Wait {
		void once() throws Exception;
	}

	static Thread daemon(Wait w)
	{
		Thread t = new Thread(() -> {
			try {
				while (true)
					w.once();
			} catch (Exception e) {
				sum++;
			}
		});
		t.setDaemon(true);
		t.start();
		return t;
	}

	static Wait waiter(String how, String file) throws Exception
	{
		switch (how) {
		case "sleep":
			return () -> Thread.sleep(8);
		case "socket": {
			ServerSocket server = new ServerSocket(
				0, 1, InetAddress.getLoopbackAddress());
			Socket client = new Socket(server.getInetAddress(),
						   server.getLocalPort());
			OutputStream out = server.accept().getOutputStream();
			InputStream in = client.getInputStream();
			daemon(() -> {
				Thread.sleep(8);
				out.write(1);
			});
			return () -> in.read();
		}
		case "file": {
			InputStream in = new FileInputStream(file);
			return () -> in.read();
		}
		case "park": {
			SynchronousQueue<String> queue = new SynchronousQueue<>();
			daemon(() -> {
				Thread.sleep(8);
				queue.put("");
			});
			return () -> queue.take();
		}
		case "lock":
			daemon(() -> {
				synchronized (lock) {
					Thread.sleep(8);
				}
				Thread.sleep(1);
			});
			return () -> {
				synchronized (lock) {
					sum++;
				}
			};
		default:
			throw new IllegalArgumentException(how);
		}
	}

	static void bursts(String how, String file) throws Exception
	{
		Wait w = waiter(how, file);
		long end = System.nanoTime() + 3_000_000_000L;
		while (System.nanoTime() < end) {
			work(2000);
			w.once();
		}
	}

	/* The same work 6, 3 and 1 times. */
	static long six(long s)
	{
		for (int i = 0; i < 60; i++)
			s = s * 31 + step(i);
		return s;
	}

	static long three(long s)
	{
		for (int i = 0; i < 30; i++)
			s = s * 31 + step(i);
		return s;
	}

	static long one(long s)
	{
		for (int i = 0; i < 10; i++)
			s = s * 31 + step(i);
		return s;
	}

	static void split(int times)
	{
		long s = 0;
		for (int i = 0; i < times; i++)
			s = one(three(six(s)));
		sum = s;
	}

	static void copies()
	{
		byte[] from = new byte[1 << 16], to = new byte[1 << 16];
		long end = bean.getCurrentThreadCpuTime() + 500_000_000L;
		while (bean.getCurrentThreadCpuTime() < end)
			for (int i = 0; i < 100; i++)
				System.arraycopy(from, 0, to, 0, from.length);
		sum += to[5];
	}

	static void checksums()
	{
		CRC32 c = new CRC32();
		byte[] from = new byte[1 << 16];
		long end = bean.getCurrentThreadCpuTime() + 500_000_000L;
		while (bean.getCurrentThreadCpuTime() < end)
			for (int i = 0; i < 100; i++)
				c.update(from);
		sum += c.getValue();
	}

	static void idle(int n, int times) throws Exception
	{
		for (int i = 0; i < n; i++)
			daemon(() -> Thread.sleep(100_000));
		split(times);
		printShare();
	}

	/* Print the percentage of the processor time that the agent's thread used. */
	static void printShare() throws Exception
	{
		long all = 0, agent = 0;
		for (java.io.File task : new java.io.File("/proc/self/task").listFiles()) {
			java.nio.file.Path at = task.toPath();
			String times = new String(java.nio.file.Files.readAllBytes(
				at.resolve("schedstat")));
			String name = new String(java.nio.file.Files.readAllBytes(
				at.resolve("comm"))).trim();
			long ns = Long.parseLong(times.split(" ")[0]);
			all += ns;
			if (name.equals("hprof-agent cpu"))
				agent += ns;
		}
		System.out.println("agent " + 100 * agent / all);
	}

	/* Half of the work in a virtual thread, half in this thread. */
	static void virtual() throws Exception
	{
		java.lang.reflect.Method start =
			Thread.class.getMethod("startVirtualThread",
					       Runnable.class);
		Thread t = (Thread)start.invoke(null,
						(Runnable)() -> onVirtual());
		t.join();
		onPlatform();
	}

	static void onVirtual()
	{
		for (int i = 0; i < 100; i++) {
			sum = six(sum);
			for (int k = 0; k < 200; k++)
				sum = six(sum);
			Thread.yield();
		}
	}

	static void onPlatform()
	{
		for (int i = 0; i < 100; i++)
			for (int k = 0; k < 201; k++)
				sum = six(sum);
	}

	public static void main(String[] args) throws Exception
	{
		switch (args[0]) {
		case "bursts":
			bursts(args[1], args.length > 2 ? args[2] : "");
			break;
		case "split":
			split(Integer.parseInt(args[1]));
			break;
		case "native":
			copies();
			checksums();
			break;
		case "idle":
			idle(Integer.parseInt(args[1]),
			     args.length > 2 ? Integer.parseInt(args[2]) : 8000);
			break;
		case "virtual":
			virtual();
			break;
		default:
			System.exit(99);
		}
		System.out.println(bean.getCurrentThreadCpuTime() / 1000000);
	}
}
