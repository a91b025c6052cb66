extension RequestSentences {
    /// English as people say it: second thoughts, the next half past, names that go on, and what is no message.
    static let saidEnglish = """
        remind me to call the landlord late tomorrow
          = Remind you of “call the landlord” on Friday 27 November 2026 at 21:00
        remind me late tomorrow to call the landlord
          = Remind you of “call the landlord” on Friday 27 November 2026 at 21:00
        late tomorrow remind me to take the bins out
          = Remind you of “take the bins out” on Friday 27 November 2026 at 21:00
        remind me at half past to turn the oven off
          = Remind you of “turn the oven off” on Thursday 26 November 2026 at 10:30
        remind me to turn the oven off at half past
          = Remind you of “turn the oven off” on Thursday 26 November 2026 at 10:30
        remind me at quarter past to check the rice
          = Remind you of “check the rice” on Thursday 26 November 2026 at 10:15
        remind me to check the rice at quarter to
          = Remind you of “check the rice” on Thursday 26 November 2026 at 10:45
        remind me 10-12-2026 tree
          = Remind you of “tree” on Thursday 10 December 2026
        remind me on 24-12-2026 to call grandma
          = Remind you of “call grandma” on Thursday 24 December 2026
        remind me buy tree 10-12-2026
          = Remind you of “buy tree” on Thursday 10 December 2026
        remind me to renew passport on 31-1-2027 at 9am
          = Remind you of “renew passport” on Sunday 31 January 2027 at 09:00
        remind me tmrw at 6, no make that 7, to buy milk
          = none: This names more than one…
        remind me to buy milk at 6, no make that 7
          = none: This names more than one…
        remind me to call bob tomorrow actually friday
          = none: This names more than one…
        remind me to buy milk tomorrow. no, on friday
          = none: This names more than one…
        set an alarm for 6 oh wait 7
          = none: This takes back what it …
        set an alarm for 6:15am no 6:30am
          = none: This takes back what it …
        set alarm 6 no make it 6:30
          = none: This takes back what it …
        wake me up at 6... actually 7
          = none: This takes back what it …
        set a timer for 10 minutes no 15 minutes
          = none: This takes back what it …
        timer 10 min oops 12 min
          = none: This takes back what it …
        text anna I'll be there at 6 no make that 7
          = none: This takes back what it …
        text Anna i'm at the bar no wait the cafe
          = none: This takes back what it …
        call bob no wait call anna
          = none: This takes back what it …
        message bob sorry I mean anna I'm late
          = none: This takes back what it …
        text bob no text anna that I'm late
          = none: This takes back what it …
        directions to the airport no wait the station
          = none: This takes back what it …
        remindme tomorrow buy milk
          = Remind you of “buy milk” on Friday 27 November 2026
        remind me @ 5pm 2 get eggs
          = Remind you of “get eggs” on Thursday 26 November 2026 at 17:00
        pls remind me 2 call mum @ 7 pm 2moro
          = Remind you of “call mum” on Friday 27 November 2026 at 19:00
        could you possibly remind me to ring the vet tomorrow at three
          = Remind you of “ring the vet” on Friday 27 November 2026 at 15:00
        would you be a dear and remind me to ring the vet at 3pm
          = Remind you of “ring the vet” on Thursday 26 November 2026 at 15:00
        if it's not too much trouble could you remind me at 4 to defrost the chicken
          = Remind you of “defrost the chicken” on Thursday 26 November 2026 at 16:00
        I was wondering if you could remind me to defrost the chicken at 4
          = Remind you of “defrost the chicken” on Thursday 26 November 2026 at 16:00
        I'd be grateful for a reminder at 4 to defrost the chicken
          = Remind you of “defrost the chicken” on Thursday 26 November 2026 at 16:00
        hi there, can you remind me to defrost the chicken at 4 please? thanks!
          = Remind you of “defrost the chicken” on Thursday 26 November 2026 at 16:00
        hey can u pls remind me to defrost chicken @4pm ty
          = Remind you of “defrost chicken” on Thursday 26 November 2026 at 16:00
        ok listen remind me in about 45 mins that the washing is done
          = Remind you of “the washing is done” on Thursday 26 November 2026 at 10:45
        remind me in an hour and ten to move the car
          = Remind you of “move the car” on Thursday 26 November 2026 at 11:10
        remind me in an hour & 10 mins to move the car
          = Remind you of “move the car” on Thursday 26 November 2026 at 11:10
        remind me in 1 hr 15 to move the car
          = Remind you of “move the car” on Thursday 26 November 2026 at 11:15
        remind me in 1½ hours to move the car
          = Remind you of “move the car” on Thursday 26 November 2026 at 11:30
        remind me in ½ hour to move the car
          = Remind you of “move the car” on Thursday 26 November 2026 at 10:30
        remind me in half an hour's time to move the car
          = Remind you of “move the car” on Thursday 26 November 2026 at 10:30
        remind me in two and a half days to water the plants
          = Remind you of “water the plants” on Saturday 28 November 2026 at 22:00
        remind me nye 11pm champagne
          = Remind you of “champagne” on Thursday 31 December 2026 at 23:00
        remind me every mon wed fri at 6am gym
          = Remind you of “gym” every week on Monday, Wednesday, Friday, first on Friday 27 November 2026 at 06:00
        remind me on mon, wed & fri at 6 am to go to the gym
          = none: “wed & fri at” is not a …
        remind me weekday mornings 7:15 journal
          = Remind you of “journal” on weekdays, first on Friday 27 November 2026 at 07:15
        remind me last workday of the month to submit timesheet
          = none: “last workday of” is not…
        send anna a ❤️
          = none: A message has words only…
        text mum when i land
          = none: Calls and messages go ou…
        let bob know when I arrive
          = none: Calls and messages go ou…
        let's call bob
          = Call “bob”
        let's facetime anna
          = Video call Anna Karenina (person)
        facetime with mum
          = Video call “mum”
        tell anna where i am
          = none: A message has words only…
        tell anna where I am right now
          = none: A message has words only…
        tell anna my eta
          = none: A message has words only…
        send that pic to bob
          = none: A message has words only…
        send bob 20
          = none: Baton sends no money, an…
        send 20 to bob
          = none: Baton sends no money, an…
        request 15 from bob
          = none: Baton sends no money, an…
        note: call plumber
          = Remind you of “call plumber”
        write down that I parked on level 3
          = none: “down” names no person, …
        jot down 42 is the answer
          = Remind you of “42 is the answer”
        remind me at 1830 hrs to start dinner
          = Remind you of “start dinner” on Thursday 26 November 2026 at 18:30
        remind me to pay the bill after the 15th
          = none: This names more than one…
        remind me to join the call at 9 PT
          = none: “at 9 PT” is not a time …
        remind me some time next week to clean
          = none: “some time next” is not …
        remind me next spring to clean
          = none: “next spring to” is not …
        remind me overmorrow to shop
          = Remind you of “shop” on Saturday 28 November 2026
        remind me today week to shop
          = Remind you of “shop” on Thursday 3 December 2026
        remind me this friday coming to shop
          = Remind you of “shop” on Friday 27 November 2026
        remind me on the 4th of the 12th to shop
          = Remind you of “shop” on Friday 4 December 2026
        remind me in an hour or so to shop
          = Remind you of “shop” on Thursday 26 November 2026 at 11:00
        remind me first thing to check the oven
          = none: “first thing to check” i…
        remind me right now to check the oven
          = none: “right now to check” is …
        text van der Berg I'm late
          = none: “van” names no person, a…
        text Maria del Carmen I'm late
          = none: Where the name ends is n…
        text Anna-Lena I'm late
          = Message “Anna-Lena”: “I'm late”
        text bob@example.com hi
          = Message “bob@example.com”: “hi”
        tell bob this
          = none: A message has words only…
        tell bob about this
          = none: A message has words only…
        tell bob about this restaurant
          = none: A message has words only…
        tell no one
          = none: “no” names no person, an…
        say hello to anna for me
          = Message Anna Karenina (person): “hello”
        text bob "don't forget: dinner at 7!"
          = Message “bob”: “don't forget: dinner at 7!”
        text bob i'm late and text anna too
          = none: A message goes to one pe…
        could you text bob "are you there?"
          = Message “bob”: “are you there?”
        text anna once I'm done I'll call you
          = none: Calls and messages go ou…
        let bob know if he can come
          = none: Calls and messages go ou…
        remind me to leave at half past
          = Remind you of “leave” on Thursday 26 November 2026 at 10:30
        remind me at 5 past to stretch
          = Remind you of “stretch” on Thursday 26 November 2026 at 10:05
        remind me at ten past to stretch
          = Remind you of “stretch” on Thursday 26 November 2026 at 10:10
        remind me to stretch at ten to
          = Remind you of “stretch” on Thursday 26 November 2026 at 10:50
        remind me every hour at half past to stretch
          = Remind you of “stretch” every hour, first on Thursday 26 November 2026 at 10:30
        remind me tomorrow at half past to stretch
          = none: Say the hour, too, as in…
        remind me on monday at quarter past to stretch
          = none: Say the hour, too, as in…
        remind me to be early tomorrow
          = Remind you of “be early” on Friday 27 November 2026
        remind me late friday night to go home
          = Remind you of “go home” on Friday 27 November 2026 at 22:00
        remind me late monday afternoon to file
          = Remind you of “file” on Monday 30 November 2026 at 17:00
        remind me early tomorrow evening to file
          = Remind you of “file” on Friday 27 November 2026 at 18:00
        remind me on late friday to file
          = Remind you of “file” on Friday 27 November 2026 at 21:00
        remind me 1-2-2027 file
          = or: Remind you of “file” on Saturday 2 January 2027 / Remind you of “file” on Monday 1 February 2027
        remind me file 13-2-2027
          = Remind you of “file” on Saturday 13 February 2027
        remind me to call 10-12-2026
          = Remind you of “call” on Thursday 10 December 2026
        remind me 31-12-26 tree
          = Remind you of “tree” on Thursday 31 December 2026
        remind me on 12-31-2026 tree
          = Remind you of “tree” on Thursday 31 December 2026
        let's play some jazz
          = Play “jazz”
        let's call it a night
          = none: Calls and messages go ou…
        I was wondering if you could call bob
          = Call “bob”
        hello there, remind me at 5 to stretch
          = Remind you of “stretch” on Thursday 26 November 2026 at 17:00
        hey there remind me to stretch at 5 thanks a lot
          = Remind you of “stretch” on Thursday 26 November 2026 at 17:00
        request 5 from bob
          = none: Baton sends no money, an…
        text Jean-Pierre hi
          = or: Message “Jean-Pierre hi” / Message “Jean-Pierre”: “hi”
        tell Mary-Jane "hi"
          = Message “Mary-Jane”: “hi”
        text de Niro hi
          = none: “de” names no person, an…
        text St John hi
          = none: “St” names no person, an…
        text el chapo hola
          = none: “el” names no person, an…
        text Robert de Niro hi
          = none: Where the name ends is n…
        text "Robert de Niro" hi
          = Message “Robert de Niro”: “hi”
        text Ludwig van Beethoven hi
          = none: Where the name ends is n…
        text anna de nada
          = none: Where the name ends is n…
        text bob no worries
          = Message “bob”: “no worries”
        text bob no sorry can't make it
          = Message “bob”: “no sorry can't make it”
        text bob wait for me
          = Message “bob”: “wait for me”
        text bob oops wrong number
          = Message “bob”: “oops wrong number”
        text bob I mean it
          = Message “bob”: “I mean it”
        text bob make it 7
          = Message “bob”: “make it 7”
        text bob get milk and call me
          = Message “bob”: “get milk and call me”
        tell bob to wake up and call anna
          = Message “bob”: “to wake up and call anna”
        tell bob this is great
          = Message “bob”: “this is great”
        tell bob the photos are ready
          = Message “bob”: “the photos are ready”
        text bob where I parked is behind the church
          = Message “bob”: “where I parked is behind the church”
        text mum when you get home call me
          = Message “mum”: “when you get home call me”
        send bob 10 kisses
          = none: This is not understood.
        remind me to say sorry at 6
          = Remind you of “say sorry” on Thursday 26 November 2026 at 18:00
        remind me to say no at 6
          = Remind you of “say no” on Thursday 26 November 2026 at 18:00
        remind me to buy notes tomorrow
          = Remind you of “buy notes” on Friday 27 November 2026
        remind me to go past the shop at 5
          = Remind you of “go past the shop” on Thursday 26 November 2026 at 17:00
        remind me that the train is late tomorrow
          = Remind you of “the train is late” on Friday 27 November 2026
        remind me not to stay up late on friday
          = Remind you of “not to stay up late” on Friday 27 November 2026
        remind me to get up early on monday
          = Remind you of “get up early” on Monday 30 November 2026
        remind me to call mom sundays
          = Remind you of “call mom” every week on Sunday, first on Sunday 29 November 2026
        remind me at 5 to leave at 6
          = Remind you of “leave at 6” on Thursday 26 November 2026 at 17:00
        text anna della is here
          = Message Anna Karenina (person): “della is here”
        text bob van is broken
          = Message “bob”: “van is broken”
        call Anna-Maria
          = Call “Anna-Maria”
        call la fontaine
          = Call “la fontaine”
        remind me 4/12 shop
          = or: Remind you of “shop” on Monday 12 April 2027 / Remind you of “shop” on Friday 4 December 2026
        remind me to read pages 10-12
          = Remind you of “read pages 10-12”
        remind me to buy 6 eggs, 2 pints of milk and bread on the way home
          = Remind you of “buy 6 eggs, 2 pints of milk and bread” when you leave work
        remind me to call 555-1234 at 3
          = Remind you of “call 555-1234” on Thursday 26 November 2026 at 15:00
        remind me to take the 8:15 bus at 8
          = Remind you of “take the 8:15 bus” on Thursday 26 November 2026 at 20:00
        tell mum once the train arrives
          = none: Calls and messages go ou…
        text mum after I land
          = none: Calls and messages go ou…
        text mum upon arrival
          = none: Calls and messages go ou…
        email anna the photos when I get home
          = none: A message has words only…
        send anna this page tomorrow
          = none: A message has words only…
        send all my money to bob
          = none: Baton sends no money, an…
        text mum before I forget the keys are under the mat
          = Message “mum”: “before I forget the keys are under the mat”
        text mum if you need me call
          = Message “mum”: “if you need me call”
        """

    /// The same in German.
    static let saidGerman = """
        erinner mich morgen spät an die wäsche
          = Remind you of “die wäsche” on Friday 27 November 2026 at 21:00
        erinnere mich um halb an den ofen
          = Remind you of “den ofen” on Thursday 26 November 2026 at 10:30
        erinnere mich um viertel nach an den reis
          = Remind you of “den reis” on Thursday 26 November 2026 at 10:15
        erinnere mich am 10-12-2026 an den baum
          = Remind you of “den baum” on Thursday 10 December 2026
        erinnere mich morgen äh übermorgen an milch
          = none: This names more than one…
        wecker auf 6 nein 7
          = none: This takes back what it …
        stell den wecker auf 6:30 äh 6:45
          = none: This takes back what it …
        timer 10 minuten nein 15 minuten
          = none: This takes back what it …
        schreib anna ich komme um 6 nein um 7
          = none: This takes back what it …
        sag anna bescheid wenn ich ankomme
          = none: Calls and messages go ou…
        sag anna bescheid, wenn ich losfahre
          = none: Calls and messages go ou…
        sag anna wo ich bin
          = none: A message has words only…
        schick anna 20
          = none: Baton sends no money, an…
        schick 20 an anna
          = none: Baton sends no money, an…
        sag mama sie soll mich anrufen
          = Message “mama”: “sie soll mich anrufen”
        könntest du mal eben mama anrufen
          = Call “mama”
        erinnere mich in 1½ stunden an das auto
          = Remind you of “das auto” on Thursday 26 November 2026 at 11:30
        erinnerung zahnarzt donnerstag 10 uhr
          = none: That weekday is today. S…
        setz milch auf die einkaufsliste
          = Remind you of “milch”
        bitte erinnere mich doch mal eben um 5 an mama danke
          = Remind you of “mama” on Thursday 26 November 2026 at 17:00
        erinner mich ma an milch morgen um 5 🥛
          = Remind you of “milch” on Friday 27 November 2026 at 17:00
        schreib mama bin um 7 da
          = Message “mama”: “bin um 7 da”
        erinnere mich um halb 3 ans essen
          = Remind you of “essen” on Thursday 26 November 2026 at 14:30
        erinnere mich werktags um 7:15 ans tagebuch
          = Remind you of “tagebuch” on weekdays, first on Friday 27 November 2026 at 07:15
        """

    /// The same in Turkish.
    static let saidTurkish = """
        yarın akşam geç saatte bana çöpü hatırlat
          = Remind you of “çöpü” on Friday 27 November 2026 at 21:00
        24-12-2026 hediyeleri hatırlat
          = Remind you of “hediyeleri” on Thursday 24 December 2026
        her sabah 8'de ilacımı hatırlat
          = Remind you of “ilacımı” every day, first on Friday 27 November 2026 at 08:00
        ayşeye yarın geliyorum yaz
          = none: This is not understood.
        """
}
