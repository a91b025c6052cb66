extension RequestSentences {
    /// German: as in English.
    static let assistantGerman = """
        alarm 7.12. 8 uhr
          = Remind you of “alarm” on Monday 7 December 2026 at 08:00
        wecker 7.12. 8 uhr
          = Remind you of “wecker” on Monday 7 December 2026 at 08:00
        stell einen wecker für den 7.12. um 8 uhr
          = Remind you of “wecker” on Monday 7 December 2026 at 08:00
        stell den wecker am 7.12. auf 8
          = Remind you of “wecker” on Monday 7 December 2026 at 08:00
        wecker 24.12. 7:30
          = Remind you of “wecker” on Thursday 24 December 2026 at 07:30
        wecker 3. märz 7 uhr
          = Remind you of “wecker” on Wednesday 3 March 2027 at 07:00
        mach mir einen wecker für 7 uhr
          = Remind you of “wecker” on Friday 27 November 2026 at 07:00
        wecker aus
          = none: Reminders are not changed in words, and nothing was ch…
        stell einen timer auf 10
          = none: Say how long, as in “timer for 10 minutes”. There is n…
        stell die eieruhr auf 6 minuten
          = Remind you of “eieruhr” on Thursday 26 November 2026 at 10:06
        timer stoppen
          = none: Reminders are not changed in words, and nothing was ch…
        starte eine stoppuhr
          = none: Say how long, as in “timer for 10 minutes”. There is n…
        erinnere mich 7 milch kaufen
          = or: Remind you of “7 milch kaufen” / Remind you of “milch kaufen” on Thursday 26 November 2026 at 19:00
        erinner mich 7 uhr milch kaufen
          = Remind you of “milch kaufen” on Thursday 26 November 2026 at 19:00
        erinnere mich morgen 7 milch kaufen
          = or: Remind you of “milch kaufen” on Friday 27 November 2026 at 07:00 / Remind you of “7 milch kaufen” on Friday 27 November 2026
        erinnere mich heute 7 Milch kaufen
          = or: Remind you of “Milch kaufen” on Thursday 26 November 2026 at 19:00 / Remind you of “7 Milch kaufen” on Thursday 26 November 2026
        erinnere mich 20 Eier kaufen
          = Remind you of “20 Eier kaufen”
        erinnere mich 24 Flaschen Wasser kaufen
          = Remind you of “24 Flaschen Wasser kaufen”
        erinnere mich heute 20 Eier kaufen
          = Remind you of “20 Eier kaufen” on Thursday 26 November 2026
        erinnere mich morgen 20 Eier kaufen
          = Remind you of “20 Eier kaufen” on Friday 27 November 2026
        erinnere mich 10 minuten vorher
          = none: “10 minuten vorher” is not a time that is understood h…
        erinnere mich um 18 uhr nein 19 uhr an den sport
          = none: This names more than one time or thing. Ask for one re…
        erinnere mich in 10
          = none: Say minutes or hours, as in “in 10 minutes”, and what…
        neue erinnerung mama anrufen
          = Remind you of “mama anrufen”
        neue erinnerung milch kaufen
          = Remind you of “milch kaufen”
        ruf Anna in 1:30 an
          = none: Calls and messages go out at once, and nothing was don…
        antworte Anna mit ok
          = Message Anna Karenina (person): “ok”
        spiel was
          = Play
        spiel mir was vor
          = Play
        spiel den podcast weiter
          = Play
        hör auf
          = Pause
        ich will abba hören
          = Play “abba”
        öffne google.de
          = Open https://google.de
        geh auf google.de
          = Open https://google.de
        ruf google.de auf
          = Open https://google.de
        öffne die webseite spiegel.de
          = Open https://spiegel.de
        zeig mir tagesschau.de
          = Open https://tagesschau.de
        navigiere zu google.de
          = Open https://google.de
        öffne mein-haus.de
          = Open https://mein-haus.de
        öffne notizen.md
          = Open “notizen.md”
        nächste tankstelle
          = Directions to “nächste tankstelle”
        restaurants in der nähe
          = Directions to “restaurants in der nähe”
        alarm am 3. märz um 7
          = Remind you of “alarm” on Wednesday 3 March 2027 at 07:00
        weck mich morgen um halb sieben
          = Remind you of “weck mich” on Friday 27 November 2026 at 06:30
        stell den wecker ab
          = none: Reminders are not changed in words, and nothing was ch…
        erinnere mich beim verlassen der arbeit an blumen
          = Remind you of “blumen” when you leave work
        erinnere mich wenn ich losfahre an den schlüssel
          = Remind you of “den schlüssel” when you leave here
        erinner mich mal dran milch zu holen
          = Remind you of “milch zu holen”
        erinnere mich eine stunde vorher an das meeting
          = none: “eine stunde vorher” is not a time that is understood…
        erinnere mich gegen 5 an den tee
          = Remind you of “den tee” on Thursday 26 November 2026 at 17:00
        kannst du mich bitte um 8 an die tabletten erinnern
          = Remind you of “die tabletten” on Thursday 26 November 2026 at 20:00
        merk dir mein code ist 1234
          = Remind you of “mein code ist 1234”
        wähle 110
          = Call “110”
        ruf Anna in 10 minuten an
          = none: Calls and messages go out at once, and nothing was don…
        sag Anna bescheid dass ich da bin
          = Message Anna Karenina (person): “ich da bin”
        schick Anna meinen standort
          = none: A message has words only, and nothing was sent. “baton…
        schick Anna 20 euro
          = none: Baton sends no money, and nothing was sent. Open the a…
        mach die musik aus
          = Pause
        was läuft da
          = Say what is playing
        wie wird das wetter
          = none: This is not understood.
        erzähl mir einen witz
          = none: This is not understood.
        mach firefox auf
          = none: This is not understood.
        schalte bluetooth ein
          = none: Baton changes no settings of this device, and nothing…
        suche im internet nach pizza
          = Search for “pizza”
        fahr mich zur arbeit
          = Directions to work
        route nach köln
          = Directions to “köln”
        ruf mir ein taxi
          = none: Baton orders no rides, and none was ordered. Say “dire…
        trag einen termin ein
          = none: Baton keeps no calendar, and nothing was entered. Ask…
        """

    /// Turkish: as in English.
    static let assistantTurkish = """
        7.12. saat 8 alarm kur
          = Remind you of “alarm” on Monday 7 December 2026 at 08:00
        7 aralık saat 8'e alarm kur
          = Remind you of “alarm” on Monday 7 December 2026 at 08:00
        bana 7 süt al hatırlat
          = Remind you of “7 süt al”
        saat 6'da yok 7'de ekmeği hatırlat
          = none: This names more than one time or thing. Ask for one re…
        tekrar çal
          = none: In which order it plays, and how often, is chosen in t…
        google.com'u aç
          = Open https://google.com
        google.com aç
          = Open https://google.com
        www.hurriyet.com.tr'yi aç
          = Open https://www.hurriyet.com.tr
        hurriyet.com.tr sitesine git
          = Open https://hurriyet.com.tr
        ışıkları kapat
          = none: Baton changes no settings of this device, and nothing…
        bluetooth'u aç
          = none: Baton changes no settings of this device, and nothing…
        yarın sabah 7'ye alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        beni yarın 6'da uyandır
          = Remind you of “uyandır” on Friday 27 November 2026 at 06:00
        alarmı kapat
          = none: Reminders are not changed in words, and nothing was ch…
        10 dakikalık sayaç kur
          = Remind you of “sayaç” on Thursday 26 November 2026 at 10:10
        eve gidince çamaşırı hatırlat
          = Remind you of “çamaşırı” when you arrive at home
        ayın 1'inde kirayı hatırlat
          = Remind you of “kirayı” on Tuesday 1 December 2026
        bugün ne yapmam lazım
          = Show your reminders for today
        110'u ara
          = Call “110”
        Anna'ya geliyorum yaz
          = Message Anna Karenina (person): “geliyorum”
        Anna'ya 50 lira gönder
          = none: Baton sends no money, and nothing was sent. Open the a…
        Anna'ya konumumu gönder
          = none: A message has words only, and nothing was sent. “baton…
        tarkan çal
          = Play “tarkan”
        müziği durdur
          = Pause
        bu şarkı ne
          = Say what is playing
        sesi kıs
          = none: Baton does not change how loud this device is. Use its…
        en yakın eczane nerede
          = Directions to “en yakın eczane”
        havaalanına yol tarifi
          = Directions to “havaalanı”
        bana taksi çağır
          = none: Baton orders no rides, and none was ordered. Say “dire…
        hava nasıl
          = none: This is not understood.
        """
}
