/*
 * wrap.c - break lines of text so that none is wider than the terminal
 */
#include "common/cli/table.h"

#include <ctype.h>
#include <string.h>

/*
 * DEEPER: the number of columns by which lines after a break are indented more
 * than the first line. LEAST: the minimum number of columns for the text of a
 * line.
 */
enum { DEEPER = 4, LEAST = 12 };

/*
 * Append a word. If the word is wider than @room columns, shorten it in the
 * middle.
 */
static void
add_word(struct hp_buf *out, const char *word, size_t len, size_t room)
{
	size_t head, tail;

	if (hp_text_width(word, len) <= room) {
		hp_buf_add(out, word, len);
		return;
	}
	head = hp_text_head(word, len, (room - 1) / 2);
	tail = hp_text_tail(word, len, room - 1 - hp_text_width(word, head));
	hp_buf_add(out, word, head);
	hp_buf_text(out, "\u2026");
	hp_buf_add(out, word + tail, len - tail);
}

/*
 * Returns the offset of the end of the word that begins at @at. A number and
 * its unit, such as "1.5 MB", count as one word, so that they stay on one line.
 * A word and the arrow after it also do, so that no line begins with the arrow.
 */
static size_t
word_end(const char *line, size_t len, size_t at)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "%"};
	static const char arrow[] = " \u2192";
	size_t end = at;

	while (end < len && line[end] != ' ')
		end++;
	if (end > at && len - end >= strlen(arrow) &&
	    memcmp(line + end, arrow, strlen(arrow)) == 0)
		return end + strlen(arrow);
	if (end == at || end == len || line[end - 1] < '0' ||
	    line[end - 1] > '9')
		return end;
	for (size_t i = 0; i < HP_ARRAY_LEN(units); i++) {
		size_t n = strlen(units[i]);

		if (len - end > n && memcmp(line + end + 1, units[i], n) == 0 &&
		    (len - end == n + 1 ||
		     !isalnum((unsigned char)line[end + 1 + n])))
			return word_end(line, len, end + 1);
	}
	return end;
}

static void
wrap_line(struct hp_buf *out, const char *line, size_t len, size_t width)
{
	size_t indent = 0, used, at = 0;

	while (indent < len && line[indent] == ' ')
		indent++;
	if (indent + DEEPER + LEAST > width)
		indent = 0;
	used = 0;
	while (at < len) {
		size_t gap = at, end, cells;

		while (gap < len && line[gap] == ' ')
			gap++;
		end = word_end(line, len, gap);
		cells = hp_text_width(line + gap, end - gap);
		if (used > 0 && used + (gap - at) + cells > width) {
			hp_buf_byte(out, '\n');
			hp_buf_fill(out, ' ', indent + DEEPER);
			used = indent + DEEPER;
		} else if (used > 0 || gap - at <= indent) {
			hp_buf_fill(out, ' ', gap - at);
			used += gap - at;
		}
		if (cells > width - used)
			cells = width - used;
		add_word(out, line + gap, end - gap, width - used);
		used += cells;
		at = end;
	}
}

void
hp_lines_fit(struct hp_buf *out, const char *text, size_t len, size_t width)
{
	size_t end;

	for (size_t at = 0; at < len; at = end + 1) {
		const char *feed = memchr(text + at, '\n', len - at);

		end = feed ? (size_t)(feed - text) : len;
		if (width < DEEPER + LEAST ||
		    hp_text_width(text + at, end - at) <= width)
			hp_buf_add(out, text + at, end - at);
		else
			wrap_line(out, text + at, end - at, width);
		if (feed)
			hp_buf_byte(out, '\n');
	}
}
