# The finding duplicate-classes says what keeps the class loader of an old application
# alive, and what this means, for each usual kind of leak.
need java javac jq
mkdir plug src
cat >src/Plug.java <<'JAVA'
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.logging.*;
import java.sql.*;
import javax.management.*;

public class Plug implements Runnable {
    public interface BeanMBean { int getN(); }
    public static class Bean implements BeanMBean { public int getN() { return 1; } }
    static class Handle extends Handler {
        public void publish(LogRecord r) { }
        public void flush() { }
        public void close() { }
    }
    static class Drive implements Driver {
        public Connection connect(String u, Properties p) { return null; }
        public boolean acceptsURL(String u) { return false; }
        public DriverPropertyInfo[] getPropertyInfo(String u, Properties p) { return null; }
        public int getMajorVersion() { return 1; }
        public int getMinorVersion() { return 1; }
        public boolean jdbcCompliant() { return false; }
        public Logger getParentLogger() { return null; }
    }
    static class Wait implements Runnable {
        public void run() { try { Thread.sleep(1000000); } catch (InterruptedException e) { } }
    }
    static class Provide extends java.security.Provider {
        Provide() { super("Mine", "1", "x"); }
    }
    static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
    static Object data = new byte[1000];
    final String mode;

    public Plug(String mode) { this.mode = mode; }

    static void daemon(Thread t) { t.setDaemon(true); t.start(); }

    public void run() {
        try { plant(); } catch (Exception e) { throw new RuntimeException(e); }
    }

    void plant() throws Exception {
        switch (mode) {
        case "context":

            ClassLoader old = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(Plug.class.getClassLoader());
            new Timer("library-timer", true);
            Thread.currentThread().setContextClassLoader(old);
            break;
        case "thread": daemon(new Thread(new Wait(), "plug-thread")); break;
        case "thread-local": LOCAL.set(this); break;
        case "driver": DriverManager.registerDriver(new Drive()); break;
        case "logger": Logger.getLogger("").addHandler(new Handle()); break;
        case "hook": Runtime.getRuntime().addShutdownHook(new Thread(new Wait())); break;
        case "mbean":
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Bean(),
                new ObjectName("plug:type=Bean")); break;
        case "timer": new Timer("plug-timer", true).schedule(new TimerTask() {
            public void run() { } }, 1000000); break;
        case "provider": java.security.Security.addProvider(new Provide()); break;
        case "handler": Thread.setDefaultUncaughtExceptionHandler((x, e) -> { }); break;
        case "executor":
            java.util.concurrent.Executors.newScheduledThreadPool(1, r -> {
                Thread d = new Thread(r); d.setDaemon(true); return d; })
                .schedule(new Wait(), 1000, java.util.concurrent.TimeUnit.SECONDS);
            break;
        default: break;
        }
    }
}
JAVA
cat >Leak.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

public class Leak {
    static final List<Object> REGISTRY = new ArrayList<>();
    static final ExecutorService POOL = Executors.newFixedThreadPool(1, r -> {
        Thread t = new Thread(r, "pool-worker"); t.setDaemon(true); return t; });

    public static void main(String[] a) throws Exception {
        URL here = Paths.get("plug").toAbsolutePath().toUri().toURL();
        for (String mode : a) {
            URLClassLoader l = new URLClassLoader(new URL[] {here}, Leak.class.getClassLoader());
            Runnable r = (Runnable) l.loadClass("Plug").getConstructor(String.class)
                .newInstance(mode);
            if (mode.equals("thread-local"))
                POOL.submit(r).get();
            else
                r.run();
            if (mode.equals("registry"))
                REGISTRY.add(r);
        }
        // until all other threads of the program wait
        for (Thread t : Thread.getAllStackTraces().keySet())
            while (t != Thread.currentThread() && t.getThreadGroup() != null &&
                    t.getThreadGroup().getName().equals("main") &&
                    t.getState() != Thread.State.WAITING &&
                    t.getState() != Thread.State.TIMED_WAITING)
                Thread.sleep(1);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap("leak.hprof", true);
        Runtime.getRuntime().halt(0);
    }
}
JAVA
{ javac -nowarn -d plug src/Plug.java && javac -nowarn Leak.java; } >.out 2>&1 ||
    skip "javac does not compile the program"
leaks="context thread thread-local driver logger hook mbean timer provider handler executor"
# shellcheck disable=SC2086 # several arguments
java -Xmx100m -XX:+UseSerialGC -cp . Leak $leaks registry >.out 2>&1 ||
    skip "the JVM does not run the program"
hprof-diff --retained --format=json leak.hprof 2>.err >json
jq -r '.findings[] | select(.id == "duplicate-classes") | .loaders[] |
    "\(.path | split(" ")[0:4] | join(" ")): \(.meaning)"' json |
    # the fields of a thread differ between versions of the JDK
    sed 's/^\(thread "[^"0-9]*\)[^:]*/\1/
        s/the application started the thread, and the thread has/'\
'the thread runs code of the application and has/' | LC_ALL=C sort
# all loaders are in JSON, the first few in the text
jq -c '.findings[] | select(.id == "duplicate-classes") | .loaders | length' json
hprof-diff leak.hprof 2>.err | grep -c ' is kept by '
hprof-diff leak.hprof 2>.err | grep -c ' more; --format=json shows up to 16)$'
# the ThreadLocal appears at its thread also
hprof-diff --by=thread --stacks --format=json leak.hprof 2>.err |
    jq -c '.stacks[] | select(.key | test("pool")) | .thread_locals[] | select(.field) |
        [.field, .class, .count]'
hprof-diff --by=thread --stacks leak.hprof 2>.err | grep -A 1 'values of ThreadLocals' |
    grep Plug.LOCAL | sed 's/retains .*/retains SIZE/'
