# All three programs read a dump in a zip or tar archive, from files and pipes.
# A damaged archive counts as damage. If an archive cannot be read, the message
# says why.
need jq tar gzip zstd

# le N BYTES: write a number in little-endian order.
le() {
    local n=$1 i hex bytes=
    for ((i = 0; i < $2; i++)); do
        printf -v hex %02x $((n >> (8 * i) & 255))
        bytes+=\\x$hex
    done
    printf "$bytes"
}

# member NAME FILE [stored] [described] [zip64] [flag=N] [method=N]: append a
# member to the zip archive z. Its data come from gzip. Its directory entry goes
# to .directory.
member() {
    local name=$1 file=$2 method=8 flags=0 needs=20 at size packed extra='' o
    shift 2
    at=$(stat -c %s z)
    size=$(stat -c %s "$file")
    gzip -nc "$file" >.gz
    tail -c 8 .gz | head -c 4 >.crc
    head -c -8 .gz | tail -c +11 >.data
    for o in "$@"; do
        case $o in
        stored) method=0 && cp "$file" .data ;;
        described) flags=$((flags | 8)) ;;
        flag=*) flags=$((flags | ${o#*=})) ;;
        method=*) method=${o#*=} ;;
        esac
    done
    packed=$(stat -c %s .data)
    {
        printf 'PK\3\4' && le $needs 2 && le $flags 2 && le $method 2 && le 0 4
        case " $* " in
        *' described '*) le 0 12 ;;
        *' zip64 '*) cat .crc && le 0xffffffff 4 && le 0xffffffff 4 ;;
        *) cat .crc && le "$packed" 4 && le "$size" 4 ;;
        esac
        le ${#name} 2
        case " $* " in
        *' zip64 '*) le 20 2 && extra=1 ;;
        *) le 0 2 ;;
        esac
        printf %s "$name"
        [ -z "$extra" ] || { le 1 2 && le 16 2 && le "$size" 8 && le "$packed" 8; }
        cat .data
        case " $* " in
        *' described '*) printf 'PK\7\10' && cat .crc && le "$packed" 4 && le "$size" 4 ;;
        esac
    } >>z
    {
        printf 'PK\1\2' && le 20 2 && le $needs 2 && le $flags 2 && le $method 2
        le 0 4 && cat .crc && le "$packed" 4 && le "$size" 4 && le ${#name} 2
        le 0 12 && le "$at" 4 && printf %s "$name"
    } >>.directory
}
zip_begin() { : >z && : >.directory; }
zip_end() {
    local at
    at=$(stat -c %s z)
    cat .directory >>z
    { printf 'PK\5\6' && le 0 8 && le "$(stat -c %s .directory)" 4 &&
        le "$at" 4 && le 0 2; } >>z
}

# is_read WHAT FILE: check that all ways of reading find the dump in FILE. In
# check-quick, every second archive is read from a pipe, the others as a file.
is_read() {
    local way ways=("$2" -)
    looked
    [ -z "${HPROF_QUICK:-}" ] || ways=("${ways[$(($(wc -l <.looked) % 2))]}")
    for way in "${ways[@]}"; do
        hprof-convert --force $way out <"$2" 2>.err && cmp -s out dump ||
            echo "$1, $way: hprof-convert: $(head -n 3 .err)"
        hprof-diff --format=csv $way <"$2" 2>.err | cmp -s - rows ||
            echo "$1, $way: hprof-diff: $(head -n 3 .err)"
        hprof-validate --format=json $way <"$2" 2>.err |
            verdict | grep -qx valid ||
            echo "$1, $way: hprof-validate: $(head -n 3 .err)"
    done
}
# tells WHAT FILE: print the status and the message of all three programs.
tells() {
    looked
    for program in hprof-validate hprof-diff hprof-convert; do
        $program "$2" >.out 2>.err
        echo "$1: $? $(grep -v ': this is the dump' .err | head -n 2)"
    done
}

fixture hotspot25 >dump
hprof-diff --format=csv dump >rows
echo 'no dump' >notes.txt
seq 35000 >log.txt
gzip -nc dump >dump.gz
zstd -qc dump >dump.zst
hprof-convert dump dump.hpk

echo '-- tar'
tar -cf a dump && is_read tar a
tar --format=v7 -cf a dump && is_read 'old tar' a
tar --format=gnu -cf a dump && is_read 'GNU tar' a
tar --format=pax -cf a dump && is_read 'pax' a
tar -cf a notes.txt log.txt dump log.txt && is_read 'other members' a
tar -czf a log.txt dump && is_read tar.gz a
tar -cf - log.txt dump | zstd -qc >a && is_read tar.zst a
tar -czf a log.txt dump.gz && is_read 'gzip in tar.gz' a
tar -cf a log.txt dump.zst && is_read 'zstd in tar' a
tar -cf a notes.txt dump.hpk && is_read 'pack in tar' a
gzip -nc log.txt >log.gz && tar -cf a log.gz dump && is_read 'gzip of no dump' a
long=$(printf 'folder-%.0s' {1..14})
mkdir -p "$long/$long" && cp dump "$long/$long/heap.hprof"
for format in gnu pax; do
    tar --format=$format -cf a "$long" && is_read "long names, $format" a
    hprof-diff a 2>&1 >.out | grep -c "'$long/$long/heap"
done
tar -cf b dump && tar -cf a b && is_read 'tar in tar' a
tar -cf a dump && head -c -1024 a >b && truncate -s $(($(stat -c %s dump) / 512 * 512 + 1024)) b
is_read 'tar without an end' b
looked_at 15

