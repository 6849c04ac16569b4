import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Paths;

/*
 * Replaces the code of the class Target while it runs, by the class file
 * args[0]; see redefine.sh.
 */
public class Redefine {
	static Instrumentation instrumentation;
	static Object[] kept = new Object[2000];

	public static void premain(String args, Instrumentation i)
	{
		instrumentation = i;
	}

	static void fill(int from) throws Exception
	{
		for (int i = from; i < from + 1000; i++)
			kept[i] = Class.forName("Target").getMethod("make").invoke(null);
	}

	public static void main(String[] args) throws Exception
	{
		fill(0);
		instrumentation.redefineClasses(new ClassDefinition(
			Class.forName("Target"),
			Files.readAllBytes(Paths.get(args[0]))));
		fill(1000);
	}
}
