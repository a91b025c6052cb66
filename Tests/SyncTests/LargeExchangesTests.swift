import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import Sync

/// Much that is near comes there first, and once.
@Suite("Large exchanges with devices that are near", .timeLimit(.minutes(1))) struct LargeExchangesTests {
    private static let device = DeviceID(unchecked: String(repeating: "A", count: 26))
    private static let other = DeviceID(unchecked: String(repeating: "B", count: 26))

    @Test("a device that is given much does not ask the giver meanwhile, and writes to the cloud afterwards")
    func waits() {
        let exchanges = LargeExchanges()
        exchanges.note(200, of: .data, with: Self.device, .other, at: .seconds(1))
        #expect(exchanges.wait(for: .data, with: Self.device, at: .seconds(1)) == .milliseconds(500))
        #expect(exchanges.wait(for: .data, at: .milliseconds(1400)) == .milliseconds(100))
        // Neither other devices nor other zones wait.
        #expect(exchanges.wait(for: .data, with: Self.other, at: .seconds(1)) == nil)
        #expect(exchanges.wait(for: .other, with: Self.device, at: .seconds(1)) == nil)
        #expect(exchanges.wait(for: .other, at: .seconds(1)) == nil)
        #expect(exchanges.wait(for: .data, with: Self.device, at: .milliseconds(1500)) == nil)
        #expect(exchanges.wait(for: .data, at: .milliseconds(1500)) == nil)
    }

    @Test("what this device gives keeps it from the cloud only, and a few items keep nothing")
    func own() {
        let exchanges = LargeExchanges()
        exchanges.note(200, of: .data, with: Self.device, .own, at: .zero)
        #expect(exchanges.wait(for: .data, with: Self.device, at: .zero) == nil)
        #expect(exchanges.wait(for: .data, at: .zero) == .milliseconds(500))
        exchanges.note(199, of: .other, with: Self.device, .other, at: .zero)
        #expect(exchanges.wait(for: .other, at: .zero) == nil)
        #expect(exchanges.wait(for: .other, with: Self.device, at: .zero) == nil)
    }

    @Test("many items in messages that follow each other are as many in one, and a few now and then are none")
    func together() {
        let exchanges = LargeExchanges()
        exchanges.note(150, of: .data, with: Self.device, .other, at: .zero)
        exchanges.goOn(150, of: .data, with: Self.device, .other, at: .milliseconds(400))
        #expect(exchanges.wait(for: .data, at: .milliseconds(400)) == nil)
        exchanges.note(50, of: .data, with: Self.device, .other, at: .milliseconds(800))
        #expect(exchanges.wait(for: .data, at: .milliseconds(800)) == .milliseconds(500))
        exchanges.note(150, of: .data, with: Self.device, .other, at: .seconds(2))
        #expect(exchanges.wait(for: .data, at: .seconds(2)) == nil, "after a pause it is another one")
        for number in 0..<100 {
            let now = Duration.milliseconds(100 * number)
            exchanges.note(19, of: .other, with: Self.device, .other, at: now)
            #expect(exchanges.wait(for: .other, at: now) == nil)
        }
    }

    @Test("nothing waits longer than half a minute, whatever another device sends")
    func longest() {
        let exchanges = LargeExchanges()
        for second in 0..<60 {
            for half in 0..<4 {
                let now = Duration.milliseconds(1000 * second + 250 * half)
                exchanges.note(1000, of: .data, with: Self.device, .other, at: now)
                #expect((exchanges.wait(for: .data, at: now) == nil) == (now >= .seconds(30)))
            }
        }
        // After a pause it is another one.
        exchanges.note(1000, of: .data, with: Self.device, .other, at: .seconds(61))
        #expect(exchanges.wait(for: .data, at: .seconds(61)) == .milliseconds(500))
    }
}
