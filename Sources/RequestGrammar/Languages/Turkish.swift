extension GrammarText {
    /// Turkish: the sentences of docs/requests.md.
    package static let turkish = turkishWishes + "\n" + turkishTimes

    private static let turkishWishes = #"""
        language tr
        clock 24
        apostrophe split
        example yarın saat 18:00'de bana süt almayı anımsat
        example eve geldiğimde bana bunu anımsat
        example Yank Sing'e yol tarifi
        example burayı ara
        example Anna'ya geç kalacağım yaz
        example caz çal
        example Mail'i aç
        example internette mantı ara

        spell hatırlat anımsat pazartesi çarşamba perşembe cumartesi haziran temmuz ağustos sonraki dakika
        times hafta haftaya saat dakika sonra gelecek önümüzdeki akşam sabah öğleden pazartesi çarşamba perşembe cumartesi
        times haziran temmuz ağustos
        known hasta hastaya sanat

        request = [<polite>] <wish> [lütfen]
        polite = lütfen | (hey|selam|tamam) [baton] [lütfen]
        wish = <remind> | <directions> | <call> | <video> | <message> | <email> | <media> | <open> | <search> | <show>
            | <volume> | <refused> | <settings>

        remind = <when> [bana] <subject> [bana] <remindme> => action=remind | [bana] <when> <subject> <remindme> => action=remind
            | [bana] <subject> <when> <remindme> => action=remind | [bana] <subject> <remindme> => action=remind
            | <when> [bana] <remindme> => action=remind | <subject> bana <when> <remindme> => action=remind
            | [bana] hatırlat subject:{text} => action=remind cost=60 | [bana] <subject> <remindme> <when> => action=remind
            | [bana] [<this>] (sonra|daha sonra|birazdan|yakında|bir ara) [bana] [<this>] <remindme> => action=vague
            | [bana] hatırlat <when> subject:{text} => action=remind cost=20
            | [<when>] [bana] [<when>] subject:<mealtodo> <remindme> => action=remind
            | <date> [<part>] beni <hour> subject:<wake> => action=remind usually=am
            | [bana] [her gün] sabah [öğle|öğlen] akşam <subject> <remindme> => action=several cost=-5
            | <atspot> [bana] <subject> <remindme> => action=remind trigger=arrive
            | [yeni] (hatırlatıcı|anımsatıcı) [(kur|ekle|oluştur)] <when> subject:{text} => action=remind
            | [yeni] (hatırlatıcı|anımsatıcı) [(kur|ekle|oluştur)] subject:{text} => action=remind cost=60
            | hour:{integer} <at> subject:<alarm> (kur|ayarla) => action=remind
            | subject:<alarm> kur hour:{integer} <at> => action=remind | subject:<alarm> [kur] {clock} [<at>] => action=remind
            | [<date>] [<every>] [saat] {clock} [<at>] subject:<alarm> [kur|ayarla] => action=remind
            | <every> subject:<alarm> [kur] {clock} [<at>] => action=remind
            | subject:<alarm> kur <part> hour:{integer} => action=remind
            | <part> hour:{integer} <at> subject:<alarm> (kur|ayarla) => action=remind
            | (<every>|<date>) [<part>] hour:{integer} <at> subject:<alarm> (kur|ayarla) => action=remind
            | subject:<alarm> (hour:{integer} <at>|{clock} [<at>]) (kur|ayarla) => action=remind
            | <when> subject:<alarm> (kur|ayarla) => action=remind | subject:<alarm> kur <when> => action=remind
            | inminutes:<number> (dakikalık|dakikaya|dakika|dk) subject:<timer> [kur|başlat] => action=remind
            | subject:<timer> [kur|başlat] inminutes:<number> (dakika|dakikaya|dk) => action=remind
            | [<date>] [<part>] [saat] hour:<spokenhour> buçuğa subject:<alarm> (kur|ayarla) => action=remind after=30
            | [<date>] [<part>] [saat] hour:{integer} buçuğa subject:<alarm> (kur|ayarla) => action=remind after=30
            | (listeme|hatırlatıcılarıma|anımsatıcılarıma) subject:{text} ekle => action=remind
            | [<date>] [<part>] hour:<hourto> subject:<alarm> (kur|ayarla) => action=remind
            | inhours:<number> saatlik subject:<timer> (kur|başlat) => action=remind
            | inhours:<number> saat inminutes:<number> dakikalık subject:<timer> (kur|başlat) => action=remind
            | inhours:<number> buçuk saatlik subject:<timer> (kur|başlat) => action=remind inminutes=30
            | yarım saatlik subject:<timer> (kur|başlat) => action=remind inminutes=30
            | [bana] <when> için [bir] (hatırlatıcı|anımsatıcı) (kur|ekle|oluştur) subject:{text} => action=remind
            | beni <when> subject:<wake> => action=remind usually=am | <when> beni subject:<wake> => action=remind usually=am
            | [bana] <when> {text} ve <date> {text} <remindme> => action=several
            | [bana] <when> (yok|hayır|pardon|yok yok) [bana] <when> [bana] <subject> <remindme> => action=several cost=-20
            | [bana] <when> [<when>] ve <when> [bana] <subject> <remindme> => action=several cost=5
            | hatırlat bana <when> subject:{text} => action=remind cost=20 | hatırlat bana subject:{text} => action=remind cost=60
            | [bana] ({person}|{given}) (gelince|geldiğinde|gidince|gittiğinde|varınca|vardığında) [bana] {text} <remindme> => action=theirs
        # A meal is to be eaten, and no time of the day.
        mealtodo = (akşam|öğle) (yemeği|yemeğini|yemeğine|yemeğe) [dish:{text}]
        # Only in front: behind what is to be done it may as well be a part of it.
        atspot = (evde|evdeyken) => where=home | (işte|işteyken|ofiste|ofisteyken|iş yerinde|işyerinde) => where=work
            | where:<knownplace> <within>
            | where:<spotname>
        knownplace = value:{place}
        spotname = (markette|marketteyken) => value=market | (süpermarkette|süpermarketteyken) => value=süpermarket
            | (okulda|okuldayken) => value=okul | (eczanede|eczanedeyken) => value=eczane | (bankada|bankadayken) => value=banka
            | (havaalanında|havaalanındayken) => value=havaalanı
        alarm = (alarm|alarmı|alarmımı) => usually=day
        timer = zamanlayıcı | sayaç
        wake = uyandır | kaldır
        remindme = (unutturma|unutturmayın|unutma) | (anımsat|hatırlat|anımsatır mısın|hatırlatır mısın|anımsatın
            |hatırlatın|hatırlatabilir misin|anımsatabilir misin|hatırlatsana|hatırlatır mısınız)
        subject = subject:<this> | subject:{text}
        this = (bunu|burayı|bu sayfayı|bu yeri) => value=this

        directions = place:<placeto> (yol tarifi|yol tarifi ver|yolu göster|nasıl gidilir|nasıl giderim) => action=directions
            | ([beni] place:<placeto> götür [beni]) => action=directions
            | {name} <from> {name} [<to>] (yol tarifi|yol tarifi ver|nasıl gidilir|nasıl giderim) => action=elsewhere
            | place:<placeto> giden yolu göster => action=directions | yol tarifi => action=directions place=here
        placeto = value:<spotto> | (buraya|oraya) => value=here | (eve|ev) => value=home | (işe|iş|ofise) => value=work
            | value:{place} [<to>] | value:{name} [<to>]
        spotto = markete => value=market | süpermarkete => value=süpermarket | okula => value=okul | eczaneye => value=eczane
            | bankaya => value=banka | havaalanına => value=havaalanı | hastaneye => value=hastane | postaneye => value=postane
        # Of what a possessive is: the end of the month, Friday of the month.
        poss = 'i | 'ı | 'u | 'ü | 'si | 'sı | 'inde | 'ında | 'unda | 'ünde | 'sinde | 'sında
        to = 'e | 'a | 'ye | 'ya | 'na | 'ne
        acc = 'i | 'u | 'ü | 'yi | 'yu | 'yü | 'ı | 'yı | 'nı | 'ni | 'nu | 'nü
        from = <ablative> | 'ndan | 'nden

        phone = {number} [{number}] [{number}] [{number}] [{number}]
        call = party:<phone> [<acc>|<past>|numarasını] ara => action=call
            | party:<party> <messengers> (<ablative>|ile) ara => action=channel cost=-5
            | party:<party> [geri] (ara|arar mısın|arayalım|arayabilir misin|arasana) => action=call
            | party:<addressee> telefon (et|aç) => action=call
            # The one who called last, where an app says who that is.
            | [onu|onları] geri (ara|arar mısın|arayabilir misin|arasana) => action=call party=back cost=-6
            | (son arayanı|en son arayanı|beni son arayanı) [geri] ara => action=call party=back
            | {person} [<acc>] (ve|veya|ile) {person} [<acc>] ara => action=onecall cost=-1
            # A call is made at once.
            | party:<party> [şimdi|hemen] ara => action=call | (şimdi|hemen) party:<party> ara => action=call
            | (party:<party> <time>|<time> party:<party>) ara => action=atonce
            | <trigger> party:<party> ara => action=atonce cost=5
            | (party:<addressee> <time>|<time> party:<addressee>) telefon et => action=atonce
        party = value:<kin> | (burayı|orayı|bu yeri|bu restoranı|bu numarayı) => value=here | (onu|onları) => value=them
            | value:{person} [<acc>] => cost=-1 | value:{place} [<acc>] | value:{name} [<acc>]
            # “Anna'yı ara” is a call, where a person has that name.
            | value:{given} <acc>
        # Where the address book has no such name.
        kin = (anneme|annemi) => value=annem cost=2 | (babama|babamı) => value=babam cost=2
            | (eşime|eşimi) => value=eşim cost=2
            | (kardeşime|kardeşimi) => value=kardeşim cost=2 | (ablama|ablamı) => value=ablam cost=2
            | (abime|abimi) => value=abim cost=2
        addressee = (ona|onlara) => value=them | value:<kin> | (buraya) => value=here | value:{person} [<to>] => cost=-1
            | value:{single} <to> | value:{fullname} <to>

        # A call with a picture.
        video = party:<party> (görüntülü ara|görüntülü arar mısın|facetime ile ara|videolu ara) => action=video
            | facetime party:<party> [ara] => action=video | party:<addressee> görüntülü arama (yap|başlat) => action=video
            | party:<withwhom> görüntülü (görüş|konuş|arama başlat) => action=video
        withwhom = (onunla|onlarla) => value=them | value:{person} <with> => cost=-1 | value:{single} <with>
        with = 'la | 'le | 'yla | 'yle | ile

        message = party:<addressee> yaz => action=message | party:<addressee> text:{text} (yaz|de|söyle|sor|mesajı gönder|yazar mısın|der misin
            |söyler misin) => action=message
            | party:<addressee> (yaz|mesaj|cevap ver|cevap yaz) text:{text} => action=message
            | party:<addressee> [bir] (mesaj|sms) (gönder|yaz|at|yolla) text:{text} => action=message
            | party:<addressee> [bir] (mesaj|sms) (gönder|yaz|at|yolla|gönderir misin|atar mısın) => action=message
            | party:<addressee> text:<greeting> (gönder|yolla) => action=message
            | party:<addressee> text:{text} diye (sor|yaz|söyle|mesaj at) => action=message cost=-5

            | party:<addressee> <messengers> (<ablative>|ile) {text} => action=channel cost=-15
            | party:<addressee> <frommessenger> {text} => action=channel cost=-15 | party:<addressee> <frommessenger> (yaz|mesaj at) => action=channel cost=-15
            # It goes at once.
            | party:<addressee> <when> [bir] (yaz|söyle|mesaj at|mesaj gönder|mesaj yaz) => action=atonce
            | party:<addressee> (<when> <daywish>|<daywish> <when>) <written> => action=atonce cost=-20
            | <when> party:<addressee> {text} <written> => action=atonce

            | <shared> party:<addressee> (gönder|yolla|at|ilet) => action=share cost=-5
            | party:<addressee> <shared> (gönder|yolla|at|ilet) => action=share cost=-5
        message = party:<addressee> (sonra|daha sonra|birazdan) (yaz|söyle|mesaj at) => action=atonce cost=-5
        remind = {text} (yaz|söyle|ara|mesaj at) ve [bana] {text} <remindme> => action=several cost=-20
        call = party:<party> <trigger> ara => action=atonce cost=5
        email = party:<addressee> [bir] <mail> (gönder|yaz|at|yolla) <when> => action=atonce cost=-15
            | (<when> party:<addressee>|party:<addressee> <when>) [bir] <mail> (gönder|yaz|at|yolla) => action=atonce cost=-15
        written = yaz | de | söyle | gönder | yolla | mesaj at | diye (yaz|mesaj at)
        # They are for their day.
        daywish = doğum günün kutlu olsun | iyi ki doğdun | mutlu yıllar | nice yıllara | günaydın | iyi geceler | tebrikler
            | bayramın (kutlu|mübarek) olsun
        # Anything else that is sent may be a thing.
        greeting = [bir] (öpücük|öpücükler) | selam | selamlar | merhaba | selamımı | selamlarımı | sevgilerimi | teşekkürler | tebrikler | günaydın
            | iyi (günler|geceler|akşamlar)
        # Without an apostrophe.
        frommessenger = whatsapptan | whatsappdan | whatsaptan | telegramdan | signalden | signaldan | messengerdan | messengerden | instagramdan
            | facebooktan | skypetan | skypeden | slackten | slacktan | discorddan
        messengers = whatsapp | telegram | signal | messenger | instagram | facebook | skype | slack | discord
        shared = bunu | (bu|şu|bir) (sayfayı|linki|bağlantıyı|fotoğrafı|resmi|videoyu|dosyayı|belgeyi|konumu|yeri)
            | (konumumu|fotoğrafı|resmi)

        email = party:<addressee> [bir] <mail> (gönder|yaz|at|yolla|gönderir misin
            |atar mısın) [text:{text}] => action=email cost=-5
            | party:<addressee> text:{text} diye [bir] <mail> (gönder|yaz|at|yolla) => action=email cost=-10
        mail = e-posta | eposta | mail | email | e-mail

        media = [biraz] media:{text} [şarkısını|albümünü|parçasını] (çal|oynat|çalar mısın|çalsana) => action=play
            | [biraz] (müzik|şarkı) (çal|aç|çalsana|açsana|çalar mısın) => action=play
            | biraz media:{text} aç => action=play | (bir şeyler|bir şey|bir şarkı) (çal|aç) => action=play
            | media:{text} <ablative> [bir] (şarkı|müzik|bir şey|bir şeyler) çal => action=play cost=-1
            | (bunu|şunu|onu) (çal|oynat|dinle|izle) => action=play | (çal|devam et|oynat|müziği çal|müziği aç|müzik çal|müziği başlat|müzik devam etsin
            |müziğe devam et) => action=play
            | (sonraki|sıradaki) (şarkıyı|parçayı|şarkıya|parçaya) (çal|geç|aç) => action=next
            | önceki (şarkıyı|parçayı|şarkıya|parçaya) (çal|geç|aç|dön) => action=previous
            | (duraklat|durdur|müziği durdur|dur) => action=pause
            | ([bu] (şarkıyı|parçayı) (geç|atla)) => action=next | (müziği|şarkıyı) (duraklat|durdur|kapat) => action=pause
            | (sonraki|sonraki şarkı|sonraki parça|sıradaki şarkı|sıradaki parça|geç) => action=next
            | (önceki|önceki şarkı|önceki parça) => action=previous

            | media:{text} [<acc>] (izle|dinle|seyret|izleyelim|dinleyelim) => action=play
            | media:{text} (filmini|dizisini|videosunu|bölümünü|şarkısını|albümünü) (izle|dinle|oynat|aç|seyret) => action=play cost=-1
            # Neither is said to a player.
            | [{text}] <mode> <playing> => action=mode | <mode> {text} <playing> => action=mode
            | [{text}] <speakers> [{text}] (<playing>|aç) => action=player
            | [{text}] (spotify|youtube|netflix) (<within>|<ablative>) [{text}] (<playing>|aç) => action=player
            | {text} (spotify|youtube|netflix) (<playing>|aç) => action=player | (spotify|youtube|netflix) {text} (<playing>|aç) => action=player
        playing = çal | oynat | dinle | izle | çalar mısın
        mode = tekrar | baştan | karışık | rastgele | karışık sırayla | tekrar tekrar | sürekli | döngüde
        speakers = (telefonda|telefonumda|telefondan|telefonumdan) | (hoparlörde|hoparlörden|hoparlörümde|hoparlörlerde)
            | (televizyonda|televizyondan) | (bilgisayarda|bilgisayarımda|bilgisayardan) | (tablette|tabletimde)
            | (kulaklıkta|kulaklığımda|kulaklıktan|kulaklığımdan)

        open = site:{site} [<acc>|<to>] [sitesini|sayfasını|sitesine|sayfasına] (aç|açar mısın|göster|git) => action=page
            | app:<app> (uygulamasını|uygulaması) (aç|başlat) => action=open
            | [uygulama] app:<app> (aç|açar mısın|açsana|başlat|çalıştır|başlatır mısın) => action=open
        app = value:{app} [<acc>] | value:{name} [<acc>]
        nearest = en yakın kind:{text} => cost=2
        search = place:<nearest> [nerede|nerde|nerededir] => action=directions | text:{text} [<acc>] (bul|ara) => action=search | internette text:{text} [<acc>] ara => action=search

        # What is only said
        show = (ne çalıyor şu an|ne çalıyor|şu an ne çalıyor|şimdi ne çalıyor|çalan ne|ne dinliyorum|çalan şarkı ne
            |hangi şarkı çalıyor) => action=playing
            | (şu an|şimdi) çalan şarkı (ne|hangisi) => action=playing
            | (bu şarkı ne|bu hangi şarkı|bu şarkının adı ne) => action=playing
            | [bana] [tüm|bütün] (hatırlatıcılarımı|anımsatıcılarımı|hatırlatıcıları|anımsatıcıları|hatırlatmalarımı) (göster
            |listele|oku|söyle) => action=reminders
            | (hatırlatıcılarım|anımsatıcılarım|hatırlatmalarım) [neler|ne] => action=reminders
            | [bana] [bugünkü|bugünün] (hatırlatıcılarımı|anımsatıcılarımı|hatırlatıcıları|anımsatıcıları) (göster|listele|oku
            |söyle) => action=remindersToday cost=1
            | yarınki (hatırlatıcılarım|anımsatıcılarım|hatırlatmalarım) [neler|ne] => action=reminders
            | (bugün|bugünkü|bugün için) (hatırlatıcılarım|anımsatıcılarım|hatırlatmalarım) [neler|ne] => action=remindersToday
            | bugün ne yapmam (gerekiyor|lazım) => action=remindersToday
            | <date> ne yapmam (gerekiyor|lazım) => action=reminders cost=1
            | bugün hangi (hatırlatıcılarım|anımsatıcılarım) var => action=remindersToday
            | [<date>] hangi (hatırlatıcılarım|anımsatıcılarım) var => action=reminders cost=1
            | <date> (hatırlatıcılarımı|anımsatıcılarımı) (göster|listele|oku|söyle) => action=reminders cost=2

        # Not understood, and it says why.
        refused = {single} [<to>] {money} (gönder|yolla|öde|at) => action=payment | [{text}] (lira|tl|euro|avro|dolar|para) (gönder|yolla|öde|havale et|at) => action=payment cost=-15
            | [{text}] (taksi|uber) (çağır|çağırır mısın|bul|iste|ayarla) => action=ride cost=-15
            | [{text}] (hatırlatıcısını|hatırlatıcıyı|hatırlatmayı|hatırlatmasını|anımsatıcıyı|anımsatıcısını|alarmı|alarmımı
            |zamanlayıcıyı) [{text}] (sil|ertele|iptal et|değiştir|kapat|tamamla|durdur|al) => action=change cost=-15
            | [{text}] (ertele|tamamla|tamamlandı) => action=change
        settings = (bluetooth|wifi|wi-fi|ışıkları|lambayı|uçak modu|uçak modunu|karanlık modu|konumu|gps) [<acc>] (aç|kapat|kapa) => action=settings cost=-10
        volume = (sesi|sesini|müziğin sesini) [biraz] (aç|kıs|yükselt|azalt|artır|kapat) => action=volume
            | ses (açık|kapalı|aç|kapat|kıs) => action=volume
        """#
}
