/*
 * parse.c - parse the lines of a mapping file
 *
 * The line of a class is "original.Name -> a.b:". Lines of its members follow,
 * indented: "type name -> a" for a field, and "1:3:type name(types):10:12 -> a"
 * for a method. In this example 1:3 are lines of the program, and 10:12 the
 * lines of the source. A comment is "# text" or "# {JSON}". It belongs to the
 * line before it.
 */
#include "common/mapping/internal.h"

#include "common/base/memory.h"
#include "common/io/source.h"

enum { LINE_BYTES = 1 << 20, STEP = 64 << 10 };

/* The kind of the line before the current line. */
enum last_line {
	LAST_NONE, /* there is no earlier line of the following kinds */
	LAST_CLASS,
	LAST_FIELD,
	/*
	 * the line of a method, without a comment after it. So the next line
	 * may be the method into which this method was inlined.
	 */
	LAST_METHOD,
	/* the line of a method, and comments about it */
	LAST_METHOD_COMMENT,
};

struct parser {
	struct hp_name_mapping *m;
	struct hp_buf types;
	uint32_t line; /* number of the current line, from 1 */
	/* the last line that was not a comment; comments belong to it */
	enum last_line last;
};

static uint32_t
put_text(struct hp_name_mapping *m, struct hp_slice s)
{
	bool fresh;

	return hp_intern_put(&m->texts, s.text, s.length, &fresh);
}

static struct hp_slice
between(const char *from, const char *to)
{
	return (struct hp_slice){from, (size_t)(to - from)};
}

/*
 * Split a name at its last dot. "a.B.m" becomes "m" in *@name, and the function
 * returns "a.B".
 */
static struct hp_slice
cut_holder(struct hp_slice *name)
{
	const char *dot = memrchr(name->text, '.', name->length);
	struct hp_slice holder = {name->text, 0};

	if (!dot)
		return holder;
	holder.length = (size_t)(dot - name->text);
	*name = between(dot + 1, name->text + name->length);
	return holder;
}

/*
 * Read a number and the colon after it. If the text begins with anything else,
 * returns false, and *@s is unchanged.
 */
static bool
take_number(struct hp_slice *s, int32_t *v)
{
	size_t i = 0;
	int32_t n = 0;

	for (; i < s->length && s->text[i] >= '0' && s->text[i] <= '9'; i++)
		n = n <= HP_LINE_MOST / 10 - 1 ? n * 10 + (s->text[i] - '0')
					       : HP_LINE_MOST;
	if (i == 0 || (i < s->length && s->text[i] != ':'))
		return false;
	*v = n;
	i += i < s->length;
	s->text += i;
	s->length -= i;
	return true;
}

static void
take_range(struct hp_slice *s, int32_t *from, int32_t *to)
{
	*from = *to = HP_NO_LINE;
	if (!take_number(s, from))
		return;
	if (!take_number(s, to) || *to < *from)
		*to = *from;
}

static bool
parse_class(struct parser *p, struct hp_slice original, struct hp_slice name)
{
	struct hp_name_mapping *m = p->m;
	struct hp_mapped_class c = {0};

	if (original.length > HP_MAPPED_NAME_MOST ||
	    name.length > HP_MAPPED_NAME_MOST)
		return true;
	c.original = put_text(m, original);
	c.name = put_text(m, name);
	p->last = LAST_CLASS;
	return c.original && c.name && m->nclasses < UINT32_MAX / 2 &&
	       HP_LIST_PUSH(m->classes, m->nclasses, m->classes_cap, c);
}

/*
 * Returns the type code (enum hp_type) for a type as in Java source, such as
 * "int".
 */
static uint8_t
basic_type(struct hp_slice type)
{
	static const char *const names[] = {"boolean", "char", "float",
					    "double",  "byte", "short",
					    "int",     "long"};

	for (uint8_t i = 0; i < HP_ARRAY_LEN(names); i++)
		if (hp_slice_is(type, names[i]))
			return (uint8_t)(4 + i);
	return 2;
}

static bool
parse_field(struct parser *p, struct hp_slice type, struct hp_slice original,
	    struct hp_slice name)
{
	struct hp_name_mapping *m = p->m;
	struct hp_mapped_field f = {.class = (uint32_t)(m->nclasses - 1),
				    .type = basic_type(type),
				    .order = p->line};

