extension RequestSentences {
    /// English, as people speak to assistants: numbers without “at”, dates of alarms, second thoughts, timers.
    static let assistantReminders = """
        remind me 7 buy milk
          = or: Remind you of “7 buy milk” / Remind you of “buy milk” on Thursday 26 November 2026 at 19:00
        remind me 7 to buy milk
          = Remind you of “buy milk” on Thursday 26 November 2026 at 19:00
        remind me 7am buy milk
          = Remind you of “buy milk” on Friday 27 November 2026 at 07:00
        remind me 7 tomorrow buy milk
          = Remind you of “buy milk” on Friday 27 November 2026 at 07:00
        remind me tomorrow 7 buy milk
          = or: Remind you of “7 buy milk” on Friday 27 November 2026 / Remind you of “buy milk” on Friday 27 November 2026 at 07:00
        remind me 3 apples are rotten
          = or: Remind you of “3 apples are rotten” / Remind you of “apples are rotten” on Thursday 26 November 2026 at 15:00
        remind me wed 3 dentist
          = or: Remind you of “3 dentist” on Wednesday 2 December 2026 / Remind you of “dentist” on Wednesday 2 December 2026 at 15:00
        remind me buy milk 7
          = or: Remind you of “buy milk 7” / Remind you of “buy milk” on Thursday 26 November 2026 at 19:00
        remind me buy milk tmrw 7
          = Remind you of “buy milk” on Friday 27 November 2026 at 07:00
        remind me to buy milk 7
          = Remind you of “buy milk 7”
        remind me to read chapter 7
          = Remind you of “read chapter 7”
        remind me room 7 tomorrow
          = Remind you of “room 7” on Friday 27 November 2026
        remind me 24 roses
          = Remind you of “24 roses”
        remind me 100 pushups
          = Remind you of “100 pushups”
        remind me 2 days vacation
          = Remind you of “2 days vacation”
        remind me 10 minutes of yoga
          = none: “10 minutes of” is not a time that is understood here.…
        remind me 5 minutes call bob
          = none: “5 minutes call” is not a time that is understood here…
        remind me 7
          = none: Say also what you want to be reminded of.
        remember 3 eggs
          = Remind you of “3 eggs”
        note to self 7 dwarfs
          = Remind you of “7 dwarfs”
        remind me in 10
          = none: Say minutes or hours, as in “in 10 minutes”, and what…
        remind me l8r
          = none: Say when: “later” is no time. “Tonight” and “in an hou…
        remind me about the meeting an hour before
          = none: “an hour before” is not a time that is understood here…
        can you remind me to turn off the oven in like 20 minutes
          = Remind you of “turn off the oven” on Thursday 26 November 2026 at 10:20
        remind me at 6 no wait at 7 to buy bread
          = none: This names more than one time or thing. Ask for one re…
        remind me at 6 sorry 7 to buy bread
          = none: This names more than one time or thing. Ask for one re…
        remind me to buy bread no sorry milk at 6
          = none: This names more than one time or thing. Ask for one re…
        remind me tomorrow no friday to call bob
          = none: This names more than one time or thing. Ask for one re…
        remind me to tell bob i mean it
          = Remind you of “tell bob i mean it”
        remind me to watch the game at 8 on channel 5
          = none: “at 8 on” stands in the middle of what you want to be…
        remind me to buy tickets for the 7 pm show tomorrow
          = Remind you of “buy tickets for the 7 pm show” on Friday 27 November 2026
        remind me 25 dec 6pm pick up gifts
          = Remind you of “pick up gifts” on Friday 25 December 2026 at 18:00
        remind me to print the 3/4 page report
          = Remind you of “print the 3/4 page report”
        nudge me at 3 to stretch
          = Remind you of “stretch” on Thursday 26 November 2026 at 15:00
        ping me in an hour about the laundry
          = Remind you of “the laundry” on Thursday 26 November 2026 at 11:00
        notify me at 4 pm to join the call
          = Remind you of “join the call” on Thursday 26 November 2026 at 16:00
        alert me when it rains
          = none: “when it” is not a time that is understood here. Give…
        set an alarm for 3/4 at 7
          = or: Remind you of “alarm” on Thursday 4 March 2027 at 07:00 / Remind you of “alarm” on Saturday 3 April 2027 at 07:00
        set an alarm for march 4 at 7 am
          = Remind you of “alarm” on Thursday 4 March 2027 at 07:00
        set an alarm for 12/24 at 7
          = Remind you of “alarm” on Thursday 24 December 2026 at 07:00
        alarm 12/24 7am
          = Remind you of “alarm” on Thursday 24 December 2026 at 07:00
        set alarm for 6:45 on dec 1st
          = Remind you of “alarm” on Tuesday 1 December 2026 at 06:45
        set me an alarm for 9 tomorrow morning pls
          = Remind you of “alarm” on Friday 27 November 2026 at 09:00
        set up an alarm for monday at 6 am
          = Remind you of “alarm” on Monday 30 November 2026 at 06:00
        create an alarm for 6:15 am
          = Remind you of “alarm” on Friday 27 November 2026 at 06:15
        make an alarm for 5 o'clock pm
          = Remind you of “alarm” on Thursday 26 November 2026 at 17:00
        i want an alarm at 7:20 every day
          = Remind you of “alarm” every day, first on Friday 27 November 2026 at 07:20
        put on an alarm for half six tomorrow
          = Remind you of “alarm” on Friday 27 November 2026 at 06:30
        alarm tomorrow 7
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        alarm me at 10 pm
          = Remind you of “alarm me” on Thursday 26 November 2026 at 22:00
        get me up at 6
          = Remind you of “get me up” on Friday 27 November 2026 at 06:00
        get me up to speed
          = none: This is not understood.
        make an alarm system
          = none: This is not understood.
        add an alarm system to my to do list
          = Remind you of “an alarm system”
        set a silent alarm for 6 am
          = Remind you of “silent alarm” on Friday 27 November 2026 at 06:00
        cancel my 7am alarm
          = none: Reminders are not changed in words, and nothing was ch…
        set a timer for 5
          = none: Say how long, as in “timer for 10 minutes”. There is n…
        set a timer for five and a half minutes
          = Remind you of “timer” on Thursday 26 November 2026 at 10:05
        start timer
          = none: Say how long, as in “timer for 10 minutes”. There is n…
        start the timer for 5 minutes
          = Remind you of “timer” on Thursday 26 November 2026 at 10:05
        start a stopwatch
          = none: Say how long, as in “timer for 10 minutes”. There is n…
        start counting down from 10 minutes
          = Remind you of “counting down” on Thursday 26 November 2026 at 10:10
        time me for 10 minutes
          = Remind you of “time me” on Thursday 26 November 2026 at 10:10
        timer for 1:30
          = none: This is not understood.
        send text message to Anna saying hi
          = Message Anna Karenina (person): “hi”
        set an alarm for 4 march at 7
          = Remind you of “alarm” on Thursday 4 March 2027 at 07:00
        set an alarm for the 3rd at 7
          = Remind you of “alarm” on Thursday 3 December 2026 at 07:00
        wake me up at nine am on friday
          = Remind you of “wake me up” on Friday 27 November 2026 at 09:00
        set alarm for seven in the morning tomorrow
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        please wake me up tomorrow morning at 7 thirty
          = Remind you of “wake me up” on Friday 27 November 2026 at 07:30
        can you set an alarm for half past eleven tonight
          = Remind you of “alarm” on Thursday 26 November 2026 at 23:30
        delete all alarms
          = none: Reminders are not changed in words, and nothing was ch…
        change my alarm from 7 to 8
          = none: Reminders are not changed in words, and nothing was ch…
        set timer 20 sec
          = Remind you of “timer” on Thursday 26 November 2026 at 10:00
        set a laundry timer for 45 min
          = Remind you of “laundry” on Thursday 26 November 2026 at 10:45
        remind me to take my pills at 8 am and 8 pm
          = none: This names more than one time or thing. Ask for one re…
        set a reminder for my dentist appointment on 15 december at 2:30 pm
          = Remind you of “my dentist appointment” on Tuesday 15 December 2026 at 14:30
        set a reminder to pay rent on the first of every month
          = Remind you of “pay rent” every month, first on Tuesday 1 December 2026
        reminder: pick up laundry, 6pm
          = Remind you of “pick up laundry” on Thursday 26 November 2026 at 18:00
        reminder - renew passport - 1 march
          = Remind you of “renew passport” on Monday 1 March 2027
        remember my locker code is 4432
          = Remind you of “my locker code is 4432”
        remind me on black friday to buy a tv
          = none: “on black” is not a time that is understood here. Give…
        remind me to ask sarah about the keys when she calls
          = none: “when she calls” is not a time that is understood here…
        remind bob to call me
          = none: This is not understood.
        remind me to buy 1/2 lb of butter
          = Remind you of “buy 1/2 lb of butter”
        remind me that class starts at 9
          = none: This names more than one time or thing. Ask for one re…
        tell me to go to bed at 11
          = none: “me” names no person, and nothing was done. Say who it…
        """

