extension RequestSentences {
    /// English as people say it: repetitions by weekday, time zones, alarms, mistyped words.
    static let moreEnglish = """
        remind me tomorrow to call mum at 5
          = Remind you of “call mum” on Friday 27 November 2026 at 17:00
        remind me on the last Friday of the month to send the invoice
          = Remind you of “send the invoice” on Friday 27 November 2026
        remind me every last Friday of the month to send the invoice
          = Remind you of “send the invoice” every month on the last Friday, first on Friday 27 November 2026
        remind me on the first Monday of every month at 9 to pay rent
          = Remind you of “pay rent” every month on the first Monday, first on Monday 7 December 2026 at 09:00
        remind me every third Thursday of the month at 6pm to read
          = Remind you of “read” every month on the third Thursday, first on Thursday 17 December 2026 at 18:00
        remind me on the second Tuesday in March to vote
          = Remind you of “vote” on Tuesday 9 March 2027
        remind me every second Tuesday to put out the bins
          = Remind you of “put out the bins” every 2 weeks on Tuesday, first on Tuesday 1 December 2026
        remind me to call Anna at 5pm New York time
          = Remind you of “call Anna” on Thursday 26 November 2026 at 23:00
        remind me at 9am EST to join
          = Remind you of “join” on Thursday 26 November 2026 at 15:00
        remind me at 17:00 UTC to deploy
          = Remind you of “deploy” on Thursday 26 November 2026 at 18:00
        🔔 remind me to buy milk tomorrow
          = Remind you of “buy milk” on Friday 27 November 2026
        remimd me to buy milk tomorrow
          = Remind you of “buy milk” on Friday 27 November 2026
        remind me tomorow to buy milk
          = Remind you of “buy milk” on Friday 27 November 2026
        remind me to buy milk tommorrow at 8
          = Remind you of “buy milk” on Friday 27 November 2026 at 08:00
        remind me on Wendesday to swim
          = Remind you of “swim” on Wednesday 2 December 2026
        remind me to call Frida
          = Remind you of “call Frida”
        remind me to buy a sundae
          = Remind you of “buy a sundae”
        remind me in 1.5 hours to check the oven
          = Remind you of “check the oven” on Thursday 26 November 2026 at 11:30
        reminder: pay rent on the 1st
          = Remind you of “pay rent” on Tuesday 1 December 2026
        don't forget to buy milk tomorrow
          = Remind you of “buy milk” on Friday 27 November 2026
        hey, remind me to buy milk
          = Remind you of “buy milk”
        I want to be reminded to buy milk at 5
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        wake me up at 7
          = Remind you of “wake me up” on Friday 27 November 2026 at 07:00
        set an alarm for 7am
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        set a timer for 10 minutes
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        set a 10 minute timer
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        remind me at 530pm to leave
          = Remind you of “leave” on Thursday 26 November 2026 at 17:30
        remind me at 1730 to leave
          = Remind you of “leave” on Thursday 26 November 2026 at 17:30
        remind me to pay 1730 euros
          = Remind you of “pay 1730 euros”
        remind me at the beginning of next month to pay
          = Remind you of “pay” on Tuesday 1 December 2026
        remind me on the 5th of next month to pay
          = Remind you of “pay” on Saturday 5 December 2026
        remind me next month on the 5th to pay
          = Remind you of “pay” on Saturday 5 December 2026
        remind me to submit the report by EOD
          = Remind you of “submit the report” on Thursday 26 November 2026 at 17:00
        remind me every quarter to file taxes
          = Remind you of “file taxes” every 3 months, first on Friday 27 November 2026
        remind me every 2 weeks on Friday to clean
          = Remind you of “clean” every 2 weeks on Friday, first on Friday 27 November 2026
        remind me on Friday the 13th to be careful
          = Remind you of “be careful” on Friday 13 August 2027
        remind me on Tuesday, 1 December 2026 at 10:00 to vote
          = Remind you of “vote” on Tuesday 1 December 2026 at 10:00
        remind me Monday week to vote
          = Remind you of “vote” on Monday 7 December 2026
        remind me a week on Monday to vote
          = Remind you of “vote” on Monday 7 December 2026
        remind me tmrw at 8 to run
          = Remind you of “run” on Friday 27 November 2026 at 08:00
        remind me first thing in the morning to run
          = Remind you of “run” on Friday 27 November 2026 at 08:00
        remind me at lunch to call
          = Remind you of “call” on Thursday 26 November 2026 at 12:00
        remind me weekly on Sunday at 8pm to call
          = Remind you of “call” every week on Sunday, first on Sunday 29 November 2026 at 20:00
        let Anna know I'm late
          = Message Anna Karenina (person): “I'm late”
        email Anna about the meeting
          = Email Anna Karenina (person): “the meeting”
        play next
          = Play the next one
        call Anna on speaker
          = Call Anna Karenina (person)
        call back Anna
          = Call Anna Karenina (person)
        remind me at 5pm sharp to leave
          = Remind you of “leave” on Thursday 26 November 2026 at 17:00
        remind me at 17h to leave
          = Remind you of “leave” on Thursday 26 November 2026 at 17:00
        serach for dumplings
          = Search for “dumplings”
        """

