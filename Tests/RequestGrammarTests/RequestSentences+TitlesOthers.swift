extension RequestSentences {
    /// German: messages, calls, and what is played.
    static let titlesGerman = """
        schreib Anna ruf mich an bitte
          = Message Anna Karenina (person): “ruf mich an bitte”
        schreib Anna, dass sie mich anrufen soll, bitte
          = Message Anna Karenina (person): “sie mich anrufen soll, bitte”
        kannst du Anna bitte sagen dass ich später komme
          = Message Anna Karenina (person): “ich später komme”
        ruf Anna an bitte
          = Call Anna Karenina (person)
        spiel Jazz bitte
          = Play “Jazz”
        spiel Jazz zufällig
          = none: In which order it plays…
        spiel Blue Train in Dauerschleife
          = none: In which order it plays…
        spiel Jazz auf dem Lautsprecher
          = none: Where it plays cannot be said…
        spiel Jazz auf meinem Handy
          = none: Where it plays cannot be said…
        spiel Jazz über Spotify
          = none: Where it plays cannot be said…
        spiel Auf dem Wasser
          = Play “Auf dem Wasser”
        schau Der Tag danach
          = Play “Der Tag danach”
        schau den Film Morgen hör ich auf an
          = Play “Morgen hör ich auf”
        hör Montag Morgen
          = Play “Montag Morgen”
        spiel Morgen
          = Play “Morgen”
        spiel Gestern von Anna
          = Play “Gestern von Anna”
        spiel Heute Nacht
          = Play “Heute Nacht”
        spiel Tage wie diese von den Toten Hosen
          = Play “Tage wie diese von den Toten Hosen”
        sag Anna bitte, dass ich unterwegs bin
          = Message Anna Karenina (person): “ich unterwegs bin”
        schreib Anna wo bist du?
          = Message Anna Karenina (person): “wo bist du?”
        schreib Anna bis morgen um 5
          = Message Anna Karenina (person): “bis morgen um 5”
        antworte Anna, dass ich komme
          = Message Anna Karenina (person): “ich komme”
        schick Anna Fotos vom Hund
          = none: A message has words only, and nothing was sent…
        schick Anna seine Nummer
          = none: A message has words only, and nothing was sent…
        schick Anna eine SMS: bin gleich da
          = Message Anna Karenina (person): “bin gleich da”
        richte Anna aus, dass ich komme
          = Message Anna Karenina (person): “ich komme”
        gib Anna Bescheid, dass ich komme
          = Message Anna Karenina (person): “ich komme”
        ruf Anna zurück
          = Call Anna Karenina (person)
        ruf Anna bitte zurück
          = Call Anna Karenina (person)
        Anna anrufen bitte
          = Call Anna Karenina (person)
        ruf mal bei Anna an
          = Call Anna Karenina (person)
        ruf 030 123456 an
          = Call “030 123456”
        Videoanruf mit Anna
          = Video call Anna Karenina (person)
        leg auf
          = none: …
        stopp die Musik
          = Pause
        halt die Musik an
          = Pause
        Lied überspringen
          = Play the next one
        spiel das letzte Lied
          = Play the previous one
        wie heißt dieses Lied
          = Say what is playing
        ruf Anna und Jean-Luc an
          = none: A call goes to one person…
        schreib Anna: vergiss die Schlüssel nicht
          = Message Anna Karenina (person): “vergiss die Schlüssel nicht”
        schreib Anna ich bin morgen um 5 da
          = Message Anna Karenina (person): “ich bin morgen um 5 da”
        schreib Anna ruf mich zurück
          = Message Anna Karenina (person): “ruf mich zurück”
        schreib meiner Frau ich liebe dich
          = Message “Frau”: “ich liebe dich”
        frag Anna ob sie heute Abend kommt
          = Message Anna Karenina (person): “ob sie heute Abend kommt”
        sag Anna ich komme bitte
          = Message Anna Karenina (person): “ich komme bitte”
        Nachricht an Anna: bin da
          = Message Anna Karenina (person): “bin da”
        ruf den Arzt an
          = Call “Arzt”
        ruf 110 an
          = Call “110”
        telefonier mit Anna
          = Call Anna Karenina (person)
        spiel ein Lied von Coltrane
          = Play “Coltrane”
        spiel weiter
          = Play
        Pause bitte
          = Pause
        nächstes Lied bitte
          = Play the next one
        spiel nochmal
          = none: In which order…
        spiel das Album Morgen von Anna
          = Play “Morgen von Anna”
        spiel lauter
          = none: …
        mach die Musik aus
          = Pause
        stopp
          = Pause
        spiel Mit dem Fahrrad
          = Play “Mit dem Fahrrad”
        spiel das Lied Über den Wolken
          = Play “Über den Wolken”
        hör den Song Donnerstag an
          = Play “Donnerstag”
        sieh Tatort
          = Play “Tatort”
        mach die Musik an
          = Play
        """

    /// Turkish: messages, calls, and what is played.
    static let titlesTurkish = """
        Anna'ya mesaj at beni ara lütfen
          = Message Anna Karenina (person): “beni ara lütfen”
        Anna'ya geliyorum yaz lütfen
          = Message Anna Karenina (person): “geliyorum”
        Anna'yı ara lütfen
          = Call Anna Karenina (person)
        caz çal lütfen
          = Play “caz”
        cazı karışık çal
          = none: In which order it plays…
        Blue Train'i tekrar tekrar çal
          = none: In which order it plays…
        telefonumda caz çal
          = none: Where it plays cannot be said…
        hoparlörde caz çal
          = none: Where it plays cannot be said…
        Spotify'da caz çal
          = none: Where it plays cannot be said…
        Yarından Sonra filmini izle
          = Play “Yarından Sonra”
        Yarından Sonra'yı izle
          = Play “Yarından Sonra”
        Pazartesi Sabahı dinle
          = Play “Pazartesi Sabahı”
        Yarın çal
          = Play “Yarın”
        Bu Akşam şarkısını çal
          = Play “Bu Akşam”
        Anna'ya sor geliyor mu
          = none: …
        Anna'ya neredesin diye sor
          = Message Anna Karenina (person): “neredesin”
        Anna'ya yolda olduğumu söyle
          = Message Anna Karenina (person): “yolda olduğumu”
        Anna'ya yarın görüşürüz yaz
          = Message Anna Karenina (person): “yarın görüşürüz”
        Anna'ya mesaj at: geç kalacağım
          = Message Anna Karenina (person): “geç kalacağım”
        Anna'ya cevap yaz: geliyorum
          = Message Anna Karenina (person): “geliyorum”
        Anna'yı geri ara
          = Call Anna Karenina (person)
        Anna'yı görüntülü ara
          = Video call Anna Karenina (person)
        lütfen Anna'yı ara
          = Call Anna Karenina (person)
        0212 123 45 67'yi ara
          = Call “0212 123 45 67”
        müziği durdur
          = Pause
        şarkıyı geç
          = Play the next one
        önceki şarkıyı çal
          = Play the previous one
        bu şarkı ne
          = Say what is playing
        Anna ve Jean-Luc'u ara
          = none: A call goes to one person…
        Anna'ya beni yarın ara yaz
          = Message Anna Karenina (person): “beni yarın ara”
        Anna'ya anahtarları unutma de
          = Message Anna Karenina (person): “anahtarları unutma”
        Anna'ya mesaj gönder
          = Message Anna Karenina (person)
        Anna'yı arar mısın
          = Call Anna Karenina (person)
        Anna'ya telefon aç
          = Call Anna Karenina (person)
        112'yi ara
          = Call “112”
        bir şarkı çal
          = Play
        Coltrane'den bir şarkı çal
          = Play “Coltrane”
        Tarkan çal
          = Play “Tarkan”
        müziği kapat
          = Pause
        sonraki şarkı lütfen
          = Play the next one
        dur
          = Pause
        devam et
          = Play
        sesi aç
          = none: …
        Anna'yı dinle
          = Play “Anna”
        Hoparlör şarkısını çal
          = Play “Hoparlör”
        Sürekli Yarın şarkısını çal
          = Play “Sürekli Yarın”
        """
}
