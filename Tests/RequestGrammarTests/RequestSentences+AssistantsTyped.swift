extension RequestSentences {
    /// English, as it is typed: times at the end, days without a date, messages that are not words.
    static let assistantTyped = """
        remind me ot buy milk tomorrow
          = Remind you of “buy milk” on Friday 27 November 2026
        remind me to buy milk ni 10 minutes
          = Remind you of “buy milk” on Thursday 26 November 2026 at 10:10
        remind me to buy milk a t 5
          = none: “a t 5” is not a time that is understood here. Give an…
        remind me to buy milk at 5p
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remind me to buy milk at 5 30
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:30
        remind me at 5 30 to buy milk
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:30
        remind me at 5 30 pm to buy milk
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:30
        remind me to buy milk 5 30
          = none: “5 30” is not a time that is understood here. Give ano…
        remind me to buy milk after school
          = none: “after school” is not a time that is understood here.…
        remind me to buy milk late tonight
          = Remind you of “buy milk” on Thursday 26 November 2026 at 22:00
        remind me to buy milk xmas eve
          = Remind you of “buy milk” on Thursday 24 December 2026
        remind me to buy milk on thanksgiving
          = none: “on thanksgiving” is not a time that is understood her…
        remind me to buy milk on mother's day
          = none: “on mother's day” is not a time that is understood her…
        remind me to buy milk if it's raining
          = none: “if it's raining” is not a time that is understood her…
        ok so remind me to buy milk at 5
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        um remind me to buy milk at 5
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        could you maybe remind me to buy milk at 5
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remind me to buy milk at 5 ok
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remind me to buy milk at 5 if you can
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remind me about 5 things
          = or: Remind you of “things” on Thursday 26 November 2026 at 17:00 / Remind you of “5 things”
        remind me for 5
          = none: Say also what you want to be reminded of.
        remind me in under an hour to breathe
          = none: “in under an” is not a time that is understood here. G…
        remind me within the hour to breathe
          = none: “within the” is not a time that is understood here. Gi…
        remind me within 2 hours to breathe
          = none: “within 2” is not a time that is understood here. Give…
        call anna asap
          = Call Anna Karenina (person)
        call anna quickly
          = Call Anna Karenina (person)
        call anna again
          = Call Anna Karenina (person)
        call anna real quick
          = Call Anna Karenina (person)
        call me later
          = none: Calls and messages go out at once, and nothing was don…
        facetime anna later
          = none: Calls and messages go out at once, and nothing was don…
        text anna a photo
          = none: A message has words only, and nothing was sent. “baton…
        text anna the address
          = none: A message has words only, and nothing was sent. “baton…
        text anna my number
          = none: A message has words only, and nothing was sent. “baton…
        text anna this
          = none: A message has words only, and nothing was sent. “baton…
        text anna that
          = none: A message has words only, and nothing was sent. “baton…
        text anna for me
          = Message Anna Karenina (person)
        send an sms to anna hi
          = Message Anna Karenina (person): “hi”
        tell anna a joke
          = none: A message has words only, and nothing was sent. “baton…
        tell anna at 5 to leave
          = none: Calls and messages go out at once, and nothing was don…
        ask anna at 5 if she's coming
          = none: Calls and messages go out at once, and nothing was don…
        ask anna tomorrow if she's coming
          = none: Calls and messages go out at once, and nothing was don…
        remind me about 5 to buy milk
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remind me to ask bob if it's ok
          = Remind you of “ask bob if it's ok”
        remind me to look after bob
          = Remind you of “look after bob”
        text anna see you at 5
          = Message Anna Karenina (person): “see you at 5”
        text anna it works
          = Message Anna Karenina (person): “it works”
        tell anna about it
          = Message Anna Karenina (person): “about it”
        remind me to eat at my lunch break
          = none: “at my lunch break” is not a time that is understood h…
        remind me to eat mid week
          = none: “mid week” is not a time that is understood here. Give…
        remind me to eat midweek
          = none: “midweek” is not a time that is understood here. Give…
        remind me to eat once i wake up
          = none: “once i wake up” is not a time that is understood here…
        remind me to eat after i eat
          = none: “after i eat” is not a time that is understood here. G…
        remind me to eat at tea time
          = none: “at tea time” is not a time that is understood here. G…
        remind me to eat at quarter past
          = Remind you of “eat” on Thursday 26 November 2026 at 10:15
        remind me to eat at ten past
          = Remind you of “eat” on Thursday 26 November 2026 at 10:10
        remind me to eat in the am
          = Remind you of “eat” on Friday 27 November 2026 at 09:00
        remind me to eat in the a.m.
          = Remind you of “eat” on Friday 27 November 2026 at 09:00
        remind me to eat tomorrow am
          = Remind you of “eat” on Friday 27 November 2026 at 09:00
        remind me to eat tomorrow pm
          = Remind you of “eat” on Friday 27 November 2026 at 15:00
        remind me to eat friday pm
          = Remind you of “eat” on Friday 27 November 2026 at 15:00
        remind me to eat this pm
          = Remind you of “eat” on Thursday 26 November 2026 at 15:00
        remind me to eat tmrw morn
          = Remind you of “eat” on Friday 27 November 2026 at 09:00
        remind me to eat tmrw eve
          = Remind you of “eat” on Friday 27 November 2026 at 19:00
        remind me to eat some time next week
          = none: This names more than one time or thing. Ask for one re…
        remind me to eat early next week
          = Remind you of “eat” on Monday 30 November 2026
        remind me to eat in the near future
          = none: “in the near future” is not a time that is understood…
        remind me to eat in the next few days
          = none: “in the next few days” is not a time that is understoo…
        remind me to eat in no time
          = none: “in no time” is not a time that is understood here. Gi…
        remind me to eat 2 hours later
          = none: “2 hours later” is not a time that is understood here.…
        remind me to eat 10 minutes later
          = none: “10 minutes later” is not a time that is understood he…
        remind me to eat exactly at 5
          = Remind you of “eat” on Thursday 26 November 2026 at 17:00
        remind me to eat precisely at 5
          = Remind you of “eat” on Thursday 26 November 2026 at 17:00
        remind me to eat at 5 exactly
          = Remind you of “eat” on Thursday 26 November 2026 at 17:00
        remind me to eat three times daily
          = none: This names more than one time or thing. Ask for one re…
        remind me to eat 3x a day
          = none: This names more than one time or thing. Ask for one re…
        remind me to eat 2x daily
          = none: This names more than one time or thing. Ask for one re…
        remind me to eat at 9 & 5
          = none: “at 9 & 5” is not a time that is understood here. Give…
        remind me to eat when the clock strikes 5
          = none: “when the clock strikes 5” is not a time that is under…
        remind me to eat when my phone is charged
          = none: “when my phone is charged” is not a time that is under…
        remind me to eat if i forget
          = none: “if i forget” is not a time that is understood here. G…
        remind me who i am
          = Remind you of “who i am”
        remind me to be home after dark
          = Remind you of “be home after dark”
        remind me to look at 3 houses once more
          = Remind you of “look at 3 houses once more”
        """

    /// German: as in English.
    static let assistantTypedGerman = """
        erinnere mich an milch in na stunde
          = none: “in na stunde” is not a time that is understood here.…
        erinnere mich an milch 17h
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        erinnere mich an milch 17:30
          = Remind you of “milch” on Thursday 26 November 2026 at 17:30
        erinnere mich an milch vor 5
          = none: “vor 5” is not a time that is understood here. Give an…
        erinnere mich an milch am nikolaustag
          = none: “am nikolaustag” is not a time that is understood here…
        erinnere mich an milch am muttertag
          = none: “am muttertag” is not a time that is understood here.…
        erinnere mich an milch nach der schule
          = none: “nach der schule” is not a time that is understood her…
        erinnere mich an milch nach dem training
          = none: “nach dem training” is not a time that is understood h…
        erinnere mich an milch vor der arbeit
          = none: “vor der arbeit” is not a time that is understood here…
        erinnere mich an milch wenns regnet
          = none: “wenns regnet” is not a time that is understood here.…
        erinnere mich an milch beim einkaufen
          = none: “beim einkaufen” is not a time that is understood here…
        erinnere mich an milch unterwegs
          = none: “unterwegs” is not a time that is understood here. Giv…
        erinnere mich an milch sofort
          = none: “sofort” is not a time that is understood here. Give a…
        erinnere mich an milch jetzt
          = none: “jetzt” is not a time that is understood here. Give an…
        erinnere mich bitte an milch um 5 danke
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        erinnere mich an milch um 5 ok
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        erinnere mich an milch um 5 und an eier
          = none: This names more than one time or thing. Ask for one re…
        ähm erinnere mich um 5 an milch
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        also erinnere mich um 5 an milch
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        könntest du mich bitte mal um 5 an milch erinnern
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        magst du mich um 5 an milch erinnern
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        du erinnere mich um 5 an milch
          = Remind you of “milch” on Thursday 26 November 2026 at 17:00
        erinnere mich dass ich um 5 milch kaufe
          = Remind you of “milch kaufe” on Thursday 26 November 2026 at 17:00
        frag Anna morgen ob sie kommt
          = none: Calls and messages go out at once, and nothing was don…
        ruf Anna später an
          = none: Calls and messages go out at once, and nothing was don…
        schreib Anna um 5 wo bist du
          = none: Calls and messages go out at once, and nothing was don…
        ruf Anna bitte sofort an
          = Call Anna Karenina (person)
        erinnere mich an den müll mitte der woche
          = none: “mitte der woche” is not a time that is understood her…
        erinnere mich an den müll am 3. nächsten monats
          = none: “am 3. nächsten monats” is not a time that is understo…
        erinnere mich an den müll nachdem ich gegessen habe
          = none: “nachdem ich gegessen habe” is not a time that is unde…
        erinnere mich an den müll zur kaffeezeit
          = none: “zur kaffeezeit” is not a time that is understood here…
        erinnere mich an den müll mitten in der nacht
          = none: This names more than one time or thing. Ask for one re…
        erinnere mich an den müll um viertel nach
          = Remind you of “den müll” on Thursday 26 November 2026 at 10:15
        erinnere mich an den müll ende nächster woche
          = none: “ende nächster woche” is not a time that is understood…
        erinnere mich an den müll im laufe des tages
          = none: “im laufe des tages” is not a time that is understood…
        erinnere mich an den müll im laufe der woche
          = none: “im laufe der woche” is not a time that is understood…
        erinnere mich an den müll in den nächsten tagen
          = none: “in den nächsten tagen” is not a time that is understo…
        erinnere mich an den müll in absehbarer zeit
          = none: “in absehbarer zeit” is not a time that is understood…
        erinnere mich an den müll innerhalb einer stunde
          = none: “innerhalb einer stunde” is not a time that is underst…
        erinnere mich an den müll binnen einer stunde
          = none: “binnen einer stunde” is not a time that is understood…
        erinnere mich an den müll in unter einer stunde
          = none: “in unter einer stunde” is not a time that is understo…
        erinnere mich an den müll in knapp einer stunde
          = Remind you of “den müll” on Thursday 26 November 2026 at 11:00
        erinnere mich an den müll in gut einer stunde
          = Remind you of “den müll” on Thursday 26 November 2026 at 11:00
        erinnere mich an den müll 2 stunden später
          = none: “2 stunden später” is not a time that is understood he…
        erinnere mich an den müll zwei stunden vorher
          = none: “zwei stunden vorher” is not a time that is understood…
        erinnere mich an den müll punkt 5
          = none: “punkt 5” is not a time that is understood here. Give…
        erinnere mich an den müll um 5 genau
          = none: “um 5 genau” is not a time that is understood here. Gi…
        erinnere mich an den müll um 5 täglich
          = Remind you of “den müll” every day, first on Friday 27 November 2026 at 05:00
        erinnere mich an den müll um 5 jeden tag
          = Remind you of “den müll” every day, first on Friday 27 November 2026 at 05:00
        erinnere mich an den müll mo-fr um 5
          = none: This names more than one time or thing. Ask for one re…
        erinnere mich an den müll eine woche lang täglich
          = none: This names more than one time or thing. Ask for one re…
        erinnere mich an den müll dreimal täglich
          = none: This names more than one time or thing. Ask for one re…
        erinnere mich an den müll 3x am tag
          = none: “3x am tag” is not a time that is understood here. Giv…
        erinnere mich an den müll 2x täglich
          = none: This names more than one time or thing. Ask for one re…
        erinnere mich an den müll um 9 & 17
          = none: “um 9 & 17” is not a time that is understood here. Giv…
        erinnere mich an den müll am 1. und 15.
          = none: “am 1. und 15” is not a time that is understood here.…
        erinnere mich an den müll 1-12-2026
          = Remind you of “den müll” on Tuesday 1 December 2026
        erinnere mich an den müll im neuen jahr
          = Remind you of “den müll” on Friday 1 January 2027
        erinnere mich an den müll heute morgen
          = Remind you of “den müll” on Thursday 26 November 2026 at 11:00
        erinnere mich an den müll wenn ich fertig bin
          = none: When that happens is not known here. Name a time, or a…
        erinnere mich an die fahrt nach köln morgen um 8
          = Remind you of “die fahrt nach köln” on Friday 27 November 2026 at 08:00
        erinnere mich an kapitel 7
          = Remind you of “kapitel 7”
        erinnere mich an raum 5 um 8
          = Remind you of “raum 5” on Thursday 26 November 2026 at 20:00
        erinnere mich an den müll einmal die woche
          = Remind you of “den müll” every week, first on Friday 27 November 2026
        erinnere mich an den müll wenn ich in berlin bin
          = Remind you of “den müll” when you arrive at “berlin”
        """

    /// Turkish: as in English.
    static let assistantTypedTurkish = """
        önümüzdeki ay süt almayı hatırlat
          = Remind you of “süt almayı” on Tuesday 1 December 2026
        doğum günümde süt almayı hatırlat
          = none: “doğum günümde süt” is not a time that is understood h…
        yarın süt almayı ve cuma ekmek almayı hatırlat
          = none: This names more than one time or thing. Ask for one re…
        """
}
