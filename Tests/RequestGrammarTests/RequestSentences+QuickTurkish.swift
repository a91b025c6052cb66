extension RequestSentences {
    /// Turkish as people type it in a hurry.
    static let quickTurkish = """
        beşten önce bana bankayı aramayı hatırlat
          = Remind you of “bankayı aramayı” on Thursday 26 November 2026 at 16:30
        saat 5'ten önce bankayı aramayı hatırlat
          = Remind you of “bankayı aramayı” on Thursday 26 November 2026 at 16:30
        17:00'den önce bana bankayı aramayı hatırlat
          = Remind you of “bankayı aramayı” on Thursday 26 November 2026 at 16:30
        yarın 17:00'den önce bankayı aramayı hatırlat
          = Remind you of “bankayı aramayı” on Friday 27 November 2026 at 16:30
        cumadan önce kirayı hatırlat
          = Remind you of “kirayı” on Thursday 26 November 2026 at 21:30
        yatmadan önce ilacımı hatırlat
          = Remind you of “ilacımı” on Thursday 26 November 2026 at 21:30
        evde bana çiçekleri sulamayı hatırlat
          = Remind you of “çiçekleri sulamayı” when you arrive at home
        evdeyken bana çiçekleri sulamayı hatırlat
          = Remind you of “çiçekleri sulamayı” when you arrive at home
        işte bana raporu hatırlat
          = Remind you of “raporu” when you arrive at work
        ofiste bana raporu hatırlat
          = Remind you of “raporu” when you arrive at work
        spor salonunda bana esnemeyi hatırlat
          = Remind you of “spor salonunda bana esnemeyi”
        markette süt almayı hatırlat
          = Remind you of “süt almayı” when you arrive at “market”
        Yank Sing'de mantıyı hatırlat
          = Remind you of “mantıyı” when you arrive at Yank Sing (place)
        eve yol tarifi
          = Directions to home
        beni eve götür
          = Directions to home
        beni işe götür
          = Directions to work
        ne çalıyor
          = Say what is playing
        şu an ne çalıyor
          = Say what is playing
        bu şarkı ne
          = Say what is playing
        hatırlatıcılarımı göster
          = Show your reminders
        bugünkü hatırlatıcılarımı göster
          = Show your reminders for today
        bugün hatırlatıcılarım neler
          = Show your reminders for today
        anna'yı görüntülü ara
          = Video call Anna Karenina (person)
        Anna'yla görüntülü konuş
          = Video call Anna Karenina (person)
        facetime Anna
          = Video call Anna Karenina (person)
        anna'ya geç kalacağım yaz
          = Message Anna Karenina (person): “geç kalacağım”
        bu şarkıyı geç
          = Play the next one
        sıradaki şarkı
          = Play the next one
        sesi aç
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        sesi kıs
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        müziğin sesini aç
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        müziği aç
          = Play
        yarın süt almayı hatırlat
          = Remind you of “süt almayı” on Friday 27 November 2026
        bana yarın saat 8de dişçiyi hatırlat
          = Remind you of “dişçiyi” on Friday 27 November 2026 at 08:00
        bana yarın 8'de dişçiyi hatırlat
          = Remind you of “dişçiyi” on Friday 27 November 2026 at 08:00
        yarin sabah disciyi hatirlat
          = Remind you of “disciyi” on Friday 27 November 2026 at 09:00
        10 dakika sonra fırını hatırlat
          = Remind you of “fırını” on Thursday 26 November 2026 at 10:10
        10 dk sonra fırını hatırlat
          = Remind you of “fırını” on Thursday 26 November 2026 at 10:10
        bir saat sonra fırını hatırlat
          = Remind you of “fırını” on Thursday 26 November 2026 at 11:00
        yarım saat sonra fırını hatırlat
          = Remind you of “fırını” on Thursday 26 November 2026 at 10:30
        bu akşam çöpü hatırlat
          = Remind you of “çöpü” on Thursday 26 November 2026 at 19:00
        akşam 8'de çöpü hatırlat
          = Remind you of “çöpü” on Thursday 26 November 2026 at 20:00
        her gün saat 9'da ilacı hatırlat
          = Remind you of “ilacı” every day, first on Friday 27 November 2026 at 09:00
        her pazartesi çöpü hatırlat
          = Remind you of “çöpü” every week on Monday, first on Monday 30 November 2026
        her saat su içmeyi hatırlat
          = Remind you of “su içmeyi” every hour, first on Thursday 26 November 2026 at 11:00
        eve gelince kediyi beslemeyi hatırlat
          = Remind you of “kediyi beslemeyi” when you arrive at home
        eve gidince bana kediyi hatırlat
          = Remind you of “kediyi” when you arrive at home
        bunu bana yarın hatırlat
          = Remind you of what you look at on Friday 27 November 2026
        bunu hatırlat
          = Remind you of what you look at
        SÜT ALMAYI HATIRLAT
          = Remind you of “SÜT ALMAYI”
        süt almayı unutturma
          = Remind you of “süt almayı”
        hatırlatıcı süt al
          = Remind you of “süt al”
        7'de beni uyandır
          = Remind you of “uyandır” on Friday 27 November 2026 at 07:00
        saat 7'ye alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        7'ye alarm kur
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        alarm kur 7'ye
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        anna'yı ara
          = Call Anna Karenina (person)
        Anna'yı arar mısın
          = Call Anna Karenina (person)
        0532 123 45 67 ara
          = Call “0532 123 45 67”
        onu ara
          = Call the place or the people that you look at
        anna'ya yoldayım yaz
          = Message Anna Karenina (person): “yoldayım”
        Anna'ya mesaj gönder yoldayım
          = Message Anna Karenina (person): “yoldayım”
        ona yoldayım de
          = Message the place or the people that you look at: “yoldayım”
        eve nasıl giderim
          = Directions to home
        işe nasıl giderim
          = Directions to work
        Yank Sing'e götür
          = Directions to Yank Sing (place)
        müzik çal
          = Play
        müziği durdur
          = Pause
        müzik aç
          = Play
        dur
          = Pause
        devam et
          = Play
        sonraki
          = Play the next one
        önceki şarkı
          = Play the previous one
        şarkıyı geç
          = Play the next one
        mail aç
          = Open Mail (app)
        mail'i aç
          = Open Mail (app)
        bu hangi şarkı
          = Say what is playing
        hatırlatmalarım
          = Show your reminders
        bugünkü hatırlatmalarım
          = Show your reminders for today
        anna'yı arama
          = none: This is not understood.
        saat beşten önce sütü hatırlat
          = Remind you of “sütü” on Thursday 26 November 2026 at 16:30
        yarından önce sütü hatırlat
          = Remind you of “sütü” on Thursday 26 November 2026 at 21:30
        öğleden önce sütü hatırlat
          = Remind you of “sütü” on Friday 27 November 2026 at 09:00
        pazartesiden önce sütü hatırlat
          = Remind you of “sütü” on Sunday 29 November 2026
        yatmadan önce sütü hatırlat
          = Remind you of “sütü” on Thursday 26 November 2026 at 21:30
        markette sütü hatırlat
          = Remind you of “sütü” when you arrive at “market”
        okuldayken öğretmeni hatırlat
          = Remind you of “öğretmeni” when you arrive at “okul”
        müziğin sesini kıs
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        sesini aç
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        müziği kapat
          = Pause
        hatırlatıcıları listele
          = Show your reminders
        bugün ne yapmam lazım
          = Show your reminders for today
        Anna'ya görüntülü arama yap
          = Video call Anna Karenina (person)
        yarın öğleden önce sütü hatırlat
          = Remind you of “sütü” on Friday 27 November 2026 at 09:00
        önce süt sonra ekmek almayı hatırlat
          = Remind you of “önce süt sonra ekmek almayı”
        """
}
