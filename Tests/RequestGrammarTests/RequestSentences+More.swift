extension RequestSentences {
    /// All kinds of requests, in English.
    static let others = """
        send a message to Anna saying hello there
          = Message Anna Karenina (person): “hello there”
        message “Anna Karenina” “remind me at six”
          = Message Anna Karenina (person): “remind me at six”
        text Anna remind me at six
          = Message Anna Karenina (person): “remind me at six”
        play
          = Play
        play some jazz
          = Play “jazz”
        play the next song
          = Play the next one
        pause
          = Pause
        pause the music
          = Pause
        next
          = Play the next one
        skip this song
          = Play the next one
        previous track
          = Play the previous one
        listen to Abbey Road
          = Play “Abbey Road”
        open Mail
          = Open Mail (app)
        launch Restaurant Reviews
          = Open Restaurant Reviews (app)
        open the app Mail
          = Open Mail (app)
        open Notes
          = Open “Notes”
        search for dumplings
          = Search for “dumplings”
        find dumplings
          = Search for “dumplings”
        look up dumplings
          = Search for “dumplings”
        Erinnere mich daran
          = Remind you of what you look at
        the weather is nice
          = none: This is not understood.
        remind me to x on 30 February
          = none: There is no such day or time.
        remind me to x in 9999 years
          = none: That is more than 100 years away.
        remind me yesterday to x
          = none: That time has passed.
        remind me to ‘buy’ “milk and bread” tomorrow
          = Remind you of “'buy' "milk and bread"” on Friday 27 November 2026
        remind me to meet Anna at six on friday
          = Remind you of “meet Anna” on Friday 27 November 2026 at 18:00
        remind me to eat at lunchtime
          = Remind you of “eat” on Thursday 26 November 2026 at 12:00
        remind me to check in at 6 in the morning
          = Remind you of “check in” on Friday 27 November 2026 at 06:00
        remind me to eat this evening
          = Remind you of “eat” on Thursday 26 November 2026 at 19:00
        remind me to eat at 7 tonight
          = Remind you of “eat” on Thursday 26 November 2026 at 19:00
        remind me to sleep at 11 at night
          = Remind you of “sleep” on Thursday 26 November 2026 at 23:00
        remind me to water plants in 3 days at 8
          = Remind you of “water plants” on Sunday 29 November 2026 at 08:00
        remind me to renew the passport next year
          = Remind you of “renew the passport” on Friday 1 January 2027
        remind me to plan next week
          = Remind you of “plan” on Monday 30 November 2026
        remind me to plan at the weekend
          = Remind you of “plan” on Saturday 28 November 2026
        remind me to plan end of next month
          = Remind you of “plan” on Thursday 31 December 2026
        remind me today to plan
          = Remind you of “plan” on Thursday 26 November 2026
        remind me at 9 to plan
          = Remind you of “plan” on Thursday 26 November 2026 at 21:00
        remind me at nine thirty to plan
          = Remind you of “plan” on Thursday 26 November 2026 at 21:30
        remind me twenty-five minutes from now to plan
          = Remind you of “plan” on Thursday 26 November 2026 at 10:25
        remind me in a couple of hours to plan
          = Remind you of “plan” on Thursday 26 November 2026 at 12:00
        remind me at 12 to plan
          = Remind you of “plan” on Thursday 26 November 2026 at 12:00
        remind me tomorrow at 12 to plan
          = Remind you of “plan” on Friday 27 November 2026 at 12:00
        remind me at twelve thirty pm to plan
          = Remind you of “plan” on Thursday 26 November 2026 at 12:30
        remind me to plan by end of day
          = Remind you of “plan” on Thursday 26 November 2026 at 17:00
        remind me to plan on the twenty-first of january
          = Remind you of “plan” on Thursday 21 January 2027
        add reminder buy milk
          = Remind you of “buy milk”
        remind me to call Bob about the car when I get to work
          = Remind you of “call Bob about the car” when you arrive at work
        remind me about it when I leave
          = Remind you of what you look at when you leave here
        remind me about this page on monday
          = Remind you of what you look at on Monday 30 November 2026
        remind me about this every friday
          = Remind you of what you look at every week on Friday, first on Friday 27 November 2026
        play “the next song”
          = Play “the next song”
        remind me to call (415) 781-1111 at 3
          = Remind you of “call (415) 781-1111” on Thursday 26 November 2026 at 15:00
        remind me to say “hi”
          = Remind you of “say "hi"”
        remind me to stretch in thirty minutes
          = Remind you of “stretch” on Thursday 26 November 2026 at 10:30
        remind me to stretch three hours from now
          = Remind you of “stretch” on Thursday 26 November 2026 at 13:00
        remind me tomorrow evening at 8 to read
          = Remind you of “read” on Friday 27 November 2026 at 20:00
        remind me on Saturday morning to run
          = Remind you of “run” on Saturday 28 November 2026 at 09:00
        remind me on saturday afternoon at 3 to run
          = Remind you of “run” on Saturday 28 November 2026 at 15:00
        remind me Monday at 14:30 to run
          = Remind you of “run” on Monday 30 November 2026 at 14:30
        remind me to run at 0:30
          = Remind you of “run” on Friday 27 November 2026 at 00:30
        remind me to run at 24:00
          = Remind you of “run” on Friday 27 November 2026 at 00:00
        remind me to run at 25:00
          = none: “at 25:00” is not a time that is understood here. Give another time, or put what you want to be reminded of in \
        quotes.
        remind me to pay on 31 February
          = none: There is no such day or time.
        remind me to celebrate on february 29
          = Remind you of “celebrate” on Tuesday 29 February 2028
        remind me on the fourth of july to celebrate
          = Remind you of “celebrate” on Sunday 4 July 2027
        remind me to buy flowers on valentine's day
          = Remind you of “buy flowers” on Sunday 14 February 2027
        remind me at the end of the week to tidy up
          = Remind you of “tidy up” on Sunday 29 November 2026
        remind me at the end of the year to tidy up
          = Remind you of “tidy up” on Thursday 31 December 2026
        remind me in one year to renew
          = Remind you of “renew” on Friday 26 November 2027 at 10:00
        remind me in two months to renew
          = Remind you of “renew” on Tuesday 26 January 2027 at 10:00
        remind me every 3 months to renew
          = Remind you of “renew” every 3 months, first on Friday 27 November 2026
        remind me every other tuesday to vacuum
          = Remind you of “vacuum” every 2 weeks on Tuesday, first on Tuesday 1 December 2026
        remind me every christmas eve to phone home
          = Remind you of “phone home” every year, first on Thursday 24 December 2026
        remind me on tuesdays and fridays at 7 pm to train
          = Remind you of “train” every week on Tuesday, Friday, first on Friday 27 November 2026 at 19:00
        remind me on weekends to sleep in
          = Remind you of “sleep in” on weekends, first on Saturday 28 November 2026
        remind me when I get in the car to call the garage
          = Remind you of “call the garage” when “car” connects
        remind me about this when I get back home
          = Remind you of what you look at when you arrive at home
        remind me about this on my way home
          = Remind you of what you look at when you leave work
        remind me about this when I arrive at work
          = Remind you of what you look at when you arrive at work
        remind me about this when I leave here
          = Remind you of what you look at when you leave here
        remind me when I get to the train station to buy a ticket
          = Remind you of “buy a ticket” when you arrive at “the train station”
        remind me to unplug when I disconnect from the projector
          = Remind you of “unplug” when “projector” disconnects
        remind me to apologise as soon as I speak with Anna
          = Remind you of “apologise” when you are in touch with Anna Karenina (person)
        next time I open Restaurant Reviews remind me to write a review
          = Remind you of “write a review” when you open Restaurant Reviews (app)
        baton, call this restaurant
          = Call the place or the people that you look at
        I want to call this place
          = Call the place or the people that you look at
        remind me to wake up at six thirty am
          = Remind you of “wake up” on Friday 27 November 2026 at 06:30
        remind me in ten seconds to breathe
          = Remind you of “breathe” on Thursday 26 November 2026 at 10:00
        remind me later
          = none: Say when: “later” is no time. “Tonight” and “in an hour” are.
        """

    /// In German.
    static let german = """
        erinnere mich hieran, wenn ich nach Hause komme
          = Remind you of what you look at when you arrive at home
        erinnere mich morgen um 18 Uhr daran, Milch zu kaufen
          = Remind you of “Milch zu kaufen” on Friday 27 November 2026 at 18:00
        Erinnere mich am Freitag um halb sechs an den Termin
          = Remind you of “den Termin” on Friday 27 November 2026 at 17:30
        erinnere mich in einer halben Stunde an den Kuchen
          = Remind you of “den Kuchen” on Thursday 26 November 2026 at 10:30
        erinnere mich jeden Montag um 9 Uhr an den Müll
          = Remind you of “den Müll” every week on Monday, first on Monday 30 November 2026 at 09:00
        Wegbeschreibung zu Yank Sing
          = Directions to Yank Sing (place)
        Wegbeschreibung hierher
          = Directions to the place that you look at
        ruf hier an
          = Call the place or the people that you look at
        ruf Anna an
          = Call Anna Karenina (person)
        schreib Anna, dass ich später komme
          = Message Anna Karenina (person): “ich später komme”
        spiele Jazz
          = Play “Jazz”
        nächstes Lied
          = Play the next one
        öffne Mail
          = Open Mail (app)
        suche nach Knödeln
          = Search for “Knödeln”
        Erinnere mich übermorgen Abend an das Konzert
          = Remind you of “das Konzert” on Saturday 28 November 2026 at 19:00
        erinnere mich an Milch, wenn ich zu Hause bin
          = Remind you of “Milch” when you arrive at home
        erinnere mich an das hier, wenn ich Mail öffne
          = Remind you of what you look at when you open Mail (app)
        Sobald ich ins Büro komme erinnere mich an den Bericht
          = Remind you of “den Bericht” when you arrive at work
        erinnere mich nächsten Freitag an das Fest
          = Remind you of “das Fest” on Friday 4 December 2026
        erinnere mich am 24.12. um 15:30 daran Geschenke einzupacken
          = Remind you of “Geschenke einzupacken” on Thursday 24 December 2026 at 15:30
        erinnere mich an Silvester an die Raketen
          = Remind you of “die Raketen” on Thursday 31 December 2026
        wie komme ich nach Hause
          = Directions to home
        Pause
          = Pause
        """

    /// In Turkish.
    static let turkish = """
        Eve geldiğimde bana bunu anımsat
          = Remind you of what you look at when you arrive at home
        eve geldigimde bana bunu animsat
          = Remind you of what you look at when you arrive at home
        EVE GELDİĞİMDE BANA BUNU ANIMSAT
          = Remind you of what you look at when you arrive at home
        yarın saat 18:00'de bana süt almayı anımsat
          = Remind you of “süt almayı” on Friday 27 November 2026 at 18:00
        Yank Sing'e yol tarifi
          = Directions to Yank Sing (place)
        burayı ara
          = Call the place or the people that you look at
        Anna’yı ara
          = Call Anna Karenina (person)
        Bob'u ara
          = or: Call “Bob” / Search for “Bob”
        Anna'ya geç kalacağım yaz
          = Message Anna Karenina (person): “geç kalacağım”
        caz çal
          = Play “caz”
        Mail'i aç
          = Open Mail (app)
        internette mantı ara
          = Search for “mantı”
        yarım saat sonra çayı hatırlat
          = Remind you of “çayı” on Thursday 26 November 2026 at 10:30
        işten çıkınca ekmek almayı hatırlat
          = Remind you of “ekmek almayı” when you leave work
        cuma günü saat 9 toplantıyı hatırlat
          = Remind you of “toplantıyı” on Friday 27 November 2026 at 09:00
        duraklat
          = Pause
        Freitag
          = none: This is not understood.
        her pazartesi saat 09:30'da çöpü hatırlat
          = Remind you of “çöpü” every week on Monday, first on Monday 30 November 2026 at 09:30
        yılbaşında annemi aramayı hatırlat
          = Remind you of “annemi aramayı” on Friday 1 January 2027
        yarın saat 6da süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 06:00
        yarın saat 6'da süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 06:00
        yarın saat 18.30da süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 18:30
        yarın saat 18.30'da süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 18:30
        yarın 18:30da süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 18:30
        yarın 18.30'da süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 18:30
        yarın saat 6'ya süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 06:00
        yarın saat 6ya süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 06:00
        yarın saat altıda süt almamı hatırlat
          = Remind you of “süt almamı” on Friday 27 November 2026 at 06:00
        yarın saat 9'a toplantıyı hatırlat
          = Remind you of “toplantıyı” on Friday 27 November 2026 at 09:00
        yarın saat 9a toplantıyı hatırlat
          = Remind you of “toplantıyı” on Friday 27 November 2026 at 09:00
        yarın sabah 8'de annemi aramamı hatırlat
          = Remind you of “annemi aramamı” on Friday 27 November 2026 at 08:00
        akşam 7 buçukta maçı hatırlat
          = Remind you of “maçı” on Thursday 26 November 2026 at 19:30
        saat 8'e çeyrek kala otobüsü hatırlat
          = Remind you of “otobüsü” on Thursday 26 November 2026 at 19:45
        yarın sekize 10 kala otobüsü hatırlat
          = Remind you of “otobüsü” on Friday 27 November 2026 at 07:50
        yarın saat 8'i çeyrek geçe otobüsü hatırlat
          = Remind you of “otobüsü” on Friday 27 November 2026 at 08:15
        yarın 2 ekmek almamı hatırlat
          = Remind you of “2 ekmek almamı” on Friday 27 November 2026
        her gün sabah 8'de ilacımı hatırlat
          = Remind you of “ilacımı” every day, first on Friday 27 November 2026 at 08:00
        yarın 10 buçuk gibi annemi hatırlat
          = none: “10 buçuk” is not a time that is understood here. Give another time, or put what you want to be reminded of in quotes.
        eve gidince çamaşırı hatırlat
          = Remind you of “çamaşırı” when you arrive at home
        eve götür
          = Directions to home
        yol tarifi
          = Directions to the place that you look at
        sonraki şarkı
          = Play the next one
        lütfen 3 gün sonra kirayı anımsat
          = Remind you of “kirayı” on Sunday 29 November 2026 at 10:00
        """
}
