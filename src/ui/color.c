/* Contrast and distance of colours (color.h). */
#include "ui/color.h"

#include <math.h>

uint32_t color_hex(int32_t color)
{
	static const uint32_t ansi[16] = {
	    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint8_t cube[6] = {0, 95, 135, 175, 215, 255};

	if (color > 255)
		return (uint32_t)color & 0xffffff;
	if (color < 16)
		return ansi[color & 15];
	if (color >= 232)
		return (uint32_t)(8 + 10 * (color - 232)) * 0x010101u;
	uint32_t i = (uint32_t)color - 16;
	return (uint32_t)cube[i / 36] << 16 | (uint32_t)cube[i / 6 % 6] << 8 | cube[i % 6];
}

static double linear(uint32_t v)
{
	double c = (v & 0xff) / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

struct rgb color_linear(uint32_t hex)
{
	return (struct rgb){linear(hex >> 16), linear(hex >> 8), linear(hex)};
}

static double luminance(struct rgb c)
{
	return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

double color_contrast(struct rgb a, struct rgb b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

static double clamp(double v)
{
	return v < 0 ? 0 : v > 1 ? 1 : v;
}

struct rgb color_seen(struct rgb c, enum vision v)
{
	static const double m[VISION_COUNT][9] = {
	    {1, 0, 0, 0, 1, 0, 0, 0, 1},
	    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
	     1.051998},
	    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
	     0.968881},
	    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
	     0.303900},
	};
	const double *t = m[v];

	return (struct rgb){clamp(t[0] * c.r + t[1] * c.g + t[2] * c.b),
			    clamp(t[3] * c.r + t[4] * c.g + t[5] * c.b),
			    clamp(t[6] * c.r + t[7] * c.g + t[8] * c.b)};
}

struct lab {
	double l, a, b;
};

static double lab_f(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static struct lab to_lab(struct rgb c)
{
	double x = lab_f((0.4124564 * c.r + 0.3575761 * c.g + 0.1804375 * c.b) / 0.95047);
	double y = lab_f(0.2126729 * c.r + 0.7151522 * c.g + 0.0721750 * c.b);
	double z = lab_f((0.0193339 * c.r + 0.1191920 * c.g + 0.9503041 * c.b) / 1.08883);

	return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double degrees(double r)
{
	return r * 180 / M_PI;
}

static double radians(double d)
{
	return d * M_PI / 180;
}

static double hue(double a, double b)
{
	double h = a == 0 && b == 0 ? 0 : degrees(atan2(b, a));

	return h < 0 ? h + 360 : h;
}

static double hue_difference(double c, double h1, double h2)
{
	double d = h2 - h1;

	return c == 0 ? 0 : d > 180 ? d - 360 : d < -180 ? d + 360 : d;
}

static double hue_mean(double c, double h1, double h2)
{
	if (c == 0)
		return h1 + h2;
	if (fabs(h1 - h2) <= 180)
		return (h1 + h2) / 2;
	return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
}

static double pow7(double c)
{
	double c7 = pow(c, 7);

	return sqrt(c7 / (c7 + 6103515625.0)); /* 25 to the 7th */
}

double color_distance(struct rgb p, struct rgb q)
{
	struct lab x = to_lab(p), y = to_lab(q);
	double g = 0.5 * (1 - pow7((hypot(x.a, x.b) + hypot(y.a, y.b)) / 2));
	double a1 = (1 + g) * x.a, a2 = (1 + g) * y.a;
	double c1 = hypot(a1, x.b), c2 = hypot(a2, y.b);
	double h1 = hue(a1, x.b), h2 = hue(a2, y.b);
	double dl = y.l - x.l, dc = c2 - c1;
	double dh = 2 * sqrt(c1 * c2) * sin(radians(hue_difference(c1 * c2, h1, h2)) / 2);
	double l = (x.l + y.l) / 2 - 50, c = (c1 + c2) / 2, h = hue_mean(c1 * c2, h1, h2);
	double t = 1 - 0.17 * cos(radians(h - 30)) + 0.24 * cos(radians(2 * h)) +
		   0.32 * cos(radians(3 * h + 6)) - 0.20 * cos(radians(4 * h - 63));
	double sl = 1 + 0.015 * l * l / sqrt(20 + l * l), sc = 1 + 0.045 * c,
	       sh = 1 + 0.015 * c * t;
	double turn = 30 * exp(-pow((h - 275) / 25, 2));
	double rt = -2 * pow7(c) * sin(radians(2 * turn));

	dl /= sl, dc /= sc, dh /= sh;
	return sqrt(dl * dl + dc * dc + dh * dh + rt * dc * dh);
}
