import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;

/**
 * What VisualVM's heap library sees in dumps: a line "FILE class instances"
 * for each class with instances, those of one name together. A file that ends
 * in .gz is unpacked first, by Java's own reader.
 */
public final class Histogram {
    private Histogram() {
    }

    private static File unpacked(File file) throws Exception {
        if (!file.getName().endsWith(".gz"))
            return file;
        File plain = File.createTempFile("histogram", ".hprof");
        plain.deleteOnExit();
        try (InputStream in =
                new GZIPInputStream(new FileInputStream(file), 1 << 16)) {
            Files.copy(in, plain.toPath(),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return plain;
    }

    public static void main(String[] files) throws Exception {
        PrintStream out =
                new PrintStream(System.out, true, StandardCharsets.UTF_8);

        for (String name : files) {
            Heap heap = HeapFactory.createHeap(unpacked(new File(name)));
            TreeMap<String, Long> counts = new TreeMap<>();

            for (JavaClass c : heap.getAllClasses())
                if (c.getInstancesCount() > 0)
                    counts.merge(c.getName(), (long) c.getInstancesCount(),
                            Long::sum);
            counts.forEach((c, n) ->
                    out.println(name + "\t" + c + "\t" + n));
        }
    }
}
