# --memory bounds packing and unpacking, too: fewer threads are used, and what
# cannot do with one part of a pack at a time is refused.
peak() { # peak MIB CMD...: says so if CMD took more; GNU time measures
    local limit=$(($1 * 1024)) took
    shift
    [ -x /usr/bin/time ] || { quiet "$@" && return; }
    /usr/bin/time -f %M "$@" >.out 2>.err || echo "$? $*: $(head -n 1 .err)"
    took=$(tail -n 1 .err)
    case $BUILD in
    *release) [ "$took" -le "$limit" ] || echo "$took KiB: $*" ;;
    esac
}
refused() {
    "$@" >.out 2>.err
    echo "$? $(wc -c <.out) $(cat .err)"
}
# any bytes can be packed; these are seven parts
head -c 100M /dev/urandom >a
peak 200 hprof-convert --threads=8 --memory=200MB --to=pack a a.pack
peak 400 hprof-convert --threads=8 --to=pack --memory=400MB a b.pack
cmp a.pack b.pack
peak 128 hprof-convert --threads=8 --memory=128MB a.pack c
cmp a c
code hprof-validate --threads=8 --memory=128MB a.pack # no dump, but read
refused hprof-convert --memory=80MB --to=pack a d.pack
[ ! -e d.pack ] || echo "an output is left"
# how much comes through a pipe is not known before
fixture hotspot >small
mkfifo pipe
cat small >pipe &
refused hprof-convert --memory=80MB --to=pack pipe e.pack
wait
quiet hprof-convert --memory=32MB --to=pack small e.pack
hprof-convert e.pack | cmp - small
