extension GrammarText {
    /// German: the sentences of docs/requests.md.
    package static let german = germanWishes + "\n" + germanMedia + "\n" + germanTimes

    private static let germanWishes = #"""
        language de
        clock 24
        apostrophe keep
        umlauts ae
        example erinnere mich morgen um 18 Uhr daran, Milch zu kaufen
        example erinnere mich hieran, wenn ich nach Hause komme
        example Wegbeschreibung zu Yank Sing
        example ruf hier an
        example schreib Anna, dass ich später komme
        example spiele Jazz
        example öffne Mail
        example suche nach Knödeln

        spell morgen erinnere erinnerung montag dienstag mittwoch donnerstag freitag samstag sonntag übermorgen januar februar september
        spell oktober november dezember minuten stunden navigiere wegbeschreibung nachricht schreibe
        times woche wochen stunde stunden minute minuten monat monaten jahr jahren nächste nächsten halben abend nachmittag
        times vormittag übermorgen heute montag dienstag mittwoch donnerstag freitag samstag sonntag wochenende januar februar
        times april august september oktober november dezember
        known sorgen borgen worten wache wachen stande standen

        request = [<polite>] <wish> [bitte]
        polite = bitte [mal|mal eben|mal kurz] | (kannst|könntest|würdest|magst) du [bitte] (mal eben|mal kurz|eben mal|eben|kurz|schnell|mal schnell|vielleicht) => asked=1 | (hey|hallo|ok|okay|so|also|ähm|äh|hm|du) [baton] [bitte] | (kannst|könntest|würdest|magst) du [bitte] [mal] => asked=1
        wish = <remind> | <typed> | <directions> | <directions> (über|via) through:{text} => action=means
            | <directions> (um <clock>|(morgen|übermorgen|heute) [<part>] [<hour>]) => action=departure | <call> | <video> | <message> | <email> | <media> | <open> | <search> | <show>
            | <takenback> | <volume> | <refused> | <settings> | <calendar>

