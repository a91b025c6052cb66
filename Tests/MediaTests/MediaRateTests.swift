import BatonCore
import Testing

@testable import Media

@Suite struct MediaRateTests {
    private static func device(_ letter: String) -> DeviceID {
        DeviceID(unchecked: String(repeating: letter, count: 26))
    }

    @Test("a device that has apps started again and again is refused after 16, and has one in two seconds then")
    func moves() throws {
        var rate = MediaRate()
        for _ in 0..<16 { try rate.take(.move, by: Self.device("A"), now: .zero) }
        #expect(throws: BatonError.self) { try rate.take(.move, by: Self.device("A"), now: .seconds(1)) }
        try rate.take(.move, by: Self.device("A"), now: .seconds(2))
        #expect(throws: BatonError.self) { try rate.take(.move, by: Self.device("A"), now: .seconds(3)) }
        // Others, and commands for what plays already, do not wait for it.
        try rate.take(.move, by: Self.device("B"), now: .seconds(3))
        for _ in 0..<40 { try rate.take(.command, by: Self.device("A"), now: .seconds(3)) }
        #expect(throws: BatonError.self) { try rate.take(.command, by: Self.device("A"), now: .seconds(3)) }
    }

    @Test("devices that are remembered have a bound")
    func bound() throws {
        var rate = MediaRate()
        for number in 0..<(MediaRate.maximumEntries * 2) {
            let id = DeviceID(unchecked: String(repeating: "A", count: 20) + String(100_000 + number))
            try rate.take(.move, by: id, now: .seconds(number))
        }
        #expect(rate.count == MediaRate.maximumEntries)
    }
}
