# shellcheck shell=bash
# Completion for hprof-validate, hprof-diff and hprof-convert in bash.
#
# Options and their fixed values come from the program's own --help, so they
# are always those of the installed version.

_hprof_values()
{
	# --option=a|b|c in --help: the values, one a line
	"$1" --help 2> /dev/null |
		sed -nE "s/^ .* ?$2=([a-z0-9|]+).*/\\1/p" |
		grep -F '|' | tr '|' '\n'
}

_hprof()
{
	local cur=${COMP_WORDS[COMP_CWORD]} option
	COMPREPLY=()
	if [[ $cur == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
		option=${COMP_WORDS[COMP_CWORD - 1]}
		[[ $cur == = ]] || option=${COMP_WORDS[COMP_CWORD - 2]}
		[[ $cur == = ]] && cur=
		mapfile -t COMPREPLY < <(compgen -W \
			"$(_hprof_values "$1" "$option")" -- "$cur")
		[ "${#COMPREPLY[@]}" -gt 0 ] ||
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	elif [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$1" --help \
			2> /dev/null | grep -oE -e '^ .*--[a-z-]+=?' |
			grep -oE -e '--[a-z-]+=?$')" -- "$cur")
		[[ ${COMPREPLY[0]:-} == *= ]] && compopt -o nospace
	else
		compopt -o filenames 2> /dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

complete -F _hprof hprof-validate hprof-diff hprof-convert
