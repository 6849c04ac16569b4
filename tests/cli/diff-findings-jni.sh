# The finding about JNI global references, for a Java program with a library in
# C that creates such references and never deletes them.
need java javac gcc
cat >Plant.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.*;

public class Plant {
    static class Frame { byte[] pixels = new byte[100]; }

    static native void hold(Object o, boolean forever);

    public static void main(String[] a) throws Exception {
        System.load(Paths.get("libplant.so").toAbsolutePath().toString());
        for (int i = 0; i < 3000; i++)
            hold(new Frame(), a[0].equals("leak"));
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap(a[0] + ".hprof", true);
        Runtime.getRuntime().halt(0);
    }
}
JAVA
cat >plant.c <<'C'
#include <jni.h>

JNIEXPORT void JNICALL
Java_Plant_hold(JNIEnv *env, jclass c, jobject o, jboolean forever)
{
	jobject held = (*env)->NewGlobalRef(env, o);

	(void)c;
	if (!forever)
		(*env)->DeleteGlobalRef(env, held);
}
C
home=$(java -XshowSettings:properties -version 2>&1 |
    sed -n 's/^ *java\.home = //p')
javac -nowarn Plant.java 2>.err || skip "javac does not compile the program"
gcc -shared -fPIC -I"$home/include" -I"$home/include/linux" \
    -o libplant.so plant.c 2>.err || skip "the JDK has no jni.h"
java -Xmx100m -cp . Plant healthy >.out 2>&1 ||
    skip "the JVM does not run the program"
hprof-diff healthy.hprof 2>.err | grep -c jni-globals
java -Xmx100m -cp . Plant leak >.out 2>&1 ||
    problem "the JVM does not run the program"
# figures differ between versions of the JDK
hprof-diff leak.hprof 2>.err | sed -n '/unusual/,/^$/p' | grep '^!  jni-globals' |
    sed 's/[0-9.]* %/N %/; s/[0-9],[0-9]*/N/'
hprof-diff --by=root leak.hprof 2>.err | grep -c 'JNI global.*Plant\$Frame'
