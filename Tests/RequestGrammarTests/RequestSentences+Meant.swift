extension RequestSentences {
    /// English: what words also mean, where a rule for times, ways, files or apps would refuse them.
    static let meantEnglish = """
        tell Dr Anna Karenina I'm late
          = Message Anna Karenina (person): “I'm late”
        text dr can we move it
          = none: “can” names no person…
        text doctor I'm late
          = Message “doctor”: “I'm late”
        text doctor Weber that I'm late
          = Message “doctor Weber”: “I'm late”
        let doctor Weber know I am late
          = Message “Weber”: “I am late”
        send Anna we need a signal
          = Message Anna Karenina (person): “we need a signal”
        write Anna that I saw a facebook post
          = Message Anna Karenina (person): “I saw a facebook post”
        send Anna a whatsapp hello
          = none: In which app…
        send a whatsapp to Anna
          = none: In which app…
        tell Anna Jean-Luc and I are late
          = Message Anna Karenina (person): “Jean-Luc and I are late”
        email Anna Jean-Luc and I'm late
          = Email Anna Karenina (person): “Jean-Luc and I'm late”
        tell Anna Jean-Luc and Bob hello
          = none: A message goes to one person. Write to each by itself, or put the text in quotes.
        remind me to buy clothes for the summer
          = Remind you of “buy clothes for the summer”
        remind me to plan our summer tomorrow
          = Remind you of “plan our summer” on Friday 27 November 2026
        remind me to fix the box spring tomorrow
          = Remind you of “fix the box spring” on Friday 27 November 2026
        remind me to paint the house in the summer
          = none: “in the summer” is not a time…
        remind me to paint the house this spring
          = none: “this spring” is not a time…
        remind me to answer the mail from two weeks ago
          = Remind you of “answer the mail from two weeks ago”
        remind me to answer the mail from two weeks ago tomorrow
          = Remind you of “answer the mail from two weeks ago” on Friday 27 November 2026
        directions to Hotel Roma, Via Garibaldi 3
          = Directions to “Hotel Roma, Via Garibaldi 3”
        directions to hotel roma via garibaldi 3
          = Directions to “hotel roma via garibaldi 3”
        directions to Hotel Roma, via Garibaldi
          = Directions to “Hotel Roma, via Garibaldi”
        directions to Pizzeria Via Napoli
          = Directions to “Pizzeria Via Napoli”
        directions to "Pizzeria via Napoli"
          = Directions to “Pizzeria via Napoli”
        directions to Berlin via Hamburg
          = none: How you travel is chosen in the map. Name only where you want to go, or put a name with such a word in quotes.
        directions home via Hamburg
          = none: How you travel…
        DIRECTIONS TO BERLIN VIA HAMBURG
          = none: How you travel…
        todo list
          = Show your reminders
        my to do list
          = Show your reminders
        todo buy milk
          = Remind you of “buy milk”
        take me downtown
          = Directions to “downtown”
        how do I get downtown
          = Directions to “downtown”
        take me downtown Chicago
          = Directions to “downtown Chicago”
        take me a beer
          = none: …
        send my love to mum
          = Message “mum”: “my love”
        send my holiday photos to Anna
          = none: A message has words only…
        send the photo of the dog to Anna
          = none: A message has words only…
        """

    /// German: as in English.
    static let meantGerman = """
        erinnere mich an Milch, wenn ich von zu Hause gehe
          = Remind you of “Milch” when you leave home
        erinnere mich an den Schirm, wenn ich aus dem Haus gehe
          = Remind you of “den Schirm” when you leave home
        schreib Anna eine Mail mit der Bitte um Rückruf
          = Email Anna Karenina (person): “mit der Bitte um Rückruf”
        schreib Anna eine Mail mit der Rechnung
          = none: A message has words only…
        schreib Anna eine Mail mit dem Bericht vom Montag
          = none: A message has words only…
        Wegbeschreibung zu Hotel Roma, Via Garibaldi 3
          = Directions to “Hotel Roma, Via Garibaldi 3”
        Route nach Pizzeria Via Napoli
          = Directions to “Pizzeria Via Napoli”
        Route nach Berlin über Hamburg
          = none: How you travel…
        """

    /// Turkish: the meal behind “akşam” is no second time.
    static let meantTurkish = """
        sabah akşam yemeği için et çıkarmayı hatırlat
          = Remind you of “akşam yemeği için et çıkarmayı” on Friday 27 November 2026 at 09:00
        sabah akşam ilaç almayı hatırlat
          = none: This names more than one time…
        her gün sabah öğle akşam ilaç almayı hatırlat
          = none: This names more than one time…
        """
}