        remind = <remindme> <subject> [<when>] => action=remind | <remindme> <when> <subject> => action=remind
            | <when> <remindme> <subject> => action=remind | <remindme> <when> => action=remind
            | <remindme> (<subject> <whens>|<whens> <subject>) => action=several cost=5 | <whens> <remindme> <subject> => action=several cost=5
            | <remindme> (<subject> <within> (bis|ab) <clock>|<within> (bis|ab) <clock> <subject>) => action=several cost=-5
            | <remindme> <when> (an|ans|daran) {text} und <when> (an|ans|daran) {text} => action=several cost=-5
            | mich [bitte|mal|bitte mal] <when> <subject> erinnern => action=remind
            | (ich möchte|ich will) <when> <subject> erinnert werden => action=remind
            | (ich möchte|ich will) <subject> [<when>] erinnert werden => action=remind
            | mich [bitte|mal|bitte mal] <subject> [<when>] erinnern => action=remind
            | [bitte] <when> <subject> erinnern => action=remind | [bitte] <subject> <when> erinnern => action=remind
            | <remindme> <pointed> [<hour>] (an|ans) subject:{text} => action=remind cost=-1
            | <remindme> <pointed> <hour> subject:{text} => action=remind cost=20
            | <remindme> <pointed> <hour> <subject> => action=remind | <remindme> <pointed> [<hour>] => action=remind
            | <remindme> <subject> <pointed> [<hour>] => action=remind cost=1
            | <remindme> subject:{text} <pointed> [<hour>] => action=remind cost=21
            | <pointed> [<hour>] <remindme> <subject> => action=remind
            # As in English.
            | <remindme> in {span} <subject> => action=remind | in {span} <remindme> <subject> => action=remind
            | <remindme> in {span} subject:{text} => action=remind cost=20 | <remindme> in {span} => action=remind
            | [einen] inminutes:<number> (minuten|minute|min) subject:<timer> => action=remind
            | (stell|stelle|setz|setze|starte) [mir] [einen|den] inminutes:<number> (minuten|minute
            |min) subject:<timer> => action=remind
            | mich [bitte|mal|bitte mal] <when> erinnern [dass ich] subject:{text} => action=remind
            | (ich möchte|ich will) <when> [daran] erinnert werden [dass] subject:{text} => action=remind
            | lass mich [<when>] subject:{text} nicht vergessen => action=remind
            | (setz|setze|schreib|schreibe) subject:{text} [<when>] auf (meine|die) (liste|erinnerungsliste|todo liste|einkaufsliste) => action=remind
            | (füg|füge) subject:{text} (zu|zur) [meinen|den] (erinnerungen|erinnerungsliste) hinzu => action=remind
            | erinnere mich => action=unsaid
            # As in English.
            | <remindme> days:<soon> hour:<barehour> subject:{text} => action=remind cost=30
            | <remindme> in {integer} => action=unit cost=-5
            | <remindme> <when> <rather> <when> {text} => action=several cost=-60
            | <remindme> {text} <when> <rather> (<when>|<number> [uhr]) => action=several cost=-60
            | <memo> subject:<tocall> => action=remind
            | (mach|mache|erstell|erstelle) [mir] [einen|den] subject:<alarm> [(auf|für|um)] <when> => action=remind
            | (mach|mache|erstell|erstelle) [mir] [einen|den] subject:<alarm> (auf|für|um) <clock> [<date>] => action=remind
            | (stell|stelle|setz|setze|mach|mache) [mir] [einen|den] subject:<alarm> (für den|für|am) <calendardate> (auf|um) <clock> => action=remind
            | mich [bitte] [<when>] (daran|dran) erinnern [dass ich] [<when>] subject:{text} => action=remind
            | <remindme> (daran|dran) <when> subject:{text} => action=remind
            | <remindme> (an|zu|am|zum) <movable> [{text}] => action=movable cost=-60
            | <remindme> [(daran|dran)] dass ich <when> subject:{text} => action=remind cost=-5
            | <remindme> <subject> {clock} [uhr] => action=remind cost=1 | <remindme> <subject> hour:{integer} h => action=remind
            | <remindme> <subject> <when> (danke|ok|okay) => action=remind
            | <remindme> <when> <subject> (danke|ok|okay) => action=remind
            | <remindme> (an|ans) {text} <when> und (an|ans|daran) {text} => action=several cost=-20
            | <remindme> <date> [<part>] <subject> <hour> => action=remind
            | <remindme> <atspot> <subject> => action=remind trigger=arrive
            | <atspot> <remindme> <subject> => action=remind trigger=arrive
            | <remindme> vor hour:<number> <subject> => action=remind early=1 spoken=1
            | <remindme> <athome> subject:{text} => action=remind trigger=arrive cost=25
            | <remindme> <when> subject:{text} => action=remind cost=20
            | <remindme> subject:{text} <when> => action=remind cost=20
            | <remindme> subject:{text} => action=remind cost=150
            # Seven o'clock, or seven of it?
            | <remindme> hour:<barehour> subject:{text} => action=remind cost=160
            | <remindme> [<this>] (später|bald|irgendwann|nochmal|noch mal) [<this>] => action=vague
            | <memo> [für] <when> subject:{text} => action=remind | <memo> subject:{text} [<when>] => action=remind cost=100
            | <memo> subject:{text} <when> => action=remind
            | (stell|stelle|setz|setze) [mir] [einen|den|meinen] subject:<alarm> [(auf|für)] <when> => action=remind
            | subject:<alarm> [(auf|für)] <when> => action=remind | subject:<alarm> [<every>] [auf|um] <clock> => action=remind
            | [(stell|stelle|setz|setze)] [mir] [einen|den|meinen] subject:<alarm> (auf|für) <clock> <every> => action=remind
            | [(stell|stelle|setz|setze)] [mir] [einen|den|meinen] subject:<alarm> (auf|für) <clock> [<date>] => action=remind
            | [(stell|stelle|setz|setze)] [mir] [einen|den] subject:<alarm> [für] <date> (auf|um) <clock> => action=remind
            | (stell|stelle|setz|setze|starte) [mir] [einen|den|die|eine] subject:<timer> [(auf|für|über)] <timerfor> => action=remind
            | [(stell|stelle|setz|setze|starte) [mir] [einen|den]] timer [(auf|für|über)] <timerfor> für [den|die|das] subject:{text} => action=remind
            | subject:<timer> [(auf|für)] <timerfor> => action=remind | subject:<wake> <when> => action=remind usually=am
        rather = (nein|ne|nee|quatsch|ich meine|doch|warte|ach nein|äh|ähm|äh nein|moment|halt|stopp|sorry|vielmehr|besser gesagt|oder nein|nein warte) [doch] [lieber]
        soon = heute => value=0 | morgen => value=1 | übermorgen => value=2
        barehour = 1 => value=1 | 2 => value=2 | 3 => value=3 | 4 => value=4 | 5 => value=5 | 6 => value=6 | 7 => value=7
            | 8 => value=8 | 9 => value=9 | 10 => value=10 | 11 => value=11 | 12 => value=12
        tocall = [who:{name}] (anrufen|zurückrufen)
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
        memo = (erinnerung|neue erinnerung|(stell|stelle|erstelle|mach|mache) [mir] eine erinnerung|vergiss nicht
            |nicht vergessen) [an]
            | (merk|merke) dir | (notiere|notier) [dir|mir] | notiz
        alarm = (wecker|alarm) => usually=day
        timer = timer | eieruhr
        timerfor = inminutes:<number> (minuten|minute|min) | inhours:<number> (stunden|stunde|h|std)
            | inhours:<number> (stunden|stunde|h|std) [und] inminutes:<number> (minuten|minute|min)
            | (anderthalb|eineinhalb) stunden => inhours=1 inminutes=30
            | (eine halbe stunde|halbe stunde) => inminutes=30 | (eine viertelstunde|viertelstunde) => inminutes=15
            | inseconds:<number> (sekunden|sek)
        # Without another time: what is reminded of stands behind “an”.
        untimed = {text} (an|ans|daran|dran) {single} | <weekday> {single} | <weekdays> {single}
        # As in English.
        rest = (minuten|minute|min|sekunden|sek) {single} | (stunden|stunde|tage|wochen) (vorher|davor|früher|an|daran) | <often> | (<times>|{number} mal) (am|im|in|pro|täglich|wöchentlich|die) | {integer} (an|ans|daran) {single}
            | (am|im|in der) <part> {single} | in der früh {single} | <weekdays> (an|ans|daran|um) {single}
            | (bis|von|ab|zwischen) {single} | außer {single}
            | <smallhalf> {single} | <weekday> [und|oder] <weekday> | (mitte|anfang|ende) <month>
            | <number> (minuten|minute|min|stunden|stunde|tage|tag|wochen|woche) (vorher|davor|früher)
            | (um|gegen|ab|vor|nach|bis) {number} | (wenn|sobald|falls|bevor|jeden|jede|jedes|alle) {single}
            | in (ein|einem|einer|{number}|<number>) {single} | (später|bald|irgendwann) {single} | am {single}
            | (letzten|letzte) {single} | nicht {single} | <day> [<hour>] (an|ans|daran) {single}
            | (<number>|eine|einer|einen) (stunde|stunden|minuten|tag|tage|woche|wochen) (vor|nach) {single}
            | (vor|nach|während) (der|dem|den|einem|einer) {single}
        tail = <typedtail> | (vor|ab|bis) {number} | (am|zum|an|zu) (<movable>|nikolaus|nikolaustag|vatertag|valentinstag)
            | (nach|vor) (der|dem) (schule|training|arbeit|sport|uni|kurs|unterricht|termin|meeting|essen|spiel|film|treffen|vorlesung|kita
            |kindergarten|kirche) | wenns {text} | beim (einkaufen|kochen|putzen|joggen|laufen|essen|arbeiten) | unterwegs | sofort | jetzt
            | in (na|nem|ner|n) {single} | <relative> | in {clock} | <dayrelative> | am <weekday> | in {number} (werktagen|arbeitstagen) | <often>
            | nachher | später | demnächst | irgendwann | gleich | bald | in kürze | in <number> | in {single} (minuten|stunden|tagen|wochen)
            | <weekday> <weekday> | nach {number} | kurz (vor|nach) <number> | (um|gegen) {number} (oder|und) {number}
            | (diese|in dieser) woche | [im] (anfang|mitte|ende) <month> | im (frühling|frühjahr|sommer|herbst|winter) | (an|zu) <movable>
            | (an|zu) {single} geburtstag | (von|zwischen) {number} (bis|und) {number} [uhr]
            | (wenn|sobald|falls) (ich|mein|meine|es|er|sie) {text}
            | (bevor|ehe) ich {text} | (wenn|sobald|falls) {single} (anruft|schreibt|kommt|ankommt|antwortet|zurückruft) | nach dem essen
            | (<number>|eine|einer|einen) (stunde|stunden|minuten|tag|tage|woche|wochen) (vor|nach) {text}
        amid = <day> [<part>] <hour> | übermorgen | morgen | heute | am <weekday> | um {clock} [uhr] | um <number> uhr
            | jeden (tag|morgen|mittag|nachmittag|abend|<weekday>)
        # Beside another time, in front of it.
        beside = heute | morgen | übermorgen | am <weekday> | um <clock>
        often = (<times>|{number} mal|mehrmals) (am|pro|im|in der|die|jeden|jede) (tag|woche|monat|jahr|stunde)
            | (<times>|{number} mal|mehrmals) (täglich|wöchentlich|monatlich|jährlich)
        # Days of the church's year, and others without a fixed date.
        movable = ostern | ostersonntag | ostermontag | karfreitag | pfingsten | pfingstsonntag | pfingstmontag
            | himmelfahrt | fronleichnam | muttertag | rosenmontag | aschermittwoch
            | (ersten|zweiten|dritten|vierten) advent
        times = einmal | zweimal | dreimal | viermal | fünfmal
        # “Um fünf vor halb neun” is not at five.
        smallhalf = (vor|nach) (halb|viertel|dreiviertel)
        whens = <when> [<when>] und <when>
        remindme = (erinnere|erinner) mich [bitte|mal|bitte mal|ma|doch|doch mal|doch bitte|eben|mal eben|doch mal eben|mal bitte]
        subject = subject:<this> | [(daran|dran)] (an|ans) subject:{text} | (daran|dran) [dass] subject:{text}
        this = (hieran|daran|dran|an dies|an das|an diese seite|an das hier|an diesen ort) => value=this

