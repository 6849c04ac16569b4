/*
 * dialect_pass.h - a pass that tells which writer made a dump, for what has to
 * know it before the dump is rewritten
 */
#ifndef HP_CONVERT_PASS_DIALECT_PASS_H
#define HP_CONVERT_PASS_DIALECT_PASS_H

#include "common/model/dialect.h"
#include "convert/pass/class_prepass.h"

/**
 * hp_dialect_pass_run() - read all of @src
 * @survey: of the same source, done, with tables
 *
 * A negative instance size says nothing of the writer: it is damage.
 * Returns: HP_OK; HP_DAMAGED: it cannot be decoded; HP_IO, HP_LIMIT, HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_dialect_pass_run(struct hp_source *src,
					       const struct hp_prepass *survey,
					       unsigned threads,
					       enum hp_dialect *dialect,
					       struct hp_error *err);

#endif
