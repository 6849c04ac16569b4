# "did you mean" for options, values and rules, in all three programs. There is
# no suggestion if nothing is similar.
say() {
    "$@" >.out 2>.err
    echo "$? $(head -n 1 .err)"
}
say hprof-validate --formt=json x
say hprof-validate --stirct x
say hprof-validate --format=jsn x
say hprof-validate --level=reference x
say hprof-validate --explain=ref-danglin-field
say hprof-validate --disable=magic,sub-tg x
say hprof-validate --severity=magc=info x
say hprof-validate --severity=magic=inf x
say hprof-validate --to=json x
say hprof-diff --by=pakage x
say hprof-diff --colour=never x
say hprof-diff --progress=nevre x
say hprof-convert --format=text x
say hprof-convert --compres=zstd --strip-arrys x
say hprof-convert --strip-arrays=byte,chr x
say hprof-convert --compress=zst x
say hprof-convert --to=pdf x
say hprof-diff --zzzzz x
say hprof-validate --explain=nothing-like-it
say hprof-validate -Z x
# a very long word
say hprof-diff --by="$(printf %5000s x | tr ' ' a)" x
true
