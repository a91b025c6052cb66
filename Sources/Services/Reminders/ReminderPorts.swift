package import BatonCore
package import BatonWire
package import Foundation

/// The apps of this device, as reminders need them.
package protocol ReminderApps: Sendable {
    /// Whether the app is here, and declares that it continues activities of the type: a device of the account may have made up
    /// both.
    func continues(_ type: String, _ app: AppIdentity) -> Bool
    /// Starts the app if need be, and lets it continue the activity.
    /// - Returns: whether it said that it handled it.
    func open(_ payload: Baton_Value_V1_ActivityPayload, with app: AppIdentity) async throws -> Bool
    func open(page: WebPage) async throws
    /// An app that is installed here, by its bundle identifier or name.
    /// - Throws: `not_found`.
    func app(named text: String) throws(BatonError) -> AppIdentity
    /// An address of the person of this name.
    /// - Throws: `not_found`, `invalid_argument` where there are several, `failed_precondition` where there is no address.
    func handle(named text: String) async throws -> String
    /// The one person who has an address, for people; nil for none and for several. Does not block.
    func name(of handle: String) -> String?
}

extension ReminderApps {
    package func name(of handle: String) -> String? { nil }
}

/// The activity that the person looks at now.
package protocol ReminderActivities: Sendable {
    /// The current activity of the app in front, as the app saves it now.
    /// - Throws: `not_found` when there is none, and what the app answers.
    func current() async throws -> ReminderLink
}

/// The person's notices.
package protocol ReminderNotices: Sendable {
    /// In place of that reminder's. Does not block.
    func show(_ reminder: ReminderSchedule, isMissed: Bool)
    func close(_ id: String)
}

/// Where and when the person is.
package struct ReminderPlace: Sendable {
    /// The hour that a date without a time means.
    package static let dayHour = 9

    package var clock: WallClock
    package var zone: @Sendable () -> TimeZone

    package init(clock: WallClock = .system, zone: @escaping @Sendable () -> TimeZone = SystemZone.current) {
        self.clock = clock
        self.zone = zone
    }
}

/// The time zone of the machine. Foundation remembers it for the life of a process, and people travel.
package enum SystemZone {
    package static func current() -> TimeZone {
        if let name = ProcessInfo.processInfo.environment["TZ"], let zone = TimeZone(identifier: name) { return zone }
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime"),
            let range = target.range(of: "zoneinfo/"),
            let zone = TimeZone(identifier: String(target[range.upperBound...]))
        {
            return zone
        }
        return .current
    }
}
