/*
 * vm_dump.c - let the JVM write a heap dump with HotSpotDiagnosticMXBean, and
 * open the dump
 *
 * An agent could also walk through the heap with JVMTI, but that takes several
 * times as long. The JVM's own dump has no allocation traces. So before the
 * dump, the agent stores them in the Java heap, in two arrays of the class
 * hprofagent.AllocationTraces.
 */
#include "agent/report/vm_dump.h"

#include "agent/report/output.h"
#include "hprof-agent-classes.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { HEAD_BYTES = 31, COPY_BYTES = 1 << 20 };

enum hp_status
hp_agent_dump_prepare(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	jclass c;

	/*
	 * an earlier attach has already loaded the class, but failed afterwards
	 */
	if (a->traces_class)
		return HP_OK;
	c = (*jni)->DefineClass(jni, "hprofagent/AllocationTraces", NULL,
				(const jbyte *)AllocationTraces_class,
				sizeof(AllocationTraces_class));
	if (c)
		a->traces_class = (*jni)->NewGlobalRef(jni, c);
	(*jni)->ExceptionClear(jni);
	if (!a->traces_class)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the VM did not load the agent's own class "
			       "AllocationTraces");
	return HP_OK;
}

static void
set_arrays(struct hp_agent *a, JNIEnv *jni, jobjectArray objects,
	   jintArray traces)
{
	jclass c = a->traces_class;
	jfieldID f = (*jni)->GetStaticFieldID(jni, c, "objects",
					      "[Ljava/lang/Object;");
	jfieldID g =
		f ? (*jni)->GetStaticFieldID(jni, c, "traces", "[I") : NULL;

	if (f && g) {
		(*jni)->SetStaticObjectField(jni, c, f, objects);
		(*jni)->SetStaticObjectField(jni, c, g, traces);
	}
	(*jni)->ExceptionClear(jni);
}

static void
fill_arrays(struct hp_agent *a, JNIEnv *jni, jobjectArray objects,
	    jintArray traces, jobject *list, jint n)
{
	for (jint i = 0; i < n; i++) {
		const struct hp_agent_site *s;
		jlong tag = 0;
		jint serial = 0;

		(*a->jvmti)->GetTag(a->jvmti, list[i], &tag);
		if (tag) {
			s = hp_chunks_at(&a->sites.sites,
					 hp_agent_tag_site(tag));
			serial = (jint)hp_agent_serial(a, HP_AGENT_FIRST_TRACE,
						       s->trace);
		}
		if (objects && traces) {
			(*jni)->SetObjectArrayElement(jni, objects, i, list[i]);
			(*jni)->SetIntArrayRegion(jni, traces, i, 1, &serial);
		}
		/* a local reference would become a root in the dump */
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
}

/*
 * Store the allocation traces of all sampled objects in the Java heap. To find
 * these objects, a separate JVMTI environment gives all of them the tag 1,
 * because asking JVMTI for the objects of many different tags would take
 * quadratic time.
 */
static enum hp_status
note_traces(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	jvmtiEnv *jvmti = a->sampled;
	const jlong tag = 1;
	jobject *list = NULL;
	jobjectArray objects = NULL;
	jintArray traces = NULL;
	jclass object;
	jint n = 0;

	if ((*jvmti)->GetObjectsWithTags(jvmti, 1, &tag, &n, &list, NULL) !=
	    JVMTI_ERROR_NONE)
		return hp_fail(err, HP_NOMEM,
			       "no memory for the allocation traces of the "
			       "objects");
	object = (*jni)->FindClass(jni, "java/lang/Object");
	if (object)
		objects = (*jni)->NewObjectArray(jni, n, object, NULL);
	if (objects)
		traces = (*jni)->NewIntArray(jni, n);
	(*jni)->ExceptionClear(jni);
	fill_arrays(a, jni, objects, traces, list, n);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)list);
	if (traces)
		set_arrays(a, jni, objects, traces);
	else
		hp_agent_say("the dump has no allocation traces, because the "
			     "Java heap is full");
	(*jni)->DeleteLocalRef(jni, object);
	(*jni)->DeleteLocalRef(jni, objects);
	(*jni)->DeleteLocalRef(jni, traces);
	return HP_OK;
}

