# Measured sizes: the same for a stripped dump, a pack and any number of
# threads; a saved result compares as its dump; ids of agents are not measured.
# needs: pack text
need jq zstd
corpus=$(dirname "$2")/../../corpus
zstd -dqc "$corpus/shop-before.hprof.zst" >a
zstd -dqc "$corpus/shop-after.hprof.zst" >b
rows() {
    hprof-diff --format=json "$@" >.json
    jq -c '.layout, .dumps[].measured, .rows, .total' .json
}
rows a >want
jq -c '.layout, .dumps[0].measured, .dumps[0].objects' .json
jq -c '[.sizes[] | select(.class == "java.lang.Thread")]' .json
hprof-convert --shape-only a a.stripped 2>.err
hprof-convert --to=pack a a.pack 2>.err
for options in "a.stripped" "a.pack" "--threads=1 a" "--threads=7 a" \
    "--layout=measured a"; do
    # shellcheck disable=SC2086
    rows $options >got
    same want got
done
# a saved result in place of the dump
hprof-diff --format=json a >saved.json
hprof-diff --format=json saved.json a | jq ".changed"
rows a b >want
rows saved.json b >got
diff <(sed 1d want | jq -c 'arrays') <(sed 1d got | jq -c 'arrays') >.out &&
    echo "equal rows"
hprof-diff --format=json --layout=mat a | jq -c ".layout.source, .dumps[0].measured"
fixture agent >agent
hprof-diff --layout=measured --format=json agent 2>&1 >json
jq -c .layout json
exit 0
