/// The lottery, other than what `AuditedLottery` checks: the entries, and that draws and their seeds are as they were made.
enum LotteryChecks {
    static let all: [AuditCheck] = [
        // With a prize a draw gets another seed, and the trail keeps the first.
        AuditCheck(
            "lottery.seal", "a draw was altered, added or deleted, or the seed of the next one replaced",
            do: "compare lottery_draws with a backup; do not start the next draw before that",
            AuditCheck.sealed(
                "lottery_draws", "entries",
                """
                SELECT juliet.prepared_part(number, created_at, coalesce((
                    SELECT details ->> 'formerSeed' FROM juliet.admin_actions
                    WHERE action = 'lottery.announce' AND subject = 'draw/' || number ORDER BY id LIMIT 1),
                    encode(seed, 'hex'))) AS part
                FROM juliet.lottery_draws
                UNION ALL
                SELECT juliet.started_part(d) FROM juliet.lottery_draws AS d WHERE started_at IS NOT NULL
                """)),
        AuditCheck(
            "lottery.announced", "prize and commitment are not the last ones that were announced",
            do:
                "compare with a backup and `juliet admin audit`; if it has not started, announce another prize, then the right one",
            """
            SELECT NULL, 'draw ' || number, format('prize %s, announced %s', lottery_draws.prize, coalesce(announced.prize, '0'))
            FROM juliet.lottery_draws LEFT JOIN LATERAL (
                SELECT details ->> 'prize' AS prize, details ->> 'commitment' AS commitment
                FROM juliet.admin_actions WHERE action = 'lottery.announce' AND subject = 'draw/' || number
                ORDER BY id DESC LIMIT 1) AS announced ON true
            WHERE lottery_draws.prize::text IS DISTINCT FROM coalesce(announced.prize, '0')
                OR announced.commitment IS DISTINCT FROM encode(lottery_draws.commitment, 'hex')
                    AND announced.prize IS NOT NULL
            """),
        AuditCheck(
            "lottery.order", "draws are missing, or the last draw is not the only one that has not started",
            do: AuditRemedy.restoreGone,
            """
            SELECT NULL, 'draw ' || number, NULL FROM (
                SELECT number, started_at, lag(number, 1, 0::bigint) OVER (ORDER BY number) AS before,
                    lead(number) OVER (ORDER BY number) AS after
                FROM juliet.lottery_draws) AS draws
            WHERE number <> before + 1 OR (started_at IS NULL) <> (after IS NULL)
            UNION ALL
            SELECT NULL, 'draw 1', 'there is no draw' WHERE NOT EXISTS (SELECT 1 FROM juliet.lottery_draws)
            """),
        AuditCheck(
            "lottery.time",
            "its times are not possible: it started before it was made, before the previous draw was over, or in the future",
            do: AuditRemedy.restore,
            """
            SELECT NULL, 'draw ' || number, format('made %s, started %s', created_at, started_at) FROM (
                SELECT number, created_at, started_at,
                    lag(started_at + loading + pace * cardinality(rounds)) OVER (ORDER BY number) AS ready_at,
                    lag(started_at) OVER (ORDER BY number) AS started_before
                FROM juliet.lottery_draws) AS draws
            WHERE started_at < greatest(created_at, ready_at) OR created_at > started_before
                OR greatest(created_at, started_at) > now() + interval '10 minutes'
            """),
        AuditCheck(
            "lottery.operator", "a draw with a prize and the audit trail differ on who started it",
            do: AuditRemedy.restore,
            """
            SELECT NULL, coalesce('draw ' || number, subject), NULL
            FROM (SELECT * FROM juliet.admin_actions WHERE action = 'lottery.draw') AS done
                FULL JOIN juliet.lottery_draws ON subject = 'draw/' || number
            WHERE number IS NULL OR started_at IS NULL AND subject IS NOT NULL
                OR subject IS NULL AND started_at IS NOT NULL AND prize > 0
                OR subject IS NOT NULL AND (details ->> 'prize', details ->> 'entries')
                    IS DISTINCT FROM (prize::text, entries::text)
            """),
        AuditCheck(
            "lottery.nobody", "the entry has no participant, or one whose player does not exist",
            do: "delete the entry (`juliet lottery leave`), unless a backup has the participant or player",
            """
            SELECT NULL, 'participant ' || participant, 'no participant' FROM juliet.lottery_entries
            WHERE NOT EXISTS (SELECT 1 FROM juliet.lottery_participants WHERE number = participant)
            UNION ALL
            SELECT NULL, 'participant ' || number, 'not listed'
            FROM juliet.lottery_participants JOIN juliet.lottery_entries ON participant = number
            WHERE NOT is_listed
            """),
        AuditCheck(
            "lottery.participant",
            "the participant is not a player, or has another day of registration than the player",
            do: AuditRemedy.restore,
            """
            SELECT lottery_participants.user_id, 'participant ' || number, CASE WHEN users.id IS NULL THEN 'no player'
                ELSE format('%s here, %s for the player', registered_on, (users.created_at AT TIME ZONE 'UTC')::date) END
            FROM juliet.lottery_participants LEFT JOIN (
                SELECT id, created_at FROM juliet.users WHERE {id}) AS users ON users.id = lottery_participants.user_id
            WHERE {lottery_participants.user_id}
                AND registered_on IS DISTINCT FROM (users.created_at AT TIME ZONE 'UTC')::date
            """),
        // The last change by operators counts: an import sets again whether entries of the documents are void, and somebody
        // who left and comes back gets an entry that is not void.
        AuditCheck(
            "lottery.void", "the entry and the audit trail differ on whether it is void",
            do: "correct it with `juliet lottery void`",
            """
            WITH said AS (
                SELECT DISTINCT ON (number) number, action FROM juliet.lottery_participants JOIN juliet.admin_actions
                    ON subject = 'participant/' || number
                        AND action IN ('lottery.void', 'lottery.valid', 'lottery.leave')
                        OR action = 'lottery.import' AND number < 1000000000
                ORDER BY number, id DESC)
            SELECT NULL, 'participant ' || participant, CASE WHEN is_void THEN 'void' ELSE 'not void' END
            FROM juliet.lottery_entries LEFT JOIN said ON said.number = participant
            WHERE is_void AND (action IN ('lottery.valid', 'lottery.leave')
                    OR action IS NULL AND participant >= 1000000000)
                OR NOT is_void AND action = 'lottery.void'
            """),
        AuditCheck(
            "lottery.numbers", "the next player to enter would get a number that is taken",
            do:
                "run SELECT setval('juliet.lottery_player_numbers', (SELECT max(number) FROM juliet.lottery_participants))",
            """
            SELECT NULL, 'lottery_player_numbers', format('at %s, taken %s', last_value, taken)
            FROM juliet.lottery_player_numbers, (
                SELECT max(number) AS taken FROM juliet.lottery_participants WHERE number >= 1000000000) AS numbers
            WHERE last_value < taken OR last_value = taken AND NOT is_called
            """),
    ]
}
