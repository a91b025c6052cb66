import BatonCore
import Foundation
import RequestGrammar
import Requests
import Testing

/// When a reminder comes, in words alone, as `baton reminders add --when` has it (P-15).
@Suite struct RequestedWhenTests {
    private static func reason(_ text: String, _ ports: PortsDouble) async -> String? {
        let error = await #expect(throws: BatonError.self) {
            try await ports.service().when(text, timeZone: .gmt)
        }
        return error?.reason
    }

    @Test("it is read as in a sentence, and nothing is done (P-15)")
    func read() async throws {
        let ports = PortsDouble(content: nil)
        let monday = try await ports.service().when("monday 9am", timeZone: .gmt).when.phrase(in: .gmt)
        #expect(monday.hasPrefix("on Monday ") && monday.hasSuffix(" at 09:00"))
        #expect(
            try await ports.service().when("when I get home", timeZone: .gmt).when == .place(.home, isArriving: true))
        #expect(try await ports.service().when("when I get home", timeZone: .gmt).here == nil)
        #expect(ports.done.isEmpty)
    }

    @Test("words that are no time, and “them” with nobody in front, are refused with the reason (P-15)")
    func refused() async {
        let ports = PortsDouble(content: nil)
        #expect(await Self.reason("soon", ports) == "unknown_when")
        #expect(await Self.reason("", ports) == "unknown_when")
        #expect(await Self.reason("when I call them", ports) == "nothing_in_front")
    }
}
