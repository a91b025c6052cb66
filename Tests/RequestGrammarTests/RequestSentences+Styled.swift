/// Sentences in the styles of many people: terse, polite, spoken, of people who learn the language, and mistyped. The ones that are answered
/// with a sentence did a wrong thing before, or the right one at a wrong time.
extension RequestSentences {
    static let styledMessages = #"""
        text Anna tomorrow morning happy birthday
          = none: Calls and messages go out at once, and nothing was…
        text Anna happy birthday tomorrow morning
          = none: Calls and messages go out at once, and nothing was…
        text Anna happy birthday at midnight
          = none: Calls and messages go out at once, and nothing was…
        text Anna good morning every day at 8
          = none: Calls and messages go out at once, and nothing was…
        text Anna on her birthday happy birthday
          = none: Calls and messages go out at once, and nothing was…
        text Anna at 5 I am leaving
          = none: Calls and messages go out at once, and nothing was…
        text Anna later that I am leaving
          = none: Calls and messages go out at once, and nothing was…
        text Anna before 5 please
          = none: Calls and messages go out at once, and nothing was…
        tomorrow morning text Anna happy birthday
          = none: Calls and messages go out at once, and nothing was…
        in ten minutes text Anna that I am leaving
          = none: Calls and messages go out at once, and nothing was…
        schedule a text to Anna for tomorrow at 9 saying hello
          = none: Calls and messages go out at once, and nothing was…
        let Anna know tomorrow I'm off
          = none: Calls and messages go out at once, and nothing was…
        email Anna tomorrow happy birthday
          = none: Calls and messages go out at once, and nothing was…
        send an email to Anna tomorrow
          = none: Calls and messages go out at once, and nothing was…
        call Anna before 5
          = none: Calls and messages go out at once, and nothing was…
        text Anna tomorrow is fine
          = Message Anna Karenina (person): “tomorrow is fine”
        text Anna tomorrow at 5 ok?
          = Message Anna Karenina (person): “tomorrow at 5 ok?”
        text Anna friday at 5 works
          = Message Anna Karenina (person): “friday at 5 works”
        text Anna see you tomorrow
          = Message Anna Karenina (person): “see you tomorrow”
        text Anna that tomorrow I will be late
          = Message Anna Karenina (person): “tomorrow I will be late”
        text Anna "tomorrow, maybe"
          = Message Anna Karenina (person): “tomorrow, maybe”
        text Anna morning sunshine
          = Message Anna Karenina (person): “morning sunshine”
        text Anna happy birthday 🎉
          = Message Anna Karenina (person): “happy birthday 🎉”
        text Anna on Monday's meeting
          = Message Anna Karenina (person): “on Monday's meeting”
        message to Anna: I am late
          = Message Anna Karenina (person): “I am late”
        write to Bob I am late
          = Message “Bob”: “I am late”
        text Anna right now that I am late
          = Message Anna Karenina (person): “I am late”
        tell Anna I'm late and remind me to buy milk
          = none: This names more than one time or thing. Ask for one…
        call Anna right away
          = Call Anna Karenina (person)
        """#

    static let styledReminders = #"""
        remind me noonish to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 12:00
        remind me around noon-ish tomorrow to cook
          = Remind you of “cook” on Friday 27 November 2026 at 12:00
        remind me 4ish to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 16:00
        remind me tomorrow at 2ish pm to cook
          = Remind you of “cook” on Friday 27 November 2026 at 14:00
        remind me just before five to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 16:30
        remind me shortly after 5 to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 17:00
        remind me right before lunch to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 11:30
        remind me mid morning to cook
          = Remind you of “cook” on Friday 27 November 2026 at 10:00
        remind me tomorrow late afternoon to cook
          = Remind you of “cook” on Friday 27 November 2026 at 17:00
        remind me early evening to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 18:00
        remind me last thing at night to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 22:00
        remind me last thing tonight to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 22:00
        remind me this arvo to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 15:00
        remind me to cook in a fortnight's time
          = Remind you of “cook” on Thursday 10 December 2026 at 10:00
        remind me monday fortnight to cook
          = Remind you of “cook” on Monday 14 December 2026
        remind me six weeks today to cook
          = Remind you of “cook” on Thursday 7 January 2027 at 10:00
        remind me three weeks on saturday to cook
          = none: “three weeks on saturday” is not a time that is…
        remind me this time tomorrow to cook
          = Remind you of “cook” on Friday 27 November 2026 at 10:00
        remind me in an hour and a quarter to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 11:15
        remind me mornings to cook
          = Remind you of “cook” every day, first on Friday 27 November 2026 at 09:00
        remind me to cook at 5 in afternoon
          = Remind you of “cook” on Thursday 26 November 2026 at 17:00
        remind me to cook the next day at 5
          = Remind you of “cook” on Friday 27 November 2026 at 17:00
        remind me to cook on 7th morning
          = Remind you of “cook” on Monday 7 December 2026 at 09:00
        remind me to cook at monday
          = Remind you of “cook” on Monday 30 November 2026
        remind me to cook at 17.30h
          = Remind you of “cook” on Thursday 26 November 2026 at 17:30
        remind me to cook at 5;30 pm
          = none: “at 5;30 pm” is not a time that is understood here.…
        remind me bank holiday monday to cook
          = none: “bank holiday monday to cook” is not a time that is…
        remind me in early january to cook
          = none: “in early january” is not a time that is understood…
        remind me for the next 3 days to cook
          = none: How long is no time. Say when it is to come: “every…
        remind me every 2 hours to drink between 9 and 5
          = none: This names more than one time or thing. Ask for one…
        remind me when I arrive to lock up
          = none: When that happens is not known here. Name a time, or…
        remind me when I arrive at Yank Sing to eat
          = Remind you of “eat” when you arrive at Yank Sing (place)
        remind me oven 5 mins
          = or: Remind you of “oven 5 mins” / Remind you of “oven” on Thursday 26 November 2026 at 10:05
        remind me to run 5 minutes
          = Remind you of “run 5 minutes”
        kindly remind me tomorrow 4 pm to cook
          = Remind you of “cook” on Friday 27 November 2026 at 16:00
        would you be so kind as to remind me to cook at nine tomorrow
          = Remind you of “cook” on Friday 27 November 2026 at 09:00
        I would be grateful if you could remind me at nine tomorrow to cook
          = Remind you of “cook” on Friday 27 November 2026 at 09:00
        make sure I don't forget to cook tomorrow
          = Remind you of “cook” on Friday 27 November 2026
        can you remember me at 5 to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 17:00
        help me remember to cook tomorrow
          = Remind you of “cook” on Friday 27 November 2026
        give me a nudge at 3 to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 15:00
        pop a reminder in for friday at three to cook
          = Remind you of “cook” on Friday 27 November 2026 at 15:00
        I have to cook tomorrow at 9, remind me please
          = Remind you of “cook” on Friday 27 November 2026 at 09:00
        tomorrow at 9 cook remind me
          = Remind you of “cook” on Friday 27 November 2026 at 09:00
        remind my wife to cook at 3
          = none: Reminders come to you alone, and none was made. Say…
        remind everyone to cook
          = none: Reminders come to you alone, and none was made. Say…
        remind me pay gas bill on 5
          = none: “on 5” is not a time that is understood here.…
        remind me pay gas bill 5th
          = none: “5th” is not a time that is understood here.…
        remind me to turn the roast in 15 and 30 minutes
          = none: “in 15 and 30 minutes” is not a time that is…
        remind me to say good morning at 8
          = Remind you of “say good morning” on Friday 27 November 2026 at 08:00
        remind me the first week of january to cook
          = none: “week of january” is not a time that is…
        remind me end of next week to cook
          = none: “end of next” is not a time that is understood…
        remind me tomorrow not before 5 cook
          = none: “not before 5” is not a time that is understood…
        remind me um at 5 to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 17:00
        oh and remind me tomorrow to cook
          = Remind you of “cook” on Friday 27 November 2026
        remind me tomorrow to call Bob and on friday Anna
          = none: This names more than one time or thing. Ask for…
        remind me to call Bob tomorrow, Anna on friday
          = none: This names more than one time or thing. Ask for…
        remind me to call Bob at 5 pacific
          = none: “at 5 pacific” is not a time that is understood…
        remind me at 17:00 UTC to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 18:00
        """#

    static let styledMedia = #"""
        put on something by Miles Davis
          = Play “Miles Davis”
        put something on by Miles Davis
          = Play “Miles Davis”
        put Radiohead on
          = Play “Radiohead”
        play us some jazz
          = Play “jazz”
        play music at 7 tomorrow
          = none: Music plays and stops at once, and nothing was done.…
        stop the music in 10 minutes
          = none: Music plays and stops at once, and nothing was done.…
        pause for 5 minutes
          = none: Music plays and stops at once, and nothing was done.…
        play tomorrow never knows
          = Play “tomorrow never knows”
        tell me what's playing
          = Say what is playing
        """#

    static let styledGerman = #"""
        schreib Anna morgen früh alles Gute zum Geburtstag
          = none: Calls and messages go out at once, and nothing was…
        schreib Anna alles Gute zum Geburtstag
          = Message Anna Karenina (person): “alles Gute zum Geburtstag”
        schreib Anna frohe Weihnachten am 24.12.
          = none: Calls and messages go out at once, and nothing was…
        schreib Anna morgen passt mir
          = Message Anna Karenina (person): “morgen passt mir”
        schreib Anna später dass ich komme
          = none: Calls and messages go out at once, and nothing was…
        schick Anna eine Mail morgen
          = none: Calls and messages go out at once, and nothing was…
        Route nach Hause ohne Autobahn
          = none: How you travel is chosen in the map. Name only where…
        Notiz an mich: Kuchen mitbringen
          = Remind you of “Kuchen mitbringen”
        erinnere mich gegen Mittag an den Müll
          = Remind you of “den Müll” on Thursday 26 November 2026 at 12:00
        erinnere mich kurz vor 5 an den Müll
          = Remind you of “den Müll” on Thursday 26 November 2026 at 16:30
        erinnere mich am späten Nachmittag an den Müll
          = Remind you of “den Müll” on Thursday 26 November 2026 at 17:00
        erinnere mich morgen in aller Früh an den Müll
          = Remind you of “den Müll” on Friday 27 November 2026 at 08:00
        erinnere mich gleich morgen früh an den Müll
          = Remind you of “den Müll” on Friday 27 November 2026 at 08:00
        erinnere mich morgen um dieselbe Zeit an den Müll
          = Remind you of “den Müll” on Friday 27 November 2026 at 10:00
        erinnere mich jeden Ersten des Monats an die Miete
          = Remind you of “die Miete” every month, first on Tuesday 1 December 2026
        """#

    static let styledTurkish = #"""
        Anna'ya yarın sabah doğum günün kutlu olsun yaz
          = none: Calls and messages go out at once, and nothing was…
        yarın Anna'ya doğum günün kutlu olsun yaz
          = none: Calls and messages go out at once, and nothing was…
        Anna'ya doğum günün kutlu olsun yaz
          = Message Anna Karenina (person): “doğum günün kutlu olsun”
        Anna'ya yarın gelirim yaz
          = Message Anna Karenina (person): “yarın gelirim”
        Anna'ya sonra yaz
          = none: Calls and messages go out at once, and nothing was…
        Anna'ya mail at yarın
          = none: Calls and messages go out at once, and nothing was…
        Anna'yı eve gidince ara
          = none: Calls and messages go out at once, and nothing was…
        Anna'ya geç kalıyorum yaz ve bana süt almayı hatırlat
          = none: This names more than one time or thing. Ask for one…
        öğlene doğru çöpü hatırlat
          = Remind you of “çöpü” on Thursday 26 November 2026 at 11:00
        ikindi vakti çöpü hatırlat
          = Remind you of “çöpü” on Thursday 26 November 2026 at 16:00
        akşamüstü çöpü hatırlat
          = Remind you of “çöpü” on Thursday 26 November 2026 at 17:00
        yarın bu saatte çöpü hatırlat
          = Remind you of “çöpü” on Friday 27 November 2026 at 10:00
        haftaya bugün çöpü hatırlat
          = Remind you of “çöpü” on Thursday 3 December 2026
        günaşırı çiçekleri hatırlat
          = Remind you of “çiçekleri” every 2 days, first on Friday 27 November 2026
        """#
}
