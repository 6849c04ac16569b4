# `compression` is the outermost layer; sizes are those of the dump itself.
need zstd gzip
fixture hotspot >a
gzip -k a
zstd -q a
gzip -c a.zst >b
cp a.gz misnamed.zst
for f in a a.gz a.zst b misnamed.zst; do
    hprof-validate --format=json $f | jq -c '.files[] |
        [.path, .compression, .bytes, .verdict]'
done