        prep = zu | zum | zur | nach | ins | in die | in den | in das
        directions = (fahr|fahre) mich [<prep>] place:<place> => action=directions
            | (wegbeschreibung|route|weg|navigation) [<prep>] place:<place> => action=directions
            | (zeig|zeige) mir den weg [<prep>] place:<place> => action=directions
            | (bring|bringe|führ|führe) mich [<prep>] place:<place> => action=directions
            | navigiere [mich] [<prep>] place:<place> => action=directions
            | wie (komme|komm) ich [am besten|am schnellsten] [von hier] [<prep>] place:<place> => action=directions
            | (wegbeschreibung|navigiere) => action=directions place=here
            | (wegbeschreibung|route|weg) von {text} (nach|zu|zum|zur) {text} => action=elsewhere cost=-5
            | [ich will|ich möchte|fahr|fahre] nach hause => action=directions place=home
        place = <hereword> => value=here | (hause|nach hause|zuhause|heim) => value=home
            | (arbeit|zur arbeit|büro) => value=work
            | value:{place} | value:{text}
        hereword = hier | hierher | hierhin | dahin | dorthin | (diesem|diesen|dieses) (ort|restaurant|lokal|geschäft|hotel)

        call = (ruf|rufe) [bitte|mal|bitte mal|mal bitte|jetzt] [bei] party:<party> [bitte|mal|jetzt|sofort|bitte sofort|bitte jetzt] an => action=call
            | [bei] party:<party> [jetzt|sofort|bitte] anrufen => action=call
            | (ruf|rufe) [bitte|mal] party:<party> [bitte|jetzt|sofort] zurück => action=call
            # The one who called last, where an app says who that is.
            | (ruf|rufe) [bitte|mal] [sie|ihn|ihm|ihr] [bitte|mal] zurück => action=call party=back cost=-6
            | [sie|ihn] zurückrufen => action=call party=back cost=-6
            | (ruf|rufe) [bitte|mal] {person} (und|oder) {person} an => action=onecall cost=-1
            # A call is made at once, and to the number that the card has first.
            | (ruf|rufe) [bitte|mal] (party:<party> <when>|<when> party:<party>) an => action=atonce
            | (party:<party> <when>|<when> party:<party>) anrufen => action=atonce
            | (ruf|rufe) [bitte|mal] (party:<party> in {span}|in {span} party:<party>) an => action=atonce cost=-5
            | (ruf|rufe) [bitte|mal] party:<party> (auf|unter) (dem|der|seinem|seiner|ihrem|ihrer) (handy|festnetz|mobiltelefon|arbeit
            |nummer|handynummer) an => action=number cost=-5
            | (ruf|rufe) [bitte|mal] party:<party> (über|per|mit|auf) <messengers> an => action=channel
            | (ruf|rufe) [bitte|mal] (nicht {text}|{text} nicht) an => action=negated cost=-5
            | (telefoniere|telefonier) mit party:<party> => action=call | (wähl|wähle) party:<party> => action=call
        party = (hier|dort|da|diesen ort|dieses restaurant|diese nummer) => value=here | (sie|ihn|ihr|ihm) => value=them
            | [meine|meinen|mein] value:{person} => cost=-1 | value:{place} | [die|den|das|der] value:{name}
            | (meine|meinen|mein) value:{name}

