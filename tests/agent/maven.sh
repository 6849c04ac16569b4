# Maven, a larger program with class loaders of its own: the same output and
# exit status as without the agent, and a valid report with its classes.
if ! command -v mvn > where; then
    echo "no Maven (mvn)"
    exit 77
fi
mkdir project
cat > project/pom.xml << 'END'
<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId>
<artifactId>b</artifactId><version>1</version><packaging>pom</packaging></project>
END
build()
{
    JAVA_HOME=$JDK MAVEN_OPTS="$*" timeout 120 mvn -o -q -B -f project/pom.xml \
        -Dmaven.repo.local="$PWD/repository" "$goal"
}
for goal in validate none:none:1:none; do
    status=0
    build '' > plain.out || status=$?
    for options in sample=0 cpu=samples,monitor=y cpu=times,only=org.apache.maven.*; do
        expect "$status" build -agentpath:"$AGENT=$options,verbose=n,file=$PWD/m.hprof" \
            > agent.out
        diff <(sed 's/[0-9.:T]*[0-9]//g' plain.out) <(sed 's/[0-9.:T]*[0-9]//g' agent.out)
        valid m.hprof
        hprof-convert --to=text m.hprof m.txt
        grep 'org.apache.maven' m.txt > found ||
            [ "$options" = cpu=samples,monitor=y ] || fail "$options: no class of Maven"
        rm m.hprof m.txt
    done
done
