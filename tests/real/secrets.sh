# secrets.sh - check that --secrets raises no false alarm. No real dump contains a
# credential, so each finding would be wrong.
cd "$HPROF_REAL_DUMPS" || exit 1
seen=0
while IFS= read -r file; do
    hprof-validate --secrets --format=json "$file" >"$OLDPWD/out" 2>/dev/null
    jq -r --arg file "$file" '.files[].rules[] | select(.rule == "secret") |
        .examples[] | "\($file): \(.offset): \(.message)"' "$OLDPWD/out"
    seen=$((seen + $(jq '[.files[] | select(.verdict != "unreadable")] | length' \
        "$OLDPWD/out")))
done < <(find . -type f ! -path './truth/*' \
    \( -name '*.hprof' -o -name '*.hprof.*' -o -name '*.txt' \) | sort)
[ "$seen" -ge 40 ] || echo "looked at $seen dumps"
exit 0
