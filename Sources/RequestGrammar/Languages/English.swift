extension GrammarText {
    /// English: complete.
    package static let english = [englishWishes, englishMessages, englishAlarms, englishMedia, englishTimes]
        .joined(separator: "\n")

    private static let englishWishes = #"""
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

        spell remind reminder remember tomorrow tonight today monday tuesday wednesday thursday friday saturday sunday weekday weekend
        spell january february september october november december minutes directions navigate message search
        times next days week weeks hour hours minute minutes month months year years morning afternoon evening weekend weekday weekdays
        times today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday january february april august
        times september october november december
        known ways bays rays says pays lays augusta sundae sundry frida sundar toddy mourning moaning mouth moth mont tour tours your yours
        known our ours sour pour seek peek geek weed weeds leek nest neat newt net gear gears ear ears bear bears pear pears tear
        known tears dear near fear hear hears wear rear

        request = [<polite>] <wish> [please|pls|plz]
        polite = please | pls | plz | [hey] baton | (hey|ok|okay|hi|well|so|um|uh|uhm|ok so|okay so|so um|hey um|alright|yo) [baton] [please]
            | (hey|ok|okay|um|uh) [baton] (can|could|would|will) you [please|maybe|just] => asked=1
            | (can|could|would|will) you [please|maybe|just] => asked=1
            | please (can|could|would|will) you => asked=1 | would you mind => asked=1
            | (can|could) u [please|pls|plz] => asked=1 | (can|could) you (pls|plz) => asked=1
            | i (want|need) [you] to | i would like [you] to | i wanna
            | (yeah|right|and|also|oh|oh and|ok and|and also|now|sorry|actually) [please] | i'd like [you] to | kindly | do | please to | would you [please] be so kind as to => asked=1 | would you kindly => asked=1
            | (i would|i'd) (be grateful|appreciate it) if you (could|would) => asked=1 | <politely> => asked=1
        politely = [hi|hello|hey|hi there|hello there|hey there] (can|could|would|will) (you|u) [please|pls|plz|possibly|kindly|maybe|just|quickly|perhaps]
            | [i was|i'm|im] (wondering|hoping) (if|that) you (can|could|might|would) [please]
            | (if it's|if its|if it is) not too much (trouble|bother) [please] [(can|could|would) you]
            | would you be (a dear|so kind|kind enough|so good|able) (and|to|as to) | (be a dear|do me a favor|do me a favour) and | (hi|hello|hey) there [please]
            | i need you to | i'd like for you to | let's | lets | ok listen | listen
        wish = <remind> | <briefly> | <alarms> | <directions> | <directions> from (here|my location|my current location) => cost=-1
            | <directions> <means> => action=means | <directions> <when> => action=departure
            | (<moving> <directions>|get <moving> directions [to] {text}) => action=means
            | <directions> (via|through) through:{text} => action=means | <directions> (avoiding|without) {text} => action=means
            | <call> | <video> | <message> | <email> | <media> | <open> | <search> | <show>
            | <takenback> | <volume> | <refused> | <settings> | <calendar> | <timerless>

        # Reminders. The time stands before or behind what is to be done.
        # Without a time all of it is the subject, unless a time and “and” stand within.
        remind = <remindme> [<to>] <subject> <when> => action=remind | <remindme> [<to>] <subject> => action=remind cost=100
            | <remindme> <when> [please] [<to>] <subject> => action=remind
            | <remindme> [<to>] <subject> <when> [please|pls|plz] <thanks> => action=remind
            | <when> [<polite>] <remindme> [<to>] <subject> <thanks> => action=remind cost=1
            | <remindme> [<to>] {text} and [then|also] remind me {text} => action=several
            | <when> [<polite>] <remindme> [<to>] <subject> => action=remind
            # Behind what is to be done, “in” is the end of “check in”, and 1:30 a time of day.
            | <remindme> in {span} [please] [<to>] <subject> => action=remind
            | in {span} [<polite>] <remindme> [<to>] <subject> => action=remind | <remindme> in {span} => action=remind
            | <remindme> <date> [<part>] [<to>] <subject> <hour> => action=remind
            | <date> [<part>] <remindme> <hour> [<to>] <subject> => action=remind
            | <date> [<part>] <remindme> [<to>] <subject> <hour> => action=remind
            | <remindme> <when> => action=remind | <when> [<polite>] <remindme> => action=remind
            | <remindme> [<to>] <subject> <whens> => action=several cost=5
            | <remindme> <whens> [<to>] <subject> => action=several cost=5
            | <whens> [<polite>] <remindme> [<to>] <subject> => action=several cost=5
            | <remindme> <when> [<to>] {text} and [then] <when> <toit> {text} => action=several cost=-5
            | (add|put) subject:{text} [<when>] (to|on) [my|the] <todolist> => action=remind
            | (add|put) subject:{text} (to|on) [my|the] <todolist> <when> => action=remind
            | (add|put) subject:{text} [<when>] (to|on) my list => action=remind
            | (set|start) [a|an|the|my|another] subject:<alarm> [(for|at|to)] <when> => action=remind
            | (set|start) [a|an|another] subject:<alarm> for <duration> => action=remind
            | subject:<alarm> [(for|at)] <when> => action=remind
            | [(set|start) [a|an|the|my|another]] subject:<alarm> (for|to) <clock> [<part>] [<date>] => action=remind
            | [(set|start) [a|an|the|my|another]] subject:<alarm> (for|to) <clock> [<part>] <every> => action=remind
            # Five what? Only where it is plain what follows.
            | <remindme> <beforehour> [<date>] <toit> subject:{text} => action=remind
            | <remindme> <date> <beforehour> <toit> subject:{text} => action=remind
            | <remindme> [<to>] <subject> <beforehour> [<date>] => action=remind
            | <remindme> [<to>] <subject> <date> <beforehour> => action=remind
            | <remindme> <every> [<to>] <subject> <hour> => action=remind
            | <remindme> <hour> [<to>] <subject> (<every>|(every|each) <partofeveryday>) => action=remind
            # “Late” belongs to “be late”.
            | <remindme> [<to>] subject:<untimely> <when> => action=remind
            # “2” is “to” in front of what is plainly to be done.
            | <remindme> [<when>] 2 subject:<deed> [<when>] => action=remind
            | <remindme> in <oddhours> <toit> subject:{text} => action=remind | <remindme> [<to>] <subject> in <oddhours> => action=remind
            | <remindme> [<to>] <subject> at before:<minutes> to => action=remind thishour=1
            | <remindme> again [<when>] => action=unsaid cost=-5 | remind [me] => action=unsaid
            # “Not to eat after 8” is at eight.
            | <remindme> subject:<nottodo> after hour:<smallnumber> [<ampm>] [<date>] => action=remind
            | <remindme> <repeating> for (a|an|<count>) <unitoftime> <toit> {text} => action=several cost=-20
            | <remindme> [<to>] <subject> <nowhere> => action=unseen cost=-5
            | <remindme> <nowhere> [[<to>] {text}] => action=unseen cost=-5
            | <remindme> [<to>] {text} (a|an|half an|<count>) <unitoftime> (before|after) (<day>|<dayend>|<meal>) => action=several cost=-5
            | <nowhere> [<polite>] <remindme> {text} => action=unseen cost=-5
            | <remindme> for [the (next|coming)] <count> <unitoftime> <toit> {text} => action=howlong cost=-20
            | <remindme> [<to>] subject:<this> (later|l8r|soon|sometime|again) => action=vague
            | <remindme> (later|l8r|soon|sometime|again) => action=vague
            | <remindme> <to> <subject> after hour:<smallnumber> [<ampm>] [<date>] => action=remind
            | <remindme> <to> <subject> <date> after hour:<smallnumber> [<ampm>] => action=remind
            | <remindme> [<date>] after hour:<smallnumber> [<ampm>] [<date>] <toit> subject:{text} => action=remind
            | <remindme> for <clock> [<date>] <toit> subject:{text} => action=remind
            | [(set|start) [a|an|the|my|another]] subject:<alarm> (for|at|to) {hhmm} [hours] [<date>] => action=remind
            | [(set|start) [a|an|the|my|another]] subject:<alarmclock> {hhmm} [<ampm>] [hours] [<date>] => action=remind usually=day cost=-1
            | <remindme> at where:<spot> <toit> subject:{text} => action=remind trigger=arrive
            | at where:<spot> <remindme> <toit> subject:{text} => action=remind trigger=arrive
            | (set|start) [a|an|the|my|another] subject:<timer> [for] <duration> [[and] <duration>] => action=remind
            | subject:<timer> [for] <duration> [[and] <duration>] => action=remind
            | (set|start) [a] (<duration>|inminutes:<count> minute) subject:<timer> => action=remind
            | (<duration>|inminutes:<count> minute) subject:<timer> => action=remind
            | (set|start) [a|an] [egg|kitchen] timer for <duration> [[and] <duration>] (called|named|labelled|labeled
            |for [the|my]) subject:{text} => action=remind
            | (set|start) [a|an] (<duration>|inminutes:<count> minute) timer (called|named|labelled|labeled
            |for [the|my]) subject:{text} => action=remind
            | (set|start) [a|an] subject:{single} timer for <duration> [[and] <duration>] => action=remind cost=5
            | subject:<wake> <when> => action=remind usually=am
            | <remindme> [<to>] <subject> <when> and also:{text} => action=several cost=95
            | [<must>] <subject> <when> [please] remind me [please] => action=remind
            | [<must>] <when> <subject> [please] remind me [please] => action=remind
            # They come to the person alone.
            | <remindme> [<to>] subject:<greeting> <when> => action=remind
            | <remindme> <when> [<to>] {text} and [then|also] (tomorrow|tonight|[on] <weekday>) {text} => action=several cost=-5
            | remind (him|her|them|[my] {person}|{given}|my {single}|everyone|everybody) {text} => action=others
        greeting = said:{text} good morning [to whom:{text}] => half=am | said:{text} good (afternoon|evening|night) [to whom:{text}]
        must = i (have to|need to|must|should|gotta|got to|want to)
        # “When I get up” is no place.
        nowhere = (when|once|as soon as|if|whenever) i (get|have|come) (up|in|out|dressed|ready|paid|time|some time|a chance|the chance
            |off (the|my) {single}|(a|an|the) (text|call|message|mail|email|reply|letter|package|parcel|delivery) [from {text}]
            |a minute|a moment|a sec|a second|sick|bored|hungry|tired|lost|married|going|started|done|round to it)
            | (when|once|as soon as) i arrive
        deed = (call|ring|phone|text|email|get|buy|pay|pick|take|send|book|check|make|feed|clean|wash|do|go|order|water) done:{text}
        untimely = [doing:{text}] (be|been|being|is|are|was|up|too|so) (late|early)
            | [doing:{text}] (stay|work|working|sleep|run|running|arrive|come|leave|go|home|open|eat|start|finish|close) late
        oddhours = (an|one) hour and inminutes:<smallnumber> => inhours=1 | inhours:<count> (hours|hrs|hr|hour) [and] inminutes:<twodigits>
        nottodo = not to todo:{text}
        thanks = thanks | thank you | thx | ty | tysm | ta | many thanks | thanks a lot | thanks so much | cheers | ok | okay | alright | if you can | if possible
        whens = <when> [<when>] (and|or) <when>
        beforehour = before hour:<smallnumber> => early=1
        # Only in front: behind what is to be done, “at the station” may as well be a part of it.
        spot = (the|my|a) value:<spotname> | value:<spotname>
        spotname = gym | (supermarket|grocery store|groceries) | store | shop | mall | market | pharmacy | drugstore | bank
            | post office | library | airport | (train|bus|railway|petrol|gas) station | station | bus stop | school
            | (university|uni) | college | kindergarten | daycare | hospital | (doctor's|dentist's|doctor|dentist) | church
            | park | beach | pool | hotel | bakery | garage | restaurant | cafe | pub | bar | cinema | hairdresser
        toit = to | about | that
        alarmclock = alarm
        alarm = alarm => usually=day | reminder
        timer = [egg|kitchen] timer | countdown
        wake = wake me [up] | get me up | alarm me
        remindme = remind me [please|pls|plz|um|uh|er|erm] | remindme | (write|jot|note) down | note | (new|quick) note => cost=1 | (nudge|ping|poke|notify|alert) me | reminding me | remind (us|myself|to me) | make me remember
            | remember me | help me remember | jog my memory | give me a (shout|nudge|ping|poke|buzz) | (i'd|i would) (appreciate|like|love|be grateful for) a reminder
            | (put|stick|pop|throw) [me] a reminder (in|on|up) | i (must|should|have to) remember | (self reminder|memo|task)
            | (create|add|make) a [new] task | (set|create|add|make|schedule|give|get) [me] [a|another] reminder [for me]
            | (i need|i want|can i get|can i have|could i get|could i have) a reminder
            | (don't|dont) let me forget
            | make sure [that] i (remember|don't forget|dont forget) | (new|add) reminder | remember | [please] (don't|dont) forget | do not forget
            | (i want|i'd like|i would like|i need) to be reminded | reminder => cost=1
            | note to self | (make|take) (a note|note) | todo
        to = to | too | ot | about | abt | that [says] | saying | of | for | called | titled | named
        subject = subject:<this> | subject:{text}
        todolist = reminders | reminder list | reminders list | list of reminders | to do list | todo list | to dos | todos
        this = (this|it|that|this (page|place|restaurant|document|message|mail|email|article|thing|one)) => value=this
            | (what i am looking at|what i'm looking at|here) => value=this

        when = <time> | <trigger>
        # Without another time.
        untimed = <smallnumber> (minutes|mins|min|hours|hrs|hour) [to] {single} | (now|asap|immediately|biweekly|bimonthly|semiannually|biannually) {single} | one day {single}
            | <smallnumber> times {single} | {number} [{text}] <toit> {single} | <weekday> {text} <toit> {single}
            | [{single}] [{single}] <timeword> <toit> {single} | <smallnumber> weeks (on|from) {single}
            | [by|at] [the] (start|beginning|end|middle|close) of {single}
        # Nobody means these as the beginning of what is to be done: it would come at no time, or at a wrong one.
        rest = some time {single} | (right now|first thing) <toit> {single} | coming <toit> {single} | [the] next <season> {single} | <weekday> <and> <weekday> {single} | [the] (first|last|next|<nth>) (workday|working day|business day|weekday) [of|in] {single} | within {single} | in (under|less) {single} | (except|but not|excluding) {single} | past <toit> {single} | {number} <unitoftime> <toit> {single} | (to|till|through|thru) <weekday>
            | <weekday> [and|or] <weekday> | this (week|month|year) <toit> | in [the] (<season>|middle of {single}) {single}
            | <weekday> (at|from) {number} | (at|before|after|by|until|till|around|from|between|past) {number}
            | (before|after|until|till|when|whenever|if|unless|while|once|as soon as|every|each|twice|hourly) {single}
            | in (a|an|{number}|<smallnumber>) {single} | (minutes|mins|min|hours|hrs|seconds|secs|days|weeks|months) {single}
            | (a|an|{number}|<smallnumber>) <unitoftime> (before|after)
            | [the] (day|night|evening|morning|week) before | last <weekday> | half an hour (before|after)
            | (from|between) <weekday> {single} | during {single} | in (early|mid|late) {single} | (week|weeks) of {single} | not (before|after|until) {single} | again (to|about|in|at|on|tomorrow) {single}
            | (early|late) (to|on|in|tonight|tomorrow) {single} | in {single} <unitoftime> {single}
            | <oftenrest> {single}
            | (starting|beginning) (in|this|next|<date>) {single} | <duration> (before|after) {single}
            | here (to|about) {single}
            | <date> [<hour>] <toit> {single} | <hour> <toit> {single}
            | (starting|beginning) (at|from|on|tomorrow|today|now) {single}
            | tom (at|morning|afternoon|evening|night|{number}) | (later|soon|sometime|someday) {single}
            | (home|shopping|running|swimming|hiking|cycling|jogging|walking) to {single} | (at|on) {single} | (early|mid|late) <month>
            | <part> {number}
        timeword = morning | afternoon | evening | night | noon | midday | midnight | weekend | week | month | year | day | days | weeks
            | months | hours | minutes | time | o'clock | am | pm | ish | soonish | <weekday>
        # Behind what is to be done. “On Friday” is known, and stands beside another time.
        tail = <relative> | <dayrelative> | on <weekday> | (on|at|by|in) {number} | <often>
            | (at|by|around) {number} (am|pm|p|h|hrs|hours) | {integer} (st|nd|rd|th) | in {number} (then|and|or) {number} <unitoftime>
            | (at|by|around) {number} [am|pm] (pacific|eastern|central|mountain|local|pt|et|ct|mt) | on [the] {number} (st|nd|rd|th) | [on|in|at] [the] next (day|morning|afternoon|evening|night)
            | at (sunset|sunrise|sundown|dawn|dusk) | [the] next time {text}
            | (a|an|half an|<count>) <unitoftime> (before|after|prior to) {text}
            | [the] (day|night|evening|morning|week) (before|after) {text} | before i (leave|go|head) [{text}]
            | (when|once|as soon as) <iam> {text} | after work | on (my|the) way (home|to work) | biweekly | bimonthly | never | at once
            # “On Friday” behind them.
            | <weekday> <weekday> | (at|by|around) {number} (or|and|&|+) {number} | this week | (mon|tue|tues|wed|thu|thur|thurs|fri) | (until|till) {number} | (at|by) (quarter|half) {number} | on arrival
            | in the middle of {single} | (in|by|until) [the] [this|next|early|late] <season> | [the] (this|next|early|late) <season> | (early|mid|late) <month>
            | in {number} (hr|hrs|hour|hours) {number} | for the next {number} {single} | all (day|week|month) | the (morning|day|night) after
            | on {single} (birthday|anniversary)
            | (if|when|once|as soon as) [my|the] {single} (calls|rings|phones|texts|writes|messages|emails|arrives|replies
            |answers) [me] [back]
            | (asap|immediately|right away|straight away|someday) | on the hour | in a (bit|while|moment|sec|jiffy)
            | (a|an|half an|<smallnumber>) <unitoftime> (before|beforehand|earlier|later) | <weekday> {number} | in (five|ten|fifteen|twenty|thirty)
            | unless (it|it's|i|i'm) {text} | when it's {number} | (if|when) it (rains|snows) | at {number} {single} time
            | (from|between) {number} (to|and|until|till) {number} | (on|at) <smallnumber> [<smallnumber>] and <smallnumber>
            | (from|between) <weekday> (to|and|until|till) <weekday>
            | (at|by|after) {number} or (later|so|earlier) | in {number} (business|working) (days|day)
            | (whenever|as soon as) (i|<iam>) {text}
            | when (he|she|they) (gets|get|comes|come|arrives|arrive|calls|call) [{text}]
            # “Ask Anna when I can come” is to be done.
            | (when|once|after|whenever) i (go|get|do|start|finish|wake|eat|drive|shop|cook|travel|meet|buy|visit|walk|run|sleep|work|see|arrive|land
            |return|sit|unlock|lock|put|stop|pick|park|board|pay|cycle|ride|fly|move|enter|close) [{text}]
            | (in|within) [a|an|the|half|half a|half an] [next|<count>] <unitoftime> [time|or so]
            | (on|at|by|before) [the] (thanksgiving|black friday|cyber monday|mother's day|mothers day|father's day|fathers day|easter|easter (sunday
            |monday)|good friday|labor day|memorial day|diwali|hanukkah|ramadan|eid) | a t {number} | <barehour> (15|30|45|00)
            | after (school|class|practice|training|church|[the|my] (meeting|gym|game|show|movie|party|match|lesson|appointment))
            | (if|when) (it's|its|it is) (raining|snowing|sunny|cold|hot|warm|windy|dark) | (in (under|less than)|within) (an|the|{number}|<smallnumber>) <unitoftime>
            | (mid week|midweek|mid-week) | at [my|the] (lunch break|break|tea time|teatime|coffee break) | at (quarter|half|<smallnumber>) (past|to)
            | in (the near future|no time) | in the (next few|coming) (days|weeks|hours|minutes) | if i forget [{text}]
            | when the clock {text} | when my {single} is (charged|ready|done|full|empty|finished)
        # In the middle of it, without a time at its end.
        amid = <date> [<part>] <hour> | <hour> <date> | tomorrow | tonight | (at|by|around) {clock} [<ampm>]
            | (at|by|around) hour:{integer} <ampm> | (at|by|around) <smallnumber> (about|regarding|because|at|in|on)
            | (every|each) (day|morning|afternoon|evening|night|<weekday>)
        # Beside another time, in front of it.
        beside = tomorrow | tonight | today | on <weekday> | (at|by|around) <clock>

        # Places
        directions = (directions|way|route|the way) [to] place:<place> => action=directions
            | (get|give|show|find|i need|i want) [me] [the] (directions|way|route) [to] place:<place> => action=directions
            | navigate [to] place:<place> => action=directions
            | (navigate|take me|go) to site:{site} => action=page cost=-5
            # Without “to” only where there is no doubt: a beer is no place.
            | (take me|lead me|bring me|drive|guide me|drive me|walk me) (to place:<place>|place:<knownspot>) => action=directions
            | [let's] go to place:<knownspot> => action=directions
            | [get] (directions|route) from here to place:<place> => action=directions
            | [get] (directions|route) from {text} [to {text}] => action=elsewhere
            | show me how to get to place:<place> => action=directions | how (do|can) i get (to place:<place>|place:<knownspot>) => action=directions
            | get me to place:<place> => action=directions | (get me|go|let's go) home => action=directions place=home
            | (directions|navigate|get directions) => action=directions place=here
        knownspot = <herewords> => value=here | <homewords> => value=home | <workwords> => value=work | [the] value:{place}
            | (downtown|uptown|midtown) [town:{text}]
        moving = walking | driving | cycling | biking | bike | bus | train | transit
        means = by (bus|bike|bicycle|car|train|tram|foot|boat|public transport) | on foot
        place = <herewords> => value=here | <homewords> => value=home | <workwords> => value=work
            | [the] value:{place} | value:{text}
        shortplace = <herewords> => value=here | <homewords> => value=home cost=-1 | <workwords> => value=work cost=-1
            | [the|my] value:{place} => cost=-2 | value:{name}
        herewords = here | there | this | it | this (place|restaurant|address|location|shop|hotel|bar|cafe|store|office|number)
            | that place
        homewords = home | [to] my (home|place|house|flat|apartment) | [to] the (house|flat|apartment) | back home
        workwords = work | [to] (my|the) office

        # Telephone
        call = <calling> [now|right now|right away|straight away|immediately|at once|for me|asap|quickly|real quick|again]
            # A call is made at once, and to the number that the card has first.
            | (call|phone|ring|dial) party:<party> [back] <when> => action=atonce
            | (call|phone|ring|facetime|video call) <party> later => action=atonce cost=-5 | <when> (call|phone|ring) party:<party> => action=atonce
            | (call|phone|ring) back <when> => action=atonce cost=-6
            | (call|phone|ring) <party> (before|after) <clock> => action=atonce cost=-5
            | (call|phone|ring|dial) party:<party> <whichnumber> => action=number cost=-5
            | (call|phone|ring) party:<party> <through> <messengers> => action=channel
        whichnumber = (at|on) [the|his|her|their] (home|work|mobile|cell|cellphone|landline|office) [phone|number]
        calling = (call|phone|ring|dial|telephone) party:<party> [up] => action=call
            | (call|phone|ring|dial) => action=call party=here
            | give party:<party> a (call|ring) [back] => action=call | (call|phone|ring) back party:<party> => action=call cost=-5
            | (call|phone|ring) party:<party> (up|back) => action=call cost=-5
            | (call|phone|ring) party:<single> on (speaker|speakerphone|the phone) => action=call
            | (call|ring) up party:<party> => action=call cost=-5
            | (make|place|start) a [phone] call (to|with) party:<party> => action=call
            # The one who called last, where an app says who that is.
            | (call|phone|ring) ((them|him|her) back|back [them|him|her]) => action=call party=back cost=-6
            | (call|phone|ring) [back] (the|my) (last caller|[last] missed call|last call) => action=call party=back cost=-6
            | (call|phone|ring) [back] (whoever|who|the [last] person who) [just] called [me] [last] => action=call party=back cost=-6
            | return (the|my|that|his|her|their) [last|missed|last missed] call => action=call party=back
            | get party:<known> on the (phone|line) => action=call | (talk|speak) (to|with) party:<party> => action=call
            | (call|phone|ring) <known> (and|or) <known> => action=onecall cost=-1
        # A call with a picture.
        video = <videocalling> [now|right now|for me] | <videocalling> <when> => action=atonce
        videocalling = (video call|videocall|video chat [with]|videochat [with]|facetime|face time) party:<party> => action=video
            | (facetime|face time) with party:<party> => action=video cost=-5
            | (start|make|begin|do) a (video call|videocall|video chat|facetime|facetime call) (with
            |to) party:<party> => action=video
            | (video call|videocall|facetime call) (with|to) party:<party> => action=video
            | call party:<party> (on|with|over|by|via) (video|facetime) => action=video
            | facetime audio party:<party> => action=call
            | (video call|videocall|facetime|face time) ((them|him|her) back|back [them|him|her]) => action=video party=back cost=-6
        party = <herewords> => value=here | (them|him|her|this person) => value=them | [my] value:{person} => cost=-1
            | [the] value:{place} | value:{name} | my value:{name}

        # What brings a reminder back
        trigger = (when|once|as soon as|as|if|while|the next time|next time|the moment|the minute|the second) <event>
            | (upon|when) (arriving|getting) [back] [at|in|to] where:<shortplace> => trigger=arrive
            | (upon|when) leaving where:<shortplace> => trigger=leave
            | on (arrival|arriving) [at|in] where:<shortplace> => trigger=arrive
            | on (leaving|departure from) where:<shortplace> => trigger=leave | (upon|when|on) leaving => trigger=leave where=here
            | on (my|the) way home => trigger=leave where=work | on (my|the) way to work => trigger=leave where=home
            | after work => trigger=leave where=work
            | at where:<placeonly> => trigger=arrive
        placeonly = home => value=home | work => value=work | the office => value=work | [the|my] value:{place}
        event = <iam> (near|close to|around) where:<shortplace> => trigger=arrive
            | i (pass|pass by|get near) where:<shortplace> => trigger=arrive
            | i (get|come|return|arrive) [back] [to|2|at|in|into] where:<shortplace> => trigger=arrive
            | i (get|come|return|arrive) [back] home from {text} => trigger=arrive where=home
            | i (go|head) [back] to where:<shortplace> => trigger=arrive
            | <iam> [back] (at|in) where:<shortplace> => trigger=arrive
            | <iam> [back] where:<placeonly> => trigger=arrive
            | <iam> here [again] => trigger=arrive where=here
            | i (reach|enter) where:<shortplace> => trigger=arrive
            | <iam> in the where:<shortplace> => trigger=arrive cost=1
            | i (leave|exit) where:<shortplace> => trigger=leave
            | <iam> leaving where:<shortplace> => trigger=leave
            | i leave for (work|the office|school) => trigger=leave where=home cost=-12
            | (i get off|i get off from|i finish|<iam> done with|<iam> done at) work => trigger=leave where=work cost=-12
            | i (leave|go) [out] => trigger=leave where=here
            | i go away from where:<shortplace> => trigger=leave
            | i connect [to] [my|the] device:<device> => trigger=connect
            | [my|the] device:<device> (connects|connect|is connected|are connected) => trigger=connect
            | [my|the] {single} (connects|connect|is connected) to [my|the] device:<devicenoun> => trigger=connect
            | (i put on|i plug in) (my|the) device:<devicenoun> => trigger=connect
            | i put (my|the) device:<devicenoun> on => trigger=connect
            | (<iam> in|i get in|i get into|i enter) (my|the) device:<vehicle> => trigger=connect cost=-1
            | i disconnect [from] [my|the] device:<device> => trigger=disconnect
            | [my|the] device:<device> (disconnects|disconnect|is disconnected|are disconnected) => trigger=disconnect
            | (i take off|i unplug) (my|the) device:<devicenoun> => trigger=disconnect cost=-1
            | (i leave|i get out of) (my|the) device:<vehicle> => trigger=disconnect cost=-1
            | i [next] (open|use|launch|start|am in|go to) [the] [app] app:{app} [app] => trigger=open
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
        someone = (them|him|her) => value=them | [my] value:{person} | [my] value:{given} | value:{name}
        """#
}
