# The recipe of docs/ci compares two builds of a program. If the second build
# has one more allocation site, the exit status is 1, and the report has the
# class, method and line. If both builds are equal, the exit status is 0.
mkdir before after
"$JDK/bin/javac" -d before "$AGENT_TESTS/java/Known.java"
sed 's|/\* planted \*/|for (int i = 0; i < 2000; i++) new StringBuilder(i % 40);|' \
    "$AGENT_TESTS/java/Known.java" > Known.java
line=$(grep -n StringBuilder Known.java | cut -d: -f1)
"$JDK/bin/javac" -d after Known.java
export JAVA_TOOL_OPTIONS='-Xmx64m -XX:+UseSerialGC'
recipe=$AGENT_TESTS/../../docs/ci/allocation-sites.sh

expect 0 "$recipe" before before Known > same.out 2>&1
grep -q '^passed' same.out
expect 1 "$recipe" before after Known > planted.out 2>&1
cat planted.out
grep -q 'total growth-bytes' planted.out
grep -q "java.lang.StringBuilder.*Known.main(Known.java:$line)" planted.out
# one additional live object of the program's own classes makes the recipe fail
sed 's|/\* planted \*/|kept.add(new Order());|' \
    "$AGENT_TESTS/java/Known.java" > Known.java
"$JDK/bin/javac" -d after Known.java
expect 1 "$recipe" before after Known > planted.out 2>&1
sed -n '/^FAILED/,/^$/p' planted.out |
    grep -q "Known\$Order at Known.main(Known.java:$line)"
# with other settings of the recipe, the same two builds pass
expect 0 env SITES=com.acme.* TOLERANCE=50% JIT= "$recipe" before after Known \
    > planted.out 2>&1

# The five lines of docs/agent.md, without the call of make, for two builds of a
# program in the package com.acme.
program()
{
    mkdir -p "$1/com"
    { echo 'package com.acme;' && sed 's/\bKnown\b/Main/g' "$2"; } \
        > "$1/Main.java"
    "$JDK/bin/javac" -d "$1" "$1/Main.java"
    "$JDK/bin/jar" cfe "$1.jar" com.acme.Main -C "$1" com
}
sed 's|/\* planted \*/|kept.add(new Order());|' \
    "$AGENT_TESTS/java/Known.java" > Known.java
rm -r before after
program before "$AGENT_TESTS/java/Known.java"
program after Known.java
sed -n '/^    make agent && agent=/,/^$/p' "$AGENT_TESTS/../../docs/agent.md" |
    sed 's/^    //; s|^make agent .*|agent=$AGENT|' > five
[ "$(grep -c . five)" -eq 5 ] || fail "docs/agent.md has $(grep -c . five) lines"
expect 1 bash -e five > five.out
cat five.out
line=$((line + 1)) # the file begins with a line "package com.acme;"
grep -q "com.acme.Main.Order at com.acme.Main.main(Main.java:$line)" five.out
# two equal builds pass
cp before.jar after.jar
expect 0 bash -e five > five.out

# The lines of docs/agent.md for all allocations also work.
sed -n '/^    options=/,/^$/p' "$AGENT_TESTS/../../docs/agent.md" |
    sed 's/^    //; 1i agent=$AGENT' > five
[ "$(grep -c . five)" -eq 6 ] || fail "docs/agent.md has $(grep -c . five) lines"
expect 0 bash -e five > five.out
sed 's|/\* planted \*/|for (int i = 0; i < 100; i++) new Order();|' \
    "$AGENT_TESTS/java/Known.java" > Known.java
program after Known.java
expect 1 bash -e five > five.out
grep -q 'total growth-bytes' five.out
