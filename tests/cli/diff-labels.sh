# --label adds labels to JSON and to the page, for each dump that is read. A
# saved result keeps its own labels and gets no others.
fixture leak-before >a
fixture leak-after >b
hprof-diff --label=service=cart --label=v='<7>\' --format=json a >saved
jq -c '.dumps[0].labels' saved
hprof-diff --label=v=8 --format=json saved b >both
jq -c '[.dumps[].labels]' both
hprof-diff --label=v=8 --format=ndjson b | head -n 1 | jq -c '.dumps[0].labels'
hprof-diff --format=json b | jq -c '.dumps[0] | has("labels")'
hprof-diff --label=v=8 --format=html saved b | page_data | jq -c '[.dumps[].labels]'
hprof-diff --label=v=8 --format=html saved b | grep -o '&lt;7&gt;[^<]*'
# characters that were escaped when a result was saved are not escaped again
hprof-diff --label=v=$'C:\\x41\n\\u{9}\\' --format=json a >saved
hprof-diff --format=json saved >again
hprof-diff --format=ndjson again b | head -n 1 >both
for f in saved again both; do
    jq -r '.dumps[0].labels.v' $f
done
hprof-diff --format=html again | page_data | jq -r '.dumps[0].labels.v'
hprof-diff --format=html again | grep -o ', v=C:[^<,]*'
# the page shows the size of files, but pipes have none
hprof-diff --format=html a b | page_data | jq -c '.files' >got
echo "[$(wc -c <a),$(wc -c <b)]" >want
same want got
cat b | hprof-diff --format=html a - | page_data | jq -c '.files[1]'
# labels that are invalid in a saved result
for wrong in '{"a-b":"1"}' '{"a":1}' '["a"]' '{"a":"\u001b"}'; do
    jq -c --argjson wrong "$wrong" '.dumps[0].labels = $wrong' saved >bad
    code hprof-diff bad b
    looked
done
cat .err
looked_at 4
for format in table csv folded; do
    code hprof-diff --label=a=1 --format=$format b
done
