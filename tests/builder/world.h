/*
 * world.h - build small complete dumps in the style of each writer (a program
 * that writes dumps, such as HotSpot)
 *
 * All of these dumps have the same contents, the classes and objects of
 * world_classes.h. Their names, order and roots are those of the imitated
 * writer. Each dump is valid, also with --strict, if its id size is one that
 * the writer uses.
 *
 *         b_init(&b, 8);
 *         b_world_tables(&b, B_HOTSPOT);    header, strings, classes, traces
 *         ...                               more records, if wanted
 *         b_world_heap(&b);                 opens the heap and fills it
 *         ...                               more sub-records, if wanted
 *         b_world_end(&b);                  closes it, and writes the rest
 */
#ifndef TESTS_BUILDER_WORLD_H
#define TESTS_BUILDER_WORLD_H

#include "tests/builder/world_classes.h"

void b_world_tables(struct b *b, enum b_writer writer);
void b_world_heap(struct b *b);
void b_world_end(struct b *b);
/*
 * Write a complete dump: the tables, the heap and the end. This function also
 * initialises @b, with ids of @id_size bytes.
 */
void b_world(struct b *b, enum b_writer writer, unsigned id_size);

void b_world_hotspot(struct b *b, unsigned id_size);
void b_world_sa(struct b *b, unsigned id_size);
void b_world_agent(struct b *b, unsigned id_size);
void b_world_art(struct b *b, unsigned id_size);
void b_world_dalvik(struct b *b, unsigned id_size);
void b_world_hprofconv(struct b *b, unsigned id_size);
void b_world_native_image(struct b *b, unsigned id_size);
void b_world_mat(struct b *b, unsigned id_size);

#endif
