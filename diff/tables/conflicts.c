/*
 * conflicts.c - find options that cannot be combined, and compose the error
 * message from their names
 */
#include "diff/options.h"

/*
 * Whether the report shows stacks of allocation sites; the HTML page does, to
 * show where the objects of a class were allocated.
 */
static bool
has_stacks(const struct hp_diff_options *o, bool retained)
{
	return hp_key_is(o->by, HP_KEY_STACKS) ||
	       (hp_key_is(o->by, HP_KEY_DETAILS) && retained &&
		hp_diff_format_holds(o->common.format, HP_FORMAT_PAGE));
}

#define FEATURE(symbol, name, given) name,
static const char *const names[HP_FEATURES] = {
#include "diff/tables/features.def"
};

/* Short names for the options of features.def, for the table below. */
#define FEATURE(symbol, name, given) symbol = HP_FEATURE_##symbol,
enum {
#include "diff/tables/features.def"
};

static const struct {
	unsigned feature, others;
	/*
	 * true: the first option needs one of the others; false: it cannot be
	 * combined with any of them
	 */
	bool needs;
} pairs[] = {
#define WITHOUT(feature, other) {feature, other, false},
#define NEEDS(feature, others) {feature, others, true},
#include "diff/tables/features.def"
};

/* Returns the options of features.def that were given, one bit for each. */
static unsigned
features_given(const struct hp_diff_options *o, bool retained)
{
	unsigned set = 0;

#define FEATURE(symbol, name, given) set |= (given) ? symbol : 0;
#include "diff/tables/features.def"
	return set;
}

static const char *
first_name(unsigned features)
{
	return names[__builtin_ctz(features)];
}

/*
 * Append the values of --by or --format with which an option can be combined,
 * for example ", only with class, package or loader". Appends nothing if the
 * option can be combined with none of them.
 */
static void
add_partners(struct hp_buf *b, unsigned feature, const char *const *list,
	     unsigned (*options)(size_t i))
{
	size_t last = 0, n = 0;

	for (size_t i = 0; list[i]; i++)
		if (options(i) & feature)
			last = i;
	for (size_t i = 0; list[i]; i++) {
		if (!(options(i) & feature))
			continue;
		hp_buf_text(b, n++ == 0	  ? ", only with "
			       : i < last ? ", "
					  : " or ");
		hp_buf_text(b, list[i]);
	}
}

static unsigned
options_of_key(size_t i)
{
	return hp_row_keys[i].options;
}

static unsigned
options_of_format(size_t i)
{
	return hp_diff_format(hp_diff_format_names[i])->options;
}

/* Fail because an option cannot be combined with a --by key or a format. */
static enum hp_status
fail_with(unsigned features, const char *option, const char *value,
	  const char *const *list, unsigned (*options)(size_t i),
	  struct hp_error *err)
{
	unsigned feature = features & -features;
	struct hp_buf only = {0};
	enum hp_status st;

	add_partners(&only, feature, list, options);
	st = hp_fail(err, HP_DAMAGED, "%s cannot be combined with %s=%s%s",
		     first_name(feature), option, value, hp_buf_string(&only));
	hp_buf_release(&only);
	return st;
}

enum hp_status
hp_diff_conflict(const struct hp_diff_options *o, bool retained,
		 struct hp_error *err)
{
	unsigned given = features_given(o, retained);
	unsigned by_key =
		given & hp_row_keys_features() & ~hp_row_keys[o->by].options;
	unsigned by_format = given & hp_diff_formats_features() &
			     ~hp_diff_format(o->common.format)->options;

	if (by_key)
		return fail_with(by_key, "--by", hp_by_name(o->by),
				 hp_row_key_names, options_of_key, err);
	for (size_t i = 0; i < HP_ARRAY_LEN(pairs); i++) {
		bool met = given & pairs[i].others;

		if (!(given & pairs[i].feature) || met == pairs[i].needs)
			continue;
		return hp_fail(err, HP_DAMAGED, "%s %s %s",
			       first_name(pairs[i].feature),
			       pairs[i].needs ? "needs"
					      : "cannot be combined "
						"with",
			       first_name(pairs[i].others));
	}
	if (by_format)
		return fail_with(by_format, "--format", o->common.format,
				 hp_diff_format_names, options_of_format, err);
	return HP_OK;
}
