# --max-size refuses inputs with a larger uncompressed size.
need gzip
fixture many-objects >a
gzip -k a
for p in validate diff convert; do
    code hprof-$p --max-size=1MB a.gz
    [ -s .err ] || echo "no message"
    code hprof-$p --max-size=100MB a.gz
done
left_over a a.gz
