/*
 * stacks.c - ask the JVM for stacks, and for the names of methods and classes
 *
 * With JVMTI an agent can attach a number (a tag) to each object. In one JVMTI
 * environment, the tag of a class object is the number of the class. In another
 * environment, the tag of an object is its allocation site. Two environments
 * are necessary, because a class object also has an allocation site.
 */
#include "agent/events/stacks.h"

#include "common/cli/glob.h"

#include <string.h>

enum { FOLDED_MOST = 16 };

static void
release(struct hp_agent *a, void *memory)
{
	if (memory)
		(*a->jvmti)->Deallocate(a->jvmti, memory);
}

/*
 * Whether a pattern of the option only= matches the name of the class, or the
 * option was not given.
 */
static bool
is_selected(const struct hp_agent *a, uint32_t class)
{
	const struct hp_agent_string *s =
		hp_agent_class_name(&a->tables, class);

	for (const char *p = a->o.only; *p; p += strlen(p) + 1)
		if (hp_glob_match(p, s->text, s->length))
			return true;
	return !a->o.only[0];
}

bool
hp_agent_class_selected(const struct hp_agent *a, uint32_t class)
{
	const struct hp_agent_class *c;

	if (!class)
		return !a->o.only[0];
	c = hp_chunks_at(&a->tables.classes, class);
	return atomic_load_explicit(&c->selected, memory_order_relaxed);
}

