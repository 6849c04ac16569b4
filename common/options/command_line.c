/*
 * command_line.c - the command line of the program as text, which a report
 * shows
 */
#include "common/options/options.h"

/*
 * Whether a word needs no quotes in a shell, because it has no special
 * characters.
 */
static bool
is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=/.,:@%";

	return *word && word[strspn(word, plain)] == '\0';
}

static void
add_quoted(struct hp_buf *b, const char *word)
{
	hp_buf_byte(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			hp_buf_text(b, "'\\''");
		else
			hp_buf_byte(b, *word);
	}
	hp_buf_byte(b, '\'');
}

void
hp_command_line_text(struct hp_buf *b, int argc, char *const *argv)
{
	for (int i = 0; i < argc; i++) {
		const char *word = argv[i];
		const char *slash = i == 0 ? strrchr(word, '/') : NULL;

		if (i > 0)
			hp_buf_byte(b, ' ');
		if (slash)
			word = slash + 1;
		if (is_plain(word))
			hp_buf_text(b, word);
		else
			add_quoted(b, word);
	}
}
