/*
 * generated_names.c - remove the parts of class names that differ from one run
 * of the Java program to the next
 *
 * The code scans the name of the class, without its package, once. At each byte
 * at which a pattern of generated_names.def can begin, the code tries the
 * patterns. The time is linear even for malicious names. There are two reasons:
 * if a pattern matches a sequence of digits or letters, it cannot begin inside
 * this sequence; and "&" matches at most four words.
 */
#include "common/model/class_name.h"

#include "common/format/format.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char *const dollar_patterns[] = {
#define GENERATED_DOLLAR(from, pattern, example, normal) pattern,
#include "common/model/generated_names.def"
};

static const char *const start_patterns[] = {
#define GENERATED_START(from, pattern, example, normal) pattern,
#include "common/model/generated_names.def"
};

static const char *const own_patterns[] = {
#define GENERATED_OWN(from, pattern, example, normal) pattern,
#include "common/model/generated_names.def"
};

static const char *const other_patterns[] = {
#define GENERATED_OTHER(from, pattern, example, normal) pattern,
#include "common/model/generated_names.def"
};

/* The state of scanning the name of a class. */
struct scan {
	const char *name;
	size_t length;
	/* index where the class name without its package begins */
	size_t own;
	size_t at; /* index of the next byte to examine */
	/*
	 * The current byte is inside the name of a nested class that begins
	 * with a small letter or '_'; see '~' in generated_names.def.
	 */
	bool in_nested;
};

/*
 * A match of a pattern at the current byte of the name. The match ends before
 * the index `end`. From the name, the bytes from the index `drop` to the one
 * before `drop_end` are removed.
 */
