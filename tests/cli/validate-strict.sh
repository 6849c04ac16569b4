# A warning gives exit status 0, or 1 with --strict. An error always gives 1.
fixture object-dup >warning
fixture super-self >error
fixture hotspot >fine
code hprof-validate warning
code hprof-validate --strict warning
code hprof-validate error
code hprof-validate --strict fine
hprof-validate --format=json warning | jq -c '.files[] | [.verdict,
    .totals.error, .totals.warning]'
