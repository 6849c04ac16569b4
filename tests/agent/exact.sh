# With sample=0 every object is counted: exactly as many as the program
# allocates, in every run and in both formats.
for i in 1 2 3; do
    run_java sample=0,file="$i.hprof" Known
done
run_java sample=0,format=a,file=4.txt Known
valid ./*.hprof 4.txt
for f in ./*.hprof 4.txt; do
    has_site "$f" live 'Known$Order' Known.keep 1000 32000
    has_site "$f" allocated 'Known$Order' Known.keep 1000 32000
    has_site "$f" live 'Known$Order' Known.drop 0 0
    has_site "$f" allocated 'Known$Order' Known.drop 5000 160000
    has_site "$f" live 'int[]' Known.arrays 100 12000
    has_site "$f" live 'int[][]' Known.arrays 1 416
done
for f in 2.hprof 3.hprof 4.txt; do
    hprof-diff --exit-code --by=site 1.hprof "$f"
    hprof-diff --exit-code --by=site --measure=allocated \
        --fail-if='total growth-bytes>2%' --filter='Known*' 1.hprof "$f"
done
# the text to which a binary file is converted has the same sites as the file
hprof-convert --to=text 1.hprof 1.txt
hprof-diff --exit-code --by=site --measure=allocated 1.hprof 1.txt