struct fit {
	size_t end, drop, drop_end;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_small(char c)
{
	return (c >= 'a' && c <= 'z') || c == '_';
}

static bool
is_alnum(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Whether the special character @of of a pattern (such as '#' for digits)
 * matches the character @c of a name.
 */
static bool
covers(char of, char c)
{
	switch (of) {
	case '#':
		return is_digit(c);
	case '%':
	case '=':
		return is_digit(c) || (c >= 'a' && c <= 'f') ||
		       (c >= 'A' && c <= 'F');
	case '*':
		return is_alnum(c);
	case '@':
		return is_alnum(c) || c == '_';
	default:
		return is_alnum(c) || c == '_' || c == '.';
	}
}

static size_t
run_end(const struct scan *s, char of, size_t at)
{
	while (at < s->length && covers(of, s->name[at]))
		at++;
	return at;
}

/*
 * The special character '&' of a pattern matches up to four words, such as
 * "$apply$mcV$sp". The words begin at index @at of the name. Returns the index
 * after the last of them.
 */
static size_t
words_end(const struct scan *s, size_t at)
{
	for (int i = 0; i < 4; i++) {
		if (at + 1 >= s->length || s->name[at] != '$' ||
		    is_digit(s->name[at + 1]))
			return at;
		at = run_end(s, '@', at + 1);
	}
	return at;
}

/*
 * @of is a special character of a pattern, such as '#' for digits. Match it
 * with the name from index @at on. *@end receives the index after the match.
 * Returns false if the name does not match.
 */
static bool
special_end(const struct scan *s, char of, size_t at, size_t *end)
{
	switch (of) {
	case '&':
		*end = words_end(s, at);
		return true;
	case '>':
		*end = s->length;
		while (*end > at && s->name[*end - 1] != '_')
			--*end;
		if (*end == at)
			return false;
		--*end;
		return true;
	case '=':
		*end = run_end(s, of, at);
		return *end - at == 32;
	case '*':
		*end = run_end(s, of, at);
		return *end > at && *end - at <= 8;
	default:
		*end = run_end(s, of, at);
		return *end > at;
	}
}

/*
 * Whether a pattern may end at index @at: before a '$' or at the end of the
 * name. @nested: the pattern begins with '~', so it may also end before a '_'.
 */
static bool
is_boundary(const struct scan *s, size_t at, bool nested)
{
	return at == s->length || s->name[at] == '$' ||
	       (nested && s->name[at] == '_');
}

/*
 * Whether the character @c of a pattern stands for other characters, such as
 * '#' for digits.
 */
static bool
is_special(char c)
{
	switch (c) {
	case '#':
	case '%':
	case '*':
	case '=':
	case '@':
	case '!':
	case '&':
	case '>':
		return true;
	default:
		return false;
	}
}

/*
 * Whether a pattern whose first character is @c may begin at the current byte
 * of the name.
 */
static bool
may_begin(const struct scan *s, char c)
{
	switch (c) {
	case '^':
		return s->at == 0;
	case '<':
		return s->at == s->own;
	case '~':
		return s->in_nested && s->name[s->at - 1] != '$';
	/*
	 * A pattern that begins with digits is tried only at the first digit of
	 * a number, so that the time is linear.
	 */
	case '{':
		return s->at == 0 || !is_digit(s->name[s->at - 1]);
	default:
		return true;
	}
}

/*
 * Match @pattern with the name, beginning at the current byte. Returns false if
 * the pattern does not match.
 */
static bool
fits(const struct scan *s, const char *pattern, struct fit *fit)
{
	bool nested = *pattern == '~';
	size_t at = s->at;

	if (!may_begin(s, *pattern))
		return false;
	if (*pattern == '^' || *pattern == '<' || nested)
		pattern++;
	fit->drop = at;
	fit->drop_end = 0;
	for (; *pattern; pattern++) {
		if (*pattern == '{') {
			fit->drop = at;
		} else if (*pattern == '}') {
			fit->drop_end = at;
		} else if (is_special(*pattern)) {
			if (!special_end(s, *pattern, at, &at))
				return false;
		} else {
			if (at == s->length || s->name[at] != *pattern)
				return false;
			at++;
		}
	}
	fit->end = at;
	/*
	 * A pattern may end with text that is kept, such as "_groovyProxy". Any
	 * other match must end at a boundary; see is_boundary().
	 */
	return is_boundary(s, at, nested);
}

/*
 * Find the first of @n patterns that matches at the current byte of the name.
 * All these patterns begin with the same character, '^', '<' or '$', which
 * stands for @skip bytes of the name. The second character of each pattern is
 * compared first, because this excludes nearly all patterns.
 */
static bool
find_in(const struct scan *s, const char *const *patterns, size_t n,
	size_t skip, struct fit *fit)
{
	char c = s->at + skip < s->length ? s->name[s->at + skip] : '\0';

	for (size_t i = 0; i < n; i++)
		if (patterns[i][1] == c && fits(s, patterns[i], fit))
			return true;
	return false;
}

/*
 * Whether a pattern of the group GENERATED_OTHER (patterns that do not begin
 * with '^', '<' or '$') can match a name at these two bytes.
 */
static bool
may_be_other(char first, char second)
{
	switch (first) {
	case 'B': /* patterns such as "ByCGLIB" */
		return second == 'y';
	case 'L': /* the pattern "LambdaForm..." */
		return second == 'a';
	/* patterns for "_$$_jvst", "__1", "_closure1" and "_lambda1" */
	case '_':
		return second == '$' || second == '_' || second == 'c' ||
		       second == 'l';
	default:
		return is_digit(first);
	}
}

static bool
find_other(const struct scan *s, struct fit *fit)
{
	if (s->at + 1 == s->length ||
	    !may_be_other(s->name[s->at], s->name[s->at + 1]))
		return false;
	for (size_t i = 0; i < HP_ARRAY_LEN(other_patterns); i++) {
		const char *p = other_patterns[i];
		char first = *p == '~' ? p[1] : *p;

		if ((first == s->name[s->at] || first == '{') &&
		    fits(s, p, fit))
			return true;
	}
	return false;
}

/*
 * Find the pattern that matches at the current byte. Returns false if no
 * pattern matches, which is the usual case.
 */
static bool
find(const struct scan *s, struct fit *fit)
{
	char c = s->name[s->at];

	if (s->at == 0 &&
	    find_in(s, start_patterns, HP_ARRAY_LEN(start_patterns), 0, fit))
		return true;
	if (s->at == s->own && (c == '$' || c == 'G') &&
	    find_in(s, own_patterns, HP_ARRAY_LEN(own_patterns), 0, fit))
		return true;
	if (c == '$')
		return find_in(s, dollar_patterns,
			       HP_ARRAY_LEN(dollar_patterns), 1, fit);
	return find_other(s, fit);
}

/*
 * If the byte of the name at index @at is a '$', set s->in_nested: whether the
 * name of a nested class that begins with a small letter or '_' follows.
 */
static void
note_dollar(struct scan *s, size_t at)
{
	if (s->name[at] == '$')
		s->in_nested = at + 1 < s->length && is_small(s->name[at + 1]);
}

/*
 * Append the bytes of the name from index *@kept up to the part that the match
 * removes. Continue scanning after the match.
 */
static void
leave_out(struct hp_buf *out, struct scan *s, const struct fit *fit,
	  size_t *kept)
{
	hp_buf_add(out, s->name + *kept, fit->drop - *kept);
	*kept = fit->drop_end;
	for (size_t i = s->at; i < fit->end; i++)
		note_dollar(s, i);
	s->at = fit->end;
}

void
hp_generated_name(struct hp_buf *out, const char *name, size_t length)
{
	struct scan s = {.name = name, .length = length, .own = length};
	/*
	 * The bytes of the name before this index have been appended or
	 * removed.
	 */
	size_t kept = 0;
	struct fit fit;

	while (s.own > 0 && name[s.own - 1] != '.')
		s.own--;
	if (find_in(&s, start_patterns, HP_ARRAY_LEN(start_patterns), 0, &fit))
		leave_out(out, &s, &fit, &kept);
	if (s.at < s.own)
		s.at = s.own;
	while (s.at < length) {
		/*
		 * No pattern begins with a small letter. Most bytes of names
		 * are small letters.
		 */
		if (name[s.at] >= 'a' && name[s.at] <= 'z')
			s.at++;
		else if (find(&s, &fit))
			leave_out(out, &s, &fit, &kept);
		else
			note_dollar(&s, s.at++);
	}
	/* If the name is empty, @name may be NULL, so it must not be used. */
	if (kept < length)
		hp_buf_add(out, name + kept, length - kept);
}

/*
 * Whether @pattern begins at a '$' of the name. Only the characters before the
 * first special character are compared, because the rest may be removed.
 */
static bool
begins_here(const char *name, size_t length, const char *pattern)
{
	size_t n = 0;

	while (pattern[n] && pattern[n] != '{' && !is_special(pattern[n]))
		n++;
	return n <= length && memcmp(name, pattern, n) == 0 &&
	       (n == length || !isalpha((unsigned char)name[n]));
}

bool
hp_class_name_has_suffix(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (name[i] != '$')
			continue;
		/* no compiler of Java writes "$$" between names of classes */
		if (i + 1 < length && name[i + 1] == '$')
			return true;
		for (size_t k = 0; k < HP_ARRAY_LEN(dollar_patterns); k++)
			if (begins_here(name + i, length - i,
					dollar_patterns[k]))
				return true;
	}
	return false;
}
