# --mapping with a program that ProGuard has obfuscated: classes, fields and stack
# traces have the names of the same program without ProGuard. With -optimize,
# ProGuard also inlines methods, so a frame becomes several.
# Debian has ProGuard in the package proguard-cli; PROGUARD_JAR is another jar.
need java javac jar
: "${PROGUARD_JAR:=/usr/share/java/proguard.jar}"
[ -e "$PROGUARD_JAR" ] || skip "no ProGuard"
mkdir -p src in
cat >src/Basket.java <<'J'
package com.acme.shop;

import java.util.*;

class Item {
    final String title;
    long price;
    Item(String title, long price) { this.title = title; this.price = price; }
    long total() { return price; }
}

class Discounted extends Item {
    int percent = 10;
    Discounted(String title, long price) { super(title, price); }
    @Override long total() { return price * (100 - percent) / 100; }
}

public class Basket {
    static final List<Basket> OPEN = new ArrayList<>();
    final Map<String, Item> contents = new HashMap<>();
    Item newest;

    void put(Item item) {
        contents.put(item.title, newest = item);
        if (contents.size() == 5)
            Main.report(this);
    }
}
J
cat >src/Main.java <<'J'
package com.acme.shop;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

public class Main {
    static String file;

    static void report(Basket basket) {
        try {
            if (Basket.OPEN.size() == 100)
                ManagementFactory.getPlatformMXBean(
                    HotSpotDiagnosticMXBean.class).dumpHeap(file, true);
        } catch (java.io.IOException e) {
            throw new RuntimeException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        file = args[0];
        for (int i = 0; i < 100; i++) {
            Basket basket = new Basket();
            Basket.OPEN.add(basket);
            for (int k = 0; k < 5; k++)
                basket.put(k % 2 == 0 ? new Item("item " + k, k + i)
                                      : new Discounted("sale " + k, k));
        }
        long sum = 0;
        for (Basket b : Basket.OPEN)
            for (Item item : b.contents.values())
                sum += item.total();
        System.out.println(sum);
    }
}
J
cat >Platform.java <<'J'
import java.io.*;
import java.nio.file.*;
import java.util.zip.*;

/*
 * Writes the signatures of the classes of Java 8, which javac has in the file
 * ct.sym, as a jar. ProGuard 6 cannot read the class files of newer JDKs, so each
 * class gets the version of Java 8.
 */
public class Platform {
    public static void main(String[] args) throws IOException {
        try (ZipFile in = new ZipFile(System.getProperty("java.home") + "/lib/ct.sym");
             ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(Paths.get(args[0])))) {
            for (ZipEntry e : java.util.Collections.list(in.entries())) {
                String[] path = e.getName().split("/", 3);
                if (!path[0].contains("8") || !e.getName().endsWith(".sig"))
                    continue;
                byte[] bytes = in.getInputStream(e).readAllBytes();
                bytes[7] = 52;
                try {
                    out.putNextEntry(new ZipEntry(path[2].replace(".sig", ".class")));
                    out.write(bytes);
                } catch (ZipException twice) {
                    continue;
                }
            }
        }
    }
}
J
java Platform.java platform.jar 2>.err || skip "this JDK has no signatures of Java 8"
javac -g --release 8 -d in src/*.java 2>.err || skip "this JDK cannot compile for Java 8"
(cd in && jar cf ../in.jar com)
java -cp in.jar com.acme.shop.Main "$PWD/plain.hprof" >.out || skip "the JVM writes no dump"

# described DUMP: print what the mapping changes
described() {
    hprof-diff --quick --format=json --filter='com.acme*' "$1" 2>.err |
        jq -c '.rows[] | [.key, .count, .bytes]' | LC_ALL=C sort
    hprof-convert --to=threads "$1" 2>.err | grep acme
    hprof-convert --to=ndjson --elements=none "$1" 2>.err | jq -c '
        select(.record == "CLASS_DUMP" and ((.name // "") | test("acme"))) |
        [.name, ([.statics[].name] | sort), ([.fields[].name] | sort)]' | sort
}
described plain.hprof >want
wc -l <want
for how in -dontoptimize -useuniqueclassmembernames '-optimizations method/inlining/*'; do
    cat >rules <<P
-injars in.jar
-outjars out.jar
-libraryjars platform.jar
-ignorewarnings
-printmapping mapping.txt
-keepattributes SourceFile,LineNumberTable
-repackageclasses ''
-keep public class com.acme.shop.Main {
    public static void main(java.lang.String[]);
}
P
    case $how in
    -o*i*/*) printf '%s\n' "$how" >>rules ;;
    *) printf '%s\n' -dontoptimize "$how" >>rules ;;
    esac
    rm -f out.jar renamed.hprof back
    java -cp "$PROGUARD_JAR" proguard.ProGuard @rules >.out 2>.err ||
        { echo "$how: ProGuard failed"; continue; }
    java -cp out.jar com.acme.shop.Main "$PWD/renamed.hprof" >.out || echo "$how: no dump"
    # only the source file in a frame still has an original name
    described renamed.hprof | grep -c 'Basket\|Item\|Discounted'
    hprof-convert --mapping=mapping.txt renamed.hprof back 2>&1 | sed 's/of [0-9]* classes/of N classes/'
    described back >got
    echo "$how: $(diff want got && echo equal)"
    hprof-validate --strict -q back >.out || cat .out
done