	cut_holder(&original);
	f.original = put_text(m, original);
	f.name = put_text(m, name);
	p->last = LAST_FIELD;
	return f.original && f.name &&
	       HP_LIST_PUSH(m->fields, m->nfields, m->fields_cap, f);
}

/* Whether the last line that was not a comment is the line of a method. */
static bool
is_method(const struct parser *p)
{
	return p->last >= LAST_METHOD;
}

/*
 * Whether the method of the previous line was inlined into the method @next of
 * this line.
 */
static bool
continues(const struct parser *p, const struct hp_mapped_method *next)
{
	const struct hp_mapped_method *last;

	if (p->last != LAST_METHOD || next->from == HP_NO_LINE)
		return false;
	last = &p->m->methods[p->m->nmethods - 1];
	return last->from == next->from && last->to == next->to &&
	       last->name == next->name;
}

/*
 * Store the line of a method. If the method of the previous line was inlined
 * into this method, the line is added to the entry of the previous line.
 * Otherwise a new entry begins.
 */
static bool
add_method(struct parser *p, struct hp_mapped_method next,
	   struct hp_mapped_frame f)
{
	struct hp_name_mapping *m = p->m;

	if (!next.name || !f.method || !f.types || m->nframes > UINT32_MAX / 2)
		return false;
	if (!continues(p, &next)) {
		next.first = (uint32_t)m->nframes;
		if (!HP_LIST_PUSH(m->methods, m->nmethods, m->methods_cap,
				  next))
			return false;
	}
	m->methods[m->nmethods - 1].count++;
	p->last = LAST_METHOD;
	return HP_LIST_PUSH(m->frames, m->nframes, m->frames_cap, f);
}

/*
 * Parse the line of a member. @left is the text to the left of the arrow, such
 * as "1:3:void a.B.m(int):10:12", and @name is the text to the right. A line of
 * another form is ignored.
 */
static bool
parse_member(struct parser *p, struct hp_slice left, struct hp_slice name)
{
	struct hp_mapped_method next = {.class = (uint32_t)(p->m->nclasses - 1),
					.order = p->line};
	struct hp_mapped_frame f = {0};
	struct hp_slice type, member, holder, rest;
	const char *space, *open, *close, *end;

	take_range(&left, &next.from, &next.to);
	end = left.text + left.length;
	space = memchr(left.text, ' ', left.length);
	if (!space || space + 1 == end || name.length > HP_MAPPED_NAME_MOST)
		return true;
	type = between(left.text, space);
	member = between(space + 1, end);
	open = memchr(member.text, '(', member.length);
	if ((open ? (size_t)(open - member.text) : member.length) >
		    HP_MAPPED_NAME_MOST ||
	    left.length > HP_MAPPED_TYPES_MOST)
		return true;
	if (!open)
		return parse_field(p, type, member, name);
	close = memchr(open, ')', (size_t)(end - open));
	if (!close)
		return true;
	hp_buf_clear(&p->types);
	hp_buf_add(&p->types, type.text, type.length);
	hp_buf_add(&p->types, open, (size_t)(close + 1 - open));
	rest = between(close + 1, end);
	if (rest.length > 0 && rest.text[0] == ':')
		rest = between(rest.text + 1, end);
	take_range(&rest, &f.from, &f.to);
	member = between(member.text, open);
	holder = cut_holder(&member);
	f.method = put_text(p->m, member);
	f.holder = holder.length > 0 ? put_text(p->m, holder) : 0;
	f.types = hp_buf_ok(&p->types)
			  ? put_text(p->m, (struct hp_slice){p->types.data,
							     p->types.len})
			  : 0;
	next.name = put_text(p->m, name);
	return (holder.length == 0 || f.holder) && add_method(p, next, f);
}

/*
 * Read a residual signature: the JVM descriptor of a field or method with the
 * obfuscated names.
 */
