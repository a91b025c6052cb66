package import Foundation

/// For people, and for tests: what was understood, in one sentence.
extension RequestMeaning {
    package func sentence(in timeZone: TimeZone) -> String {
        switch self {
        case .remind(let subject, let when):
            let about = if case .text(let text) = subject { "“\(text)”" } else { "what you look at" }
            return "Remind you of \(about)\(when.map { " " + $0.phrase(in: timeZone) } ?? "")"
        case .directions(let place): return "Directions to \(place.phrase)"
        case .call(let party): return "Call \(party.phrase)"
        case .video(let party): return "Video call \(party.phrase)"
        case .message(let party, let text): return "Message \(party.phrase)\(text.map { ": “\($0)”" } ?? "")"
        case .email(let party, let text): return "Email \(party.phrase)\(text.map { ": “\($0)”" } ?? "")"
        case .media(let action, let media):
            switch action {
            case .play: return media.map { "Play “\($0)”" } ?? "Play"
            case .pause: return "Pause"
            case .next: return "Play the next one"
            case .previous: return "Play the previous one"
            }
        case .open(let app): return "Open \(app.phrase)"
        case .page(let url): return "Open \(url.absoluteString)"
        case .search(let text): return "Search for “\(text)”"
        case .show(let listing): return listing.sentence
        }
    }
}

extension RequestMeaning.Listing {
    package var sentence: String {
        switch self {
        case .playing: "Say what is playing"
        case .reminders: "Show your reminders"
        case .remindersToday: "Show your reminders for today"
        }
    }
}

extension RequestMeaning.Name {
    fileprivate var phrase: String {
        switch self {
        case .known(let entry): "\(entry.name) (\(entry.kind.rawValue))"
        case .written(let text): "“\(text)”"
        }
    }
}

extension RequestMeaning.Place {
    fileprivate var phrase: String {
        switch self {
        case .current: "the place that you look at"
        case .home: "home"
        case .work: "work"
        case .named(let name): name.phrase
        }
    }
}

extension RequestMeaning.Party {
    fileprivate var phrase: String {
        switch self {
        case .current: "the place or the people that you look at"
        case .lastContact: "the person of the last call"
        case .named(let name): name.phrase
        }
    }
}

extension RequestMeaning.When {
    package func phrase(in timeZone: TimeZone) -> String {
        switch self {
        case .time(let time): time.phrase(in: timeZone)
        case .place(let place, let isArriving):
            "when you \(isArriving ? "arrive at" : "leave") \(place == .current ? "here" : place.phrase)"
        case .device(let name, let isConnected): "when \(name.phrase) \(isConnected ? "connects" : "disconnects")"
        case .app(let name): "when you open \(name.phrase)"
        case .person(let party, let contact):
            switch contact {
            case .messaged: "when you message \(party.phrase)"
            case .called: "when you call \(party.phrase)"
            case .contacted: "when you are in touch with \(party.phrase)"
            }
        }
    }
}

extension RequestTime {
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Without a locale, so that it is the same on each machine.
    package func phrase(in timeZone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .weekday], from: date)
        let weekday = Self.weekdays[((parts.weekday ?? 1) + 5) % 7]
        let month = Self.months[((parts.month ?? 1) + 11) % 12]
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let time = hasTimeOfDay ? " at \(two(parts.hour)):\(two(parts.minute))" : ""
        let moment = "on \(weekday) \(parts.day ?? 0) \(month) \(parts.year ?? 0)\(time)"
        return repetition.map { "\($0.phrase), first \(moment)" } ?? moment
    }
}

extension RequestTime.Repetition {
    fileprivate var phrase: String {
        let every = interval == 1 ? "every \(unit.rawValue)" : "every \(interval) \(unit.rawValue)s"
        guard !weekdays.isEmpty else { return ordinal == -1 ? "\(every) on the last day" : every }
        if interval == 1, weekdays == [1, 2, 3, 4, 5] { return "on weekdays" }
        if interval == 1, weekdays == [6, 7] { return "on weekends" }
        let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        let days = weekdays.compactMap { (1...7).contains($0) ? names[$0 - 1] : nil }.joined(separator: ", ")
        if let ordinal {
            let ordinals = [-1: "last", 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"]
            return "\(every) on the \(ordinals[ordinal] ?? "\(ordinal)th") \(days)"
        }
        return "\(every) on \(days)"
    }
}
