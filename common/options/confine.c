/*
 * confine.c - enter the sandbox, unless the options switch it off
 *
 * sandbox.c and seccomp.c implement the sandbox.
 */
#include "common/options/options.h"

#include <stdlib.h>

#include "common/cli/sandbox.h"

unsigned
hp_confine(const struct hp_options *o, size_t input_count, const char *output,
	   const struct hp_messages *m)
{
	const char *folder = getenv("TMPDIR");
	const struct hp_sandbox_rules rules = {
		.inputs = o->arguments,
		.input_count = input_count,
		.output = output,
		.output_is_folder = o->output_is_folder,
		.output_is_read = o->output_is_read,
		.output_is_synced = o->sync,
		.folder = folder && *folder ? folder : "/tmp",
	};
	unsigned missing;

	if (!o->sandbox)
		return 0;
	missing = HP_SANDBOX_ALL & ~hp_sandbox_enter(&rules);
	if (missing & HP_SANDBOX_FILES)
		hp_message(m, HP_MESSAGE_DETAIL, NULL,
			   "the sandbox does not use Landlock, so the program "
			   "can open any file that the user may open");
	if (missing & HP_SANDBOX_CALLS)
		hp_message(m, HP_MESSAGE_DETAIL, NULL,
			   "the sandbox does not use seccomp, so the program "
			   "can make any system call");
	return missing;
}

void
hp_confine_json(struct hp_json *j, unsigned missing)
{
	if (!missing)
		return;
	hp_json_put_object_flat(j, "sandbox");
	hp_json_put_bool(j, "landlock", !(missing & HP_SANDBOX_FILES));
	hp_json_put_bool(j, "seccomp", !(missing & HP_SANDBOX_CALLS));
	hp_json_object_end(j);
}