        # A call with a picture.
        video = (videoanruf|video anruf|videocall|videotelefonat|videochat) [mit|an|zu] party:<party> => action=video
            | facetime [mit] party:<party> => action=video
            | (videoanruf|videochat|facetime) mit party:<party> (starten|beginnen) => action=video
            | (starte|beginne|mach|mache) [einen|ein] (videoanruf|videochat|facetime
            |videotelefonat) mit party:<party> => action=video
            | (ruf|rufe) party:<party> (per|mit|über) (video|facetime) an => action=video
            | party:<party> (per|mit|über) (video|facetime) anrufen => action=video
            | party:<party> video anrufen => action=video

        message = (schreib|schreibe|schick|schicke|sende) party:<addressee> (eine|ne|eine kurze) (nachricht|sms
            |whatsapp) [[dass] text:{text}] => action=message cost=-5
            | (schreib|schreibe|sag|sage) party:<addressee> [dass] text:{text} => action=message
            | (schreib|schreibe) party:<addressee> => action=message
            | (schreib|schreibe|sag|sage) party:<addressee> bitte dass text:{text} => action=message
            | (antworte|antwort) party:<addressee> mit text:{text} => action=message cost=-5
            | (antworte|antwort) party:<addressee> [dass] text:{text} => action=message
            | (richte|richt) party:<addressee> [bitte] aus dass text:{text} => action=message cost=-5
            | (schreib|schreibe|sag|sage) party:<addressee> (über|per|mit|auf|bei|in) <messengers> [[dass] {text}] => action=channel
            # It goes at once, and has words only.
            | (schreib|schreibe|sag|sage|frag|frage) party:<addressee> <when> => action=atonce
            | (schreib|schreibe) party:<addressee> (später|nachher) => action=atonce
            | (schreib|schreibe|sag|sage|frag|frage) party:<addressee> <when> (ob|wann|wo|was|wie|warum|wer) {text} => action=atonce cost=-5
            | (ruf|rufe) [bitte|mal] <party> (später|nachher) an => action=atonce cost=-5
            | (schreib|schreibe|sag|sage) party:<addressee> text:<untilthen> => action=message cost=-1
            | (schreib|schreibe|sag|sage) party:<addressee> <when> dass {text} => action=atonce
            | (schreib|schreibe|schick|schicke|sende) party:<addressee> <when> (eine|ne) (nachricht|sms) [[dass] {text}] => action=atonce
            | (schick|schicke|sende|teile|leite) <shared> (an|mit) {text} => action=share
            | (schick|schicke|sende) party:<addressee> <shared> => action=share
            | (schick|schicke|sende) party:<recipient> (ein|eine|einen|das|den|die|mein|meine|meinen|sein|seine|seinen|ihr|ihre|ihren|dein
            |deine|deinen) {text} => action=share
            | (schick|schicke|sende) party:<recipient> (fotos|bilder|videos|dateien|dokumente|links) [{text}] => action=share
            | (schick|schicke|sende) party:<recipient> [dass] text:{text} => action=message
            # Words of themselves, and no things.
            | (schick|schicke|sende) party:<recipient> text:<wishes> => action=message cost=-5
            | (schick|schicke|sende) text:{text} an party:<recipient> => action=message cost=15
            | (frag|frage) party:<addressee> text:{text} => action=message
            | (schreib|schreibe) an party:<addressee> [dass] text:{text} => action=message cost=-5
            | party:<addressee> [bitte] (sagen|schreiben|mitteilen|ausrichten|bescheid sagen
            |bescheid geben) dass text:{text} => action=message
            | (sende|schick|schicke) party:<addressee> eine nachricht [[dass] text:{text}] => action=message
            | [(sende|schick|schicke|schreib
            |schreibe)] [eine] nachricht an party:<addressee> [[dass] text:{text}] => action=message
            | (sag|sage|gib) party:<addressee> [bitte|mal|bitte mal] bescheid [[dass] text:{text}] => action=message cost=-5
        addressee = (ihnen|ihm|ihr) => value=them | [meiner|meinem] value:{person} | [meiner|meinem] value:{single} => cost=5
            | (frau|herrn|herr|dr) value:{single} => cost=5
        recipient = (ihnen|ihm|ihr) => value=them | [meiner|meinem|meine|meinen] value:{person}
            | [meiner|meinem|meine|meinen] value:{given}
        wishes = (ein|einen|eine|meine|meinen|mein|unsere) [word:{single}] (gruß|grüße|liebe|kuss|küsse|küsschen|umarmung|glückwunsch
            |glückwünsche|beileid|dank|dankeschön|genesungswünsche)
        within = jede stunde | stündlich | jede halbe stunde | alle <number> (stunden|minuten)
        untilthen = bis <when>
        messengers = whatsapp | signal | telegram | messenger | imessage | facebook | slack | teams | discord | skype | instagram
            | threema
        shared = das | dies | (diese|dieses|diesen|das|den|die|ein|eine|einen) (seite|link|foto|bild|video|datei|dokument|artikel
            |standort|kontakt|ort)
        email = (maile|mail|emaile|e-maile) party:<addressee> [[dass] text:{text}] => action=email
            | (schreib|schreibe|schick|schicke|sende) party:<addressee> (eine|ne|eine kurze) <mail> [[dass
            |über|wegen] text:{text}] => action=email cost=-5
            | [(schreib|schreibe|schick|schicke|sende)] [eine|ne] <mail> an party:<addressee> [[dass
            |über|wegen] text:{text}] => action=email cost=-5
            | party:<addressee> (mailen|(eine|ne) <mail> (schreiben|schicken|senden)) [dass text:{text}] => action=email
            | (schreib|schreibe|schick|schicke|sende) {single} (eine|ne) <mail> mit (dem|den|der|einem|einer|meinem|meinen|meiner) <attachment> [{text}]
            => action=share cost=-10
        mail = mail | email | e-mail
        attachment = foto | fotos | bild | bildern | video | videos | datei | dateien | dokument | dokumenten | link | links | anhang
            | bericht | rechnung | präsentation | folien | tabelle | pdf | vertrag | screenshot | screenshots | formular | ticket
            | tickets | rezept | quittung | entwurf | notizen | agenda | karte | liste | adresse | unterlagen | anlage

