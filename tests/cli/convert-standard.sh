# --standard gives the same result as hprof-conv, if that is installed. No
# Android tag is left, and nothing else changes.
conv=$(command -v hprof-conv || echo /usr/lib/android-sdk/platform-tools/hprof-conv)
for name in art dalvik many-segments; do
    fixture $name >a
    quiet hprof-convert --standard a b
    if [ -x "$conv" ]; then
        "$conv" a c >.out 2>.err
        same_or_say "$name: not what hprof-conv writes" b c
    fi
    hprof-convert --standard - <a 2>.err | cmp - b
    hprof-diff --exit-code --layout=mat a b >.out 2>.err ||
        echo "$name: another histogram"
    rm -f b
done
fixture all-tags >a
quiet hprof-convert --standard a b
hprof-validate --format=json b | jq -c '.files[].subrecords | keys |
    map(select(test("INTERNED|DEBUGGER|VM_INTERNAL|FINAL|CLEANUP|JNI_MON|UNREACH|NODATA|INFO")))'
