/*
 * dialect.c - detect which program wrote a dump (its "dialect")
 *
 * There is one test for each program that writes dumps. The tests with the most
 * certain evidence run first.
 */
#include "common/model/dialect.h"
#include "common/model/class_name.h"

enum { DALVIK_FIRST_SERIAL = 0x50000000 };

void
hp_dialect_evidence_record(struct hp_dialect_evidence *e,
			   const struct hp_record *rec, struct hp_cursor body)
{
	uint32_t serial = 0;

	if (rec->redaction)
		/*
		 * A program that redacted the dump has added this record. So
		 * the record does not show which program wrote the dump.
		 */
		return;
	if (rec->tag == HP_REC_STACK_TRACE && e->first_tag == 0 &&
	    hp_uint32(&body, 4, &serial))
		e->first_trace = serial;
	else if (rec->tag == HP_REC_LOAD_CLASS &&
		 e->records[HP_REC_LOAD_CLASS] == 0 &&
		 hp_uint32(&body, 4, &serial))
		e->first_load = serial;
	if (e->first_tag == 0)
		e->first_tag = rec->tag;
	else if (e->second_tag == 0)
		e->second_tag = rec->tag;
	e->records[rec->tag]++;
}

void
hp_dialect_evidence_strings(struct hp_dialect_evidence *e, uint64_t n)
{
	e->records[HP_REC_STRING] += n;
	if (n > 0 && e->first_tag == 0) {
		e->first_tag = HP_REC_STRING;
		n--;
	}
	if (n > 0 && e->second_tag == 0)
		e->second_tag = HP_REC_STRING;
}

void
hp_dialect_evidence_merge(struct hp_dialect_evidence *into,
			  const struct hp_dialect_evidence *from)
{
	unsigned i;

	for (i = 0; i < HP_ARRAY_LEN(into->subs); i++)
		into->subs[i] += from->subs[i];
	into->domains += from->domains;
	into->frames += from->frames;
	into->odd_threads += from->odd_threads;
}

/*
 * A GraalVM native image is recognised by the instance size that the dump has
 * for java.lang.Object.
 */
void
hp_dialect_evidence_classes(struct hp_dialect_evidence *e,
			    const struct hp_classes *c,
			    const struct hp_tables *t)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct hp_class *k = c->list[i];

		if (k->super_id == 0 && k->instance_size > e->object_size &&
		    hp_string_is(hp_tables_class_name(t, k->id),
				 "java/lang/Object", "java.lang.Object"))
			e->object_size = k->instance_size;
	}
}

/*
 * Whether this is a dump of Android that was converted. hprof-conv converts
 * version 1.0.3 to 1.0.2, and another tool may convert the result to 1.0.1.
 * There are three kinds of evidence: only ART writes thread roots without a
 * trace; only Dalvik has such large serial numbers; and hprof-conv converts the
 * additional kinds of roots of Android to UNKNOWN roots.
 */
static bool
is_converted(const struct hp_dialect_evidence *e, unsigned looks)
{
	if (e->id_size != 4 || e->first_tag != HP_REC_STRING ||
	    (looks & HP_LOOKS_JVM))
		return false;
	return e->odd_threads > 0 || e->first_load >= DALVIK_FIRST_SERIAL ||
	       ((looks & HP_LOOKS_JAVA) && e->subs[HP_SUB_ROOT_UNKNOWN] > 0);
}

/*
 * Detect which program wrote a dump that begins with a stack trace: the
 * Serviceability Agent (SA) or an old HotSpot. Early versions of the SA do not
 * write some kinds of roots that old HotSpot writes. Later versions of the SA
 * are distinguished from old HotSpot by two facts: an SA never writes signers
 * or protection domains of classes, and old HotSpot never writes a frame index
 * in roots. The format version is used last, because a conversion may have
 * changed it.
 */
static enum hp_dialect
trace_first(const struct hp_dialect_evidence *e)
{
	bool frames = e->subs[HP_SUB_ROOT_JAVA_FRAME] > 0;
	bool old;

	if (!frames && e->subs[HP_SUB_ROOT_STICKY_CLASS] == 0)
		return HP_DIALECT_SA;
	if (e->domains > 0)
		return HP_DIALECT_HOTSPOT;
	old = frames ? e->frames == 0 : e->version == HP_VERSION_1_0_1;
	return old ? HP_DIALECT_HOTSPOT : HP_DIALECT_SA;
}

enum hp_dialect
hp_dialect_of(const struct hp_dialect_evidence *e, const struct hp_tables *t)
{
	unsigned looks = t->load_looks;

	if (e->version == HP_VERSION_1_0_3)
		return e->first_load >= DALVIK_FIRST_SERIAL ? HP_DIALECT_DALVIK
							    : HP_DIALECT_ART;
	if (e->version == HP_VERSION_UNKNOWN || e->first_tag == 0)
		return HP_DIALECT_UNKNOWN;
	if (e->first_tag == HP_REC_CONTROL_SETTINGS)
		return HP_DIALECT_AGENT;
	if (e->first_tag == HP_REC_STACK_TRACE && e->first_trace == 1)
		return trace_first(e);
	if (is_converted(e, looks))
		return HP_DIALECT_HPROF_CONV;
	if (looks & HP_LOOKS_MADE_UP)
		return HP_DIALECT_MAT;
	if (e->first_tag != HP_REC_STRING)
		return HP_DIALECT_UNKNOWN;
	if (e->object_size > 0)
		return HP_DIALECT_NATIVE_IMAGE;
	return (looks & HP_LOOKS_JVM) || t->load_list.count == 0
		       ? HP_DIALECT_HOTSPOT
		       : HP_DIALECT_UNKNOWN;
}

const char *
hp_dialect_name(enum hp_dialect d)
{
#define NAME(symbol, name) name,
	static const char *const names[] = {HP_DIALECTS(NAME)};
#undef NAME

	return d < HP_DIALECT_COUNT ? names[d] : names[HP_DIALECT_UNKNOWN];
}
