# If standard streams are closed, no file may get their descriptors: messages
# must not end up in an output file. A result that cannot be written is a
# failure.
fixture hotspot >a
hprof-convert -q --strip-arrays a want
for closed in '0<&-' '1<&-' '2<&-' '0<&- 2<&-' '0<&- 1<&- 2<&-'; do
    rm -f got list
    eval "hprof-convert --strip-arrays a got $closed" 2>.err
    echo "$? $(cmp want got 2>&1) $closed"
    eval "hprof-validate -o list nosuch a $closed" 2>.err
    echo "$? $(head -n 1 list)"
done
hprof-diff a >&- 2>.err
echo "$? $(cat .err)"
hprof-convert --compress=zstd a >&- 2>.err
echo "$? $(cat .err)"
hprof-validate - <&- 2>.err
echo "$? $(cat .err)"
