# Options that cannot work are refused, and the message names an alternative.
# Patterns that match nothing are reported.
fixture leak-before >a
fixture leak-after >b
said() {
    hprof-diff "$@" 2>&1 >out | head -n 1
    echo "exit ${PIPESTATUS[0]}"
}
said --by=method a
said --sort=size a
said --normalize=yes a
said --layout=jrockit a
said --layout=mat,reference=3 a
said --layout=mat,alignment=16 a
fixture agent >samples
said --by=cpu --fail-if='* bytes>10' samples
said --by=cpu --fail-if='* ms>10' samples
said --by=class --fail-if='* samples>10' samples
said --by=class --fail-if='* growth-percent>10' samples samples
said --by=monitor --sort=bytes samples
said --by=class --columns=count,waits samples
said --by=cpu --fail-if='total growth-bytes>10' samples samples
said --by=cpu --fail-if='* retained>10' samples
hprof-diff --by=cpu --format=rows --fail-if='* calls>10' samples 2>.err |
    jq -c '[.kind, .verdict, .error]'
for gate in 'com.acme.* growth-count>=1' '* largest>1MB' 'total'; do
    said --fail-if="$gate" a b
done
said --filter='com.nowhere.*' a
said --filter='com.acme.*' a
# a saved result cannot get another layout, even as the only input
hprof-diff --format=json --layout=mat -o saved.json a
said --layout=hotspot saved.json
said --layout=hotspot-coh saved.json b
said --layout=mat,reference=8,header=64 saved.json
said --layout=mat saved.json
said --layout=mat saved.json b
# the result would not be what the user asked for
fixture hotspot >one
refused hprof-diff --by=dominator --fail-if='total bytes>1' one
refused hprof-diff --measure=allocated one
refused hprof-diff --by=site --sites=objects --measure=allocated one
refused hprof-diff --quick --reachability=strong one
refused hprof-diff --sites=objects one
refused hprof-diff --by=cpu --sites=records samples
refused hprof-diff --site-depth=3 one
refused hprof-diff --by=holder --site-lines=off one
refused hprof-diff --quick --site-depth=3 --format=html one
refused hprof-diff --fail-unmatched one
refused hprof-diff --exit-code one
# these combinations use the options
for way in --by=site --by=cpu --by=monitor '--retained --format=html'; do
    # shellcheck disable=SC2086 # two options
    code hprof-diff --site-depth=3 --site-lines=off $way samples
done
code hprof-diff --sites=auto --site-lines=on one
code hprof-diff --fail-unmatched --fail-if='* count>9999' one
for way in --columns=depth --sort=depth --by=holder --by=path --why='*' \
    --retained --sort=retained; do
    code hprof-diff --reachability=strong "$way" one
done
code hprof-diff --reachability=soft one
code hprof-diff --reachability=all --fail-if='no.such retained>1' one