    /// German as people say it.
    static let moreGerman = """
        erinnere mich jeden zweiten Dienstag daran, den Müll rauszubringen
          = Remind you of “den Müll rauszubringen” every 2 weeks on Tuesday, first on Tuesday 1 December 2026
        erinnere mich am letzten Freitag im Monat an die Rechnung
          = Remind you of “die Rechnung” on Friday 27 November 2026
        erinnere mich jeden ersten Montag im Monat an die Miete
          = Remind you of “die Miete” every month on the first Monday, first on Monday 7 December 2026
        erinnere mich am 3. an die Miete
          = Remind you of “die Miete” on Thursday 3 December 2026
        erinnere mich um drei viertel sechs an den Bus
          = Remind you of “den Bus” on Thursday 26 November 2026 at 17:45
        erinnere mich in 20 min an den Ofen
          = Remind you of “den Ofen” on Thursday 26 November 2026 at 10:20
        erinnere mich jeden Montag und Mittwoch um 7 ans Laufen
          = Remind you of “Laufen” every week on Monday, Wednesday, first on Monday 30 November 2026 at 07:00
        erinnere mich montags um 7 ans Laufen
          = Remind you of “Laufen” every week on Monday, first on Monday 30 November 2026 at 07:00
        erinnere mich monatlich am 1. an die Miete
          = Remind you of “die Miete” every month, first on Tuesday 1 December 2026
        erinnere mich jedes Jahr am 4. Mai an Star Wars
          = Remind you of “Star Wars” every year, first on Tuesday 4 May 2027
        Erinner mich dran, Brot zu kaufen
          = Remind you of “Brot zu kaufen”
        erinnere mich morgen Milch zu kaufen
          = Remind you of “Milch zu kaufen” on Friday 27 November 2026
        kannst du mich morgen an Milch erinnern
          = Remind you of “Milch” on Friday 27 November 2026
        Erinnerung: Milch kaufen morgen um 6
          = Remind you of “Milch kaufen” on Friday 27 November 2026 at 06:00
        weck mich um 7
          = Remind you of “weck mich” on Friday 27 November 2026 at 07:00
        stelle einen Timer auf 10 Minuten
          = Remind you of “Timer” on Thursday 26 November 2026 at 10:10
        erinnere mich am Freitag, den 27. November um 9 Uhr an Sport
          = Remind you of “Sport” on Friday 27 November 2026 at 09:00
        erinnere mich am Fr um 9 an Sport
          = Remind you of “Sport” on Friday 27 November 2026 at 09:00
        erinnere mich Dienstag in einer Woche an Sport
          = Remind you of “Sport” on Tuesday 8 December 2026
        erinnere mich bis Freitag an Steuer
          = Remind you of “Steuer” on Friday 27 November 2026
        erinnere mich um 9 Uhr New Yorker Zeit an Sport
          = Remind you of “Sport” on Thursday 26 November 2026 at 15:00
        erinnere mich, wenn ich im Auto bin, ans Tanken
          = Remind you of “Tanken” when “car” connects
        fahr mich zur Arbeit
          = Directions to work
        schick Anna eine Nachricht: bin gleich da
          = Message Anna Karenina (person): “bin gleich da”
        sende eine Nachricht an Anna
          = Message Anna Karenina (person)
        mach die Musik aus
          = Pause
        spiel etwas Jazz
          = Play “Jazz”
        nächster Song
          = Play the next one
        such im Internet nach Katzen
          = Search for “Katzen”
        """

    /// Turkish as people say it.
    static let moreTurkish = """
        her ayın ilk pazartesi günü kirayı hatırlat
          = Remind you of “kirayı” every month on the first Monday, first on Monday 7 December 2026
        her ayın 1'inde kirayı hatırlat
          = Remind you of “kirayı” every month, first on Tuesday 1 December 2026
        ayın 3'ünde kirayı hatırlat
          = Remind you of “kirayı” on Thursday 3 December 2026
        ayın son cuması faturayı hatırlat
          = Remind you of “faturayı” on Friday 27 November 2026
        iki haftada bir salı günü çöpü hatırlat
          = Remind you of “çöpü” every 2 weeks on Tuesday, first on Tuesday 1 December 2026
        her pazartesi ve çarşamba saat 7'de koşmayı hatırlat
          = Remind you of “koşmayı” every week on Monday, Wednesday, first on Monday 30 November 2026 at 07:00
        her akşam saat 10'da ilacımı hatırlat
          = Remind you of “ilacımı” every day, first on Thursday 26 November 2026 at 22:00
        her yıl 4 Mayıs'ta filmi hatırlat
          = Remind you of “filmi” every year, first on Tuesday 4 May 2027
        saat beşi çeyrek geçe otobüsü hatırlat
          = Remind you of “otobüsü” on Thursday 26 November 2026 at 17:15
        20 dk sonra fırını hatırlat
          = Remind you of “fırını” on Thursday 26 November 2026 at 10:20
        2 saat içinde fırını hatırlat
          = Remind you of “fırını” on Thursday 26 November 2026 at 12:00
        iki gün sonra saat 4'te bankayı hatırlat
          = Remind you of “bankayı” on Saturday 28 November 2026 at 16:00
        yarın süt almayı unutma
          = Remind you of “süt almayı” on Friday 27 November 2026
        bana hatırlat: süt al
          = Remind you of “süt al”
        hatırlatıcı kur: yarın 8'de süt al
          = Remind you of “süt al” on Friday 27 November 2026 at 08:00
        beni 7'de uyandır
          = Remind you of “uyandır” on Friday 27 November 2026 at 07:00
        10 dakikalık zamanlayıcı kur
          = Remind you of “zamanlayıcı” on Thursday 26 November 2026 at 10:10
        arabaya binince benzini hatırlat
          = Remind you of “benzini” when “car” connects
        bunu bana eve gelince hatırlat
          = Remind you of what you look at when you arrive at home
        ayın sonunda kirayı hatırlat
          = Remind you of “kirayı” on Monday 30 November 2026
        0212 555 1234'ü ara
          = Call “0212 555 1234”
        Anna'ya mesaj at: geliyorum
          = Message Anna Karenina (person): “geliyorum”
        biraz caz çal
          = Play “caz”
        Mail uygulamasını aç
          = Open Mail (app)
        """
}
