public class Unloaded {
	static int[] held;

	public Unloaded()
	{
		held = new int[3];
	}
}
