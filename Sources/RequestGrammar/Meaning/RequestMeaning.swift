package import Foundation

/// The request of a sentence.
package enum RequestMeaning: Sendable, Hashable {
    /// Without a time it is a reminder that never comes by itself.
    case remind(Subject, When?)
    case directions(Place)
    case call(Party)
    case video(Party)
    /// Nil: the person has yet to write it.
    case message(Party, text: String?)
    /// As a message, but by mail and by nothing else.
    case email(Party, text: String?)
    /// Nil: what was last played.
    case media(MediaAction, String?)
    case open(Name)
    /// A page of the web, in whatever opens it.
    case page(URL)
    case search(String)
    case show(Listing)

    /// A list that is shown: nothing changes.
    package enum Listing: String, Sendable, Hashable, CaseIterable {
        case playing
        case reminders
        case remindersToday
    }

    package enum Subject: Sendable, Hashable {
        case text(String)
        /// “This”: what the person looks at.
        case current
    }

    /// Something by its name.
    package enum Name: Sendable, Hashable {
        /// In the lexicon.
        case known(RequestLexicon.Entry)
        /// As it was written.
        case written(String)

        package var text: String {
            switch self {
            case .known(let entry): entry.name
            case .written(let text): text
            }
        }
    }

    package enum Place: Sendable, Hashable {
        /// “Here”, “this place”.
        case current
        case home
        case work
        case named(Name)
    }

    /// The person or number that is called or written to.
    package enum Party: Sendable, Hashable {
        /// “This place”, “them”.
        case current
        /// To be called back: the sentence does not name them.
        case lastContact
        case named(Name)
    }

    package enum MediaAction: String, Sendable, Hashable, CaseIterable {
        case play
        case pause
        case next
        case previous
    }

    /// When a reminder comes.
    package enum When: Sendable, Hashable {
        case time(RequestTime)
        case place(Place, isArriving: Bool)
        case device(Name, isConnected: Bool)
        case app(Name)
        case person(Party, Contact)
    }

    package enum Contact: String, Sendable, Hashable, CaseIterable {
        case messaged
        case called
        /// Either.
        case contacted
    }

    /// Whether it sends words.
    var isWritten: Bool {
        switch self {
        case .message, .email: true
        default: false
        }
    }

    /// As messages and JSON name it.
    package var action: String {
        switch self {
        case .remind: "remind"
        case .directions: "directions"
        case .call: "call"
        case .video: "video"
        case .message: "message"
        case .email: "email"
        case .media(let action, _): action.rawValue
        case .open, .page: "open"
        case .search: "search"
        case .show: "show"
        }
    }
}

/// A moment, and how it comes again.
package struct RequestTime: Sendable, Hashable {
    package enum Unit: String, Sendable, Hashable, CaseIterable {
        case minute
        case hour
        case day
        case week
        case month
        case year
    }

    package struct Repetition: Sendable, Hashable {
        package let unit: Unit
        /// Every so many.
        package let interval: Int
        /// 1 is Monday; empty but for weeks, and where there is an ordinal.
        package let weekdays: [Int]
        /// The how manyth of its month the weekday is, -1 for the last; nil but for months. -1 without weekdays is the last day.
        package let ordinal: Int?

        package init(_ unit: Unit, interval: Int = 1, weekdays: [Int] = [], ordinal: Int? = nil) {
            self.unit = unit
            self.interval = interval
            self.weekdays = weekdays
            self.ordinal = ordinal
        }
    }

    /// The first time.
    package let date: Date
    /// Whether the person named a time of day; else it is nine in the morning.
    package let hasTimeOfDay: Bool
    package let repetition: Repetition?

    package init(_ date: Date, hasTimeOfDay: Bool, repetition: Repetition? = nil) {
        self.date = date
        self.hasTimeOfDay = hasTimeOfDay
        self.repetition = repetition
    }
}
