import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Comparator;
import java.util.stream.Stream;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;

/**
 * What VisualVM's heap library takes for the retained size of each class: a
 * line "retained class", largest first. What the library keeps in a folder
 * beside the dump is removed, so that each run finds all of it anew.
 *
 * Usage: java RetainedSizes FILE
 */
public final class RetainedSizes {
	private RetainedSizes() {
	}

	private static void remove(Path folder) throws Exception {
		if (!Files.exists(folder))
			return;
		try (Stream<Path> files = Files.walk(folder)) {
			files.sorted(Comparator.reverseOrder())
				.forEach(file -> file.toFile().delete());
		}
	}

	public static void main(String[] args) throws Exception {
		Path kept = Paths.get(args[0] + ".hwcache");

		remove(kept);
		Heap heap = HeapFactory.createHeap(new File(args[0]));
		for (Object each : heap.getAllClasses())
			((JavaClass)each).getRetainedSizeByClass();
		heap.getAllClasses().stream()
			.sorted(Comparator.comparingLong(
				(JavaClass c) -> -c.getRetainedSizeByClass()))
			.limit(20)
			.forEach(c -> System.out.println(
				c.getRetainedSizeByClass() + "\t"
				+ c.getName()));
		remove(kept);
	}
}
