/*
 * html_template.h - the fixed parts of the HTML report
 */
#ifndef HP_DIFF_REPORT_HTML_TEMPLATE_H
#define HP_DIFF_REPORT_HTML_TEMPLATE_H

/* Everything up to the data, and everything behind it. */
extern const char hp_page_begin[];
extern const char hp_page_end[];

#endif
