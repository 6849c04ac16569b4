# The documents answer the questions of tests/questions.txt: each given page
# contains the text of the answer.
top=$(cd "$(dirname "$2")/../.." && pwd)
while IFS='|' read -r question page text; do
    case $question in '#'*) continue ;; esac
    page=${page# } page=${page% } text=${text# }
    # manual pages as text, without macros
    case $page in
    man/*) sed -e '/^\.\\"/d' -e 's/\\(aq/'\''/g; s/\\&//g' "$top/$page" ;;
    *) cat "$top/$page" ;;
    esac >text
    grep -qF -e "$text" text || problem "$page: $question"
    looked
done <"$top/tests/questions.txt"
looked_at 20+
