#!/bin/sh
# check-folder.sh FOLDER - validate every gzipped dump of a folder
#
# Prints the report of each damaged dump, and one summary.
# Exit status: 0 all dumps are valid; 1 a dump is invalid; 2 a dump could not be
# read, or there is no dump.
#
# You can also run hprof-validate FOLDER/*.hprof.gz, which reports all dumps and
# prints a summary.
set -u
folder=${1:?usage: check-folder.sh FOLDER}
report=$(mktemp) || exit 2
trap 'rm -f "$report"' EXIT
valid=0 invalid=0 unreadable=0

for file in "$folder"/*.hprof.gz; do
    [ -e "$file" ] || [ -L "$file" ] || continue
    hprof-validate -q -- "$file" >"$report" 2>&1
    case $? in
    0) valid=$((valid + 1)) ;;
    1)
        invalid=$((invalid + 1))
        cat "$report"
        ;;
    *)
        unreadable=$((unreadable + 1))
        cat "$report"
        ;;
    esac
done

total=$((valid + invalid + unreadable))
echo "$total dumps: $valid valid, $invalid invalid, $unreadable unreadable"
if [ "$unreadable" -gt 0 ] || [ "$total" -eq 0 ]; then
    exit 2
fi
[ "$invalid" -eq 0 ]
