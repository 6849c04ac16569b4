# From a damaged text nothing is invented. If the line of an object is lost, its
# fields are lost, and an array loses its elements. A truncated line is ignored.
# needs: text
need jq
objects() { # FILE [OPTION]: ids, and what they refer to
    hprof-convert -q --to=ndjson "${@:2}" "$1" - 2>.err | jq -c '
        select(.record == "INSTANCE_DUMP" or .record == "OBJECT_ARRAY_DUMP") |
        [.id, ([(.fields // .elements) | .. | .id? // empty] | sort)]' |
        LC_ALL=C sort
}
fixture leak-after >a
hprof-convert -q --to=text a whole
objects whole >all
wc -l <all
for line in OBJ ARR CLS; do
    awk -v line=$line '$1 == line && ++n == 2 { sub(/^./, "Q") } 1' whole >t
    cmp -s whole t && echo "nothing is damaged"
    objects t --salvage >some
    LC_ALL=C comm -13 all some
    echo "$line: $(wc -l <some)"
    hprof-convert --salvage --force t b 2>&1 | grep -c 'line .* the first of'
done
# in the middle of the last number of a field
at=$(awk -F '\t' '$1 != "" { object = /^OBJ/ }
    object && $3 == "" && length($4) > 4 { last = n + length($0) }
    { n += length($0) + 1 } END { print last - 2 }' whole)
head -c "$at" whole >t
tail -n 1 t | grep -c '[0-9a-f]$'
objects t --salvage >some
LC_ALL=C comm -13 all some | tr -d '0-9'
hprof-convert --salvage --force t b 2>&1 | grep -c 'bytes\{0,1\} lost' || :
