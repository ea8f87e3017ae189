/* Commands that belong to the layers above: the player moves through time, the session keeps files
 * and settings, the screen draws.  They stand in the table for help and completion; the shell hands
 * them back (SHELL_NOT_HERE). */
#include "cmd/rows.h"

static const struct flag_row save_flags[] = {
    {.name = "all",
     .type = FLAG_BOOL,
     .fallback = "false",
     .help = "every other branch too, as FILE-NAME.scope"},
};

const struct command_row cmd_back = {.name = "back",
				     .group = GROUP_TIME,
				     .layer = LAYER_PLAYER,
				     .usage = "back [step | event | command] [N]",
				     .summary = "Goes back in time",
				     .example = "back event 3",
				     .arguments = "step|event|command"};

const struct command_row cmd_goto = {.name = "goto",
				     .group = GROUP_TIME,
				     .layer = LAYER_PLAYER,
				     .usage = "goto <step>[.<event>]",
				     .summary = "Goes to a step, or to an event inside it",
				     .example = "goto 12.3",
				     .arguments = "STEP"};

const struct command_row cmd_continue = {.name = "continue",
					 .group = GROUP_TIME,
					 .layer = LAYER_PLAYER,
					 .usage = "continue",
					 .summary = "Runs the script to the end of its next step",
					 .example = "continue"};

const struct command_row cmd_branch = {.name = "branch",
				       .group = GROUP_TIME,
				       .layer = LAYER_PLAYER,
				       .usage = "branch [name]",
				       .summary = "Lists the branches, or switches to one",
				       .example = "branch main",
				       .arguments = "@branch"};

const struct command_row cmd_play = {.name = "play",
				     .group = GROUP_TIME,
				     .layer = LAYER_SCREEN,
				     .usage = "play [0.25 | 0.5 | 1 | 2 | 4 | 8 | 16]",
				     .summary =
					 "Plays the script by itself; 1: a step in two seconds",
				     .example = "play 2",
				     .arguments = "0.25|0.5|1|2|4|8|16"};

const struct command_row cmd_pause = {.name = "pause",
				      .group = GROUP_TIME,
				      .layer = LAYER_SCREEN,
				      .usage = "pause",
				      .summary = "Stops playing",
				      .example = "pause"};

const struct command_row cmd_demo = {.name = "demo",
				     .group = GROUP_SESSION,
				     .layer = LAYER_SESSION,
				     .usage = "demo [number | name]",
				     .summary = "Lists the demos, or begins one",
				     .example = "demo 1",
				     .arguments = "1|2|3|4|5|6|7|8"};

const struct command_row cmd_source = {.name = "source",
				       .group = GROUP_SESSION,
				       .layer = LAYER_SESSION,
				       .usage = "source <file>",
				       .summary = "Runs the commands of a script",
				       .example = "source lesson.scope",
				       .arguments = "@file"};

const struct command_row cmd_record = {.name = "record",
				       .group = GROUP_SESSION,
				       .layer = LAYER_SESSION,
				       .usage = "record <file>",
				       .summary =
					   "Records the session as a script, with its output",
				       .example = "record lesson.scope",
				       .arguments = "@file"};

const struct command_row cmd_save = {
    .name = "save",
    .group = GROUP_SESSION,
    .layer = LAYER_SESSION,
    .usage = "save <file> [--all]",
    .summary = "Writes the commands from the start to the end of this branch as a script",
    .example = "save lesson.scope",
    .arguments = "@file",
    .flags = save_flags,
    .nflags = 1};

const struct command_row cmd_new = {.name = "new",
				    .group = GROUP_SESSION,
				    .layer = LAYER_SESSION,
				    .usage = "new [--members=N] [--seed=N] [--<setting>=VALUE ...]",
				    .summary = "Begins with a fresh cluster",
				    .example = "new --members=5 --seed=7",
				    .arguments = "--@setting"};

const struct command_row cmd_export = {.name = "export",
				       .group = GROUP_SESSION,
				       .layer = LAYER_SESSION,
				       .usage = "export <file>",
				       .summary =
					   "Writes the screen (.txt, .ans, .svg), the steps up "
					   "to here (.cast) or the script (.scope)",
				       .example = "export screen.txt",
				       .arguments = "@file"};

const struct command_row cmd_share = {.name = "share",
				      .group = GROUP_SESSION,
				      .layer = LAYER_SESSION,
				      .usage = "share",
				      .summary =
					  "Prints the session as a script to paste elsewhere",
				      .example = "share"};

const struct command_row cmd_history = {.name = "history",
					.group = GROUP_SESSION,
					.layer = LAYER_SESSION,
					.usage = "history",
					.summary = "Lists the commands typed",
					.example = "history"};

const struct command_row cmd_quit = {.name = "quit",
				     .alias = "exit",
				     .group = GROUP_SESSION,
				     .layer = LAYER_SESSION,
				     .usage = "quit",
				     .summary = "Ends the program",
				     .example = "quit"};

const struct command_row cmd_focus = {.name = "focus",
				      .group = GROUP_LOOKING,
				      .layer = LAYER_SCREEN,
				      .usage = "focus <pane>",
				      .summary = "Moves the focus to a pane",
				      .example = "focus store",
				      .arguments = "client|members|store|watch|leases|story"};

const struct command_row cmd_zoom = {.name = "zoom",
				     .group = GROUP_LOOKING,
				     .layer = LAYER_SCREEN,
				     .usage = "zoom [pane]",
				     .summary = "Gives a pane the whole screen, or takes it back",
				     .example = "zoom store",
				     .arguments = "client|members|store|watch|leases|story"};

const struct command_row cmd_layout = {.name = "layout",
				       .group = GROUP_LOOKING,
				       .layer = LAYER_SCREEN,
				       .usage = "layout [name]",
				       .summary = "Chooses a layout",
				       .example = "layout wide",
				       .arguments = "NAME"};

const struct command_row cmd_theme = {.name = "theme",
				      .group = GROUP_LOOKING,
				      .layer = LAYER_SCREEN,
				      .usage = "theme [name]",
				      .summary = "Chooses the colours",
				      .example = "theme dark",
				      .arguments = "NAME"};

const struct command_row cmd_blank = {.name = "blank",
				      .group = GROUP_LOOKING,
				      .layer = LAYER_SCREEN,
				      .usage = "blank",
				      .summary = "Blanks the screen until a key is pressed",
				      .example = "blank"};

const struct command_row cmd_say = {.name = "say",
				    .group = GROUP_LOOKING,
				    .layer = LAYER_SCREEN,
				    .usage = "say <text>",
				    .summary = "Shows a line in the story pane",
				    .example = "say 'watch the revision'",
				    .arguments = "TEXT"};

const struct command_row cmd_ask = {.name = "ask",
				    .group = GROUP_LOOKING,
				    .layer = LAYER_SCREEN,
				    .usage = "ask <text>",
				    .summary = "Shows a question in the story pane",
				    .example = "ask 'which revision?'",
				    .arguments = "TEXT"};

const struct command_row cmd_find = {.name = "find",
				     .group = GROUP_LOOKING,
				     .layer = LAYER_SCREEN,
				     .usage = "find <text>",
				     .summary = "Finds text in the pane that has the focus",
				     .example = "find web-1",
				     .arguments = "TEXT"};