static bool
take_signature(struct parser *p, struct hp_slice s)
{
	struct hp_name_mapping *m = p->m;
	bool of_method = s.length > 0 && memchr(s.text, '(', s.length) != NULL;
	static const char letters[] = "ZCFDBSIJ";
	const char *letter;

	if (s.length > HP_MAPPED_TYPES_MOST)
		return true;
	if (is_method(p) && of_method) {
		m->methods[m->nmethods - 1].signature = put_text(m, s);
		m->methods[m->nmethods - 1].residual = true;
		p->last = LAST_METHOD_COMMENT;
		return m->methods[m->nmethods - 1].signature != 0;
	}
	if (p->last == LAST_FIELD && !of_method && s.length > 0) {
		letter = memchr(letters, s.text[0], sizeof(letters) - 1);
		m->fields[m->nfields - 1].type =
			letter ? (uint8_t)(4 + (letter - letters)) : 2;
	}
	return true;
}

static bool
parse_comment(struct parser *p, struct hp_slice line)
{
	struct hp_name_mapping *m = p->m;
	const char *brace = memchr(line.text, '{', line.length);
	size_t first = m->npositions;
	struct hp_mapping_comment c;
	struct hp_mapped_method *last;

	if (!brace || m->nclasses == 0)
		return true;
	if (!hp_mapping_comment(m, between(brace, line.text + line.length), &c))
		return false;
	if (p->last == LAST_CLASS && hp_slice_is(c.id, "sourceFile") &&
	    c.file.length > 0) {
		m->classes[m->nclasses - 1].file = put_text(m, c.file);
		return m->classes[m->nclasses - 1].file != 0;
	}
	if (hp_slice_is(c.id, "com.android.tools.r8.residualsignature"))
		return take_signature(p, c.signature);
	if (p->last == LAST_CLASS &&
	    hp_slice_is(c.id, "com.android.tools.r8.synthesized"))
		m->classes[m->nclasses - 1].synthesized = true;
	if (!is_method(p))
		return true;
	/*
	 * R8 writes comments only after the line of the outermost method. So no
	 * further line of inlined methods follows.
	 */
	p->last = LAST_METHOD_COMMENT;
	last = &m->methods[m->nmethods - 1];
	if (hp_slice_is(c.id, "com.android.tools.r8.synthesized"))
		last->synthesized = true;
	else if (hp_slice_is(c.id, "com.android.tools.r8.outline"))
		last->outline = true;
	else if (hp_slice_is(c.id, "com.android.tools.r8.outlineCallsite") &&
		 m->npositions < UINT32_MAX) {
		last->positions = (uint32_t)first;
		last->npositions = (uint32_t)(m->npositions - first);
	}
	return true;
}

static bool
parse_line(struct parser *p, const char *at, size_t n)
{
	static const char arrow[] = " -> ";
	const char *to;

	p->line++;
	while (n > 0 && strchr(" \t\r", at[n - 1]))
		n--;
	for (; n > 0 && (*at == ' ' || *at == '\t'); at++)
		n--;
	if (n == 0)
		return true;
	if (*at == '#')
		return parse_comment(p, (struct hp_slice){at, n});
	to = memmem(at, n, arrow, sizeof(arrow) - 1);
	if (!to)
		return true;
	if (at[n - 1] == ':')
		return parse_class(p, between(at, to),
				   between(to + 4, at + n - 1));
	return p->m->nclasses == 0 ||
	       parse_member(p, between(at, to), between(to + 4, at + n));
}

/* ---- the text of a file, which is read in pieces ---- */

struct lines {
	struct parser parser;
	/* the beginning of a line whose end is in the next piece of the file */
	struct hp_buf rest;
};

static enum hp_status
one_line(struct lines *l, const char *at, size_t n, struct hp_error *err)
{
	if (n > LINE_BYTES)
		return hp_fail(err, HP_DAMAGED,
			       "line %u is longer than 1 MiB, so this is no "
			       "mapping of R8 or ProGuard",
			       l->parser.line + 1);
	return parse_line(&l->parser, at, n) ? HP_OK : hp_no_memory(err);
}