echo '-- zip'
zip_begin && member heap.hprof dump && zip_end && is_read deflated z
zip_begin && member heap.hprof dump stored && zip_end && is_read stored z
zip_begin && member heap.hprof dump described && zip_end && is_read described z
zip_begin && member heap.hprof dump zip64 && zip_end && is_read zip64 z
zip_begin && member heap.hprof dump zip64 stored && zip_end && is_read 'zip64, stored' z
zip_begin && member log.txt log.txt && member notes.txt notes.txt stored &&
    member b log.txt described && member heap.hprof dump && member c log.txt &&
    zip_end && is_read 'other members' z
zip_begin && member dump.gz dump.gz stored && zip_end && is_read 'gzip in zip' z
zip_begin && member dump.zst dump.zst && zip_end && is_read 'zstd in zip' z
tar -cf a notes.txt dump && zip_begin && member a.tar a && zip_end && is_read 'tar in zip' z
gzip -nc z >a && is_read 'tar in zip in gzip' a
zip_begin && member heap.hprof dump && zip_end && tar -czf a z && is_read 'zip in tar.gz' a
looked_at 11

echo '-- names'
zip_begin && member heap.hprof dump && member $'b\e[31m\n.hprof' dump &&
    member c.gz dump.gz && zip_end && is_read 'three dumps' z
hprof-diff z 2>&1 >.out
hprof-validate --format=json z 2>.err | jq -c '.files[0] | [.compression, .member]'
hprof-diff -q z 2>&1 >.out
cp dump e && for i in 1 2 3 4 5 6; do ln -f e d$i; done
tar --hard-dereference -cf a d? && hprof-convert --force a out 2>&1
looked_at 1

echo '-- no dump'
zip_begin && member notes.txt notes.txt && member log.txt log.txt && zip_end && tells none z
zip_begin && zip_end && tells 'an empty zip' z
zip_begin && member $'\e[31m' notes.txt && zip_end && tells 'a hostile name' z
tar -cf a notes.txt && tells 'none in tar' a
tar -czf a log.gz && tells 'gzip of no dump' a
zip_begin && member heap.hprof dump flag=1 && zip_end && tells encrypted z
zip_begin && member heap.hprof dump flag=1 described && zip_end && tells 'encrypted, no length' z
zip_begin && member heap.hprof dump method=12 && zip_end && tells bzip2 z
zip_begin && member heap.hprof dump method=77 && zip_end && tells 'unknown method' z
zip_begin && member heap.hprof dump stored described && zip_end && tells 'stored, no length' z
zip_begin && member a dump flag=1 && member heap.hprof dump && zip_end && is_read 'one is encrypted' z
tar -cf a dump && tar -cf b a && tar -cf a b && tar -cf b a && tells 'four deep' b
tar -cf a dump && gzip -c a | gzip -c | gzip -c >b && tells 'tar below three' b
truncate -s 5M e && tar --format=gnu -Scf a e && tells sparse a
# only the first 160 KB of an archive in an archive are searched
tar -cf a log.txt dump && tar -cf b a && tells 'dump behind much else, in a nested archive' b
looked_at 15

echo '-- damage'
zip_begin && member heap.hprof dump && zip_end && cp z whole
printf '\377' | dd of=z bs=1 seek=16 conv=notrunc status=none && tells checksum z
cp whole z && printf '\377' | dd of=z bs=1 seek=22 conv=notrunc status=none && tells size z
cp whole z && printf '\377\377\377\377' | dd of=z bs=1 seek=300 conv=notrunc status=none && tells data z
cp whole z && printf 'X' | dd of=z bs=1 seek=$(($(stat -c %s z) - 22)) conv=notrunc status=none && tells end z
zip_begin && member heap.hprof dump zip64 && zip_end
printf '\1' | dd of=z bs=1 seek=57 conv=notrunc status=none && tells 'zip64 size' z
tar -cf a notes.txt dump
printf '\1' | dd of=a bs=1 seek=1030 conv=notrunc status=none && tells 'head of tar' a
# truncated anywhere, the archive is damaged (or, in its header, no archive)
n=$(stat -c %s whole)
for ((i = 10; i < n; i += $(stride $((n / 40))))); do
    head -c $i whole >z
    hprof-validate z >.out 2>&1
    [ $? = 1 ] && grep -q archive-truncated .out || echo "zip cut at $i: $(head -n 3 .out)"
    looked
done
looked_at 40+
tar -cf whole dump && n=$(stat -c %s dump)
for ((i = 512; i < n + 512; i += $(stride $((n / 40))))); do
    head -c $i whole >a
    hprof-validate a >.out 2>&1
    [ $? = 1 ] && grep -q archive-truncated .out || echo "tar cut at $i: $(head -n 3 .out)"
    looked
done
looked_at 40+
# and what can be read is used with --partial
hprof-diff --partial a 2>&1 >.out | grep -c 'using only the readable part'
hprof-convert --salvage --force a out 2>&1 | grep -c salvaged

echo '-- bombs'
{ cat dump && head -c 30M /dev/zero; } >big
zip_begin && member heap.hprof big && zip_end
hprof-validate --max-size=10M z 2>&1 | head -n 1
hprof-diff --max-size=10M z 2>&1 | head -n 2
head -c 30M /dev/zero >big
zip_begin && member zeros big described && member heap.hprof dump && zip_end && is_read 'passed over' z
hprof-diff --max-size=10M z 2>&1
hprof-diff --memory=16M --max-size=200M --format=csv z 2>.err | cmp - rows
looked_at 1
