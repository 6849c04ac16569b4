# A dump is truncated between two records of its heap. Objects are missing, so
# references to missing objects are not reported.
need jq
for name in hotspot25 art; do
    fixture $name --id-size=4 >whole
    od -An -v -tu1 whole | awk '{
        for (i = 1; i <= NF; i++)
            byte[n++] = $i
    } END {
        for (at = 31; at < n; at += 9 + size) {
            for (size = i = 0; i < 4; i++)
                size = size * 256 + byte[at + 5 + i]
            if (heap)
                print at
            heap = heap || byte[at] == 28
        }
    }' >ends
    while read -r end; do
        head -c "$end" whole >cut
        hprof-validate --level=graph --format=json cut | jq -c '.files[0] |
            [.rules[] | select(.severity != "info") | .rule],
            (.not_checked | length, index("unreachable") != null,
             index("roots-none") != null, index("heap-missing") != null)'
    done <ends | paste -d ' ' - - - - - | uniq -c
done
# with --disable for this rule the user wants to see the dangling references
head -c "$(head -n 1 ends)" whole >cut
code hprof-validate --severity=end-missing=info --format=json cut
jq -c '.files[0] | .totals, .not_checked' .out
# truncated before the heap: all objects are missing, and the same is not
# checked
fixture heap-missing >none
fixture end-missing >some
for f in none some; do
    hprof-validate --level=graph --format=json $f |
        jq -c '.files[0] | [.rules[] | select(.severity == "error").rule],
            (.not_checked | length)'
done
# jhsdb's segments have an end record: those of compressed dumps, and of at
# least 2 GB
fixture sa --id-size=8 >joined
hprof-convert -q --profile=1.0.2 joined >whole
code hprof-validate whole
head -c -9 whole >cut
code hprof-validate cut
code hprof-diff cut
code hprof-convert cut
