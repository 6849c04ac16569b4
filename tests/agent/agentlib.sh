# Old command lines begin with -agentlib:hprof: a link in a folder of its own
mkdir agentlib
ln -s "$AGENT" agentlib/libhprof.so
LD_LIBRARY_PATH=$PWD/agentlib "$JAVA" \
    -agentlib:hprof=heap=sites,sample=0,file=a.hprof -cp "$CLASSES" Known
valid a.hprof
has_site a.hprof live 'Known$Order' Known.keep 1000 32000
