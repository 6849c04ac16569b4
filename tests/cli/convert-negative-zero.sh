# -0.0 keeps its sign and its point in NDJSON and in tables, because most
# readers would read -0 as the integer 0.
need jq
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\34\0\0\0\0\0\0\0\64'
    printf '\43\0\0\0\1\0\0\0\0\0\0\0\2\7'
    printf '\200\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    printf '\43\0\0\0\2\0\0\0\0\0\0\0\2\6\200\0\0\0\0\0\0\0'
    printf '\54\0\0\0\0\0\0\0\0'
} >a
hprof-convert --to=ndjson a | grep -o '"elements":.*'
quiet hprof-convert --to=tables --elements=2 a t
cut -f 9 t/objects.tsv
rm -r a t
left_over
no_temp
