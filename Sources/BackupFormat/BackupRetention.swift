package import Foundation

/// Which snapshots of a device are kept: the newest of each of the last so many days, weeks and months that have one. The newest
/// of all is always kept.
package struct BackupRetention: Hashable, Sendable {
    package static let usual = BackupRetention(daily: 14, weekly: 8, monthly: 12)

    package var daily: Int
    package var weekly: Int
    package var monthly: Int

    package init(daily: Int, weekly: Int, monthly: Int) {
        self.daily = daily
        self.weekly = weekly
        self.monthly = monthly
    }

    /// - Parameters:
    ///   - times: number of the snapshot, and milliseconds since 1970.
    ///   - calendar: the person's, for days, weeks and months.
    package func kept(_ times: [UInt64: UInt64], calendar: Calendar) -> Set<UInt64> {
        let newestFirst = times.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
        guard let newest = newestFirst.first else { return [] }
        // The last one that was made, too: its clock may have been wrong.
        var kept: Set<UInt64> = [newest.key, times.keys.max() ?? newest.key]
        let periods: [(Set<Calendar.Component>, Int)] = [
            ([.era, .year, .month, .day], daily), ([.yearForWeekOfYear, .weekOfYear], weekly),
            ([.era, .year, .month], monthly),
        ]
        for (components, count) in periods {
            var seen: Set<DateComponents> = []
            for (number, time) in newestFirst where seen.count < count {
                let date = Date(timeIntervalSince1970: Double(time) / 1000)
                if seen.insert(calendar.dateComponents(components, from: date)).inserted { kept.insert(number) }
            }
        }
        return kept
    }
}
