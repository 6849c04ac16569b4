# The recipe of docs/ci: a program built twice, once with an allocation more:
# exit 1, with class, method and line. The same program twice: exit 0.
mkdir before after
"$JDK/bin/javac" -d before "$AGENT_TESTS/java/Known.java"
sed 's|/\* planted \*/|kept.add(new StringBuilder(7));|' \
    "$AGENT_TESTS/java/Known.java" > Known.java
line=$(grep -n StringBuilder Known.java | cut -d: -f1)
"$JDK/bin/javac" -d after Known.java
export PATH=$JDK/bin:$PATH JAVA_TOOL_OPTIONS='-Xmx64m -XX:+UseSerialGC'
recipe=$AGENT_TESTS/../../docs/ci/allocation-sites.sh

expect 0 "$recipe" before before Known > same.out 2>&1
grep -q '^passed' same.out
expect 1 "$recipe" before after Known > planted.out 2>&1
cat planted.out
sed -n '/^FAILED/,/^$/p' planted.out |
    grep -q "java.lang.StringBuilder at Known.main(Known.java:$line)"
