extension RequestSentences {
    /// English: mails, alarms, what plays, the way from here.
    static let walkedEnglish = """
        email Anna that the train is late
          = Email Anna Karenina (person): “the train is late”
        send an email to Anna saying the train is late
          = Email Anna Karenina (person): “the train is late”
        mail Anna about the picnic
          = Email Anna Karenina (person): “the picnic”
        send Anna an e-mail that I will be late
          = Email Anna Karenina (person): “I will be late”
        write an email to Bob
          = Email “Bob”
        email Anna and Bob hello
          = none: A message goes to one person. Write to each by itself, or put the text in quotes.
        how do I get to Yank Sing from here
          = Directions to Yank Sing (place)
        how do I get to the museum from here
          = Directions to “the museum”
        ask Anna if she has the keys
          = Message Anna Karenina (person): “if she has the keys”
        write Anna a message that I am on my way
          = Message Anna Karenina (person): “I am on my way”
        write to Anna: see you
          = Message Anna Karenina (person): “see you”
        call my mum
          = Call “mum”
        remind me when I get off work to buy beer
          = Remind you of “buy beer” when you leave work
        remind me to check the cake in 25
          = none: “in 25” is not a time that is understood here. Give another time, or put what you want to be \
        reminded of in quotes.
        remind me to buy milk when I go shopping
          = none: “when I go shopping” is not a time that is understood here. Give another time, or put what you want to be \
        reminded of in quotes.
        remind me to ask Anna when I can come
          = Remind you of “ask Anna when I can come”
        remind me to call the bank in 2 business days
          = none: “in 2 business days” is not a time that is understood here. Give another time, or put what you want to be \
        reminded of in quotes.
        remind me when I go home to eat
          = none: “home to eat” is not a time that is understood here. Give another time, or put what you want to be \
        reminded of in quotes.
        remind me when I go out to lock the door
          = Remind you of “lock the door” when you leave here
        remind me when I go shopping to buy milk
          = none: “shopping to buy” is not a time that is understood here. Give another time, or put what you want to be \
        reminded of in quotes.
        remind me when I go to the gym to stretch
          = Remind you of “stretch” when you arrive at “the gym”
        open my Mail
          = Open Mail (app)
        play something by Coltrane
          = Play “Coltrane”
        play the album Blue Train
          = Play “Blue Train”
        search the web for dumplings
          = Search for “dumplings”
        what's on today
          = Show your reminders for today
        resume the music
          = Play
        play something
          = Play
        put on some jazz
          = Play “jazz”
        search my documents for tax
          = Search for “tax”
        what do I have to do tomorrow
          = Show your reminders
        remind me annually on March 5 of the anniversary
          = Remind you of “the anniversary” every year, first on Friday 5 March 2027
        set a timer for an hour and 20 minutes
          = Remind you of “timer” on Thursday 26 November 2026 at 11:20
        set an alarm for 6:30 tomorrow
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        set an alarm for 6 every weekday
          = Remind you of “alarm” on weekdays, first on Friday 27 November 2026 at 06:00
        set an alarm for 6
          = Remind you of “alarm” on Friday 27 November 2026 at 06:00
        remind me to stretch in 1 minute
          = Remind you of “stretch” on Thursday 26 November 2026 at 10:01
        remind me in 1 hour and 1 minute to stretch
          = Remind you of “stretch” on Thursday 26 November 2026 at 11:01
        remind me in 1 week to stretch
          = Remind you of “stretch” on Thursday 3 December 2026 at 10:00
        remind me at 6 tomorrow to run
          = Remind you of “run” on Friday 27 November 2026 at 18:00
        """

