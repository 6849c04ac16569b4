# Stripping and compressing in one run gives the compressed stripped dump.
need zstd gzip
fixture many-objects >a
quiet hprof-convert --strip-arrays a b
quiet hprof-convert --strip-arrays a c.zst
quiet hprof-convert --strip-arrays a c.gz
zstd -dqc c.zst >d
same b d
gzip -dc c.gz >d
same b d
quiet hprof-convert --strip-arrays c.zst e
same b e
