extension GrammarText {
    /// Media, and wishes for a day, in German.
    static let germanMedia = #"""
        # Media
        media = (spiel|spiele) [mir] (was|etwas|irgendwas) [vor] => action=play cost=-10 | (hör|höre) [damit] auf [damit] => action=pause cost=-10
            | (spiel|spiele) [den|das|die|meinen|mein] (podcast|hörbuch|album|film|video|folge|lied|musik|playlist) weiter => action=play cost=-10
            | (ich will|ich möchte|ich würde gern|ich würde gerne) media:{text} hören => action=play
            | (spiel|spiele) [mir] [etwas|was|ein bisschen|ein wenig|das lied|den song] media:{text} [ab|vor] => action=play
            | (spiel|spiele) [mir] (das album|die playlist) media:{text} [ab|vor] => action=play cost=-1
            | (schau|schaue|guck|gucke|sieh|hör|höre) [mir] [den film|die serie|das lied|den song|das album] media:{text} [an] => action=play
            | (spiel|spiele) [mir] (den film|die serie|den podcast) media:{text} [ab] => action=play cost=-1
            | (spiel|spiele) (das|dies|es) [jetzt] => action=play | (spiel|spiele) [mir] ein (lied|stück) => action=play | (spiel|spiele) [mir] ein (lied|stück) von media:{text} => action=play cost=-1
            | (spiel|spiele) [das|es|das lied] (nochmal|noch mal|noch einmal) => action=mode
            # Neither is said to a player.
            | <playing> [{text}] <mode> [ab|an] => action=mode | (wiederhole|mische|shuffle) [{text}] => action=mode cost=5
            | <playing> [{text}] (auf|über|mit|in|an|von) (dem|der|den|meinem|meiner|meinen|diesem|unserem) <speakers> [ab|an] => action=player
            | <playing> {text} (auf|über|mit|bei) [dem|der|den|meinem|meinen] ({device}|{app}|<players>) [ab|an] => action=player
            | (spiel|spiele) [mir] [etwas] (musik|lieder|etwas|was) von media:{text} [ab|vor] => action=play cost=-1
            | (spiel|spiele|mach|mache) [die|etwas] musik [(an|weiter|ab)] => action=play
            | (stopp|stoppe|pausiere|mach|mache|halt|halte) [die] musik [(aus|an)] => action=pause cost=1
            | (mach|mache) [die] musik aus => action=pause | [der|den|das] (nächster|nächsten|nächstes|nächste) (song|titel|lied|stück) => action=next
            | (spiel|spiele|weiter|spiel weiter|spiele weiter|mach weiter|mache weiter|musik an
            |musik weiter) => action=play
            | (pause|pausiere|halt an|stopp|musik aus|[die] musik (stoppen|anhalten|pausieren|ausmachen)) => action=pause
            | (überspring|überspringe) [das|dieses|den|diesen] [lied|song|titel|stück] => action=next
            | (nächstes lied|nächster titel|nächstes|[das|dieses] lied überspringen|überspringen) => action=next
            | [die] nächste folge => action=next | lied zurück => action=previous
            | (spiel|spiele) (das nächste (lied|stück)|den nächsten (song|titel)) => action=next
            | (spiel|spiele) (das (vorige|vorherige|letzte) (lied|stück)
            |den (vorigen|vorherigen|letzten) (song|titel)) => action=previous
            | (voriger|vorheriger|letzter) (song|titel) => action=previous | ein (lied|stück) zurück => action=previous
            | (voriges lied|vorheriges lied|letztes lied|letzter titel|voriger titel|zurück) => action=previous

        playing = (spiel|spiele|schau|schaue|guck|gucke|sieh|hör|höre) [mir]
        mode = zufällig | im zufallsmodus | in zufälliger reihenfolge | gemischt | durcheinander | in dauerschleife
            | in endlosschleife | in schleife | auf (wiederholung|repeat|shuffle)
        speakers = lautsprecher | lautsprechern | box | boxen | handy | telefon | smartphone | iphone | fernseher | tv | computer
            | rechner | pc | laptop | tablet | ipad | kopfhörer | kopfhörern | anlage | stereoanlage
        players = spotify | youtube | apple music | tidal | deezer | soundcloud | netflix | vlc

        wish = <directions> ohne {text} => action=means | notiz an mich [selbst] subject:{text} [<when>] => action=remind cost=-20

        # They are for their day, and a message goes at once.
        message = (schreib|schreibe|schick|schicke|sende|sag|sage) party:<addressee> (<when> <daywish> [{text}]
            |<daywish> [{single}] <when>) => action=atonce cost=-20
        message = (schreib|schreibe|sag|sage) party:<addressee> (später|nachher) [dass] {text} => action=atonce cost=-15
        message = (sag|sage|gib) party:<addressee> [bitte|mal|bitte mal] bescheid (wenn|sobald|falls) {text} => action=atonce cost=-20
            | (schreib|schreibe|sag|sage) party:<addressee> (wenn|sobald) ich {text} => action=atonce cost=-20
            | (schreib|schreibe|sag|sage|zeig|zeige) party:<addressee> (wo ich [gerade|jetzt] bin|meinen standort) => action=share cost=-20
            | (schreib|schreibe|sag|sage|frag|frage) party:<addressee> text:<tobecalled> => action=message cost=-20
        tobecalled = said:{text} (anrufen|zurückrufen)
        # What is taken back is neither sent nor set.
        takenback = (schreib|schreibe|sag|sage|maile|mail) {text} (nein um|nein doch|quatsch|ach nein|halt nein|äh nein|nein warte|nein moment|moment nein
            |nein (schreib|sag|ruf)|nein {person}|nein {given}) {text} => action=slip cost=-60
            | (ruf|rufe) {text} (quatsch|ach nein|halt nein|äh nein|nein warte|nein {person}|nein {given}) [{text}] => action=slip cost=-60
            | [(stell|stelle|setz|setze|starte|mach|mache)] [mir] [einen|den|die] (wecker|alarm|timer|eieruhr) {text} <rather> [auf] {number} [{text}] => action=slip cost=-60
        email = (schreib|schreibe|schick|schicke|sende) party:<addressee> (eine|ne) <mail> <when> => action=atonce cost=-10
            | [(schreib|schreibe|schick|schicke|sende)] [eine|ne] <mail> an party:<addressee> <when> => action=atonce cost=-10
        daywish = alles (gute|liebe) [zum (geburtstag|hochzeitstag)] | happy birthday | frohe (weihnachten|ostern)
            | (herzlichen|herzliche) (glückwunsch|glückwünsche) [zum (geburtstag|hochzeitstag)] | (frohes|gutes) neues [jahr]
            | guten morgen | gute nacht
        """#
}
