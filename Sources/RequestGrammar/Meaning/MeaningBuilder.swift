import Foundation

/// Makes a meaning of what the words of a sentence have set. docs/requests.md lists the names.
struct MeaningBuilder {
    let slots: Slots
    let tokens: RequestTokens
    let now: Date
    let timeZone: TimeZone
    let has24Hours: Bool

    func meaning() throws(MeaningError) -> RequestMeaning {
        switch slots.symbol("action") {
        case "remind":
            let when = try when()
            return .remind(try subject(), when)
        case "several": throw Self.several
        case "onemessage": throw Self.oneMessage
        case "directions": return .directions(try place("place"))
        case "call": return .call(try party("party"))
        case "video": return .video(try party("party"))
        case "vague":
            throw MeaningError(sentence: "Say when: “later” is no time. “Tonight” and “in an hour” are.")
        case "elsewhere":
            throw MeaningError(sentence: "Directions begin where you are. Name only where you want to go.")
        case "volume":
            throw MeaningError(sentence: "Baton does not change how loud this device is. Use its keys or its settings.")
        case "settings":
            throw MeaningError(
                sentence: "Baton changes no settings of this device, and nothing was done. Open its settings.")
        case "calendar":
            throw MeaningError(
                sentence:
                    "Baton keeps no calendar, and nothing was entered. Ask for a reminder, as in “remind me of the "
                    + "dentist on Friday at 10”.")
        case "unsaid": throw MeaningError(sentence: "Say also what you want to be reminded of.")
        case "unit":
            throw MeaningError(
                sentence: "Say minutes or hours, as in “in 10 minutes”, and what you want to be reminded of.")
        case "timer":
            throw MeaningError(
                sentence:
                    "Say how long, as in “timer for 10 minutes”. There is no stopwatch, and no timer that is paused.")
        case "browser":
            throw MeaningError(
                sentence:
                    "In which browser a page opens cannot be said, and nothing was opened. Say only the page; “baton "
                    + "settings set browser” picks the browser.")
        case "nearby": throw MeaningError(sentence: "Say what you look for, as in “restaurants near me”.")
        case "howlong":
            throw MeaningError(sentence: "How long is no time. Say when it is to come: “every day at 8”, say.")
        case "movable":
            throw MeaningError(
                sentence: "When that day is, is not known here: its date differs each year. Say the date.")
        case "payment":
            throw MeaningError(sentence: "Baton sends no money, and nothing was sent. Open the app that you pay with.")
        case "ride":
            throw MeaningError(
                sentence: "Baton orders no rides, and none was ordered. Say “directions to” and the place, which a "
                    + "ride app that is your routing app takes, or open that app.")
        case "change":
            throw MeaningError(
                sentence: "Reminders are not changed in words, and nothing was changed. “baton reminders” lists them, "
                    + "and “baton reminders done|snooze|delete ID” changes one.")
        case "atonce":
            throw MeaningError(
                sentence:
                    "Calls and messages go out at once, and nothing was done. Ask to be reminded, as in “remind me "
                    + "tomorrow to call”, or put the text in quotes.")
        case "playlater":
            throw MeaningError(
                sentence:
                    "Music plays and stops at once, and nothing was done. Ask to be reminded, or put a title in quotes."
            )
        case "others":
            throw MeaningError(
                sentence:
                    "Reminders come to you alone, and none was made. Say “remind me”, or “tell” and the name for a message now."
            )
        case "onecall":
            throw MeaningError(sentence: "A call goes to one person, and none was made. Call each by itself.")
        case "number":
            throw MeaningError(
                sentence:
                    "Which of a person's numbers is called cannot be said. Say “call” and the name, or the number.")
        case "means":
            if let address = addressWithWay() { return .directions(.named(.written(address))) }
            throw MeaningError(
                sentence: "How you travel is chosen in the map. Name only where you want to go, or put a name with "
                    + "such a word in quotes.")
        case "departure":
            throw MeaningError(
                sentence: "Directions begin now. Name only where you want to go, put a name with a time in it in "
                    + "quotes, or ask to be reminded to leave.")
        case "channel":
            throw MeaningError(
                sentence: "In which app cannot be said in a sentence, and nothing was done. “baton people message "
                    + "NAME TEXT --with APP” names it, and so does “call” there.")
        case "mode":
            throw MeaningError(
                sentence: "In which order it plays, and how often, is chosen in the app that plays, and nothing was "
                    + "played. Say only what to play, or put a title in quotes.")
        case "player":
            throw MeaningError(
                sentence: "Where it plays cannot be said, and nothing was played. Say only what to play: “baton media "
                    + "move DEVICE” goes on with it on another device. Put a title in quotes.")
        case "share":
            throw MeaningError(
                sentence: "A message has words only, and nothing was sent. “baton send” sends files and pages, and the "
                    + "app that shows it may share it.")
        case "slip":
            throw MeaningError(
                sentence: "This takes back what it said before, and nothing was done. Say it again as a whole, or put "
                    + "what belongs together in quotes.")
        case "negated": throw Self.negated
        case "unseen":
            throw MeaningError(sentence: "When that happens is not known here. Name a time, or a place of yours.")
        case "theirs":
            throw MeaningError(
                sentence:
                    "When another person comes, calls or writes is not known here. Name a time or a place of yours.")
        case "message": return .message(try party("party"), text: try message())
        case "email": return .email(try party("party"), text: try message())
        case "open": return .open(try name("app"))
        case "page":
            guard let url = text("site").flatMap(WebAddress.url) else { throw Self.incomplete }
            return .page(url)
        case "search": return .search(try required(text("text")))
        case let action?:
            if let listing = RequestMeaning.Listing(rawValue: action) { return .show(listing) }
            guard let action = RequestMeaning.MediaAction(rawValue: action) else { throw Self.incomplete }
            return .media(action, text("media"))
        case nil: throw Self.incomplete
        }
    }

