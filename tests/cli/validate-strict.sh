# A warning is exit 0, with --strict 1; an error is 1 in any case.
fixture object-dup >warning
fixture super-self >error
fixture hotspot >fine
code hprof-validate warning
code hprof-validate --strict warning
code hprof-validate error
code hprof-validate --strict fine
hprof-validate --format=json warning | jq -c '.files[] | [.verdict,
    .totals.error, .totals.warning]'
