extension GrammarText {
    /// English: complete.
    package static let english = #"""
        language en
        clock 12
        apostrophe keep
        example remind me to buy milk tomorrow at 6
        example remind me about this when I get home
        example directions to Yank Sing
        example call this place
        example message Anna I am late
        example play some jazz
        example open Mail
        example search for dumplings

        spell remind reminder tomorrow tonight today monday tuesday wednesday thursday friday saturday sunday weekday weekend
        spell january february september october november december minutes directions navigate message search

        request = [<polite>] <wish> [please|pls|plz]
        polite = please | pls | plz | [hey] baton | (hey|ok|okay|hi|well|so) [baton] [please]
            | (hey|ok|okay) [baton] (can|could|would|will) you [please] => asked=1
            | (can|could|would|will) you [please] => asked=1
            | (can|could) u [please|pls|plz] => asked=1 | (can|could) you (pls|plz) => asked=1
            | i (want|need) [you] to | i would like [you] to
            | i'd like [you] to
        wish = <remind> | <directions> | <call> | <video> | <message> | <media> | <open> | <search> | <show> | <volume>
            | <refused>

        # Reminders. The time stands before or behind what is to be done.
        # Without a time all of it is the subject, unless a time and “and” stand within.
        remind = <remindme> [<to>] <subject> <when> => action=remind | <remindme> [<to>] <subject> => action=remind cost=100
            | <remindme> <when> [<to>] <subject> => action=remind
            | <when> <remindme> [<to>] <subject> => action=remind
            | <remindme> <date> [<part>] [<to>] <subject> <hour> => action=remind
            | <date> [<part>] <remindme> [<to>] <subject> <hour> => action=remind
            | <remindme> <when> => action=remind | <when> <remindme> => action=remind
            | <remindme> [<to>] <subject> <whens> => action=several cost=5
            | <remindme> <whens> [<to>] <subject> => action=several cost=5
            | <whens> <remindme> [<to>] <subject> => action=several cost=5
            | (set|start) [a|an] subject:<alarm> [(for|at)] <when> => action=remind
            | subject:<alarm> [(for|at)] <when> => action=remind
            | [(set|start) [a|an]] subject:<alarm> for <clock> [<part>] [<date>] => action=remind
            # Five what? Only where it is plain what follows.
            | <remindme> <beforehour> [<date>] <toit> subject:{text} => action=remind
            | <remindme> <date> <beforehour> <toit> subject:{text} => action=remind
            | <remindme> [<to>] <subject> <beforehour> [<date>] => action=remind
            | <remindme> [<to>] <subject> <date> <beforehour> => action=remind
            | <remindme> <every> [<to>] <subject> <hour> => action=remind
            | <remindme> <hour> [<to>] <subject> (<every>|(every|each) <partofeveryday>) => action=remind
            | <remindme> again [<when>] => action=unsaid cost=-5
            | <remindme> for <count> <unitoftime> <toit> {text} => action=howlong cost=-20
            | <remindme> [<to>] subject:<this> (later|soon|sometime|again) => action=vague
            | <remindme> <to> <subject> after hour:<smallnumber> [<date>] => action=remind
            | <remindme> at where:<spot> <toit> subject:{text} => action=remind trigger=arrive
            | at where:<spot> <remindme> <toit> subject:{text} => action=remind trigger=arrive
            | (set|start) [a|an] subject:<timer> [for] <duration> => action=remind
            | subject:<timer> [for] <duration> => action=remind
            | (set|start) [a] (<duration>|inminutes:<count> minute) subject:<timer> => action=remind
            | subject:<wake> <when> => action=remind usually=am
            | <remindme> [<to>] <subject> <when> and also:{text} => action=several cost=95
        whens = <when> [<when>] and <when>
        beforehour = before hour:<smallnumber> => early=1
        # Only in front: behind what is to be done, “at the station” may as well be a part of it.
        spot = (the|my|a) value:<spotname> | value:<spotname>
        spotname = gym | (supermarket|grocery store|groceries) | store | shop | mall | market | pharmacy | drugstore | bank
            | post office | library | airport | (train|bus|railway|petrol|gas) station | station | bus stop | school
            | (university|uni) | college | kindergarten | daycare | hospital | (doctor's|dentist's|doctor|dentist) | church
            | park | beach | pool | hotel | bakery | garage | restaurant | cafe | pub | bar | cinema | hairdresser
        toit = to | about | that
        alarm = alarm | reminder
        timer = timer
        wake = wake me [up]
        remindme = remind me | (set|create|add|make) [a] reminder [for me] | (i need|i want) a reminder
            | (don't|dont) let me forget
            | make sure i remember | (new|add) reminder | remember | [please] (don't|dont) forget | do not forget
            | (i want|i'd like|i would like|i need) to be reminded | reminder => cost=1
        to = to | about | abt | that | of | for
        subject = subject:<this> | subject:{text}
        this = (this|it|that|this (page|place|restaurant|document|message|mail|email|article|thing|one)) => value=this
            | (what i am looking at|what i'm looking at|here) => value=this

        when = <time> | <trigger>
        # Without another time.
        untimed = <smallnumber> times {single} | {number} [{text}] <toit> {single} | <weekday> {text} <toit> {single}
        # Nobody means these as the beginning of what is to be done: it would come at no time, or at a wrong one.
        rest = (except|but not|excluding) {single} | {number} <unitoftime> <toit> {single} | (to|till|through|thru) <weekday>
            | <weekday> (at|from) {number} | (at|before|after|by|until|till|around|from|between|past) {number}
            | (before|after|until|till|when|whenever|if|unless|while|once|as soon as|every|each|twice|hourly) {single}
            | in (a|an|{number}|<smallnumber>) {single} | (minutes|mins|min|hours|hrs|seconds|secs) {single}
            | (a|an|{number}|<smallnumber>) <unitoftime> (before|after)
            | [the] (day|night|evening|morning|week) before | last <weekday> | half an hour (before|after)
            | <date> [<hour>] <toit> {single} | <hour> <toit> {single}
            | (starting|beginning) (at|from|on|tomorrow|today|now) {single}
            | tom (at|morning|afternoon|evening|night|{number}) | (later|soon|sometime|someday) {single}
            | (at|on) {single} | (early|mid|late) <month> | <part> {number}
        unitoftime = minute | minutes | minute | mins | min | hours | hour | h | days | day | weeks | week

        # Places
        directions = (directions|way|route|the way) [to] place:<place> => action=directions
            | (get|give|show|find|i need|i want) [me] [the] (directions|way|route) [to] place:<place> => action=directions
            | (navigate|take me|lead me|bring me|drive|guide me|drive me|walk me) [to] place:<place> => action=directions
            | [get] (directions|route) from here to place:<place> => action=directions
            | [get] (directions|route) from {text} to {text} => action=elsewhere
            | how do i get [to] place:<place> => action=directions
            | get me to place:<place> => action=directions | get me home => action=directions place=home
            | (directions|navigate|get directions) => action=directions place=here
        place = <herewords> => value=here | <homewords> => value=home | <workwords> => value=work
            | [the] value:{place} | value:{text}
        shortplace = <herewords> => value=here | <homewords> => value=home cost=-1 | <workwords> => value=work cost=-1
            | [the|my] value:{place} => cost=-2 | value:{name}
        herewords = here | there | this | it | this (place|restaurant|address|location|shop|hotel|bar|cafe|store|office)
            | that place
        homewords = home | [to] my (home|place|house|flat|apartment) | [to] the (house|flat|apartment) | back home
        workwords = work | [to] (my|the) office

        # Telephone
        call = (call|phone|ring|dial|telephone) party:<party> [up] => action=call
            | (call|phone|ring|dial) => action=call party=here
            | give party:<party> a (call|ring) => action=call | (call|phone|ring) back party:<party> => action=call cost=-5
            | (call|phone|ring) party:<party> (up|back) => action=call cost=-5
            | (call|phone|ring) party:<known> on (speaker|speakerphone|the phone) => action=call
            | (call|ring) up party:<party> => action=call cost=-5
            | (make a call to|start a call with|place a call to) party:<party> => action=call
        # A call with a picture.
        video = (video call|videocall|video chat [with]|videochat [with]|facetime|face time) party:<party> => action=video
            | (start|make|begin|do) a (video call|videocall|video chat|facetime|facetime call) (with
            |to) party:<party> => action=video
            | (video call|videocall|facetime call) (with|to) party:<party> => action=video
            | call party:<party> (on|with|over|by|via) (video|facetime) => action=video
            | facetime audio party:<party> => action=call
        party = <herewords> => value=here | (them|him|her|this person) => value=them | [my] value:{person} => cost=-1
            | [the] value:{place} | value:{name}

        # Messages
        message = let party:<known> know [that] text:{text} => action=message
            | let party:<single> know [that] text:{text} => action=message
            | (e|write an e|send an e) mail [to] party:<addressee> [<says> text:{text}] => action=message
            | (email|write an email to|send an email to) party:<addressee> [(<says>|about) text:{text}] => action=message
            | (message|text|txt|tell|write|write to|msg) party:<addressee> <says> text:{text} => action=message
            | (message|text|txt|write to|msg) party:<addressee> => action=message
            | (send|write) [a] (message|text|msg|txt) to party:<addressee> [<says> text:{text}] => action=message
            | (send|write) [a] (message|text|msg|txt) to party:<known> text:{text} => action=message
            | send party:<addressee> (a|the) (message|text|msg|txt) [<says> text:{text}] => action=message
            | (message|text|txt|msg|tell) party:<known> text:{text} => action=message
            | (message|text|txt|msg|tell) party:<single> text:{text} => action=message
            | send text:{text} to party:<addressee> => action=message cost=15
        says = (that|which) says => cost=-1 | that | saying [that] | to say [that]
        addressee = <known> | value:{fullname}
        known = (them|him|her) => value=them | <herewords> => value=here | [my] value:{person}
        # A name of one word, where the text begins at once. “Text Bob hello” may be a name of two: who is known decides.
        single = value:{person} | value:{single}

        # Media
        media = play [some] media:{text} => action=play | play next => action=next | play previous => action=previous
            | (listen to|put on) media:{text} => action=play
            | (play|resume|play [some] (music|songs)|continue [playing]|unpause|continue the music) => action=play
            | (pause|stop [playing]|(pause|stop) playback|be quiet|pause (it|this|music)|(stop|pause) [the] (music|song|video)
            |stop (it|this)|turn [the] music off|turn off [the] music) => action=pause
            | (next|skip|skip (it|this|this song|this track)|(next|skip) [the] (song|track|one)|play [the] next (song|track
            |one)|skip to [the] next (song|track|one)) => action=next
            | (previous|back|(previous|last) (song|track|one)|[go] back [one|a] (song|track)|play [the] (previous|last) (song
            |track|one)) => action=previous

        # Apps and search
        open = (open|launch|start|run|show me|switch to|go to) [the] [app] app:<app> [app] => action=open
        app = value:{app} | value:{name}
        search = (search|find|look) for text:{text} => action=search
            | (search|find|look up|google) text:{text} => action=search
            | where is text:{text} => action=search
            | show [me] everything about text:{text} => action=search

        # What is only said
        show = (what's|whats|what is|whats currently|what's currently|what is currently) [now] playing [now|right now
            |here] => action=playing
            | (what|which) (song|track|music|tune) is (this|that|playing|it|on) [now|right now] => action=playing
            | (what's|whats|what is) [the name of] (this|that) (song|track|tune|music) [called] => action=playing
            | what am i listening to => action=playing | (what's|whats|what is) the name of (this|that) => action=playing
            | <showme> <reminders> => action=reminders | <reminders> => action=reminders
            | <showme> <reminders> (for|due|of) today => action=remindersToday
            | <reminders> [for|due] today => action=remindersToday
            | <showme> <todays> reminders => action=remindersToday | <todays> reminders => action=remindersToday
            | what do i have to do today => action=remindersToday
            # Each with its time.
            | [<showme>] <reminders> [for|due|on] (<day>|this week|<dayend>) => action=reminders cost=2
            | (what|which) reminders (do i have|are there) [today] => action=reminders cost=1
            | (what|which) reminders (do i have|are there) [for] today => action=remindersToday
            | [do i have] any reminders => action=reminders | do i have reminders => action=reminders
            | any reminders [for] today => action=remindersToday
            | do i have [any] reminders [for] today => action=remindersToday
        todays = today's | todays
        showme = (show|list|read|tell|give|display|see|check|view) [me] | (what are|what're|whats|what's|what is)
        reminders = [all] [of] [my|the] reminders | [my] reminder list | my (reminder|reminders) list

        # Not understood, and it says why.
        volume = (turn|crank) (up|down) [the] (volume|sound|music|it) => action=volume
            | turn [the] (volume|sound|music|it) (up|down) => action=volume | [the] volume (up|down) => action=volume
            | (turn|make) it (louder|quieter|softer) => action=volume | (louder|quieter|softer|mute|unmute) => action=volume
            | (mute|unmute) [the] (sound|volume|music|it) => action=volume
            | (raise|increase|lower|decrease|reduce|change) [the] volume => action=volume
            | (set|change|turn|lower|raise) [the] volume to {text} => action=volume

        refused = (pay|transfer|wire|venmo|paypal) {text} => action=payment cost=5
            | send [party:<known>] {text} <currency> [{text}] => action=payment cost=-10
            | send {text} <currency> to {text} => action=payment cost=-10
            | request {text} <currency> [from {text}] => action=payment
            | (get|book|order|call|find|request|hail) [me|us] (a|an) (<cab>|ride) [{text}] => action=ride cost=-20
            | <cab> to {text} => action=ride
            | (snooze|dismiss) [{text}] => action=change
            | (complete|finish|mark|check off|tick off|delete|remove|cancel|clear|change|move|edit|reschedule|postpone|update
            |stop|turn off) [{text}] (<reminders>|reminder|alarm|alarms|timer) [{text}] => action=change
            | mark {text} [as] (done|complete|completed) => action=change
        currency = euros | euro | dollars | dollar | bucks | pounds | quid | eur | usd | gbp
        cab = taxi | cab | uber | lyft | car

        # What brings a reminder back
        trigger = (when|once|as soon as|if|the next time|next time) <event>
            | on (arrival|arriving) [at|in] where:<shortplace> => trigger=arrive
            | on (leaving|departure from) where:<shortplace> => trigger=leave
            | on my way home => trigger=leave where=work
            | after work => trigger=leave where=work
            | at where:<placeonly> => trigger=arrive
        placeonly = home => value=home | work => value=work | the office => value=work | [the|my] value:{place}
        event = <iam> (near|close to|around) where:<shortplace> => trigger=arrive
            | i (pass|pass by|get near) where:<shortplace> => trigger=arrive
            | i (get|come|return|arrive) [back] [to|2|at|in] where:<shortplace> => trigger=arrive
            | <iam> [back] (at|in) where:<shortplace> => trigger=arrive
            | <iam> [back] where:<placeonly> => trigger=arrive
            | <iam> here [again] => trigger=arrive where=here
            | i (reach|enter) where:<shortplace> => trigger=arrive
            | <iam> in the where:<shortplace> => trigger=arrive cost=1
            | i (leave|exit) where:<shortplace> => trigger=leave
            | <iam> leaving where:<shortplace> => trigger=leave
            | i (leave|go) => trigger=leave where=here
            | i go away from where:<shortplace> => trigger=leave
            | i connect [to] [my|the] device:<device> => trigger=connect
            | [my|the] device:<device> (connects|connect|is connected|are connected) => trigger=connect
            | (i put on|i plug in) (my|the) device:<devicenoun> => trigger=connect
            | (<iam> in|i get in|i get into|i enter) (my|the) device:<vehicle> => trigger=connect cost=-1
            | i disconnect [from] [my|the] device:<device> => trigger=disconnect
            | [my|the] device:<device> (disconnects|disconnect|is disconnected|are disconnected) => trigger=disconnect
            | (i take off|i unplug) (my|the) device:<devicenoun> => trigger=disconnect cost=-1
            | (i leave|i get out of) (my|the) device:<vehicle> => trigger=disconnect cost=-1
            | i (open|use|launch|start|am in|go to) [the] [app] app:{app} [app] => trigger=open
            | i (open|use|launch|start) [the] [app] app:{name} [app] => trigger=open
            | i [next] (message|text|write|write to) who:<someone> => trigger=messaged
            | <iam> (messaging|texting|writing to) who:<someone> => trigger=messaged
            | i [next] (call|phone|ring) who:<someone> => trigger=called
            | i [next] (talk|speak) (to|with) who:<someone> => trigger=contacted
            | i (contact|reach) who:<someone> => trigger=contacted
        iam = i'm | i am | im
        device = value:{device} | value:{name}
        devicenoun = value:{device} | value:<noun>
        noun = value:{single}
        # A room, a shop and a gym are places: only these are left and entered as devices.
        vehicle = value:{device} | (car|truck|van) => value=car
        someone = (them|him|her) => value=them | [my] value:{person} | value:{name}

        # Times
        time = [(for|by)] <moment> | <repeating>
        moment = <date> [<part>] [<hour>] | <date> <hour> <part> | <hour> [<part>] [<date>] [<part>]
            | <part> [<date>] [<hour>] | <relative>
            | <dayrelative> [<part>] [<hour>]
        hour = (at|by|around|@|about) <clock> [sharp|ish] [<inzone>] | [at|by|around] <plainclock> [sharp] [<inzone>]
            | (at|by|around|@) {hhmm} [<ampm>] [hours] [<inzone>] => cost=-1 | {hhmm} <ampm> [<inzone>] => cost=-1
            | before <plainclock> [sharp] [<inzone>] => early=1
            | before (bed|bedtime|going to bed|i go to bed|sleeping) => hour=10 half=pm early=1
        inzone = zone:{zone} [time] | zone:{city} time
        # Without “at”, only what is plainly a time.
        plainclock = {clock} [<ampm>] | hour:{integer} <ampm> | hour:<smallnumber> o'clock [<ampm>] | <spoken> | <fixed>
        clock = hour:{integer} h | {clock} [<ampm>] | hour:<smallnumber> [<ampm>] [o'clock] | <spoken> | <fixed>
            | hour:<smallnumber> minute:<minuteword> [<ampm>]
        spoken = [a] after:<minutes> (past|after) hour:<smallnumber> [<ampm>] [o'clock]
            | [a] before:<minutes> (to|before|till|of) hour:<smallnumber> [<ampm>] [o'clock]
            | half past hour:<smallnumber> [<ampm>] => after=30
            | half hour:<smallnumber> [<ampm>] => after=30
        minutes = quarter => value=15 | <smallnumber> [minutes]
        ampm = am => half=am | pm => half=pm
        fixed = (noon|midday|lunchtime|lunch|lunch time) => hour=12 minute=0 half=pm
            | (dinner|dinnertime|dinner time) => hour=7 minute=0 half=pm
            | (breakfast|breakfast time) => hour=8 minute=0 half=am | (bedtime|bed time) => hour=10 minute=0 half=pm
            | midnight => hour=0 minute=0
        part = first thing in the morning => parthour=8 half=am | [in the] morning => parthour=9 half=am
            | [in the] afternoon => parthour=15 half=pm
            | [in the] evening => parthour=19 half=pm | (at|in the|during the) night => parthour=21 half=night
            | night => parthour=21 half=night

        date = <day> | (on|by|until|for) <day> | before <day> => early=1 | <nthday> | first thing <day> => parthour=8 half=am
            | <day> first thing => parthour=8 half=am
            | [on|in] the morning of <day> => parthour=9 half=am | [on|in] the afternoon of <day> => parthour=15 half=pm
            | [on|in] the evening of <day> => parthour=19 half=pm
            | before <dayend> => early=1 | (at|by|on) <dayend> | <dayend>
        day = today => days=0 | yesterday => days=-1 | (tonight|later tonight) => days=0 parthour=20 half=night
            | later today => days=0
            | (tomorrow|tmrw|tmr|tmw|tomoz|2 morrow|2 moro) => days=1 | [the] day after tomorrow => days=2
            | this morning => days=0 parthour=9 half=am | this afternoon => days=0 parthour=15 half=pm
            | this evening => days=0 parthour=19 half=pm
            | first thing [on] <weekday> => parthour=8 half=am
            | <weekday> | (this|coming|this coming) <weekday> => which=this | next <weekday> => which=next
            | <weekday> next week => which=next | <weekday> week => which=after | a week on <weekday> => which=after
            | [the] <weekday> after next => which=afternext | named:<weekdayvalue> <calendardate>
            | [the] day:<ordinal> of next month => next=month | next month on the day:<ordinal> => next=month
            | [the|this] weekend => next=weekend | next weekend => next=weekend
            | next week => next=week | next month => next=month | next year => next=year
            | <calendardate> | <holiday> | in month:<month> [year:<year>] | a week from <weekday> => which=after
        nthday = [on] [the] <nth> <weekday> (of|in) [the|this] month
            | [on] [the] <nth> <weekday> (of|in) next month => next=month
            | [on] [the] <nth> <weekday> (of|in) month:<month>
        nth = first => nth=1 | second => nth=2 | third => nth=3 | fourth => nth=4 | last => nth=-1
        dayend = [at|over] the weekend => next=weekend
            | ([the] end of [the|this] day|eod|end of business|close of business|cob) => end=day hour=17 half=pm
            | [the] last day of [the|this] month => end=month | [the] last day of next month => end=month next=month
            | [the] (beginning|start) of next month => next=month | [the] (beginning|start) of next week => next=week
            | (eow|end of week) => end=week | eom => end=month
            | [the] end of [the|this] week => end=week | [the] end of [the|this] month => end=month
            | [the] end of next month => end=month next=month | [the] end of [the|this] year => end=year | <holiday>
        calendardate = {date} | [the] day:<dayofmonth> [of] month:<month> [year:<year>]
            | month:<month> [the] day:<dayofmonth> [year:<year>] | the day:<ordinal> [of this month]
        year = {integer}
        dayofmonth = <ordinal> | {integer}
        holiday = christmas eve => month=12 day=24 | christmas [day] => month=12 day=25 | boxing day => month=12 day=26
            | new year's eve => month=12 day=31 | (new year|new year's|new year's day) => month=1 day=1
            | halloween => month=10 day=31 | valentine's [day] => month=2 day=14
            | (saint patrick's day|st patrick's day) => month=3 day=17
            | (april fools|april fools'|april fool's) [day] => month=4 day=1 | may day => month=5 day=1
            | (independence day|the fourth of july) => month=7 day=4 | veterans day => month=11 day=11
            | epiphany => month=1 day=6 | (all saints|all saints') day => month=11 day=1

        relative = (in|after) <duration> [and <duration>] | <duration> from now
        duration = inhours:{half} (hours|hrs|hour|h) => inminutes=30 | inminutes:{half} (minutes|mins|min) => inseconds=30
            | (a|one) (second|moment) => inseconds=1 | inseconds:<count> (seconds|secs|sec)
            | (a|one) minute => inminutes=1 | inminutes:<count> (minutes|mins|min)
            | (half an hour|a half hour|half hour) => inminutes=30
            | ([a] quarter of an hour|a quarter hour) => inminutes=15
            | three quarters of an hour => inminutes=45 | (an|one) hour and a half => inhours=1 inminutes=30
            | inhours:<count> and a half hours => inminutes=30 | (an|one|a) (hour|h) => inhours=1
            | inhours:<count> (hours|hrs|h|hr|hour) [inminutes:<count> (minutes|mins|min|m)]
            | (an|one) hour inminutes:<count> (minutes|min) => inhours=1
        dayrelative = in inweeks:{half} weeks => indays=3 | in (a|one) day => indays=1 | (in|after) indays:<count> days
            | in (a|one) week => inweeks=1
            | (in|after) inweeks:<count> weeks | in a fortnight => inweeks=2
            | a fortnight from (now|today) => inweeks=2 | in (a|one) month => inmonths=1
            | (in|after) inmonths:<count> months | in (a|one) year => inyears=1 | (in|after) inyears:<count> years
            | indays:<count> days from (now|today) | a week from (now|today) => inweeks=1
            | inweeks:<count> weeks from (now|today) | a week from tomorrow => indays=8
        count = <smallnumber> | a couple [of] => value=2 | a few => value=3

        repeating = <every> [<part>] [<hour>] | <hour> [<part>] <every> | (every|each) <partofeveryday> [<hour>]
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
            | every (other|second) month => repeat=month interval=2
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
            | ((every|each) (weekday|workday)|on (weekdays|workdays)|weekdays) => repeat=workday
            | ((every|each) weekend|(on|at) weekends|weekends) => repeat=weekend
            | (every|each) <weekday> [and weekday2:<weekdayvalue>] => repeat=week
            | (every|each) <weekday> weekday2:<weekdayvalue> and weekday3:<weekdayvalue> => repeat=week
            | every (other|second) <weekday> => repeat=week interval=2
            | [on] <weekdays> [and weekday2:<weekdaysvalue>] => repeat=week
            | every month on the day:<dayofmonth> => repeat=month
            | [on] the day:<ordinal> of (every|each) month => repeat=month
            | every year on <calendardate> => repeat=year | every <holiday> => repeat=year
            | every day:<dayofmonth> [of] month:<month> => repeat=year
            | every month:<month> day:<dayofmonth> => repeat=year
        partofeveryday = morning => repeat=day parthour=9 half=am | afternoon => repeat=day parthour=15 half=pm
            | evening => repeat=day parthour=19 half=pm | night => repeat=day parthour=21 half=night

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
