/* What a piece of the screen is.  How it looks is the theme's business (theme.h). */
#ifndef UI_STYLE_H
#define UI_STYLE_H

enum style {
	STYLE_NORMAL,
	STYLE_HEADER,
	STYLE_TITLE,
	STYLE_TITLE_FOCUSED,
	STYLE_STAGE, /* of the path: where the request is */
	STYLE_SELECTED,
	STYLE_KEY,     /* name of a key in the key bar */
	STYLE_CHANGED, /* new in this step */
	STYLE_REMOVED, /* went in this step */
	STYLE_HINT,    /* syntax that might follow */
	STYLE_NEXT,    /* the message that will be delivered next */
	STYLE_LEADER,
	STYLE_FOLLOWER,
	STYLE_PRE_CANDIDATE,
	STYLE_CANDIDATE,
	STYLE_LEARNER,
	STYLE_DOWN,
	STYLE_TERM1, /* entry of term 1, 9, 17 ... that its member knows to be committed */
	STYLE_TERM2,
	STYLE_TERM3,
	STYLE_TERM4,
	STYLE_TERM5,
	STYLE_TERM6,
	STYLE_TERM7,
	STYLE_TERM8,
	STYLE_UNCOMMITTED,
	STYLE_UNSYNCED, /* not yet on disk */
	STYLE_ERROR,
	STYLE_COUNT
};

enum { STYLE_TERMS = 8 };

#endif