    private static let incomplete = MeaningError(sentence: "Something is missing in this sentence.")

    private static let oneMessage = MeaningError(
        sentence: "A message goes to one person. Write to each by itself, or put the text in quotes.")

    private static let negated = MeaningError(
        sentence: "This says what not to do, and nothing was done. If it is the message, put it in quotes.")

    static let several = MeaningError(
        sentence: "This names more than one time or thing. Ask for one reminder at a time, say “every Monday and "
            + "Wednesday” for one that comes again, or put what belongs together in quotes.")
    /// A subject that begins with these is the rest of something that was not understood.
    static let joining: Set<String> = ["and", "or", "und", "oder", "ve", "veya", "&", "+"]

    /// At the end of a message these are a part of it.
    private static let polite: Set<String> = ["please", "pls", "plz", "bitte", "lutfen"]

    /// Behind these a subject or a text begins, whatever it begins with.
    private static let introducing: Set<String> = [
        "to", "about", "that", "of", "for", "saying", "called", "titled", "named", "an", "daran", "dass",
    ]

    /// Whether the word in front says that a subject or a text begins here.
    static func isIntroduced(_ range: Range<Int>, in tokens: RequestTokens) -> Bool {
        guard range.lowerBound > 0 else { return false }
        let before = tokens.tokens[range.lowerBound - 1]
        return !before.isQuoted && introducing.contains(before.key)
    }

    private func required<Value>(_ value: Value?) throws(MeaningError) -> Value {
        guard let value else { throw Self.incomplete }
        return value
    }

    // MARK: Words

    private func text(_ slot: String) -> String? {
        switch slots[slot] {
        case .text(let range)?:
            let text = tokens.text(range).trimmingCharacters(in: .whitespaces)
            return text.isEmpty ? nil : text
        case .entry(let entry)?: return entry.name
        default: return nil
        }
    }

    private func name(_ slot: String) throws(MeaningError) -> RequestMeaning.Name {
        if case .entry(let entry)? = slots[slot] { return .known(entry) }
        if let symbol = slots.symbol(slot) { return .written(symbol) }
        return .written(try required(text(slot)))
    }

