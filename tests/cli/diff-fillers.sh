# --fillers puts unreferenced filler arrays into rows of their own; the number
# of all objects stays the same. A dump that loads no filler class is the same
# with every value of the option. A saved result with another value is refused.
# tests/real has dumps with fillers.
for size in 4 8; do
    fixture fillers --id-size=$size >f
    for mode in show hide; do
        hprof-diff --fillers=$mode --filter='int?? *' --format=json f |
            jq -c '.rows[] | [.key, .count[0], .bytes[0]]'
        hprof-diff --fillers=$mode --filter='int??' --format=json f |
            jq -c '.rows[] | [.key, .count[0], .bytes[0]]'
        hprof-diff --fillers=$mode --format=json f |
            jq -c '[.total.count[0], .total.bytes[0], .dumps[0].objects]'
    done
done
hprof-diff --fillers=hide --format=json f | plain_json - >want
gzip -c f | hprof-diff --fillers=hide --format=json --threads=1 - |
    plain_json - >got
same want got
fixture leak-before >a
fixture leak-after >b
hprof-diff --format=json a b | jq -c .rows >want
hprof-diff --fillers=hide --format=json a b >json
jq -c .rows json >got
same want got
jq -c .fillers json
cat <b | hprof-diff --fillers=hide --format=json a - | jq -c .rows >got
same want got
code hprof-diff --fillers=maybe a
hprof-diff --format=json a >a.json
code hprof-diff --fillers=hide a.json b
cat .err
# without a filler class, arrays end at their end in memory, whatever sizes
# --layout gives them
for size in 4 8; do
    fixture old-fillers --id-size=$size >old
    for layout in auto mat,alignment=16 hotspot,reference=8 hotspot-coh; do
        hprof-diff --fillers=hide --layout=$layout --format=csv old |
            grep fillers
    done
done
# rows of heaps and sites cannot show fillers
refused hprof-diff --by=heap --fillers=hide f
refused hprof-diff --by=site --fillers=hide f
refused hprof-diff --by=cpu --fillers=hide f
