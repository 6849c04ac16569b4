/*
 * page.h - the fixed parts of the HTML report
 */
#ifndef HP_DIFF_PAGE_H
#define HP_DIFF_PAGE_H

/* Everything up to the data, and everything behind it. */
extern const char hp_page_begin[];
extern const char hp_page_end[];

#endif
