import java.util.ArrayList;

/* Allocations that are known to the object; "planted" adds one site. */
public class Known {
	static final class Order {
		long a, b;
		int c;
	}

	static final ArrayList<Object> kept = new ArrayList<>(1000);
	static int[][] held;

	static void keep()
	{
		for (int i = 0; i < 1000; i++)
			kept.add(new Order());
	}

	static int drop()
	{
		int sum = 0;
		for (int i = 0; i < 5000; i++)
			sum += new Order().hashCode() & 1;
		return sum;
	}

	static int[][] arrays()
	{
		int[][] a = new int[100][];
		for (int i = 0; i < 100; i++)
			a[i] = new int[25];
		return a;
	}

	public static void main(String[] args)
	{
		keep();
		drop();
		held = arrays();
		/* planted */
		if (args.length > 0)
			System.exit(Integer.parseInt(args[0]));
	}
}
