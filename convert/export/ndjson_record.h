/*
 * ndjson_record.h - for ndjson.c: values, records, heads of sub-records
 */
#ifndef HP_CONVERT_EXPORT_NDJSON_RECORD_H
#define HP_CONVERT_EXPORT_NDJSON_RECORD_H

#include "common/model/undescribed.h"
#include "convert/pass/object_classes.h"

struct hp_ndjson_names {
	unsigned id_size;
	const struct hp_prepass *prepass;
	struct hp_name_cache naming;
};

/* A worker's memory: what it looked up last. */
struct hp_ndjson_worker {
	struct hp_object_classes_lookup kinds;
	struct hp_field_plans plans;
	struct hp_rank_near near; /* of the graph */
	struct hp_undescribed_tally undescribed;
};

/* A value of a basic type that is no reference: numbers, true and false. */
void hp_ndjson_value(struct hp_buf *out, const uint8_t *p, unsigned type,
		     unsigned width);

/* A name as a JSON string, or null. */
void hp_ndjson_name(struct hp_buf *out, struct hp_name name);

/* A reference: null, or its id and the class of what it names. */
void hp_ndjson_reference(struct hp_buf *out,
			 struct hp_object_classes_lookup *look, uint64_t id);

/* The line of a top-level record, with its line feed; as part of batch @b. */
void hp_ndjson_record(const struct hp_ndjson_names *n,
		      const struct hp_record *rec, struct hp_cursor body,
		      const struct hp_batch *b, struct hp_buf *out);

/* A sub-record's fields; the object is left open. */
void hp_ndjson_sub_head(const struct hp_ndjson_names *n,
			struct hp_object_classes_lookup *look, unsigned dump,
			const struct hp_sub *s, struct hp_buf *out);

/* Constants, statics and fields of a class dump. */
void hp_ndjson_class_tables(const struct hp_ndjson_names *n,
			    struct hp_object_classes_lookup *look,
			    const struct hp_sub *s, const struct hp_batch *b,
			    struct hp_buf *out);

#endif
