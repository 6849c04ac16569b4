# The bytes of a sub-record that each rule compares: every relevant byte is
# tested.
found() { # found RULE [OPTION...]: severity, count and the places of the rule
    local rule=$1
    shift
    hprof-validate --format=json "$@" x 2>.err | jq -c --arg rule "$rule" '
        .files[0].rules[] | select(.rule == $rule) |
        [.rule, .severity, .count, [.examples[].offset]]'
}
# a segment with the bytes in hexadecimal, in a dump with 4-byte ids
dump() { # dump VERSION HEX
    local size=$((${#2} / 2))
    printf 'JAVA PROFILE %s\0\0\0\0\4\0\0\1\214\0\0\0\0' "$1"
    printf '\34\0\0\0\0\0\0\0'
    printf "\\x$(printf %02x $size)"
    printf "$(printf %s "$2" | sed 's/../\\x&/g')"
    printf '\54\0\0\0\0\0\0\0\0'
}
# int[3] without elements, twice
array=c30000200000000000000000030a
dump 1.0.2 $array${array/2000/2008} >x
found subtag-android
found subtag-android --level=framing
dump 1.0.3 $array >x
found subtag-android
# a class with one constant, dumped twice: unchanged; with another constant;
# with another reserved id
class() { # class RESERVED CONSTANT
    echo "200000100000000000""00000000""00000000""00000000""00000000$1""00000000"\
"00000000""0001""000702$2""0000""0000" | tr -d ' '
}
dump 1.0.2 "$(class 00000000 00001000)$(class 00000000 00001000)" >x
found class-dump-dup
dump 1.0.2 "$(class 00000000 00001000)$(class 00000000 00002000)" >x
found class-dump-dup
dump 1.0.2 "$(class 00000000 00001000)$(class 00000001 00001000)" >x
found class-dump-dup
# an instance of 9,000,000 bytes, larger than any class: the message does not
# say "instead of 0"
{ printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\214\0\0\0\0'
  printf '\34\0\0\0\0\0\x89\x54\x51\41\0\0\x20\0\0\0\0\0\0\0\x10\0'
  printf '\0\x89\x54\x40'
  head -c 9000000 /dev/zero
  printf '\54\0\0\0\0\0\0\0\0'; } >x
hprof-validate --format=json x >json 2>.err
jq -c '.files[0].rules[] | select(.rule == "instance-length") |
    .examples[0].message' json
# HEAP DUMP INFO: heap 'A' or an unusual one; its name is string 7, which is
# missing or comes after the heap
name='\1\0\0\0\0\0\0\0\7\0\0\0\7app'
for heap in 00000041 00000042; do
    for late in "" "$name"; do
        { dump 1.0.3 fe${heap}00000007; printf "$late"; } >x
        hprof-validate --format=json x 2>.err | jq -c '.files[0].rules[] |
            select(.rule | test("^heap-info|^string")) |
            [.rule, .severity, .count, .examples[0].message]'
        echo
    done
done
# records of version 1.0 are not read: only the header was checked
fixture hotspot | sed '1s/JAVA PROFILE 1\.0\.[12]/JAVA PROFILE 1.0/' >old
hprof-validate --format=json old | jq -c '.files[0] | .header, .verdict,
    [.rules[].rule], (.not_checked | index("ref-dangling-field") != null)'
hprof-validate --format=junit old | grep -q 'the header cannot be read' && echo skipped
# only the first error of a header is reported: the rest is not checked, nor is
# the contents of a compression that cannot be uncompressed
echo 'no dump' >none
printf 'JAVA PRO' >named
printf 'JAVA PROFILE 1.0.2\0\0\0' >short
printf 'JAVA PROFILE 1.0.2\0\0\0\0\5%s' 12345678 >wide
fixture hotspot | hprof-convert --compress=zstd - | command head -c 100 >frame
for f in none named short wide frame; do
    hprof-validate --format=json $f | jq -c '.files[0] | [.rules[].rule],
        (.not_checked | .[:index("timestamp-sane")])'
    hprof-validate --format=junit $f | sed -n '/"magic"/,/"timestamp-sane"/p' |
        grep -c 'the header cannot be read' || :
done
# of two dumps only the first distinguishes heaps
{ dump 1.0.3 fe0000004100000007$array; dump 1.0.3 ${array/2000/2008} |
    tail -c +32; } >x
found heap-id-change
# an instance that is shorter than its class declares, whose superclass is
# missing
class=20000010000000000000009000$(printf %048d 0)000000000001000000070b
dump 1.0.2 ${class}2100002000000000000000100000000005"0102030405" >x
hprof-validate --format=json x >json 2>.err
jq -c '.files[0].rules[] |
    select(.rule == "instance-length") | .examples[0].message' json
