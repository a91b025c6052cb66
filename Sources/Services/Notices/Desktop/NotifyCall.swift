import BatonCore

/// The arguments of `org.freedesktop.Notifications.Notify` for one notice.
struct NotifyCall: Hashable, Sendable {
    enum Hint: Hashable, Sendable {
        case text(String)
        case byte(UInt8)
        case integer(Int32)
        case boolean(Bool)
    }

    static let defaultAction = "default"
    static let continueAction = "continue"
    static let acceptAction = "accept"
    static let declineAction = "decline"
    static let openAction = "open"
    static let folderAction = "folder"
    static let doneAction = "done"
    static let snoozeAction = "snooze"
    /// The name of the desktop entry in Packaging/.
    static let desktopEntry = "org.baton.Baton"

    var application = "Baton"
    var replaces: UInt32
    var icon: String
    var summary: String
    var body: String
    /// Names and labels by turns.
    var actions: [String]
    var hints: [String: Hint]
    /// Milliseconds; -1 for the server's own, 0 for never.
    var timeout: Int32

    init(_ notice: Notice, replaces: UInt32, capabilities: DesktopCapabilities) {
        self.replaces = replaces
        icon = notice.icon ?? ""
        var lines = notice.lines
        if let offer = notice.offer, !capabilities.hasActions {
            lines.append("To continue: baton continue \(offer.rawValue.prefix(8))")
        }
        if notice.question != nil, !capabilities.hasActions { lines.append("To answer: baton receive") }
        if let place = notice.place, !capabilities.hasActions { lines.append("To go there: baton directions \(place)") }
        if let reminder = notice.reminder, !capabilities.hasActions {
            lines.append("To answer: baton reminders done|snooze \(reminder.prefix(8))")
        }
        // The summary is plain text for every server. Only the body may be markup.
        summary = capabilities.hasBody ? notice.title : ([notice.title] + lines).joined(separator: " – ")
        body =
            capabilities.hasBody
            ? lines.map { capabilities.hasMarkup ? NoticeText.escaped($0) : $0 }.joined(separator: "\n") : ""
        actions =
            if !capabilities.hasActions {
                []
            } else if notice.question != nil {
                [Self.acceptAction, "Accept", Self.declineAction, "Decline"]
            } else if notice.prediction != nil {
                [
                    Self.defaultAction, notice.plays ? "Play" : "Open", Self.acceptAction,
                    notice.plays ? "Play" : "Open", Self.declineAction, "Not now",
                ]
            } else if notice.offer != nil {
                [Self.defaultAction, "Continue", Self.continueAction, "Continue"]
            } else if notice.place != nil {
                [Self.defaultAction, "Go", Self.continueAction, "Go"]
            } else if notice.reminder != nil {
                (notice.canOpen ? [Self.defaultAction, "Open", Self.openAction, "Open"] : [])
                    + [Self.doneAction, "Done", Self.snoozeAction, "Snooze"]
            } else if notice.path != nil {
                [Self.defaultAction, "Show in folder", Self.openAction, "Open", Self.folderAction, "Show in folder"]
            } else {
                []
            }
        hints = ["desktop-entry": .text(Self.desktopEntry), "urgency": .byte(1)]
        // Servers that know it show a bar.
        if let percent = notice.percent { hints["value"] = .integer(Int32(percent)) }
        if let icon = notice.icon { hints["image-path"] = .text(icon) }
        switch notice.kind {
        case .offer:
            hints["category"] = .text("transfer")
            timeout = -1
        case .continuing:
            hints["category"] = .text("transfer")
            // It is over in a moment, and nothing to keep.
            hints["transient"] = .boolean(true)
            timeout = 0
        case .question:
            hints["category"] = .text("transfer")
            // It goes when it is answered or the sender gives up.
            timeout = 0
        case .receiving:
            hints["category"] = .text("transfer")
            hints["transient"] = .boolean(true)
            // A new state of it every few seconds is nothing to sound for.
            hints["suppress-sound"] = .boolean(true)
            timeout = 0
        case .received:
            hints["category"] = .text("transfer.complete")
            timeout = -1
        case .suggestion:
            hints["category"] = .text("presence")
            timeout = -1
        case .reminder:
            hints["category"] = .text("presence")
            // It stays until it is answered.
            timeout = 0
        case .prediction:
            hints["category"] = .text("presence")
            timeout = -1
        case .failed:
            hints["category"] = .text("transfer.error")
            timeout = -1
        }
    }
}
