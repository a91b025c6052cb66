extension GrammarText {
    /// Reminders in few words, and alarms, in English.
    static let englishAlarms = #"""
        # Seven o'clock, or seven of it? Behind “tomorrow” at the end, and in front of “to”, it is the hour.
        briefly = <bareremind> hour:<barehour> subject:{text} => action=remind cost=110
            | <bareremind> subject:{text} hour:<barehour> => action=remind cost=110
            | <bareremind> <date> hour:<barehour> subject:{text} => action=remind cost=10
            | <bareremind> hour:<barehour> <date> [<toit>] subject:{text} => action=remind
            | <bareremind> [<date>] hour:<barehour> <toit> subject:{text} => action=remind
            # “Oven 5 minutes”: in that time, or for so long?
            | <bareremind> subject:{text} <shortly> => action=remind cost=120
            | <bareremind> [for] {integer} => action=unsaid cost=-5 | <remindme> in {integer} => action=unit cost=-5
            | <remindme> [<to>] <subject> <soon> hour:{integer} => action=remind
            # 5 30 is a time in front of “to” and at the end.
            | <remindme> (at|by|around) <digits> <toit> subject:{text} => action=remind
            | <remindme> [<to>] <subject> [<date>] (at|by|around) <digits> [<date>] => action=remind
            | <bareremind> (at|by|around) <digits> subject:{text} => action=remind cost=10
            # “About 5” is a time, and 5 things are not.
            | <remindme> about subject:<numbered> => action=remind
            | <remindme> {text} (<smallnumber> times|{number} x|twice|thrice) (daily|weekly|monthly|a day|every day) => action=several cost=-20
            | <remindme> {text} [at] some time <day> => action=several cost=-20
            # A slip of the tongue: two times or things, of which one is meant.
            | <remindme> {text} <slip> {text} => action=several cost=-60 | <remindme> <slip> {text} => action=several cost=-20
            | <remindme> <when> (no|sorry|actually|i mean) (<when>|{number}) {text} => action=several cost=-60
            | <remindme> {text} <when> <rather> (<when>|<smallnumber> [<ampm>]) [{text}] => action=several cost=-60
        shortly = inminutes:<smallnumber> (minutes|mins|min) | inhours:<smallnumber> (hours|hrs|hr|hour)
        digits = hour:<barehour> minute:<twodigits> [<ampm>]
        twodigits = 00 => value=0 | 05 => value=5 | 10 => value=10 | 15 => value=15 | 20 => value=20 | 25 => value=25 | 30 => value=30
            | 35 => value=35 | 40 => value=40 | 45 => value=45 | 50 => value=50 | 55 => value=55
        numbered = {number} things:{text}
        bareremind = remind me [please|pls|plz] | reminder => cost=1
        barehour = 1 => value=1 | 2 => value=2 | 3 => value=3 | 4 => value=4 | 5 => value=5 | 6 => value=6 | 7 => value=7
            | 8 => value=8 | 9 => value=9 | 10 => value=10 | 11 => value=11 | 12 => value=12
        soon = today => days=0 | (tomorrow|tmrw|tmr|tmw|tomoz) => days=1 | (tonight|tonite|2nite) => days=0 half=pm
        rather = (no|nope|nah|actually|sorry|oops|i mean|wait|oh wait|no actually|no sorry|or actually|rather) [make (it|that)|let's say|better]
        # What is taken back is neither sent nor set.
        takenback = (call|phone|ring|dial|facetime|navigate|directions|take me to|wake me|set|timer|alarm|start) {text} (<slip>|oops) {text} => action=slip cost=-60
            | (wake me|set|timer|alarm|start) {text} (no|actually|sorry) [make (it|that)] {number} [{text}] => action=slip cost=-60
            | (call|phone|ring|dial|facetime) <personword> (no|sorry|actually|i mean) [call|not] <personword> => action=slip cost=-60
            | (message|text|txt|msg|tell|email|mail|ask) {text} (no make (that|it)|no wait|oh wait|oops i mean|sorry i mean|scratch that
            |strike that|no scratch that|no (text|call|message|tell|email) (not {text}|{person}|{given})) {text} => action=slip cost=-60
        slip = no make (that|it) | oh wait | oops i mean | no i mean | no wait | wait no | no sorry | sorry no | sorry i mean | scratch that | strike that | actually make it | or rather
            | i mean [at] {number}

        alarms = <setting> subject:<alarmonly> [(for|at|to|on)] <when> => action=remind
            | <setting> subject:<alarmonly> (for|to|at) <clock> ([<part>] [<date>]|<date> <part>|[<part>] <every>) => action=remind
            | <setting> subject:<alarmonly> (for|at|to) {hhmm} [<ampm>] [hours] [<date>] => action=remind
            | [<setting>] subject:<alarmonly> [(for|at)] <soon> hour:{integer} => action=remind
            | subject:<timeme> for <duration> => action=remind | start subject:<counting> [from] <duration> => action=remind
        # By itself, where nothing else is said.
        alone = <when> | <duration> | [at] <soon> hour:<barehour> | [at] hour:<barehour> <soon> | <duration> and <duration>
        setting = (set|set up|set me|set me up|create|make|make me|add|put on|schedule|give me|get me|i want|i need|i'd like
            |i would like|can i have|can i get) [a|an|the|my|another]
        alarmonly = [silent|new|second|quiet] alarm => usually=day
        timeme = time me
        counting = counting down
        """#
}
