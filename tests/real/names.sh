# names.sh - check that --normalize changes only the names of generated classes
#
# The script compares the names of each dump with and without --normalize. It has
# its own regular expressions for the names of generated classes.
looked=0
for file in "$HPROF_REAL_DUMPS"/*/*.hprof{,.gz,.zst} \
    "$HPROF_REAL_DUMPS"/*/*.bin "$HPROF_REAL_DUMPS"/agent/*.txt; do
    [ -f "$file" ] || continue
    for normalize in on off; do
        hprof-diff --partial --format=json --normalize=$normalize "$file" \
            2>err | jq -r '.rows[].key' | sort >$normalize
    done
    [ -s off ] || continue
    looked=$((looked + 1))
    comm -23 off on >changed
    generated='[/.]0x[0-9a-f]{8,}(\[\])*$'
    generated+='|\$\$Lambda\$[0-9]+([/.][0-9]+)?(\[\])*$'
    generated+='|LambdaForm\$[A-Z]+[/.][0-9]+(\[\])*$'
    generated+='|^java\.lang\.invoke\.BoundMethodHandle\$Species_[A-Z0-9]+'
    generated+='|(^|\.)\$Proxy[0-9]+(\[\])*$'
    generated+='|\.Generated[A-Za-z]*(Accessor|EventHandler)[0-9_]+(\[\])*$'
    generated+='|^jnr\..*\$(\$|jnr\$ffi\$)[0-9]+$'
    generated+='|^org\.jruby\.gen\.InterfaceImpl[0-9]+$'
    wrong=$(grep -vE "$generated" changed | head -n 3)
    [ -z "$wrong" ] || echo "$(basename "$file"): changed: $wrong"
done
[ $looked -ge 50 ] || echo "only $looked dumps with classes"