        open = (öffne|zeig|zeige|zeig mir|geh auf|gehe auf|geh zu|gehe zu|besuche|lade) [bitte] [die|das] [seite|webseite|website|internetseite] site:{site} => action=page
            | (ruf|rufe) [die|das] [seite|webseite|website] site:{site} auf => action=page cost=-10
            | (navigiere|geh|gehe) zu site:{site} => action=page cost=-5 | site:{site} (öffnen|aufrufen) => action=page
            | öffne [die] [seite|webseite|website] {site} (mit|in|im) {text} => action=browser cost=-20
            | (mach|mache) [die|das] [app] app:{app} [app] auf => action=open
            | (öffne|starte) [bitte] [die|das] [app] app:<app> [app] => action=open
            | app:{app} [app] (öffnen|starten) => action=open
        app = value:{app} | value:{name}
        search = (wo ist|wo sind|wo finde ich) text:{text} => action=search
            | (zeig|zeige) mir [alle] [meine|die] (fotos|bilder|mails|dokumente|dateien|notizen|nachrichten) (von|aus|vom|mit|über) text:{text} => action=search
            | (wo ist|wo finde ich|bring mich zur|bring mich zum) place:<nearest> => action=directions
            | [(finde|such|suche|zeig mir)] place:<nearspot> => action=directions
            | (wo ist|gibt es) place:<nearby> => action=directions
            | place:<nearbyalone> => action=directions cost=15
            | (suche|such) [mal] in [meinen|den] (dokumenten|dateien|mails|notizen|nachrichten) nach text:{text} => action=search
            | (suche|such) [mal] im (internet|web|netz) nach text:{text} => action=search
            | (suche|such|finde) [mir] [mal] [nach] text:{text} => action=search

