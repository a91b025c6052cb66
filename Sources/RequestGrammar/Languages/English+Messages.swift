extension GrammarText {
    /// Messages and mails, in English.
    static let englishMessages = #"""
        # Messages
        message = let party:<known> know [that] text:{text} => action=message
            | let party:<single> know [that] text:{text} => action=message
            | let (doctor|miss|prof|professor) party:{single} know [that] text:{text} => action=message
            | (message|text|txt|tell|write|write to|msg) party:<addressee> <says> text:{text} => action=message
            | (message|text|txt|write to|msg) party:<addressee> => action=message
            | (send|write) [a|an] (message|text message|text|msg|txt|sms) to party:<addressee> [<says> text:{text}] => action=message
            | (send|write) [a|an] (message|text message|text|msg|txt|sms) to party:<addressed> text:{text} => action=message
            | (send|write) party:<addressee> (a|the) [quick|short] (message|text|msg|txt) [<says> text:{text}] => action=message
            | ask party:<addressed> text:{text} => action=message
            | (message|text|txt|tell) party:<phone> [<says>] text:{text} => action=message
            | (message|text|txt|msg|tell|email|mail) <personword> <personword> [<personword>] (and|or) {text} => action=onemessage cost=-20
            # “Tell Anna Bob and I are late” is to Anna.
            | (message|text|txt|msg|tell) party:<recipient> text:<andi> => action=message cost=-20
            | (message|text|write) back party:<known> [<says>] text:{text} => action=message
            | (message|text|write) party:<known> back [<says> text:{text}] => action=message cost=-5
            | (shoot|drop) party:<addressee> (a|the) (message|text|msg|line|note) [<says> text:{text}] => action=message
            | (reply to|reply|answer) party:<addressed> [<says>] text:{text} => action=message
            | (reply to|reply|answer) party:<addressed> with text:{text} => action=message
            | (message|text|txt|msg) <single> [and] then (call|text|message|email|remind|play|open) {text} => action=onemessage cost=-40
            | (reply to|reply|answer) party:<addressee> <says> text:{text} => action=message
            | (message|text|txt|msg|tell|write to) party:<known> text:{text} => action=message
            | (message|text|txt|msg|tell) party:<single> text:{text} => action=message
            | send text:{text} to party:<addressee> => action=message cost=15
            | (send|write) [a] (message|text|msg|txt) saying [that] text:{text} to party:<addressee> => action=message
            | send party:<recipient> [<says>] text:{text} => action=message
            # Words of themselves, and no things.
            | send party:<recipient> text:<wishes> => action=message cost=-5
            # In which app it is written is not said.
            | (message|text|txt|msg|tell|write|write to) party:<single> <channel> [[<says>] {text}] => action=channel
            | (send|write) party:<addressee> (a|the) [quick|short] (message|text|msg|txt) <channel> [[<says>] {text}] => action=channel
            | (send|write) [a|an] (message|text message|text|msg|txt|sms) to party:<addressee> <channel> [[<says>] {text}] => action=channel
            | (send|write) [<addressee>] a <messengers> [message] [{text}] => action=channel cost=-5
            | (whatsapp|skype|dm) {text} => action=channel cost=10
            # It goes at once, and has words only.
            | (message|text|txt|msg|tell|write|write to|ask) party:<single> <when> => action=atonce
            | (message|text|txt|msg|tell|ask) party:<single> <when> (to|if|whether|about) {text} => action=atonce cost=-5
            | (message|text|txt|msg) party:<single> for me => action=message cost=-5
            | (message|text|txt|msg) <single> (<shared>|<possessive> [{single}] <attachment>) => action=share cost=-5
            | tell <recipient> (a|the) (joke|story|secret|news) => action=share cost=-5
            | let party:<single> know <when> => action=atonce
            # “Tomorrow is fine” is a text. “Tomorrow happy birthday” may be one for tomorrow.
            | (message|text|txt|msg|tell|write|write to) party:<single> text:<oftime> => action=message cost=-20
            | let party:<single> know text:<oftime> => action=message cost=-20
            | (message|text|txt|msg|tell|write|write to|ask) party:<single> <ontime> {text} => action=atonce
            | let party:<single> know <ontime> {text} => action=atonce
            | (message|text|txt|msg|tell|ask) party:<single> (later|l8r|sometime|soon) [<says>] {text} => action=atonce cost=-15
            | (message|text|txt|msg|tell|send|write|write to) party:<single> on (his|her|their|the) (birthday|anniversary|wedding day|big day) {text} => action=atonce
            | (message|text|txt|msg|tell|ask|email|mail) party:<single> (before|after) <clock> [[<says>] {text}] => action=atonce
            | (message|text|txt|msg|tell|email|mail) {text} and [then|also] remind me {text} => action=several cost=-60
            | (message|text|txt|msg|tell) party:<single> (for me|now|right now|quickly|asap|immediately|right away) <says> text:{text} => action=message
            | [a] (message|text|txt|msg|sms) (to|for) party:<single> [<says>] text:{text} => action=message cost=-5
            | write to party:<single> text:{text} => action=message | send to party:<single> [<says>] text:{text} => action=message
            | send [a] (message|text|sms|text message) party:<single> [<says>] text:{text} => action=message cost=5
            | (inform|notify) party:<single> that text:{text} => action=message
            | (message|text|txt|msg|tell|send|write|write to) party:<single> <daywish> [{single}] <ontime> => action=atonce cost=-30
            | <when> [<polite>] (message|text|txt|msg|tell|ask|email|mail|write|write to|send) {text} => action=atonce
            | (schedule|plan) [a|an] (message|text|text message|sms|email|mail|call) {text} => action=atonce
            | (message|text|txt|msg) party:<single> (now|right now) => action=message | (message|text|txt|msg) party:<single> later => action=atonce
            | (message|text|txt|tell|write|write to|msg) party:<addressee> <when> <says> {text} => action=atonce
            | (send|write) [a|an] (message|text message|text|msg|txt|sms) to party:<addressee> <when> [<says> {text}] => action=atonce
            | (send|write) party:<addressee> (a|the) (message|text|msg|txt) <when> [<says> {text}] => action=atonce
            | (send|share|forward) <shared> (to|with) {text} => action=share
            | (send|forward) (a|an|the|my|our) [{single}] <attachment> [{text}] to {text} => action=share cost=-5
            | (send|forward) party:<recipient> (<shared>|(a|an|the|my|our|some|these|those|his|her|their|your) {text}) => action=share
            | (send|forward) party:<recipient> (photos|pictures|pics|videos|files|documents|screenshots|links|directions|flowers|roses|chocolates|gifts|presents|stickers|gifs|stuff|something) [{text}]
            => action=share
            | (message|text|txt|msg|tell|send|show) party:<single> (where <iam> [at]|my (location|eta|whereabouts)) [now|right now|currently] => action=share cost=-10
            | let party:<single> know where <iam> [at] [now|right now] => action=share cost=-10
            # The words would go at once, and say nothing by themselves.
            | (message|text|txt|msg|tell|write|write to) party:<single> <halfsaid> => action=atonce cost=-20
            | (message|text|txt|msg|tell|write|write to) party:<single> text:<aside> => action=message cost=-40
            | (send|forward) party:<recipient> <shared> <when> => action=share cost=-5
            | <mail> party:<single> (a|an|the|my|our|some|these|those) <attachment> <when> => action=share cost=-10
            | let party:<single> know (when|once|as soon as|if|whenever) {text} => action=atonce cost=-20
            | (message|text|txt|msg|tell|ask|email|mail|write|write to) party:<single> about <pointedat> => action=share cost=-20
            | tell party:<single> <pointedat> => action=share cost=-20 | let party:<single> know [about] <pointedat> => action=share cost=-20
            | (message|text|txt|msg|email|mail) {text} and [then|also] (text|message|email|call|ring|phone) <personword> [{text}] => action=onemessage cost=-60
            | say text:{text} to party:<recipient> [for me] => action=message
            | let <personword> [<personword>] (and|or) {text} know {text} => action=onemessage cost=-20
        # No part of a day alone: “morning” is a greeting, too.
        ontime = <date> [<part>] [<athour>] | <athour> [<part>] [<date>] | <relative> | <dayrelative> [<part>] [<athour>]
            | (every|each) (day|morning|afternoon|evening|night|week|month|year|hour|<weekday>) [<athour>]
        athour = (at|by|around) <clock>
        oftime = <moment> (is|isn't|isnt|was|wasn't|wasnt|works|work|would|will|won't|wont|sounds|suits|looks|seems|has|can|can't|cant
            |could|should|might|may|does|doesn't|doesnt|it|or|then|instead|too|maybe|ok|okay|fine|good|perfect|great) [rest:{text}]
        # They are for their day.
        daywish = happy (birthday|bday|anniversary|christmas|xmas|easter|holidays|valentines|valentine's) | (merry christmas|merry xmas)
            | happy (new year|mother's day|mothers day|father's day|fathers day) | good (morning|night|evening)
            | congratulations | congrats
        possessive = a | an | the | my | our | some | these | those
        shared = this | it | that | (this|that|the|a|an|my|these|those) (pic|pics|image|images|files|documents|links|screenshots|page|link|photo|photos|picture|pictures|video|file
            |document|screenshot|location|contact|song|place|website|article|note)
        halfsaid = (when|once|as soon as|whenever|after|before|if) (i|we|<iam>|i've|we're) {text} | as <iam> {text} | upon (arrival|arriving) [{text}]
            | (when|once|as soon as|after|before) (the|my|our) {text} (arrives|lands|leaves|departs|gets in|is here|is over|ends|starts)
        aside = before i forget said:{text}
        pointedat = this | (this|that|these|those) (pic|pics|image|images|page|link|photo|photos|picture|pictures|video|file|files|document|place|restaurant
            |website|article|shop|hotel|app|song|film|movie)
        wishes = [all] (my|our|a|the) [word:{single}] (love|regards|wishes|greetings|thanks|congratulations|condolences|apologies|sympathy
            |hug|hugs|kiss|kisses|thank you|best)
        andi = with:<personword> [also:<personword>] and (i|i'm|im|i'll|i've|i'd) are:{text}
        email = <mail> party:{address} text:{text} => action=email cost=-1
            | (email|mail) party:<recipient> text:<andi> => action=email cost=-20
            | <mail> party:<addressee> [(<says>|about) text:{text}] => action=email
            | <mail> party:<known> text:{text} => action=email | <mail> party:<single> text:{text} => action=email
            | (send|write|compose|shoot) [a|an] <mail> to party:<addressee> [(<says>|about) text:{text}] => action=email
            | (send|write|compose|shoot) [a|an] <mail> to party:<known> text:{text} => action=email
            | (send|write|shoot) party:<addressee> (a|an) <mail> [(<says>|about) text:{text}] => action=email
            | <mail> <shared> [to {text}] => action=share
            | <mail> party:<single> (<shared>|(a|an|the|my|our|some|these|those|his|her|their|your) <attachment>) => action=share
            | <mail> party:<single> <when> [(<says>|about) {text}] => action=atonce
            | (send|write|compose|shoot) [a|an] <mail> to party:<addressee> <when> [(<says>|about) {text}] => action=atonce
            | (send|write|shoot) party:<addressee> (a|an) <mail> <when> [(<says>|about) {text}] => action=atonce
            | <mail> party:<single> text:<oftime> => action=email cost=-20
            | <mail> party:<single> <ontime> {text} => action=atonce
            | <mail> party:<single> <daywish> [{single}] <ontime> => action=atonce cost=-30
        attachment = photo | photos | picture | pictures | pics | video | videos | file | files | document | documents | link | links
            | report | invoice | presentation | slides | spreadsheet | pdf | contract | screenshot | screenshots | form | ticket
            | tickets | recipe | receipt | draft | notes | agenda | map | image | images | pic | page | article | contact | location
            | address | number | list | song | playlist | folder | letter | package | parcel | present | gift | flowers
        through = on | via | over | through | by | in | with | using
        channel = <through> [the] (<messengers>|{app}) [app]
        messengers = whatsapp | signal | telegram | messenger | imessage | facebook | slack | teams | discord | sms | skype
            | instagram | wechat | viber | threema
        mail = mail | email | e-mail
        says = (that|which) says => cost=-1 | and say [that] | that | saying [that] | to say [that]
        addressee = <known> | value:{fullname} | my value:{single}
        known = (them|him|her) => value=them | <herewords> => value=here | [my] value:{person}
        # Without a word that says which of the two begins where.
        recipient = (them|him|her) => value=them | [my] value:{person} | [my] value:{given}
        addressed = <recipient> | <herewords> => value=here
        # A name of one word, where the text begins at once. “Text Bob hello” may be a name of two: who is known decides.
        # “Text doctor I'm late” is to a card of that name: only a known name stands behind a title that is a word by itself.
        single = [my] value:{person} | [my] value:{single} | (dr|mr|mrs|ms) value:{single} => titled=1 cost=5
            | (doctor|miss|prof|professor) value:{given} => cost=10
            | (dr|mr|mrs|ms|doctor|miss|prof|professor) value:{person} => cost=13
        personword = {person} | {given}
        phone = {number} [{number}] [{number}] [{number}]
        """#
}
