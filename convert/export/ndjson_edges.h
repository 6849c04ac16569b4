/*
 * ndjson_edges.h - export one line for each reference between objects
 *
 * A line looks like {"record":"EDGE","dump":1,"from":"0x10","to":"0x20",
 * "holder":"Foo","held":"Bar","field":"next"}. These lines come after all
 * others, because the line of a long array is still incomplete when its first
 * references are read.
 */
#ifndef HP_CONVERT_EXPORT_NDJSON_EDGES_H
#define HP_CONVERT_EXPORT_NDJSON_EDGES_H

#include "convert/export/ndjson_record.h"
#include "common/sink/sink.h"

/**
 * hp_ndjson_edges_write() - write the edges in one more pass over @src
 * @src: is rewound
 * @workers: those of the previous pass. If their table of classes is limited,
 *           no edge has the class of its target. References to missing objects,
 *           and references of objects whose id was dumped before, are then also
 *           written.
 *
 * An instance has an edge for each field, and one to its class ("<class>"). An
 * object array has an edge for each element ("[3]"), and one to its class if
 * that was dumped. A class has edges to its super class, loader, signers and
 * protection domain ("<super>" ...), and for its static fields and constants
 * ("<constant 3>"). The holder of these is the class itself. As in the graph,
 * there are no edges for null, for references to missing objects, and for
 * objects whose id was dumped before.
 *
 * Returns: as hp_ndjson_convert().
 */
HP_MUST_USE enum hp_status
hp_ndjson_edges_write(struct hp_source *src, struct hp_sink *sink,
		      struct hp_ndjson_names *names,
		      struct hp_ndjson_worker *workers, unsigned threads,
		      uint64_t memory, struct hp_error *err);

#endif
