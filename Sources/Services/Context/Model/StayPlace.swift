/// A place where the device stayed.
package struct StayPlace: Sendable, Equatable, Codable {
    package internal(set) var id: UInt64
    /// The person's name for it; empty for nothing.
    package internal(set) var name = ""
    package internal(set) var position: Position?
    /// Networks that stand for it.
    package internal(set) var networks: [String] = []
    /// Milliseconds since 1970.
    package internal(set) var lastSeen: UInt64
    package internal(set) var stays = 0
    /// Minutes of the night (0 to 6) and of working time (weekdays, 10 to 16), by local day. Policy: the last 60 days.
    var nights: [Int: Int] = [:]
    var workdays: [Int: Int] = [:]

    /// Days count that have this much of it.
    private static let enough = 60
    private static let maximumDays = 60

    init(id: UInt64, now: UInt64) {
        self.id = id
        lastSeen = now
    }

    package var nightCount: Int { nights.values.count { $0 >= Self.enough } }
    package var workdayCount: Int { workdays.values.count { $0 >= Self.enough } }

    mutating func spend(_ minutes: Int, at moment: LocalMoment) {
        if moment.isNight { Self.add(minutes, to: &nights, moment.day) }
        if moment.isWorkingTime { Self.add(minutes, to: &workdays, moment.day) }
    }

    private static func add(_ minutes: Int, to days: inout [Int: Int], _ day: Int) {
        days[day, default: 0] += minutes
        if days.count > maximumDays, let first = days.keys.min() { days[first] = nil }
    }

    mutating func forgetDays(since day: Int) {
        nights = nights.filter { $0.key < day }
        workdays = workdays.filter { $0.key < day }
    }
}
