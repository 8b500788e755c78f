-- What each table holds, for whoever looks at the database with \dt+.

-- Users and energy
COMMENT ON TABLE users IS 'Players, their balance and their wins.';
COMMENT ON TABLE energy_ledger IS 'Every change of a balance, and the answers to named operations.';
COMMENT ON TABLE energy_ledger_archive IS 'Old entries that operators moved out of the ledger.';
COMMENT ON TABLE energy_checkpoints IS 'Where ledger and archive of a player begin, after older entries went.';
COMMENT ON TABLE closed_ledgers IS 'How the ledgers of deleted players (under pseudonyms) and merged ones end.';

-- Words
COMMENT ON TABLE words IS 'Words that may be guessed, and which of them are secrets.';
COMMENT ON TABLE word_lists IS 'Of each language and length: which secrets can be dealt, as bits, and the letters.';
COMMENT ON TABLE blocked_words IS 'Words that operators block: in no list, and in no challenge.';
COMMENT ON TABLE played_words IS 'Words that a player has played, the latest last.';

-- Players
COMMENT ON TABLE players IS 'Players of /v2: their names, recovery codes and statistics.';
COMMENT ON TABLE sessions IS 'Devices that are signed in, by the digests of their tokens.';
COMMENT ON TABLE merges IS 'Players merged into others, and who holds their records now.';
COMMENT ON TABLE claims IS 'Players of the app who became players of /v2.';
COMMENT ON TABLE passkeys IS 'Passkeys that sign players in: their public keys.';
COMMENT ON TABLE identities IS 'Who players are to the providers that vouch for them.';
COMMENT ON TABLE used_nonces IS 'Challenges and nonces that were answered, until they have ended.';
COMMENT ON TABLE nonce_keys IS 'What challenges and nonces are signed with; the newest row is in use.';

-- Games
COMMENT ON TABLE judged_games IS 'Games that the service judges, with their words.';
COMMENT ON TABLE days IS 'When each day of the game begins.';
COMMENT ON TABLE daily_words IS 'The word of each day.';
COMMENT ON TABLE challenges IS 'Words that friends play by a code, each for themselves.';

-- Boards
COMMENT ON TABLE board_entries IS 'Scores of players on the leaderboards.';
COMMENT ON TABLE board_counts IS 'How many entries of a leaderboard have which scores.';
COMMENT ON TABLE board_changes IS 'Changes of scores that are not counted yet.';

-- Leagues
COMMENT ON TABLE daily_results IS 'How the days'' words of a month ended for a player.';
COMMENT ON TABLE leagues IS 'Leagues, and the invites to them.';
COMMENT ON TABLE league_members IS 'Who is in which league, and since when.';

-- Purchases
COMMENT ON TABLE purchases IS 'Transactions of the App Store, and what became of them.';
COMMENT ON TABLE store_notifications IS 'What the App Store sent by itself.';
COMMENT ON TABLE unverified_purchases IS 'How much a player bought in a day without a signature of the App Store.';

-- Lottery
COMMENT ON TABLE lottery_participants IS 'Everybody who ever took part in the lottery.';
COMMENT ON TABLE lottery_entries IS 'Who takes part in the next draw.';
COMMENT ON TABLE lottery_changes IS 'How often participants and entries changed: the version of the documents.';
COMMENT ON TABLE lottery_lists IS 'Lists of participants as draws froze them.';
COMMENT ON TABLE lottery_draws IS 'Draws of the lottery, and the next one.';

-- Operators
COMMENT ON TABLE admin_keys IS 'Keys to the admin page, by their digests.';
COMMENT ON TABLE admin_key_uses IS 'When the keys to the admin page were last used.';
COMMENT ON TABLE admin_sessions IS 'Who is signed in to the admin page, by the digests of sessions.';
COMMENT ON TABLE admin_actions IS 'The audit trail: who changed what, when and why.';
COMMENT ON TABLE former_actions IS 'What operators did to players who are deleted since, by the digest of the id.';
COMMENT ON TABLE refused_names IS 'What no name may have in it.';
COMMENT ON TABLE figures IS 'What was counted of days, weeks and months that are over.';
COMMENT ON TABLE trail_seals IS 'Checksums of the trails that only grow.';

-- The service
COMMENT ON TABLE rules IS 'The rules of the game; the newest row is in force.';
COMMENT ON TABLE services IS 'Services that run on this database, and their releases.';
COMMENT ON TABLE commit_marks IS 'Always empty. Makes several servers commit together.';
