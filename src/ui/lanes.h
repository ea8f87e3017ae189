/* The log of a member as a row of cells. */
#ifndef UI_LANES_H
#define UI_LANES_H

#include "ui/scene.h"

/* The same range of indexes in all lanes, so that a column is an index. */
struct range {
	uint64_t first, last; /* first > last: no cells */
	int width;	      /* columns of a cell */
	int left;	      /* columns before the cells, for what is older; 0: nothing is */
	bool labels;	      /* slim: terms stand between the cells where one changes */
};

enum cell_form {
	CELLS_SLIM,  /* [1](2)      one row */
	CELLS_PLAIN, /* [ 1 ]( 2 )  two rows, the second with terms */
	CELLS_BOXED  /* three rows in a frame */
};

struct range lanes_range(const struct scene *s, enum cell_form f, int columns);
void draw_cells(const struct scene *s, struct canvas *c, int x, int y, const struct range *r,
		enum cell_form f, const struct member *m);

#endif
