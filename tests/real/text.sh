# text.sh - compare the rows of the agent's text with those of a separate reader,
# and with those of binary dumps
#
# A dump that is made from a text must have exactly the rows that text.awk finds
# in the text. The binary dump comes from another run of the program, in which a
# few other objects were live.
D=$HPROF_REAL_DUMPS/agent
here=$HPROF_REAL_TESTS
looked=0

for text in "$D"/*.txt; do
    name=$(basename "$text" .txt)
    looked=$((looked + 1))
    hprof-validate --strict -q "$text" >checked ||
        echo "$name: not valid: $(grep -m 3 'error\|warning' checked)"
    hprof-convert "$text" made.hprof 2>err
    hprof-validate --strict made.hprof >checked ||
        echo "$name: made of it: $(tail -n 1 checked)"
    # what is written back is read as the same dump
    hprof-convert --to=text made.hprof one.txt 2>err
    hprof-convert --to=text one.txt two.txt 2>err
    cmp -s one.txt two.txt || echo "$name: text of text differs"
    rm -f one.txt two.txt
    # a pack has the text itself, everything else the dump that is made of it
    hprof-convert --to=pack "$text" text.pack
    hprof-convert text.pack back.txt
    cmp -s "$text" back.txt || echo "$name: pack: another text"
    hprof-convert --compress=zstd "$text" made.zst 2>err
    zstd -dqc made.zst | cmp -s made.hprof - || echo "$name: zstd differs"
    for way in "$text" made.hprof; do
        hprof-convert --to=tables "$way" tables 2>err
        (cd tables && cat $(ls ./*.tsv | grep -v /dumps.tsv)) |
            cksum >>sums
        [ -s tables/threads.tsv ] || echo "$name: no tables of $way"
        rm -r tables
    done
    [ "$(sort -u sums | wc -l)" -eq 1 ] || echo "$name: tables differ"
    rm -f text.pack back.txt made.zst sums
    case $name in *_old) rm -f made.hprof; continue ;; esac
    awk -f "$here/text.awk" "$text" | sort >want
    hprof-convert --to=ndjson made.hprof 2>err | jq -nr -f "$here/text.jq" |
        sort >all
    rm -f made.hprof
    # CPU TIME is CPU SAMPLES with milliseconds
    case $name in *_times) grep -v '^sample' all >got ;; *) mv all got ;; esac
    [ "$(wc -l <want)" -gt 20 ] || echo "$name: $(wc -l <want) rows"
    cmp -s want got || echo "$name: rows: $(diff want got | head -n 3)"
done
[ $looked -ge 8 ] || echo "only $looked texts"

# CPU TIME and cpu=old: milliseconds and calls of every stack
for name in ag_8_times ag_8_old; do
    awk -f "$here/times.awk" "$D/$name.txt" | sort >want
    hprof-diff --by=cpu --all --format=json "$D/$name.txt" >json
    jq -r '.rows[] | select(.rollup | not) |
        [(.frames | join(";")), .ms[0], .calls[0]] | @tsv' json | sort >got
    [ "$(wc -l <want)" -gt 50 ] || echo "$name: $(wc -l <want) stacks"
    cmp -s want got || echo "$name: stacks: $(diff want got | head -n 4)"
    awk -F '\t' '{ ms += $2; n += $3 } END { print "[" ms "," n "]" }' want >sum
    jq -c '[.total.ms[0], .total.calls[0]]' json >got
    cmp -s sum got || echo "$name: total $(cat got), not $(cat sum)"
done

# Twins: the same classes, and the same stacks are the same rows.
for name in ag_8_all ag_8_allcpu ag_8_dump; do
    hprof-diff --all --format=json "$D/$name.txt" "$D/$name.hprof" >json
    jq -r '.rows[] | select((.delta_count | fabs) > 3) |
        "\(.key): \(.count)"' json | sed "s/^/$name: /"
    jq -e '.total.count | (.[0] - .[1] | fabs) < 20' json >out ||
        echo "$name: objects $(jq -c .total.count json)"
    jq -e '.total.bytes | (.[0] - .[1] | fabs) < .02 * .[0]' json >out ||
        echo "$name: bytes $(jq -c .total.bytes json)"
done
for name in ag_8_all ag_8_allcpu ag_8_sites_c0; do
    hprof-diff --all --by=site --sites=records --format=json \
        "$D/$name.txt" "$D/$name.hprof" >json
    jq -e '[.rows[] | select(.count[0] == .count[1])] | length > 500' json \
        >out || echo "$name: too few equal sites"
    jq -e '[.rows[] | select(.count[0] != .count[1])] | length < 30' json \
        >out || echo "$name: $(jq '[.rows[] | select(.count[0] != .count[1])] |
            length' json) sites differ"
done
