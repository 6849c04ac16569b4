# shellcheck shell=bash
# Completion for hprof-validate, hprof-diff and hprof-convert in bash.
#
# Options and what they take come from the program's own --list-options, so
# they are always those of the installed version.

# _hprof_field PROGRAM OPTION N: the Nth column of the option's line
_hprof_field()
{
	"$1" --list-options 2> /dev/null | awk -F '\t' -v o="$2" -v n="$3" \
		'$1 == o || $2 == o { print $n; exit }'
}

# _hprof_value PROGRAM OPTION CUR: what the argument may go on with; PAIRED is
# what stands before the '=' of a pair, if there is one
_hprof_value()
{
	local shape last
	shape=$(_hprof_field "$1" "$2" 3)
	case $shape in
	one* | head*)
		mapfile -t COMPREPLY < <(compgen -W \
			"$(_hprof_field "$1" "$2" 4)" -- "$3")
		;;
	list*)
		last=${3##*,}
		mapfile -t COMPREPLY < <(compgen -P "${3%"$last"}" -W \
			"$(_hprof_field "$1" "$2" 4)" -- "$last")
		;;
	pair)
		mapfile -t COMPREPLY < <(compgen -W "$(_hprof_field "$1" "$2" \
			"$([ -n "$PAIRED" ] && echo 5 || echo 4)")" -- "$3")
		[ -n "$PAIRED" ] || compopt -o nospace 2> /dev/null
		;;
	file)
		compopt -o filenames 2> /dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$3")
		;;
	esac
}

# The options; those that take something end with '='.
_hprof_options()
{
	"$1" --list-options 2> /dev/null | awk -F '\t' '{
		print $1 ($3 == "none" ? "" : $3 ~ /[?]$/ ? "\n" $1 "=" : "=")
	}'
}

_hprof()
{
	local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) PAIRED=
	COMPREPLY=()
	# words are cut at '=': --option = RULE = severity
	if [[ $cur == = ]]; then
		cur="" at=$((at + 1))
	fi
	if [[ ${COMP_WORDS[at]} == = ]] && ((at >= 2)); then
		at=$((at - 1))
		if [[ ${COMP_WORDS[at]} != -* && ${COMP_WORDS[at - 1]} == = ]]; then
			PAIRED=${COMP_WORDS[at]}
			at=$((at - 2))
		fi
		_hprof_value "$1" "${COMP_WORDS[at]}" "$cur"
	elif [[ ${COMP_WORDS[at]} == -* && $cur != -* &&
		$(_hprof_field "$1" "${COMP_WORDS[at]}" 3) =~ ^(one|head|list|pair|file|text)$ ]]; then
		_hprof_value "$1" "${COMP_WORDS[at]}" "$cur"
	elif [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_hprof_options "$1")" \
			-- "$cur")
		[[ ${COMPREPLY[0]:-} == *= ]] && compopt -o nospace 2> /dev/null
	else
		compopt -o filenames 2> /dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -F _hprof hprof-validate hprof-diff hprof-convert
