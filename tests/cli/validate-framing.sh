# --level=framing: arrays that no VM can have, or that fill a record. Only the
# headers of the file are read; the rest is a sparse region.
array() { # array COUNT TYPE LENGTH BYTES: as hexadecimal, but for BYTES
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\213\317\345\150\0' >big
    printf '\x1c\0\0\0\0%b' "$3" >>big
    printf '\x23\0\0\0\x10\0\0\0\1%b%b' "$1" "$2" >>big
    truncate -s $((31 + 9 + $4)) big || skip "no sparse files"
    printf '\x2c\0\0\0\0\0\0\0\0' >>big
    for level in framing references; do
        code hprof-validate --level=$level --format=json big
        jq -c --arg level $level '.files[0] | [$level, .verdict, (.rules[] |
            select(.rule | test("^array-t")) |
            [.rule, .severity, .count, .examples[0].message])]' .out
    done
    rm big
}
echo "2^31 bytes, one more than Java allows:"
array '\x80\0\0\0' '\x08' '\x80\0\0\x0e' 0x8000000e
echo "2^31 - 1 bytes:"
array '\x7f\xff\xff\xff' '\x08' '\x80\0\0\x0d' 0x8000000d
echo "as many longs as a record holds:"
array '\x1f\xff\xff\xfe' '\x0b' '\xff\xff\xff\xfe' 0xfffffffe
# a check that was not made did not pass: JUnit has it as skipped
fixture settings-first >a
rules='fixed-length|settings-first|text-line|heap-info-id|string-late|super-cycle'
rules+='|ref-dangling-field|root-missing'
for level in framing references; do
    echo "JUnit, $level:"
    hprof-validate --level=$level --min-severity=info --format=junit a >junit
    grep -E -A 1 " name=\"($rules)\"" junit | grep -v '^--$' |
        grep -E " name=\"($rules)\"|<skipped|<system-out"
done
