# Each command line in README.md and in the guides in docs/ prints what they
# show, and every link in them leads to a file.
# needs: text
need jq zstd sqlite3
top=$(cd "$(dirname "$2")/../.." && pwd)
cd "$top" || exit
for document in README.md docs/*.md docs/fleet/*.md; do
    if grep -q '^```console$' "$document"; then
        scripts/transcripts "$document"
        echo "$document"
    fi
    # the targets of [text](target), without #fragment
    grep -oE '\]\([^)]+\)' "$document" | sed 's/^](//; s/)$//; s/#.*//' |
        grep -vE '^$|^https?:' | while read -r target; do
        [ -e "$(dirname "$document")/$target" ] ||
            problem "$document: there is no $target"
    done
    looked
done
looked_at 12+