    /// German: hours in digits on another day, long words, numbers of days in words, mails.
    static let walkedGerman = """
        erinnere mich morgen um 3 daran, die Bank anzurufen
          = Remind you of “die Bank anzurufen” on Friday 27 November 2026 at 15:00
        erinnere mich am Samstag um 3 Uhr an die Abgabe
          = Remind you of “die Abgabe” on Saturday 28 November 2026 at 15:00
        erinnere mich morgen um 03 Uhr an die Sternschnuppen
          = Remind you of “die Sternschnuppen” on Friday 27 November 2026 at 03:00
        erinnere mich morgen um 3:30 an die Sternschnuppen
          = Remind you of “die Sternschnuppen” on Friday 27 November 2026 at 03:30
        erinnere mich morgen um 18:30 an die Chorprobe
          = Remind you of “die Chorprobe” on Friday 27 November 2026 at 18:30
        erinnere mich am Samstag um 14.30 Uhr an den Zahnarzttermin
          = Remind you of “den Zahnarzttermin” on Saturday 28 November 2026 at 14:30
        erinnere mich morgenfrüh an den Müll
          = Remind you of “den Müll” on Friday 27 November 2026 at 09:00
        erinnere mich am fünfzehnten Dezember an die Steuererklärung
          = Remind you of “die Steuererklärung” on Tuesday 15 December 2026
        erinnere mich am einundzwanzigsten an die Versicherung
          = Remind you of “die Versicherung” on Monday 21 December 2026
        erinnere mich am ersten Mai an den Ausflug
          = Remind you of “den Ausflug” on Saturday 1 May 2027
        erinnere mich donnerstagabends ans Schwimmen
          = Remind you of “Schwimmen” every week on Thursday, first on Thursday 26 November 2026 at 19:00
        erinnere mich wochentags um 6:45 ans Losfahren
          = Remind you of “Losfahren” on weekdays, first on Friday 27 November 2026 at 06:45
        erinnere mich vierteljährlich an die Heizungswartung
          = Remind you of “die Heizungswartung” every 3 months, first on Friday 27 November 2026
        erinnere mich zum Feierabend an das Brot
          = Remind you of “das Brot” when you leave work
        erinnere mich auf dem Heimweg an die Milch
          = Remind you of “die Milch” when you leave work
        erinnere mich beim Mittagessen an die Tabletten
          = Remind you of “die Tabletten” on Thursday 26 November 2026 at 12:00
        erinnere mich Anfang nächster Woche an den Bericht
          = Remind you of “den Bericht” on Monday 30 November 2026
        erinnere mich nächstes Wochenende an die Fahrräder
          = Remind you of “die Fahrräder” on Saturday 28 November 2026
        erinner mich mal an die Wäsche in 20 Minuten
          = Remind you of “die Wäsche” on Thursday 26 November 2026 at 10:20
        ich möchte morgen an die Wäsche erinnert werden
          = Remind you of “die Wäsche” on Friday 27 November 2026
        mach mir eine Erinnerung für Montag: Miete überweisen
          = Remind you of “Miete überweisen” on Monday 30 November 2026
        erinnere mich in 1 Minute an den Tee
          = Remind you of “den Tee” on Thursday 26 November 2026 at 10:01
        erinnere mich in 1 Woche an den Tee
          = Remind you of “den Tee” on Thursday 3 December 2026 at 10:00
        erinnere mich später daran
          = none: Say when: “later” is no time. “Tonight” and “in an hour” are.
        erinnere mich uebermorgen um fuenf an die Baeckerei
          = Remind you of “die Baeckerei” on Saturday 28 November 2026 at 17:00
        schreib Anna eine E-Mail, dass der Zug Verspätung hat
          = Email Anna Karenina (person): “der Zug Verspätung hat”
        schick Anna eine Mail: der Zug hat Verspätung
          = Email Anna Karenina (person): “der Zug hat Verspätung”
        erinnere mich Dienstag nächster Woche an den Zahnarzt
          = Remind you of “den Zahnarzt” on Tuesday 1 December 2026
        erinnere mich nächste Woche Dienstag an den Zahnarzt
          = Remind you of “den Zahnarzt” on Tuesday 1 December 2026
        erinnere mich wenn ich von der Arbeit komme an Milch
          = Remind you of “Milch” when you leave work
        erinnere mich an Milch und Eier wenn ich einkaufe
          = none: “wenn ich einkaufe” is not a time that is understood here. Give another time, or put what you want to be \
        reminded of in quotes.
        erinnere mich Mittwoch 15:30 Zahnarzt
          = Remind you of “Zahnarzt” on Wednesday 2 December 2026 at 15:30
        erinnere mich morgen spätestens um 9 an den Bericht
          = Remind you of “den Bericht” on Friday 27 November 2026 at 09:00
        erinnere mich heute noch an den Bericht
          = Remind you of “den Bericht” on Thursday 26 November 2026
        erinnere mich jeden Donnerstagabend an den Müll
          = Remind you of “den Müll” every week on Thursday, first on Thursday 26 November 2026 at 19:00
        erinnere mich jeden 1. an die Miete
          = Remind you of “die Miete” every month, first on Tuesday 1 December 2026
        erinnere mich wenn ich aus dem Auto steige an den Schirm
          = Remind you of “den Schirm” when “car” disconnects
        erinnere mich wenn meine Kopfhörer verbunden sind an den Podcast
          = Remind you of “den Podcast” when “Kopfhörer” connects
        meine Erinnerungen für morgen
          = Show your reminders
        spiel Musik von Coltrane
          = Play “Coltrane”
        maile Anna, dass ich später komme
          = Email Anna Karenina (person): “ich später komme”
        sende eine E-Mail an Anna
          = Email Anna Karenina (person)
        frag Anna, ob sie den Schlüssel hat
          = Message Anna Karenina (person): “ob sie den Schlüssel hat”
        öffne die Mail-App
          = Open Mail (app)
        spiel das nächste Lied
          = Play the next one
        spiel ein bisschen Jazz
          = Play “Jazz”
        Musik stoppen
          = Pause
        Musik leiser
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        was steht morgen an
          = Show your reminders
        stell einen Wecker auf 6:30 morgen
          = Remind you of “Wecker” on Friday 27 November 2026 at 06:30
        stell den Wecker für morgen auf 5 Uhr
          = Remind you of “Wecker” on Friday 27 November 2026 at 05:00
        Timer 1 Stunde 20 Minuten
          = Remind you of “Timer” on Thursday 26 November 2026 at 11:20
        """

