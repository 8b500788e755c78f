extension Damage {
    private static let ada = Someone.ada
    private static let next = "started_at IS NULL"

    static let toLottery: [Damage] = [
        Damage(
            "the next draw's seed is replaced, with a commitment that fits",
            "UPDATE lottery_draws SET seed = sha256('x'), commitment = sha256(sha256('x')) WHERE \(next)",
            "lottery.seal", "lottery_draws"),
        Damage(
            "the next draw's seed is replaced alone", "UPDATE lottery_draws SET seed = sha256('x') WHERE \(next)",
            "lottery.drawAltered", "draw 2"),
        Damage(
            "a draw that is over is deleted", "DELETE FROM lottery_draws WHERE number = 1", "lottery.order", "draw 2"),
        Damage("the next draw is deleted", "DELETE FROM lottery_draws WHERE \(next)", "lottery.order", "draw 1"),
        Damage("all draws are deleted", "DELETE FROM lottery_draws", "lottery.order", "there is no draw"),
        Damage(
            "a start is moved",
            "UPDATE lottery_draws SET started_at = started_at + interval '1 minute' WHERE number = 1", "lottery.seal"),
        Damage(
            "a start is moved before the draw was made",
            "UPDATE lottery_draws SET started_at = created_at - interval '1 day' WHERE number = 1", "lottery.time",
            "draw 1"),
        Damage(
            "a draw was made tomorrow",
            "UPDATE lottery_draws SET created_at = now() + interval '1 day' WHERE number = 2", "lottery.time",
            "draw 2"),
        Damage(
            "the pace of a draw is changed", "UPDATE lottery_draws SET pace = '1 s' WHERE number = 1", "lottery.seal"),
        Damage(
            "a prize is higher", "UPDATE lottery_draws SET prize = 500 WHERE number = 1", "lottery.announced", "draw 1"),
        Damage(
            "a prize that nobody announced", "UPDATE lottery_draws SET prize = 500 WHERE \(next)", "lottery.announced",
            "draw 2"),
        Damage(
            "a winner is changed", "UPDATE lottery_draws SET winner = coalesce(winner, 0) + 1 WHERE number = 1",
            "lottery.drawAltered", "draw 1"),
        Damage(
            "the list of a draw is changed", "UPDATE lottery_lists SET list = list || E'1 0\\n'",
            "lottery.drawAltered", "draw 1"),
        Damage(
            "the trail of a draw is gone", "DELETE FROM admin_actions WHERE action = 'lottery.draw'",
            "lottery.operator", "draw 1"),
        Damage(
            "an entry of nobody", "INSERT INTO lottery_entries (participant) VALUES (77)", "lottery.nobody",
            "participant 77"),
        Damage(
            "an entry of a participant who left", "UPDATE lottery_participants SET is_listed = false WHERE number = 7",
            "lottery.nobody", "participant 7"),
        Damage(
            "a participant is another player",
            "UPDATE lottery_participants SET user_id = 'nobody' WHERE user_id = 'ANNA'", "lottery.participant",
            "nobody"),
        Damage(
            "a participant came on another day",
            "UPDATE lottery_participants SET registered_on = '2020-01-01' WHERE user_id = 'ANNA'",
            "lottery.participant", "ANNA"),
        Damage(
            "an entry is void that was not",
            "UPDATE lottery_entries SET is_void = true WHERE participant = (SELECT number FROM lottery_participants WHERE user_id = 'ANNA')",
            "lottery.void", "participant 1"),
        Damage(
            "an entry is not void any more",
            "UPDATE lottery_entries SET is_void = false WHERE participant >= 1000000000", "lottery.void",
            "not void"),
        Damage(
            "the numbers of participants begin anew", "SELECT setval('lottery_player_numbers', 1000000000, false)",
            "lottery.numbers", "lottery_player_numbers",
            undo: "SELECT setval('lottery_player_numbers', (SELECT max(number) FROM lottery_participants))"),
    ]

    static let toTrail: [Damage] = [
        Damage(
            "the last line is cut off", "DELETE FROM admin_actions WHERE id = (SELECT max(id) FROM admin_actions)",
            "trail.seal", "admin_actions"),
        Damage("the trail is emptied", "DELETE FROM admin_actions", "trail.seal", "0 lines"),
        Damage(
            "an actor is changed", "UPDATE admin_actions SET actor = 'os:root' WHERE action = 'word.retire'",
            "trail.seal"),
        Damage(
            "a reason is changed", "UPDATE admin_actions SET reason = 'fun' WHERE action = 'word.retire'", "trail.seal"),
        Damage(
            "details are changed", "UPDATE admin_actions SET details = '{}' WHERE action = 'word.retire'", "trail.seal"),
        Damage(
            "a time is changed", "UPDATE admin_actions SET done_at = done_at - interval '1 day'", "trail.seal",
            "admin_actions"),
        Damage(
            "a line of tomorrow",
            "UPDATE admin_actions SET done_at = now() + interval '1 day' WHERE action = 'word.retire'", "trail.time",
            "line "),
        Damage(
            "a line is added", "INSERT INTO admin_actions (actor, action) VALUES ('os:root', 'key.add')", "trail.seal"),
        Damage(
            "a line is about another player",
            "UPDATE admin_actions SET user_id = 'ANNA' WHERE action = 'energy.grant' AND user_id = 'BEN'",
            "trail.grant", "ANNA"),
        Damage(
            "a line is about nobody", "UPDATE admin_actions SET user_id = 'nobody' WHERE action = 'lottery.void'",
            "trail.player", "nobody"),
        Damage(
            "a grant has no line", "DELETE FROM admin_actions WHERE action = 'energy.grant' AND user_id = 'BEN'",
            "trail.grant", "no line"),
        Damage(
            "a key is added", "INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256('mine'), 'eve', 'owner')",
            "trail.key",
            "key of eve"),
        Damage(
            "a key is added, with a line",
            "INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(sha256('mine')), 'eve', 'owner'); INSERT INTO admin_actions (actor, action, subject, details, done_at) SELECT 'os:root', 'key.add', 'eve', jsonb_build_object('role', role), created_at FROM admin_keys WHERE name = 'eve'",
            "trail.seal", "admin_keys"),
        Damage(
            "a key is another", "UPDATE admin_keys SET key_hash = sha256('mine') WHERE name = 'kim'", "trail.seal",
            "admin_keys"),
        Damage(
            "a key may do more", "UPDATE admin_keys SET role = 'owner' WHERE name = 'mia'", "trail.key",
            "made for words"),
        Damage("a key is deleted", "DELETE FROM admin_keys WHERE name = 'kim'", "trail.key", "key of kim"),
        Damage(
            "a revoked key is valid again", "UPDATE admin_keys SET revoked_at = NULL WHERE name = 'lee'", "trail.key",
            "it was revoked and is not"),
        Damage(
            "a key is revoked by nobody", "UPDATE admin_keys SET revoked_at = now() WHERE name = 'kim'", "trail.key",
            "nobody revoked it"),
        Damage(
            "rules are changed", "UPDATE rules SET claims = 'refuse' WHERE since > '-infinity'", "trail.rules",
            "rules since"),
        Damage("rules are deleted", "DELETE FROM rules WHERE since > '-infinity'", "trail.rules", "they are gone"),
        Damage(
            "rules are added",
            "INSERT INTO rules SELECT now(), set_by, 1000, game_price, client_updates, maximum_energy, claims, claimed_app, verification, unverified_daily_limit, refill_amount, refill_every, refill_up_to, daily_reward, language, letters, time_zone FROM rules WHERE since = '-infinity'",
            "trail.rules", "rules since"),
        Damage(
            "rules held earlier", "UPDATE rules SET since = since - interval '1 day' WHERE since > '-infinity'",
            "trail.rules", "rules since"),
        Damage(
            "rules are somebody else's", "UPDATE rules SET set_by = 'os:root' WHERE since > '-infinity'",
            "trail.rules", "rules since"),
        Damage(
            "the first rules are gone", "DELETE FROM rules WHERE since = '-infinity'", "trail.rules", "the first rules"),
        Damage("the seals are deleted", "DELETE FROM trail_seals", "trail.seal", "0 sealed, 0 of 2 seals"),
        Damage(
            "the service's seal of a trail is deleted, which has no entries",
            "DELETE FROM trail_seals WHERE trail = 'admin_keys' AND writer = 'service'", "trail.seal", "1 of 2 seals"),
    ]
}
