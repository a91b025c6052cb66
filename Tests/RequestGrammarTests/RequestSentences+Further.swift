extension RequestSentences {
    /// Repetitions within a day and by months, words for numbers, endings without apostrophes, questions.
    static let furtherEnglish = """
        remind me every 15 minutes to drink water
          = Remind you of “drink water” every 15 minutes, first on Thursday 26 November 2026 at 10:15
        remind me to stretch every 45 mins
          = Remind you of “stretch” every 45 minutes, first on Thursday 26 November 2026 at 10:45
        every half hour remind me to stand up
          = Remind you of “stand up” every 30 minutes, first on Thursday 26 November 2026 at 10:30
        every quarter of an hour remind me to check the oven
          = Remind you of “check the oven” every 15 minutes, first on Thursday 26 November 2026 at 10:15
        remind me to take a pill every 90 minutes
          = Remind you of “take a pill” every 90 minutes, first on Thursday 26 November 2026 at 11:30
        remind me every two hours to stretch
          = Remind you of “stretch” every 2 hours, first on Thursday 26 November 2026 at 12:00
        a fortnight from today remind me to water the cactus
          = Remind you of “water the cactus” on Thursday 10 December 2026 at 10:00
        remind me to ring the bank first thing on monday
          = Remind you of “ring the bank” on Monday 30 November 2026 at 08:00
        remind me at 7 to go running every morning
          = Remind you of “go running” every day, first on Friday 27 November 2026 at 07:00
        remind me to invoice on the last day of every month
          = Remind you of “invoice” every month on the last day, first on Monday 30 November 2026
        remind me every last day of the month to invoice
          = Remind you of “invoice” every month on the last day, first on Monday 30 November 2026
        remind me monday to friday at 8 to check in
          = Remind you of “check in” on weekdays, first on Friday 27 November 2026 at 08:00
        remind me to get aspirin when i'm near the pharmacy
          = Remind you of “get aspirin” when you arrive at “the pharmacy”
        remind me when i next talk to Anna to ask about the keys
          = Remind you of “ask about the keys” when you are in touch with Anna Karenina (person)
        remind me tomorrow at half twelve to eat lunch
          = Remind you of “eat lunch” on Friday 27 November 2026 at 12:30
        remind me to cook at half six
          = Remind you of “cook” on Thursday 26 November 2026 at 18:30
        remind me at 18h30 to cook
          = Remind you of “cook” on Thursday 26 November 2026 at 18:30
        remind me at 4ish to move the car
          = Remind you of “move the car” on Thursday 26 November 2026 at 16:00
        remind me the friday after next to send it
          = Remind you of “send it” on Friday 11 December 2026
        remind me the morning of december 24 to get the tree
          = Remind you of “get the tree” on Thursday 24 December 2026 at 09:00
        send a text to Anna that says dinner at 8?
          = Message Anna Karenina (person): “dinner at 8?”
        text Anna are you coming?
          = Message Anna Karenina (person): “are you coming?”
        can you tell Anna that I'm late?
          = Message Anna Karenina (person): “I'm late”
        tell anna karenina happy birthday!!!
          = Message Anna Karenina (person): “happy birthday!!!”
        show me my reminders for tomorrow
          = Show your reminders
        what are my reminders this week
          = Show your reminders
        ring up Anna
          = Call Anna Karenina (person)
        remind me at 7 o clock to sing
          = Remind you of “sing” on Thursday 26 November 2026 at 19:00
        remind me on the 2nd tuesday of every month to meet
          = Remind you of “meet” every month on the second Tuesday, first on Tuesday 8 December 2026
        remind me every tues & thurs at 6pm to train
          = Remind you of “train” every week on Tuesday, Thursday, first on Thursday 26 November 2026 at 18:00
        remind me every fortnight to run
          = Remind you of “run” every 2 weeks, first on Friday 27 November 2026
        remind me every 10th of the month to pay
          = Remind you of “pay” every month, first on Thursday 10 December 2026
        remind me @7:15pm tomorrow to run
          = Remind you of “run” on Friday 27 November 2026 at 19:15
        remind me to run when I leave for work
          = Remind you of “run” when you leave home
        remind me to run a week today
          = Remind you of “run” on Thursday 3 December 2026
        remind me to run in three days' time
          = Remind you of “run” on Sunday 29 November 2026 at 10:00
        remind me to run on 2027/05/03
          = Remind you of “run” on Monday 3 May 2027
        """

    static let furtherGerman = """
        erinnere mich alle 15 Minuten ans Trinken
          = Remind you of “Trinken” every 15 minutes, first on Thursday 26 November 2026 at 10:15
        erinnere mich jede halbe Stunde ans Lüften
          = Remind you of “Lüften” every 30 minutes, first on Thursday 26 November 2026 at 10:30
        erinnere mich jede Viertelstunde an den Ofen
          = Remind you of “den Ofen” every 15 minutes, first on Thursday 26 November 2026 at 10:15
        erinnere mich am übernächsten Dienstag um 14 Uhr an den Zahnarzt
          = Remind you of “den Zahnarzt” on Tuesday 8 December 2026 at 14:00
        erinnere mich in vierzehn Tagen an den Pass
          = Remind you of “den Pass” on Thursday 10 December 2026 at 10:00
        erinnere mich um fünf vor halb neun an den Bus
          = Remind you of “den Bus” on Thursday 26 November 2026 at 20:25
        erinnere mich um fünf nach halb vier an den Kaffee
          = Remind you of “den Kaffee” on Thursday 26 November 2026 at 15:35
        könntest du mich daran erinnern, morgen Milch zu kaufen
          = Remind you of “Milch zu kaufen” on Friday 27 November 2026
        erinnere mich daran, dass ich morgen um 8 Brot kaufe
          = Remind you of “Brot kaufe” on Friday 27 November 2026 at 08:00
        erinnere mich montags bis freitags um 8 an den Kaffee
          = Remind you of “den Kaffee” on weekdays, first on Friday 27 November 2026 at 08:00
        erinnere mich von Montag bis Freitag um 8 an den Kaffee
          = Remind you of “den Kaffee” on weekdays, first on Friday 27 November 2026 at 08:00
        erinnere mich am letzten Tag jedes Monats an die Rechnung
          = Remind you of “die Rechnung” every month on the last day, first on Monday 30 November 2026
        erinnere mich alle drei Monate an den Filter
          = Remind you of “den Filter” every 3 months, first on Friday 27 November 2026
        erinnere mich zum Monatsende an die Miete
          = Remind you of “die Miete” on Monday 30 November 2026
        erinnere mich in zweieinhalb Stunden an den Kuchen
          = Remind you of “den Kuchen” on Thursday 26 November 2026 at 12:30
        erinnere mich in einer Stunde und 20 Minuten an den Kuchen
          = Remind you of “den Kuchen” on Thursday 26 November 2026 at 11:20
        erinnere mich in fünfundvierzig Minuten an den Kuchen
          = Remind you of “den Kuchen” on Thursday 26 November 2026 at 10:45
        erinnere mich in einer Dreiviertelstunde an den Kuchen
          = Remind you of “den Kuchen” on Thursday 26 November 2026 at 10:45
        erinnere mich heute Nacht um 2 an die Sterne
          = Remind you of “die Sterne” on Friday 27 November 2026 at 02:00
        erinnere mich Mittwochabend um 8 an den Film
          = Remind you of “den Film” on Wednesday 2 December 2026 at 20:00
        erinnere mich um 18h30 an den Film
          = Remind you of “den Film” on Thursday 26 November 2026 at 18:30
        stell mir einen Wecker auf 18:30 Uhr
          = Remind you of “Wecker” on Thursday 26 November 2026 at 18:30
        ruf mal bei Anna an
          = Call Anna Karenina (person)
        schreibe Anna eine SMS
          = Message Anna Karenina (person)
        schreib Anna: kommst du heute?
          = Message Anna Karenina (person): “kommst du heute?”
        wie komm ich nach Hause
          = Directions to home
        mach Mail auf
          = Open Mail (app)
        was steht heute an
          = Show your reminders for today
        Erinnere mich bitte daran, am Freitag um halb drei den Müll rauszubringen.
          = Remind you of “den Müll rauszubringen” on Friday 27 November 2026 at 14:30
        erinnere mich am Freitag um halb acht an Oma
          = Remind you of “Oma” on Friday 27 November 2026 at 07:30
        erinnere mich immer montags um 7 an die Mülltonne
          = Remind you of “die Mülltonne” every week on Monday, first on Monday 30 November 2026 at 07:00
        erinnere mich zum 15. an die Miete
          = Remind you of “die Miete” on Tuesday 15 December 2026
        erinnere mich morgen Mittag an die Miete
          = Remind you of “die Miete” on Friday 27 November 2026 at 12:00
        erinnere mich heute in einer Woche an die Miete
          = Remind you of “die Miete” on Thursday 3 December 2026
        erinnere mich wenn ich Anna das nächste Mal anrufe an das Buch
          = Remind you of “das Buch” when you call Anna Karenina (person)
        schreib an Anna dass das Essen fertig ist
          = Message Anna Karenina (person): “das Essen fertig ist”
        kannst du Anna sagen, dass ich später komme?
          = Message Anna Karenina (person): “ich später komme”
        wie komme ich von hier zum Flughafen
          = Directions to “Flughafen”
        ruf die 112 an
          = Call “112”
        spiel mir Jazz vor
          = Play “Jazz”
        welche Erinnerungen habe ich für morgen
          = Show your reminders
        """

    static let furtherTurkish = """
        her 15 dakikada bir su içmemi hatırlat
          = Remind you of “su içmemi” every 15 minutes, first on Thursday 26 November 2026 at 10:15
        15 dakikada bir su içmemi hatırlat
          = Remind you of “su içmemi” every 15 minutes, first on Thursday 26 November 2026 at 10:15
        her yarım saatte bir su içmemi hatırlat
          = Remind you of “su içmemi” every 30 minutes, first on Thursday 26 November 2026 at 10:30
        iki saatte bir su içmemi hatırlat
          = Remind you of “su içmemi” every 2 hours, first on Thursday 26 November 2026 at 12:00
        yarın saat 6da süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 06:00
        saat 3e alarm kur
          = Remind you of “alarm” on Thursday 26 November 2026 at 15:00
        akşam 8buçukta diziyi hatırlat
          = Remind you of “diziyi” on Thursday 26 November 2026 at 20:30
        3 mayısta annemi aramamı hatırlat
          = Remind you of “annemi aramamı” on Monday 3 May 2027
        24 Aralık 2027'de hediyeleri hatırlat
          = Remind you of “hediyeleri” on Friday 24 December 2027
        kırk beş dakika sonra keki hatırlat
          = Remind you of “keki” on Thursday 26 November 2026 at 10:45
        çeyrek saat sonra keki hatırlat
          = Remind you of “keki” on Thursday 26 November 2026 at 10:15
        yirmi dakikaya keki hatırlat
          = Remind you of “keki” on Thursday 26 November 2026 at 10:20
        eczaneye gidince ilaç almamı hatırlat
          = Remind you of “ilaç almamı” when you arrive at “eczane”
        yarın süt almamı hatırlatabilir misin
          = Remind you of “süt almamı” on Friday 27 November 2026
        hatırlat bana yarın süt alayım
          = Remind you of “süt alayım” on Friday 27 November 2026
        her ayın son günü kirayı hatırlat
          = Remind you of “kirayı” every month on the last day, first on Monday 30 November 2026
        maili aç
          = Open Mail (app)
        Yank Singe yol tarifi
          = Directions to Yank Sing (place)
        salı günleri saat 6'da koşmayı hatırlat
          = Remind you of “koşmayı” every week on Tuesday, first on Tuesday 1 December 2026 at 06:00
        her yıl 3 mayısta doğum gününü hatırlat
          = Remind you of “doğum gününü” every year, first on Monday 3 May 2027
        15.01.2027 tarihinde kirayı hatırlat
          = Remind you of “kirayı” on Friday 15 January 2027
        salı günü saat üçte dişçiyi hatırlat
          = Remind you of “dişçiyi” on Tuesday 1 December 2026 at 15:00
        salı saat üç buçukta dişçiyi hatırlat
          = Remind you of “dişçiyi” on Tuesday 1 December 2026 at 15:30
        öğleden sonra üçte dişçiyi hatırlat
          = Remind you of “dişçiyi” on Thursday 26 November 2026 at 15:00
        bu akşam sekizde maçı hatırlat
          = Remind you of “maçı” on Thursday 26 November 2026 at 20:00
        bu gece 2'de yıldızları hatırlat
          = Remind you of “yıldızları” on Friday 27 November 2026 at 02:00
        bugün 5 gibi yemeği hatırlat
          = Remind you of “yemeği” on Thursday 26 November 2026 at 17:00
        yarım saate keki hatırlat
          = Remind you of “keki” on Thursday 26 November 2026 at 10:30
        1,5 saat sonra keki hatırlat
          = Remind you of “keki” on Thursday 26 November 2026 at 11:30
        Annayla konuştuğumda kitabı hatırlat
          = Remind you of “kitabı” when you are in touch with Anna Karenina (person)
        Annayı aradığımda kitabı hatırlat
          = Remind you of “kitabı” when you call Anna Karenina (person)
        Annaya sms at geliyorum
          = Message Anna Karenina (person): “geliyorum”
        Annaya geliyor musun diye sor
          = Message Anna Karenina (person): “geliyor musun”
        0532 111 22 33ü ara
          = Call “0532 111 22 33”
        alarm kur sabah 7
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        Maili açar mısın
          = Open Mail (app)
        """
}
