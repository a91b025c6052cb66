extension RequestSentences {
    /// Other English requests as people type them in a hurry, and some that are not to be done.
    static let quickEnglish = """
        directions home
          = Directions to home
        directions to home
          = Directions to home
        directions to work
          = Directions to work
        take me home
          = Directions to home
        take me to the office
          = Directions to work
        drive me home
          = Directions to home
        navigate home
          = Directions to home
        navigate to work
          = Directions to work
        whats playing
          = Say what is playing
        what's playing
          = Say what is playing
        what is playing
          = Say what is playing
        what song is this
          = Say what is playing
        what's this song
          = Say what is playing
        show my reminders
          = Show your reminders
        show me my reminders
          = Show your reminders
        list my reminders
          = Show your reminders
        my reminders
          = Show your reminders
        what are my reminders for today
          = Show your reminders for today
        show reminders
          = Show your reminders
        video call Anna
          = Video call Anna Karenina (person)
        facetime Anna
          = Video call Anna Karenina (person)
        FaceTime Anna
          = Video call Anna Karenina (person)
        FaceTime Anna Karenina
          = Video call Anna Karenina (person)
        facetime audio Anna
          = Call Anna Karenina (person)
        video chat with Anna
          = Video call Anna Karenina (person)
        video call with Anna
          = Video call Anna Karenina (person)
        start a video call with Anna
          = Video call Anna Karenina (person)
        text Anna I'm late
          = Message Anna Karenina (person): “I'm late”
        text anna im late
          = Message Anna Karenina (person): “im late”
        text Anna that I'm late
          = Message Anna Karenina (person): “I'm late”
        skip song
          = Play the next one
        next song
          = Play the next one
        turn up the volume
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        turn the volume up
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        volume up
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        louder
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        mute
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        turn it up
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        turn up the music
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        turn down the volume
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        turn off the lights
          = none: Baton changes no settings of this device, and nothing was done. Open its settings.
        set volume to 50
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        play jazz
          = Play “jazz”
        remind me 12/3 pay rent
          = or: Remind you of “pay rent” on Thursday 3 December 2026 / Remind you of “pay rent” on Friday 12 March 2027
        remind me abt this later
          = none: Say when: “later” is no time. “Tonight” and “in an hour” are.
        call anna
          = Call Anna Karenina (person)
        call Anna Karenina
          = Call Anna Karenina (person)
        ring anna
          = Call Anna Karenina (person)
        call 0171 1234567
          = Call “0171 1234567”
        call +49 171 1234567
          = Call “+49 171 1234567”
        call yank sing
          = Call Yank Sing (place)
        phone anna pls
          = Call Anna Karenina (person)
        can you call anna
          = Call Anna Karenina (person)
        could you please call anna
          = Call Anna Karenina (person)
        pls call anna
          = Call Anna Karenina (person)
        text anna ok
          = Message Anna Karenina (person): “ok”
        txt anna ok
          = Message Anna Karenina (person): “ok”
        text anna: running late
          = Message Anna Karenina (person): “running late”
        msg anna running late
          = Message Anna Karenina (person): “running late”
        message anna
          = Message Anna Karenina (person)
        tell anna im on my way
          = Message Anna Karenina (person): “im on my way”
        tell anna that im on my way
          = Message Anna Karenina (person): “im on my way”
        tell her im late
          = Message the place or the people that you look at: “im late”
        send anna a text saying hi
          = Message Anna Karenina (person): “hi”
        send text to anna im late
          = Message Anna Karenina (person): “im late”
        send a msg to anna hello
          = Message Anna Karenina (person): “hello”
        send message to anna hello
          = Message Anna Karenina (person): “hello”
        let anna know im late
          = Message Anna Karenina (person): “im late”
        email anna
          = Email Anna Karenina (person)
        directions to yank sing
          = Directions to Yank Sing (place)
        directions yank sing
          = Directions to Yank Sing (place)
        direction to yank sing
          = Directions to Yank Sing (place)
        how do i get home
          = Directions to home
        how do i get to work
          = Directions to work
        route home
          = Directions to home
        get me home
          = Directions to home
        navigate to 12 market st
          = Directions to “12 market st”
        take me to yank sing
          = Directions to Yank Sing (place)
        where is yank sing
          = Search for “yank sing”
        play some music
          = Play
        pause music
          = Pause
        stop
          = Pause
        stop music
          = Pause
        stop the music
          = Pause
        resume
          = Play
        next track
          = Play the next one
        skip
          = Play the next one
        skip track
          = Play the next one
        previous song
          = Play the previous one
        last song
          = Play the previous one
        go back a song
          = Play the previous one
        play next song
          = Play the next one
        play radiohead please
          = Play “radiohead”
        whats this song
          = Say what is playing
        whats playing now
          = Say what is playing
        what is this song called
          = Say what is playing
        open mail
          = Open Mail (app)
        open the mail app
          = Open Mail (app)
        launch mail
          = Open Mail (app)
        open Restaurant Reviews
          = Open Restaurant Reviews (app)
        find pizza near me
          = Search for “pizza near me”
        show reminders for today
          = Show your reminders for today
        todays reminders
          = Show your reminders for today
        do i have reminders today
          = Show your reminders for today
        any reminders
          = Show your reminders
        video call
          = none: This is not understood.
        call anna on facetime
          = Video call Anna Karenina (person)
        turn up the volume please
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        make it louder
          = none: Baton does not change how loud this device is. Use its keys or its settings.
        what time is it
          = none: This is not understood.
        delete all reminders
          = none: Reminders are not changed in words, and nothing was changed. “baton reminders” lists them, and “baton \
        reminders done|snooze|delete ID” changes one.
        do not call anna
          = none: This is not understood.
        don't call anna
          = none: This is not understood.
        dont text anna
          = none: This is not understood.
        remind anna to buy milk
          = none: Reminders come to you alone, and none was made. Say “remind me”, or “tell” and the name for a message now.
        remind me about this later
          = none: Say when: “later” is no time. “Tonight” and “in an hour” are.
        call anna pls
          = Call Anna Karenina (person)
        can u call anna
          = Call Anna Karenina (person)
        remind me about this again
          = none: Say when: “later” is no time. “Tonight” and “in an hour” are.
        what reminders do i have today
          = Show your reminders for today
        what are my reminders
          = Show your reminders
        show me todays reminders
          = Show your reminders for today
        read my reminders
          = Show your reminders
        show me everything about anna
          = Search for “anna”
        whats the name of this song
          = Say what is playing
        facetime bob
          = Video call “bob”
        facetime 0171 234567
          = Video call “0171 234567”
        facetime audio anna
          = Call Anna Karenina (person)
        facetime them
          = Video call the place or the people that you look at
        video call this person
          = Video call the place or the people that you look at
        take me there
          = Directions to the place that you look at
        drive to work
          = Directions to work
        directions to my office
          = Directions to work
        directions from here to yank sing
          = Directions to Yank Sing (place)
        directions to work please
          = Directions to work
        navigate to the office
          = Directions to work
        directions from berlin to hamburg
          = none: Directions begin where you are. Name only where you want to go.
        """
}
