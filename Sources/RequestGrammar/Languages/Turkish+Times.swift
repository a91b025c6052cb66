extension GrammarText {
    /// When, in Turkish: moments, repetitions, and what else brings a reminder back.
    static let turkishTimes = #"""
        when = <time> | <trigger>
        amid = <date> [<part>] <hour> | yarın | bugün | saat {integer} <at> | saat {clock} [<at>] | {clock} <at>
        tail = (sonra|daha sonra|birazdan|yakında|bir ara) | <often>
        often = (günde|haftada|ayda|yılda|saatte) <number> (kez|kere|defa)
        nextday = bugün | yarın | öbür gün | pazartesi | salı | çarşamba | perşembe | cuma | cumartesi
        untimed = <number> (dakikada|saatte|günde|haftada) {single} | yarından {single}
        # Rests of a time: with them the reminder would come at another one.
        rest = {integer} ve {number} | {single} (arayınca|aradığında|yazınca|yazdığında)
            | {single} [<acc>] (görünce|gördüğümde|gördüğüm zaman) | doğum (gününde|günümde) {single}
            | (yazın|kışın|baharda|ilkbaharda|sonbaharda|uyanınca|kalkınca|yolda) {single}
            | (günde|haftada|ayda|yılda|saatte) <number> (kez|kere|defa) | <weekday> günü | (öbür|öteki) {single}
            | (hariç|dışında) {single}
            | {clock} | {integer} <at> | <number> (buçuk|buçukta) | çeyrek | {integer} (kala|geçe) | (kala|geçe) | buçukta
            | <number> {single} sonra | <number> {single} {single} sonra | {single} sonra {single}
            | {single} <number> {single} önce | bu (hafta|ay|yıl) {single}
            | {single} (başında|ortasında) {single} | başı {single}
            | (birkaç|yaklaşık|bazen) {single} | (ara sıra|arada bir) {single}
            | (hemen|şimdi|dün|bayramda|kadar|itibaren) {single} | saat başı {single}
            | (mısın|misin|mısınız|misiniz) {single} | <weekdayfrom> {single}
            | {single} (hariç|dışında|itibaren|kadar) {single} | {number} (ile|ila|veya|ya) {number} {single}
            | <nextday> {single} | <trigger> {single} | (akşamları|sabahları|geceleri) {single} | ayın {number} {single}
            | {single} (yağınca|yağarsa|olunca|bitince|başlayınca)
            | her {single} | {single} önce | {single} {single} önce | (sonra|birazdan|yakında) {single}
        trigger = (iş çıkışı|işten sonra) => trigger=leave where=work | (eve geldiğimde|eve geldiğim zaman|eve varınca|eve gelince|eve girince|eve girdiğimde|eve vardığımda|eve vardığım zaman
            |evde olduğumda) => trigger=arrive where=home
            | (işten eve gelince|işten eve geldiğimde|işten eve varınca|işten eve vardığımda) => trigger=arrive where=home
            | (evdeyken|evde olunca) => trigger=arrive where=home | (işteyken|ofisteyken) => trigger=arrive where=work
            | (eve gidince|eve gittiğimde|eve gittiğim zaman|eve dönünce
            |eve döndüğümde|eve döndüğüm zaman) => trigger=arrive where=home
            | (evden çıkınca|evden çıkarken|evden çıktığımda|evden çıktığım zaman
            |evden ayrıldığımda|evden ayrıldığım zaman) => trigger=leave where=home
            | (işe geldiğimde|işe geldiğim zaman|işe varınca|işe gelince|ofise geldiğimde
            |işe vardığımda|işe vardığım zaman) => trigger=arrive where=work
            | (işe gidince|işe gittiğimde|işe gittiğim zaman) => trigger=arrive where=work
            | (işten çıkınca|işten çıkarken|işten çıktığımda|işten çıktığım zaman|ofisten çıkınca|ofisten çıkarken
            |ofisten çıktığımda|ofisten çıktığım zaman
            |işten ayrılınca|ofisten ayrılınca|eve dönerken|eve giderken) => trigger=leave where=work
            | (buraya gelince|buraya geldiğimde|buraya geldiğim zaman) => trigger=arrive where=here
            | (buradan çıkınca|buradan ayrıldığımda|buradan ayrıldığım zaman) => trigger=leave where=here
            | where:<placeto> (geldiğimde|gelince|varınca|vardığımda|gidince|gittiğimde|geldiğim zaman|vardığım zaman
            |gittiğim zaman) => trigger=arrive
            | (arabaya|arabama) (binince|bindiğimde) => trigger=connect device=car
            | (arabadan|arabamdan) (inince|indiğimde) => trigger=disconnect device=car
            | device:<device> (bağlanınca|bağlandığımda|bağlandığında) => trigger=connect
            | device:<device> (takınca|taktığımda|bağlayınca) => trigger=connect
            | device:<device> (çıkarınca|çıkardığımda) => trigger=disconnect
            | app:<app> (açınca|açtığımda) => trigger=open
            | who:<partyacc> (arayınca|aradığımda) => trigger=called
            | who:<addresseeto> (yazınca|yazdığımda) => trigger=messaged
            | where:<spotwhere> ('deyken|'dayken|'teyken|'tayken) => trigger=arrive
            | [bir dahaki sefere|bir dahaki sefer|bir sonraki sefer] who:<withwhom> [bir daha|tekrar] (konuştuğumda|konuşunca|görüştüğümde|görüşünce) => trigger=contacted
        spotwhere = value:{place} | value:{name}
        # Without an ending it is who calls, which is not known here.
        partyacc = (onu|onları) => value=them | value:{person} <acc> => cost=-1 | value:{given} <acc> | value:{name} <acc>
        addresseeto = (ona|onlara) => value=them | value:{person} <to> => cost=-1 | value:{single} <to> | value:{fullname} <to>
        device = value:{device} [<to>] | value:{name} [<to>]

        time = <date> [<part>] [<hour>] | <date> [<part>] en geç <hour> | en geç <date> | <date> [<part>] {clock}
            | <hour> [<date>] | <part> [<hour>] | <relative> | <dayrelative> [<part>] [<hour>]
            | <every> [<part>] [<hour>]
        hour = saat {clock} [<at>] => spoken=1 | saat hour:<number> [<at>] => spoken=1 | {clock} <at> => spoken=1
            | saat hour:{zerohour} [<at>] => cost=-1 | hour:{zerohour} <within> => cost=-1
            | saat hour:<hourat> => spoken=1 | hour:{integer} <within> => spoken=1 | hour:<hourbare> => spoken=1
            | [saat] hour:{integer} (gibi|civarı|civarında|sularında) => spoken=1
            | [saat] hour:<spokenhour> buçukta => after=30 spoken=1 | [saat] hour:{integer} buçukta => after=30 spoken=1
            | [saat] <towards> çeyrek (kala|var) => before=15 spoken=1 | [saat] <towards> before:<number> (kala|var) => spoken=1
            | öğle yemeğinden sonra => hour=1 minute=0 half=pm | akşam yemeğinden sonra => hour=8 minute=0 half=pm
            | [saat|öğlen|öğleyin] yarımda => hour=12 minute=30 half=pm | kahvaltıdan sonra => hour=9 minute=0 half=am
            | [saat] <past2> çeyrek geçe => after=15 spoken=1 | [saat] <past2> after:<number> geçe => spoken=1
            | [saat] hour:<number> <past> çeyrek geçe => after=15 spoken=1
            | [saat] hour:<number> <past> after:<number> geçe => spoken=1
            | (öğlen|öğleyin) [saat] hour:{integer} [<within>] => half=pm | (öğlen|öğleyin) => hour=12 minute=0 half=pm
            | [saat] {clock} <ablative> önce => early=1 spoken=1 | [saat] hour:{integer} <ablative> önce => early=1 spoken=1
            | [saat] {clock} <ablative> sonra => spoken=1 | [saat] hour:{integer} <ablative> sonra => spoken=1
            | [saat] hour:<hourfrom> sonra => spoken=1 | [saat] hour:<hourto> doğru => spoken=1
            | [saat] hour:<spokenhour> (gibi|civarı|civarında|sularında) => spoken=1
            | [saat] hour:<hourfrom> önce => early=1 spoken=1 | yatmadan önce => hour=10 minute=0 half=pm early=1
            | öğlenden önce => hour=12 minute=0 half=pm early=1
            | (öğle yemeğinde|öğle arasında) => hour=12 minute=0 half=pm
            | akşam yemeğinde => hour=7 minute=0 half=pm | kahvaltıda => hour=8 minute=0 half=am
            | gece yarısı => hour=0 minute=0
        ablative = 'den | 'dan | 'ten | 'tan | den | dan | ten | tan
        hourfrom = birden => value=1 | ikiden => value=2 | üçten => value=3 | dörtten => value=4 | beşten => value=5
            | altıdan => value=6 | yediden => value=7 | sekizden => value=8 | dokuzdan => value=9 | ondan => value=10
            | on birden => value=11 | on ikiden => value=12
        spokenhour = <unit> | on => value=10 | on bir => value=11 | on iki => value=12
        # Without “saat” only what is hardly another word: “ona” is to him.
        hourbare = ikide => value=2 | üçte => value=3 | dörtte => value=4 | beşte => value=5 | altıda => value=6
            | yedide => value=7 | sekizde => value=8 | dokuzda => value=9 | on birde => value=11 | on ikide => value=12
        within = 'de | 'da | 'te | 'ta | de | da | te | ta
        towards = hour:<number> <dative> | hour:<hourto>
        dative = 'e | 'a | 'ye | 'ya | e | a | ye | ya
        past = 'i | 'ı | 'u | 'ü | 'yi | 'yı | 'yu | 'yü | i | ı | u | ü | yi | yı | yu | yü
        past2 = hour:<hourpast>
        hourpast = biri => value=1 | ikiyi => value=2 | üçü => value=3 | dördü => value=4 | beşi => value=5 | altıyı => value=6
            | yediyi => value=7 | sekizi => value=8 | dokuzu => value=9 | onu => value=10 | on biri => value=11
            | on ikiyi => value=12
        hourto = bire => value=1 | ikiye => value=2 | üçe => value=3 | dörde => value=4 | beşe => value=5 | altıya => value=6
            | yediye => value=7 | sekize => value=8 | dokuza => value=9 | ona => value=10 | on bire => value=11
            | on ikiye => value=12
        at = 'teki | 'daki | 'deki | 'taki | 'de | 'da | 'te | 'ta | 'e | 'a | 'ye | 'ya | de | da | te | ta | e | a | ye | ya
        hourat = (birde|bire) => value=1 | (ikide|ikiye) => value=2 | (üçte|üçe) => value=3 | (dörtte|dörde) => value=4
            | (beşte|beşe) => value=5 | (altıda|altıya) => value=6 | (yedide|yediye) => value=7 | (sekizde|sekize) => value=8
            | (dokuzda|dokuza) => value=9 | (onda|ona) => value=10 | (on birde|on bire) => value=11
            | (on ikide|on ikiye) => value=12
        part = (sabah|sabahleyin|sabahı|sabah erkenden) => parthour=9 half=am | (öğleden sonra) => parthour=15 half=pm
            | (öğleden önce) => parthour=9 half=am
            | akşama doğru => parthour=18 half=pm | (akşam geç saatte|akşam geç saatlerde|gece geç saatte|geç saatte) => parthour=21 half=pm
            | (akşam|akşamleyin|akşama|akşamı) => parthour=19 half=pm | (gece|gecesi) => parthour=21 half=night
        date = yarından önce => days=1 early=1 | <weekday> (<ablative>|gününden) önce => early=1 | <weekdayfrom> önce => early=1
            | bugün => days=0 | (yarın|yarn|yrın) => days=1 | (öbür gün|ertesi gün|yarın değil öbür gün) => days=2
            | bu akşam => days=0 parthour=19 half=pm
            | [bu] <weekday> [günü] | (gelecek|önümüzdeki|haftaya) <weekday> [günü] => which=next
            | (gelecek hafta|önümüzdeki hafta|haftaya) => next=week | (gelecek|önümüzdeki) ay => next=month | (gelecek|önümüzdeki) yıl => next=year
            | gelecek hafta <weekday> [günü] => which=next
            | (hafta sonu|hafta sonunda|haftasonu) => next=weekend
            | bu (hafta sonu|hafta sonunda|haftasonu) => next=weekend which=this
            | (ay sonu|ay sonunda|ayın sonunda|ayın son günü) => end=month
            | ay başında => next=month | month:<monthof> day:{integer} <poss> | ayın day:<dayin> | ayın day:{integer} <poss> | gelecek ayın day:{integer} <poss> => next=month | <nthday>
            | day:{integer} ('inde|'ında|'unda|'ünde|'sinde|'sında) => cost=1
            | {date} [<at>] | {date} tarihinde | bu gece => days=0 parthour=21 half=night
            | bu sabah => days=0 parthour=9 half=am
            | day:{integer} month:<month> named:<weekdayvalue> [günü]
            | day:{integer} month:<month> [<at>] | day:{integer} month:<monthat>
            | day:{integer} month:<month> year:{integer} [<at>] => cost=-1
            | (yılbaşı|yılbaşında) => month=1 day=1 | month:<monthat>
            | yılbaşı (gecesi|akşamı) => month=12 day=31 parthour=21 half=night cost=-1
        monthof = ocağın => value=1 | şubatın => value=2 | martın => value=3 | nisanın => value=4 | mayısın => value=5
            | haziranın => value=6 | temmuzun => value=7 | ağustosun => value=8 | eylülün => value=9 | ekimin => value=10
            | kasımın => value=11 | aralığın => value=12
        dayin = <dayinunit> | onunda => value=10 | yirmisinde => value=20 | otuzunda => value=30
            | on unit:<dayinunit> => value=10+unit | yirmi unit:<dayinunit> => value=20+unit | otuz birinde => value=31
        dayinunit = birinde => value=1 | ikisinde => value=2 | üçünde => value=3 | dördünde => value=4 | beşinde => value=5
            | altısında => value=6 | yedisinde => value=7 | sekizinde => value=8 | dokuzunda => value=9
        nthday = [bu] ayın <nth> <weekdayof> [günü] => next=this | gelecek ayın <nth> <weekdayof> [günü] => next=month
        nth = ilk => nth=1 | (birinci) => nth=1 | ikinci => nth=2 | üçüncü => nth=3 | dördüncü => nth=4 | son => nth=-1
        weekdayfrom = weekday:<weekdayfromvalue>
        weekdayfromvalue = pazartesiden => value=1 | salıdan => value=2 | çarşambadan => value=3 | perşembeden => value=4
            | cumadan => value=5 | cumartesiden => value=6 | pazardan => value=7
        weekdayof = weekday:<weekdayvalue> | weekday:<weekdayofvalue>
        weekdayofvalue = pazartesisi => value=1 | salısı => value=2 | çarşambası => value=3 | perşembesi => value=4
            | cuması => value=5 | cumartesisi => value=6 | pazarı => value=7
        some = birkaç => value=3
        dayrelative = indays:<some> gün sonra | inweeks:<some> hafta sonra | inmonths:<some> ay sonra
            | indays:<number> gün sonra | inweeks:<number> hafta sonra | inmonths:<number> ay sonra
            | inyears:<number> (yıl|sene) sonra | yarım (yıl|sene) sonra => inmonths=6
        relative = [yaklaşık|tam] <duration> | inminutes:<some> dakika sonra | inhours:<some> saat sonra
        duration = çeyrek saat (sonra|içinde) => inminutes=15 | inminutes:<number> dakikaya | inhours:<number> saate
            | (yarım saate) => inminutes=30 | inhours:{half} saat (sonra|içinde) => inminutes=30
            | inhours:<number> (saat|sa) (içinde|sonra) | inminutes:<number> (dk|dakika) (içinde|sonra)
            | inhours:<number> saat inminutes:<number> dakika sonra | inhours:<number> buçuk saat sonra => inminutes=30
            | yarım saat (sonra|içinde) => inminutes=30
        every = [her] interval:<number> (dakikada bir|dk da bir|dkda bir) => repeat=minute
            | her interval:<number> dakika => repeat=minute | her dakika => repeat=minute interval=1
            | [her] yarım saatte bir => repeat=minute interval=30 | her yarım (saat|saatte) => repeat=minute interval=30
            | [her] çeyrek saatte bir => repeat=minute interval=15
            | [her] bir buçuk saatte bir => repeat=minute interval=90
            | [her] interval:<number> saatte bir => repeat=hour | saatte bir => repeat=hour
            | her interval:<number> (saat|saatte) => repeat=hour | her interval:<number> günde bir => repeat=day
            | her interval:<number> haftada bir => repeat=week | her interval:<number> ayda bir => repeat=month
            | her ayın son (günü|gününde) => repeat=month end=month | her ay sonu => repeat=month end=month
            | her ay sonunda => repeat=month end=month
            | (pazartesiden cumaya [kadar]) => repeat=workday
            | (her gün) => repeat=day | (her hafta) => repeat=week | (her ay) => repeat=month | (her yıl) => repeat=year
            | (her saat) => repeat=hour | her sabah => repeat=day parthour=9 half=am
            | (her akşam|akşamları) => repeat=day parthour=19 half=pm | sabahları => repeat=day parthour=9 half=am
            | (her öğlen|öğlenleri) => repeat=day parthour=12 half=pm
            | geceleri => repeat=day parthour=21 half=night | gün aşırı => repeat=day interval=2
            | [her] <weekday> akşamları => repeat=week parthour=19 half=pm
            | [her] <weekday> sabahları => repeat=week parthour=9 half=am
            | günde bir [kez|kere|defa] => repeat=day | haftada bir [kez|kere|defa] => repeat=week
            | ayda bir [kez|kere|defa] => repeat=month | yılda bir [kez|kere|defa] => repeat=year
            | her hafta <weekday> [günü] => repeat=week | her ay ayın day:{integer} <poss> => repeat=month
            | <weekday> weekday2:<weekdayvalue> ve weekday3:<weekdayvalue> günleri => repeat=week
            | (her gece) => repeat=day parthour=21 half=night
            | <weekday> günleri => repeat=week | weekday:<weekdaysvalue> [[ve] weekday2:<weekdaysvalue> [[ve] weekday3:<weekdaysvalue>]] => repeat=week
            | <weekday> ve weekday2:<weekdayvalue> günleri => repeat=week
            | her yıl day:{integer} month:<monthat> => repeat=year
            | her <weekday> [günü] [[ve] weekday2:<weekdayvalue> [günü]] => repeat=week
            | her <weekday> weekday2:<weekdayvalue> ve weekday3:<weekdayvalue> [günleri] => repeat=week
            | (iki haftada bir|her iki haftada bir) [<weekday> [günü]] => repeat=week interval=2
            | interval:<number> günde bir => repeat=day | interval:<number> haftada bir => repeat=week
            | interval:<number> ayda bir => repeat=month
            | her ayın day:<dayin> => repeat=month | her ayın day:{integer} <poss> => repeat=month | her ayın <nth> <weekdayof> [günü] => repeat=month
            | her yıl day:{integer} month:<month> [<at>] => repeat=year | hafta sonları => repeat=weekend
            | hafta içi [her gün] => repeat=workday
        weekdaysvalue = pazartesileri => value=1 | salıları => value=2 | çarşambaları => value=3 | perşembeleri => value=4
            | cumaları => value=5 | cumartesileri => value=6 | pazarları => value=7
        weekday = weekday:<weekdayvalue>
        weekdayvalue = pazartesi => value=1 | salı => value=2 | çarşamba => value=3 | perşembe => value=4 | cuma => value=5
            | cumartesi => value=6 | pazar => value=7
        month = ocak => value=1 | şubat => value=2 | mart => value=3 | nisan => value=4 | mayıs => value=5 | haziran => value=6
            | temmuz => value=7 | ağustos => value=8 | eylül => value=9 | ekim => value=10 | kasım => value=11
            | aralık => value=12
        monthat = ocakta => value=1 | şubatta => value=2 | martta => value=3 | nisanda => value=4 | mayısta => value=5
            | haziranda => value=6 | temmuzda => value=7 | ağustosta => value=8 | eylülde => value=9 | ekimde => value=10
            | kasımda => value=11 | aralıkta => value=12
        number = {integer} | <unit> | on => value=10 | <tens> | tens:<alltens> unit:<unit> => value=tens+unit
        alltens = on => value=10 | <tens>
        tens = yirmi => value=20 | otuz => value=30 | kırk => value=40 | elli => value=50 | altmış => value=60
            | doksan => value=90
        unit = bir => value=1 | iki => value=2 | üç => value=3 | dört => value=4 | beş => value=5
            | altı => value=6
            | yedi => value=7 | sekiz => value=8 | dokuz => value=9

        part = (öğlene doğru|öğleye doğru) => parthour=11 half=am | (ikindi|ikindi vakti|ikindi üzeri) => parthour=16 half=pm
            | (akşamüstü|akşam üstü|akşamüzeri|akşam üzeri) => parthour=17 half=pm
        date = haftaya bugün => days=7
        dayrelative = yarın (bu|aynı) saatte => indays=1
        every = günaşırı => repeat=day interval=2
        """#
}
