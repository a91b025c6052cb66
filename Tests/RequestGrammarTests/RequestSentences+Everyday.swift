extension RequestSentences {
    /// English: which app, money, files, other times than now, and what cannot be seen.
    static let everydayEnglish = """
        send Anna $20
          = none: Baton sends no money, and nothing…
        send $20 to Anna
          = none: Baton sends no money, and nothing…
        send Anna €15 for lunch
          = none: Baton sends no money, and nothing…
        request $20 from Anna
          = none: Baton sends no money, and nothing…
        send Anna a hug for her $20
          = none: A message has words only, and…
        message Anna on WhatsApp
          = none: In which app cannot be said…
        text Anna on Signal that I'm late
          = none: In which app cannot be said…
        send Anna a message via Telegram
          = none: In which app cannot be said…
        whatsapp Anna I'm late
          = none: In which app cannot be said…
        call Anna on Skype
          = none: In which app cannot be said…
        text Anna I saw it on WhatsApp
          = Message Anna Karenina (person): “I saw it on WhatsApp”
        text Anna tomorrow at 9
          = none: Calls and messages go out at…
        tell Anna when I get home
          = none: Calls and messages go out at…
        let Anna know tomorrow
          = none: Calls and messages go out at…
        text Anna happy new year
          = Message Anna Karenina (person): “happy new year”
        text Anna tomorrow works for me
          = Message Anna Karenina (person): “tomorrow works for me”
        email Anna the photos
          = none: A message has words only, and…
        email this to Anna
          = none: A message has words only, and…
        email Anna about the photos
          = Email Anna Karenina (person): “the photos”
        email Anna tomorrow about the photos
          = none: Calls and messages go out at…
        bring me a beer
          = none: This is not understood.
        take me to the nearest bakery
          = Directions to “the nearest bakery”
        take me Yank Sing
          = Directions to Yank Sing (place)
        how do I get rich
          = none: This is not understood.
        how can I get to the museum
          = Directions to “the museum”
        go to Yank Sing
          = Directions to Yank Sing (place)
        directions to Yank Sing at 5
          = none: Directions begin now. Name only where…
        directions to "Yank Sing at 5"
          = Directions to “Yank Sing at 5”
        walking directions to Yank Sing
          = none: How you travel is chosen in…
        directions to Yank Sing via Oakland
          = none: How you travel is chosen in…
        play it
          = Play
        watch this
          = Play
        play my music
          = Play
        show me photos of Anna
          = Search for “Anna”
        where's the invoice
          = Search for “the invoice”
        I need a taxi at 5
          = none: Baton orders no rides, and none…
        I need a taxi receipt
          = none: Baton orders no rides, and none…
        add buy milk to my reminders
          = Remind you of “buy milk”
        add buy milk tomorrow to my to-do list
          = Remind you of “buy milk” on Friday 27 November 2026
        note to self: the code is 1234
          = Remind you of “the code is 1234”
        set an alarm for 20 minutes
          = Remind you of “alarm” on Thursday 26 November 2026 at 10:20
        set a pasta timer for 9 minutes
          = Remind you of “pasta” on Thursday 26 November 2026 at 10:09
        set a timer for 9 minutes for the pasta
          = Remind you of “pasta” on Thursday 26 November 2026 at 10:09
        set an egg timer for 6 minutes
          = Remind you of “egg timer” on Thursday 26 November 2026 at 10:06
        when I get home, please remind me to call Anna
          = Remind you of “call Anna” when you arrive at home
        remind me a fortnight from Monday to pay
          = Remind you of “pay” on Monday 14 December 2026
        remind me on the first of the month to pay
          = Remind you of “pay” on Tuesday 1 December 2026
        remind me tomorow mornin to call Bob
          = Remind you of “call Bob” on Friday 27 November 2026 at 09:00
        remind me in 2 weeks time to call Bob
          = Remind you of “call Bob” on Thursday 10 December 2026 at 10:00
        remind me in an hour's time to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 11:00
        remind me in ten mins time to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 10:10
        remind me in an hour fifteen to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 11:15
        remind me in half a year to call Bob
          = Remind you of “call Bob” on Wednesday 26 May 2027 at 10:00
        remind me every Monday, Tuesday, Wednesday and Thursday to train
          = Remind you of “train” every week on Monday, Tuesday, Wednesday, Thursday, first on Monday 30 November 2026
        remind me Mondays, Tuesdays, Wednesdays and Fridays to train
          = Remind you of “train” every week on Monday, Tuesday, Wednesday, Friday, first on Friday 27 November 2026
        remind me to train on Tuesday evenings
          = Remind you of “train” every week on Tuesday, first on Tuesday 1 December 2026 at 19:00
        remind me to train every other weekend
          = Remind you of “train” every 2 weeks on Saturday, Sunday, first on Saturday 28 November 2026
        remind me to train on alternate Tuesdays
          = Remind you of “train” every 2 weeks on Tuesday, first on Tuesday 1 December 2026
        remind me to train after lunch
          = Remind you of “train” on Thursday 26 November 2026 at 13:00
        remind me to train after work tomorrow
          = none: This names more than one time…
        remind me to buy bread on the way home
          = Remind you of “buy bread” when you leave work
        remind me to buy bread before I leave
          = none: “before I leave”…
        remind me to buy bread when Anna calls
          = none: “when Anna calls”…
        remind me to buy bread when Bob calls me
          = none: “when Bob calls me”…
        remind me to buy bread when I see Anna
          = none: “when I see Anna”…
        remind me to buy bread when I'm done
          = none: “when I'm done”…
        remind me to buy bread when I get a chance
          = none: When that happens is not known…
        when I get up remind me to stretch
          = none: When that happens is not known…
        remind me to buy bread an hour before sunset
          = none: “an hour before sunset”…
        remind me to buy bread next time I drive
          = none: “next time I drive”…
        remind me to buy bread when I come into the office
          = Remind you of “buy bread” when you arrive at work
        remind me to buy bread when I put my headphones on
          = Remind you of “buy bread” when Headphones (device) connects
        remind me about this on Anna's birthday
          = none: “on Anna's birthday”…
        remind me about this next spring
          = none: “next spring”…
        remind me about this in the new year
          = Remind you of what you look at on Friday 1 January 2027
        remind me at 20 past to check the oven
          = Remind you of “check the oven” on Thursday 26 November 2026 at 10:20
        remind me that the meeting is at 5
          = none: This names more than one time…
        remind me "the meeting is at 5" at 4
          = Remind you of “the meeting is at 5” on Thursday 26 November 2026 at 16:00
        remind me to book a flight for March 5
          = none: “for March 5”…
        remind me on Monday to book a flight for March 5
          = Remind you of “book a flight for March 5” on Monday 30 November 2026
        remind me to book a table for 7pm
          = none: “for 7pm”…
        set a reminder to call the bank for tomorrow at 10
          = Remind you of “call the bank” on Friday 27 November 2026 at 10:00
        set a reminder for 5 to eat
          = Remind you of “eat” on Thursday 26 November 2026 at 17:00
        set a reminder for every Monday at 9 to plan
          = Remind you of “plan” every week on Monday, first on Monday 30 November 2026 at 09:00
        set alarm for 0530
          = Remind you of “alarm” on Friday 27 November 2026 at 05:30
        play this song
          = Play
        stop that
          = Pause
        play Queen in Spotify
          = none: Where it plays cannot be said…
        send a message saying the bus is late to Anna
          = Message Anna Karenina (person): “the bus is late”
        remind me at 9 to eat and at 10 to sleep
          = none: This names more than one time or thing…
        remind me to grab milk 30 min before 6
          = Remind you of “grab milk” on Thursday 26 November 2026 at 17:30
        remind me to grab milk half an hour before 6
          = Remind you of “grab milk” on Thursday 26 November 2026 at 17:30
        remind me to grab milk a week before Christmas
          = none: This names more than one time or thing…
        remind me to grab milk the following Monday
          = none: This names more than one time or thing…
        remind me to grab milk in 1h30m
          = Remind you of “grab milk” on Thursday 26 November 2026 at 11:30
        remind me to grab milk for the next 3 days
          = none: “for the next 3 days” is not a time…
        remind me to grab milk when I get home from work
          = Remind you of “grab milk” when you arrive at home
        remind me to grab milk as I leave work
          = Remind you of “grab milk” when you leave work
        remind me to grab milk when leaving work
          = Remind you of “grab milk” when you leave work
        remind me to grab milk when I get off the bus
          = none: When that happens is not known here…
        remind me to grab milk when I get a text from Anna
          = none: When that happens is not known here…
        remind me half an hour before sunset
          = none: “half an hour before” is not a time…
        text +1 555 123 4567 on my way
          = Message “+1 555 123 4567”: “on my way”
        message +44 7700 900123 saying hi
          = Message “+44 7700 900123”: “hi”
        tell Dr Weber I'm late
          = Message “Weber”: “I'm late”
        tell Peter's wife I'm late
          = none: “Peter's” names no person…
        tell Anna, Jean-Luc and Bob hello
          = none: A message goes to one person…
        send the last photo to Anna
          = none: A message has words only…
        tell me a joke
          = none: “me” names no person, and nothing was done…
        call me
          = none: “me” names no person, and nothing was done…
        text a friend hello
          = none: “a” names no person, and nothing was done…
        call home
          = none: “home” names no person, and nothing was done…
        call "Home"
          = Call “Home”
        remind me to eat when I talk to someone
          = none: “someone” names no person, and nothing was done…
        remind me to ask Anna when she is free
          = Remind you of “ask Anna when she is free”
        remind me to go before the shop closes
          = Remind you of “go before the shop closes”
        remind me to tell Anna the meeting is cancelled tomorrow at 9
          = Remind you of “tell Anna the meeting is cancelled” on Friday 27 November 2026 at 09:00
        """

    /// German: a verb that is a time zone, several weekdays, which app.
    static let everydayGerman = """
        erinnere mich, dass das Meeting um 15 Uhr ist
          = none: “um 15 Uhr”…
        erinnere mich an jedem 3. des Monats an die Miete
          = Remind you of “die Miete” every month, first on Thursday 3 December 2026
        erinnere mich montags, mittwochs und freitags ans Training
          = Remind you of “Training” every week on Monday, Wednesday, Friday, first on Friday 27 November 2026
        erinnere mich jeden Montag, Dienstag, Mittwoch und Donnerstag ans Training
          = Remind you of “Training” every week on Monday, Tuesday, Wednesday, Thursday, first on Monday 30 November 2026
        erinnere mich nach dem Mittagessen an die Tabletten
          = Remind you of “die Tabletten” on Thursday 26 November 2026 at 13:00
        erinnere mich an die Tabletten nach dem Essen
          = none: “nach dem Essen”…
        erinnere mich an die Katze, wenn ich heimkomme
          = Remind you of “die Katze” when you arrive at home
        erinnere mich an Brot, wenn ich einkaufen gehe
          = none: “wenn ich einkaufen gehe”…
        erinnere mich an das Buch, wenn Anna anruft
          = none: “wenn Anna anruft”…
        erinnere mich eine Stunde vor dem Meeting
          = none: “eine Stunde vor dem”…
        ruf mal bitte Anna an
          = Call Anna Karenina (person)
        ruf Anna über WhatsApp an
          = none: In which app cannot be said…
        schreib Anna auf WhatsApp, dass ich komme
          = none: In which app cannot be said…
        schreib Anna eine WhatsApp: ich komme
          = Message Anna Karenina (person): “ich komme”
        schreib Anna morgen
          = none: Calls and messages go out at…
        schreib Anna bis morgen
          = Message Anna Karenina (person): “bis morgen”
        schick Anna 20€
          = none: Baton sends no money, and nothing…
        sag Anna Bescheid
          = Message Anna Karenina (person)
        sag Anna bitte Bescheid, dass ich komme
          = Message Anna Karenina (person): “ich komme”
        ruf mich an
          = none: “mich” names no person, and nothing was done…
        sag mir einen Witz
          = none: “mir” names no person, and nothing was done…
        erinnere mich um 8 rum an den Bus
          = Remind you of “den Bus” on Thursday 26 November 2026 at 20:00
        erinnere mich um 9 an die Blumen und um 10 an den Müll
          = none: This names more than one time or thing…
        erinnere mich an die Blumen, bevor ich gehe
          = none: “bevor ich gehe” is not a time…
        Route nach Berlin über Leipzig
          = none: How you travel is chosen in the map…
        Route zur Arbeit um 8
          = none: Directions begin now…
        Wegbeschreibung zur Straße des 17. Juni
          = Directions to “Straße des 17. Juni”
        spiel das
          = Play
        schick Anna eine Mail mit den Fotos
          = none: A message has words only…
        schreib Frau Müller, dass ich komme
          = Message “Müller”: “ich komme”
        schreib meiner Frau, dass ich komme
          = Message “Frau”: “ich komme”
        ich brauche ein Taxi
          = none: Baton orders no rides, and none…
        """

    /// Turkish: days of the month in words, which app, numbers.
    static let everydayTurkish = """
        Anna'yı görünce kitabı hatırlat
          = none: “Anna'yı görünce”…
        bir dahaki sefere Anna'yla konuştuğumda kitabı hatırlat
          = Remind you of “kitabı” when you are in touch with Anna Karenina (person)
        saat beşe on var doktoru aramamı hatırlat
          = Remind you of “doktoru aramamı” on Thursday 26 November 2026 at 16:50
        ayın üçünde kirayı hatırlat
          = Remind you of “kirayı” on Thursday 3 December 2026
        ayın yirmi beşinde kirayı hatırlat
          = Remind you of “kirayı” on Friday 25 December 2026
        her ayın birinde kirayı hatırlat
          = Remind you of “kirayı” every month, first on Tuesday 1 December 2026
        her gün sabah akşam ilacı hatırlat
          = none: This names more than one time…
        öğle yemeğinden sonra ilacı hatırlat
          = Remind you of “ilacı” on Thursday 26 November 2026 at 13:00
        yarın süt almayı bana hatırlatır mısın
          = Remind you of “süt almayı” on Friday 27 November 2026
        yarın sabah yediye alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        10 dakika zamanlayıcı kur
          = Remind you of “zamanlayıcı” on Thursday 26 November 2026 at 10:10
        bu numarayı ara
          = Call the place or the people that you look at
        05321234567 numarasını ara
          = Call “05321234567”
        Anna'yı WhatsApp'tan ara
          = none: In which app cannot be said…
        Anna'ya WhatsApp'tan geç kalıyorum yaz
          = none: In which app cannot be said…
        Anna'ya yarın yaz
          = none: Calls and messages go out at once…
        Anna'ya yarın geleceğimi yaz
          = Message Anna Karenina (person): “yarın geleceğimi”
        bunu çal
          = Play
        saat yarımda toplantıyı hatırlat
          = Remind you of “toplantıyı” on Thursday 26 November 2026 at 12:30
        pazartesileri toplantıyı hatırlat
          = Remind you of “toplantıyı” every week on Monday, first on Monday 30 November 2026
        işten sonra ekmek almayı hatırlat
          = Remind you of “ekmek almayı” when you leave work
        uyanınca çiçekleri hatırlat
          = none: “uyanınca çiçekleri” is not a time…
        Anna'ya 100₺ gönder
          = none: Baton sends no money, and nothing…
        Anna'ya geç kalıyorum yaz
          = Message Anna Karenina (person): “geç kalıyorum”
        """
}
