extension RequestSentences {
    /// English: messages, calls, and what is played.
    static let titlesEnglish = """
        text Anna call me please
          = Message Anna Karenina (person): “call me please”
        tell Anna to call me pls
          = Message Anna Karenina (person): “to call me pls”
        message Anna saying bring milk, please!
          = Message Anna Karenina (person): “bring milk, please!”
        text Anna can you call me please?
          = Message Anna Karenina (person): “can you call me please?”
        can you text Anna I am late please
          = Message Anna Karenina (person): “I am late”
        text Anna please
          = Message Anna Karenina (person)
        text Anna "call me" please
          = Message Anna Karenina (person): “call me”
        email Anna that the train is late please
          = Email Anna Karenina (person): “the train is late please”
        please text Anna call me
          = Message Anna Karenina (person): “call me”
        text Anna please call me
          = Message Anna Karenina (person): “please call me”
        call Anna please
          = Call Anna Karenina (person)
        open Mail please
          = Open Mail (app)
        play jazz please
          = Play “jazz”
        play jazz on shuffle
          = none: In which order it plays…
        shuffle my music
          = none: In which order it plays…
        play Blue Train on repeat
          = none: In which order it plays…
        play jazz on the speaker
          = none: Where it plays cannot be said…
        play jazz on my phone
          = none: Where it plays cannot be said…
        play Blue Train on the living room speakers
          = none: Where it plays cannot be said…
        play jazz on Headphones
          = none: Where it plays cannot be said…
        play jazz on my headphones
          = none: Where it plays cannot be said…
        play Blue Train on Spotify
          = none: Where it plays cannot be said…
        play this on the TV
          = none: Where it plays cannot be said…
        play on my phone
          = none: Where it plays cannot be said…
        move the music to the kitchen
          = none: Where it plays cannot be said…
        play "Jazz on My Phone"
          = Play “Jazz on My Phone”
        play Smoke on the Water
          = Play “Smoke on the Water”
        play Dancing in the Dark
          = Play “Dancing in the Dark”
        play Murder on the Dancefloor please
          = Play “Murder on the Dancefloor”
        play TV on the Radio
          = Play “TV on the Radio”
        play Video Phone
          = Play “Video Phone”
        watch The Day After Tomorrow
          = Play “The Day After Tomorrow”
        watch the movie Tomorrow Never Dies
          = Play “Tomorrow Never Dies”
        watch Friday Night Lights
          = Play “Friday Night Lights”
        play Tomorrow
          = Play “Tomorrow”
        play Yesterday by the Beatles
          = Play “Yesterday by the Beatles”
        listen to Monday Morning
          = Play “Monday Morning”
        listen to Sunday Bloody Sunday
          = Play “Sunday Bloody Sunday”
        listen to some jazz
          = Play “jazz”
        play Tonight Tonight
          = Play “Tonight Tonight”
        play 7 Years
          = Play “7 Years”
        play Call Anna Tomorrow
          = Play “Call Anna Tomorrow”
        play At Seventeen
          = Play “At Seventeen”
        watch 24
          = Play “24”
        play Next to Me
          = Play “Next to Me”
        play Don't Stop
          = Play “Don't Stop”
        play Pause
          = Play “Pause”
        stop the video
          = Pause
        tell Anna I'll call her tomorrow at 5
          = Message Anna Karenina (person): “I'll call her tomorrow at 5”
        text Anna see you tonight
          = Message Anna Karenina (person): “see you tonight”
        text Anna happy birthday!
          = Message Anna Karenina (person): “happy birthday!”
        tell Anna that I am at the station
          = Message Anna Karenina (person): “I am at the station”
        text Anna where are you?
          = Message Anna Karenina (person): “where are you?”
        shoot Anna a text saying hi
          = Message Anna Karenina (person): “hi”
        drop Anna a message that I am late
          = Message Anna Karenina (person): “I am late”
        reply to Anna that I am late
          = Message Anna Karenina (person): “I am late”
        answer Anna I am late
          = Message Anna Karenina (person): “I am late”
        send Anna hello
          = Message Anna Karenina (person): “hello”
        text Anna on my way
          = Message Anna Karenina (person): “on my way”
        give Anna a call
          = Call Anna Karenina (person)
        give Anna a ring please
          = Call Anna Karenina (person)
        call Anna back
          = Call Anna Karenina (person)
        call Anna on speaker
          = Call Anna Karenina (person)
        call Anna with video
          = Video call Anna Karenina (person)
        start a video call with Anna
          = Video call Anna Karenina (person)
        make a phone call to Anna
          = Call Anna Karenina (person)
        phone Anna please
          = Call Anna Karenina (person)
        call 030 123456
          = Call “030 123456”
        call +49 30 123456
          = Call “+49 30 123456”
        hang up
          = none: …
        don't call Anna
          = none: …
        do not text Anna
          = none: …
        call Anna or Bob
          = Call “Anna or Bob”
        call Anna and Jean-Luc
          = none: A call goes to one person…
        text Anna and Jean-Luc hello
          = none: A message goes to one person…
        call nobody
          = Call “nobody”
        skip
          = Play the next one
        go back to the previous song
          = Play the previous one
        stop music
          = Pause
        continue playing
          = Play
        play the last song
          = Play the previous one
        what song is this
          = Say what is playing
        reply to Anna: on my way
          = Message Anna Karenina (person): “on my way”
        call Jean-Luc or Anna
          = none: A call goes to one person…
        text Anna I'm outside, come down please
          = Message Anna Karenina (person): “I'm outside, come down please”
        text Anna: don't forget the keys
          = Message Anna Karenina (person): “don't forget the keys”
        tell Anna to remind me tomorrow
          = Message Anna Karenina (person): “to remind me tomorrow”
        tell Anna not to wait for me
          = Message Anna Karenina (person): “not to wait for me”
        text Anna "Play jazz on my phone"
          = Message Anna Karenina (person): “Play jazz on my phone”
        text Anna that I play tomorrow
          = Message Anna Karenina (person): “I play tomorrow”
        text Anna call me tomorow
          = Message Anna Karenina (person): “call me tomorow”
        ask Anna whether she is coming tonight
          = Message Anna Karenina (person): “whether she is coming tonight”
        let Anna know I am running late please
          = Message Anna Karenina (person): “I am running late please”
        text my wife I love you
          = Message “wife”: “I love you”
        message 0151 2345678 hello
          = Message “0151 2345678”: “hello”
        send a text to Anna
          = Message Anna Karenina (person)
        send Anna a text
          = Message Anna Karenina (person)
        text back Anna ok
          = Message Anna Karenina (person): “ok”
        read my messages
          = none: …
        read me my last message
          = none: …
        call my wife
          = Call “wife”
        call the doctor
          = Call “the doctor”
        call 911
          = Call “911”
        call Yank Sing
          = Call Yank Sing (place)
        ring up Anna
          = Call Anna Karenina (person)
        get Anna on the phone
          = Call Anna Karenina (person)
        can you get Anna on the line
          = Call Anna Karenina (person)
        I want to talk to Anna
          = Call Anna Karenina (person)
        I need to call Anna
          = Call Anna Karenina (person)
        redial
          = none: …
        answer the phone
          = none: …
        play music
          = Play
        play some music please
          = Play
        play my favourites
          = Play “my favourites”
        play a song
          = Play
        play a song by Coltrane
          = Play “Coltrane”
        play songs by Coltrane
          = Play “Coltrane”
        play the next episode
          = Play the next one
        play it again
          = none: In which order…
        play that again
          = none: In which order…
        start the song over
          = none: In which order…
        rewind 30 seconds
          = none: …
        fast forward
          = none: …
        skip ahead 30 seconds
          = none: …
        next please
          = Play the next one
        pause please
          = Pause
        stop
          = Pause
        stop the music in 10 minutes
          = none: …
        play jazz in 10 minutes
          = Play “jazz in 10 minutes”
        play jazz at 6
          = Play “jazz at 6”
        play jazz tomorrow at 6
          = Play “jazz tomorrow at 6”
        let my wife know I am late
          = Message “wife”: “I am late”
        text my Anna hi
          = Message Anna Karenina (person): “hi”
        play A Song for You
          = Play “A Song for You”
        play Again and Again
          = Play “Again and Again”
        play Talk to Me
          = Play “Talk to Me”
        text Anna back in 5
          = Message Anna Karenina (person): “back in 5”
        text Anna I will call in an huor
          = Message Anna Karenina (person): “I will call in an huor”
        watch the oven
          = Play “the oven”
        repeat this song
          = none: In which order it plays…
        turn on shuffle
          = none: In which order it plays…
        play my playlist on the bluetooth speaker
          = none: Where it plays cannot be said…
        play The Sound of Music on the TV please
          = none: Where it plays cannot be said…
        play Radio Ga Ga
          = Play “Radio Ga Ga”
        play Stuck on You
          = Play “Stuck on You”
        play Head over Heels
          = Play “Head over Heels”
        play Through the Barricades
          = Play “Through the Barricades”
        play Live from Mars
          = Play “Live from Mars”
        play Walking on Sunshine
          = Play “Walking on Sunshine”
        play On Repeat
          = none: In which order it plays…
        play Call Me
          = Play “Call Me”
        play something
          = Play
        watch Alarm for 6
          = Play “Alarm for 6”
        listen to Remind Me Tomorrow
          = Play “Remind Me Tomorrow”
        please play Tomorrow
          = Play “Tomorrow”
        listen to the album Tomorrow's Modern Boxes
          = Play “Tomorrow's Modern Boxes”
        """
}