        nearest = (der|die|das|den|dem) (nächste|nächsten|nächstgelegene|nächstgelegenen) kind:{text} => cost=2
        # “Den nächsten Song” is no place.
        nearspot = (der|die|das|den|dem) (nächste|nächsten) kind:<near> => cost=2
            | (der|die|das|den|dem) (nächstgelegene|nächstgelegenen) kind:{text} => cost=2
            | (nächste|nächster|nächstes) kind:<near> => cost=2
        nearby = kind:{text} <nearme>
        nearbyalone = kind:{fullname} <nearme>
        nearme = in (der|meiner) (nähe|umgebung) | hier in der nähe
        near = value:<spotname> | value:<spotder> | value:<nearname>
        nearname = geldautomat | geldautomaten | parkplatz | parkhaus | toilette | ladestation | ladesäule | bar | kneipe | pizzeria
            | buchhandlung | polizei | polizeiwache | notaufnahme | klinik
        refused = (überweis|überweise|zahl|zahle|bezahl|bezahle) {text} => action=payment
            | (sende|schick|schicke|gib) {text} (euro|eur|€|dollar|franken|chf|pfund) [{text}] => action=payment cost=-10
            | (sende|schick|schicke|gib|überweise) {single} {money} [{text}] => action=payment cost=-10
            | (sende|schick|schicke) party:<recipient> {integer} [für {text}] => action=payment cost=-10
            | (sende|schick|schicke) {integer} an {text} => action=payment cost=-10
            | ich brauche (ein|einen) (taxi|uber|mitfahrgelegenheit) [{text}] => action=ride
            | (bestell|bestelle|ruf|rufe|buch|buche|hol|hole) [mir|uns] (ein|einen|eine) (taxi|uber|fahrdienst
            |mitfahrgelegenheit) [{text}] => action=ride cost=-20
            | (lösch|lösche|verschieb|verschiebe|änder|ändere|streich|streiche|erledige|verleg|verlege) [{text}] (erinnerung
            |erinnerungen|wecker|timer|alarm) [{text}] => action=change
            | (stell|stelle|mach|mache|schalt|schalte) (den|die|alle|meinen) (wecker|timer|alarm) (aus|ab) => action=change
            | (timer|wecker|alarm) (stoppen|aus|ausschalten|abstellen|löschen|anhalten|abbrechen) => action=change
            | (starte|start|stell|stelle|setz|setze) [einen|eine|den|die] (timer|eieruhr|stoppuhr|countdown) [auf {integer}] => action=timer cost=-5
            | (schlummern|schlummer|snooze|später erinnern) => action=change | erledigt {text} => action=change
            | (lösch|lösche|verschieb|verschiebe|verleg|verlege|streich|streiche) {text} => action=change cost=5
            | hak [{text}] ab => action=change | hake {text} ab => action=change