/*
 * Returns the HotSpotDiagnosticMXBean of the JVM. Returns NULL, with a Java
 * exception pending, if the JVM has none.
 */
static jobject
find_bean(JNIEnv *jni, jclass *type)
{
	jclass factory = (*jni)->FindClass(
		jni, "java/lang/management/ManagementFactory");
	jmethodID get;
	jobject bean;

	if (!factory)
		return NULL;
	*type = (*jni)->FindClass(jni,
				  "com/sun/management/HotSpotDiagnosticMXBean");
	if (!*type)
		return NULL;
	get = (*jni)->GetStaticMethodID(
		jni, factory, "getPlatformMXBean",
		"(Ljava/lang/Class;)Ljava/lang/management/"
		"PlatformManagedObject;");
	if (!get)
		return NULL;
	bean = (*jni)->CallStaticObjectMethod(jni, factory, get, *type);
	return (*jni)->ExceptionCheck(jni) ? NULL : bean;
}

static bool
call_dumper(JNIEnv *jni, const char *path)
{
	jclass type = NULL;
	jobject bean = find_bean(jni, &type);
	jmethodID dump = NULL;
	jstring name = NULL;
	bool fine;

	if (bean)
		dump = (*jni)->GetMethodID(jni, type, "dumpHeap",
					   "(Ljava/lang/String;Z)V");
	if (dump)
		name = (*jni)->NewStringUTF(jni, path);
	if (name)
		(*jni)->CallVoidMethod(jni, bean, dump, name, JNI_TRUE);
	fine = !(*jni)->ExceptionCheck(jni) && name;
	if ((*jni)->ExceptionCheck(jni)) {
		(*jni)->ExceptionDescribe(jni);
		(*jni)->ExceptionClear(jni);
	}
	return fine;
}

enum hp_status
hp_agent_dump(struct hp_agent *a, JNIEnv *jni, const char *path, int *fd,
	      struct hp_error *err)
{
	char *temp = hp_agent_path_beside(path, ".hprof");
	enum hp_status st = HP_OK;
	bool fine;

	if (!temp)
		return hp_no_memory(err);
	if ((*jni)->PushLocalFrame(jni, 64) != 0) {
		(*jni)->ExceptionClear(jni);
		free(temp);
		return hp_no_memory(err);
	}
	if (a->sampled)
		st = note_traces(a, jni, err);
	fine = st == HP_OK && call_dumper(jni, temp);
	set_arrays(a, jni, NULL, NULL);
	(*jni)->PopLocalFrame(jni, NULL);
	if (fine)
		*fd = open(temp, O_RDWR | O_CLOEXEC);
	if (st == HP_OK && (!fine || *fd < 0))
		st = hp_fail(err, HP_IO, "the VM wrote no heap dump");
	unlink(temp);
	free(temp);
	return st;
}

enum hp_status
hp_agent_dump_head(int fd, hp_agent_put *put, void *ctx, struct hp_error *err)
{
	static const char magic[] = "JAVA PROFILE 1.0.";
	uint8_t head[HEAD_BYTES];

	if (pread(fd, head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head, magic, sizeof(magic) - 1) != 0 || head[22] != 8)
		return hp_fail(err, HP_DAMAGED,
			       "the identifiers in the VM's dump do not have 8 "
			       "bytes");
	return put(ctx, head, sizeof(head), err);
}

enum hp_status
hp_agent_dump_rest(int fd, hp_agent_put *put, void *ctx, struct hp_error *err)
{
	char *room = malloc(COPY_BYTES);
	enum hp_status st = HP_OK;
	off_t at = HEAD_BYTES;
	ssize_t n = 1;

	if (!room)
		return hp_no_memory(err);
	while (st == HP_OK && n > 0) {
		do
			n = pread(fd, room, COPY_BYTES, at);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			st = hp_fail(err, HP_IO, "the VM's dump: %s",
				     strerror(errno));
		else
			st = put(ctx, room, (size_t)n, err);
		/*
		 * free the disk space of the part that was copied; this fails
		 * on some file systems
		 */
		if (st == HP_OK && n > 0)
			(void)fallocate(
				fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				at, n);
		at += n;
	}
	free(room);
	return st;
}
