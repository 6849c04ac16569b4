# A class is replaced while it runs. The frames of each version have the line
# numbers of that version, although the bytecodes are equal.
mkdir first second
printf 'public class Target {\n public static Object make() {\n  return new long[7];\n }\n}\n' \
    > first/Target.java
{ printf '\n%.0s' {1..40}; cat first/Target.java; } > second/Target.java
"$JDK/bin/javac" -d first first/Target.java
"$JDK/bin/javac" -d second second/Target.java
printf 'Premain-Class: Redefine\nCan-Redefine-Classes: true\n' > manifest
"$JDK/bin/jar" cfm redefine.jar manifest -C "$CLASSES" Redefine.class
"$JAVA" -javaagent:redefine.jar -agentpath:"$AGENT=sample=0,file=r.hprof" \
    -cp "$CLASSES:first" Redefine second/Target.class
valid r.hprof
for line in 3 43; do
    hprof-diff --by=site --all --format=json r.hprof | jq -e --arg line "$line" '
        [.rows[] | select(.key == "long[]" and
            (.frames[0] // "") == "Target.make(Target.java:\($line))")
        | .count[0]] | add == 1000' || fail "line $line"
done
