# The dumps in each writer's style are valid, also with --strict. The counts of
# records and sub-records are the builder's, and the dialect is recognised.
declare -A dialect=([hotspot]=hotspot [hotspot25]=hotspot
    [hotspot7]=hotspot [hotspot5]=hotspot [sa]=sa [sa28]=sa [agent]=agent
    [agent102]=agent [art]=art [dalvik]=dalvik [hprofconv]=hprof-conv
    [native]=native-image [mat]=mat)
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    fixture --info "$name" --id-size="$size" >info
    hprof-validate a >.out 2>.err || echo "$name $size: exit $?"
    hprof-validate --strict --format=json a >json 2>.err || {
        echo "$name $size: strict: exit $?"
        jq -c '.files[].rules[] | select(.severity != "info") |
            [.rule, .severity, .count, .examples[0].message]' json
    }
    looked
    [ -s json ] || echo "$name $size: no result"
    jq -c --arg d "${dialect[$name]}" --slurpfile info info '
        .files[0] | $info[0] as $want |
        [if .dialect != $d then "dialect \(.dialect)" else empty end,
         if .verdict != "valid" then "verdict \(.verdict)" else empty end,
         if .bytes != $want.bytes then "bytes \(.bytes)" else empty end,
         if .id_size != $want.id_size then "id size" else empty end,
         if .records != $want.records then "records \(.records)" else empty
         end,
         if .subrecords != $want.subrecords
         then "subrecords \(.subrecords)" else empty end] |
        select(. != [])' json | sed "s/^/$name $size: /"
done
looked_at 21
