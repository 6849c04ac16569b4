# For the option -agentlib:hprof of old command lines, the VM loads libhprof.so.
# So the test makes a link of this name to the agent, in a folder of its own.
mkdir agentlib
ln -s "$AGENT" agentlib/libhprof.so
LD_LIBRARY_PATH=$PWD/agentlib "$JAVA" \
    -agentlib:hprof=heap=sites,sample=0,file=a.hprof -cp "$CLASSES" Known
valid a.hprof
has_site a.hprof live 'Known$Order' Known.keep 1000 32000
