export default {
    "reason.registration": "A gift to begin with",
    "reason.import": "Taken over",
    "reason.game": "A word of your own",
    "reason.purchase": "Bought",
    "reason.clientReport": "Told by the app",
    "reason.support": "By support",
    "reason.refund": "Refunded",
    "reason.lottery": "Won in the lottery",
    "reason.refill": "Came back with time",
    "reason.daily": "Word of the day",
    "reason.challenge": "A challenge",
    "reason.merge": "From your other player",
    "reason.other": "Something else"
};
