extension RequestSentences {
    /// English, as heard: calls to answer, messages without “that”, and times in other words.
    static let heardEnglish = """
        send Anna hello
          = Message Anna Karenina (person): “hello”
        send Anna Karenina hello
          = Message Anna Karenina (person): “hello”
        please send Anna good luck for tomorrow
          = Message Anna Karenina (person): “good luck for tomorrow”
        send my Anna I love you
          = Message Anna Karenina (person): “I love you”
        send Karenina hello
          = Message “Karenina”: “hello”
        send her hello
          = Message the place or the people that you look at: “hello”
        can you send Anna hello
          = Message Anna Karenina (person): “hello”
        send Anna that I'm on the bus
          = Message Anna Karenina (person): “I'm on the bus”
        send Anna: running late
          = Message Anna Karenina (person): “running late”
        send hello to Anna
          = Message Anna Karenina (person): “hello”
        send happy birthday to Anna
          = Message Anna Karenina (person): “happy birthday”
        send Anna a quick message saying I'm here
          = Message Anna Karenina (person): “I'm here”
        send Anna a message
          = Message Anna Karenina (person)
        send Anna an email saying I'm here
          = Email Anna Karenina (person): “I'm here”
        send Anna the address
          = none: A message has words only…
        send Anna my location
          = none: A message has words only…
        send Anna some pictures of the cat
          = none: A message has words only…
        send her this
          = none: A message has words only…
        send Anna 20 euros
          = none: Baton sends no money…
        send Anna some money
          = none: Baton sends no money…
        send money to Anna
          = none: Baton sends no money…
        call back
          = Call the person of the last call
        call her back
          = Call the person of the last call
        call him back please
          = Call the person of the last call
        please call them back now
          = Call the person of the last call
        can you call her back
          = Call the person of the last call
        call back the last caller
          = Call the person of the last call
        call my last missed call
          = Call the person of the last call
        call back whoever just called
          = Call the person of the last call
        return my missed call
          = Call the person of the last call
        ring him back
          = Call the person of the last call
        call Anna back
          = Call Anna Karenina (person)
        FaceTime her back
          = Video call the person of the last call
        text her back
          = Message the place or the people that you look at
        text Anna back that I'm fine
          = Message Anna Karenina (person): “I'm fine”
        call her
          = Call the place or the people that you look at
        call her back at 5
          = none: Calls and messages go out at once…
        call back tomorrow
          = none: Calls and messages go out at once…
        remind me to call her back
          = Remind you of “call her back”
        remind me to call back tomorrow
          = Remind you of “call back” on Friday 27 November 2026
        remind me in half an hour to call back
          = Remind you of “call back” on Thursday 26 November 2026 at 10:30
        remind me to call Anna back at a quarter past four
          = Remind you of “call Anna back” on Thursday 26 November 2026 at 16:15
        text Anna call me back
          = Message Anna Karenina (person): “call me back”
        tell Anna I'll call back
          = Message Anna Karenina (person): “I'll call back”
        tell Anna she left her umbrella here
          = Message Anna Karenina (person): “she left her umbrella here”
        tell Anna dinner's ready
          = Message Anna Karenina (person): “dinner's ready”
        text Anna what's the wifi password?
          = Message Anna Karenina (person): “what's the wifi password?”
        let Anna know the parcel came
          = Message Anna Karenina (person): “the parcel came”
        ask Anna what she wants for dinner
          = Message Anna Karenina (person): “what she wants for dinner”
        message Anna
          = Message Anna Karenina (person)
        tell mum I landed
          = Message “mum”: “I landed”
        call dad
          = Call “dad”
        FaceTime mum
          = Video call “mum”
        email Anna about the invoice
          = Email Anna Karenina (person): “the invoice”
        play the new album by Coltrane
          = Play “the new album by Coltrane”
        play Naima
          = Play “Naima”
        play "On Repeat"
          = Play “On Repeat”
        put some music on
          = Play
        put on Blue Train
          = Play “Blue Train”
        turn the music off
          = Pause
        skip this one
          = Play the next one
        next track please
          = Play the next one
        go to the next song
          = Play the next one
        what's this song
          = Say what is playing
        who sings this
          = Say what is playing
        turn it up
          = none: Baton does not change how loud this device is…
        open the Mail app
          = Open Mail (app)
        launch Restaurant Reviews please
          = Open Restaurant Reviews (app)
        take me to Yank Sing
          = Directions to Yank Sing (place)
        how do I get there
          = Directions to the place that you look at
        get me directions to the airport
          = Directions to “the airport”
        navigate to 12 Market Street
          = Directions to “12 Market Street”
        directions to here
          = Directions to the place that you look at
        show me the way home
          = Directions to home
        find the slides from Monday
          = Search for “the slides from Monday”
        look up dumplings
          = Search for “dumplings”
        do I have any reminders today
          = Show your reminders for today
        what's on my list
          = Show your reminders
        remind me of this tonight
          = Remind you of what you look at on Thursday 26 November 2026 at 20:00
        remind me about this in an hour
          = Remind you of what you look at on Thursday 26 November 2026 at 11:00
        remind me about this when I'm home
          = Remind you of what you look at when you arrive at home
        remind me about this when I get in the car
          = Remind you of what you look at when “car” connects
        remind me about this when I leave here
          = Remind you of what you look at when you leave here
        remind me of this page on Sunday evening
          = Remind you of what you look at on Sunday 29 November 2026 at 19:00
        remind me when I open Mail to answer Anna
          = Remind you of “answer Anna” when you open Mail (app)
        remind me the next time I talk to Anna to return the book
          = Remind you of “return the book” when you are in touch with Anna Karenina (person)
        next time I text Anna remind me to mention the party
          = Remind you of “mention the party” when you message Anna Karenina (person)
        when I get home remind me to take out the bins
          = Remind you of “take out the bins” when you arrive at home
        when I leave the office remind me to buy bread
          = Remind you of “buy bread” when you leave work
        remind me to charge my headphones when I get home
          = Remind you of “charge my headphones” when you arrive at home
        remind me when my headphones connect to call Anna
          = Remind you of “call Anna” when Headphones (device) connects
        remind me to water the plants every other day
          = Remind you of “water the plants” every 2 days, first on Friday 27 November 2026
        remind me every weekday at 8 to leave
          = Remind you of “leave” on weekdays, first on Friday 27 November 2026 at 08:00
        remind me each Sunday night to put the bins out
          = Remind you of “put the bins out” every week on Sunday, first on Sunday 29 November 2026 at 21:00
        remind me on the 1st of every month to pay rent
          = Remind you of “pay rent” every month, first on Tuesday 1 December 2026
        remind me three days from now to check the dough
          = Remind you of “check the dough” on Sunday 29 November 2026 at 10:00
        remind me a week from Friday to renew it
          = Remind you of “renew it” on Friday 4 December 2026
        remind me at noon tomorrow to eat
          = Remind you of “eat” on Friday 27 November 2026 at 12:00
        remind me at half past seven tonight to watch the match
          = Remind you of “watch the match” on Thursday 26 November 2026 at 19:30
        remind me to take the cake out in twenty five minutes
          = Remind you of “take the cake out” on Thursday 26 November 2026 at 10:25
        in ten minutes remind me to turn off the oven
          = Remind you of “turn off the oven” on Thursday 26 November 2026 at 10:10
        remind me on new year's eve at 11pm to call Anna
          = Remind you of “call Anna” on Thursday 31 December 2026 at 23:00
        remind me to vote on the third of March
          = Remind you of “vote” on Wednesday 3 March 2027
        remind me at the end of the week to send the report
          = Remind you of “send the report” on Sunday 29 November 2026
        remind me next week to book the flight
          = Remind you of “book the flight” on Monday 30 November 2026
        remind me to pick up the kids at ten to three
          = Remind you of “pick up the kids” on Thursday 26 November 2026 at 14:50
        remind me in the morning to stretch
          = Remind you of “stretch” on Friday 27 November 2026 at 09:00
        wake me up at half past six
          = Remind you of “wake me up” on Friday 27 November 2026 at 06:30
        set a timer for half an hour
          = Remind you of “timer” on Thursday 26 November 2026 at 10:30
        set an egg timer for 6 minutes
          = Remind you of “egg timer” on Thursday 26 November 2026 at 10:06
        cancel my alarm
          = none: Reminders are not changed in words…
        remind me to call Anna when she gets home
          = none: “when she gets home” is not a time…
        remind me about Anna's birthday on May 3rd every year
          = Remind you of “Anna's birthday” every year, first on Monday 3 May 2027
        when I next open Mail remind me to unsubscribe
          = Remind you of “unsubscribe” when you open Mail (app)
        give her a call back
          = Call the place or the people that you look at
        call the last person who called
          = Call the person of the last call
        call this number
          = Call the place or the people that you look at
        go to the previous song
          = Play the previous one
        """

