# --fillers: a dump that loads no filler class is the same either way; a saved
# result made with the other is refused. tests/real has dumps with fillers.
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
