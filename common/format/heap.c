/*
 * heap.c - compute the length of CLASS DUMP sub-records. The length of all
 * other sub-records follows from their fixed fields
 */
#include "common/format/heap.h"

/*
 * Skip one of the three tables of a CLASS DUMP: *@pos is the offset of the
 * table from @p, and becomes the offset of the end of the table. Each entry of
 * the table has @head bytes, a type code and, if @has_value is true, a value of
 * this type. @left: number of bytes at @p.
 */
static enum hp_heap_stop
table_size(const uint8_t *p, uint64_t left, uint64_t *pos, unsigned head,
	   bool has_value, unsigned id_size)
{
	unsigned n, size, least = head + 1;

	if (left - *pos < 2) {
		*pos += 2;
		return HP_HEAP_CUT;
	}
	n = hp_read_once(hp_load2(p + *pos));
	*pos += 2;
	for (; n > 0; n--) {
		if (left - *pos < least) {
			*pos += (uint64_t)least * n;
			return HP_HEAP_CUT;
		}
		size = hp_type_size(hp_read_once(p[*pos + head]), id_size);
		if (size == 0) {
			*pos += head;
			return HP_HEAP_TYPE;
		}
		*pos += least;
		if (!has_value)
			continue;
		if (left - *pos < size) {
			*pos += size;
			return HP_HEAP_CUT;
		}
		*pos += size;
	}
	return HP_HEAP_END;
}

enum hp_heap_stop
hp_class_tables_size(const uint8_t *p, uint64_t left, unsigned id_size,
		     uint64_t *need)
{
	enum hp_heap_stop stop;

	*need = 0;
	stop = table_size(p, left, need, 2, true, id_size);
	if (stop == HP_HEAP_END)
		stop = table_size(p, left, need, id_size, true, id_size);
	if (stop == HP_HEAP_END)
		stop = table_size(p, left, need, id_size, false, id_size);
	return stop;
}