    static let heardGerman = """
        ruf zurück
          = Call the person of the last call
        ruf sie zurück
          = Call the person of the last call
        ruf ihn bitte zurück
          = Call the person of the last call
        bitte zurückrufen
          = Call the person of the last call
        ruf Anna zurück
          = Call Anna Karenina (person)
        erinnere mich in 10 Minuten daran, zurückzurufen
          = Remind you of “zurückzurufen” on Thursday 26 November 2026 at 10:10
        schick Anna liebe Grüße
          = Message Anna Karenina (person): “liebe Grüße”
        sende Anna hallo
          = Message Anna Karenina (person): “hallo”
        schick ihr gute Besserung
          = Message the place or the people that you look at: “gute Besserung”
        schick hallo an Anna
          = Message Anna Karenina (person): “hallo”
        schick Anna ein Foto
          = none: A message has words only…
        schick Anna meinen Standort
          = none: A message has words only…
        schick Anna 20 Euro
          = none: Baton sends no money…
        schreib Anna, bin gleich da
          = Message Anna Karenina (person): “bin gleich da”
        sag Anna, das Essen ist fertig
          = Message Anna Karenina (person): “das Essen ist fertig”
        sag Anna Bescheid, dass ich später komme
          = Message Anna Karenina (person): “ich später komme”
        erinnere mich heute Abend um acht ans Spiel
          = Remind you of “Spiel” on Thursday 26 November 2026 at 20:00
        erinnere mich hieran, wenn ich zu Hause bin
          = Remind you of what you look at when you arrive at home
        erinnere mich in einer halben Stunde an den Kuchen
          = Remind you of “den Kuchen” on Thursday 26 November 2026 at 10:30
        erinnere mich jeden zweiten Tag ans Gießen
          = Remind you of “Gießen” every 2 days, first on Friday 27 November 2026
        wenn ich nach Hause komme, erinnere mich an die Wäsche
          = Remind you of “die Wäsche” when you arrive at home
        wenn ich Mail öffne, erinnere mich an die Rechnung
          = Remind you of “die Rechnung” when you open Mail (app)
        bring mich nach Hause
          = Directions to home
        mach die Musik an
          = Play
        was läuft gerade
          = Say what is playing
        stell einen Timer auf eine halbe Stunde
          = Remind you of “Timer” on Thursday 26 November 2026 at 10:30
        """

