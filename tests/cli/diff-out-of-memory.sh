# In a dump that was taken on an OutOfMemoryError, the thread that failed comes
# first: its name, its stack without the error's constructor, and what it alone
# keeps alive. Other stacks, and methods of the same name, change nothing.
# needs: pack text
need jq
fixture registry-held | hprof-convert -q --to=text - >plain
# stack FRAME: add a frame above those of the thread
stack() { # the name of the thread is not in the text
    sed "s/^\\tcom.acme.Order.take(.*/\\t$1(X.java:48)\\n&/" plain
}
stack 'java.lang.OutOfMemoryError.<init>' >failed
stack 'java.lang.OutOfMemoryError.getMessage' >other
stack 'com.acme.OutOfMemoryError.<init>' >own
hprof-diff failed | answer
for file in failed other own plain; do
    hprof-diff --retained --format=json $file | jq -c .out_of_memory
done
# what the thread retains is the row of --by=thread
hprof-diff --by=thread --format=json failed |
    jq -c '.out_of_memory.retained_bytes == .rows[0].retained_bytes[0]'
# the last of several dumps counts
hprof-diff --retained --format=json failed plain | jq -c .out_of_memory
hprof-diff --retained --format=json plain failed |
    jq -c '.out_of_memory.frames'
hprof-diff --quick failed | grep -c OutOfMemoryError || true
hprof-diff --format=html failed | grep -o '"out_of_memory":{"object":"[^"]*"'
