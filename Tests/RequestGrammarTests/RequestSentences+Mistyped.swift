extension RequestSentences {
    /// English: mornings, and times with a letter wrong.
    static let mistypedEnglish = """
        remind me on weekdays at 6:45 to leave
          = Remind you of “leave” on weekdays, first on Friday 27 November 2026 at 06:45
        remind me weekdays at 6:45 to pack lunch
          = Remind you of “pack lunch” on weekdays, first on Friday 27 November 2026 at 06:45
        remind me every day at 6:30 to stretch
          = Remind you of “stretch” every day, first on Friday 27 November 2026 at 06:30
        remind me every weekday at 5 to jog
          = Remind you of “jog” on weekdays, first on Friday 27 November 2026 at 05:00
        remind me every day at 6:30pm to stretch
          = Remind you of “stretch” every day, first on Thursday 26 November 2026 at 18:30
        remind me every evening at 6:30 to stretch
          = Remind you of “stretch” every day, first on Thursday 26 November 2026 at 18:30
        remind me every Tuesday at 6:30 to go to choir
          = Remind you of “go to choir” every week on Tuesday, first on Tuesday 1 December 2026 at 18:30
        remind me at 6:30 to stretch
          = Remind you of “stretch” on Thursday 26 November 2026 at 18:30
        remind me every day at 4 to make tea
          = Remind you of “make tea” every day, first on Thursday 26 November 2026 at 16:00
        wake me at 6:30
          = Remind you of “wake me” on Friday 27 November 2026 at 06:30
        wake me up at 6:30 on weekdays
          = Remind you of “wake me up” on weekdays, first on Friday 27 November 2026 at 06:30
        alarm for 6:30
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        set an alarm for 6:30
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        set my alarm for 6:30
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        set the alarm to 5:45
          = Remind you of “alarm” on Friday 27 November 2026 at 05:45
        set an alarm for 6:30 pm
          = Remind you of “alarm” on Thursday 26 November 2026 at 18:30
        set an alarm for 6:30 today
          = Remind you of “alarm” on Thursday 26 November 2026 at 18:30
        alarm at quarter to six
          = Remind you of “alarm” on Friday 27 November 2026 at 05:45
        set an alarm for 7
          = none: Say whether the alarm is for this evening or for the morning: “pm” or “am”. None was set.
        remind me to buy milk please
          = Remind you of “buy milk”
        remind me to call the bank next wek
          = Remind you of “call the bank” on Monday 30 November 2026
        remind me to call the bank in an huor
          = Remind you of “call the bank” on Thursday 26 November 2026 at 11:00
        remind me in an huor to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 11:00
        remind me to call the bank tomorow
          = Remind you of “call the bank” on Friday 27 November 2026
        remind me to call the bank tonite
          = Remind you of “call the bank” on Thursday 26 November 2026 at 20:00
        remind me to call the bank tmrw
          = Remind you of “call the bank” on Friday 27 November 2026
        remind me to call the bank on thurday
          = Remind you of “call the bank” on Thursday 3 December 2026
        remind me wenesday to call the bank
          = Remind you of “call the bank” on Wednesday 2 December 2026
        remind me to renew it in febuary
          = Remind you of “renew it” on Monday 1 February 2027
        remind me to renew it on febuary 3
          = Remind you of “renew it” on Wednesday 3 February 2027
        remind me to call mum on fridy at 5
          = Remind you of “call mum” on Friday 27 November 2026 at 17:00
        remind me to call mum in 2 hoyrs
          = Remind you of “call mum” on Thursday 26 November 2026 at 12:00
        remind me to call mum in 20 mintues
          = Remind you of “call mum” on Thursday 26 November 2026 at 10:20
        remind me nxt week to call mum
          = Remind you of “call mum” on Monday 30 November 2026
        remind me in two weks to water the plants
          = Remind you of “water the plants” on Thursday 10 December 2026 at 10:00
        remind me to water the plants tomorrow mornig
          = Remind you of “water the plants” on Friday 27 November 2026 at 09:00
        remind me to buy a sundae
          = Remind you of “buy a sundae”
        remind me to visit Frida
          = Remind you of “visit Frida”
        remind me to pack the tent
          = Remind you of “pack the tent”
        remind me to brush the teeth
          = Remind you of “brush the teeth”
        remind me to read "in an huor"
          = Remind you of “read "in an huor"”
        remind me to clean the filth
          = Remind you of “clean the filth”
        remind me to leave the plant in the light
          = Remind you of “leave the plant in the light”
        remind me to call Frida in the evening
          = Remind you of “call Frida” on Thursday 26 November 2026 at 19:00
        remind me to book a tour
          = Remind you of “book a tour”
        remind me to look at the moon
          = Remind you of “look at the moon”
        remind me to send the text to Anna
          = Remind you of “send the text to Anna”
        remind me tomorow at 5 to call Bob
          = Remind you of “call Bob” on Friday 27 November 2026 at 17:00
        remind me at 5 tomorow to call Bob
          = Remind you of “call Bob” on Friday 27 November 2026 at 17:00
        remind me every fridy to call Bob
          = Remind you of “call Bob” every week on Friday, first on Friday 27 November 2026
        remind me to call Bob on the 5th of febuary
          = Remind you of “call Bob” on Friday 5 February 2027
        set a timer for 10 mintues
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        set an alarm for 7 tomorow
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        remind me this evning to call Bob
          = Remind you of “call Bob” on Thursday 26 November 2026 at 19:00
        remind me to call Bob next mnth
          = Remind you of “call Bob” on Tuesday 1 December 2026
        remind me to call Bob next weeek
          = Remind you of “call Bob” on Monday 30 November 2026
        remind me to call Bob in 3 dyas
          = Remind you of “call Bob” on Sunday 29 November 2026 at 10:00
        remind me to call Bob todya at 5
          = Remind you of “call Bob” on Thursday 26 November 2026 at 17:00
        remind me to book a hotel in Augusta
          = Remind you of “book a hotel in Augusta”
        remind me to put the drops in an ear
          = Remind you of “put the drops in an ear”
        remind me to read the book on Sundar
          = Remind you of “read the book on Sundar”
        remind me to put the drops in 2 ears
          = Remind you of “put the drops in 2 ears”
        remind me to do it in two ways
          = Remind you of “do it in two ways”
        remind me to look in the mouth
          = Remind you of “look in the mouth”
        remind me to clean the nest Monday
          = Remind you of “clean the nest” on Monday 30 November 2026
        remind me to text Frida at 5
          = Remind you of “text Frida” on Thursday 26 November 2026 at 17:00
        remind me to comfort Tom in the mourning
          = Remind you of “comfort Tom in the mourning”
        remind me when I get home to wind the clok
          = Remind you of “wind the clok” when you arrive at home
        remind me to buy Maple syrup
          = Remind you of “buy Maple syrup”
        remind me to call Bob tomorow mornig
          = Remind you of “call Bob” on Friday 27 November 2026 at 09:00
        remind me to pay the bill for nxt month
          = Remind you of “pay the bill” on Tuesday 1 December 2026
        remind me to call Bob fridy at 5
          = Remind you of “call Bob” on Friday 27 November 2026 at 17:00
        remind me to do it in 2 ways
          = Remind you of “do it in 2 ways”
        remind me to visit Munday at 5
          = Remind you of “visit Munday” on Thursday 26 November 2026 at 17:00
        """

    /// German: mornings, and times with a letter wrong.
    static let mistypedGerman = """
        Wecker auf 6:30
          = Remind you of “Wecker” on Friday 27 November 2026 at 06:30
        stell den Wecker auf 6:30
          = Remind you of “Wecker” on Friday 27 November 2026 at 06:30
        stell meinen Wecker auf halb sieben
          = Remind you of “Wecker” on Friday 27 November 2026 at 06:30
        Wecker um 6
          = Remind you of “Wecker” on Friday 27 November 2026 at 06:00
        Wecker 6:30
          = Remind you of “Wecker” on Friday 27 November 2026 at 06:30
        weck mich um 6:30
          = Remind you of “weck mich” on Friday 27 November 2026 at 06:30
        stell den Wecker auf 6:30 jeden Tag
          = Remind you of “Wecker” every day, first on Friday 27 November 2026 at 06:30
        erinnere mich jeden Tag um 6:30 ans Dehnen
          = Remind you of “Dehnen” every day, first on Friday 27 November 2026 at 06:30
        erinnere mich werktags um halb sieben ans Losfahren
          = Remind you of “Losfahren” on weekdays, first on Friday 27 November 2026 at 06:30
        erinnere mich jeden Tag um 18:30 ans Dehnen
          = Remind you of “Dehnen” every day, first on Thursday 26 November 2026 at 18:30
        erinnere mich nächste Wohce an den Bericht
          = Remind you of “den Bericht” on Monday 30 November 2026
        erinnere mich in einer Stunnde an den Bericht
          = Remind you of “den Bericht” on Thursday 26 November 2026 at 11:00
        erinnere mich an den Bericht in einer Studne
          = Remind you of “den Bericht” on Thursday 26 November 2026 at 11:00
        erinnere mich am Motag an den Bericht
          = Remind you of “den Bericht” on Monday 30 November 2026
        erinnere mich am Freitg um 9 an den Bericht
          = Remind you of “den Bericht” on Friday 27 November 2026 at 09:00
        erinnere mich an die Mode
          = Remind you of “die Mode”
        erinnere mich an die Wolle
          = Remind you of “die Wolle”
        erinnere mich daran, auf der nächsten Wache anzurufen
          = Remind you of “auf der nächsten Wache anzurufen”
        erinnere mich an die Leute um 5
          = Remind you of “die Leute” on Thursday 26 November 2026 at 17:00
        erinnere mich an das Buch in zwei Wohen
          = Remind you of “das Buch” on Thursday 10 December 2026 at 10:00
        erinnere mich heuet Abend an das Buch
          = Remind you of “das Buch” on Thursday 26 November 2026 at 19:00
        erinnere mich mrgen an Milch
          = none: …
        """

    /// Turkish: mornings, and times with a letter wrong.
    static let mistypedTurkish = """
        alarm kur 6:30
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        6:30'a alarm
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        6:30'a alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        alarmı 6:30'a kur
          = Remind you of “alarmı” on Friday 27 November 2026 at 06:30
        saat 6'ya alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 06:00
        her gün 6:30'a alarm kur
          = Remind you of “alarm” every day, first on Friday 27 November 2026 at 06:30
        saat 7'ye alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        beni 6:30'da uyandır
          = Remind you of “uyandır” on Friday 27 November 2026 at 06:30
        hafta içi 6:45'te çıkmayı hatırlat
          = Remind you of “çıkmayı” on weekdays, first on Friday 27 November 2026 at 06:45
        her gün 6.30'da ilacımı hatırlat
          = Remind you of “ilacımı” every day, first on Friday 27 November 2026 at 06:30
        her akşam 6.30'da ilacımı hatırlat
          = Remind you of “ilacımı” every day, first on Thursday 26 November 2026 at 18:30
        her gün 18.30'da ilacımı hatırlat
          = Remind you of “ilacımı” every day, first on Thursday 26 November 2026 at 18:30
        iki hafat sonra raporu hatırlat
          = Remind you of “raporu” on Thursday 10 December 2026 at 10:00
        10 dakka sonra çayı hatırlat
          = Remind you of “çayı” on Thursday 26 November 2026 at 10:10
        10 dakikka sonra çayı hatırlat
          = Remind you of “çayı” on Thursday 26 November 2026 at 10:10
        gelecek hafa raporu hatırlat
          = Remind you of “raporu” on Monday 30 November 2026
        carsamba raporu hatırlat
          = Remind you of “raporu” on Wednesday 2 December 2026
        perşmbe günü raporu hatırlat
          = Remind you of “raporu” on Thursday 3 December 2026
        kafatasını hatırlat
          = Remind you of “kafatasını”
        gelecek hasta için hazırlık yapmayı hatırlat
          = Remind you of “gelecek hasta için hazırlık yapmayı”
        sanat kursunu hatırlat
          = Remind you of “sanat kursunu”
        bu akşma sütü hatırlat
          = Remind you of “sütü” on Thursday 26 November 2026 at 19:00
        2 saat sorna sütü hatırlat
          = Remind you of “sütü” on Thursday 26 November 2026 at 12:00
        """
}
