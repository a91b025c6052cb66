extension RequestSentences {
    /// English: as people type what they want, without points, with slips, and in parts.
    static let triedEnglish = """
        set an alarm for 7
          = none: Say whether the alarm is for this evening or for…
        set an alarm for half past 7
          = none: Say whether the alarm is for this evening or for…
        set an alarm for 7 today
          = Remind you of “alarm” on Thursday 26 November 2026 at 19:00
        set an alarm for 7 am
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        set an alarm for 7 tomorrow
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        set an alarm for 11
          = Remind you of “alarm” on Thursday 26 November 2026 at 11:00
        alarm 630
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        10 min timer pls
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        start a 2 hour 15 minute timer
          = Remind you of “timer” on Thursday 26 November 2026 at 12:15
        countdown 5 minutes
          = Remind you of “countdown” on Thursday 26 November 2026 at 10:05
        remind me in 1 1/2 hours to check the oven
          = Remind you of “check the oven” on Thursday 26 November 2026 at 11:30
        remind me to call Bob in 1h30
          = Remind you of “call Bob” on Thursday 26 November 2026 at 11:30
        remind me in 1:30 to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 11:30
        in 1:30 remind me to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 11:30
        remind me in 1:30
          = none: Say also what you want to be reminded of.
        remind me to check in 10:30
          = Remind you of “check in” on Thursday 26 November 2026 at 10:30
        remind me to dial in 14:30
          = Remind you of “dial in” on Thursday 26 November 2026 at 14:30
        remind me in 14:30 to call Bob
          = none: “in 14:30 to” is not a time that is understood…
        remind me to call Bob in half an hr
          = Remind you of “call Bob” on Thursday 26 November 2026 at 10:30
        remind me to call Bob in 2 hours from now
          = Remind you of “call Bob” on Thursday 26 November 2026 at 12:00
        remind me in an hour & a half to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 11:30
        remind me to buy milk in 2 ours
          = Remind you of “buy milk” on Thursday 26 November 2026 at 12:00
        remind me a month from today to cancel the trial
          = Remind you of “cancel the trial” on Saturday 26 December 2026 at 10:00
        remind me to renew my passport next march
          = Remind you of “renew my passport” on Monday 1 March 2027
        remind me next week tuesday to bring the forms
          = Remind you of “bring the forms” on Tuesday 1 December 2026
        remind me to call Bob the week after next
          = Remind you of “call Bob” on Monday 7 December 2026
        remind me to call Bob friday in a week
          = Remind you of “call Bob” on Friday 4 December 2026
        remind me to call Bob next friday but one
          = Remind you of “call Bob” on Friday 11 December 2026
        remind me to call Bob eod friday
          = Remind you of “call Bob” on Friday 27 November 2026 at 17:00
        remind me on new years eve at 11pm to buy fireworks
          = Remind you of “buy fireworks” on Thursday 31 December 2026 at 23:00
        remind me to water plants every 3 days at 8 in the morning
          = Remind you of “water plants” every 3 days, first on Friday 27 November 2026 at 08:00
        remind me tuesdays thursdays at 6 to train
          = Remind you of “train” every week on Tuesday, Thursday, first on Thursday 26 November 2026 at 18:00
        remind me mon wed fri at 7 to run
          = none: “wed fri” is not a time that is understood here. Give…
        remind me to run mon wed fri
          = none: This names more than one time or thing. Ask for one…
        remind me every day for a week to run
          = none: This names more than one time or thing. Ask for one…
        remind me every 6 hours for 5 days to take antibiotics
          = none: This names more than one time or thing. Ask for one…
        remind me to call Bob after 5pm tomorrow
          = Remind you of “call Bob” on Friday 27 November 2026 at 17:00
        remind me to call Bob tomorrow after 5
          = Remind you of “call Bob” on Friday 27 November 2026 at 17:00
        remind me after 5 to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 17:00
        remind me not to eat after 8
          = Remind you of “not to eat” on Thursday 26 November 2026 at 20:00
        remind me to call Bob at half past midnight
          = Remind you of “call Bob” on Friday 27 November 2026 at 00:30
        remind me to meet Sarah at 5 at the station
          = none: “at 5 at” stands in the middle of what you want to be…
        remind me to call Bob until 5
          = none: “until 5” is not a time that is understood here. Give…
        remind me to call Bob at 5 or 6
          = none: “at 5 or 6” is not a time that is understood here.…
        remind me to call Bob this week
          = none: “this week” is not a time that is understood here.…
        remind me this week to call Bob
          = none: “this week to” is not a time that is understood here.…
        remind me to change tires in winter
          = none: “in winter” is not a time that is understood here.…
        remind me in the middle of december to buy gifts
          = none: “in the middle of december to” is not a time that is…
        remind me to change tires in the middle of december
          = none: “in the middle of december” is not a time that is…
        remind me to buy a winter coat
          = Remind you of “buy a winter coat”
        remind me to call Bob on arrival
          = none: “on arrival” is not a time that is understood here.…
        remind me to call Bob when leaving
          = Remind you of “call Bob” when you leave here
        remind me to call Bob the moment I get home
          = Remind you of “call Bob” when you arrive at home
        remind me to call Bob while I'm at the gym
          = Remind you of “call Bob” when you arrive at “the gym”
        remind me tommorow to buy milk
          = Remind you of “buy milk” on Friday 27 November 2026
        remind me to buy milk tomoro
          = Remind you of “buy milk” on Friday 27 November 2026
        remind me to buy milk at5
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remind me at5pm to buy milk
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remind me to buy milk at 5pn
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:00
        remeber to buy stamps tomorrow
          = Remind you of “buy stamps” on Friday 27 November 2026
        remind me too buy milk tomorrow
          = Remind you of “buy milk” on Friday 27 November 2026
        make a reminder that says pay gas bill on the 20th
          = Remind you of “pay gas bill” on Sunday 20 December 2026
        add eggs and bread to my list
          = Remind you of “eggs and bread”
        remind me to look at 3 houses
          = Remind you of “look at 3 houses”
        remind me to enjoy the sun tomorrow
          = Remind you of “enjoy the sun” on Friday 27 November 2026
        call Dad on speaker
          = Call “Dad”
        ask Anna if she is coming
          = Message Anna Karenina (person): “if she is coming”
        send a text to Anna I'm outside
          = Message Anna Karenina (person): “I'm outside”
        send Anna my love
          = Message Anna Karenina (person): “my love”
        send Anna our best wishes
          = Message Anna Karenina (person): “our best wishes”
        send Anna a hug
          = Message Anna Karenina (person): “a hug”
        send Anna a thank you
          = Message Anna Karenina (person): “a thank you”
        send Anna my report
          = none: A message has words only, and nothing was sent.…
        ask this place if they are open
          = Message the place or the people that you look at: “if they are open”
        send a message to this place I'm late
          = Message the place or the people that you look at: “I'm late”
        reply to this yes
          = Message the place or the people that you look at: “yes”
        reply to this I'm going to Anna
          = Message the place or the people that you look at: “I'm going to Anna”
        reply to Mum I gave it to Anna
          = none: This is not understood.
        reply to Anna yes
          = Message Anna Karenina (person): “yes”
        text Anna now
          = Message Anna Karenina (person)
        text Anna later
          = none: Calls and messages go out at once, and nothing was…
        where is the nearest pharmacy
          = Directions to “the nearest pharmacy”
        nearest gas station
          = Directions to “nearest gas station”
        open up Mail
          = Open Mail (app)
        show Mail
          = Open Mail (app)
        show me documents about taxes
          = Search for “taxes”
        turn on bluetooth
          = none: Baton changes no settings of this device, and nothing…
        open wifi settings
          = none: Baton changes no settings of this device, and nothing…
        schedule a meeting with Bob tomorrow at 3
          = none: Baton keeps no calendar, and nothing was entered. Ask…
        put dinner in my calendar for sunday at 7
          = none: Baton keeps no calendar, and nothing was entered. Ask…
        volume 50
          = none: Baton does not change how loud this device is. Use…
        pause the podcast
          = Pause
        any reminders for tomorrow
          = Show your reminders
        """

    /// German: as in English.
    static let triedGerman = """
        stell einen wecker auf halb acht
          = Remind you of “wecker” on Friday 27 November 2026 at 07:30
        wecker 19 uhr
          = Remind you of “wecker” on Thursday 26 November 2026 at 19:00
        weck mich um sieben
          = Remind you of “weck mich” on Friday 27 November 2026 at 07:00
        timer auf eine halbe stunde für die lasagne
          = Remind you of “lasagne” on Thursday 26 November 2026 at 10:30
        erinnere mich in 1:30 an den ofen
          = Remind you of “den ofen” on Thursday 26 November 2026 at 11:30
        erinnere mich in 14:30 an den ofen
          = none: “in 14:30 an” is not a time that is understood…
        erinnere mich einzuchecken in 10:30
          = none: “in 10:30” is not a time that is understood here.…
        erinnere mich am 3. 2 pakete abzuholen
          = Remind you of “2 pakete abzuholen” on Thursday 3 December 2026
        erinnere mich am 5. 30 liegestütze machen
          = Remind you of “30 liegestütze machen” on Saturday 5 December 2026
        erinnere mich am 3. 2. an milch
          = Remind you of “milch” on Wednesday 3 February 2027
        erinnere mich am 3. 2. um 8 an milch
          = Remind you of “milch” on Wednesday 3 February 2027 at 08:00
        erinnere mich an milch am 3. 2. um 8
          = Remind you of “milch” on Wednesday 3 February 2027 at 08:00
        erinnere mich in 1h30 an den ofen
          = Remind you of “den ofen” on Thursday 26 November 2026 at 11:30
        erinnere mich an den anruf in 1 stunde und 20 minuten
          = Remind you of “den anruf” on Thursday 26 November 2026 at 11:20
        erinnere mich an den anruf in einer stunde zwanzig
          = Remind you of “den anruf” on Thursday 26 November 2026 at 11:20
        erinnere mich in einem halben jahr an den zahnarzt
          = Remind you of “den zahnarzt” on Wednesday 26 May 2027 at 10:00
        erinnere mich täglich um 8 uhr morgens an die vitamine
          = Remind you of “die vitamine” every day, first on Friday 27 November 2026 at 08:00
        erinnere mich montags mittwochs freitags um 7 ans laufen
          = Remind you of “laufen” every week on Monday, Wednesday, Friday, first on Friday 27 November 2026 at 07:00
        erinnere mich an laufen montag mittwoch freitag
          = none: This names more than one time or thing. Ask for one…
        erinnere mich an den anruf jede stunde bis 17 uhr
          = none: This names more than one time or thing. Ask for one…
        erinnere mich an den anruf morgen nach 17 uhr
          = Remind you of “den anruf” on Friday 27 November 2026 at 17:00
        erinnere mich an den anruf nach 5
          = none: “nach 5” is not a time that is understood here. Give…
        erinnere mich an den anruf halb 5
          = Remind you of “den anruf” on Thursday 26 November 2026 at 16:30
        erinnere mich an den anruf viertel nach acht
          = Remind you of “den anruf” on Thursday 26 November 2026 at 20:15
        erinnere mich 10 minuten vor 5 an den aufbruch
          = Remind you of “den aufbruch” on Thursday 26 November 2026 at 16:50
        erinnere mich 10 minuten vorher
          = none: “10 minuten vorher” is not a time that is understood…
        erinnere mich an den anruf kurz nach 3
          = none: “kurz nach 3” is not a time that is understood here.…
        erinnere mich an den anruf um 5 oder 6
          = none: “um 5 oder 6” is not a time that is understood here.…
        erinnere mich an den anruf freitag in zwei wochen
          = Remind you of “den anruf” on Friday 11 December 2026
        erinnere mich an den anruf übernächste woche
          = Remind you of “den anruf” on Monday 7 December 2026
        erinnere mich an den anruf in der übernächsten woche freitag
          = Remind you of “den anruf” on Friday 11 December 2026
        erinnere mich an den anruf diese woche
          = none: “diese woche” is not a time that is understood here.…
        erinnere mich an den anruf mitte januar
          = none: “mitte januar” is not a time that is understood here.…
        erinnere mich an den anruf im frühling
          = none: “im frühling” is not a time that is understood here.…
        erinnere mich an den anruf zu ostern
          = none: “zu ostern” is not a time that is understood here.…
        erinnere mich an den anruf am 5. 5. um 8
          = Remind you of “den anruf” on Wednesday 5 May 2027 at 08:00
        erinnere mich an den anruf gestern
          = none: That time has passed.
        erinnere mich an den anruf gleich
          = none: “gleich” is not a time that is understood here. Give…
        erinnere mich an den anruf in 5
          = none: “in 5” is not a time that is understood here. Give…
        erinnere mich an den anruf in fümf minuten
          = none: “in fümf minuten” is not a time that is understood…
        erinnere mich moregn an den anruf
          = Remind you of “den anruf” on Friday 27 November 2026
        erinnere mich über morgen an den anruf
          = Remind you of “den anruf” on Saturday 28 November 2026
        erinnere mich um8 an den anruf
          = Remind you of “den anruf” on Thursday 26 November 2026 at 20:00
        erinnere mich das meeting ist um 3
          = none: This names more than one time or thing. Ask for one…
        kannst du mich in 5 minuten erinnern den herd auszumachen
          = Remind you of “den herd auszumachen” on Thursday 26 November 2026 at 10:05
        ich will um 5 erinnert werden dass ich gehen muss
          = Remind you of “ich gehen muss” on Thursday 26 November 2026 at 17:00
        notiere milch kaufen
          = Remind you of “milch kaufen”
        setz milch auf meine liste
          = Remind you of “milch”
        lass mich morgen den schirm nicht vergessen
          = Remind you of “den schirm” on Friday 27 November 2026
        erinnere mich an sorgen
          = Remind you of “sorgen”
        schick Anna meine liebe
          = Message Anna Karenina (person): “meine liebe”
        schick Anna einen lieben gruß
          = Message Anna Karenina (person): “einen lieben gruß”
        schick Anna meine rechnung
          = none: A message has words only, and nothing was sent.…
        schreib Anna später
          = none: Calls and messages go out at once, and nothing was…
        wo ist die nächste apotheke
          = Directions to “die nächste apotheke”
        wo ist meine steuererklärung
          = Search for “meine steuererklärung”
        zeig mir fotos von Anna
          = Search for “Anna”
        die nächste apotheke
          = Directions to “die nächste apotheke”
        zeig mir die nächste tankstelle
          = Directions to “die nächste tankstelle”
        die nächstgelegene bäckerei
          = Directions to “die nächstgelegene bäckerei”
        den nächsten song
          = Play the next one
        die nächste folge
          = Play the next one
        zeig mir die nächste erinnerung
          = none: This is not understood.
        das nächste lied bitte
          = Play the next one
        schalte wlan ein
          = none: Baton changes no settings of this device, and nothing…
        termin morgen um 10 zahnarzt
          = none: Baton keeps no calendar, and nothing was entered. Ask…
        """

    /// Turkish: as in English.
    static let triedTurkish = """
        yedi buçuğa alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 07:30
        saat 19'a alarm kur
          = Remind you of “alarm” on Thursday 26 November 2026 at 19:00
        10 dk zamanlayıcı
          = Remind you of “zamanlayıcı” on Thursday 26 November 2026 at 10:10
        zamanlayıcı kur 5 dakika
          = Remind you of “zamanlayıcı” on Thursday 26 November 2026 at 10:05
        pazartesileri perşembeleri 6'da koşuyu hatırlat
          = Remind you of “koşuyu” every week on Monday, Thursday, first on Monday 30 November 2026 at 06:00
        ay başında annemi aramayı hatırlat
          = Remind you of “annemi aramayı” on Tuesday 1 December 2026
        aralık ortasında annemi aramayı hatırlat
          = none: “aralık ortasında annemi” is not a time that is…
        mayısın 5'inde annemi aramayı hatırlat
          = Remind you of “annemi aramayı” on Wednesday 5 May 2027
        5.5.'te annemi aramayı hatırlat
          = Remind you of “annemi aramayı” on Wednesday 5 May 2027
        yarım yıl sonra annemi aramayı hatırlat
          = Remind you of “annemi aramayı” on Wednesday 26 May 2027 at 10:00
        her saat başı annemi aramayı hatırlat
          = none: “başı annemi” is not a time that is understood here.…
        her yarım saatte su içmeyi hatırlat
          = Remind you of “su içmeyi” every 30 minutes, first on Thursday 26 November 2026 at 10:30
        saat8'de annemi aramayı hatırlat
          = Remind you of “annemi aramayı” on Thursday 26 November 2026 at 20:00
        annemi aramayı hatırlat yarın 5'te
          = Remind you of “annemi aramayı” on Friday 27 November 2026 at 17:00
        annemi saat 5'te aramayı hatırlat
          = none: “saat 5'te” stands in the middle of what you want to…
        yarn süt almayı hatırlat
          = Remind you of “süt almayı” on Friday 27 November 2026
        listeme süt ekle
          = Remind you of “süt”
        Anna'ya ne zaman geleceğini sor
          = Message Anna Karenina (person): “ne zaman geleceğini”
        Anna'ya bir öpücük gönder
          = Message Anna Karenina (person): “bir öpücük”
        Anna'ya whatsapptan yaz
          = none: In which app cannot be said in a sentence, and…
        Anna'ya yaz
          = Message Anna Karenina (person)
        en yakın eczane nerede
          = Directions to “en yakın eczane”
        yarınki hatırlatıcılarım
          = Show your reminders
        """
}
