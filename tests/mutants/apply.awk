# apply.awk - plant one fault: replace a single line of a source file
#
#   FROM=line TO=line IN=text awk -f apply.awk FILE > CHANGED
#
# A line matches if it equals FROM without the blanks around it. With IN, only
# lines from one that begins with IN to the next that begins with "}" can match:
# IN is usually the name of a function. The new line keeps the indentation.
# Exit: 0 exactly one line matched; 3 none or several did, and their number is
# on standard error.

function trimmed(line)
{
	gsub(/^[ \t]+|[ \t]+$/, "", line)
	return line
}

BEGIN {
	from = trimmed(ENVIRON["FROM"])
	to = ENVIRON["TO"]
	where = ENVIRON["IN"]
	inside = where == ""
}

where != "" && index($0, where) == 1 { inside = 1 }

inside && trimmed($0) == from {
	matched++
	match($0, /^[ \t]*/)
	print substr($0, 1, RLENGTH) to
	next
}

{ print }

where != "" && /^}/ { inside = 0 }

END {
	if (matched != 1) {
		print matched + 0 > "/dev/stderr"
		exit 3
	}
}
