package import BatonCore

/// A notice of the system itself, for the desktop and for watchers.
///
/// Its text is plain and safe to show: see ``NoticeText``.
package struct Notice: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Another device offers an activity (H-10, H-13).
        case offer
        /// An activity is being continued, and the app does not show it (H-68).
        case continuing
        /// It could not be continued, and the app does not say so (H-74).
        case failed
        /// Another device wants to send something: the person accepts or declines.
        case question
        /// Something that another device sends is on its way.
        case receiving
        /// Something that another device sent has arrived.
        case received
        /// A place that the person looked at, to be led to (P-25).
        case suggestion
        /// A reminder is due (P-15).
        case reminder
        /// The person's likely next step, after something happened (P-61).
        case prediction
    }

    /// A notice that is shown again keeps its identifier: the new one replaces the old one.
    package var id: UInt64
    package var kind: Kind
    /// One line.
    package var title: String
    package var lines: [String]
    /// The absolute path of a picture.
    package var icon: String?
    /// The offer that its button continues.
    package var offer: ActivityID?
    /// The site of the page that its button opens; nil for no page.
    package var site: String?
    package var acceptance: AcceptanceID?
    /// The question that its two buttons answer.
    package var question: String?
    /// The place that its button leads to.
    package var place: String?
    /// The prediction that its two buttons answer.
    package var prediction: String?
    /// Whether the prediction is of something to play.
    package var plays = false
    /// The absolute path of the file or folder that its two buttons open, or show in its folder.
    package var path: String?
    /// The reminder that its buttons answer.
    package var reminder: String?
    /// Whether the reminder leads back to something.
    package var canOpen = false
    /// How much of its work is done.
    package var percent: Int?

    package init(
        id: UInt64, kind: Kind, title: String, lines: [String], icon: String? = nil, offer: ActivityID? = nil,
        acceptance: AcceptanceID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.lines = lines
        self.icon = icon
        self.offer = offer
        self.acceptance = acceptance
    }

    /// Whether a person who has read the other one has nothing new to read.
    func saysTheSame(as other: Notice) -> Bool {
        var other = other
        other.id = id
        return self == other
    }
}

/// The person's choice for items that have arrived.
package enum ArrivalAction: Hashable, Sendable {
    case open
    case showInFolder
}

/// The person's answer to a reminder.
package enum ReminderNoticeAnswer: Hashable, Sendable {
    /// The original of the notice is wanted.
    case open
    case done
    case snooze
    /// Seen, and no more.
    case closed
}

/// The notices that the person wants: the setting `notifications`.
package enum NoticePolicy: String, Sendable, CaseIterable {
    case on
    /// How continuations go, but not what is offered.
    case withoutOffers = "offers-off"
    case off
}
