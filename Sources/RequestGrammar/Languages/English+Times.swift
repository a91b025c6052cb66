extension GrammarText {
    /// When, in English: moments and repetitions.
    static let englishTimes = #"""
        # Times
        time = [(for|by)] <moment> | [for] <repeating>
        moment = <date> <halfday> | in the <halfday> | <date> [<part>] [<hour>] | <date> <hour> <part> | <hour> [<part>] [<date>] [<part>]
            | <part> [<date>] [<hour>] | <relative>
            | <dayrelative> [<part>] [<hour>]
        hour = [exactly|precisely|exact] (at|by|around|@|about) [exactly|precisely|about|around|roughly] <clock> [sharp|ish|on the dot|exactly|precisely] [<inzone>]
            | (at|by|around) <pasthour> => thishour=1 | no later than <clock> [<inzone>] | by <clock> at the latest
            | (just|shortly|right|a little|a bit|straight) before (<clock>|<meal>) => early=1
            | (just|shortly|right|a little|a bit|straight|soon) after <clock>
            | (at|by|around|over|during) <meal> | before <meal> => early=1 | [just|shortly|right|straight] after lunch => hour=1 minute=0 half=pm
            | [just|shortly|right|straight] after dinner => hour=8 minute=0 half=pm | [just|shortly|right|straight] after breakfast => hour=9 minute=0 half=am | [at|by|around] <plainclock> [sharp] [<inzone>]
            | (at|by|around|@) {hhmm} [<ampm>] [hours|hrs|h] [<inzone>] => cost=-1 | {hhmm} <ampm> [<inzone>] => cost=-1
            | before <plainclock> [sharp] [<inzone>] => early=1
            | before (bed|bedtime|going to bed|i go to bed|sleeping) => hour=10 half=pm early=1
        # The next one, whatever hour that is in.
        pasthour = half past => after=30 | [a] after:<minutes> past | [a] quarter (to|till|of) => before=15
        inzone = zone:{zone} [time] | zone:{city} time
        # Without “at”, only what is plainly a time.
        plainclock = {clock} [<ampm>] | hour:{integer} <ampm> | hour:{integer} ish [<ampm>] | hour:<smallnumber> <oclock> [<ampm>] | <spoken> | <fixed>
        clock = hour:{integer} h | hour:<smallnumber> ish <ampm> | {clock} [<ampm>] | {clock} (h|hrs|hours) | hour:<smallnumber> [<ampm>] [<oclock>] | <spoken> | <fixed>
            | hour:<smallnumber> minute:<minuteword> [<ampm>] | hour:<smallnumber> (oh|o) minute:<unit> [<ampm>]
        spoken = [a] after:<minutes> (past|after) hour:<smallnumber> [<ampm>] [<oclock>]
            | [a] before:<minutes> (to|before|till|of) hour:<smallnumber> [<ampm>] [<oclock>]
            | half past hour:<smallnumber> [<ampm>] => after=30 | half an hour before hour:<smallnumber> [<ampm>] [<oclock>] => before=30
            | half hour:<smallnumber> [<ampm>] => after=30
            | half past midnight => hour=0 minute=30 | half past (noon|midday) => hour=12 minute=30 half=pm
            | [a] after:<minutes> past midnight => hour=0 | [a] after:<minutes> past (noon|midday) => hour=12 half=pm
        minutes = quarter => value=15 | <smallnumber> [minutes|mins|min]
        oclock = o'clock | oclock | o clock
        ampm = am => half=am | (pm|pn|p) => half=pm
        fixed = [12|twelve] (noon|midday) => hour=12 minute=0 half=pm | (noonish|middayish|noon ish|midday ish) => hour=12 minute=0 half=pm | <mealtime> | (bedtime|bed time) => hour=10 minute=0 half=pm
            | [12|twelve] midnight => hour=0 minute=0
        # “Make dinner” is to be done, and not at dinner.
        meal = lunch => hour=12 minute=0 half=pm | dinner => hour=7 minute=0 half=pm
            | breakfast => hour=8 minute=0 half=am
        mealtime = (lunchtime|lunch time) => hour=12 minute=0 half=pm
            | (dinnertime|dinner time) => hour=7 minute=0 half=pm | breakfast time => hour=8 minute=0 half=am
        halfday = am => parthour=9 half=am | pm => parthour=15 half=pm
        part = (first thing|early) in the morning => parthour=8 half=am | [in the|in] morning [ish] => parthour=9 half=am
            | [in the|in] (afternoon|after noon|arvo) [ish] => parthour=15 half=pm
            | [in the] mid morning => parthour=10 half=am | [in the] late morning => parthour=11 half=am
            | [in the] early afternoon => parthour=13 half=pm | [in the] mid afternoon => parthour=15 half=pm
            | [in the] late afternoon => parthour=17 half=pm | [in the] early evening => parthour=18 half=pm
            | [in the] late evening => parthour=21 half=pm | last thing at night => parthour=22 half=night
            | [in the|in] evening [ish] => parthour=19 half=pm | (at|in the|during the) night => parthour=21 half=night
            | night => parthour=21 half=night

        season = spring | summer | autumn | winter
        often = (once|twice|<smallnumber> times|several times) (a|an|per|each|every) (hour|day|week|month|year)
        oftenrest = (once|twice|<smallnumber> times|several times) (a|an|per|each|every)
        unitoftime = days' | weeks' | hours' | minutes' | year | years | month | months | hour's | day's | week's
            | minute | minutes | minute | mins | min | hours | hour | h | days | day | weeks | week
        date = <day> | (on|by|until|for|no later than) <day> | at <weekday> | (on|by) day:{integer} (st|nd|rd|th)
            | <weekday> morn => parthour=9 half=am | <weekday> eve => parthour=19 half=pm | (by|on) <day> at the latest | at the latest [by|on] <day>
             | before <day> => early=1 | <nthday> | first thing <day> => parthour=8 half=am
            | <day> first thing => parthour=8 half=am
            | [on|in] the morning of <day> => parthour=9 half=am | [on|in] the afternoon of <day> => parthour=15 half=pm
            | [on|in] the evening of <day> => parthour=19 half=pm
            | before <dayend> => early=1 | (at|by|on) <dayend> | <dayend>
        day = today => days=0 | this am => days=0 parthour=9 half=am | this pm => days=0 parthour=15 half=pm | (tomorrow|tmrw|tmr|tmw) morn => days=1 parthour=9 half=am
            | (tomorrow|tmrw|tmr|tmw) eve => days=1 parthour=19 half=pm | early next week => next=week | early next month => next=month | late tonight => days=0 parthour=22 half=night | yesterday => days=-1 | (tonight|later tonight|tonite|2nite) => days=0 parthour=20 half=night
            | early tomorrow [morning] => days=1 parthour=8 half=am
            | late <latter> => parthour=21 half=pm | tomorrow late [in the evening|at night] => days=1 parthour=21 half=pm cost=1
            | late <latter> morning => parthour=11 half=am cost=-1 | late <latter> afternoon => parthour=17 half=pm cost=-1
            | late <latter> evening => parthour=21 half=pm cost=-1 | late <latter> night => parthour=22 half=night cost=-1
            | early <latter> morning => parthour=8 half=am cost=-1 | early <latter> afternoon => parthour=13 half=pm cost=-1
            | early <latter> evening => parthour=18 half=pm cost=-1
            | later this afternoon => days=0 parthour=15 half=pm | later this evening => days=0 parthour=19 half=pm
            | [in] (a fortnight|two weeks|2 weeks) from <weekday> => which=afterthat | [in] a fortnight on <weekday> => which=afterthat
            | later today => days=0 | today week => days=7 | tomorrow week => days=8 | overmorrow => days=2 | (a week|one week) today => days=7 | (a week|one week) tomorrow => days=8
            | [on|in] [the] next day => days=1 | [on|in] the next morning => days=1 parthour=9 half=am
            | (two weeks|a fortnight) today => days=14 | two weeks tomorrow => days=15
            | (tomorrow|tommorow|tomoro|tommoro|tmrw|tmrrw|tmr|tmw|tomoz|2 morrow|2 moro|2 mrw) => days=1 | [the] day after tomorrow => days=2
            | this morning => days=0 parthour=9 half=am | this (afternoon|arvo) => days=0 parthour=15 half=pm
            | last thing tonight => days=0 parthour=22 half=night | <weekday> fortnight => which=afterthat
            | this evening => days=0 parthour=19 half=pm
            | first thing [on] <weekday> => parthour=8 half=am
            | <weekday> | (this|coming|this coming) <weekday> => which=this | this <weekday> coming => which=this | next <weekday> => which=next
            | <weekday> next week => which=next | next week [on] <weekday> => which=next | next <weekday> but one => which=afternext
            | <weekday> in (a|one) week => which=after | <weekday> week => which=after | a week on <weekday> => which=after
            | [the] <weekday> after next => which=afternext | named:<weekdayvalue> <calendardate>
            | [the] day:<ordinal> of next month => next=month | next month on the day:<ordinal> => next=month
            | [the] weekend => next=weekend | this weekend => next=weekend which=this
            | next weekend => next=weekend which=next
            | next week => next=week | the week after next => next=weekafter | next month => next=month | next year => next=year
            | <calendardate> | <holiday> | in month:<month> [year:<year>] | a week from <weekday> => which=after
            | next month:<month>
        latter = (tomorrow|tmrw|tmr|tmw) => days=1 | [on] <weekday>
        nthday = [on] [the] <nth> <weekday> (of|in) [the|this] month
            | [on] [the] <nth> <weekday> (of|in) next month => next=month
            | [on] [the] <nth> <weekday> (of|in) month:<month>
        nth = nth:{integer} (st|nd|rd|th) | first => nth=1 | second => nth=2 | third => nth=3 | fourth => nth=4 | last => nth=-1
        dayend = [at|over] the weekend => next=weekend
            | ([the] end of [the|this] day|eod|end of business|close of business|cob) => end=day hour=17 half=pm
            | (end of day|eod|cob) ([on] <weekday>|<tomorrow>) => hour=17 half=pm | (<weekday>|<tomorrow>) (eod|cob) => hour=17 half=pm
            | [the] last day of [the|this] month => end=month | [the] last day of next month => end=month next=month
            | [the] (beginning|start) of next month => next=month | [the] (beginning|start) of next week => next=week
            | (eow|end of week) => end=week | eom => end=month
            | [the] end of [the|this] week => end=week | [the] end of [the|this] month => end=month
            | [the] end of next month => end=month next=month | [the] end of [the|this] year => end=year | <holiday>
        tomorrow = tomorrow => days=1
        calendardate = {date} | the day:<ordinal> of the month:<ordinal> | [the] day:<dayofmonth> [of] month:<month> [year:<year>]
            | month:<month> [the] day:<dayofmonth> [year:<year>] | the day:<ordinal> [of (this|the) month]
        year = {integer}
        dayofmonth = <ordinal> | {integer}
        holiday = (christmas|xmas) eve => month=12 day=24 | (christmas|xmas) [day] => month=12 day=25 | boxing day => month=12 day=26
            | (new year's|new years) eve => month=12 day=31 | nye => month=12 day=31 | (new year|(new year's|new years) [day]) => month=1 day=1
            | in the new year => month=1 day=1 | halloween => month=10 day=31 | (valentine's|valentines) [day] => month=2 day=14
            | (saint|st) (patrick's|patricks) day => month=3 day=17
            | (april fools|april fools'|april fool's) [day] => month=4 day=1 | may day => month=5 day=1
            | (independence day|the fourth of july) => month=7 day=4 | veterans day => month=11 day=11
            | epiphany => month=1 day=6 | (all saints|all saints') day => month=11 day=1

        relative = in {length} | (in|after|ni|inn) [about|around|roughly|exactly|another|like|approximately|maybe] <duration> [(and|&) <duration>] [or so] [from now] | <duration> from now
            | in another hour => inhours=1
        duration = inhours:<count> (hours'|hours|hrs|hr|hour) time | (an hour's|an hours) time => inhours=1 | half an (hour's|hours) time => inminutes=30
            | inminutes:<count> (minutes'|minutes|mins|min) time | (an|one) hour inminutes:<minuteword> => inhours=1
            | inhours:<count> hours inminutes:<minuteword> | inhours:{half} (hours|hrs|hour|h) => inminutes=30 | inminutes:{half} (minutes|mins|min) => inseconds=30
            | (a|one) (second|moment) => inseconds=1 | inseconds:<count> (seconds|second|secs|sec)
            | inminutes:<count> and a half (minutes|mins|min) => inseconds=30
            | (a|one) minute => inminutes=1 | inminutes:<count> (minutes|minute|mins|min|m)
            | (half an hour|a half hour|half hour) => inminutes=30
            | ([a] quarter of an hour|a quarter hour) => inminutes=15
            | (half an hr|half hr|1/2 hour|1/2 hr|1/2 an hour) => inminutes=30 | inhours:<count> ours | (an|a) hr => inhours=1
            | inhours:<count> 1/2 (hours|hrs|hour|h) => inminutes=30 | three quarters of an hour => inminutes=45 | (an|one) hour (and|&) a half => inhours=1 inminutes=30
            | inhours:<count> and a half hours => inminutes=30 | (an|one|a) (hour|h) => inhours=1
            | inhours:<count> (hours|hrs|h|hr|hour) [[and] inminutes:<count> (minutes|mins|minute|min|m)]
            | (an|one) hour inminutes:<count> (minutes|min) => inhours=1 | (an|one) hour (and|&) a quarter => inhours=1 inminutes=15
            | inhours:<count> and a quarter hours => inminutes=15
        dayrelative = in indays:<count> and a half days => inhours=12 | in a day and a half => indays=1 inhours=12
            | in inweeks:{half} weeks => indays=3 | in (a|one) day => indays=1 | (in|after) indays:<count> (days|day)
            | in (a|one) week => inweeks=1
            | inweeks:<count> weeks today | [at] [the] (this|same) time tomorrow => indays=1 | [at] [the] (this|same) time next week => inweeks=1
            | (in|after) inweeks:<count> (weeks|week) | in a fortnight => inweeks=2 | in (a fortnight's|a fortnights) time => inweeks=2
            | in indays:<count> (days'|days) time | in inweeks:<count> (weeks'|weeks) time | in (a week's|a weeks) time => inweeks=1
            | in inmonths:<count> (months'|months) time | in (a month's|a months) time => inmonths=1
            | in half a year => inmonths=6
            | a fortnight from (now|today) => inweeks=2 | (a|one) month from (now|today) => inmonths=1
            | inmonths:<count> months from (now|today) | (a|one) year from (now|today) => inyears=1 | inyears:<count> years from (now|today)
            | (a|one) day from now => indays=1 | in (a|one) month => inmonths=1
            | (in|after) inmonths:<count> (months|month) | in (a|one) year => inyears=1
            | (in|after) inyears:<count> (years|year)
            | indays:<count> days from (now|today) | a week from (now|today) => inweeks=1
            | inweeks:<count> weeks from (now|today) | a week from tomorrow => indays=8
        count = <smallnumber> | a couple [of] => value=2 | a few => value=3

        repeating = <every> [<part>] [<hour>] | <every> <hour> <part> | <hour> [<part>] <every> | <hour> (every|each) <partofeveryday>
            | (every|each) <partofeveryday> [<hour>]
        every = (every|each) interval:<count> (minutes|mins|min) => repeat=minute
            | (every|each) interval:<minuteword> (minutes|mins|min) => repeat=minute
            | (every|each) minute => repeat=minute interval=1
            | (every|each) (half an hour|half hour|half-hour) => repeat=minute interval=30
            | (every|each) (quarter of an hour|quarter hour) => repeat=minute interval=15
            | (on|by) [the] last day of (each|every) month => repeat=month end=month
            | [the] last day of (each|every) month => repeat=month end=month
            | (every|each) (last day of the month|month end|end of the month) => repeat=month end=month
            | [at] [the] end of (each|every) month => repeat=month end=month
            | [from] (monday|mon) (to|through|thru|till|until) (friday|fri) => repeat=workday
            | (every day|everyday|daily|each day) => repeat=day | ((every|each) hour|hourly) => repeat=hour
            | (every week|weekly|each week) => repeat=week | (every month|monthly|each month) => repeat=month
            | (every year|yearly|annually|each year) => repeat=year
            | every (other|second) day => repeat=day interval=2 | every (other|second) week => repeat=week interval=2
            | (every fortnight|fortnightly|each fortnight) => repeat=week interval=2
            | (every|each) [the] day:<ordinal> [of the month] => repeat=month cost=2
            | every (other|second) month => repeat=month interval=2
            | (every|each) interval:<ordinal> day => repeat=day | (every|each) interval:<ordinal> week => repeat=week
            | (every|each) interval:<ordinal> month => repeat=month | (every|each) interval:<ordinal> hour => repeat=hour
            | (every half year|half-yearly|every half a year) => repeat=month interval=6
            | once (a|every|each|per) day => repeat=day | once (a|every|each|per) week => repeat=week
            | once (a|every|each|per) month => repeat=month | once (a|every|each|per) year => repeat=year
            | [in the|in] mornings => repeat=day parthour=9 half=am | [in the|in] afternoons => repeat=day parthour=15 half=pm
            | [in the|in] evenings => repeat=day parthour=19 half=pm
            | nightly => repeat=day parthour=21 half=night
            | (every|each) quarter => repeat=month interval=3 | quarterly => repeat=month interval=3
            | (every|each) <nth> <weekday> [(of|in) (the|each|every) month] => repeat=month cost=1
            | (every|each) last <weekday> [(of|in) (the|each|every) month] => repeat=month nth=-1
            | [on] [the] <nth> <weekday> (of|in) (each|every) month => repeat=month
            | (every|each) month on [the] <nth> <weekday> => repeat=month
            | (every month|monthly) on [the] day:<ordinal> => repeat=month
            | every interval:<count> weeks on <weekday> => repeat=week
            | every (other|second) week on <weekday> => repeat=week interval=2
            | (weekly|every week|each week) on <weekday> => repeat=week
            | every interval:<count> (hours|hrs) => repeat=hour | every interval:<count> days => repeat=day
            | every interval:<count> weeks => repeat=week | every interval:<count> months => repeat=month
            | every interval:<count> years => repeat=year
            | ((every|each) (weekday|workday|working day|business day)|on (weekdays|workdays)|weekdays) => repeat=workday
            | every (other|second) weekend => repeat=weekend interval=2 | [on] alternate <weekdays> => repeat=week interval=2
            | [on] (weekday|workday) mornings => repeat=workday parthour=9 half=am
            | [on] (weekday|workday) afternoons => repeat=workday parthour=15 half=pm
            | [on] (weekday|workday) evenings => repeat=workday parthour=19 half=pm
            | [on] <weekday> mornings => repeat=week parthour=9 half=am | [on] <weekday> afternoons => repeat=week parthour=15 half=pm
            | [on] <weekday> evenings => repeat=week parthour=19 half=pm | [on] <weekday> nights => repeat=week parthour=21 half=night
            | ((every|each) weekend|(on|at) weekends|weekends) => repeat=weekend
            | (every|each) <weekday> [<and> [every|each] weekday2:<weekdayvalue>] => repeat=week
            | (every|each) <weekday> weekday2:<weekdayvalue> [weekday3:<weekdayvalue>] [weekday4:<weekdayvalue>] => repeat=week
            | (every|each) <weekday> weekday2:<weekdayvalue> <and> weekday3:<weekdayvalue> => repeat=week
            | (every|each) <weekday> weekday2:<weekdayvalue> weekday3:<weekdayvalue> [weekday5:<weekdayvalue>] [weekday6:<weekdayvalue>]
            <and> weekday4:<weekdayvalue> => repeat=week
            | [on] <weekdays> weekday2:<weekdaysvalue> [weekday3:<weekdaysvalue>] [weekday5:<weekdaysvalue>] <and>
            weekday4:<weekdaysvalue> => repeat=week
            | [on] <weekdays> weekday2:<weekdaysvalue> => repeat=week
            | every (other|second|2nd) <weekday> => repeat=week interval=2
            | [on] <weekdays> [<and> weekday2:<weekdaysvalue>] => repeat=week
            | every month on the day:<dayofmonth> => repeat=month
            | [on] the day:<ordinal> of (every|each) month => repeat=month
            | [on] <calendardate> (every year|each year|yearly|annually) => repeat=year
            | (every year|each year|yearly|annually) on <calendardate> => repeat=year | every <holiday> => repeat=year
            | every day:<dayofmonth> [of] month:<month> => repeat=year
            | every month:<month> day:<dayofmonth> => repeat=year
        partofeveryday = morning => repeat=day parthour=9 half=am | afternoon => repeat=day parthour=15 half=pm
            | evening => repeat=day parthour=19 half=pm | night => repeat=day parthour=21 half=night

        and = and | & | plus
        weekday = weekday:<weekdayvalue>
        weekdayvalue = (monday|mon) => value=1 | (tuesday|tue|tues) => value=2
            | (wednesday|wed|weds|wensday|wendsday) => value=3
            | (thursday|thu|thur|thurs) => value=4 | (friday|fri) => value=5 | (saturday|sat) => value=6
            | (sunday|sun) => value=7
        weekdays = weekday:<weekdaysvalue>
        weekdaysvalue = mondays => value=1 | tuesdays => value=2 | wednesdays => value=3 | thursdays => value=4
            | fridays => value=5 | saturdays => value=6 | sundays => value=7
        month = (january|jan) => value=1 | (february|feb) => value=2 | (march|mar) => value=3 | (april|apr) => value=4
            | may => value=5 | (june|jun) => value=6 | (july|jul) => value=7 | (august|aug) => value=8
            | (september|sep|sept) => value=9 | (october|oct) => value=10 | (november|nov) => value=11
            | (december|dec) => value=12

        smallnumber = {integer} | one => value=1 | two => value=2 | three => value=3 | four => value=4 | five => value=5
            | six => value=6 | seven => value=7 | eight => value=8 | nine => value=9 | ten => value=10 | eleven => value=11
            | twelve => value=12 | <minuteword>
        minuteword = thirteen => value=13 | fourteen => value=14 | fifteen => value=15 | sixteen => value=16
            | seventeen => value=17 | eighteen => value=18 | nineteen => value=19 | <tens>
            | tens:<tens> unit:<unit> => value=tens+unit
        tens = twenty => value=20 | thirty => value=30 | forty => value=40 | fifty => value=50 | sixty => value=60
            | ninety => value=90
        unit = one => value=1 | two => value=2 | three => value=3 | four => value=4 | five => value=5 | six => value=6
            | seven => value=7 | eight => value=8 | nine => value=9
        ordinal = value:{integer} (st|nd|rd|th) | first => value=1 | second => value=2 | third => value=3 | fourth => value=4
            | fifth => value=5 | sixth => value=6 | seventh => value=7 | eighth => value=8 | ninth => value=9
            | tenth => value=10 | eleventh => value=11 | twelfth => value=12 | thirteenth => value=13
            | fourteenth => value=14 | fifteenth => value=15 | sixteenth => value=16 | seventeenth => value=17
            | eighteenth => value=18 | nineteenth => value=19 | twentieth => value=20 | twenty first => value=21
            | twenty second => value=22 | twenty third => value=23
            | twenty fourth => value=24 | twenty fifth => value=25
            | twenty sixth => value=26 | twenty seventh => value=27
            | twenty eighth => value=28 | twenty ninth => value=29 | thirtieth => value=30
            | thirty first => value=31
        """#
}
