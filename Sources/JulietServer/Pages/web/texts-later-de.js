export default {
    "reason.registration": "Geschenk zum Anfang",
    "reason.import": "Übernommen",
    "reason.game": "Ein eigenes Wort",
    "reason.purchase": "Gekauft",
    "reason.clientReport": "Von der App gemeldet",
    "reason.support": "Vom Support",
    "reason.refund": "Zurückerstattet",
    "reason.lottery": "Bei der Verlosung gewonnen",
    "reason.refill": "Mit der Zeit nachgewachsen",
    "reason.daily": "Wort des Tages",
    "reason.challenge": "Eine Herausforderung",
    "reason.merge": "Von deinem anderen Profil",
    "reason.other": "Etwas anderes"
};
