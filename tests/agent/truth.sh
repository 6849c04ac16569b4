# cpu=samples shows where processor time is used, not where threads wait. The
# programs use known shares of it. The ranges are wide because a busy machine
# stops threads in the middle of a method, which moves samples to other methods:
# 70.2 % instead of 60 %, and 11.6 % instead of 0 % were measured. If the time
# of waits counted, the shares would be far outside the ranges, such as 45 % in
# read0.

# sampled NAME ARGUMENT...: run Truth, and write its samples to NAME.json
sampled()
{
    local name=$1
    shift
    run_java "cpu=samples,interval=2,depth=8,file=$name.hprof" Truth "$@"
    valid "$name.hprof"
    hprof-diff --by=cpu --all --format=json "$name.hprof" |
        jq '[.rows[] | select(.rollup | not) | {n: .samples[0], key,
            top: (.frames[0] // ""), all: (.frames // [] | join(" "))}]' \
            > "$name.json"
}

# share NAME MEMBER PATTERN LEAST MOST: fail unless PATTERN matches LEAST to
# MOST percent of the samples; MEMBER: match the row key, the top frame or all
# frames
share()
{
    jq -e --arg member "$2" --arg pattern "$3" --argjson least "$4" \
        --argjson most "$5" '
        (map(.n) | add) as $all |
        (map(select(.[$member] | test($pattern)) | .n) | add // 0) as $part |
        (100 * $part / $all) as $share |
        if $all > 50 and $share >= $least and $share <= $most then true
        else "\($part) of \($all) samples" | halt_error end' "$1.json" ||
        fail "$1: $3 has not $4 to $5 %"
}

# the program works for 2 ms, waits for 8 ms, and so on
mkfifo bytes
for how in sleep socket file park lock; do
    if [ $how = file ]; then
        { while printf x; do sleep 0.008; done; } > bytes 2> ignored &
    fi
    sampled $how bursts $how "$PWD/bytes"
    share $how all 'Truth\.work' 70 100
    share $how top '\.(read0|socketRead0|poll|readBytes|park|sleep0?|wait0?)\(' 0 20
done

# one thread, and methods that are inlined
sampled split split 8000
share split all 'Truth\.six\(' 45 75
share split all 'Truth\.three\(' 15 45
share split all 'Truth\.one\(' 2 25

# native code that uses the processor
sampled native native
least=30
# Zero calls arraycopy() as a native method. If the kernel lets another thread
# run in its middle, it looks as if it waited, and has no sample.
[ "$VM" != zero ] || least=12
share native all 'Truth\.copies' $least $((100 - least))
share native all 'Truth\.checksums' $least $((100 - least))

# Waiting threads get no samples. Even if there are many of them, the agent
# needs little processor time.
sampled idle idle 2000 > printed
share=$(sed -n 's/^agent //p' printed)
[ "$share" -le 25 ] || fail "the agent used $share % of the processor time"
share idle all 'Truth\.(one|three|six|split)' 50 100

# the time of a virtual thread belongs to the virtual thread
if [ "$JAVA_MAJOR" -ge 21 ]; then
    sampled virtual virtual
    share virtual all 'Truth\.onVirtual' 30 70
    share virtual all 'Truth\.onPlatform' 30 70
fi
