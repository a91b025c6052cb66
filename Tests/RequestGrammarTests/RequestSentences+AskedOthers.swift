extension RequestSentences {
    /// German: other ways to ask, and times that are not understood by half.
    static let askedGerman = """
        erinner mich mal in ner halben Stunde an die Wäsche
          = Remind you of “die Wäsche” on Thursday 26 November 2026 at 10:30
        morgen um 9 an die Milch erinnern
          = Remind you of “die Milch” on Friday 27 November 2026 at 09:00
        erinnere mich in ein paar Tagen an die Rechnung
          = Remind you of “die Rechnung” on Sunday 29 November 2026 at 10:00
        erinnere mich heute in drei Wochen an den TÜV
          = Remind you of “den TÜV” on Thursday 17 December 2026
        erinnere mich in etwa einer Stunde an die Miete
          = Remind you of “die Miete” on Thursday 26 November 2026 at 11:00
        erinnere mich alle zwei Wochen dienstags an die Papiertonne
          = Remind you of “die Papiertonne” every 2 weeks on Tuesday, first on Tuesday 1 December 2026
        erinnere mich jeden dritten Tag an die Blumen
          = Remind you of “die Blumen” every 3 days, first on Friday 27 November 2026
        erinnere mich einmal im Monat an das Backup
          = Remind you of “das Backup” every month, first on Friday 27 November 2026
        erinnere mich jede Nacht an das Backup
          = Remind you of “das Backup” every day, first on Thursday 26 November 2026 at 21:00
        erinnere mich jeden Mittag an die Tabletten
          = Remind you of “die Tabletten” every day, first on Thursday 26 November 2026 at 12:00
        erinnere mich am Monatsletzten an die Miete
          = Remind you of “die Miete” on Monday 30 November 2026
        erinnere mich am dritten Zwölften an die Miete
          = Remind you of “die Miete” on Thursday 3 December 2026
        erinnere mich am 1. Jan an den Bericht
          = Remind you of “den Bericht” on Friday 1 January 2027
        erinnere mich am 1. 1. 2027 an den Bericht
          = Remind you of “den Bericht” on Friday 1 January 2027
        erinnere mich am Mittwoch, 2.12. an den Termin
          = Remind you of “den Termin” on Wednesday 2 December 2026
        erinnere mich morgen in der Früh um 7 an die Miete
          = Remind you of “die Miete” on Friday 27 November 2026 at 07:00
        erinnere mich wenn ich weggehe an den Schlüssel
          = Remind you of “den Schlüssel” when you leave here
        erinner mich dran
          = Remind you of what you look at
        erinnere mich ans Mittagessen
          = Remind you of “Mittagessen”
        erinnere mich daran, Tom guten Morgen zu sagen
          = Remind you of “Tom guten Morgen zu sagen”
        erinnere mich am Dienstsg an den Termin
          = Remind you of “den Termin” on Tuesday 1 December 2026
        stelle einen 10-Minuten-Timer
          = Remind you of “Timer” on Thursday 26 November 2026 at 10:10
        erinnere mich an den Kalender zweimal am Tag
          = none: “zweimal am Tag” is not a time…
        erinnere mich an das Backup von 5 bis 6
          = none: This names more than one time or thing…
        erinnere mich an den Sport nachher
          = none: “nachher” is not a time…
        erinnere mich an die Folien morgen wenn ich im Büro bin
          = none: This names more than one time or thing…
        erinnere mich an die Miete morgen und an Brot am Freitag
          = none: This names more than one time or thing…
        erinnere mich daran, Anna morgen anzurufen
          = none: “morgen” stands in the middle…
        erinnere mich daran, Anna am Montag anzurufen
          = none: “am Montag” stands in the middle…
        erinnere mich am Dienstag, 2.12. an den Termin
          = none: That day is another weekday…
        ruf bitte meine Mama an
          = Call “Mama”
        bei Yank Sing anrufen
          = Call Yank Sing (place)
        ruf Anna jetzt an
          = Call Anna Karenina (person)
        ruf Anna morgen an
          = none: Calls and messages go out at once, and nothing was done…
        ruf Anna in 10 Minuten an
          = none: Calls and messages go out at once, and nothing was done…
        ruf Anna auf dem Handy an
          = none: Which of a person's numbers is called cannot be said…
        ruf Anna nicht an
          = none: This says what not to do…
        kannst du Anna bitte sagen, dass ich später komme
          = Message Anna Karenina (person): “ich später komme”
        schreib meiner Mutter ich komme später
          = Message “Mutter”: “ich komme später”
        schreib Anna morgen dass ich später komme
          = none: Calls and messages go out at once, and nothing was done…
        schick das an Anna
          = none: A message has words only, and nothing was sent…
        schick Anna diese Seite
          = none: A message has words only, and nothing was sent…
        wie komme ich am schnellsten nach Hause
          = Directions to home
        fahr mich ins Büro
          = Directions to work
        Route von Berlin nach Hamburg
          = none: Directions begin where you are…
        spiel was von den Ärzten
          = Play “den Ärzten”
        vorheriger Song
          = Play the previous one
        Musik weiter
          = Play
        such mal nach dem Wetter in Rom
          = Search for “dem Wetter in Rom”
        suche in meinen Dokumenten nach Steuer
          = Search for “Steuer”
        öffne bitte Mail
          = Open Mail (app)
        """

    static let askedTurkish = """
        eve geldiğim zaman çamaşırı hatırlat
          = Remind you of “çamaşırı” when you arrive at home
        her öğlen ilacımı hatırlat
          = Remind you of “ilacımı” every day, first on Thursday 26 November 2026 at 12:00
        pazartesi, çarşamba ve cuma günleri spor yapmayı hatırlat
          = Remind you of “spor yapmayı” every week on Monday, Wednesday, Friday, first on Friday 27 November 2026
        ayda bir yedek almayı hatırlat
          = Remind you of “yedek almayı” every month, first on Friday 27 November 2026
        her hafta salı çöpü hatırlat
          = Remind you of “çöpü” every week on Tuesday, first on Tuesday 1 December 2026
        her ay ayın 15'inde kirayı hatırlat
          = Remind you of “kirayı” every month, first on Tuesday 15 December 2026
        15'inde kirayı hatırlat
          = Remind you of “kirayı” on Tuesday 15 December 2026
        cuma akşamları filmi hatırlat
          = Remind you of “filmi” every week on Friday, first on Friday 27 November 2026 at 19:00
        gün aşırı su içmeyi hatırlat
          = Remind you of “su içmeyi” every 2 days, first on Friday 27 November 2026
        birkaç gün sonra süt almayı hatırlat
          = Remind you of “süt almayı” on Sunday 29 November 2026 at 10:00
        yaklaşık bir saat sonra süt almayı hatırlat
          = Remind you of “süt almayı” on Thursday 26 November 2026 at 11:00
        yarın akşam yemeğini hatırlat
          = Remind you of “akşam yemeğini” on Friday 27 November 2026
        yarın 7'de akşam yemeği yapmayı hatırlat
          = Remind you of “akşam yemeği yapmayı” on Friday 27 November 2026 at 07:00
        yarın sabah beni 6'da uyandır
          = Remind you of “uyandır” on Friday 27 November 2026 at 06:00
        her gün 7'ye alarm kur
          = Remind you of “alarm” every day, first on Friday 27 November 2026 at 07:00
        alarmı 6:30'a kur
          = Remind you of “alarmı” on Friday 27 November 2026 at 06:30
        5 ile 6 arasında Anna'yı aramayı hatırlat
          = none: “5 ile 6 arasında” is not a time…
        saat 5'ten 6'ya kadar çalışmayı hatırlat
          = none: “5'ten 6” is not a time…
        pazartesiden çarşambaya kadar çalışmayı hatırlat
          = none: “pazartesiden çarşambaya” is not a time…
        cumaya kadar kirayı hatırlat
          = none: “cumaya kadar kirayı” is not a time…
        Cuma'ya kadar kirayı hatırlat
          = none: “Cuma'ya kadar” is not a time…
        her gün pazar hariç ilacımı hatırlat
          = none: “pazar hariç ilacımı” is not a time…
        pazartesiden itibaren her gün ilacımı hatırlat
          = none: “pazartesiden itibaren” is not a time…
        süt almayı sonra hatırlat
          = none: “sonra” is not a time…
        maçı günde 3 defa hatırlat
          = none: “günde 3 defa” is not a time…
        dün kirayı hatırlat
          = none: “dün kirayı” is not a time…
        eve gelince yarın çöpü hatırlat
          = none: “yarın çöpü” is not a time…
        yarın eve gelince çöpü hatırlat
          = none: “eve gelince çöpü” is not a time…
        Anna gelince kapıyı hatırlat
          = none: When another person comes…
        annemi ara
          = Call “annem”
        anneme geç kalacağımı söyle
          = Message “annem”: “geç kalacağımı”
        Anna'yı yarın ara
          = none: Calls and messages go out at once, and nothing was done…
        Anna'yı 10 dakika sonra ara
          = none: Calls and messages go out at once, and nothing was done…
        Anna'yı hemen ara
          = Call Anna Karenina (person)
        bunu Anna'ya gönder
          = none: A message has words only, and nothing was sent…
        Taksim Meydanı'na yol tarifi
          = Directions to “Taksim Meydanı”
        İstanbul'dan Ankara'ya yol tarifi
          = none: Directions begin where you are…
        """
}
