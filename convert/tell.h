/*
 * tell.h - what a conversion says on standard error when it has succeeded
 */
#ifndef HP_CONVERT_TELL_H
#define HP_CONVERT_TELL_H

#include "common/cli/message.h"
#include "convert/stages.h"

void hp_tell(const struct hp_stages *s, const struct hp_messages *m);

#endif
