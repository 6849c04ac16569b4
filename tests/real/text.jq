# text.jq - the rows of text.awk from NDJSON (jq -nr)
def row: map(tostring) | join("\t");
def part: if length > 0 then join(",") else empty end;
def line: if . == -1 then "Unknown line" else tostring end;
foreach inputs as $r ({frames: {}};
    if $r.record == "STACK_FRAME" then
        .frames[$r.frame_id] = "\($r.class).\($r.method_name)" +
            "(\($r.source_file // "<Unknown Source>"):\($r.line | line))"
    else . end | .r = $r;
    .frames as $frames | .r |
    if .record == "START_THREAD" then
        ["thread", .thread_serial, .thread_id, .name, .group_name] | row
    elif .record == "END_THREAD" then ["end", .thread_serial] | row
    elif .record == "STACK_TRACE" then
        ["trace", .trace_serial, ([.frames[] | $frames[.]] | part)] | row
    elif .record == "ALLOC_SITES" then .sites[] |
        ["site", .trace_serial, .class, .live_bytes, .live_instances,
            .allocated_bytes, .allocated_instances] | row
    elif .record == "CPU_SAMPLES" then .samples[] |
        ["sample", .trace_serial, .samples] | row
    elif .record == "INSTANCE_DUMP" then
        ["obj", .id, .trace_serial, .class,
            ([.fields | to_entries[] | select(.value | type == "object") |
                # a shadowed field has its class in front
                "\(.key | sub(".*[.]"; ""))=\(.value.id)"] | sort | part)] | row
    elif .record == "OBJECT_ARRAY_DUMP" then
        ["arr", .id, .trace_serial, .class, .element_count,
            ([.elements | to_entries[] | select(.value) |
                "\(.key)=\(.value.id)"] | part)] | row
    elif .record == "PRIMITIVE_ARRAY_DUMP" then
        ["arr", .id, .trace_serial, .element_type + "[]",
            .element_count] | row
    elif .record == "CLASS_DUMP" then
        ["cls", .id, .trace_serial, .name,
            ([("super=\(.super_id)", "loader=\(.loader_id)",
                "signers=\(.signers_id)", "domain=\(.protection_domain_id)"
                | select(endswith("=0x0") | not)),
              (.statics[] | "static \(.name)=\(.value.id)"),
              (.constants[] | "#\(.index)=\(.value.id)")] | part)] | row
    elif .record == "ROOT_THREAD_OBJECT" then
        ["root", "thread", .id, .thread_serial, .trace_serial] | row
    elif .record == "ROOT_JNI_GLOBAL" then
        ["root", "JNI global ref", .id, .jni_ref_id, ""] | row
    elif .record == "ROOT_JNI_LOCAL" then
        ["root", "JNI local ref", .id, .thread_serial, .frame_index] | row
    elif .record == "ROOT_JAVA_FRAME" then
        ["root", "Java stack", .id, .thread_serial, .frame_index] | row
    elif .record == "ROOT_NATIVE_STACK" then
        ["root", "native stack", .id, .thread_serial, ""] | row
    elif .record == "ROOT_THREAD_BLOCK" then
        ["root", "thread block", .id, .thread_serial, ""] | row
    elif .record == "ROOT_STICKY_CLASS" then
        ["root", "system class", .id, "", ""] | row
    elif .record == "ROOT_MONITOR_USED" then
        ["root", "busy monitor", .id, "", ""] | row
    elif .record == "ROOT_UNKNOWN" then
        ["root", "unknown", .id, "", ""] | row
    else empty end)
