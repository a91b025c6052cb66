extension RequestSentences {
    /// English: other ways to ask, and times that are not understood by half.
    static let askedReminders = """
        please could you remind me to take the bread out at quarter past eleven
          = Remind you of “take the bread out” on Thursday 26 November 2026 at 11:15
        would you mind reminding me to buy eggs tomorrow
          = Remind you of “buy eggs” on Friday 27 November 2026
        can I get a reminder to sign the lease tomorrow
          = Remind you of “sign the lease” on Friday 27 November 2026
        give me a reminder at 2pm to sign the lease
          = Remind you of “sign the lease” on Thursday 26 November 2026 at 14:00
        create a reminder called buy eggs for tomorrow
          = Remind you of “buy eggs” on Friday 27 November 2026
        remind me, please, to call mum at 5
          = Remind you of “call mum” on Thursday 26 November 2026 at 17:00
        remind me tomorrow please to buy eggs
          = Remind you of “buy eggs” on Friday 27 November 2026
        remind me to submit the form at 5pm, thank you
          = Remind you of “submit the form” on Thursday 26 November 2026 at 17:00
        remind me to say thanks
          = Remind you of “say thanks”
        remind me to submit the form - Friday 5pm
          = Remind you of “submit the form” on Friday 27 November 2026 at 17:00
        remind me to buy eggs tomorrow 🥚
          = Remind you of “buy eggs” on Friday 27 November 2026
        remind me to call mum on Saterday
          = Remind you of “call mum” on Saturday 28 November 2026
        remind me to exercise once a week
          = Remind you of “exercise” every week, first on Friday 27 November 2026
        remind me once a month to back up
          = Remind you of “back up” every month, first on Friday 27 November 2026
        remind me nightly to lock the door
          = Remind you of “lock the door” every day, first on Thursday 26 November 2026 at 21:00
        remind me every third day to shave
          = Remind you of “shave” every 3 days, first on Friday 27 November 2026
        remind me every half year to audit
          = Remind you of “audit” every 6 months, first on Friday 27 November 2026
        remind me to jog at 6 every morning
          = Remind you of “jog” every day, first on Friday 27 November 2026 at 06:00
        remind me every Tuesday and every Thursday to swim
          = Remind you of “swim” every week on Tuesday, Thursday, first on Tuesday 1 December 2026
        on Friday remind me at 6pm to text Anna
          = Remind you of “text Anna” on Friday 27 November 2026 at 18:00
        remind me to make dinner
          = Remind you of “make dinner”
        remind me to prepare lunch tomorrow
          = Remind you of “prepare lunch” on Friday 27 November 2026
        remind me to eat at lunch
          = Remind you of “eat” on Thursday 26 November 2026 at 12:00
        remind me to take my pills with dinner
          = Remind you of “take my pills with dinner”
        remind me to pack lunch for tomorrow when I get home
          = Remind you of “pack lunch for tomorrow” when you arrive at home
        remind me at six oh five to submit the form
          = Remind you of “submit the form” on Thursday 26 November 2026 at 18:05
        remind me at 5-ish to submit the form
          = Remind you of “submit the form” on Thursday 26 November 2026 at 17:00
        remind me at exactly 6 pm to submit the form
          = Remind you of “submit the form” on Thursday 26 November 2026 at 18:00
        remind me at 5 on the dot to submit the form
          = Remind you of “submit the form” on Thursday 26 November 2026 at 17:00
        remind me to call mum at 12 noon
          = Remind you of “call mum” on Thursday 26 November 2026 at 12:00
        remind me in about an hour to submit the form
          = Remind you of “submit the form” on Thursday 26 November 2026 at 11:00
        remind me in another 10 minutes to submit the form
          = Remind you of “submit the form” on Thursday 26 November 2026 at 10:10
        remind me in 5m to submit the form
          = Remind you of “submit the form” on Thursday 26 November 2026 at 10:05
        remind me to submit the form no later than Friday
          = Remind you of “submit the form” on Friday 27 November 2026
        remind me early tomorrow to submit the form
          = Remind you of “submit the form” on Friday 27 November 2026 at 08:00
        remind me to call at&t tomorrow
          = Remind you of “call at&t” on Friday 27 November 2026
        remind me to read "At the end of the day" tomorrow
          = Remind you of “read "At the end of the day"” on Friday 27 November 2026
        remind me to book a table for 2 at 8
          = Remind you of “book a table for 2” on Thursday 26 November 2026 at 20:00
        remind me to check in for flight LH 400 at 18:05
          = Remind you of “check in for flight LH 400” on Thursday 26 November 2026 at 18:05
        remind me when my phone connects to the car to start the podcast
          = Remind you of “start the podcast” when “car” connects
        set a 10-minute timer
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        remind me to call Anna between 5 and 6
          = none: “between 5 and 6” is not a time…
        remind me from Monday to Wednesday to stretch
          = none: “from Monday to” is not a time…
        remind me to exercise 3 times a week
          = none: “3 times a week” is not a time…
        remind me to exercise twice a year
          = none: “twice a year” is not a time…
        remind me to jog every day starting Monday
          = none: This names more than one time or thing…
        remind me starting Monday to jog every day
          = none: “starting Monday to” is not a time…
        remind me to jog daily for a week
          = none: This names more than one time or thing…
        remind me bimonthly to audit
          = none: “bimonthly to” is not a time…
        remind me to water tomorrow when I get home
          = none: This names more than one time or thing…
        remind me to stretch at 9, 12 and 5
          = none: “at 9, 12 and 5” is not a time…
        remind me at 5pm or 6pm to stretch
          = none: This names more than one time or thing…
        remind me to stretch at 5pm or 6pm
          = none: This names more than one time or thing…
        remind me to buy milk tomorrow and bread on Friday
          = none: This names more than one time or thing…
        remind me to buy milk and then remind me to call Anna
          = none: This names more than one time or thing…
        remind me to call Anna at 5 about the house
          = none: “at 5 about” stands in the middle…
        remind me to jog every day in the park
          = none: “every day” stands in the middle…
        remind me to submit the form ASAP
          = none: “ASAP” is not a time…
        remind me one day to submit the form
          = none: “one day to” is not a time…
        remind me again to submit the form
          = none: “again to submit” is not a time…
        remind me late on Friday to submit the form
          = Remind you of “submit the form” on Friday 27 November 2026 at 21:00
        remind me in -5 minutes to submit the form
          = none: “in -5 minutes to” is not a time…
        remind me about the meeting 10 minutes before
          = none: “10 minutes before” is not a time…
        remind me to take my pills unless it's Sunday
          = none: This names more than one time or thing…
        remind me to take my pills tomorrow, then on Friday
          = none: This names more than one time or thing…
        remind me here to buy milk
          = none: “here to buy” is not a time…
        remind me to
          = none: Say also what you want to be reminded of.
        remind me about
          = none: Say also what you want to be reminded of.
        """

    /// Calls, messages, places, media and apps.
    static let askedOthers = """
        call Anna now
          = Call Anna Karenina (person)
        can you ring Anna for me
          = Call Anna Karenina (person)
        call Anna at 5
          = none: Calls and messages go out at once, and nothing was done…
        call Anna when I get home
          = none: Calls and messages go out at once, and nothing was done…
        tomorrow call Anna
          = none: Calls and messages go out at once, and nothing was done…
        call Anna on her mobile
          = none: Which of a person's numbers is called cannot be said…
        call Anna at work
          = none: Which of a person's numbers is called cannot be said…
        video call Anna now
          = Video call Anna Karenina (person)
        video call Anna tomorrow at 8
          = none: Calls and messages go out at once, and nothing was done…
        text Anna tomorrow at 9 that I'm late
          = none: Calls and messages go out at once, and nothing was done…
        text Anna tomorrow is fine
          = Message Anna Karenina (person): “tomorrow is fine”
        message Anna at 5 saying hello
          = none: Calls and messages go out at once, and nothing was done…
        send a message to Anna tomorrow saying hi
          = none: Calls and messages go out at once, and nothing was done…
        message Anna saying I'm at home at 5
          = Message Anna Karenina (person): “I'm at home at 5”
        text Anna thanks
          = Message Anna Karenina (person): “thanks”
        send this to Anna
          = none: A message has words only, and nothing was sent…
        send this page to Anna
          = none: A message has words only, and nothing was sent…
        share this with Anna
          = none: A message has words only, and nothing was sent…
        send Anna a photo
          = none: A message has words only, and nothing was sent…
        send Anna photos of the dog
          = none: A message has words only, and nothing was sent…
        send Anna directions to the station
          = none: A message has words only, and nothing was sent…
        send Anna her number
          = none: A message has words only, and nothing was sent…
        send hello to Anna
          = Message Anna Karenina (person): “hello”
        email tom@example.com hello
          = Email “tom@example.com”: “hello”
        directions to Alexanderplatz by bike
          = none: How you travel is chosen in the map…
        go home
          = Directions to home
        let's go home
          = Directions to home
        play Back to Black
          = Play “Back to Black”
        play 9 to 5
          = Play “9 to 5”
        play Friday I'm in Love by The Cure
          = Play “Friday I'm in Love by The Cure”
        play Call Me Maybe
          = Play “Call Me Maybe”
        play "Remind Me" by Röyksopp
          = Play “"Remind Me" by Röyksopp”
        open Mail now
          = Open Mail (app)
        bring up Mail
          = Open Mail (app)
        find "at home" in my documents
          = Search for “at home”
        search my mail for invoices
          = Search for “invoices”
        google how to open a coconut
          = Search for “how to open a coconut”
        CALL ANNA!
          = Call Anna Karenina (person)
        """
}
