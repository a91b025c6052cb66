extension GrammarText {
    /// German: the sentences of docs/requests.md.
    package static let german = #"""
        language de
        clock 24
        apostrophe keep
        example erinnere mich morgen um 18 Uhr daran, Milch zu kaufen
        example erinnere mich hieran, wenn ich nach Hause komme
        example Wegbeschreibung zu Yank Sing
        example ruf hier an
        example schreib Anna, dass ich später komme
        example spiele Jazz
        example öffne Mail
        example suche nach Knödeln

        spell erinnere erinnerung montag dienstag mittwoch donnerstag freitag samstag sonntag übermorgen januar februar september
        spell oktober november dezember minuten stunden navigiere wegbeschreibung nachricht schreibe

        request = [<polite>] <wish> [bitte]
        polite = bitte | (hey|hallo|ok|okay|so) [baton] [bitte] | (kannst|könntest|würdest) du [bitte] [mal] => asked=1
        wish = <remind> | <directions> | <call> | <video> | <message> | <media> | <open> | <search> | <show> | <volume>
            | <refused>

        remind = <remindme> <subject> [<when>] => action=remind | <remindme> <when> <subject> => action=remind
            | <when> <remindme> <subject> => action=remind | <remindme> <when> => action=remind
            | <remindme> (<subject> <whens>|<whens> <subject>) => action=several cost=5
            | <whens> <remindme> <subject> => action=several cost=5
            | mich [bitte] <when> <subject> erinnern => action=remind
            | mich [bitte] <subject> [<when>] erinnern => action=remind
            | mich [bitte] [<when>] (daran|dran) erinnern [dass ich] [<when>] subject:{text} => action=remind
            | <remindme> (daran|dran) <when> subject:{text} => action=remind
            | <remindme> (an|zu|am|zum) <movable> [{text}] => action=movable cost=-60
            | <remindme> (daran|dran) dass ich <when> subject:{text} => action=remind cost=-5
            | <remindme> <date> [<part>] <subject> <hour> => action=remind
            | <remindme> <atspot> <subject> => action=remind trigger=arrive
            | <atspot> <remindme> <subject> => action=remind trigger=arrive
            | <remindme> vor hour:<number> <subject> => action=remind early=1
            | <remindme> <athome> subject:{text} => action=remind trigger=arrive cost=25
            | <remindme> <when> subject:{text} => action=remind cost=20
            | <remindme> subject:{text} <when> => action=remind cost=20
            | <remindme> subject:{text} => action=remind cost=150
            | <memo> [für] <when> subject:{text} => action=remind | <memo> subject:{text} [<when>] => action=remind cost=100
            | <memo> subject:{text} <when> => action=remind
            | (stell|stelle|setz|setze) [mir] [einen|den] subject:<alarm> [(auf|für)] <when> => action=remind
            | subject:<alarm> [(auf|für)] <when> => action=remind
            | [(stell|stelle|setz|setze)] [mir] [einen|den] subject:<alarm> (auf|für) <clock> => action=remind
            | (stell|stelle|setz|setze|starte) [mir] [einen|den] subject:<timer> [(auf|für|über)] <timerfor> => action=remind
            | subject:<timer> [(auf|für)] <timerfor> => action=remind | subject:<wake> <when> => action=remind usually=am
        # Only in front: behind what is to be done it may as well be a part of it.
        atspot = <athome> | (im|in|beim|bei|am|auf) where:<knownplace> | (im|beim|am) where:<spotname>
            | (in|an|auf|bei) der where:<spotder>
        athome = (zu hause|zuhause|daheim) => where=home
            | (bei der arbeit|auf der arbeit|in der arbeit|auf arbeit|im büro) => where=work
        knownplace = value:{place}
        spotname = fitnessstudio | gym | studio | supermarkt | laden | markt | bäcker | metzger | baumarkt | arzt | zahnarzt
            | friseur
            | bahnhof | flughafen | kindergarten | krankenhaus | park | hotel | schwimmbad | kino | restaurant | café
        spotany = value:<spotname> | value:<spotder>
        spotder = schule | apotheke | bank | post | bibliothek | uni | universität | kita | tankstelle | bushaltestelle
            | haltestelle
            | bäckerei | drogerie | werkstatt | kirche
        wake = (weck|wecke) mich
        memo = (erinnerung|neue erinnerung|(stell|stelle|erstelle|mach) eine erinnerung|vergiss nicht|nicht vergessen) [an]
        alarm = wecker | alarm
        timer = timer | eieruhr
        timerfor = inminutes:<number> (minuten|minute|min) | inhours:<number> (stunden|stunde|h|std)
            | inseconds:<number> (sekunden|sek)
        # Without another time: what is reminded of stands behind “an”.
        untimed = {text} (an|ans|daran|dran) {single} | <weekday> {single}
        # As in English.
        rest = (<times>|{number} mal) (am|im|in|pro|täglich|wöchentlich|die) | (bis|von|ab|zwischen) {single} | außer {single}
            | <smallhalf> {single}
            | (um|gegen|ab|vor|nach|bis) {number} | (wenn|sobald|falls|bevor|jeden|jede|jedes|alle) {single}
            | in (ein|einem|einer|{number}|<number>) {single} | (später|bald|irgendwann) {single} | am {single}
            | (letzten|letzte) {single} | nicht {single} | <day> [<hour>] (an|ans|daran) {single}
            | (vor|nach|während) (der|dem|den|einem|einer) {single}
        tail = <relative> | <dayrelative> | am <weekday>
        amid = <day> [<part>] <hour> | übermorgen
        # Days of the church's year, and others without a fixed date.
        movable = ostern | ostersonntag | ostermontag | karfreitag | pfingsten | pfingstsonntag | pfingstmontag
            | himmelfahrt | fronleichnam | muttertag | rosenmontag | aschermittwoch
            | (ersten|zweiten|dritten|vierten) advent
        times = einmal | zweimal | dreimal | viermal | fünfmal
        # “Um fünf vor halb neun” is not at five.
        smallhalf = (vor|nach) (halb|viertel|dreiviertel)
        whens = <when> [<when>] und <when>
        remindme = (erinnere|erinner) mich [bitte]
        subject = subject:<this> | [(daran|dran)] (an|ans) subject:{text} | (daran|dran) [dass] subject:{text}
        this = (hieran|daran|an dies|an das|an diese seite|an das hier|an diesen ort) => value=this

        directions = (fahr|fahre) mich [zu|zum|zur|nach] place:<place> => action=directions
            | (wegbeschreibung|route|weg|navigation) [zu|zum|zur|nach] place:<place> => action=directions
            | (zeig|zeige) mir den weg [zu|zum|zur|nach] place:<place> => action=directions
            | (bring|bringe|führ|führe) mich [zu|zum|zur|nach] place:<place> => action=directions
            | navigiere [mich] [zu|zum|zur|nach] place:<place> => action=directions
            | wie (komme|komm) ich [am besten] [von hier] [zu|zum|zur|nach] place:<place> => action=directions
            | (wegbeschreibung|navigiere) => action=directions place=here
            | [ich will|ich möchte|fahr|fahre] nach hause => action=directions place=home
        place = <hereword> => value=here | (hause|nach hause|zuhause|heim) => value=home
            | (arbeit|zur arbeit|büro) => value=work
            | value:{place} | value:{text}
        hereword = hier | hierher | hierhin | dahin | dorthin | (diesem|diesen|dieses) (ort|restaurant|lokal|geschäft|hotel)

        call = (ruf|rufe) [bitte|mal|bitte mal] [bei] party:<party> [bitte] an => action=call
            | party:<party> anrufen => action=call
            | telefoniere mit party:<party> => action=call
        party = (hier|dort|da|diesen ort|dieses restaurant|diese nummer) => value=here | (sie|ihn|ihr|ihm) => value=them
            | value:{person} => cost=-1 | value:{place} | [die|den|das|der] value:{name}

        # A call with a picture.
        video = (videoanruf|video anruf|videocall|videotelefonat|videochat) [mit|an|zu] party:<party> => action=video
            | facetime [mit] party:<party> => action=video
            | (videoanruf|videochat|facetime) mit party:<party> (starten|beginnen) => action=video
            | (starte|beginne|mach|mache) [einen|ein] (videoanruf|videochat|facetime
            |videotelefonat) mit party:<party> => action=video
            | (ruf|rufe) party:<party> (per|mit|über) (video|facetime) an => action=video
            | party:<party> (per|mit|über) (video|facetime) anrufen => action=video
            | party:<party> video anrufen => action=video

        message = (schreib|schreibe|schick|schicke|sende) party:<addressee> (eine|ne|eine kurze) (nachricht|sms|whatsapp
            |mail|e-mail) [[dass] text:{text}] => action=message cost=-5
            | (schreib|schreibe|sag|sage) party:<addressee> [dass] text:{text} => action=message
            | (schreib|schreibe) party:<addressee> => action=message
            | (schreib|schreibe) an party:<addressee> [dass] text:{text} => action=message cost=-5
            | party:<addressee> (sagen|schreiben|mitteilen|ausrichten|bescheid sagen
            |bescheid geben) dass text:{text} => action=message
            | (sende|schick|schicke) party:<addressee> eine nachricht [[dass] text:{text}] => action=message
            | [(sende|schick|schicke|schreib
            |schreibe)] [eine] nachricht an party:<addressee> [[dass] text:{text}] => action=message
            | (sag|sage|gib) party:<addressee> bescheid [dass] text:{text} => action=message
        addressee = (ihnen|ihm|ihr) => value=them | value:{person} | value:{single} => cost=5

        media = (spiel|spiele) [mir] [etwas|das lied|den song] media:{text} [ab|vor] => action=play
            | (spiel|spiele|mach|mache) [die|etwas] musik [(an|weiter|ab)] => action=play
            | (stopp|stoppe|pausiere|mach|mache|halt|halte) [die] musik [(aus|an)] => action=pause cost=1
            | (mach|mache) [die] musik aus => action=pause | (nächster|nächsten|nächstes) (song|titel|lied|stück) => action=next
            | (spiel|spiele|weiter|spiel weiter|spiele weiter|musik an) => action=play
            | (pause|pausiere|halt an|stopp|musik aus) => action=pause
            | (überspring|überspringe) [das|dieses|den|diesen] [lied|song|titel|stück] => action=next
            | (nächstes lied|nächster titel|nächstes|überspringen|spiele das nächste lied) => action=next
            | (voriges lied|vorheriges lied|letztes lied|letzter titel|voriger titel|zurück) => action=previous

        open = (mach|mache) [die|das] [app] app:{app} auf => action=open
            | (öffne|starte) [die|das] [app] app:<app> [app] => action=open
            | app:{app} (öffnen|starten) => action=open
        app = value:{app} | value:{name}
        search = (suche|such) im internet nach text:{text} => action=search
            | (suche|such|finde) [nach] text:{text} => action=search

        refused = (überweis|überweise|zahl|zahle|bezahl|bezahle) {text} => action=payment
            | (sende|schick|schicke|gib) {text} (euro|eur|€|dollar|franken|chf|pfund) [{text}] => action=payment cost=-10
            | (bestell|bestelle|ruf|rufe|buch|buche|hol|hole) [mir|uns] (ein|einen|eine) (taxi|uber|fahrdienst
            |mitfahrgelegenheit) [{text}] => action=ride cost=-20
            | (lösch|lösche|verschieb|verschiebe|änder|ändere|streich|streiche|erledige|verleg|verlege) [{text}] (erinnerung
            |erinnerungen|wecker|timer|alarm) [{text}] => action=change
            | (stell|stelle|mach|mache|schalt|schalte) (den|die|alle|meinen) (wecker|timer|alarm) (aus|ab) => action=change
            | (schlummern|schlummer|snooze|später erinnern) => action=change | erledigt {text} => action=change
            | hak [{text}] ab => action=change | hake {text} ab => action=change

        # What is only said
        show = (was läuft|was läuft gerade|was läuft jetzt|was spielt|was spielt gerade|was wird gespielt|was höre ich
            |was höre ich gerade) => action=playing
            | (welches lied|welcher song|welcher titel|welche musik) (ist das|läuft|läuft gerade|spielt
            |spielt gerade) => action=playing
            | was ist das für (ein|eine) (lied|song|titel|musik) => action=playing
            | (wie heißt|was ist) (das|dieses|dieser|der) (lied|song|titel|stück) => action=playing
            | <showme> <reminders> => action=reminders | [meine] erinnerungen => action=reminders
            | <showme> <reminders> (für heute|von heute|heute) => action=remindersToday
            | <showme> heute <reminders> => action=remindersToday
            | [meine] erinnerungen (für heute|von heute|heute) => action=remindersToday
            | (was steht heute an|was habe ich heute vor|was muss ich heute tun|was habe ich heute zu tun
            |was muss ich heute machen) => action=remindersToday
            | welche erinnerungen (habe ich|gibt es) => action=reminders
            | welche erinnerungen (habe ich|gibt es) [für] (<day>|diese woche) => action=reminders cost=1
            | <showme> <reminders> [für] (<day>|diese woche) => action=reminders cost=2
            | welche erinnerungen (habe ich|gibt es) heute => action=remindersToday
            | (was sind|wie lauten) meine erinnerungen [für heute] => action=reminders cost=1
            | (was sind|wie lauten) meine erinnerungen für heute => action=remindersToday
        showme = (zeig|zeige|lies|nenn|nenne|liste) [mir] [mal]
        reminders = [alle] [meine|die] erinnerungen [an|auf|vor]

        # Not understood, and it says why.
        volume = (lauter|leiser|stumm|ton aus|ton an) => action=volume
            | (mach|mache|dreh|stell|stelle) [es|das|die musik|den ton] (lauter|leiser) => action=volume
            | (dreh|drehe) [es|das|die musik|den ton] (auf|ab|hoch|runter) => action=volume
            | [(mach|mache|dreh|drehe|stell|stelle)] [die] lautstärke (hoch|runter|höher|niedriger|lauter
            |leiser) => action=volume
            | (erhöhe|senke|verringere) die lautstärke => action=volume
            | (mach|mache|stell|stelle) [den ton|das|die musik] (stumm|leise|laut) => action=volume
            | (stell|stelle|setz|setze) die lautstärke auf {text} => action=volume

        when = <time> | <trigger>
        trigger = (wenn|sobald) ich <event> | nach der arbeit => trigger=leave where=work
            | beim verlassen (der arbeit|des büros) => trigger=leave where=work
            | beim verlassen (des hauses|der wohnung) => trigger=leave where=home
            | beim verlassen [von] where:<where> => trigger=leave
        event = where:<where> (ankomme|bin|eintreffe|komme) => trigger=arrive
            | (nach hause|heim) komme => trigger=arrive where=home
            | (losfahre|losgehe|gehe|aufbreche) => trigger=leave where=here
            | (im|in meinem) device:<vehicle> (bin|sitze) => trigger=connect cost=-1
            | (ins|in mein) device:<vehicle> (steige|einsteige) => trigger=connect cost=-1
            | (im|in der|beim|bei der|am|an der|auf der) where:<spotany> (bin|ankomme) => trigger=arrive cost=-11
            | where:<where> (verlasse|gehe|weggehe|losgehe) => trigger=leave
            | (mich mit) [meinem|meiner|dem|der] device:<device> verbinde => trigger=connect
            | [meinen|meine|mein|den|die|das] device:<device> (verbinde|anschließe|aufsetze) => trigger=connect
            | [meinen|meine|mein|den|die|das] device:<device> (trenne|absetze) => trigger=disconnect
            | [die|das] [app] app:<app> (öffne|starte) => trigger=open
            | who:<someone> [das nächste mal] (schreibe) => trigger=messaged
            | who:<someone> [das nächste mal] anrufe => trigger=called
            | [das nächste mal] mit who:<someone> (spreche|rede) => trigger=contacted
        where = (zu hause|zuhause|daheim|das haus|von zu hause) => value=home
            | (in der arbeit|bei der arbeit|auf der arbeit|im büro|ins büro|das büro|die arbeit|zur arbeit) => value=work
            | (hier|da) => value=here | [in|im|bei|beim|am] value:{place} | [in|im|bei|beim|am] value:{name}
        device = value:{device} | value:{name}
        vehicle = (auto|wagen) => value=car
        someone = (ihnen|ihm|ihr|sie|ihn) => value=them | value:{person} | value:{given} | value:{name}

        time = <date> [<part>] [<hour>] | <date> <hour> <part> | <hour> [<part>] [<date>] [<part>] | <part> [<hour>]
            | <relative>
            | <dayrelative> [<hour>] | <every> [<part>] [<hour>]
        hour = (um|gegen|bis|ab) <clock> [<inzone>] | um {hhmm} [uhr] => cost=-1
            | vor <untilclock> [<inzone>] => early=1 | vor (mittag|dem mittag) => hour=12 minute=0 half=pm early=1
            | vor dem (mittagessen|essen) => hour=12 minute=0 half=pm early=1
            | vor dem abendessen => hour=7 minute=0 half=pm early=1
            | (vor dem schlafengehen|vorm schlafengehen|vor dem schlafen|vorm schlafen) => hour=10 minute=0 half=pm early=1
            | hour:<number> uhr [minute:<number>] [<inzone>] | {clock} uhr [<inzone>] | <fixed>
        inzone = zone:{zone} [zeit] | zone:{city} zeit
        # “Vor 5 Minuten” is no time of day.
        untilclock = {clock} [uhr] | hour:<number> uhr [minute:<number>] | halb hour:<number> => before=30
        clock = {clock} [uhr] | hour:{integer} h | viertel hour:<number> => before=45 spoken=1
            | drei viertel hour:<number> => before=15 spoken=1
            | hour:<number> [uhr] [minute:<number>] | halb hour:<number> => before=30 spoken=1
            | five:<number> vor halb hour:<number> => before=five+30 spoken=1
            | after:<number> nach halb hour:<number> => before=30 spoken=1
            | viertel nach hour:<number> => after=15 spoken=1
            | (viertel vor|dreiviertel) hour:<number> => before=15 spoken=1
            | after:<number> nach hour:<number> => spoken=1 | before:<number> vor hour:<number> => spoken=1
        fixed = (mittags|zu mittag) => hour=12 minute=0 half=pm | (um mitternacht|mitternacht) => hour=0 minute=0
        part = (mittag|am mittag) => parthour=12 half=pm | (früh|morgens|vormittag|vormittags|am morgen) => parthour=9 half=am
            | (nachmittag|nachmittags|am nachmittag) => parthour=15 half=pm
            | (abend|abends|am abend) => parthour=19 half=pm | (nachts|nacht|in der nacht) => parthour=21 half=night
        date = (bis|bis zum|bis zu) <day> | vor <day> => early=1 | <day> | <nthday>
        nthday = [am] <nth> <weekday> (im|des) monat => next=this | [am] <nth> <weekday> (im|des) monats => next=this
            | [am] <nth> <weekday> (im|des) nächsten (monat|monats) => next=month | [am] <nth> <weekday> im month:<month>
        nth = ersten => nth=1 | zweiten => nth=2 | dritten => nth=3 | vierten => nth=4 | letzten => nth=-1
        ordinal = {integer} | ersten => value=1 | zweiten => value=2 | dritten => value=3 | vierten => value=4
            | fünften => value=5
            | sechsten => value=6 | siebten => value=7 | achten => value=8 | neunten => value=9 | zehnten => value=10
        day = heute nacht => days=0 parthour=21 half=night | [am] <weekdaypart> | diesen <weekdaypart>
            | heute in (einer woche|acht tagen|8 tagen) => days=7 | morgen in (einer woche|acht tagen) => days=8
            | heute in (zwei wochen|vierzehn tagen|14 tagen) => days=14 | [am] <weekday> in acht tagen => which=after
            | zum day:<ordinal>
            | heute früh => days=0 parthour=9 half=am
            | (übernächsten|am übernächsten) <weekday> => which=afternext
            | (zum|am) monatsende => end=month | monatsende => end=month | zum wochenende => next=weekend
            | zum jahresende => end=year
            | (heute|heut) => days=0 | morgen => days=1 | übermorgen => days=2 | [am] <weekday> | am <weekdayshort>
            | am day:<ordinal> | am day:<ordinal> des nächsten monats => next=month
            | [am] <weekday> in einer woche => which=after | [am] named:<weekdayvalue> [dem|den|der] <calendardate>
            | (an|zu) <holiday>
            | (diesen|am kommenden|kommenden) <weekday> => which=this | (nächsten|am nächsten) <weekday> => which=next
            | nächste woche => next=week | nächsten monat => next=month | nächstes jahr => next=year
            | am wochenende => next=weekend | im month:<month> | [am] <calendardate> | [am] ende des monats => end=month
            | [am] ende der woche => end=week | [am] ende des jahres => end=year | <holiday>
        weekdayshort = weekday:<weekdayshortvalue>
        weekdayshortvalue = mo => value=1 | di => value=2 | mi => value=3 | do => value=4 | fr => value=5 | sa => value=6
            | so => value=7
        calendardate = {date} | day:{integer} month:<month> [year:{integer}]
        holiday = (an heiligabend|heiligabend) => month=12 day=24 | (an weihnachten|weihnachten) => month=12 day=25
            | (an silvester|silvester) => month=12 day=31 | (an neujahr|neujahr) => month=1 day=1
            | am tag der arbeit => month=5 day=1 | am tag der deutschen einheit => month=10 day=3
        relative = in <duration>
        duration = einer stunde [und] inminutes:<number> (minuten|min) => inhours=1
            | inhours:<number> (stunden|std|h) [und] inminutes:<number> (minuten|min)
            | (zweieinhalb|zwei einhalb) stunden => inhours=2 inminutes=30
            | dreieinhalb stunden => inhours=3 inminutes=30 | viereinhalb stunden => inhours=4 inminutes=30
            | (einer dreiviertelstunde|einer dreiviertel stunde|dreiviertelstunde) => inminutes=45
            | inminutes:<number> min | inhours:<number> (h|std) | inhours:<number> stunde
            | inhours:{half} stunden => inminutes=30
            | einer minute => inminutes=1 | inminutes:<number> minuten | einer viertelstunde => inminutes=15
            | (einer halben stunde) => inminutes=30 | (einer stunde) => inhours=1 | inhours:<number> stunden
            | (anderthalb|eineinhalb) stunden => inhours=1 inminutes=30
        dayrelative = in einem tag => indays=1 | in indays:<number> tagen | in einer woche => inweeks=1
            | in inweeks:<number> wochen | in einem monat => inmonths=1 | in inmonths:<number> monaten
            | in einem jahr => inyears=1 | in inyears:<number> jahren
        every = alle interval:<number> (minuten|min) => repeat=minute | jede minute => repeat=minute interval=1
            | (jede halbe stunde|alle halbe stunde|alle halben stunden|halbstündlich) => repeat=minute interval=30
            | (jede viertelstunde|alle viertelstunde|alle viertelstunden|jede viertel stunde) => repeat=minute interval=15
            | alle (anderthalb|eineinhalb) stunden => repeat=minute interval=90
            | (jede dreiviertelstunde|alle dreiviertelstunde) => repeat=minute interval=45
            | alle interval:<number> monate => repeat=month | alle interval:<number> jahre => repeat=year
            | [von] (montag|montags|mo) bis (freitag|freitags|fr) => repeat=workday
            | [am] letzten tag (jedes monats|jeden monats|jeden monat) => repeat=month end=month
            | (jeden monat am letzten tag|jedes monatsende|jeden monat am monatsende
            |immer am monatsende) => repeat=month end=month
            | immer (am <weekday>|<weekdays>) => repeat=week
            | (jeden tag|täglich) => repeat=day | (jede woche|wöchentlich) => repeat=week
            | (jeden monat|monatlich) => repeat=month | (jedes jahr|jährlich) => repeat=year
            | (jede stunde|stündlich) => repeat=hour | (werktags|an werktagen) => repeat=workday
            | jeden <weekday> [[und] weekday2:<weekdayvalue>] [und weekday3:<weekdayvalue>] => repeat=week
            | jeden morgen => repeat=day parthour=9 half=am
            | jeden zweiten <weekday> => repeat=week interval=2 | jeden zweiten tag => repeat=day interval=2
            | jede zweite woche => repeat=week interval=2 | <weekdays> [und weekday2:<weekdaysvalue>] => repeat=week
            | jeden werktag => repeat=workday | jedes wochenende => repeat=weekend
            | jedes (quartal|vierteljahr) => repeat=month interval=3
            | (jeden|am) <nth> <weekday> (im|des|jedes|jeden) (monat|monats) => repeat=month cost=1
            | jeden monat am <nth> <weekday> => repeat=month | (jeden monat|monatlich) am day:<ordinal> => repeat=month
            | am day:<ordinal> (jedes monats|jeden monats) => repeat=month
            | (jedes jahr|jährlich) am <calendardate> => repeat=year
            | jedes jahr <holiday> => repeat=year
            | jeden abend => repeat=day parthour=19 half=pm | alle interval:<number> tage => repeat=day
            | alle interval:<number> stunden => repeat=hour | alle interval:<number> wochen => repeat=week
        weekdays = weekday:<weekdaysvalue>
        weekdaysvalue = montags => value=1 | dienstags => value=2 | mittwochs => value=3 | donnerstags => value=4
            | freitags => value=5 | samstags => value=6 | sonntags => value=7
        weekday = weekday:<weekdayvalue>
        weekdayvalue = montag => value=1 | dienstag => value=2 | mittwoch => value=3 | donnerstag => value=4
            | freitag => value=5 | (samstag|sonnabend) => value=6 | sonntag => value=7
        month = (januar|jänner) => value=1 | februar => value=2 | märz => value=3 | april => value=4 | mai => value=5
            | juni => value=6 | juli => value=7 | august => value=8 | september => value=9 | oktober => value=10
            | november => value=11 | dezember => value=12
        number = {integer} | (ein|eins|eine|einer) => value=1 | zwei => value=2 | drei => value=3 | vier => value=4
            | fünf => value=5 | sechs => value=6 | sieben => value=7 | acht => value=8 | neun => value=9 | zehn => value=10
            | elf => value=11 | zwölf => value=12 | fünfzehn => value=15 | zwanzig => value=20 | dreißig => value=30
            | <morenumber>
        morenumber = dreizehn => value=13 | vierzehn => value=14 | sechzehn => value=16 | siebzehn => value=17
            | achtzehn => value=18 | neunzehn => value=19 | einundzwanzig => value=21 | zweiundzwanzig => value=22
            | dreiundzwanzig => value=23 | vierundzwanzig => value=24 | fünfundzwanzig => value=25
            | sechsundzwanzig => value=26 | siebenundzwanzig => value=27 | achtundzwanzig => value=28
            | neunundzwanzig => value=29 | einunddreißig => value=31 | zweiunddreißig => value=32
            | dreiunddreißig => value=33 | vierunddreißig => value=34 | fünfunddreißig => value=35
            | sechsunddreißig => value=36 | siebenunddreißig => value=37 | achtunddreißig => value=38
            | neununddreißig => value=39 | vierzig => value=40 | einundvierzig => value=41 | zweiundvierzig => value=42
            | dreiundvierzig => value=43 | vierundvierzig => value=44 | fünfundvierzig => value=45
            | sechsundvierzig => value=46 | siebenundvierzig => value=47 | achtundvierzig => value=48
            | neunundvierzig => value=49 | fünfzig => value=50 | einundfünfzig => value=51 | zweiundfünfzig => value=52
            | dreiundfünfzig => value=53 | vierundfünfzig => value=54 | fünfundfünfzig => value=55
            | sechsundfünfzig => value=56 | siebenundfünfzig => value=57 | achtundfünfzig => value=58
            | neunundfünfzig => value=59 | sechzig => value=60 | neunzig => value=90
        weekdaypart = montagfrüh => weekday=1 parthour=9 half=am | montagmorgen => weekday=1 parthour=9 half=am
            | montagvormittag => weekday=1 parthour=9 half=am | montagmittag => weekday=1 parthour=12 half=pm
            | montagnachmittag => weekday=1 parthour=15 half=pm | montagabend => weekday=1 parthour=19 half=pm
            | montagnacht => weekday=1 parthour=21 half=night | dienstagfrüh => weekday=2 parthour=9 half=am
            | dienstagmorgen => weekday=2 parthour=9 half=am | dienstagvormittag => weekday=2 parthour=9 half=am
            | dienstagmittag => weekday=2 parthour=12 half=pm | dienstagnachmittag => weekday=2 parthour=15 half=pm
            | dienstagabend => weekday=2 parthour=19 half=pm | dienstagnacht => weekday=2 parthour=21 half=night
            | mittwochfrüh => weekday=3 parthour=9 half=am | mittwochmorgen => weekday=3 parthour=9 half=am
            | mittwochvormittag => weekday=3 parthour=9 half=am | mittwochmittag => weekday=3 parthour=12 half=pm
            | mittwochnachmittag => weekday=3 parthour=15 half=pm | mittwochabend => weekday=3 parthour=19 half=pm
            | mittwochnacht => weekday=3 parthour=21 half=night | donnerstagfrüh => weekday=4 parthour=9 half=am
            | donnerstagmorgen => weekday=4 parthour=9 half=am | donnerstagvormittag => weekday=4 parthour=9 half=am
            | donnerstagmittag => weekday=4 parthour=12 half=pm | donnerstagnachmittag => weekday=4 parthour=15 half=pm
            | donnerstagabend => weekday=4 parthour=19 half=pm | donnerstagnacht => weekday=4 parthour=21 half=night
            | freitagfrüh => weekday=5 parthour=9 half=am | freitagmorgen => weekday=5 parthour=9 half=am
            | freitagvormittag => weekday=5 parthour=9 half=am | freitagmittag => weekday=5 parthour=12 half=pm
            | freitagnachmittag => weekday=5 parthour=15 half=pm | freitagabend => weekday=5 parthour=19 half=pm
            | freitagnacht => weekday=5 parthour=21 half=night | samstagfrüh => weekday=6 parthour=9 half=am
            | samstagmorgen => weekday=6 parthour=9 half=am | samstagvormittag => weekday=6 parthour=9 half=am
            | samstagmittag => weekday=6 parthour=12 half=pm | samstagnachmittag => weekday=6 parthour=15 half=pm
            | samstagabend => weekday=6 parthour=19 half=pm | samstagnacht => weekday=6 parthour=21 half=night
            | sonntagfrüh => weekday=7 parthour=9 half=am | sonntagmorgen => weekday=7 parthour=9 half=am
            | sonntagvormittag => weekday=7 parthour=9 half=am | sonntagmittag => weekday=7 parthour=12 half=pm
            | sonntagnachmittag => weekday=7 parthour=15 half=pm | sonntagabend => weekday=7 parthour=19 half=pm
            | sonntagnacht => weekday=7 parthour=21 half=night
        """#
}
