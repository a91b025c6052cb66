import Foundation

/// A position on the earth, in degrees.
package struct Position: Sendable, Equatable, Codable {
    package let latitude: Double
    package let longitude: Double

    /// Nil for what is no position: not a number, or beyond the earth.
    package init?(latitude: Double, longitude: Double) {
        guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Metres, over the sphere.
    package func distance(to other: Position) -> Double {
        let (first, second) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let (dLatitude, dLongitude) = (second - first, (other.longitude - longitude) * .pi / 180)
        let chord =
            sin(dLatitude / 2) * sin(dLatitude / 2) + cos(first) * cos(second) * sin(dLongitude / 2)
            * sin(dLongitude / 2)
        return 2 * 6_371_000 * asin(min(1, chord.squareRoot()))
    }
}

/// The local day and minute of a moment.
struct LocalMoment {
    /// Days since 1970 by the local calendar.
    let day: Int
    let minute: Int
    /// 0 for Sunday.
    let weekday: Int

    /// - Parameters:
    ///   - time: milliseconds since 1970.
    ///   - offset: seconds that local time is ahead of Greenwich.
    init(_ time: UInt64, offset: Int) {
        let seconds = Int(clamping: time / 1000) + max(-50_400, min(50_400, offset))
        day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        minute = (seconds - day * 86_400) / 60
        // The first of January 1970 was a Thursday.
        weekday = ((day + 4) % 7 + 7) % 7
    }

    var isNight: Bool { minute < 6 * 60 }
    var isWorkingTime: Bool { (1...5).contains(weekday) && (10 * 60..<16 * 60).contains(minute) }
}
