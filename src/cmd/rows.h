/* The rows of all commands, each in the file of its command. */
#ifndef CMD_ROWS_H
#define CMD_ROWS_H

#include "cmd/table.h"

extern const struct command_row cmd_put, cmd_get, cmd_del, cmd_txn, cmd_compact, cmd_watch,
    cmd_lease_grant, cmd_lease_keep_alive, cmd_lease_list, cmd_lease_revoke, cmd_lease_timetolive,
    cmd_endpoint_health, cmd_endpoint_hashkv, cmd_endpoint_status, cmd_member_list, cmd_member_add,
    cmd_member_remove, cmd_member_update, cmd_member_promote, cmd_move_leader, cmd_alarm_list,
    cmd_alarm_disarm, cmd_defrag, cmd_lock, cmd_check_perf, cmd_check_datascale, cmd_elect,
    cmd_version, cmd_watcher, cmd_informer, cmd_unwatch, cmd_drop, cmd_resume, cmd_as, cmd_wait,
    cmd_step, cmd_stepping, cmd_timeout, cmd_interrupt, cmd_terminate, cmd_back, cmd_goto,
    cmd_continue, cmd_branch, cmd_play, cmd_pause, cmd_kill, cmd_restart, cmd_start, cmd_partition,
    cmd_cut, cmd_heal, cmd_net, cmd_disk, cmd_bug, cmd_show, cmd_trace, cmd_why, cmd_check,
    cmd_focus, cmd_zoom, cmd_layout, cmd_theme, cmd_blank, cmd_say, cmd_ask, cmd_find, cmd_set,
    cmd_demo, cmd_source, cmd_record, cmd_save, cmd_new, cmd_export, cmd_share, cmd_history,
    cmd_help, cmd_quit;

extern const struct command_row cmd_progress, cmd_stall;

extern const struct command_row cmd_auth_enable, cmd_auth_disable, cmd_user_add, cmd_user_delete,
    cmd_user_get, cmd_user_list, cmd_user_passwd, cmd_user_grant_role, cmd_user_revoke_role,
    cmd_role_add, cmd_role_delete, cmd_role_get, cmd_role_list, cmd_role_grant_permission,
    cmd_role_revoke_permission;

extern const struct command_row cmd_pause_member, cmd_resume_member, cmd_clock;
extern const struct command_row cmd_snapshot_save, cmd_snapshot_status, cmd_snapshot_restore;

#endif
