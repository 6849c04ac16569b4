# Jetty, a server with a pool of threads and sockets: the same answers and exit
# status as without the agent, and a valid report with its classes. The jars are
# those of Debian's libjetty9-java in the folder JETTY_JARS.
jars=${JETTY_JARS:-/usr/share/java} path=
for jar in jetty9-server jetty9-http jetty9-io jetty9-util jetty9-xml servlet-api; do
    path=$path:$jars/$jar.jar
    if [ ! -e "$jars/$jar.jar" ]; then
        echo "no $jars/$jar.jar (Debian: libjetty9-java)"
        exit 77
    fi
done
mkdir www
seq 5000 > www/numbers.txt
cat > jetty.xml << END
<Configure id="Server" class="org.eclipse.jetty.server.Server">
  <Set name="stopAtShutdown">true</Set>
  <Call name="addConnector"><Arg>
    <New class="org.eclipse.jetty.server.ServerConnector">
      <Arg name="server"><Ref refid="Server"/></Arg>
      <Set name="host">127.0.0.1</Set><Set name="port">0</Set>
    </New>
  </Arg></Call>
  <Set name="handler">
    <New class="org.eclipse.jetty.server.handler.ResourceHandler">
      <Set name="resourceBase">$PWD/www</Set>
    </New>
  </Set>
</Configure>
END

has_port()
{
    port=$(sed -n 's/.*Started ServerConnector.*127.0.0.1:\([0-9]*\)}.*/\1/p' log)
    [ -n "$port" ]
}

# serve OPTION...: start Jetty, request three files 20 times, and stop Jetty
serve()
{
    local port=
    "$JAVA" -Xmx64m -Dorg.eclipse.jetty.xml.XmlParser.Validating=false \
        "$@" -cp "${path#:}" \
        org.eclipse.jetty.xml.XmlConfiguration jetty.xml > log 2>&1 &
    server=$!
    eventually has_port
    for _ in $(seq 20); do
        for file in numbers.txt none numbers.txt; do
            curl -sS --max-time 20 -w '%{http_code} %{size_download}\n' -o got \
                "http://127.0.0.1:$port/$file"
            [ $file = none ] || cmp got www/$file
        done
    done > answers
    kill -TERM $server
    expect 143 wait $server
}

serve
mv answers plain
[ "$(grep -c '^200 ' plain)" = 40 ] || fail "$(sort plain | uniq -c)"
for options in sample=0 sample=0,only=org.eclipse.jetty.*,depth=16 \
    cpu=samples,interval=1,monitor=y heap=dump,sample=0 \
    cpu=times,only=org.eclipse.jetty.server.*; do
    serve -agentpath:"$AGENT=$options,file=j.hprof"
    diff plain answers
    valid j.hprof
    hprof-convert --to=text j.hprof j.txt
    grep -q 'org.eclipse.jetty' j.txt || fail "$options: no class of Jetty"
    rm j.hprof j.txt
done
