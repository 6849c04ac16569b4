/*
 * summary.h - the summary of a successful conversion, on standard error
 */
#ifndef HP_CONVERT_SUMMARY_H
#define HP_CONVERT_SUMMARY_H

#include "common/cli/message.h"
#include "convert/pipeline.h"

/* Print the summary of what the pipeline did. */
void hp_summary(const struct hp_pipeline *s, const struct hp_messages *m);

#endif
