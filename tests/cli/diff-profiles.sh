# --format=pprof and speedscope have the same stacks and sums as folded stacks.
need jq
/usr/bin/python3 -c '' 2>/dev/null || skip "no python3"
top=$(dirname "$2")/../..
pprof() {
    /usr/bin/python3 "$top/tests/pprof" "$1"
}
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
fixture agent >s
# the width of a stack in the first and the last dump, by an independent decoder
widths() { # FILE: "stack base -> value of the default type", as folded lines
    pprof "$1" | awk -v want="$2" '
        $1 == "type" { n++; if ($2 == want) at = n; next }
        {
            v = $(NF - n + at); mark = $(NF - n)
            stack = $0; sub(/ (base|-)( -?[0-9]+)+$/, "", stack)
            if (mark == "base") before[stack] -= v; else after[stack] += v
            seen[stack]
        }
        END { for (s in seen) printf "%s %d %d\n", s, before[s], after[s] }' |
        LC_ALL=C sort
}
for by in class package path dominator holder; do
    hprof-diff --by=$by --format=folded a b 2>.err | # of every row
        grep -v ' 0 0$' | LC_ALL=C sort >want
    hprof-diff --by=$by --force -o p.pb.gz a b 2>.err
    type=$(head -n 1 want | cut -d' ' -f1)
    widths p.pb.gz "$type" >got
    same want got
    hprof-diff --by=$by --force -o p.speedscope.json a b 2>.err
    # the same stacks and widths from the profiles "before" and "after"
    for at in 1 2; do
        jq -r --argjson at "$at" '.shared.frames as $f | .profiles[$at] |
            [.samples, .weights] | transpose[] |
            "\([.[0][] | $f[.].name] | join(";")) \(.[1])"' p.speedscope.json |
            LC_ALL=C sort >got
        awk -v at="$at" '{ v = $(NF - 2 + at); $NF = $(NF - 1) = "" }
            v > 0 { sub(/ +$/, ""); print $0, v }' want | LC_ALL=C sort >one
        same one got
    done
    jq -c '.profiles[] | [.name, .unit, (.weights | add // 0) == .endValue]' \
        p.speedscope.json
done
hprof-diff --format=pprof a b | pprof /dev/stdin | grep ^type
# methods, files and lines of stacks; the sum of the samples is that of the file
hprof-diff --by=site --format=pprof s >p.pb.gz
pprof p.pb.gz
hprof-diff --by=cpu --format=pprof s >p.pb.gz
pprof p.pb.gz
hprof-diff --by=site --format=speedscope s | jq -c '.shared.frames[]'
# hostile names stay data
fixture hostile-names >h
hprof-diff --format=pprof h >p.pb.gz
pprof p.pb.gz | grep -c .
hprof-diff --format=speedscope h | jq '.profiles | length'
# the real readers, where they are
if command -v go >.out; then
    hprof-diff --by=path --ignore-path=none --force -o p.pb.gz a b 2>.err
    go tool pprof -raw p.pb.gz >raw 2>.err || cat .err
    grep -c 'pprof::base:\[true\]' raw >marked
    [ "$(cat marked)" -gt 100 ] || cat marked
    go tool pprof -top p.pb.gz 2>.err | grep -q 'byte\[\]$' || problem top
    hprof-diff --by=path --force -o b.pb.gz b 2>.err
    hprof-diff --by=path --force -o a.pb.gz a 2>.err
    go tool pprof -top -diff_base=a.pb.gz b.pb.gz 2>.err | sed -n '/flat%/,$p' >want
    go tool pprof -top p.pb.gz 2>.err | sed -n '/flat%/,$p' >got
    cmp -s want got || diff want got | head -n 5
fi
if npm=$("$top/tests/npm/install" 2>.err); then
    node "$top/tests/cli/speedscope-schema.js" "$npm" p.speedscope.json
    # its own page opens the file, and shows the profile of the last dump
    if command -v chromium >.out; then
        node "$top/tests/browser/others.js" speedscope "$npm" p.speedscope.json
    else
        echo "b - speedscope"
    fi
fi
