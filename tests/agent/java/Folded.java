/* Allocations in native methods of the JDK, and in method handles. */
public class Folded {
	static final Object[] kept = new Object[3000];

	static void clones()
	{
		long[] one = new long[3];
		for (int i = 0; i < 1000; i++)
			kept[i] = one.clone();
	}

	static void arrays() throws Exception
	{
		for (int i = 1000; i < 2000; i++)
			kept[i] = java.lang.reflect.Array.newInstance(int.class, 9);
	}

	static final class Made {
		int n;
	}

	static void handles() throws Throwable
	{
		java.lang.invoke.MethodHandle make =
			java.lang.invoke.MethodHandles.lookup().findConstructor(
				Made.class, java.lang.invoke.MethodType.methodType(void.class));
		for (int i = 2000; i < 3000; i++)
			kept[i] = make.invoke();
	}

	public static void main(String[] args) throws Throwable
	{
		clones();
		arrays();
		handles();
	}
}