    static let heardTurkish = """
        geri ara
          = Call the person of the last call
        onu geri ara
          = Call the person of the last call
        lütfen geri arar mısın
          = Call the person of the last call
        son arayanı ara
          = Call the person of the last call
        Anna'yı geri ara
          = Call Anna Karenina (person)
        Anna'ya merhaba gönder
          = Message Anna Karenina (person): “merhaba”
        Anna'ya selam yolla
          = Message Anna Karenina (person): “selam”
        Anna'ya bir fotoğraf gönder
          = none: This is not understood.
        Anna'ya 20 lira gönder
          = none: Baton sends no money…
        Anna'ya yoldayım yaz
          = Message Anna Karenina (person): “yoldayım”
        on dakika sonra fırını hatırlat
          = Remind you of “fırını” on Thursday 26 November 2026 at 10:10
        yarın akşam Anna'yı aramamı hatırlat
          = Remind you of “Anna'yı aramamı” on Friday 27 November 2026 at 19:00
        eve gelince çöpü atmamı hatırlat
          = Remind you of “çöpü atmamı” when you arrive at home
        işten çıkınca ekmek almamı hatırlat
          = Remind you of “ekmek almamı” when you leave work
        bunu yarın sabah hatırlat
          = Remind you of what you look at on Friday 27 November 2026 at 09:00
        her pazar akşamı çöpü hatırlat
          = Remind you of “çöpü” every week on Sunday, first on Sunday 29 November 2026 at 19:00
        beni eve götür
          = Directions to home
        müziği kapat
          = Pause
        bu şarkı ne
          = Say what is playing
        """
}
