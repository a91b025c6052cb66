package import Foundation

/// Reads lines of gpsd.
package enum GPSReport {
    package static let maximumLine = 16 << 10

    /// A position with a fix; nil for everything else.
    package static func position(_ line: Data) -> Position? {
        guard line.count <= maximumLine,
            let report = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
            report["class"] as? String == "TPV", let mode = report["mode"] as? Int, mode >= 2,
            let latitude = report["lat"] as? Double, let longitude = report["lon"] as? Double
        else { return nil }
        return Position(latitude: latitude, longitude: longitude)
    }
}
