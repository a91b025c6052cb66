extension RequestSentences {
    /// German as people type it in a hurry.
    static let quickGerman = """
        Erinnere mich vor 17 Uhr daran die Bank anzurufen
          = Remind you of “die Bank anzurufen” on Thursday 26 November 2026 at 16:30
        erinnere mich vor 5 an Milch
          = Remind you of “Milch” on Thursday 26 November 2026 at 16:30
        erinnere mich morgen vor 17 uhr an die bank
          = Remind you of “die bank” on Friday 27 November 2026 at 16:30
        erinnere mich vor freitag an die miete
          = Remind you of “die miete” on Thursday 26 November 2026 at 21:30
        erinnere mich vor dem schlafengehen an die tabletten
          = Remind you of “die tabletten” on Thursday 26 November 2026 at 21:30
        erinnere mich zu hause daran die blumen zu gießen
          = Remind you of “die blumen zu gießen” when you arrive at home
        erinnere mich zuhause an die blumen
          = Remind you of “die blumen” when you arrive at home
        erinnere mich daheim die blumen gießen
          = Remind you of “die blumen gießen” when you arrive at home
        erinnere mich im büro an die folien
          = Remind you of “die folien” when you arrive at work
        erinnere mich bei der arbeit an die folien
          = Remind you of “die folien” when you arrive at work
        erinnere mich im fitnessstudio ans dehnen
          = Remind you of “dehnen” when you arrive at “fitnessstudio”
        erinnere mich in der apotheke an die tabletten
          = Remind you of “die tabletten” when you arrive at “apotheke”
        erinnere mich wenn ich im fitnessstudio bin ans dehnen
          = Remind you of “dehnen” when you arrive at “fitnessstudio”
        erinnere mich wenn ich in der apotheke bin an tabletten
          = Remind you of “tabletten” when you arrive at “apotheke”
        erinnere mich wenn ich zuhause bin an die blumen
          = Remind you of “die blumen” when you arrive at home
        erinnere mich bei Yank Sing an die Karte
          = Remind you of “die Karte” when you arrive at Yank Sing (place)
        weg nach hause
          = Directions to home
        bring mich zur arbeit
          = Directions to work
        bring mich nach hause
          = Directions to home
        navigiere nach hause
          = Directions to home
        fahr mich zur arbeit
          = Directions to work
        was läuft gerade
          = Say what is playing
        was läuft
          = Say what is playing
        welches lied ist das
          = Say what is playing
        zeig meine erinnerungen
          = Show your reminders
        zeige mir meine erinnerungen
          = Show your reminders
        meine erinnerungen
          = Show your reminders
        was sind meine erinnerungen für heute
          = Show your reminders for today
        meine erinnerungen für heute
          = Show your reminders for today
        videoanruf anna
          = Video call Anna Karenina (person)
        videoanruf mit Anna
          = Video call Anna Karenina (person)
        facetime anna
          = Video call Anna Karenina (person)
        ruf anna per video an
          = Video call Anna Karenina (person)
        starte einen videoanruf mit anna
          = Video call Anna Karenina (person)
        schreib anna ich komme später
          = Message Anna Karenina (person): “ich komme später”
        überspring das lied
          = Play the next one
        überspringe diesen song
          = Play the next one
        nächstes lied
          = Play the next one
        mach lauter
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        mach die musik lauter
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        lauter
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        dreh die lautstärke hoch
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        erinner mich morgen um 8 an zahnarzt
          = Remind you of “zahnarzt” on Friday 27 November 2026 at 08:00
        erinnere mich morgen früh an den zahnarzt
          = Remind you of “den zahnarzt” on Friday 27 November 2026 at 09:00
        erinnere mich um 8 an zahnarzt
          = Remind you of “zahnarzt” on Thursday 26 November 2026 at 20:00
        erinnere mich in 10 min ans essen
          = Remind you of “essen” on Thursday 26 November 2026 at 10:10
        erinnere mich in 10 minuten an das essen
          = Remind you of “das essen” on Thursday 26 November 2026 at 10:10
        erinnere mich in einer stunde an das essen
          = Remind you of “das essen” on Thursday 26 November 2026 at 11:00
        erinnere mich heute abend an den müll
          = Remind you of “den müll” on Thursday 26 November 2026 at 19:00
        erinnere mich heut abend müll
          = Remind you of “müll” on Thursday 26 November 2026 at 19:00
        erinnere mich morgen müll rausbringen
          = Remind you of “müll rausbringen” on Friday 27 November 2026
        erinner mich morgen müll rauszubringen
          = Remind you of “müll rauszubringen” on Friday 27 November 2026
        erinnere mich jeden tag um 9 an die tabletten
          = Remind you of “die tabletten” every day, first on Friday 27 November 2026 at 09:00
        erinnere mich alle 2 stunden ans trinken
          = Remind you of “trinken” every 2 hours, first on Thursday 26 November 2026 at 12:00
        erinnere mich jede stunde zu trinken
          = Remind you of “zu trinken” every hour, first on Thursday 26 November 2026 at 11:00
        erinnere mich am freitag an die miete
          = Remind you of “die miete” on Friday 27 November 2026
        erinnere mich freitag um 3 an die miete
          = Remind you of “die miete” on Friday 27 November 2026 at 15:00
        erinnere mich nächsten montag an die miete
          = Remind you of “die miete” on Monday 30 November 2026
        erinnere mich am 3. an die miete
          = Remind you of “die miete” on Thursday 3 December 2026
        erinnere mich am 3.12. an die miete
          = Remind you of “die miete” on Thursday 3 December 2026
        erinnere mich wenn ich nach hause komme die katze zu füttern
          = Remind you of “die katze zu füttern” when you arrive at home
        erinnere mich wenn ich heim komme an katze
          = Remind you of “katze” when you arrive at home
        erinnere mich wenn ich zuhause bin die katze zu füttern
          = Remind you of “die katze zu füttern” when you arrive at home
        erinnere mich daran milch zu kaufen
          = Remind you of “milch zu kaufen”
        erinnere mich daran milch zu kaufen wenn ich zuhause bin
          = Remind you of “milch zu kaufen” when you arrive at home
        erinnere mich an milch um 18 uhr
          = Remind you of “milch” on Thursday 26 November 2026 at 18:00
        erinnere mich an milch morgen um 18 uhr
          = Remind you of “milch” on Friday 27 November 2026 at 18:00
        ERINNERE MICH AN MILCH
          = Remind you of “MILCH”
        erinner mich dran milch zu kaufen
          = Remind you of “milch zu kaufen”
        vergiss nicht milch zu kaufen
          = Remind you of “milch zu kaufen”
        erinnerung milch kaufen morgen
          = Remind you of “milch kaufen” on Friday 27 November 2026
        neue erinnerung milch kaufen
          = Remind you of “milch kaufen”
        wecker auf 7
          = Remind you of “wecker” on Friday 27 November 2026 at 07:00
        stell wecker auf 7
          = Remind you of “wecker” on Friday 27 November 2026 at 07:00
        stell einen wecker auf 7 uhr
          = Remind you of “wecker” on Friday 27 November 2026 at 07:00
        stelle den wecker auf 6:30
          = Remind you of “wecker” on Friday 27 November 2026 at 06:30
        wecker 7 uhr
          = Remind you of “wecker” on Friday 27 November 2026 at 07:00
        timer 10 minuten
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        stell timer auf 10 minuten
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        timer auf 5 min
          = Remind you of “timer” on Thursday 26 November 2026 at 10:05
        ruf anna an
          = Call Anna Karenina (person)
        ruf mal anna an
          = Call Anna Karenina (person)
        anna anrufen
          = Call Anna Karenina (person)
        rufe bitte anna an
          = Call Anna Karenina (person)
        ruf mama an
          = Call “mama”
        ruf 030 123456 an
          = Call “030 123456”
        schreib anna bin gleich da
          = Message Anna Karenina (person): “bin gleich da”
        schreibe anna dass ich später komme
          = Message Anna Karenina (person): “ich später komme”
        sag anna ich bin da
          = Message Anna Karenina (person): “ich bin da”
        sag ihr ich komme später
          = Message the place or the people that you look at: “ich komme später”
        schick anna eine nachricht bin gleich da
          = Message Anna Karenina (person): “bin gleich da”
        nachricht an anna bin gleich da
          = Message Anna Karenina (person): “bin gleich da”
        nach hause
          = Directions to home
        bring mich heim
          = Directions to home
        wie komme ich nach hause
          = Directions to home
        route nach hause
          = Directions to home
        route zu Yank Sing
          = Directions to Yank Sing (place)
        weg zur arbeit
          = Directions to work
        navigation nach berlin
          = Directions to “berlin”
        spiel musik
          = Play
        musik an
          = Play
        musik aus
          = Pause
        spiel jazz
          = Play “jazz”
        stopp
          = Pause
        weiter
          = Play
        nächster song
          = Play the next one
        nächstes
          = Play the next one
        vorheriges lied
          = Play the previous one
        letztes lied
          = Play the previous one
        öffne mail
          = Open Mail (app)
        mail öffnen
          = Open Mail (app)
        was ist das für ein lied
          = Say what is playing
        wie heißt das lied
          = Say what is playing
        zeig mir heute meine erinnerungen
          = Show your reminders for today
        erinnerungen heute
          = Show your reminders for today
        videocall anna
          = Video call Anna Karenina (person)
        video anruf anna
          = Video call Anna Karenina (person)
        lösche alle erinnerungen
          = none: Reminders are not changed in words, and nothing was changed. “baton reminders” lists them, and “baton \
        reminders done|snooze|delete ID” changes one.
        erinnere anna an milch
          = none: This is not understood.
        erinnere mich daran nicht zu rauchen
          = Remind you of “nicht zu rauchen”
        erinnere mich heut abend an müll
          = Remind you of “müll” on Thursday 26 November 2026 at 19:00
        erinnere mich vor montag daran zu packen
          = Remind you of “zu packen” on Sunday 29 November 2026
        erinnere mich am bahnhof an die karte
          = Remind you of “die karte” when you arrive at “bahnhof”
        erinnere mich am abend an die karte
          = Remind you of “die karte” on Thursday 26 November 2026 at 19:00
        erinnere mich am wochenende an die karte
          = Remind you of “die karte” on Saturday 28 November 2026
        erinnere mich im mai an die steuer
          = Remind you of “die steuer” on Saturday 1 May 2027
        erinnere mich auf der post an briefmarken
          = Remind you of “briefmarken” when you arrive at “post”
        erinnere mich beim arzt an das rezept
          = Remind you of “das rezept” when you arrive at “arzt”
        erinnere mich beim verlassen der arbeit an brot
          = Remind you of “brot” when you leave work
        erinnere mich wenn ich am bahnhof bin an die karte
          = Remind you of “die karte” when you arrive at “bahnhof”
        erinnere mich wenn ich bei anna bin an das buch
          = Remind you of “das buch” when you arrive at “anna”
        erinnere mich, wenn ich im Büro bin, an die Folien
          = Remind you of “die Folien” when you arrive at work
        mach es leiser
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        überspring
          = Play the next one
        nächstes lied bitte
          = Play the next one
        was spielt gerade
          = Say what is playing
        facetime mit anna
          = Video call Anna Karenina (person)
        erinnere mich nach der arbeit an brot
          = Remind you of “brot” when you leave work
        """
}
