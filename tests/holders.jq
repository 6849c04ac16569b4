# holders.jq - references of a dump as hprof-convert --to=ndjson tells them: a
# line "D id class" for each object, "E holder id" for each reference that is
# followed; the first dump of an id counts
#
# The fields of an instance stand in the order of its classes' fields, so a
# field's place says which class declares it. -n, with inputs.
def words: {"ROOT_THREAD_OBJECT": "(thread)", "ROOT_JNI_GLOBAL": "(JNI global)",
    "ROOT_JNI_LOCAL": "(JNI local)", "ROOT_JAVA_FRAME": "(local variable)",
    "ROOT_STICKY_CLASS": "(system class)", "ROOT_MONITOR_USED": "(monitor)",
    "ROOT_JNI_MONITOR": "(monitor)", "ROOT_INTERNED_STRING": "(interned)",
    "ROOT_VM_INTERNAL": "(VM internal)", "ROOT_NATIVE_STACK": "(native stack)",
    "ROOT_THREAD_BLOCK": "(thread block)", "ROOT_FINALIZING": "(finalizing)",
    "ROOT_DEBUGGER": "(debugger)", "ROOT_REFERENCE_CLEANUP": "(cleanup)",
    "ROOT_UNKNOWN": "(root)"};
def weak: ["java.lang.ref.WeakReference", "java.lang.ref.PhantomReference",
    "java.lang.ref.FinalReference", "java.lang.ref.FinalizerReference"];

# Fields of a class and those above it, each with its class; is it a weak one?
def chain($classes): [recurse($classes[.super_id]; . != null)] |
    {weak: any(.[]; .loader_id == "0x0" and (.name | IN(weak[]))),
     fields: [.[] | .name as $name | .fields[] |
        {class: $name, name: .name, ref: (.type == "object")}]};

def edge($holder; $id): select($id != null and $id != "0x0") |
    "E\t\($holder)\t\($id)";
def is_object: .record | test("^(CLASS|INSTANCE|OBJECT_ARRAY)_DUMP|^PRIMITIVE");
def object: "D\t\(.id)\t\(.class // .name)",
    if .class_id then edge("(an object's class)"; .class_id) else empty end;

[inputs | select(.dump == 1)] as $all |
(reduce ($all[] | select(.record == "CLASS_DUMP")) as $c ({};
    if has($c.id) then . else .[$c.id] = $c end)) as $classes |
($classes | map_values(chain($classes))) as $chains |
($all | map(.record) | index("ROOT_STICKY_CLASS") != null) as $sticky |
(reduce ($all[] | select(is_object)) as $o ({};
    if has($o.id) then . else .[$o.id] = $o.offset end)) as $first |
$all[] | select(is_object and $first[.id] != .offset | not) |
if .record == "INSTANCE_DUMP" then
    object,
    ($chains[.class_id] // {fields: []}) as $chain |
    [.fields // {} | to_entries[]] as $values |
    range([$values, $chain.fields | length] | min) |
    $chain.fields[.] as $f | $values[.].value as $v |
    select($f.ref and $v != null and
        ($chain.weak and $f.class == "java.lang.ref.Reference" and
            $f.name == "referent" | not)) |
    edge("\($f.class).\($f.name)"; $v.id)
elif .record == "OBJECT_ARRAY_DUMP" then
    object, .class as $class | .elements[] | select(. != null) |
    edge($class; .id)
elif .record | test("^PRIMITIVE_ARRAY") then
    "D\t\(.id)\t\(.element_type)[]"
elif .record == "CLASS_DUMP" then
    "D\t\(.id)\tjava.lang.Class", edge("(super class)"; .super_id),
    edge("(class loader)"; .loader_id), edge("(signers)"; .signers_id),
    edge("(protection domain)"; .protection_domain_id),
    (.constants[] | select(.type == "object" and .value != null) |
        edge("(constant pool)"; .value.id)),
    (.name as $name | .statics[] |
        select(.type == "object" and .value != null) |
        edge("\($name).\(.name) (static)"; .value.id)),
    if $sticky or .loader_id != "0x0" then empty
    else edge("(system class)"; .id) end
elif .record | test("^ROOT_") then edge(words[.record]; .id)
else empty end
