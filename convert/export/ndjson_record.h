/*
 * ndjson_record.h - format values, records, and heads of sub-records as JSON
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

/* Caches of one worker for its lookups, and its counts. */
struct hp_ndjson_worker {
	struct hp_object_classes_lookup kinds;
	struct hp_field_plans plans;
	struct hp_rank_near near; /* cache for lookups in the graph */
	struct hp_undescribed_tally undescribed;
};

/* Append a value of a primitive type: a number, true or false. */
void hp_ndjson_value(struct hp_buf *out, const uint8_t *p, unsigned type,
		     unsigned width);

/* Append a name as a JSON string; null if its data is NULL. */
void hp_ndjson_name(struct hp_buf *out, struct hp_name name);

/*
 * Append a reference: null, or an object with its id and the class of its
 * target.
 */
void hp_ndjson_reference(struct hp_buf *out,
			 struct hp_object_classes_lookup *look, uint64_t id);

/*
 * Append the line of a record outside the heap, with its line feed. @b: the
 * batch whose buffer is @out.
 */
void hp_ndjson_record(const struct hp_ndjson_names *n,
		      const struct hp_record *rec, struct hp_cursor body,
		      const struct hp_batch *b, struct hp_buf *out);

/* Append the fields of a sub-record, without the closing brace. */
void hp_ndjson_sub_head(const struct hp_ndjson_names *n,
			struct hp_object_classes_lookup *look, unsigned dump,
			const struct hp_sub *s, struct hp_buf *out);

/* Append the constants, static fields and declared fields of a class dump. */
void hp_ndjson_class_tables(const struct hp_ndjson_names *n,
			    struct hp_object_classes_lookup *look,
			    const struct hp_sub *s, const struct hp_batch *b,
			    struct hp_buf *out);

#endif
