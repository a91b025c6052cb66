/// Sentences, each with what it means on Thursday 26 November 2026 at 10:00.
enum RequestSentences {
    /// Reminders with times, in English.
    static let reminders = """
        remind me to buy milk
          = Remind you of “buy milk”
        remind me to buy milk tomorrow at 6
          = Remind you of “buy milk” on Friday 27 November 2026 at 18:00
        Remind me to buy milk at 6
          = Remind you of “buy milk” on Thursday 26 November 2026 at 18:00
        remind me to buy milk at 6 pm
          = Remind you of “buy milk” on Thursday 26 November 2026 at 18:00
        remind me at 6pm to buy milk
          = Remind you of “buy milk” on Thursday 26 November 2026 at 18:00
        at 6:30 p.m. remind me to call mom
          = Remind you of “call mom” on Thursday 26 November 2026 at 18:30
        remind me to call Anna tomorrow morning
          = Remind you of “call Anna” on Friday 27 November 2026 at 09:00
        remind me about this when I get home
          = Remind you of what you look at when you arrive at home
        remind me about this
          = Remind you of what you look at
        remind me about this tonight
          = Remind you of what you look at on Thursday 26 November 2026 at 20:00
        remind me about this in half an hour
          = Remind you of what you look at on Thursday 26 November 2026 at 10:30
        remind me in 20 minutes to check the oven
          = Remind you of “check the oven” on Thursday 26 November 2026 at 10:20
        remind me to check the oven in an hour and a half
          = Remind you of “check the oven” on Thursday 26 November 2026 at 11:30
        remind me to stretch in two hours and 15 minutes
          = Remind you of “stretch” on Thursday 26 November 2026 at 12:15
        remind me at a quarter to six to leave
          = Remind you of “leave” on Thursday 26 November 2026 at 17:45
        remind me to leave at quarter past seven
          = Remind you of “leave” on Thursday 26 November 2026 at 19:15
        remind me to leave at half past five in the afternoon
          = Remind you of “leave” on Thursday 26 November 2026 at 17:30
        remind me to leave at ten to nine
          = Remind you of “leave” on Thursday 26 November 2026 at 20:50
        remind me to leave at 18:45
          = Remind you of “leave” on Thursday 26 November 2026 at 18:45
        remind me to leave at 8:05
          = Remind you of “leave” on Thursday 26 November 2026 at 20:05
        remind me the day after tomorrow to water the plants
          = Remind you of “water the plants” on Saturday 28 November 2026
        remind me to water the plants on Friday
          = Remind you of “water the plants” on Friday 27 November 2026
        remind me to water the plants this friday
          = Remind you of “water the plants” on Friday 27 November 2026
        remind me to water the plants next friday
          = Remind you of “water the plants” on Friday 4 December 2026
        remind me to water the plants next friday at noon
          = Remind you of “water the plants” on Friday 4 December 2026 at 12:00
        remind me on Thursday at 9 to pay the bill
          = Remind you of “pay the bill” on Thursday 26 November 2026 at 21:00
        remind me on Thursday at 11 to pay the bill
          = Remind you of “pay the bill” on Thursday 26 November 2026 at 11:00
        remind me to pay rent at the end of the month
          = Remind you of “pay rent” on Monday 30 November 2026
        remind me to pay rent on the 1st
          = Remind you of “pay rent” on Tuesday 1 December 2026
        remind me to pay rent on the 26th at 9:00
          = Remind you of “pay rent” on Thursday 26 November 2026 at 21:00
        remind me to file taxes on 31 May
          = Remind you of “file taxes” on Monday 31 May 2027
        remind me to file taxes on May 31st 2027 at 10
          = Remind you of “file taxes” on Monday 31 May 2027 at 10:00
        remind me to buy candles on christmas eve
          = Remind you of “buy candles” on Thursday 24 December 2026
        remind me to wish a happy new year on new year's day at midnight
          = Remind you of “wish a happy new year” on Friday 1 January 2027 at 00:00
        remind me to dress up on Halloween
          = Remind you of “dress up” on Sunday 31 October 2027
        remind me on 2026-12-24 at 17:00 to light candles
          = Remind you of “light candles” on Thursday 24 December 2026 at 17:00
        remind me on 24.12.2026 to light candles
          = Remind you of “light candles” on Thursday 24 December 2026
        remind me on 5/6 to light candles
          = or: Remind you of “light candles” on Thursday 6 May 2027 / Remind you of “light candles” on Saturday 5 June 2027
        remind me on 12/24 to light candles
          = Remind you of “light candles” on Thursday 24 December 2026
        remind me to take pills every day at 8 am
          = Remind you of “take pills” every day, first on Friday 27 November 2026 at 08:00
        remind me to take pills every morning
          = Remind you of “take pills” every day, first on Friday 27 November 2026 at 09:00
        remind me every monday and thursday at 19:00 to train
          = Remind you of “train” every week on Monday, Thursday, first on Thursday 26 November 2026 at 19:00
        remind me to stand up every hour
          = Remind you of “stand up” every hour, first on Thursday 26 November 2026 at 11:00
        remind me to stand up every 2 hours
          = Remind you of “stand up” every 2 hours, first on Thursday 26 November 2026 at 12:00
        remind me to water the plants every other day
          = Remind you of “water the plants” every 2 days, first on Friday 27 November 2026
        remind me to submit the report every weekday at 5 pm
          = Remind you of “submit the report” on weekdays, first on Thursday 26 November 2026 at 17:00
        remind me to pay rent every month on the 1st
          = Remind you of “pay rent” every month, first on Tuesday 1 December 2026
        remind me to call mom every sunday evening
          = Remind you of “call mom” every week on Sunday, first on Sunday 29 November 2026 at 19:00
        remind me every year on 14 February to buy flowers
          = Remind you of “buy flowers” every year, first on Sunday 14 February 2027
        remind me of the meeting on weekdays at 9
          = Remind you of “the meeting” on weekdays, first on Friday 27 November 2026 at 09:00
        remind me to take out the trash when I leave home
          = Remind you of “take out the trash” when you leave home
        when I leave work remind me to buy bread
          = Remind you of “buy bread” when you leave work
        remind me to ask for the menu when I arrive at Yank Sing
          = Remind you of “ask for the menu” when you arrive at Yank Sing (place)
        remind me to lock the door when I leave
          = Remind you of “lock the door” when you leave here
        remind me to pick up the parcel when I'm at the post office
          = Remind you of “pick up the parcel” when you arrive at “the post office”
        remind me to charge them when my headphones disconnect
          = Remind you of “charge them” when Headphones (device) disconnects
        remind me to play jazz when I connect my headphones
          = Remind you of “play jazz” when Headphones (device) connects
        remind me to reply when I open Mail
          = Remind you of “reply” when you open Mail (app)
        remind me to say thanks when I message Anna
          = Remind you of “say thanks” when you message Anna Karenina (person)
        remind me about the book the next time I talk to Anna
          = Remind you of “the book” when you are in touch with Anna Karenina (person)
        remind me when I call Anna to ask about the trip
          = Remind you of “ask about the trip” when you call Anna Karenina (person)
        set a reminder for friday to buy milk
          = Remind you of “buy milk” on Friday 27 November 2026
        don't let me forget to buy milk tomorrow
          = Remind you of “buy milk” on Friday 27 November 2026
        please remind me to buy milk tomorrow please
          = Remind you of “buy milk” on Friday 27 November 2026
        Could you remind me to buy milk tomorrow?
          = Remind you of “buy milk” on Friday 27 November 2026
        remember the milk
          = Remind you of “the milk”
        remind me tomorrow
          = none: Say also what you want to be reminded of.
        remind me
          = none: Say also what you want to be reminded of.
        directions
          = Directions to the place that you look at
        directions to Yank Sing
          = Directions to Yank Sing (place)
        directions to 1 Infinite Loop, Cupertino
          = Directions to “1 Infinite Loop, Cupertino”
        get me directions home
          = Directions to home
        take me to work
          = Directions to work
        directions to this place
          = Directions to the place that you look at
        how do I get to the post office?
          = Directions to “the post office”
        navigate to “Yank Sing”
          = Directions to Yank Sing (place)
        call this place
          = Call the place or the people that you look at
        call them
          = Call the place or the people that you look at
        call Anna
          = Call Anna Karenina (person)
        call Jean-Luc
          = Call Jean-Luc (person)
        call Bob Smith
          = Call “Bob Smith”
        call (415) 781-1111
          = Call “(415) 781-1111”
        call Yank Sing
          = Call Yank Sing (place)
        give Anna a call
          = Call Anna Karenina (person)
        call
          = Call the place or the people that you look at
        message Anna that I am late
          = Message Anna Karenina (person): “I am late”
        message Anna I am late
          = Message Anna Karenina (person): “I am late”
        text Anna
          = Message Anna Karenina (person)
        tell Bob I'm running late
          = Message “Bob”: “I'm running late”
        message them see you soon
          = Message the place or the people that you look at: “see you soon”
        """
}
