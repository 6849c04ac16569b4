# --mapping gives classes, fields and stack frames of a dump the names that they
# had before R8 or ProGuard. The classes of the fixture play the renamed ones.
cat >m <<'END'
# compiler: R8
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.example.shop.Purchase -> com.acme.Order:
# {"id":"sourceFile","fileName":"Purchase.kt"}
    com.example.shop.Purchase following -> next
    boolean pending -> open
    com.example.shop.Purchase newest -> LAST
    1:20:int com.example.shop.Basket.add(com.example.shop.Purchase):100:119 -> take
    1:20:int accept(com.example.shop.Purchase):42 -> take
com.example.shop.UrgentPurchase -> com.acme.RushOrder:
    com.example.Clerk clerk -> owner
END
fixture hotspot >a
hprof-diff --mapping=m --filter='*.Purchase*' --retained --columns=count a | tail -n 5
hprof-diff --mapping=m --by=path --filter='*Purchase*' --columns=count a | tail -n 7
# the dump with the original names says the same without the mapping
hprof-convert -v --mapping=m a b 2>&1 | sed 's/ [^ ]* KB.*//'
hprof-diff --mapping=m --format=json a 2>.err | jq .rows >x
hprof-diff --format=json b | jq .rows >y
same x y
hprof-convert --to=ndjson b | jq -c 'select(.record == "STACK_FRAME") |
    [.class, .method_name, .method_signature, .source_file, .line]'
hprof-convert --to=ndjson b |
    jq -c 'select(.record == "CLASS_DUMP" and (.name | test("Purchase"))) |
        [.statics[].name, .fields[].name]'
hprof-validate --format=json b | jq -c '[.files[0].verdict, .files[0].rules[].rule]'
# the bytes do not depend on the number of threads, nor on a pipe, nor on gzip
gzip -c m >m.gz
hprof-convert --threads=1 --mapping=m.gz - - <a 2>.err | cmp - b
# findings get the original names
fixture dangling-field >c
hprof-validate --mapping=m c 2>.err | grep 'at byte'
# every fixture can be renamed, and stays as valid as it was
whole | while read -r name size; do
    fixture "$name" --id-size="$size" >c
    hprof-convert --force --mapping=m c d 2>.err || echo "$name $size: $?"
    hprof-validate --format=json c d >v 2>.err
    verdict v | sort -u
    looked
done | sort -u
looked_at 20+
# a mapping of another program, and files that are no mapping
echo 'x.Y -> z:' >n
hprof-diff --mapping=n a 2>&1 >.out
code hprof-diff --mapping=a a
code hprof-convert --mapping=missing a c
code hprof-validate --mapping=a a
# a frame that is written twice is renamed twice
fixture frame-dup-same >c
hprof-convert --force --mapping=m c d 2>.err
for f in c d; do
    hprof-validate --format=json $f | jq -c '[.files[0].rules[].rule | select(test("frame"))]'
done