    /// English: pages, media, people and places.
    static let assistantOthers = """
        call Bob in 1:30
          = none: Calls and messages go out at once, and nothing was don…
        call Anna in 10 minutes
          = none: Calls and messages go out at once, and nothing was don…
        send text message to Anna saying hi
          = Message Anna Karenina (person): “hi”
        answer Anna with ok
          = Message Anna Karenina (person): “ok”
        reply to Anna with thanks
          = Message Anna Karenina (person): “thanks”
        text my wife that i love her
          = Message “wife”: “i love her”
        text Anna then call Bob
          = none: A message goes to one person. Write to each by itself,…
        text Anna then we go
          = Message Anna Karenina (person): “then we go”
        text Anna check out my-site.com
          = Message Anna Karenina (person): “check out my-site.com”
        play me a song
          = Play
        play me some jazz
          = Play “jazz”
        play again
          = none: In which order it plays, and how often, is chosen in t…
        play something for me
          = Play
        can you put on abba for me
          = Play “abba”
        i want to hear bohemian rhapsody
          = Play “bohemian rhapsody”
        i wanna listen to queen
          = Play “queen”
        let me hear some mozart
          = Play “mozart”
        let me hear it
          = Play
        i'd like to hear abba thanks
          = Play “abba”
        resume my podcast
          = Play
        start playing
          = Play
        start playing music
          = Play
        start playing jazz
          = Play “jazz”
        open google.com
          = Open https://google.com
        open www.google.com
          = Open https://www.google.com
        open https://github.com
          = Open https://github.com
        open github.com/apple
          = Open https://github.com/apple
        open https://my-site.com/a-b?q=1
          = Open https://my-site.com/a-b?q=1
        open HTTP://Example.org/Path
          = Open http://Example.org/Path
        open 9gag.com
          = Open https://9gag.com
        go to wikipedia.org
          = Open https://wikipedia.org
        visit nytimes.com
          = Open https://nytimes.com
        show me bbc.co.uk
          = Open https://bbc.co.uk
        open the website bbc.co.uk
          = Open https://bbc.co.uk
        navigate to google.com
          = Open https://google.com
        google.com
          = Open https://google.com
        can you open google.com please
          = Open https://google.com
        open youtube.com in firefox
          = none: In which browser a page opens cannot be said, and noth…
        open notes.md
          = Open “notes.md”
        open report.pdf
          = Open “report.pdf”
        open http://localhost
          = Open “http://localhost”
        open 192.168.1.1
          = Open “192.168.1.1”
        open user:pass@evil.com
          = Open “user:pass@evil.com”
        open "google.com"
          = Open “google.com”
        remind me to visit google.com at 5
          = Remind you of “visit google.com” on Thursday 26 November 2026 at 17:00
        search for google.com
          = Search for “google.com”
        search google for cats
          = Search for “cats”
        find me a cheap hotel in berlin
          = Search for “a cheap hotel in berlin”
        restaurants near me
          = Directions to “restaurants near me”
        is there a pharmacy near me
          = Directions to “a pharmacy near me”
        call bob nearby
          = Call “bob nearby”
        call 1-800-555-0199
          = Call “1-800-555-0199”
        make a call to Anna
          = Call Anna Karenina (person)
        any missed calls
          = none: This is not understood.
        hang up
          = none: This is not understood.
        give Anna a call
          = Call Anna Karenina (person)
        call Anna at work
          = none: Which of a person's numbers is called cannot be said.…
        tell Anna i'll call tomorrow at 5
          = Message Anna Karenina (person): “i'll call tomorrow at 5”
        ask Anna what time the game starts
          = Message Anna Karenina (person): “what time the game starts”
        message Anna: dinner at 8?
          = Message Anna Karenina (person): “dinner at 8?”
        shoot Anna a text saying im here
          = Message Anna Karenina (person): “im here”
        text Anna at 5 that i'm leaving
          = none: Calls and messages go out at once, and nothing was don…
        send Anna 20 dollars
          = none: Baton sends no money, and nothing was sent. Open the a…
        send Anna my location
          = none: A message has words only, and nothing was sent. “baton…
        whatsapp Anna i'm late
          = none: In which app cannot be said in a sentence, and nothing…
        don't call Anna
          = none: This is not understood.
        never mind
          = none: This is not understood.
        play the latest album by adele
          = Play “the latest album by adele”
        play stranger things on netflix
          = none: Where it plays cannot be said, and nothing was played.…
        skip ahead 30 seconds
          = none: This is not understood.
        next song pls
          = Play the next one
        stop the music please
          = Pause
        turn off the music
          = Pause
        turn the music down a bit
          = none: Baton does not change how loud this device is. Use its…
        who sings this
          = Say what is playing
        add this song to my playlist
          = none: This is not understood.
        what's the weather
          = none: This is not understood.
        will it rain tomorrow
          = none: This is not understood.
        what time is it in tokyo
          = none: This is not understood.
        translate hello to french
          = none: This is not understood.
        tell me a joke
          = none: “me” names no person, and nothing was done. Say who it…
        thanks
          = none: This is not understood.
        turn off the lights
          = none: Baton changes no settings of this device, and nothing…
        set the thermostat to 70
          = none: This is not understood.
        what's on my calendar today
          = none: Baton keeps no calendar, and nothing was entered. Ask…
        create an event called party on saturday
          = none: Baton keeps no calendar, and nothing was entered. Ask…
        book a table for two at yank sing
          = none: This is not understood.
        order me an uber
          = none: Baton orders no rides, and none was ordered. Say “dire…
        add milk to my shopping list
          = none: This is not understood.
        add call bob to my todo list
          = Remind you of “call bob”
        how do i get to the nearest gas station
          = Directions to “the nearest gas station”
        navigate to 221b baker street
          = Directions to “221b baker street”
        navigate to work avoiding tolls
          = none: How you travel is chosen in the map. Name only where y…
        directions from home to work
          = none: Directions begin where you are. Name only where you wa…
        is yank sing open
          = none: This is not understood.
        i need to go home
          = Directions to home
        directions from Yank Sing
          = none: Directions begin where you are. Name only where you wa…
        show me how to get to Yank Sing
          = Directions to Yank Sing (place)
        what's nearby
          = none: Say what you look for, as in “restaurants near me”.
        """
}