# the name of the application to which a loader belongs, if its server stores the
# name; the classes here have the names and fields of those of the servers
source() {
    mkdir -p "servers/$(dirname "$1")"
    { echo "package $(dirname "$1" | tr / .);"; cat; } >"servers/$1.java"
}
source org/apache/catalina/core/ContainerBase <<'JAVA'
public class ContainerBase { public String name; }
JAVA
source org/apache/catalina/core/StandardContext <<'JAVA'
public class StandardContext extends ContainerBase { }
JAVA
source org/apache/catalina/webresources/StandardRoot <<'JAVA'
public class StandardRoot { public Object context; }
JAVA
source org/apache/catalina/loader/WebappClassLoaderBase <<'JAVA'
public class WebappClassLoaderBase extends java.net.URLClassLoader {
    public Object resources;
    public WebappClassLoaderBase(java.net.URL[] urls) { super(urls); }
}
JAVA
source org/apache/catalina/loader/ParallelWebappClassLoader <<'JAVA'
public class ParallelWebappClassLoader extends WebappClassLoaderBase {
    public byte[] cache = new byte[3000000];
    public ParallelWebappClassLoader(java.net.URL[] urls, String name) {
        super(urls);
        var root = new org.apache.catalina.webresources.StandardRoot();
        var context = new org.apache.catalina.core.StandardContext();
        context.name = name;
        root.context = context;
        resources = root;
    }
}
JAVA
source org/eclipse/jetty/webapp/WebAppClassLoader <<'JAVA'
public class WebAppClassLoader extends java.net.URLClassLoader {
    private String _name;
    public WebAppClassLoader(java.net.URL[] urls, String name) { super(urls); _name = name; }
}
JAVA
source org/springframework/boot/loader/launch/LaunchedClassLoader <<'JAVA'
public class LaunchedClassLoader extends java.net.URLClassLoader {
    static class JarFileArchive { java.io.File file; }
    final JarFileArchive rootArchive = new JarFileArchive();
    public LaunchedClassLoader(java.net.URL[] urls, String name) {
        super(urls);
        rootArchive.file = new java.io.File(name);
    }
}
JAVA
source test/Servers <<'JAVA'
import java.util.*;
public class Servers {
    static final List<ClassLoader> PLUGINS = new ArrayList<>();
    static ClassLoader tomcat;
    public static void main(String[] a) throws Exception {
        var urls = new java.net.URL[] {
            java.nio.file.Paths.get("plug").toAbsolutePath().toUri().toURL()};
        tomcat = new org.apache.catalina.loader.ParallelWebappClassLoader(urls, "/shop##2");
        PLUGINS.add(new org.eclipse.jetty.webapp.WebAppClassLoader(urls, "/ad\u001bmin"));
        PLUGINS.add(new org.springframework.boot.loader.launch.LaunchedClassLoader(urls,
            "/opt/shop/shop.jar"));
        PLUGINS.add(new java.net.URLClassLoader("plain", urls, null));
        PLUGINS.add(new java.net.URLClassLoader(urls));
        tomcat.loadClass("Plug");
        for (ClassLoader l : PLUGINS)
            l.loadClass("Plug");
        java.lang.management.ManagementFactory.getPlatformMXBean(
            com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap("servers.hprof", true);
        PLUGINS.clear();
        for (String name : "/shop /admin /shop /a /b /c".split(" ")) {
            Thread t = new Thread(java.util.concurrent.locks.LockSupport::park);
            t.setContextClassLoader(
                new org.apache.catalina.loader.ParallelWebappClassLoader(urls, name));
            t.setDaemon(true);
            t.start();
            // two owners, so that the loader is a suspect, and not its owner
            PLUGINS.add(t.getContextClassLoader());
        }
        Class<?> plug = tomcat.loadClass("Plug");
        java.lang.reflect.Field data = plug.getDeclaredField("data");
        data.setAccessible(true);
        data.set(null, new Object[] {new byte[8000000]});
        // a root refers to the class, so the path begins at its static field
        synchronized (plug) {
            java.lang.management.ManagementFactory.getPlatformMXBean(
                com.sun.management.HotSpotDiagnosticMXBean.class).dumpHeap("group.hprof", true);
        }
    }
}
JAVA
javac -nowarn -d . $(find servers -name '*.java') >.out 2>&1 || problem "javac failed"
java -Xmx100m -XX:+UseSerialGC -cp . test.Servers >.out 2>&1 || problem "java failed"
hprof-diff --retained --format=json servers.hprof >json
jq -r '.findings[] | select(.id == "duplicate-classes") | .loaders[] |
    "\(.class): \(.name)"' json | LC_ALL=C sort
jq -r '.largest_owners[] | select(.class | contains("ParallelWebapp")) | .label' json
hprof-diff servers.hprof | grep -oE "^[0-9] +class loader of webapp '[^ ]*|Loader 0x[0-9a-f]+ (of|') .* is kept by" |
    sed 's/0x[0-9a-f]*/ID/' | LC_ALL=C sort
id=$(jq -r '.largest_owners[] | select(.class | contains("ParallelWebapp")) | .object' json)
hprof-diff --object="$id" servers.hprof | sed -n 2p
hprof-diff --object="$id" --format=json servers.hprof | jq -r .object.loader_name
# --by=loader shows the same names
hprof-diff --by=loader --format=json servers.hprof | jq -r '.rows[] | .key' |
    grep -v '^jdk\|^(boot' | LC_ALL=C sort
# the loader of the class at the beginning of a path, and a group of loaders
hprof-diff group.hprof | grep -E "^[0-9]+ +|^   loader" | sed 's/  *[0-9.]* MB.*//'
