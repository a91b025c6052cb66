extension GrammarText {
    /// Media, apps, searches and questions, in English.
    static let englishMedia = #"""
        # Media
        media = play [some] media:{text} => action=play | play me [some] media:{text} => action=play | play again => action=mode cost=-5
            | (put on|listen to|watch|hear) (music|songs|something|anything) (by|from) media:{text} => action=play cost=-1
            | play us [some] media:{text} => action=play | put [some|the|my] media:{text} on [for me] => action=play cost=5
            | put (something|anything|music|some music) on by media:{text} => action=play
            # It plays at once.
            | (play|put on|start|listen to) [me] (music|some music|the music|my music|something|a song|songs|the radio|it) <when> => action=playlater cost=-5
            | (stop|pause|resume) [playing] [the|my] [music|song|radio|podcast|film|movie|it] <when> => action=playlater
            | (stop|pause) [playing] [the|my] [music|song|radio|podcast|film|movie|it] (for <duration>|after <duration>|later) => action=playlater
            | (play|put on) [some] media:{text} for me => action=play | start playing [some] media:{text} => action=play
            | start playing [[some|the|my] music] => action=play
            | (i want to|i wanna|i'd like to|i would like to|let me) (hear|listen to) [some] media:{text} [thanks|thank you] => action=play
            | let me hear (it|this|that) => action=play
            | (resume|continue) [the|my] (podcast|audiobook|album|playlist|video|movie|film|radio|episode) => action=play
            | play next => action=next | play previous => action=previous
            | (listen to|put on|watch) media:{text} => action=play
            | (watch|play|put on) (the|a) (movie|film|video|show|series|episode|documentary) media:{text} => action=play cost=-1
            | listen to (some|the (album|song|track|playlist|podcast)) media:{text} => action=play cost=-1
            # Neither is said to a player.
            | <playing> [{text}] <mode> => action=mode | (shuffle|repeat|loop) [{text}] => action=mode cost=5
            | play (it|that|this|[the|this|that] (song|track)) again => action=mode
            | (start|restart) [the|this] (song|track) [over|again] => action=mode | start over => action=mode cost=-5
            | turn [on|off] (shuffle|repeat) [on|off] => action=mode
            | <playing> [{text}] (on|through|over|via|to|from) (the|my|this|our|a) [<room>] <speakers> => action=player
            | <playing> {text} (on|through|over|via|with|using) [the|my] ({device}|{app}|<players>) => action=player
            | (move|transfer) [the|this|my] (music|song|playback|video|film|movie) (to|onto) {text} => action=player
            | play [the] (album|song|track|playlist) media:{text} => action=play cost=-1
            | play [some] (music|songs|something|anything) by media:{text} => action=play cost=-1
            | (play|listen to|watch) (this|it|that) [song|track|album|video|movie|film|one] [now] => action=play
            | <playing> {text} in [the] <players> => action=player | (play|put on) (my|the) music => action=play
            | play [me] (something|anything|a song|some music|music) [for me] => action=play | play a (song|track) by media:{text} => action=play cost=-1
            | put on [some] (music|songs) => action=play
            | (put [some|the] music on|turn [the] music on|turn on [the|some] music|start [the] music) => action=play
            | put on some media:{text} => action=play
            | resume [the] (music|song|track|playback) => action=play
            | (play|resume|play [some] (music|songs)|continue [playing]|keep playing|unpause|continue the music) => action=play
            | (pause|stop [playing]|stop playing [the|this] (music|song|video)|stop that|(pause|stop) playback|be quiet|pause (it|this|music)|(stop|pause) [the] (music|song|video)
            |(pause|stop) [the|this|my] (podcast|film|movie|audiobook|album|radio)|stop (it|this)|turn [the] music off|turn off [the] music) => action=pause
            | (next|skip|skip (it|this|this song|this track|this one)|(next|skip) [the] (song|track|one)|play [the] next (song|track
            |one|episode|video)|(next|skip) [the] (episode|video)|(skip|go) to [the] next (song|track|one)) => action=next
            | (previous|back|(previous|last) (song|track|one)|[go] back [one|a] (song|track)|play [the] (previous|last) (song
            |track|one)|(go|skip) [back] to the (previous|last) (song|track|one)) => action=previous

        playing = play | put on | listen to | watch
        mode = on (shuffle|repeat|loop|random) | on a loop | in a loop | in (shuffle|repeat) mode | in random order | shuffled
            | at random
        room = living room | kitchen | bedroom | bathroom | office | dining room | bluetooth | car
        speakers = speaker | speakers | phone | iphone | smartphone | tv | television | computer | pc | laptop | tablet | ipad
            | headphones | earphones | earbuds | airpods | stereo | hifi | sound system | soundbar
        players = spotify | youtube | apple music | tidal | deezer | soundcloud | netflix | vlc

        # Apps and search
        # A page by its address, whatever app or browser opens it.
        open = site:{site} => action=page
            | (open|open up|launch|start|run|show|show me|go to|visit|browse to|browse|bring up|pull up|load) [the|my] [page|site|website|web page|web site|url
            |address] [at] site:{site} [please] => action=page
            | (open|open up|launch|show|show me|go to|visit) [the] [page|site|website] {site} (in|with) {text} => action=browser cost=-20
            | (open|open up|launch|start|run|show me|switch to|go to|bring up) [the|my] [app] app:<app> [app] [now|for me] => action=open
            | show [the|my] app:{app} => action=open cost=3
        app = value:{app} | value:{name}
        search = (search|find|look) for text:{text} => action=search
            | search (the web|the internet|online|google|bing|duckduckgo) for text:{text} => action=search
            | search [in] [my] <searched> for text:{text} => action=search
            | (search|find|look) [for] text:{text} in my <searched> => action=search
            | (search|find|look up|google) text:{text} => action=search | find me text:{text} => action=search
            | (where is|where's|is there|are there [any]) place:<nearby> => action=directions
            | (what's|whats|what is|who's|who is|anything|anyone|something) <nearme> => action=nearby | place:<nearbyalone> => action=directions cost=15
            | (where is|where's|wheres) text:{text} => action=search
            | (show|show me) [all] [my|the] (photos|pictures|pics|images|emails|mails|messages|documents|files|notes) (of|with|from|about|by
            |named|called) text:{text} => action=search
            | (where is|where's|wheres|where are|find|find me|show me|take me to) place:<nearest> => action=directions | place:<nearest> => action=directions
            | show [me] everything about text:{text} => action=search
        nearby = kind:{text} <nearme>
        nearbyalone = kind:{fullname} <nearme>
        nearme = near me | nearby | around here | close by | near here | close to me
        nearest = [the|a] (nearest|closest) kind:{text}
        searched = documents | files | mail | mails | emails | messages | notes | photos

        # What is only said
        show = [tell me] (what's|whats|what is|whats currently|what's currently|what is currently) [now] playing [now|right now
            |here] => action=playing
            | (what|which) (song|track|music|tune) is (this|that|playing|it|on) [now|right now] => action=playing
            | (what's|whats|what is) [the name of] (this|that) (song|track|tune|music) [called] => action=playing
            | who (sings|sang|plays|is playing|is singing) (this|that|it) => action=playing
            | what am i listening to => action=playing | (what's|whats|what is) the name of (this|that) => action=playing
            | <showme> <reminders> => action=reminders | <reminders> => action=reminders
            | (what's|whats|what is) on my (list|reminder list|to do list|todo list) => action=reminders
            | <showme> <reminders> (for|due|of) today => action=remindersToday
            | <reminders> [for|due] today => action=remindersToday
            | <showme> <todays> reminders => action=remindersToday | <todays> reminders => action=remindersToday
            | what do i have [to do] today => action=remindersToday | (what's|whats|what is) on today => action=remindersToday
            | what do i have [to do] [on] (<day>|this week) => action=reminders cost=1
            # Each with its time.
            | [<showme>] <reminders> [for|due|on] (<day>|this week|<dayend>) => action=reminders cost=2
            | (what|which) reminders (do i have|are there) [today] => action=reminders cost=1
            | (what|which) reminders (do i have|are there) [for] today => action=remindersToday
            | [do i have] any reminders => action=reminders | do i have reminders => action=reminders
            | (have i|i) got [any] reminders => action=reminders | have i got [any] reminders [for] today => action=remindersToday
            | any reminders [for] today => action=remindersToday | any reminders [for|on] (<day>|this week) => action=reminders cost=1
            | do i have anything [to do] today => action=remindersToday
            | do i have [any] reminders [for] today => action=remindersToday
        todays = today's | todays
        showme = (show|list|read|tell|give|display|see|check|view) [me] | (what are|what're|whats|what's|what is)
        reminders = [all] [of] [my|the] reminders | [my|the] reminder list | my (reminder|reminders) list
            | [my|the] (todo|to do) list

        # Not understood, and it says why.
        volume = (turn|crank) (up|down) [the] (volume|sound|music|it) => action=volume
            | turn [the] (volume|sound|music|it) (up|down) => action=volume | [the] volume (up|down) => action=volume
            | (turn|make) it (louder|quieter|softer) => action=volume | (louder|quieter|softer|mute|unmute) => action=volume
            | (mute|unmute) [the] (sound|volume|music|it) => action=volume
            | (raise|increase|lower|decrease|reduce|change) [the] volume => action=volume
            | (set|change|turn|lower|raise) [the] volume to {text} => action=volume | [the] volume [to|at] {number} [percent] => action=volume
            | turn [the] (volume|sound|music|it) (up|down) (a bit|a little|a little bit|a lot) => action=volume

        refused = (pay|transfer|wire|venmo|paypal) {text} => action=payment cost=5
            | send [party:<known>] {text} <currency> [{text}] => action=payment cost=-10
            | send {text} <currency> to {text} => action=payment cost=-10
            | send ([some] money to {text}|<recipient> [some] money) => action=payment cost=-10
            | request ({text} <currency>|{money}) [from {text}] => action=payment
            | send (<recipient>|{single}) {money} [{text}] => action=payment cost=-10 | send {money} to {text} => action=payment cost=-10
            | send (<recipient>|{single}) {integer} [for {text}] => action=payment cost=-10 | send {integer} to {text} => action=payment cost=-10
            | send ([all] [of] my|the|some|more) money to {text} => action=payment cost=-20
            | request {integer} from {text} => action=payment cost=-10
            | (get|book|order|call|find|request|hail) [me|us] (a|an) (<cab>|ride) [{text}] => action=ride cost=-20
            | <cab> to {text} => action=ride | i need a (taxi|cab|ride|lift) [{text}] => action=ride
            | i need an uber [{text}] => action=ride
            | (snooze|dismiss) [{text}] => action=change
            | (complete|finish|mark|check off|tick off|delete|remove|cancel|clear|change|move|edit|reschedule|postpone|update
            |stop|turn off) [{text}] (<reminders>|reminder|alarm|alarms|timer) [{text}] => action=change
            | mark {text} [as] (done|complete|completed) => action=change
        timerless = (start|set|begin|create) [a|the|my|another] (timer|stopwatch|countdown) => action=timer cost=-5
            | (set|start) [a] timer for {integer} => action=timer | stopwatch => action=timer
        # Nor are settings and calendars.
        settings = (turn|switch) (on|off) <what> => action=settings | (turn|switch) <what> (on|off) => action=settings
            | (enable|disable|activate|deactivate) <what> => action=settings
            | [(increase|decrease|lower|raise|reduce|dim)] [the|screen] brightness [(up|down)] [to {text}] => action=settings
            | (open|show) [the|my] <what> settings => action=settings
        what = [the|my] (wifi|wlan|wi fi|bluetooth|airplane mode|flight mode|dark mode|light mode|night mode|night light|do not disturb
            |focus|hotspot|mobile data|location|gps|vpn|light|lights|lamp|screen|flashlight|power saving|battery saver|notifications)
        calendar = (add|create|make|schedule|book|enter|put|set up) [a|an|new|the] (appointment|event|meeting|calendar entry) [{text}] => action=calendar
            | (add|put) {text} (to|in|into|on) [my|the] calendar [{text}] => action=calendar
            | (what's|whats|what is) (on|in) my calendar [{text}] => action=calendar
            | [new] (appointment|event) {text} => action=calendar cost=20
        currency = euros | euro | dollars | dollar | bucks | pounds | quid | eur | usd | gbp
        cab = taxi | cab | uber | lyft | car
        """#
}
