# A plain conversion copies every byte, to a file and to a pipe.
mkdir dumps file redirected
fixtures valid | while read -r name size; do
    fixture "$name" --id-size="$size" >"dumps/$name-$size"
done
for a in dumps/*; do
    quiet hprof-convert "$a" "file/${a##*/}"
    hprof-convert - <"$a" >"redirected/${a##*/}" 2>.err
done
same_folders dumps file 200
same_folders dumps redirected 200
# one reader of the pipe for all conversions
for a in dumps/*; do
    hprof-convert "$a" 2>.err
done | cat >pipe
cat dumps/* >all
same all pipe
for folder in dumps file redirected; do
    cd $folder || exit
    no_temp
    cd ..
done
left_over dumps file redirected all pipe
no_temp
