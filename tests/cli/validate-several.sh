# Several files: a result for each, in the order given; the worst code wins.
fixture hotspot >fine
fixture empty >empty
code hprof-validate fine fine
code hprof-validate fine empty
code hprof-validate empty fine
code hprof-validate nosuch empty fine
code hprof-validate --format=json fine nosuch empty fine
jq -c '.files[] | [.path, .verdict]' .out
