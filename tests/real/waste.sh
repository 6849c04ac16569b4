# waste.sh - check the collections and the waste of real dumps
D=$HPROF_REAL_DUMPS

# A ConcurrentHashMap of Java 5 to 7 has its entries in Segments: the sizes of all
# maps together are the number of entries in the dump. No Segment is listed.
for name in oracle_jdk7_75_x64_directmemory sun_jdk5_x32_2006 sun_jdk6_18_x64 \
    sun_jdk6_32bit; do
    rm -rf t
    hprof-convert -q --to=tables "$D/mat/$name.hprof" t || continue
    sizes=$(awk -F '\t' '$3 == "java.util.concurrent.ConcurrentHashMap" { n += $4 }
        END { print n + 0 }' t/collections.tsv)
    entries=$(grep -c "ConcurrentHashMap.HashEntry	instance" t/objects.tsv)
    [ "$sizes" = "$entries" ] && [ "$sizes" -gt 10 ] ||
        echo "$name: $sizes elements, $entries entries"
    ! grep -q 'ConcurrentHashMap.Segment	' t/collections.tsv ||
        echo "$name: has Segments"
done

# FILE HEAP WASTE: the table in docs/find-waste.md, in KB
while read -r file heap waste; do
    got=$(hprof-diff -q --by=waste --format=json "$D/$file" |
        jq -r '"\((.dumps[0].bytes / 1024) | round) \((.total.waste[0] / 1024) | round)"')
    [ "$got" = "$heap $waste" ] || echo "$file: $got, not $heap $waste"
done <<'TEXT'
suspects/tomcat-5.hprof.zst 26450 15093
suspects/tomcat-6.hprof.zst 30217 18340
suspects/jruby-1.hprof.zst 13849 2012
suspects/jruby-2.hprof.zst 17690 3583
leak/leak_17_serial_after.hprof 17307 14844
leak/leak_8_after.hprof 16969 14946
mat/sun_jdk6_18_x64.hprof 2075 274
mat/oracle_jdk7_75_x64_directmemory.hprof 1981 412
android/O.hprof 3780 454
android/leak_service_binder.hprof 2268 574
TEXT
