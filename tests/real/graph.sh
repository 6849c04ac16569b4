# graph.sh - how many objects of real dumps no root reaches, as an independent
# program counted them (one that keeps all references in dictionaries); and
# that no array of theirs has an element that does not fit
while read -r name want; do
    dump=$HPROF_REAL_DUMPS/$name
    [ -e "$dump" ] || continue
    hprof-validate --level=graph --max-examples=1 --format=json "$dump" \
        >json 2>err || { echo "$name: exit $?"; head -n 3 err; }
    got=$(jq -r '.files[0] | select(.limits == null) |
        [.rules[] | select(.rule == "unreachable").count] | add' json)
    [ "$got" = "$want" ] || echo "$name: $got cannot be reached, not $want"
    jq -r '.files[0].rules[] | select(.rule == "ref-type-mismatch" or
        .rule == "ref-element-store") | .examples[0].message' json |
        sed "s|^|$name: |"
done <<'END'
agent/ag_8_all.hprof 130
ahat/RI.hprof 931
android/O.hprof 279
android/leak_service_binder.hprof 347
hotspot/jcmdpargz_25.hprof.gz 1269
hotspot/jhsdb_17.hprof 35088
hotspot/rich_17_def.hprof 956
hotspot/rich_8_32_def.hprof 1792
hotspot/tiny_8.hprof 1200
hprof-slurp/hprof-32.bin 292
leak/leak_17_serial_after.hprof 828
mat/oracle_jdk7_75_x64_directmemory.hprof 11247
mat/sun_jdk5_13_x32.hprof 78
END
exit 0
