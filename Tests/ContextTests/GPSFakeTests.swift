import BatonCore
import Foundation
import Testing

@testable import ContextAwareness

/// Arriving home by the positions of a real gpsd, which gpsfake (Debian's gpsd-clients) feeds with a receiver's sentences (P-61).
@Suite(.serialized, .timeLimit(.minutes(1))) struct GPSFakeTests {
    /// A sentence of NMEA 0183 with its checksum.
    private static func sentence(_ text: String) -> String {
        let sum = text.utf8.reduce(UInt8(0), ^)
        return "$\(text)*\(String(format: "%02X", sum))\r\n"
    }

    /// 30 seconds at 52.5, 13.4.
    private static var track: String {
        (0..<30).map { second in
            let time = "1200" + String(format: "%02d", second) + ".00"
            return sentence("GPGGA,\(time),5230.0000,N,01324.0000,E,1,08,0.9,34.0,M,46.9,M,,")
                + sentence("GPRMC,\(time),A,5230.0000,N,01324.0000,E,0.0,0.0,010126,,,A")
                + sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,0.9,1.2")
        }.joined()
    }

    @Test("the positions of gpsd make the person arrive at home, told after a minute (P-61)")
    func arriving() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-gps-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("track.nmea")
        try Self.track.write(to: file, atomically: true, encoding: .utf8)
        let port = UInt16.random(in: 20_000..<30_000)
        let gpsfake = Process()
        gpsfake.executableURL = URL(fileURLWithPath: "/usr/bin/gpsfake")
        gpsfake.arguments = ["-P", "\(port)", "-c", "0.1", file.path]
        gpsfake.standardInput = FileHandle.nullDevice
        gpsfake.standardOutput = FileHandle.nullDevice
        gpsfake.standardError = FileHandle.nullDevice
        // Fails where gpsd-clients is missing.
        try gpsfake.run()
        // It does not end when it is asked to, and without it its gpsd goes on.
        defer {
            let number = gpsfake.processIdentifier
            let children = try? String(contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .utf8)
            kill(number, SIGKILL)
            for child in (children ?? "").split(separator: " ").compactMap({ Int32($0) }) { kill(child, SIGKILL) }
            gpsfake.waitUntilExit()
        }
        let position = try #require(await Self.position(port), "gpsd has told no position")
        #expect(abs(position.latitude - 52.5) < 0.001 && abs(position.longitude - 13.4) < 0.001)

        // The machine's time is the test's: a stay makes the place, and coming back to it is reported after a minute.
        var model = ContextModel()
        var now: UInt64 = 1_790_000_000_000
        func observe(_ latitude: Double, _ longitude: Double, minutes: Int) -> [ContextEvent] {
            (0..<minutes * 2).flatMap { _ in
                now += 30_000
                return model.handle(.position(latitude: latitude, longitude: longitude), now: now, offset: 0).events
            }
        }
        _ = observe(position.latitude, position.longitude, minutes: 12)
        let place = try #require(model.stays.memory.places.first)
        let isNamed = model.stays.name(place.id, "home")
        #expect(isNamed)
        let leaving = observe(position.latitude + 0.02, position.longitude, minutes: 3)
        #expect(leaving == [.left(place: "home")])
        let arriving = observe(position.latitude, position.longitude, minutes: 2)
        #expect(arriving == [.arrived(place: "home")])
    }

    /// The first position that the follower reports.
    private static func position(_ port: UInt16) async -> (latitude: Double, longitude: Double)? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ContextObservation.self, bufferingPolicy: .bufferingNewest(16))
        let follower = GPSFollower(port: port) { continuation.yield($0) }
        follower.allow(true)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await follower.run() }
            defer { group.cancelAll() }
            for await observation in stream {
                switch observation {
                case .position(let latitude, let longitude): return (latitude, longitude)
                // gpsd does not listen yet: it is tried again at once, and not in half a minute.
                case .input(.gpsd, .absent, _): follower.allow(true)
                default: break
                }
            }
            return nil
        }
    }
}
