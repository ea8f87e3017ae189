/* What people see of a colour: contrast, distance, and the three kinds of colour blindness. */
#ifndef UI_COLOR_H
#define UI_COLOR_H

#include <stdint.h>

struct rgb {
	double r, g, b; /* linear, 0..1 */
};

enum vision {
	VISION_NORMAL,
	VISION_PROTANOPIA,
	VISION_DEUTERANOPIA,
	VISION_TRITANOPIA,
	VISION_COUNT
};

/* 0xrrggbb of a colour number of the terminal (xterm's own values for 0 to 15) or of COLOR_RGB |
 * rgb. */
uint32_t color_hex(int32_t color);
struct rgb color_linear(uint32_t hex);
/* WCAG 2: 1 to 21. */
double color_contrast(struct rgb a, struct rgb b);
/* As somebody with that vision sees it: Machado, Oliveira and Fernandes (2009), full severity. */
struct rgb color_seen(struct rgb c, enum vision v);
/* CIEDE2000 (Sharma, Wu, Dalal 2005), D65. */
double color_distance(struct rgb a, struct rgb b);

#endif
