/*
 * name_prescan.c - find out which strings of a dump are class names, and leave
 * out all other strings
 *
 * This takes two quick passes over the dump, which read only the first bytes of
 * each record. A LOAD CLASS record shows that a string is a class name, but
 * comes after the STRING record with the name. So the first pass collects the
 * ids of class names, and the second pass selects the strings.
 */
#include "diff/count/pack_histogram.h"

#include "common/format/cursor.h"
#include "common/format/format.h"
#include "common/object_ids/id_map.h"

#include <string.h>

struct prescan {
	struct hp_cursor dump;
	uint32_t id_size;
	struct hp_id_map names; /* ids of the strings that are class names */
	bool first;		/* no record was read yet */
};

/*
 * Go to the first record of the dump. Returns false if @dump does not start
 * with a header.
 */
static bool
begin_records(struct prescan *t, const uint8_t *dump, size_t n)
{
	struct hp_cursor header;

	t->dump = (struct hp_cursor){.data = dump, .len = n};
	t->first = true;
	t->id_size = hp_header_id_size(dump, n);
	return t->id_size > 0 &&
	       hp_take(&t->dump, hp_header_length(dump, n), &header);
}

static bool
next_record(struct prescan *t, uint8_t *tag, struct hp_cursor *body)
{
	struct hp_cursor head;

	if (!hp_take(&t->dump, HP_HEAD_SIZE, &head))
		return false;
	*tag = head.data[0];
	return hp_take(&t->dump, hp_load4(head.data + 5), body);
}

static bool
find_class_names(struct prescan *t)
{
	/*
	 * number of bytes in a LOAD CLASS record before the string id of the
	 * name
	 */
	uint32_t head = 4 + t->id_size + 4;
	struct hp_cursor body;
	uint8_t tag;

	while (next_record(t, &tag, &body))
		if (tag == HP_REC_LOAD_CLASS &&
		    hp_left(&body) >= head + t->id_size &&
		    !hp_id_map_put(&t->names,
				   hp_load_id(body.data + head, t->id_size),
				   NULL))
			return false;
	return true;
}

/*
 * Whether a record can be left out of the copy of the dump, because it is not
 * needed to count objects by class.
 */
static bool
is_unneeded(struct prescan *t, uint8_t tag, const struct hp_cursor *body)
{
	bool first = t->first;

	t->first = false;
	return tag == HP_REC_STRING && !first && hp_left(body) >= t->id_size &&
	       !hp_id_map_get(&t->names, hp_load_id(body->data, t->id_size));
}

static enum hp_status
write_records(struct prescan *t, struct hp_sink *out, struct hp_error *err)
{
	const uint8_t *from = t->dump.data, *at = from + t->dump.pos;
	enum hp_status st = HP_OK;
	struct hp_cursor body;
	uint8_t tag;

	while (st == HP_OK && next_record(t, &tag, &body)) {
		const uint8_t *end = t->dump.data + t->dump.pos;

		if (is_unneeded(t, tag, &body)) {
			if (at > from)
				st = hp_sink_write(out, from,
						   (size_t)(at - from), err);
			from = end;
		}
		at = end;
	}
	at = t->dump.data + t->dump.len;
	return st == HP_OK && at > from
		       ? hp_sink_write(out, from, (size_t)(at - from), err)
		       : st;
}

enum hp_status
hp_name_prescan(const uint8_t *dump, size_t n, struct hp_sink *out,
		struct hp_error *err)
{
	struct prescan t = {0};
	enum hp_status st;

	if (!begin_records(&t, dump, n))
		return hp_sink_write(out, dump, n, err);
	if (find_class_names(&t)) {
		begin_records(&t, dump, n);
		st = write_records(&t, out, err);
	} else {
		st = hp_no_memory(err);
	}
	hp_id_map_release(&t.names);
	return st;
}
