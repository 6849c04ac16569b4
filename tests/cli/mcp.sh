# hprof-mcp answers the questions of a person, asked by the official client of
# the Model Context Protocol, and stays below its root folder.
# needs: text
need node npm
top=$(dirname "$2")/../..
npm=$("$top/tests/npm/install" 2>.err) || skip "npm cannot install the client"
mkdir root
for name in before after; do
    cp "$top/corpus/shop-$name.hprof.zst" root/$name.hprof.zst
done
fixture hotspot >secret.hprof
ln -s ../secret.hprof root/link.hprof
node "$(dirname "$2")/mcp-client.mjs" "$npm" root 2>.err ||
    problem "the client failed: $(tail -n 3 .err)"
ls root root/tables | head -n 8
