# hidden_fields.def lists the fields of java.lang.Class that dumps lack. This case
# compares the list with each installed JDK: each field must exist in the listed
# versions only, and its class must exist.
need java javac javap jq
top=$(dirname "$2")/../..
def=$top/common/graph/hidden_fields.def
# the entries, one a line: FIELD|VERSIONS|HOW|CLASS|OTHER
tr '\n\t' '  ' <"$def" | grep -oE 'HIDDEN_FIELD\("[^)]*\)' |
    sed -E 's/^HIDDEN_FIELD\("([^"]*)", *"([^"]*)", *([A-Z_]*), *"([^"]*)", *"([^"]*)"\)/\1|\2|\3|\4|\5/' >table
[ "$(wc -l <table)" -eq "$(grep -c '^HIDDEN_FIELD(' "$def")" ] ||
    problem "not all entries of the table were read"

# the fields of java.lang.Class with references that need no entry: objects of
# the class itself, which other references of a dump lead to, or which cannot be
# told from others
no_entry=' name module classLoader packageName signers protectionDomain '
no_entry+='enumConstantDirectory '

# in_versions TEXT MAJOR: whether the TEXT "8 and later" or "5 to 7" includes MAJOR
in_versions() {
    case $1 in
    1.3\ and\ later) true ;;
    *\ and\ later) [ "$2" -ge "${1%% *}" ] ;;
    *\ to\ *) [ "$2" -ge "${1%% *}" ] && [ "$2" -le "${1##* }" ] ;;
    *) problem "versions \"$1\" cannot be read"; false ;;
    esac
}

# check_entry JDK MAJOR FIELD VERSIONS HOW CLASS OTHER
check_entry() {
    local field type class other
    class=$(tr '/' . <<<"$6") other=$(tr '/' . <<<"$7")
    for field in ${3//,/ }; do
        type=$(sed -nE "s/^(.*) $field\$/\1/p" fields)
        if in_versions "$4" "$2"; then
            [ -n "$type" ] || problem "JDK $2: java.lang.Class has no $field"
        elif [ -n "$type" ]; then
            problem "JDK $2: java.lang.Class has $field, which the table" \
                "lists only for: $4"
        fi
        [ -n "$type" ] || continue
        # the type of the field is the class of the table, refers to the other
        # class, or is Object, an array or a class
        case $5 in
        EVERY | ONE) [[ $type == *"$class"* ]] ;;
        HOLDER) [[ $type == java.lang.Object ||
            ($type == *"$class"* && $type == *"$other"*) ]] ;;
        ENUM) [[ $type == T* && $type == *'[]' ]] ;;
        ARRAY_CLASS) [[ $type == 'java.lang.Class<?>' ]] ;;
        *) false ;;
        esac || problem "JDK $2: $field has the type $type"
    done
    in_versions "$4" "$2" || return 0
    for class in "$class" "$other"; do
        [[ -z $class || $class == \[* ]] || "$1/bin/javap" -p "$class" >/dev/null 2>.err ||
            problem "JDK $2: there is no class $class"
    done
}

# A program that uses the fields: hundreds of its live objects are counted as
# objects of hidden fields. Without the entry for reflectionData there are few.
cat >Live.java <<'JAVA'
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.annotation.*;
import java.lang.management.ManagementFactory;
import java.util.*;

public class Live {
    enum Color { RED, GREEN }
    @Retention(RetentionPolicy.RUNTIME) @interface Mark { Class<?> value(); }
    @Mark(List.class) public static class Marked implements Comparable<Marked> {
        public int field;
        public int compareTo(Marked other) { return 0; }
    }
    static final ClassValue<Object> VALUE = new ClassValue<Object>() {
        protected Object computeValue(Class<?> c) { return new int[3]; }
    };

    public static void main(String[] a) throws Exception {
        Marked.class.getMethods();
        Marked.class.getFields();
        Marked.class.getGenericInterfaces();
        Marked.class.getAnnotation(Mark.class);
        Marked.class.getConstructor().newInstance();
        VALUE.get(Marked.class);
        EnumSet.allOf(Color.class);
        Color.valueOf("RED");
        Runnable r = () -> System.out.print("");
        r.run();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpHeap(a[0], true);
        Runtime.getRuntime().halt(0);
    }
}
JAVA

declare -A seen
for jdk in /usr/lib/jvm/* "$(dirname "$(dirname "$(realpath "$(command -v javap)")")")"; do
    jdk=$(realpath "$jdk")
    [ -x "$jdk/bin/javap" ] && [ -z "${seen[$jdk]:-}" ] || continue
    "$jdk/bin/java" -version >version 2>&1
    # other JVMs have their own class libraries: OpenJ9 has other fields
    grep -qE '^(Java HotSpot|OpenJDK).* VM' version || continue
    seen[$jdk]=1
    major=$(sed -nE 's/.* version "(1\.)?([0-9]+).*/\2/p' version)
    "$jdk/bin/javap" -p java.lang.Class 2>.err | grep ';$' | grep -v '[()]' |
        grep -v ' static ' |
        sed -E 's/^ *//; s/;$//; s/^((private|final|volatile|transient) )*//' >fields
    [ -s fields ] || problem "JDK $major: javap printed no fields"
    while IFS='|' read -r field versions how class other; do
        check_entry "$jdk" "$major" "$field" "$versions" "$how" "$class" "$other"
        looked
    done <table
    # a field that is neither in the table nor in the list above is new
    while read -r type field; do
        case $type in
        int | char | boolean | long) ;;
        *) cut -d'|' -f1 table | tr -d , | tr ' ' '\n' | grep -qx "$field" ||
            [[ $no_entry == *" $field "* ]] ||
            problem "JDK $major: the field $field is not in the table" ;;
        esac
    done < <(sed -E 's/<[^;]*>//' fields)
    # two JDKs may have the same version, so the names have a number; javac of JDK 8
    # does not make the folder
    classes=classes${#seen[@]} dump=live${#seen[@]}.hprof
    mkdir -p "$classes"
    "$jdk/bin/javac" -d "$classes" Live.java 2>.err &&
        "$jdk/bin/java" -XX:+UseSerialGC -Xmx64m -cp "$classes" Live "$dump" >.out 2>&1 ||
        { problem "JDK $major does not run the program"; continue; }
    hprof-diff -q --retained --format=json "$dump" >json 2>.err
    jq -e '.dumps[0].hidden_fields.objects > 250' json >.out ||
        problem "JDK $major: $(jq -c '.dumps[0].hidden_fields' json) in hidden fields"
    looked
done
[ ${#seen[@]} -gt 0 ] || skip "no JDK with HotSpot"
looked_at "$((${#seen[@]} * ($(wc -l <table) + 1)))"
