extension RequestSentences {
    /// English reminders as people type them in a hurry: without punctuation, and with other words for the same.
    static let quickReminders = """
        remind me at the gym to stretch
          = Remind you of “stretch” when you arrive at “gym”
        remind me at home to water the plants
          = Remind you of “water the plants” when you arrive at home
        remind me at work to print the slides
          = Remind you of “print the slides” when you arrive at work
        remind me at the office to print the slides
          = Remind you of “print the slides” when you arrive at work
        remind me when I'm at the gym to stretch
          = Remind you of “stretch” when you arrive at “the gym”
        remind me when im at the gym to stretch
          = Remind you of “stretch” when you arrive at “the gym”
        remind me when I'm at Yank Sing to try the buns
          = Remind you of “try the buns” when you arrive at Yank Sing (place)
        remind me at Yank Sing to try the buns
          = Remind you of “try the buns” when you arrive at Yank Sing (place)
        remind me to stretch at home
          = Remind you of “stretch” when you arrive at home
        remind me to try the buns at Yank Sing
          = Remind you of “try the buns” when you arrive at Yank Sing (place)
        remind me at lunch to call mom
          = Remind you of “call mom” on Thursday 26 November 2026 at 12:00
        remind me at the supermarket to buy milk
          = Remind you of “buy milk” when you arrive at “supermarket”
        remind me at school to ask the teacher
          = Remind you of “ask the teacher” when you arrive at “school”
        remind me at the end of the day to lock up
          = Remind you of “lock up” on Thursday 26 November 2026 at 17:00
        remind me to buy milk at some point
          = Remind you of “buy milk at some point”
        remind me at the airport to buy water
          = Remind you of “buy water” when you arrive at “airport”
        remind me at the weekend to mow
          = Remind you of “mow” on Saturday 28 November 2026
        remind me at the train station to buy a ticket
          = Remind you of “buy a ticket” when you arrive at “train station”
        remind me before 5 to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 16:30
        remind me before 5pm to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 16:30
        remind me before 17:00 to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 16:30
        remind me before noon to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 11:30
        remind me before tomorrow to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 21:30
        remind me before friday to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 21:30
        remind me before 5 tomorrow to call the bank
          = Remind you of “call the bank” on Friday 27 November 2026 at 16:30
        remind me tomorrow before 5 to call the bank
          = Remind you of “call the bank” on Friday 27 November 2026 at 16:30
        remind me to call the bank before 5
          = Remind you of “call the bank” on Thursday 26 November 2026 at 16:30
        remind me to call the bank before 5pm
          = Remind you of “call the bank” on Thursday 26 November 2026 at 16:30
        remind me to call the bank before noon
          = Remind you of “call the bank” on Thursday 26 November 2026 at 11:30
        remind me to call the bank before friday
          = Remind you of “call the bank” on Thursday 26 November 2026 at 21:30
        remind me before dinner to take pills
          = Remind you of “take pills” on Thursday 26 November 2026 at 18:30
        remind me before bed to take pills
          = Remind you of “take pills” on Thursday 26 November 2026 at 21:30
        remind me to call the bank after 5
          = Remind you of “call the bank” on Thursday 26 November 2026 at 17:00
        remind me by 5 to call the bank
          = Remind you of “call the bank” on Thursday 26 November 2026 at 17:00
        set an alarm for 6
          = Remind you of “alarm” on Friday 27 November 2026 at 06:00
        remind me before 6 to buy milk
          = Remind you of “buy milk” on Thursday 26 November 2026 at 17:30
        remind me to call the bank before monday
          = Remind you of “call the bank” on Sunday 29 November 2026
        remind me before tomorrow to call
          = Remind you of “call” on Thursday 26 November 2026 at 21:30
        remind me before the weekend to clean
          = Remind you of “clean” on Friday 27 November 2026
        remind me before christmas to buy gifts
          = Remind you of “buy gifts” on Thursday 24 December 2026
        remind me before friday at 5 to call
          = Remind you of “call” on Friday 27 November 2026 at 16:30
        remind me to go after 5 minutes
          = Remind you of “go” on Thursday 26 November 2026 at 10:05
        remind me to go after 5 days
          = Remind you of “go” on Tuesday 1 December 2026 at 10:00
        remind me about this before 5
          = Remind you of what you look at on Thursday 26 November 2026 at 16:30
        remind me to call before 10:15
          = Remind you of “call” on Thursday 26 November 2026 at 10:08
        remind me to be home before midnight
          = Remind you of “be home” on Thursday 26 November 2026 at 23:30
        REMIND ME TO BUY MILK TOMORROW
          = Remind you of “BUY MILK” on Friday 27 November 2026
        remind me buy milk tmrw
          = Remind you of “buy milk” on Friday 27 November 2026
        remind me to by milk tomorow at 8am
          = Remind you of “by milk” on Friday 27 November 2026 at 08:00
        remind me to call anna at 3
          = Remind you of “call anna” on Thursday 26 November 2026 at 15:00
        remind me in 10 min to check oven
          = Remind you of “check oven” on Thursday 26 November 2026 at 10:10
        remind me in 10minutes to check oven
          = Remind you of “check oven” on Thursday 26 November 2026 at 10:10
        remind me in 2h to check oven
          = Remind you of “check oven” on Thursday 26 November 2026 at 12:00
        remind me in 1 hr to check the oven
          = Remind you of “check the oven” on Thursday 26 November 2026 at 11:00
        remind me at 1530 to leave
          = Remind you of “leave” on Thursday 26 November 2026 at 15:30
        remind me at 5 tmrw to leave
          = Remind you of “leave” on Friday 27 November 2026 at 17:00
        remind me 5pm leave
          = Remind you of “leave” on Thursday 26 November 2026 at 17:00
        remind me tonight take out trash
          = Remind you of “take out trash” on Thursday 26 November 2026 at 20:00
        remind me tomorrow morning gym
          = Remind you of “gym” on Friday 27 November 2026 at 09:00
        remind me fri 3pm dentist
          = Remind you of “dentist” on Friday 27 November 2026 at 15:00
        remind me next tue dentist
          = Remind you of “dentist” on Tuesday 1 December 2026
        remind me on the 3rd to pay rent
          = Remind you of “pay rent” on Thursday 3 December 2026
        remind me on dec 3 to pay rent
          = Remind you of “pay rent” on Thursday 3 December 2026
        remind me every mon to take out trash
          = Remind you of “take out trash” every week on Monday, first on Monday 30 November 2026
        remind me every day at 9 to take pills
          = Remind you of “take pills” every day, first on Friday 27 November 2026 at 09:00
        remind me everyday at 9 to take pills
          = Remind you of “take pills” every day, first on Friday 27 November 2026 at 09:00
        remind me daily take pills 9am
          = Remind you of “take pills” every day, first on Friday 27 November 2026 at 09:00
        remind me each morning to stretch
          = Remind you of “stretch” every day, first on Friday 27 November 2026 at 09:00
        remind me weekly to water plants
          = Remind you of “water plants” every week, first on Friday 27 November 2026
        remind me every 2 hours to drink water
          = Remind you of “drink water” every 2 hours, first on Thursday 26 November 2026 at 12:00
        remind me every hour to drink water
          = Remind you of “drink water” every hour, first on Thursday 26 November 2026 at 11:00
        remind me every two weeks to change sheets
          = Remind you of “change sheets” every 2 weeks, first on Friday 27 November 2026
        remind me when i get home to feed cat
          = Remind you of “feed cat” when you arrive at home
        remind me when i get 2 work to email bob
          = Remind you of “email bob” when you arrive at work
        remind me when i leave work to buy bread
          = Remind you of “buy bread” when you leave work
        remind me when i leave to lock door
          = Remind you of “lock door” when you leave here
        remind me when i leave home to lock door
          = Remind you of “lock door” when you leave home
        remind me when i arrive home feed cat
          = Remind you of “feed cat” when you arrive at home
        remind me after work buy bread
          = Remind you of “buy bread” when you leave work
        remind me about this tmrw
          = Remind you of what you look at on Friday 27 November 2026
        remind me of this at 6
          = Remind you of what you look at on Thursday 26 November 2026 at 18:00
        dont forget to buy milk
          = Remind you of “buy milk”
        dont let me forget to buy milk
          = Remind you of “buy milk”
        remember to call anna tomorrow
          = Remind you of “call anna” on Friday 27 November 2026
        reminder buy milk 6pm
          = Remind you of “buy milk” on Thursday 26 November 2026 at 18:00
        new reminder buy milk
          = Remind you of “buy milk”
        set reminder buy milk tomorrow
          = Remind you of “buy milk” on Friday 27 November 2026
        set a reminder to buy milk at 6
          = Remind you of “buy milk” on Thursday 26 November 2026 at 18:00
        create reminder for tomorrow 5pm buy milk
          = Remind you of “buy milk” on Friday 27 November 2026 at 17:00
        wake me at 6:30
          = Remind you of “wake me” on Friday 27 November 2026 at 06:30
        set alarm for 7am
          = Remind you of “alarm” on Friday 27 November 2026 at 07:00
        set an alarm at 7
          = none: Say whether the alarm is for this evening or for the morning: “pm” or “am”. None was set.
        set timer 10 minutes
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        timer 10 min
          = Remind you of “timer” on Thursday 26 November 2026 at 10:10
        set a 5 minute timer
          = Remind you of “timer” on Thursday 26 November 2026 at 10:05
        start timer 5 min
          = Remind you of “timer” on Thursday 26 November 2026 at 10:05
        remind me to call anna and text bob at 5
          = Remind you of “call anna and text bob” on Thursday 26 November 2026 at 17:00
        remind me to call tom at 5
          = Remind you of “call tom” on Thursday 26 November 2026 at 17:00
        remind me every day to take pills at 9
          = Remind you of “take pills” every day, first on Friday 27 November 2026 at 09:00
        remind me every monday to call anna at 5pm
          = Remind you of “call anna” every week on Monday, first on Monday 30 November 2026 at 17:00
        set timer for 5 min
          = Remind you of “timer” on Thursday 26 November 2026 at 10:05
        remind me to buy milk at 6 pls
          = Remind you of “buy milk” on Thursday 26 November 2026 at 18:00
        remind me 12/24 wrap gifts
          = Remind you of “wrap gifts” on Thursday 24 December 2026
        add a reminder to call mom
          = Remind you of “call mom”
        make reminder call mom 5pm
          = Remind you of “call mom” on Thursday 26 November 2026 at 17:00
        remind me to try this again
          = Remind you of “try this again”
        remind me to do it soon
          = Remind you of “do it soon”
        remind me when im home to call
          = Remind you of “call” when you arrive at home
        remind me when im in the car to call
          = Remind you of “call” when “car” connects
        when i get home remind me to call
          = Remind you of “call” when you arrive at home
        remind me to pick up the kids before 3 on friday
          = Remind you of “pick up the kids” on Friday 27 November 2026 at 14:30
        remind me before lunch to eat
          = Remind you of “eat” on Thursday 26 November 2026 at 11:30
        remind me to be there by 5pm tomorrow
          = Remind you of “be there” on Friday 27 November 2026 at 17:00
        remind me before 5:30 tomorrow to go
          = Remind you of “go” on Friday 27 November 2026 at 17:00
        remind me before 5 pm on friday to go
          = Remind you of “go” on Friday 27 November 2026 at 16:30
        remind me not to smoke
          = Remind you of “not to smoke”
        remind me to read before bed
          = Remind you of “read” on Thursday 26 November 2026 at 21:30
        remind me to take pills before breakfast tomorrow
          = Remind you of “take pills” on Friday 27 November 2026 at 07:30
        """
}
