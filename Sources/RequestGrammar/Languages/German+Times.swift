extension GrammarText {
    /// When, in German: moments and repetitions.
    static let germanTimes = #"""
        # Times
        time = <date> [<part>] [<hour>] | <date> <hour> <part> | <hour> [<part>] [<date>] [<part>] | <part> [<hour>]
            | <date> [<part>] {clock} | <relative>
            | <dayrelative> [<hour>] | <every> [<part>] [<hour>] | <every> <hour> <part>
        hour = [spätestens|genau|pünktlich|etwa|ungefähr|so] (um|gegen|bis|ab) [punkt] <clock> [rum|herum] [<inzone>] | um {hhmm} [uhr] => cost=-1
            | [um] before:<number> (minuten|min) vor hour:<number> [uhr] => spoken=1 | [um] after:<number> (minuten|min) nach hour:<number> [uhr] => spoken=1
            | nach <untilclock> [<inzone>] | <spoken> | vor <untilclock> [<inzone>] => early=1 | vor (mittag|dem mittag) => hour=12 minute=0 half=pm early=1
            | vor dem (mittagessen|essen) => hour=12 minute=0 half=pm early=1
            | vor dem abendessen => hour=7 minute=0 half=pm early=1
            | (zum|beim) frühstück => hour=8 minute=0 half=am
            | (zum mittagessen|beim mittagessen|in der mittagspause) => hour=12 minute=0 half=pm
            | (zum|beim) abendessen => hour=7 minute=0 half=pm | nach dem mittagessen => hour=1 minute=0 half=pm
            | nach dem abendessen => hour=8 minute=0 half=pm | nach dem frühstück => hour=9 minute=0 half=am
            | (vor dem schlafengehen|vorm schlafengehen|vor dem schlafen|vorm schlafen) => hour=10 minute=0 half=pm early=1
            | hour:<number> uhr [minute:<number>] [<inzone>] => spoken=1
            | hour:{zerohour} uhr [minute:<number>] [<inzone>] => cost=-1
            | {clock} uhr [<inzone>] | <fixed>
        inzone = zone:{zone} [zeit] | zone:{city} zeit
        # “Vor 5 Minuten” is no time of day.
        untilclock = {clock} [uhr] | hour:<number> uhr [minute:<number>] => spoken=1 | halb hour:<number> => before=30 spoken=1
        clock = {clock} [uhr] | hour:{integer} h | viertel hour:<number> => before=45 spoken=1
            | drei viertel hour:<number> => before=15 spoken=1
            | hour:<number> [uhr] [minute:<number>] => spoken=1 | hour:{zerohour} [uhr] [minute:<number>] => cost=-1
            | halb hour:<number> => before=30 spoken=1
            | five:<number> vor halb hour:<number> => before=five+30 spoken=1
            | after:<number> nach halb hour:<number> => before=30 spoken=1
            | viertel nach hour:<number> => after=15 spoken=1
            | (viertel vor|dreiviertel) hour:<number> => before=15 spoken=1
            | after:<number> nach hour:<number> => spoken=1 | before:<number> vor hour:<number> => spoken=1
        spoken = halb hour:<number> => before=30 spoken=1 | viertel nach hour:<number> => after=15 spoken=1
            | (viertel vor|dreiviertel) hour:<number> => before=15 spoken=1 | after:<number> nach hour:<number> [uhr] => spoken=1
            | before:<number> vor hour:<number> [uhr] => spoken=1 | five:<number> vor halb hour:<number> => before=five+30 spoken=1
            | after:<number> nach halb hour:<number> => before=30 spoken=1
        fixed = (mittags|zu mittag) => hour=12 minute=0 half=pm | (um mitternacht|mitternacht) => hour=0 minute=0
        part = (mittag|am mittag) => parthour=12 half=pm | (früh|morgens|vormittag|vormittags|am morgen|in der früh) => parthour=9 half=am
            | (nachmittag|nachmittags|am nachmittag) => parthour=15 half=pm
            | (abend|abends|am abend) => parthour=19 half=pm | (nachts|nacht|in der nacht) => parthour=21 half=night
        date = (bis|bis zum|bis zu|spätestens|bis spätestens) <day> | vor <day> => early=1 | <day> | <nthday>
        nthday = [am] <nth> <weekday> (im|des) monat => next=this | [am] <nth> <weekday> (im|des) monats => next=this
            | [am] <nth> <weekday> (im|des) nächsten (monat|monats) => next=month | [am] <nth> <weekday> im month:<month>
        nth = ersten => nth=1 | zweiten => nth=2 | dritten => nth=3 | vierten => nth=4 | letzten => nth=-1
        ordinal = {integer} | ersten => value=1 | zweiten => value=2 | dritten => value=3 | vierten => value=4
            | fünften => value=5
            | sechsten => value=6 | (siebten|siebenten) => value=7 | achten => value=8 | neunten => value=9
            | zehnten => value=10 | elften => value=11 | zwölften => value=12 | dreizehnten => value=13
            | vierzehnten => value=14 | fünfzehnten => value=15 | sechzehnten => value=16 | siebzehnten => value=17
            | achtzehnten => value=18 | neunzehnten => value=19 | zwanzigsten => value=20
            | einundzwanzigsten => value=21 | zweiundzwanzigsten => value=22 | dreiundzwanzigsten => value=23
            | vierundzwanzigsten => value=24 | fünfundzwanzigsten => value=25 | sechsundzwanzigsten => value=26
            | siebenundzwanzigsten => value=27 | achtundzwanzigsten => value=28 | neunundzwanzigsten => value=29
            | dreißigsten => value=30 | einunddreißigsten => value=31
        day = heute nacht => days=0 parthour=21 half=night | [am] <weekdaypart> | diesen <weekdaypart>
            | heute in (einer woche|acht tagen|8 tagen) => days=7 | morgen in (einer woche|acht tagen) => days=8
            | heute in (zwei wochen|vierzehn tagen|14 tagen) => days=14 | heute in (drei|3) wochen => days=21
            | heute in (vier|4) wochen => days=28 | [am] <weekday> in acht tagen => which=after
            | zum day:<ordinal> | gestern => days=-1 | über morgen => days=2
            | [am] <weekday> in (zwei|2) wochen => which=afterthat | [in der] (übernächste|übernächsten) woche => next=weekafter
            | [in der] (übernächste|übernächsten) woche [am] <weekday> => which=afternext
            | [am] <weekday> (übernächster|übernächste) woche => which=afternext
            | heute (früh|morgen) => days=0 parthour=9 half=am
            | [am] <weekday> (nächster|kommender) woche => which=next
            | (nächste|kommende) woche [am] <weekday> => which=next
            | morgenfrüh => days=1 parthour=9 half=am | morgenvormittag => days=1 parthour=9 half=am
            | morgenmittag => days=1 parthour=12 half=pm | morgennachmittag => days=1 parthour=15 half=pm
            | morgenabend => days=1 parthour=19 half=pm | heutabend => days=0 parthour=19 half=pm
            | übermorgenfrüh => days=2 parthour=9 half=am | übermorgenabend => days=2 parthour=19 half=pm
            | [am|zum] (monatsanfang|anfang des monats|beginn des monats|anfang nächsten monats) => next=month
            | [am|zum|zu] (wochenanfang|wochenbeginn|anfang der woche|anfang nächster woche|anfang der nächsten woche
            |beginn der nächsten woche) => next=week
            | [am|zum|zu] (jahresanfang|jahresbeginn|anfang des jahres|anfang nächsten jahres) => next=year
            | [zur|in der] (monatsmitte|mitte des monats) => day=15
            | [am] wochenende => next=weekend | [am] kommenden wochenende => next=weekend
            | übers wochenende => next=weekend | dieses wochenende => next=weekend which=this
            | (nächsten|am nächsten|nächstes) wochenende => next=weekend which=next
            | (übernächsten|am übernächsten) <weekday> => which=afternext
            | [am|zum] (monatsletzten|letzten des monats) => end=month
            | (zum|am) monatsende => end=month | monatsende => end=month | zum wochenende => next=weekend
            | zum jahresende => end=year
            | (heute|heut) [noch] => days=0 | morgen => days=1 | übermorgen => days=2 | [am] <weekday> | am <weekdayshort>
            | am day:<ordinal> | am day:<ordinal> des nächsten monats => next=month
            | [am] <weekday> in einer woche => which=after | <nameddate> => cost=-1
            | (an|zu) <holiday>
            | (diesen|am kommenden|kommenden) <weekday> => which=this | (nächsten|am nächsten) <weekday> => which=next
            | nächste woche => next=week | nächsten monat => next=month | nächstes jahr => next=year
            | im month:<month> | [am] <calendardate> | [am] ende des monats => end=month
            | [am] ende der woche => end=week | [am] ende des jahres => end=year | <holiday>
        # The point behind a number is not seen: “am 3. 2 Pakete abholen” is on the third.
        pointed = am day:{integer} month:{integer} [year:{integer}]
        nameddate = [am] named:<weekdayvalue> [dem|den|der] <calendardate>
        weekdayshort = weekday:<weekdayshortvalue>
        weekdayshortvalue = mo => value=1 | di => value=2 | mi => value=3 | do => value=4 | fr => value=5 | sa => value=6
            | so => value=7
        calendardate = {date} | day:<ordinal> month:<monthordinal> | day:<ordinal> month:<month> [year:{integer}]
        monthordinal = ersten => value=1 | zweiten => value=2 | dritten => value=3 | vierten => value=4 | fünften => value=5
            | sechsten => value=6 | (siebten|siebenten) => value=7 | achten => value=8 | neunten => value=9
            | zehnten => value=10 | elften => value=11 | zwölften => value=12
        holiday = (an heiligabend|heiligabend) => month=12 day=24 | (an weihnachten|weihnachten) => month=12 day=25
            | (an silvester|silvester) => month=12 day=31 | (an neujahr|neujahr|im neuen jahr) => month=1 day=1
            | am tag der arbeit => month=5 day=1 | am tag der deutschen einheit => month=10 day=3
        relative = in {length} | in [etwa|ungefähr|genau|circa|ca|rund|knapp|gut] <duration>
        duration = einer stunde [und] inminutes:<number> [minuten|min] => inhours=1
            | inhours:<number> (stunden|stunde|std|h) [und] inminutes:<number> [minuten|minute|min]
            | (zweieinhalb|zwei einhalb) stunden => inhours=2 inminutes=30
            | dreieinhalb stunden => inhours=3 inminutes=30 | viereinhalb stunden => inhours=4 inminutes=30
            | (einer dreiviertelstunde|einer dreiviertel stunde|dreiviertelstunde) => inminutes=45
            | inminutes:<number> min | inhours:<number> (h|std) | inhours:<number> stunde
            | inhours:{half} (stunden|std|h) => inminutes=30 | inhours:<number> 1/2 (stunden|stunde|std|h) => inminutes=30 | inminutes:<several> minuten | inhours:<several> stunden
            | einer minute => inminutes=1 | inminutes:<number> (minuten|minute) | einer viertelstunde => inminutes=15
            | ((einer|ner) halben stunde) => inminutes=30 | ((einer|ner) stunde) => inhours=1 | inhours:<number> stunden
            | (anderthalb|eineinhalb) stunden => inhours=1 inminutes=30
        several = (ein paar|einigen) => value=3
        dayrelative = in einem tag => indays=1 | in indays:<number> (tagen|tag) | in indays:<several> tagen
            | in inweeks:<several> wochen | in inmonths:<several> monaten
            | in einer woche => inweeks=1
            | in inweeks:<number> (wochen|woche) | in einem monat => inmonths=1 | in inmonths:<number> (monaten|monat)
            | in einem halben jahr => inmonths=6 | in anderthalb jahren => inmonths=18 | in einem jahr => inyears=1 | in inyears:<number> (jahren|jahr)
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
            | (jede stunde|stündlich) => repeat=hour
            | (werktags|an werktagen|wochentags|an wochentagen|unter der woche) => repeat=workday
            | (wochenends|an wochenenden) => repeat=weekend
            | zweistündlich => repeat=hour interval=2 | dreistündlich => repeat=hour interval=3
            | vierstündlich => repeat=hour interval=4 | (zweitägig|zweitäglich) => repeat=day interval=2
            | (zweiwöchentlich|vierzehntägig|vierzehntäglich|14-tägig|14-täglich) => repeat=week interval=2
            | zweimonatlich => repeat=month interval=2 | (vierteljährlich|quartalsweise) => repeat=month interval=3
            | (halbjährlich|jedes halbe jahr|alle halbe jahre|alle halben jahre) => repeat=month interval=6
            | <weekdayparts> => repeat=week | jeden <weekdaypart> => repeat=week
            | jeden monatsersten => repeat=month day=1 | (jeden|immer am) day:<ordinal> => repeat=month cost=2
            | jeden <weekday> [[und] weekday2:<weekdayvalue>] [und weekday3:<weekdayvalue>] => repeat=week
            | jeden morgen => repeat=day parthour=9 half=am | jeden vormittag => repeat=day parthour=9 half=am
            | jeden mittag => repeat=day parthour=12 half=pm | jeden nachmittag => repeat=day parthour=15 half=pm
            | (jede nacht|nachts jeden tag) => repeat=day parthour=21 half=night
            | jeden interval:<ordinal> tag => repeat=day | jeden interval:<ordinal> monat => repeat=month
            | alle interval:<number> wochen (am <weekday>|<weekdays>) => repeat=week
            | einmal (am tag|pro tag|täglich) => repeat=day | einmal (die woche|in der woche|pro woche|wöchentlich) => repeat=week
            | einmal (im monat|pro monat|monatlich) => repeat=month | einmal (im jahr|pro jahr|jährlich) => repeat=year
            | jeden zweiten <weekday> => repeat=week interval=2 | jeden zweiten tag => repeat=day interval=2
            | jede zweite woche => repeat=week interval=2 | <weekdays> [und weekday2:<weekdaysvalue>] => repeat=week
            | <weekdays> weekday2:<weekdaysvalue> [weekday4:<weekdaysvalue>] [und] weekday3:<weekdaysvalue> => repeat=week
            | <weekdays> weekday2:<weekdaysvalue> => repeat=week
            | jeden <weekday> weekday2:<weekdayvalue> weekday4:<weekdayvalue> und weekday3:<weekdayvalue> => repeat=week
            | an jedem day:<ordinal> [des monats|im monat] => repeat=month
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
        month = (januar|jänner|jan) => value=1 | (februar|feb) => value=2 | (märz|mär) => value=3 | (april|apr) => value=4
            | mai => value=5 | (juni|jun) => value=6 | (juli|jul) => value=7 | (august|aug) => value=8
            | (september|sept|sep) => value=9 | (oktober|okt) => value=10 | (november|nov) => value=11
            | (dezember|dez) => value=12
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
        weekdayparts = montagmorgens => weekday=1 parthour=9 half=am | montagvormittags => weekday=1 parthour=9 half=am
            | montagmittags => weekday=1 parthour=12 half=pm | montagnachmittags => weekday=1 parthour=15 half=pm
            | montagabends => weekday=1 parthour=19 half=pm | dienstagmorgens => weekday=2 parthour=9 half=am
            | dienstagvormittags => weekday=2 parthour=9 half=am | dienstagmittags => weekday=2 parthour=12 half=pm
            | dienstagnachmittags => weekday=2 parthour=15 half=pm | dienstagabends => weekday=2 parthour=19 half=pm
            | mittwochmorgens => weekday=3 parthour=9 half=am | mittwochvormittags => weekday=3 parthour=9 half=am
            | mittwochmittags => weekday=3 parthour=12 half=pm | mittwochnachmittags => weekday=3 parthour=15 half=pm
            | mittwochabends => weekday=3 parthour=19 half=pm | donnerstagmorgens => weekday=4 parthour=9 half=am
            | donnerstagvormittags => weekday=4 parthour=9 half=am | donnerstagmittags => weekday=4 parthour=12 half=pm
            | donnerstagnachmittags => weekday=4 parthour=15 half=pm | donnerstagabends => weekday=4 parthour=19 half=pm
            | freitagmorgens => weekday=5 parthour=9 half=am | freitagvormittags => weekday=5 parthour=9 half=am
            | freitagmittags => weekday=5 parthour=12 half=pm | freitagnachmittags => weekday=5 parthour=15 half=pm
            | freitagabends => weekday=5 parthour=19 half=pm | samstagmorgens => weekday=6 parthour=9 half=am
            | samstagvormittags => weekday=6 parthour=9 half=am | samstagmittags => weekday=6 parthour=12 half=pm
            | samstagnachmittags => weekday=6 parthour=15 half=pm | samstagabends => weekday=6 parthour=19 half=pm
            | sonntagmorgens => weekday=7 parthour=9 half=am | sonntagvormittags => weekday=7 parthour=9 half=am
            | sonntagmittags => weekday=7 parthour=12 half=pm | sonntagnachmittags => weekday=7 parthour=15 half=pm
            | sonntagabends => weekday=7 parthour=19 half=pm

        # What is typed at the end: the time comes again, or it is not known.
        typed = <remindme> (<subject> <hour> <every>|<hour> <every> <subject>) => action=remind
            | <remindme> <subject> (zweimal|dreimal|viermal|{number} x|{number} mal) (täglich|wöchentlich) => action=several cost=-20
            | <remindme> <subject> (eine|einen|<number>) (tag|tage|woche|wochen|monat|monate) lang <every> => action=several cost=-20
            | <remindme> (<subject> (wenn|sobald) ich <state> bin|(wenn|sobald) ich <state> bin <subject>) => action=unseen cost=-5
        state = fertig | wach | müde | frei | bereit | satt | krank | hungrig | allein | soweit
        typedtail = mitte (der|dieser|nächster|kommender) woche | ende (nächster|kommender) woche | am {integer} (dieses|nächsten|kommenden) monats
            | nachdem {text} | zur (kaffeezeit|mittagszeit|teezeit) | um (viertel|halb|dreiviertel) (nach|vor) | im laufe (des|der) {single}
            | in den nächsten {single} [{single}] | in (absehbarer|nächster) zeit | (innerhalb|binnen) {text} | in unter {text}
            | (eine|einer|<number>) (minute|minuten|stunde|stunden|tag|tage|woche|wochen) (vorher|davor|früher|später) | punkt {number}
            | um {number} (genau|pünktlich) | <weekdayshort> <weekdayshort> | {number} x (am|pro) tag | um {number} & {number} | am {number} und {number}

        # Nearly then. “Um halb” is the next one.
        hour = um halb => after=30 thishour=1 | um viertel nach => after=15 thishour=1 | um viertel vor => before=15 thishour=1 | kurz vor <clock> => early=1 | (gegen|zum) mittag => hour=12 minute=0 half=pm
        part = am späten vormittag => parthour=11 half=am | am frühen nachmittag => parthour=13 half=pm
            | am späten nachmittag => parthour=17 half=pm | am frühen abend => parthour=18 half=pm | gegen abend => parthour=19 half=pm
            | am späten abend => parthour=21 half=pm | in aller (früh|frühe|herrgottsfrühe) => parthour=8 half=am
        day = (heute|heut) spät => days=0 parthour=21 half=pm | (morgen spät|spät morgen) => days=1 parthour=21 half=pm | gleich morgen früh => days=1 parthour=8 half=am
        dayrelative = morgen um (dieselbe|die gleiche|die selbe) zeit => indays=1
        every = jeden day:<ordinal> (des monats|im monat) => repeat=month
        """#
}
