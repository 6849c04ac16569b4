/*
 * world.c - build complete dumps, in the style of each program that writes
 * dumps
 *
 * world_classes.c has the classes and objects. world_jvm.c, world_agent.c and
 * world_android.c write them in the order in which each program writes them,
 * and add its roots.
 */
#include "tests/builder/world.h"

#include "tests/builder/world_writers.h"

void
b_world_tables(struct b *b, enum b_writer writer)
{
	b->world = (int)writer;
	if (w_agent(b))
		w_agent_tables(b);
	else if (w_android(b))
		w_android_tables(b);
	else
		w_jvm_tables(b);
}

void
b_world_heap(struct b *b)
{
	if (w_agent(b))
		w_agent_heap(b);
	else if (w_android(b))
		w_android_heap(b);
	else
		w_jvm_heap(b);
}

void
b_world_end(struct b *b)
{
	bool segments = b->data[b->record] == B_HEAP_DUMP_SEGMENT;

	b_close(b);
	if (segments)
		b_heap_dump_end(b);
	if (w_agent(b))
		w_agent_end(b);
}

void
b_world(struct b *b, enum b_writer writer, unsigned id_size)
{
	b_init(b, id_size);
	b_world_tables(b, writer);
	b_world_heap(b);
	b_world_end(b);
}

void
b_world_hotspot(struct b *b, unsigned id_size)
{
	b_world(b, B_HOTSPOT, id_size);
}

void
b_world_sa(struct b *b, unsigned id_size)
{
	b_world(b, B_SA, id_size);
}

void
b_world_agent(struct b *b, unsigned id_size)
{
	b_world(b, B_AGENT, id_size);
}

void
b_world_art(struct b *b, unsigned id_size)
{
	b_world(b, B_ART, id_size);
}

void
b_world_dalvik(struct b *b, unsigned id_size)
{
	b_world(b, B_DALVIK, id_size);
}

void
b_world_hprofconv(struct b *b, unsigned id_size)
{
	b_world(b, B_HPROF_CONV, id_size);
}

void
b_world_native_image(struct b *b, unsigned id_size)
{
	b_world(b, B_NATIVE_IMAGE, id_size);
}

void
b_world_mat(struct b *b, unsigned id_size)
{
	b_world(b, B_MAT, id_size);
}
