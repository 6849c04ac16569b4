# A heap record whose length was never written ends with the input. The findings
# do not depend on whether the size of the input is known.
# needs: pack text
need zstd gzip
for name in unpatched-instance unpatched-array unpatched-objects \
    unpatched-tag cut-objects unpatched-at-end unpatched-sa; do
    fixture $name >a
    gzip -kf a
    zstd -qkf a
    hprof-convert --to=pack --force a a.pack 2>.err
    check() { # check STATUS COMMAND [OPTION]...
        local want=$1 f status results got
        shift
        results="results/$name: $*"
        mkdir -p "$results"
        for f in a a.gz a.zst a.pack -; do
            got=$results/$f
            [ "$f" != a ] || got=$results/want
            "$@" "$f" <a >>"$got" 2>>"$got"
            status=$?
            looked
            [ $status -eq "$want" ] ||
                echo "$name: $* $f: exit $status, not $want"
        done
    }
    echo "$name"
    hprof-validate a | sed -n '/^  error/{N;p}'
    check 1 hprof-validate --format=json
    check 1 hprof-validate --format=json --level=framing
    others=1 # they have other errors
    [[ $name != unpatched-at-end && $name != unpatched-sa ]] || others=0
    check $others hprof-validate --format=json --disable=heap-length-unpatched
    check 2 hprof-diff --format=json
    check 0 hprof-diff --partial --format=json
    check 0 hprof-diff --partial --by=holder --format=json
done
looked_at 210
same_results results
fixture unpatched-instance >a
gzip -kf a
for f in a a.gz -; do
    for to in hprof text ndjson; do
        refused hprof-convert --to=$to -o b "$f" <a | sed 's/: [^:]*:/:/'
    done
done