static enum hp_status
feed(struct lines *l, const char *at, size_t n, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	while (n > 0 && st == HP_OK) {
		const char *end = memchr(at, '\n', n);
		size_t take = end ? (size_t)(end - at) : n;

		if (end && l->rest.len == 0) {
			st = one_line(l, at, take, err);
		} else if (l->rest.len + take > LINE_BYTES) {
			st = one_line(l, at, (size_t)LINE_BYTES + 1, err);
		} else {
			hp_buf_add(&l->rest, at, take);
			if (!hp_buf_ok(&l->rest))
				return hp_no_memory(err);
			if (end)
				st = one_line(l, l->rest.data, l->rest.len,
					      err);
			if (end)
				hp_buf_clear(&l->rest);
		}
		at += take + (end != NULL);
		n -= take + (end != NULL);
	}
	return st;
}

static enum hp_status
finish(struct lines *l, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (l->rest.len > 0)
		st = one_line(l, l->rest.data, l->rest.len, err);
	if (st == HP_OK && l->parser.m->nclasses == 0)
		st = hp_fail(err, HP_DAMAGED,
			     "is no mapping of R8 or ProGuard: no line has the "
			     "form 'original.Name -> a.b:'");
	return st == HP_OK ? hp_mapping_finish(l->parser.m, err) : st;
}

static enum hp_status
conclude(struct lines *l, enum hp_status st, struct hp_name_mapping **out,
	 struct hp_error *err)
{
	if (st == HP_OK)
		st = finish(l, err);
	hp_buf_release(&l->rest);
	hp_buf_release(&l->parser.types);
	if (st != HP_OK) {
		hp_mapping_close(l->parser.m);
		return st;
	}
	*out = l->parser.m;
	return HP_OK;
}

enum hp_status
hp_mapping_parse(struct hp_name_mapping **out, const char *text, size_t n,
		 struct hp_error *err)
{
	struct lines l = {.parser.m =
				  hp_calloc(1, sizeof(struct hp_name_mapping))};

	*out = NULL;
	if (!l.parser.m)
		return hp_no_memory(err);
	return conclude(&l, feed(&l, text, n, err), out, err);
}

static enum hp_status
read_all(struct lines *l, struct hp_source *src, struct hp_error *err)
{
	char *part = hp_malloc(STEP);
	enum hp_status st = part ? HP_OK : hp_no_memory(err);
	size_t got = 1;

	while (st == HP_OK && got > 0) {
		st = hp_source_read(src, part, STEP, &got, err);
		if (st == HP_OK)
			st = feed(l, part, got, err);
	}
	hp_free(part);
	return st;
}

static enum hp_status
open_mapping(struct hp_name_mapping **out, const char *path,
	     struct hp_error *err)
{
	const struct hp_source_options options = {.mapping = HP_MAP_NEVER};
	struct lines l = {.parser.m =
				  hp_calloc(1, sizeof(struct hp_name_mapping))};
	struct hp_source *src = NULL;
	enum hp_status st;

	*out = NULL;
	if (!l.parser.m)
		return hp_no_memory(err);
	st = hp_source_open(&src, path, &options, err);
	if (st == HP_OK)
		st = read_all(&l, src, err);
	hp_source_close(src);
	return conclude(&l, st, out, err);
}

/* ---- the files of the command line ---- */

enum hp_status
hp_mappings_add(struct hp_mappings *m, const char *path, struct hp_error *err)
{
	if (m->count == HP_MAPPINGS_MOST)
		return hp_fail(err, HP_DAMAGED,
			       "too many mappings: at most %d are allowed",
			       HP_MAPPINGS_MOST);
	return HP_LIST_PUSH(m->list, m->count, m->cap,
			    (struct hp_mapping_file){.path = path})
		       ? HP_OK
		       : hp_no_memory(err);
}

enum hp_status
hp_mappings_read(struct hp_mappings *m, const char **path, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	for (size_t i = 0; i < m->count && st == HP_OK; i++) {
		*path = m->list[i].path;
		st = open_mapping(&m->list[i].mapping, *path, err);
		if (st == HP_OK)
			m->list[i].mapping->serial = i;
	}
	return st;
}

void
hp_mappings_release(struct hp_mappings *m)
{
	for (size_t i = 0; i < m->count; i++)
		hp_mapping_close(m->list[i].mapping);
	hp_free(m->list);
	*m = (struct hp_mappings){0};
}
