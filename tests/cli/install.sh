# The files that `make install` writes and `make uninstall` removes, in folders
# with blanks and quotes in their names.
need make pkg-config
case $BUILD in
*release) ;;
*) skip "the library is built in the release variant" ;;
esac
top=$(cd "$(dirname "$2")/../.." && pwd)
unset MAKEFLAGS MAKELEVEL
# each part of the folder's name is also a file that must not be touched
touch "it's" a 'file"$HOME'
root="$PWD/it's a file\"\$HOME"

echo "== install"
quiet make -s -C "$top" install DESTDIR="${root//\$/\$\$}" PREFIX=/usr JVMTI_H=
for name in bin/hprof-diff include/hprof.h share/man/man3/hprof_next.3 \
    lib/libhprof.so lib/libhprof.so.0 lib/pkgconfig/hprof.pc; do
    [ -e "$root/usr/$name" ] || echo "not there: $name"
    looked
done
looked_at 6
"$root/usr/bin/hprof-validate" --version >installed
hprof-validate --version >built
same built installed
rm built installed
ls

echo "== uninstall"
quiet make -s -C "$top" uninstall DESTDIR="${root//\$/\$\$}" PREFIX=/usr JVMTI_H=
find "$root" ! -type d
find "$root" -path '*/share/doc/*'
ls

echo "== hprof.pc"
for prefix in /usr /opt/tools\&libs\|all "" /opt/a\ b /opt/it\'s \
    '/opt/$$HOME' relative; do
    rm -rf pc
    make -s -C "$top" B="$PWD/pc" "$PWD/pc/hprof.pc" PREFIX="$prefix" 2>.err
    echo "exit $?"
    grep -v '^make: ' .err
    [ ! -e pc/hprof.pc ] || for variable in prefix libdir includedir; do
        PKG_CONFIG_PATH=pc pkg-config --variable=$variable hprof
    done
done
rm -rf pc
# the installed tree can be moved
make -s -C "$top" B="$PWD/pc" "$PWD/pc/hprof.pc" PREFIX=/usr LIBSUBDIR=lib/arch
PKG_CONFIG_PATH=pc pkg-config --define-variable=prefix=/moved \
    --cflags --libs-only-L hprof
rm -rf pc
make -s -C "$top" B="$PWD/pc" "$PWD/pc/hprof.pc" LIBSUBDIR="a b" 2>.err
echo "exit $?"
grep -v '^make: ' .err