uint32_t
hp_agent_class_of(struct hp_agent *a, jclass class)
{
	struct hp_agent_class *c;
	char *signature = NULL;
	jlong tag = 0;

	if ((*a->classes)->GetTag(a->classes, class, &tag) ==
		    JVMTI_ERROR_NONE &&
	    tag)
		return (uint32_t)tag;
	if ((*a->jvmti)->GetClassSignature(a->jvmti, class, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return 0;
	pthread_mutex_lock(&a->lock);
	tag = hp_agent_intern_class(&a->tables, signature);
	pthread_mutex_unlock(&a->lock);
	release(a, signature);
	if (!tag)
		return 0;
	c = hp_chunks_at(&a->tables.classes, (uint32_t)tag);
	atomic_store(&c->selected, is_selected(a, (uint32_t)tag));
	(*a->classes)->SetTag(a->classes, class, tag);
	return (uint32_t)tag;
}

/*
 * Returns the source line of a position in a method; -1 if the line is not
 * known, for example in native methods. Reports of the JDK's old agent contain
 * the same numbers.
 */
static int32_t
line_of(struct hp_agent *a, jmethodID method, jlocation location)
{
	jvmtiLineNumberEntry *table = NULL;
	int32_t line = -1;
	jint n = 0;

	if (!a->o.lineno || location < 0 ||
	    (*a->jvmti)->GetLineNumberTable(a->jvmti, method, &n, &table) !=
		    JVMTI_ERROR_NONE)
		return -1;
	/*
	 * the table of lines is not sorted: javac may write the end of a loop
	 * before its start
	 */
	for (jint i = 0, best = -1; i < n; i++) {
		if (table[i].start_location > location ||
		    (best >= 0 &&
		     table[i].start_location < table[best].start_location))
			continue;
		best = i;
		line = table[i].line_number;
	}
	release(a, table);
	return line;
}

/*
 * Whether an allocation in a method is counted as an allocation in the caller
 * of this method. This is so for a native method of the JDK, and for a method
 * of a method handle.
 */
static bool
belongs_to_caller(const struct hp_agent *a, uint32_t class, bool native)
{
	static const char *const jdk[] = {"java.", "jdk.", "sun."};
	static const char handles[] = "java.lang.invoke.";
	const struct hp_agent_string *s;

	if (!class)
		return false;
	s = hp_agent_class_name(&a->tables, class);
	for (size_t i = 0; native && i < HP_ARRAY_LEN(jdk); i++)
		if (strncmp(s->text, jdk[i], strlen(jdk[i])) == 0)
			return true;
	return strncmp(s->text, handles, strlen(handles)) == 0;
}

static uint32_t
intern_text(struct hp_agent *a, const char *text)
{
	uint32_t n;

	pthread_mutex_lock(&a->lock);
	n = hp_agent_intern_text(&a->tables, text);
	pthread_mutex_unlock(&a->lock);
	return n;
}

/*
 * Add the frame for a position in a method to the tables, with the names of its
 * method and class. Returns its number; 0 on failure.
 */
static uint32_t
resolve(struct hp_agent *a, JNIEnv *jni, const jvmtiFrameInfo *at)
{
	jvmtiEnv *jvmti = a->jvmti;
	struct hp_agent_frame f = {0};
	char *name = NULL, *signature = NULL, *source = NULL;
	jboolean native = JNI_FALSE;
	jclass class = NULL;
	uint32_t n = 0;

	if ((*jvmti)->GetMethodName(jvmti, at->method, &name, &signature,
				    NULL) == JVMTI_ERROR_NONE &&
	    (*jvmti)->GetMethodDeclaringClass(jvmti, at->method, &class) ==
		    JVMTI_ERROR_NONE) {
		f.class = hp_agent_class_of(a, class);
		f.method = intern_text(a, name);
		f.signature = intern_text(a, signature);
		(void)(*jvmti)->IsMethodNative(jvmti, at->method, &native);
		if ((*jvmti)->GetSourceFileName(jvmti, class, &source) ==
		    JVMTI_ERROR_NONE)
			f.source = intern_text(a, source);
		f.line = line_of(a, at->method, at->location);
		f.folded = belongs_to_caller(a, f.class, native);
	}
	if (class)
		(*jni)->DeleteLocalRef(jni, class);
	release(a, name);
	release(a, signature);
	release(a, source);
	if (!f.class || !f.method || !f.signature)
		return 0;
	pthread_mutex_lock(&a->lock);
	n = hp_agent_intern_frame(&a->tables, &f);
	hp_agent_intern_place(&a->tables, (uintptr_t)at->method, at->location,
			      n);
	pthread_mutex_unlock(&a->lock);
	return n;
}

uint32_t
hp_agent_method_frame(struct hp_agent *a, JNIEnv *jni, jmethodID method)
{
	const jvmtiFrameInfo at = {.method = method, .location = -1};

	return resolve(a, jni, &at);
}

/*
 * Look up the frames of a stack, from index @from on, until a frame is not in
 * the tables. Returns the index of this frame, or @count. The caller holds the
 * agent's lock.
 */
static jint
find_frames(struct hp_agent *a, const jvmtiFrameInfo *frames, jint from,
	    jint count, uint32_t *numbers)
{
	for (; from < count; from++) {
		numbers[from] = hp_agent_find_place(
			&a->tables, (uintptr_t)frames[from].method,
			frames[from].location);
		if (!numbers[from])
			break;
	}
	return from;
}

/*
 * Find the numbers of frames in the agent's tables. If a frame is not in the
 * tables, ask the JVM for it and add it. Returns false on failure.
 */
static bool
number_frames(struct hp_agent *a, JNIEnv *jni, const jvmtiFrameInfo *frames,
	      jint count, uint32_t *numbers)
{
	jint done = 0;

	pthread_mutex_lock(&a->lock);
	while ((done = find_frames(a, frames, done, count, numbers)) < count) {
		pthread_mutex_unlock(&a->lock);
		numbers[done] = resolve(a, jni, &frames[done]);
		if (!numbers[done])
			return false;
		done++;
		pthread_mutex_lock(&a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return true;
}

/* Returns the number of the stack trace with these frames; 0 on failure. */
static uint32_t
intern_trace(struct hp_agent *a, const uint32_t *numbers, jint count,
	     uint32_t serial)
{
	uint32_t n;

	pthread_mutex_lock(&a->lock);
	n = hp_agent_intern_trace(&a->tables, numbers, (uint32_t)count, serial);
	pthread_mutex_unlock(&a->lock);
	return n;
}

static bool
is_folded(const struct hp_agent *a, uint32_t frame)
{
	const struct hp_agent_frame *f = hp_chunks_at(&a->tables.frames, frame);

	return f->folded;
}

/*
 * Returns how many frames at the top of a stack an allocation site leaves out.
 * Returns 0 if these would be all frames.
 */
static jint
count_folded(const struct hp_agent *a, const uint32_t *numbers, jint count)
{
	for (jint i = 0; i < count; i++)
		if (!is_folded(a, numbers[i]))
			return i;
	return 0;
}

/* Whether the option only= selects the class of a frame. */
static bool
has_selected(const struct hp_agent *a, const uint32_t *numbers, jint count)
{
	const struct hp_agent_frame *f;

	for (jint i = 0; i < count; i++) {
		f = hp_chunks_at(&a->tables.frames, numbers[i]);
		if (hp_agent_class_selected(a, f->class))
			return true;
	}
	return false;
}

bool
hp_agent_trace_site(struct hp_agent *a, JNIEnv *jni, uint32_t class,
		    uint32_t serial, uint32_t *trace)
{
	const jint depth =
		(jint)atomic_load_explicit(&a->depth, memory_order_relaxed);
	jvmtiFrameInfo frames[HP_AGENT_DEPTH_MOST + FOLDED_MOST];
	uint32_t numbers[HP_AGENT_DEPTH_MOST + FOLDED_MOST];
	jint count = 0, folded = 0;

	*trace = 0;
	for (jint more = 0; more <= FOLDED_MOST; more += FOLDED_MOST) {
		if ((*a->jvmti)->GetStackTrace(a->jvmti, NULL, 0, depth + more,
					       frames,
					       &count) != JVMTI_ERROR_NONE ||
		    !number_frames(a, jni, frames, count, numbers))
			return hp_agent_class_selected(a, class);
		folded = count_folded(a, numbers, count);
		if (count == 0 || !is_folded(a, numbers[0]))
			break;
	}
	count -= folded;
	if (count > depth)
		count = depth;
	if (!hp_agent_class_selected(a, class) &&
	    !has_selected(a, numbers + folded, count))
		return false;
	*trace = intern_trace(a, numbers + folded, count, serial);
	return true;
}

uint32_t
hp_agent_trace_now(struct hp_agent *a, JNIEnv *jni, jthread thread,
		   uint32_t serial)
{
	bool native;

	return hp_agent_trace_native(a, jni, thread, serial, &native);
}

uint32_t
hp_agent_trace_native(struct hp_agent *a, JNIEnv *jni, jthread thread,
		      uint32_t serial, bool *native)
{
	unsigned depth = atomic_load_explicit(&a->depth, memory_order_relaxed);
	jvmtiFrameInfo frames[HP_AGENT_DEPTH_MOST];
	uint32_t numbers[HP_AGENT_DEPTH_MOST];
	jint count = 0;

	if ((*a->jvmti)->GetStackTrace(a->jvmti, thread, 0, (jint)depth, frames,
				       &count) != JVMTI_ERROR_NONE)
		return 0;
	/* JVMTI returns the location -1 in a native method */
	*native = count > 0 && frames[0].location == -1;
	if (!number_frames(a, jni, frames, count, numbers))
		return 0;
	return intern_trace(a, numbers, count, serial);
}

void JNICALL
hp_agent_on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined,
		       jobject loader, const char *name, jobject domain,
		       jint length, const unsigned char *bytes,
		       jint *new_length, unsigned char **new_bytes)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_class *c;
	uint32_t n;

	if (!redefined || !hp_agent_enter(a))
		return;
	n = hp_agent_class_of(a, redefined);
	if (n) {
		c = hp_chunks_at(&a->tables.classes, n);
		atomic_store(&c->redefined, true);
	}
	hp_agent_leave(a);
}
