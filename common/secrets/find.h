/*
 * find.h - find the secrets in the texts of a dump, and the objects that hold
 * them
 */
#ifndef HP_SECRETS_FIND_H
#define HP_SECRETS_FIND_H

#include "common/io/source.h"
#include "common/model/classes.h"
#include "common/model/tables.h"

/* The kind of record or array that contains a secret. */
enum hp_secret_in { HP_IN_STRING_RECORD, HP_IN_BYTES, HP_IN_CHARS };

/* The kind of the reference through which an object refers to a secret. */
enum hp_secret_place {
	/* the object that refers to the secret was not found */
	HP_SECRET_NOWHERE,
	HP_SECRET_ELEMENT, /* `index` is the index of the array element */
	/*
	 * in a field of an instance; `index` is its offset in the instance data
	 */
	HP_SECRET_FIELD,
	/* in a static field; `index` is its number in the class dump */
	HP_SECRET_STATIC,
};

struct hp_secret_hit {
	/*
	 * The sub-record or STRING record with the secret: its offset in the
	 * dump, and its position among all sub-records or records.
	 */
	uint64_t offset, record;
	/*
	 * number of the dump in the file, from 1; 0: the secret is in a STRING
	 * record
	 */
	unsigned dump;
	/*
	 * id of the array with the secret; 0: the secret is in a STRING record
	 */
	uint64_t array;
	uint64_t length; /* number of characters of the secret */
	/* the kind of the secret; hp_secret_name() returns its name */
	unsigned kind;
	enum hp_secret_in in;
	/*
	 * The holder: the object that refers to the array with the secret. If a
	 * String refers to the array, the holder is the object that refers to
	 * that String. hp_secrets_find_holders() sets this member and those
	 * after it.
	 */
	uint64_t holder; /* class id of the holder; 0: not known */
	uint64_t index;
	uint64_t static_name; /* string id of the name of the static field */
	enum hp_secret_place place;
};

/*
 * The secrets that were found, sorted by offset. If a text has several secrets
 * of the same kind, only the longest is in the list.
 */
struct hp_secret_hits {
	struct hp_secret_hit *list;
	size_t count;
	unsigned id_size; /* the size of an id in this dump, in bytes */
	/*
	 * A STRING record is longer than HP_BODY_MAX, so the end of its text
	 * was not searched.
	 */
	bool incomplete;
};

struct hp_secret_search {
	unsigned dump; /* number of the only dump to search; 0: all dumps */
	unsigned threads;
	/* also search the STRING records of the file */
	bool strings;
	/* the categories to search for, as HP_SECRETS_ bits */
	unsigned categories;
};

/**
 * hp_secrets_find() - search the byte[], char[] and STRING records of a dump
 * @src: the dump; the source must be at its first byte. It is read once. With
 *       HP_SECRETS_HOLDERS, it is rewound and read up to six more times.
 * @hits: zeroed
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status hp_secrets_find(struct hp_source *src,
					   const struct hp_secret_search *q,
					   struct hp_secret_hits *hits,
					   struct hp_error *err);

/**
 * hp_secrets_find_holders() - find the objects that hold secrets of one dump
 * @src: a source that can be read again; it is read up to three times
 * @q: the search that found the secrets; q->dump is the number of the dump
 * @classes: the classes of this dump; all of them must have been read
 *
 * Returns: HP_OK; HP_NOMEM; the failures of hp_scan().
 */
HP_MUST_USE enum hp_status
hp_secrets_find_holders(struct hp_source *src, const struct hp_secret_search *q,
			const struct hp_tables *tables,
			struct hp_classes *classes, struct hp_secret_hits *hits,
			struct hp_error *err);

void hp_secret_hits_release(struct hp_secret_hits *hits);

#endif
