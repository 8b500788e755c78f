extension Damage {
    private static let ada = Someone.ada
    private static let salted = "(SELECT gen_random_uuid() AS fresh) AS new"

    static let toWords: [Damage] = [
        Damage(
            "a played word is deleted", "DELETE FROM played_words WHERE user_id = 'ANNA' AND number = 1", "words.bits",
            "ANNA"),
        Damage(
            "the bits of secrets played are emptied", "UPDATE users SET played_secrets = '' WHERE id = 'ANNA'",
            "words.bits", "ANNA"),
        Damage(
            "a secret is played that was not",
            "UPDATE users SET played_secrets = set_bit(played_secrets, 5, 1) WHERE id = 'ANNA'", "words.bits", "ANNA"),
        Damage(
            "two secrets change places",
            """
            UPDATE words SET place = NULL WHERE word = 'house';
            UPDATE words SET place = 7 WHERE word = 'apple';
            UPDATE words SET place = 0 WHERE word = 'house'
            """,
            "words.bits", "ANNA"),
        Damage(
            "the number of words played is changed", "UPDATE users SET words_played = 9 WHERE id = 'ANNA'",
            "words.number", "ANNA"),
        Damage(
            "the bits of judged secrets are emptied", "UPDATE players SET judged_secrets = '' WHERE user_id = '\(ada)'",
            "words.judged", ada),
        Damage(
            "a bit of a secret that no judged game had is set",
            "UPDATE players SET judged_secrets = ~ judged_secrets WHERE user_id = '\(ada)'",
            "words.judged", ada),
        Damage(
            "the last played word is deleted", "DELETE FROM played_words WHERE user_id = 'ANNA' AND number = 3",
            "words.number", "ANNA"),
        Damage(
            "a word is played twice",
            "UPDATE played_words SET word_id = (SELECT word_id FROM played_words WHERE user_id = 'ANNA' AND number = 1) WHERE user_id = 'ANNA'",
            "words.number", "ANNA"),
        Damage(
            "a played word is no word", "UPDATE played_words SET word_id = 9999 WHERE user_id = 'ANNA'", "words.played",
            "played word 1 of player ANNA"),
        Damage(
            "a word is played by nobody", "INSERT INTO played_words VALUES ('nobody', 1, 1)", "words.played", "nobody"),
        Damage("a secret is deleted", "DELETE FROM words WHERE word = 'house'", "words.place", "place 7"),
        Damage("a place is taken", "UPDATE words SET place = NULL WHERE word = 'joker'", "words.place", "en/joker"),
        Damage(
            "what can be dealt is less", "UPDATE word_lists SET dealable = set_bit(dealable, 0, 0)", "words.list",
            "en, 5 letters"),
        Damage(
            "a list has other letters", "UPDATE word_lists SET alphabet = 'äz'", "words.list", "en, 5 letters"),
        Damage("a list is deleted", "DELETE FROM word_lists", "words.list", "en, 5 letters"),
        Damage("a retired word can be dealt", "UPDATE word_lists SET dealable = ~dealable", "words.list", "en"),
        Damage("a word to guess is deleted", "DELETE FROM words WHERE word = 'music'", "words.seal", "en, 5 letters"),
        Damage(
            "a word to guess is added", "INSERT INTO words (language, word, is_secret) VALUES ('en', 'zzzzz', false)",
            "words.seal", "en"),
        Damage(
            "a word means something else",
            "UPDATE words SET meaning = 'you have won: example.com' WHERE word = 'lemon'",
            "words.seal", "en, 5 letters"),
        Damage(
            "a word is spelled otherwise", "UPDATE words SET word = 'lemom' WHERE word = 'lemon'", "words.seal", "en"),
        Damage(
            "a secret can be guessed only", "UPDATE words SET is_secret = false WHERE word = 'joker'", "words.seal",
            "en"),
        Damage(
            "a word that was retired is back",
            "UPDATE words SET retired_at = NULL, is_banned = false WHERE word = 'igloo'", "words.trail", "en/igloo"),
        Damage("a word that was retired is gone", "DELETE FROM words WHERE word = 'igloo'", "words.trail", "en/igloo"),
        Damage(
            "tomorrow's word is replaced, with a commitment that fits",
            """
            UPDATE daily_words SET word = 'joker', salt = fresh, commitment = commitment(fresh, 'joker')
            FROM \(salted) WHERE day = today() + 1
            """, "words.daily", "another word and salt"),
        Damage(
            "a day's commitment is replaced", "UPDATE daily_words SET commitment = sha256('x') WHERE day = today() + 3",
            "words.daily", "another commitment"),
        Damage(
            "a day's word is none",
            "DELETE FROM words WHERE word = (SELECT word FROM daily_words WHERE day = today() + 4)",
            "words.daily", "no word of the lists"),
        Damage(
            "a day is deleted that others follow", "DELETE FROM daily_words WHERE day = today() + 9", "words.daily",
            "the day before it is gone"),
        Damage(
            "a day is said to be planned", "UPDATE daily_words SET is_planned = true WHERE day = today() + 5",
            "words.daily", "day "),
        Damage(
            "a day begins an hour later",
            "UPDATE days SET starts_at = starts_at + interval '1 hour' WHERE day = today() + 1",
            "words.begins", "day "),
        Damage(
            "a day's begin is deleted", "DELETE FROM days WHERE day = today() + 1", "words.begins",
            "the day before it is gone"),
        Damage("a day to come is deleted", "DELETE FROM daily_words WHERE day = today() + 9", "words.days", "day "),
    ]

    static let toPurchases: [Damage] = [
        Damage(
            "a product is changed", "UPDATE purchases SET product = 'hundred' WHERE transaction_id = 'T1'",
            "purchases.seal", "transaction Production/T1 of player ANNA"),
        Damage(
            "the day of a purchase is changed",
            "UPDATE purchases SET purchased_at = purchased_at - interval '1 year' WHERE transaction_id = 'T1'",
            "purchases.seal", "Production/T1"),
        Damage(
            "the day it was presented is changed",
            "UPDATE purchases SET created_at = created_at - interval '1 year' WHERE transaction_id = 'T1'",
            "purchases.seal", "Production/T1"),
        Damage(
            "a quantity is changed", "UPDATE purchases SET quantity = 2 WHERE transaction_id = 'T1'", "purchases.seal",
            "Production/T1"),
        Damage(
            "a refund is forgotten", "UPDATE purchases SET is_refunded = false WHERE transaction_id = 'T5'",
            "purchases.decided", "Production/T5"),
        Damage(
            "a refund that nobody told of",
            "UPDATE purchases SET is_refunded = true WHERE transaction_id = 'T1'", "purchases.decided", "Production/T1"),
        Damage(
            "the date of a refund is gone", "UPDATE purchases SET decided_at = NULL WHERE transaction_id = 'T5'",
            "purchases.decided", "Production/T5"),
        Damage(
            "a notification is deleted", "DELETE FROM store_notifications WHERE id = 'n2'", "purchases.notifications",
            "4 rows, 5 sealed"),
        Damage(
            "all notifications are deleted", "DELETE FROM store_notifications", "purchases.notifications", "0 rows"),
        Damage(
            "a notification is about another transaction",
            "UPDATE store_notifications SET transaction_id = 'T9' WHERE id = 'n2'", "purchases.notifications"),
        Damage(
            "a notification is of another kind", "UPDATE store_notifications SET type = 'TEST' WHERE id = 'n1'",
            "purchases.notifications"),
        Damage(
            "a notification is added",
            "INSERT INTO store_notifications (id, type, signed_at) VALUES ('n9', 'TEST', now())",
            "purchases.notifications"),
        Damage(
            "a notification names a deleted player",
            "UPDATE store_notifications SET payload = 'signed' WHERE id = 'n4'", "purchases.privacy", "notification n4"),
        Damage(
            "a notification was applied before it came",
            "UPDATE store_notifications SET applied_at = received_at - interval '1 day' WHERE id = 'n1'",
            "purchases.time", "notification n1"),
        Damage(
            "a refund that nobody applied", "DELETE FROM purchases WHERE transaction_id = 'T5'",
            "purchases.refundUnheeded", "Production/T5"),
    ]
}
