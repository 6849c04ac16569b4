# hprof-analyzer marks a redacted dump with a record 0xDE that begins with
# HPROF-REDACT. hprof-validate knows this marker, every conversion to HPROF
# keeps it, and strips do not treat it as payload. Other records 0xDE are
# unknown records.
# needs: pack
need jq

# tag_unknown FILE: print the severity and the message of findings about the tag
tag_unknown() {
    hprof-validate --format=json "$1" | jq -c '.files[0] | .dialect,
        (.rules[] | select(.rule == "tag-unknown") |
        .severity, .count, .examples[0].message)' | tr '\n' ' '
    echo
}
for name in redacted redacted-first redacted-art redacted-other \
    redacted-long; do
    fixture "$name" --id-size=4 >"$name"
    code hprof-validate --strict "$name"
    tag_unknown "$name"
done

# kept NAME OPTION...: whether the output of the conversion has the marker
kept() {
    local name=$1
    shift
    hprof-convert --force "$@" "$name" out >.out 2>.err ||
        echo "$name $*: exit status $?"
    [ "$(grep -ac HPROF-REDACT out)" = 1 ] || echo "$name $*: no marker"
    [ "$(hprof-validate --format=json out | json_rules |
        sed -n '/"rule": "tag-unknown"/{n;s/^ *//p;}')" = '"severity": "info",' ] ||
        echo "$name $*: not known"
    looked
}
for name in redacted redacted-first redacted-art; do
    for option in --to=hprof --strip-arrays --strip-fields --strip-strings \
        --shape-only --salvage --standard --dump=1; do
        kept "$name" $option
    done
    kept "$name" --salvage --null-dangling
    kept "$name" --salvage --shape-only
    kept "$name" --shape-only --keep=java.lang.Thread#name
done
for profile in 1.0.1 1.0.2; do
    kept redacted --profile=$profile
    kept redacted-first --profile=$profile
    kept redacted-art --standard --profile=$profile
done
kept redacted-art --heaps=app
kept redacted-art --heaps=app --prune-classes --standard
for name in redacted redacted-first; do
    hprof-convert --to=pack "$name" pack
    hprof-convert --force pack out
    same "$name" out
    rm pack
done
looked_at 41

# --salvage finds the marker also after damage: 40 bytes of the heap are lost
heap=$(hprof-convert --to=ndjson redacted-first | jq -r \
    'select(.record == "HEAP_DUMP_SEGMENT") | .offset')
for name in redacted redacted-first; do
    at=$heap
    cp "$name" hurt
    printf '%40s' '' | dd of=hurt bs=1 seek=$((at + 60)) conv=notrunc 2>.err
    code hprof-convert --force --salvage hurt out
    grep -ac HPROF-REDACT out
done

# a record that only looks like the marker may contain payload
for name in redacted-other redacted-long; do
    code hprof-convert --force --strip-arrays "$name" out
    cat .err
done