    private func subject() throws(MeaningError) -> RequestMeaning.Subject {
        if slots.symbol("subject") == "this" { return .current }
        guard let text = text("subject") else {
            throw MeaningError(sentence: "Say also what you want to be reminded of.")
        }
        // “Remind me to” is not finished.
        if case .text(let range)? = slots["subject"], range.count == 1, let word = tokens.tokens[range].first,
            !word.isQuoted, Self.introducing.contains(word.key)
        {
            throw MeaningError(sentence: "Say also what you want to be reminded of.")
        }
        if case .text(let range)? = slots["subject"], range.count > 1, let first = tokens.tokens[range].first,
            !first.isQuoted, Self.joining.contains(first.key)
        {
            throw Self.several
        }
        return .text(text)
    }

    /// A message to one person: “text Anna and Bob …” and “sag Anna nicht …” mean something else.
    private func message() throws(MeaningError) -> String? {
        if case .text(let range)? = slots["text"], range.count > 1, let first = tokens.tokens[range].first,
            !first.isQuoted,
            !Self.isIntroduced(range, in: tokens)
        {
            if Self.joining.contains(first.key) {
                throw Self.oneMessage
            }
            if first.key == "nicht" {
                throw Self.negated
            }
        }
        guard let text = text("text") else { return nil }
        guard case .text(let range)? = slots["text"] else { return text }
        // “Are you coming?” is a question; in “can you text Anna I am late?” the mark is not the message's.
        let isAsked = slots["asked"] != nil
        // Nor is the “please” of “can you”, and the one behind quotes.
        if !isAsked, !tokens.tokens[range.upperBound - 1].isQuoted,
            tokens.tokens[range.upperBound...].allSatisfy({ !$0.isQuoted && Self.polite.contains($0.key) })
        {
            let whole = range.lowerBound..<tokens.tokens.count
            return tokens.text(whole) + tokens.marks(behind: whole.upperBound - 1)
        }
        guard range.upperBound < tokens.tokens.count || !isAsked else { return text }
        return text + tokens.marks(behind: range.upperBound - 1)
    }

    private func place(_ slot: String) throws(MeaningError) -> RequestMeaning.Place {
        switch slots.symbol(slot) {
        case "here": return .current
        case "home": return .home
        case "work": return .work
        default: return .named(try name(slot))
        }
    }

    /// “Hotel Roma, Via Garibaldi 3” is an address: the word that names a way is written as a name there, stands behind a comma, or
    /// a number ends it.
    private func addressWithWay() -> String? {
        guard case .text(let place)? = slots["place"], case .text(let rest)? = slots["through"],
            rest.lowerBound > place.upperBound
        else { return nil }
        let words = tokens.tokens
        let way = rest.lowerBound - 1
        let written = tokens.text[words[way].range]
        let isName = written.first?.isUppercase == true && written.dropFirst().contains { $0.isLowercase }
        let between = tokens.text[words[way - 1].range.upperBound..<words[way].range.lowerBound]
        let isNumbered = words[rest.upperBound - 1].key.first?.isNumber == true
        guard isName || isNumbered || between.contains(",") else { return nil }
        return tokens.text(place.lowerBound..<rest.upperBound)
    }

    private func party(_ slot: String) throws(MeaningError) -> RequestMeaning.Party {
        switch slots.symbol(slot) {
        case "here", "this", "them": .current
        case "back": .lastContact
        default: .named(try name(slot))
        }
    }

    // MARK: When

    func when() throws(MeaningError) -> RequestMeaning.When? {
        switch slots.symbol("trigger") {
        case "arrive": return .place(try place("where"), isArriving: true)
        case "leave": return .place(try place("where"), isArriving: false)
        case "connect": return .device(try name("device"), isConnected: true)
        case "disconnect": return .device(try name("device"), isConnected: false)
        case "open": return .app(try name("app"))
        case let contact?:
            return .person(try party("who"), try required(RequestMeaning.Contact(rawValue: contact)))
        case nil:
            let zone = slots.symbol("zone").flatMap { TimeZone(identifier: $0) } ?? timeZone
            guard let time = try TimeResolver(slots: slots, now: now, timeZone: zone, has24Hours: has24Hours).time()
            else { return nil }
            return .time(time)
        }
    }
}
