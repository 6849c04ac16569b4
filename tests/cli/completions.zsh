# completions.zsh FOLDER - what zsh offers, asked through its completion system
# on a pseudo terminal: compadd tells the words instead of showing them.
zmodload zsh/zpty
folder=$1
zpty -b ask zsh -f -i
zpty -w ask "PS1= PS2= RPS1= ; stty -echo; setopt no_beep no_always_last_prompt
fpath=($folder \$fpath)
autoload -Uz compinit; compinit -u -D
compadd() {
	if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd \"\$@\"; return; fi
	typeset -a __w; builtin compadd -A __w \"\$@\"; builtin compadd \"\$@\"
	print -r -- \"@@\$__w@@\"
}
bindkey '^I' complete-word
print READY"
offered() {
	local text= piece quiet=0
	zpty -w -n ask "$1"$'\t'
	for ((i = 0; i < 40; i++)); do
		sleep 0.05
		((quiet++))
		while zpty -r -t ask piece; do text+=$piece quiet=0; done
		[[ $text == *@@*@@* ]] && ((quiet > 5)) && break
	done
	zpty -w -n ask $'\x15'
	print -r -- "${(j: :)${(M)${(f)text}:#*@@*@@*}}" | tr -d '\r' |
		grep -o '@@[^@]*@@' | tr -d @ | tr ' ' '\n' | grep -v '^-default-$' |
		sort -u | tr '\n' ' '
}
zpty -r -m ask seen '*READY*'
bad=0
while IFS='|' read -r line want; do
	got=$(offered "$line")
	[[ $got == "$want " ]] || { print -r -- "zsh: $line: $got"; bad=1; }
done <<'END'
hprof-diff --by=|class cpu dominator heap holder loader monitor package path site
hprof-convert --to=|hprof ndjson pack tables text
hprof-validate --severity=magic=|error info warning
hprof-validate --severity=super-|super-cycle super-missing super-of-array super-zero
END
zpty -d ask
((bad)) || print "zsh: all as expected"
