/*
 * A load for bench-agent: allocates strings and arrays of several sizes at a
 * few sites, keeps some, for a fixed number of rounds.
 */
public class AgentLoad {
	static final Object[] kept = new Object[4096];
	static long sum;

	static void round(int i)
	{
		byte[] b = new byte[16 + (i & 255)];
		String s = "order-" + i;
		Object[] o = {b, s};
		kept[i & (kept.length - 1)] = o;
		sum += s.length();
	}

	public static void main(String[] args)
	{
		int n = Integer.parseInt(args[0]);
		for (int i = 0; i < n; i++)
			round(i);
		if (sum == 0)
			System.out.println(sum);
	}
}