        # What is only said
        show = (was läuft|was läuft gerade|was läuft da|was läuft da gerade|was läuft jetzt|was spielt
            |was spielt gerade|was wird gespielt|was höre ich
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
            | was steht (<day>|diese woche) an => action=reminders cost=1
            | habe ich [heute] erinnerungen [heute|für heute] => action=remindersToday
            | [meine] erinnerungen für (<day>|diese woche) => action=reminders cost=1
            | (was habe ich|was muss ich) <day> (vor|tun|machen|zu tun) => action=reminders cost=1
            | welche erinnerungen (habe ich|gibt es) => action=reminders
            | welche erinnerungen (habe ich|gibt es) [für] (<day>|diese woche) => action=reminders cost=1
            | <showme> <reminders> [für] (<day>|diese woche) => action=reminders cost=2
            | welche erinnerungen (habe ich|gibt es) heute => action=remindersToday
            | (was sind|wie lauten) meine erinnerungen [für heute] => action=reminders cost=1
            | (was sind|wie lauten) meine erinnerungen für heute => action=remindersToday
        showme = (zeig|zeige|lies|nenn|nenne|liste) [mir] [mal]
        reminders = [alle] [meine|die] erinnerungen [an|auf|vor]

        # Not understood, and it says why.
        settings = (schalte|schalt|mach|mache|stell|stelle) <what> (an|aus|ein|ab) => action=settings | <what> (an|aus|ein|anschalten|ausschalten
            |einschalten|aktivieren|deaktivieren) => action=settings
            | (aktiviere|deaktiviere) <what> => action=settings | [bildschirm] helligkeit [(hoch|runter|höher|niedriger)] => action=settings
            | geh [zu] [den|die] einstellungen => action=settings
        what = [das|den|die] (wlan|wifi|bluetooth|flugmodus|dunkelmodus|dark mode|nachtmodus|nicht stören|hotspot|gps|vpn|licht|lampe
            |bildschirm|taschenlampe|mobile daten|energiesparmodus|benachrichtigungen)
        calendar = (erstelle|erstell|mach|mache|leg|lege|trag|trage) [mir] (einen|ein|den) (termin|kalendereintrag|treffen|ereignis) [{text}] => action=calendar
            | [neuer] termin {text} => action=calendar cost=20 | habe ich [{text}] (termine|einen termin) [{text}] => action=calendar
            | (was steht in|was ist in) meinem kalender [{text}] => action=calendar
        volume = (lauter|leiser|stumm|ton aus|ton an) => action=volume | [die] musik (lauter|leiser) => action=volume
            | (mach|mache|dreh|stell|stelle|spiel|spiele) [es|das|die musik|den ton] (lauter|leiser) => action=volume
            | (dreh|drehe) [es|das|die musik|den ton] (auf|ab|hoch|runter) => action=volume
            | [(mach|mache|dreh|drehe|stell|stelle)] [die] lautstärke (hoch|runter|höher|niedriger|lauter
            |leiser) => action=volume
            | (erhöhe|senke|verringere) die lautstärke => action=volume
            | (mach|mache|stell|stelle) [den ton|das|die musik] (stumm|leise|laut) => action=volume
            | (stell|stelle|setz|setze) die lautstärke auf {text} => action=volume

        when = <time> | <trigger>
        trigger = (wenn|sobald) [mein|meine|der|die|das] device:<device> (verbunden ist|verbunden sind|sich verbindet
            |sich verbinden) => trigger=connect
            | (wenn|sobald) [mein|meine|der|die|das] device:<device> (getrennt ist|getrennt sind|sich trennt
            |sich trennen) => trigger=disconnect
            | (wenn|sobald) ich <event> | nach der arbeit => trigger=leave where=work
            | (zum|nach) feierabend => trigger=leave where=work
            | auf dem (heimweg|nachhauseweg|weg nach hause) => trigger=leave where=work
            | beim verlassen (der arbeit|des büros) => trigger=leave where=work
            | beim verlassen (des hauses|der wohnung) => trigger=leave where=home
            | beim verlassen [von] where:<where> => trigger=leave
        event = where:<where> (ankomme|bin|eintreffe|komme) => trigger=arrive | heimkomme => trigger=arrive where=home
            | (nach hause|heim|von der arbeit nach hause) komme => trigger=arrive where=home
            | (von der arbeit|aus dem büro) komme => trigger=leave where=work cost=-12
            | (von zu hause|von zuhause|von daheim|aus dem haus) (gehe|losgehe|weggehe|losfahre|wegfahre|aufbreche) => trigger=leave where=home cost=-12
            | (losfahre|losgehe|gehe|aufbreche|weggehe|wegfahre|rausgehe) => trigger=leave where=here
            | (im|in meinem) device:<vehicle> (bin|sitze) => trigger=connect cost=-1
            | (ins|in mein) device:<vehicle> (steige|einsteige) => trigger=connect cost=-1
            | aus (dem|meinem) device:<vehicle> (steige|aussteige) => trigger=disconnect cost=-1
            | (im|in der|beim|bei der|am|an der|auf der) where:<spotany> (bin|ankomme) => trigger=arrive cost=-11
            | where:<where> (verlasse|weggehe|losgehe) => trigger=leave
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
        """#
}
