/* A program whose numbers and times of calls are known; see calls.sh. */
public class Calls {
	static volatile long sink;

	/* Work that takes time in proportion to n, and calls nothing. */
	static void large()
	{
		long s = sink;
		for (int i = 0; i < 6000; i++)
			s = s * 31 + i;
		sink = s;
	}

	static void middle()
	{
		long s = sink;
		for (int i = 0; i < 3000; i++)
			s = s * 31 + i;
		sink = s;
	}

	static void small()
	{
		long s = sink;
		for (int i = 0; i < 1000; i++)
			s = s * 31 + i;
		sink = s;
	}

	/* 3 * 19,760 = 59,280 calls with the times 6:3:1. */
	static void ratio()
	{
		for (int i = 0; i < 19760; i++) {
			large();
			middle();
			small();
		}
	}

	static int recurse(int n)
	{
		return n == 0 ? 0 : 1 + recurse(n - 1);
	}

	static boolean even(int n)
	{
		return n == 0 || odd(n - 1);
	}

	static boolean odd(int n)
	{
		return n != 0 && even(n - 1);
	}

	static void thrower(int n)
	{
		if (n == 0)
			throw new IllegalStateException();
		thrower(n - 1);
	}

	static void catcher()
	{
		try {
			thrower(4);
		} catch (IllegalStateException e) {
			sink++;
		}
	}

	/* Calls native methods that throw exceptions. */
	static void nativeThrow()
	{
		try {
			System.arraycopy(new int[1], 0, new long[1], 0, 1);
		} catch (ArrayStoreException e) {
			sink++;
		}
		try {
			Class.forName("none." + sink);
		} catch (ClassNotFoundException e) {
			sink++;
		}
	}

	static void nativeCall()
	{
		sink += Runtime.getRuntime().availableProcessors();
	}

	static final class Made {
		final int n;

		Made(int n)
		{
			this.n = n;
		}
	}

	static void onThread()
	{
		for (int i = 0; i < 100; i++)
			small();
	}

	/* A call that has not ended when the program ends. */
	static void unfinished()
	{
		long end = System.nanoTime() + 30_000_000_000L;
		for (long s = 0; System.nanoTime() < end; s++)
			sink = s;
	}

	static int overflow(int n)
	{
		return overflow(n + 1) + 1;
	}

	static void start(Thread t) throws Exception
	{
		t.start();
		t.join();
	}

	public static void main(String[] args) throws Exception
	{
		ratio();
		if (args.length > 0 && args[0].equals("ratio"))
			return;
		for (int i = 0; i < 50; i++) {
			recurse(9);
			even(7);
			catcher();
			nativeThrow();
			nativeCall();
			sink += new Made(i).n;
		}
		for (int i = 0; i < 5; i++)
			start(new Thread(Calls::onThread));
		if (args.length > 0 && args[0].equals("overflow"))
			try {
				overflow(0);
			} catch (StackOverflowError e) {
				sink++;
			}
		if (args.length > 0 && args[0].equals("virtual")) {
			java.lang.reflect.Method make = Thread.class.getMethod(
				"startVirtualThread", Runnable.class);
			for (int i = 0; i < 200; i++)
				((Thread)make.invoke(null, (Runnable)() -> {
					try {
						recurse(3);
						Thread.sleep(5);
						recurse(3);
					} catch (InterruptedException e) {
						sink++;
					}
				})).join();
		}
		if (args.length > 0 && args[0].equals("unfinished")) {
			Thread t = new Thread(Calls::unfinished);
			t.start();
			Thread.sleep(1000);
			System.exit(0);
		}
	}
}
