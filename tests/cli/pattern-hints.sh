# If a class pattern matches no object, the message suggests another pattern
zstd -q -dc "$(dirname "$2")/../../corpus/shop-after.hprof.zst" >a
for glob in 'Shop.Cart' 'java/util/HashMap*' 'java/util/Map/Entry' \
    'java.util.Map' 'java.util.AbstractMap' 'nothing.*' 'nothing/at.All'; do
    for option in --filter="$glob" --why="$glob" --fail-if="$glob count>0"; do
        hprof-diff --format=csv "$option" a 2>&1 >.out |
            sed -n 's/.*warning: "/"/p' | grep . || echo "no hint: $option"
    done | uniq
done
# no hint for a pattern that matches, even if only the first dump has the rows
fixture registry >b
for option in --filter='Shop$C*' --fail-if='Shop$Cart count>10000' \
    --why='java.util.HashMap' --why='byte[]' --fail-if='total count>100000000'; do
    hprof-diff --format=csv "$option" a a 2>&1 >.out
done
hprof-diff --format=csv --fail-if='java.util.HashMap count>10' a b 2>&1 >.out |
    grep -v 'after the next dump'
# other row keys have other names
hprof-diff --by=package --format=csv --filter='Shop.Cart' a 2>&1 >.out
