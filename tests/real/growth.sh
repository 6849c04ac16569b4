# growth.sh - check that hprof-diff shows planted leaks in every format, shows no
# growth between a dump and itself, and shows a trend
D=$HPROF_REAL_DUMPS
both=('Leak$LeakyListener 500 10500' 'Leak$Session 300 5300'
    'Leak$ChainNode 100 7100' 'Leak$Freed 3000 1000' 'Leak$Stable 1234 1234'
    'Plugin 6 106' 'java.net.URLClassLoader 3 53')
deltas=('java.lang.Integer 15000' 'java.util.ArrayList 5150')

# counts FORMAT: lines "CLASS BEFORE AFTER" of the file ./out.
counts() {
    case $1 in
    table) # count 1, count 2, bytes (number, unit) and growth, class
        awk '/^ *[0-9,]+  +[0-9,]+  / && NF >= 3 { gsub(",", "")
            print $NF, $1, $2 }' out ;;
    json) jq -r '.rows[] | "\(.key) \(.count[0]) \(.count[1])"' out ;;
    ndjson) jq -r 'select(.key) | "\(.key) \(.count[0]) \(.count[1])"' out ;;
    csv) tail -n +2 out | tr -d '\r"' | awk -F, '{ print $1, $2, $3 }' ;;
    html)
        sed -n 's/^<script id="data"[^>]*>//; T; s/<\/script>.*//; p' out |
            jq -r '.rows[] | "\(.key) \(.count[0]) \(.count[1])"'
        ;;
    esac
}

# Folded stacks carry bytes: those of JSON.
folded() {
    jq -r '.rows[] | "bytes by class;\(.key) \(.bytes[0]) \(.bytes[1])"' json |
        grep -v ' 0 0$' | sort >want
    sort out | cmp -s - want || echo "$1: not the bytes of JSON"
    for want in "${both[@]}"; do
        grep -qF -- ";${want%% *} " out || echo "$1: no ${want%% *}"
    done
}

# pair NAME "CLASS DELTA"...
pair() {
    local name=$1 format want
    local a=$D/leak/leak_${name}_before.hprof
    local b=$D/leak/leak_${name}_after.hprof
    shift
    hprof-diff --all --format=json "$a" "$b" >json
    for format in table json csv ndjson html folded; do
        hprof-diff --all --top=0 --quick --wide --format=$format "$a" "$b" >out 2>err || {
            echo "leak $name $format: exit $?"
            continue
        }
        if [ $format = folded ]; then
            folded "leak $name $format"
            continue
        fi
        counts $format >rows
        awk '{ print $1, $3 - $2 }' rows >deltas
        for want in "${both[@]}"; do
            grep -qxF -- "$want" rows || echo "leak $name $format: no '$want'"
        done
        for want in "${deltas[@]}" "$@"; do
            grep -qxF -- "$want" deltas ||
                echo "leak $name $format: no growth '$want'"
        done
    done
}
pair 8 'java.lang.Object[] 5450' 'byte[] 10050' 'int[] -2000'
pair 17_serial 'java.lang.Object[] 5250'

# By site and by samples folded stacks end in the class, or the method.
hprof-diff --by=site --format=folded "$D/agent/ag_8_dump.hprof" >out
grep -qE '^bytes by site;Ag\.main\(Ag\.java:10\);byte\[\] [0-9]+$' out ||
    echo "folded sites: no byte[] of Ag.main"

# A dump against itself has no row, whatever the key.
for key in class package loader heap site cpu; do
    for file in leak/leak_8_after hotspot/rich_25_def agent/ag_8_allcpu \
        android/O; do
        hprof-diff --exit-code --by=$key --format=json "$D/$file.hprof" \
            "$D/$file.hprof" >json 2>err
        status=$?
        # what it has no data for is said in one line
        case $key$status in
        site2 | cpu2) [ "$(wc -l <err)" -le 2 ] && continue ;;
        esac
        [ $status -eq 0 ] || echo "$file by $key: exit $status"
        jq -r --arg what "$file by $key" 'select(.rows != []) |
            "\($what): \(.rows | length) rows"' json
    done
done

# Three in a row: before, after, after: as two, and nothing grows every time.
for name in 8 17_serial; do
    a=$D/leak/leak_${name}_before.hprof b=$D/leak/leak_${name}_after.hprof
    hprof-diff --format=json "$a" "$b" >two
    hprof-diff --format=json "$a" "$b" "$b" >three
    jq -c '.rows[] | [.key, .count[0], .count[1], .count[1], .delta_count,
        .delta_bytes, false]' two | sort >want
    jq -c '.rows[] | [.key, .count[], .delta_count, .delta_bytes, .grows]' \
        three | sort >got
    cmp -s want got || echo "leak $name: three dumps:" \
        "$(diff want got | head -n 3)"
done

# Fillers are set apart from int[], and nothing else changes.
for name in rich_21_def rich_25_def; do
    hprof-diff --format=json "$D/hotspot/$name.hprof" >shown
    hprof-diff --fillers=hide --format=json "$D/hotspot/$name.hprof" >hidden
    jq -c '.rows[] | select(.key != "int[]") | [.key, .count, .bytes]' shown |
        sort >want
    jq -c '.rows[] | select(.key | startswith("int[]") | not) //
        select(.key | test("^int\\[\\]\\[")) | [.key, .count, .bytes]' hidden |
        sort >got
    cmp -s want got || echo "$name --fillers=hide: $(diff want got | head -n 3)"
    jq -r --slurpfile shown shown --arg name $name '
        [.rows[] | select(.key == "int[]" or
            .key == "int[] (fillers, estimated)") | [.count[0], .bytes[0]]] |
        select(length != 2 or (transpose | map(add)) !=
            ($shown[0].rows[] | select(.key == "int[]") |
                [.count[0], .bytes[0]])) | "\($name) --fillers=hide: \(.)"' \
        hidden
done
exit 0
