-- The service may call the functions of the second contract, and see to the boards. It reads none of their tables.

-- migrate:up
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        GRANT EXECUTE ON FUNCTION claimed_user(text), create_player(text, text, text, bytea, uuid, bytea),
            create_session(bytea, bytea, uuid, bytea), renew_recovery(bytea, bytea), list_sessions(bytea),
            revoke_session(bytea, uuid), read_player(bytea), rename_player(bytea, text),
            list_energy(bytea, integer, integer), export_player(bytea), delete_player(bytea, text),
            start_judged_game(bytea, text, integer, text, bigint), read_game(bytea, uuid),
            list_games(bytea, uuid, integer, text), guess(bytea, uuid, text, integer, text, bigint),
            resign_game(bytea, uuid), choose_daily_words(text, integer), read_today(bytea, text, integer),
            read_past_day(bytea, date), start_daily_game(bytea, text, integer),
            read_board(bytea, board, date, integer, boolean), tend_boards() TO juliet_service;
    END IF;
END
$$;

-- migrate:down
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        REVOKE ALL ON FUNCTION claimed_user(text), create_player(text, text, text, bytea, uuid, bytea),
            create_session(bytea, bytea, uuid, bytea), renew_recovery(bytea, bytea), list_sessions(bytea),
            revoke_session(bytea, uuid), read_player(bytea), rename_player(bytea, text),
            list_energy(bytea, integer, integer), export_player(bytea), delete_player(bytea, text),
            start_judged_game(bytea, text, integer, text, bigint), read_game(bytea, uuid),
            list_games(bytea, uuid, integer, text), guess(bytea, uuid, text, integer, text, bigint),
            resign_game(bytea, uuid), choose_daily_words(text, integer), read_today(bytea, text, integer),
            read_past_day(bytea, date), start_daily_game(bytea, text, integer),
            read_board(bytea, board, date, integer, boolean), tend_boards() FROM juliet_service;
    END IF;
END
$$;
