# Findings about classes that are dumped twice, never dumped, or get another
# name later.
bytes() { # bytes HEX: those bytes
    printf "$(printf %s "$1" | sed 's/../\\x&/g')"
}
record() { # record TAG HEX
    bytes "$1"00000000"$(printf %08x $((${#2} / 2)))$2"
}
text() { # text ID TEXT: a STRING
    record 01 "$1$(printf %s "$2" | od -An -v -tx1 | tr -d ' \n')"
}
load() { # load SERIAL CLASS NAME: a LOAD CLASS
    record 02 "$1$2"00000000"$3"
}
none=00000000
class() { # class ID SUPER STATICS: a CLASS DUMP without fields
    printf %s "20$1$none$2$none$none$none$none$none$none"0000"$3"0000
}
static() { # static NAME TARGET
    printf %s "${1}02$2"
}
instance() { # instance ID CLASS
    printf %s "21$1$none$2$none"
}
array() { # array ID CLASS: without elements
    printf %s "22$1$none$none$2"
}
thread() { # thread OBJECT: thread 1
    printf %s "08${1}00000001$none"
}
# dump RECORD... -- SUBRECORD...: write a dump with ids of 4 bytes
dump() {
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\214\0\0\0\0'
    while [ "$1" != -- ]; do
        $1
        shift
    done
    shift
    record 1c "$(printf %s "$@")"
    record 2c ''
}
found() { # found RULE...: what is told of them
    for run in x - --threads=2\ x; do
        hprof-validate --format=json $run <x 2>.err |
            jq -c --arg rules " $* " '.files[0] | .references, (.rules[] |
                select(" \(.rule) " | inside($rules)) | [.rule, .severity,
                .count, (.examples[] | .offset, .field, .message)])' >.found
        [ "$run" = x ] && cat .found && cp .found .first
        same_or_say "$run" .found .first
    done
}
object=00001000 other=00001008 lost=00001010
one=00000001 two=00000002

echo "statics of a second dump of a class: counted, so looked at"
dump "text $one first" "text $two second" -- "$(class $object $none 0000)" \
    "$(class $object $none 0001"$(static $one 00007000)")" >x
found ref-dangling-static
dump "text $one first" "text $two second" -- \
    "$(class $object $none 0001"$(static $one 00007000)")" \
    "$(class $object $none 0001"$(static $two 00007008)")" >x
found ref-dangling-static

echo "a name that is written again is what the class looks like"
dump "text $one a/B" "load $one $object $one" "text $one [La/B;" -- \
    "$(class $object $none 0000)" "$(array 00002000 $object)" >x
found array-class-nonarray string-dup-diff

echo "a class that is not dumped has a name that tells something"
dump "text $one a/B" "load $one $lost $one" "text $two [La/B;" \
    "load $two $other $two" -- "$(array 00002000 $lost)" \
    "$(array 00002008 $lost)" "$(instance 00002010 $other)" >x
found array-class-nonarray array-class-missing instance-of-array-class \
    instance-class-missing

kin() { # kin SUBRECORD...: java/lang/Thread is $object, of thread 1 is 2000
    dump "text $one java/lang/Thread" "load $one $object $one" \
        "text $two java/lang/Class" "load $two $lost $two" -- \
        "$(thread 00002000)" "$@" >x
    found thread-object-class class-is-instance instance-of-Class
}
echo "a thread, below it, whatever the class above that is"
kin "$(class $object $lost 0000)" "$(instance 00002000 $object)"
kin "$(class $object $lost 0000)" "$(class $other $object 0000)" \
    "$(instance 00002000 $other)"
kin "$(instance 00002000 $object)"
echo "not known: its class, or the one above, is not there"
kin "$(class $object $none 0000)" "$(instance 00002000 $other)"
kin "$(class $object $none 0000)" "$(class $other $lost 0000)" \
    "$(instance 00002000 $other)"
echo "no thread"
kin "$(class $object $none 0000)" "$(class $other $none 0000)" \
    "$(instance 00002000 $other)"
kin "$(class $object $lost 0000)" "$(class $other $none 0000)" \
    "$(instance 00002000 $other)" "$(instance 00002008 $object)"
echo "a class object, though java.lang.Class is not dumped"
kin "$(class $object $none 0000)" "$(class $other $none 0000)" \
    "$(instance 00002000 $object)" "$(instance $other $lost)"
echo "dumped as a class object and as a thread: no class object, in any order"
kin "$(class $object $none 0000)" "$(class $other $none 0000)" \
    "$(class $lost $none 0000)" "$(instance $other $lost)" \
    "$(instance $other $object)"
kin "$(class $object $none 0000)" "$(class $other $none 0000)" \
    "$(class $lost $none 0000)" "$(instance $other $object)" \
    "$(instance $other $lost)"

echo "the class with id 0 is nobody's, whatever is not loaded"
dump -- "$(instance 00002000 $none)" "$(instance 00002008 $none)" >x
found instance-of-Class instance-class-missing

echo "two classes with one name: instances of both are what it says"
dump "text $one java/lang/Thread" "load $one $object $one" \
    "load $two $other $one" "text $two java/lang/Class" \
    "load 00000003 $lost $two" "load 00000004 00001018 $two" -- \
    "$(thread 00002000)" "$(class $object $none 0000)" \
    "$(class $other $none 0000)" "$(instance 00002000 $other)" \
    "$(instance $object 00001018)" "$(instance $other $lost)" >x
found thread-object-class class-is-instance instance-of-Class
echo "a dump in which classes lie elsewhere: ids mean what they were loaded as"
{
    dump "text $one java/lang/Thread" "load $one $object $one" \
        "text $two java/lang/Class" "load $two $other $two" -- \
        "$(class $object $none 0000)" "$(instance 00002000 $object)" \
        "$(class $other $none 0000)" "$(instance $object $other)"
    text 00000003 Other
    for load in "00000003 $lost $one" "00000004 $object $two" \
        "00000005 $other 00000003"; do
        load $load
    done
    record 1c "$(class $object $none 0000)$(class $other $none 0000)$(
        class $lost $none 0000; thread 00002000; instance 00002000 $lost
        instance $lost $object; instance 00002008 $other)"
    record 2c ''
} >x
found thread-object-class class-is-instance instance-of-Class

echo "fields are named as the class says that declares them"
fields() { # fields CLASS SUPER FIELD...: a class with fields
    class "$1" "$2" 0000 | sed "s/0000\$/$(printf %04x $(($# - 2)))/"
    shift 2
    printf %s "$@"
}
dump "text $one first" "text $two second" "text 00000003 third" -- \
    "$(fields $object $none ${one}0a ${two}02)" \
    "$(fields $other $object)" "$(fields $lost $other 0000000302 ${one}08)" \
    "$(fields 00001018 $lost)" "$(fields 00001020 00001018)" \
    "21$two$none$(printf %s 00001020 0000000d 00007000 00 00000000 00007008)" \
    >x
found ref-dangling-field