    /// Turkish: hours in digits on another day, mails, what plays.
    static let walkedTurkish = """
        yarın saat 3'te bankayı aramamı hatırlat
          = Remind you of “bankayı aramamı” on Friday 27 November 2026 at 15:00
        yarın 3.30'da bankayı aramamı hatırlat
          = Remind you of “bankayı aramamı” on Friday 27 November 2026 at 15:30
        yarın saat 03'te yıldızları hatırlat
          = Remind you of “yıldızları” on Friday 27 November 2026 at 03:00
        yarın 18.30'da koro provasını hatırlat
          = Remind you of “koro provasını” on Friday 27 November 2026 at 18:30
        öbür gün sabah 6.45'te treni hatırlat
          = Remind you of “treni” on Saturday 28 November 2026 at 06:45
        öğle yemeğinde ilacımı hatırlat
          = Remind you of “ilacımı” on Thursday 26 November 2026 at 12:00
        eve dönerken süt almayı hatırlat
          = Remind you of “süt almayı” when you leave work
        kulaklığımı takınca podcasti hatırlat
          = Remind you of “podcasti” when “kulaklığımı” connects
        gelecek hafta salı raporu hatırlat
          = Remind you of “raporu” on Tuesday 1 December 2026
        hafta sonunda bisikletleri hatırlat
          = Remind you of “bisikletleri” on Saturday 28 November 2026
        yılbaşı gecesi havai fişekleri hatırlat
          = Remind you of “havai fişekleri” on Thursday 31 December 2026 at 21:00
        bunu sonra hatırlat
          = none: Say when: “later” is no time. “Tonight” and “in an hour” are.
        yeni hatırlatıcı: cumartesi bisikleti tamir et
          = Remind you of “bisikleti tamir et” on Saturday 28 November 2026
        pazartesi için hatırlatıcı oluştur: kirayı öde
          = Remind you of “kirayı öde” on Monday 30 November 2026
        Anna'ya e-posta gönder: tren gecikti
          = Email Anna Karenina (person): “tren gecikti”
        Anna'ya geç kalacağım diye mail at
          = Email Anna Karenina (person): “geç kalacağım”
        Annaya eposta yaz
          = Email Anna Karenina (person)
        30 Kasım Pazartesi kirayı hatırlat
          = Remind you of “kirayı” on Monday 30 November 2026
        yarın değil öbür gün kirayı hatırlat
          = Remind you of “kirayı” on Saturday 28 November 2026
        bir yıl sonra muayeneyi hatırlat
          = Remind you of “muayeneyi” on Friday 26 November 2027 at 10:00
        işten eve gelince süt almayı hatırlat
          = Remind you of “süt almayı” when you arrive at home
        cuma saat 15'teki randevuyu hatırlat
          = Remind you of “randevuyu” on Friday 27 November 2026 at 15:00
        çarşamba 15.30 dişçiyi hatırlat
          = Remind you of “dişçiyi” on Wednesday 2 December 2026 at 15:30
        yarın en geç 9'da raporu hatırlat
          = Remind you of “raporu” on Friday 27 November 2026 at 09:00
        beşten sonra bankayı hatırlat
          = Remind you of “bankayı” on Thursday 26 November 2026 at 17:00
        altı gibi otobüsü hatırlat
          = Remind you of “otobüsü” on Thursday 26 November 2026 at 18:00
        aralıkta kurabiyeleri hatırlat
          = Remind you of “kurabiyeleri” on Tuesday 1 December 2026
        yemekten sonra ilacımı hatırlat
          = none: “yemekten sonra ilacımı” is not a time that is understood here. Give another time, or put what you want to be \
        reminded of in quotes.
        Berlin'deyken Anna'yı hatırlat
          = Remind you of “Anna'yı” when you arrive at “Berlin”
        Anna'ya yaz: geliyorum
          = Message Anna Karenina (person): “geliyorum”
        Blue Train albümünü çal
          = Play “Blue Train”
        sonraki şarkıyı çal
          = Play the next one
        biraz caz aç
          = Play “caz”
        müziği başlat
          = Play
        şu an çalan şarkı ne
          = Say what is playing
        Restaurant Reviews'u başlat
          = Open Restaurant Reviews (app)
        yarın ne yapmam lazım
          = Show your reminders
        yarın saat 5'e alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 05:00
        1 saat 20 dakikalık zamanlayıcı kur
          = Remind you of “zamanlayıcı” on Thursday 26 November 2026 at 11:20
        """
}
