# A HEAP DUMP of more than 4 GiB, its length wrapped: a sparse file.
fixture overflow >a || skip "no sparse files"
fixture --info overflow >info
code hprof-validate --format=json a
jq -c --slurpfile info info '.files[0] | $info[0] as $want |
    [.verdict, .bytes == $want.bytes, .records == $want.records,
     .subrecords == $want.subrecords,
     (.rules[] | select(.rule == "heap-dump-overflow") |
      .severity, .count, .examples[0].offset == $want.marks.damage)]' .out
code hprof-diff --format=json a
jq -c '.rows[] | select(.key == "long[]") | .count' .out
rm a
