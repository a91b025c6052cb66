import ContextAwareness
import Foundation

/// Lines of gpsd: JSON, and the NMEA that it passes on where a receiver is asked for it; and what becomes of their positions.
enum GPSTarget: FuzzTarget {
    static let name = "gpsd"

    static func seeds() -> [[UInt8]] {
        [
            #"{"class":"TPV","mode":3,"time":"2026-01-01T00:00:00.000Z","lat":52.520008,"lon":13.404954,"epx":3.2}"#
                + "\n" + #"{"class":"TPV","mode":3,"lat":-89.999,"lon":179.999}"#,
            #"{"class":"VERSION","release":"3.25"}"# + "\n" + #"{"class":"TPV","mode":1}"#,
            "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\n"
                + #"{"class":"TPV","mode":2,"lat":1e309,"lon":0}"#,
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        var machine = StayMachine()
        var now: UInt64 = 1_790_000_000_000
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(200) {
            guard let position = GPSReport.position(Data(line)) else { continue }
            precondition(abs(position.latitude) <= 90 && abs(position.longitude) <= 180, "a position is on the earth")
            now += 30_000
            _ = machine.handle(.position(position), now: now, offset: 0)
            precondition(machine.memory.places.count <= 100, "places are bounded")
        }
    }
}
