# Run the nightly recipe on a real JVM with jcmd of the JDK: a first night, a
# night without growth, and a night in which a class grew by exactly 20000
# objects.
need java javac jcmd jq
ci=$(cd "$(dirname "$2")/../.." && pwd)/docs/ci
export TMPDIR=$PWD/tmp
mkdir tmp
cat >Grow.java <<'JAVA'
import java.util.*;

public class Grow {
    static final class Held { int a, b; }
    static final List<Held> all = new ArrayList<>();

    static void grow(int n) {
        for (int i = 0; i < n; i++)
            all.add(new Held());
        System.out.println("held " + all.size());
    }

    public static void main(String[] a) throws Exception {
        grow(1000);
        while (System.in.read() >= 0)
            grow(20000);
    }
}
JAVA
javac Grow.java || skip "javac failed"
jvm Grow
night() {
    "$ci/nightly-growth.sh" "$pid" >out 2>err
    echo "exit $?"
    grep '^nightly-growth.sh: ' out err
    ls tmp
}
# the class is counted exactly, everything of the VM itself with a margin
export GATES='Grow$Held growth-count>19999
total growth-bytes>50%'
jvm_says "held 1000"
jcmd "$pid" VM.version >.out
night
night
grep -E '^(passed|FAILED)' out
echo >&5
jvm_says "held 21000"
night
grep -A 1 -E '^(passed|FAILED)' out | sed 's/, [0-9].*(/ (/; s/, +[0-9.]* KB)/)/'
jq -c '.rows[] | select(.key == "Grow$Held") | .count' heap-today.json
grep -c '<html' heap-growth.html
exec 5>&-
wait "$pid"
