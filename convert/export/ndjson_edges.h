/*
 * ndjson_edges.h - whom objects refer to, as a line for each reference
 *
 * {"record":"EDGE","dump":1,"from":"0x10","to":"0x20","holder":"Foo",
 *  "held":"Bar","field":"next"}. Behind all other lines, since the line of a
 * long array is not at its end when its first references are known.
 */
#ifndef HP_CONVERT_EXPORT_NDJSON_EDGES_H
#define HP_CONVERT_EXPORT_NDJSON_EDGES_H

#include "convert/export/ndjson_record.h"
#include "common/sink/sink.h"

/**
 * hp_ndjson_edges_write() - one pass more over @src, which is rewound
 * @workers: of the pass before; where their kinds are limited, no edge's held
 *           class is known, and those that lead nowhere or are of a further
 *           dump of an id are written, too
 *
 * An instance's references are those of its fields and to its class
 * ("<class>"), an array's those of its elements ("[3]") and to its class if
 * that was dumped, a class's those to its super class, loader, signers and
 * protection domain ("<super>" ...), its statics and constants
 * ("<constant 3>"); its own name is the holder's then. Null, what names no
 * object of the dump and all of an id's further dumps are left out, as they are
 * in the graph. Returns: as hp_ndjson_convert().
 */
HP_MUST_USE enum hp_status
hp_ndjson_edges_write(struct hp_source *src, struct hp_sink *sink,
		      struct hp_ndjson_names *names,
		      struct hp_ndjson_worker *workers, unsigned threads,
		      uint64_t memory, struct hp_error *err);

#endif
