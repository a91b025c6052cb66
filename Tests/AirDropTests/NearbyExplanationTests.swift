import BatonCore
import BatonWire
import Testing

@testable import AirDrop

@Suite("Why a device is not seen by AirDrop")
struct NearbyExplanationTests {
    private typealias Receiver = NearbyFindings.Receiver

    private func stages(_ receivers: [Receiver], obstacle: String? = nil) -> [Baton_Link_V1_Stage] {
        NearbyExplanation(
            wanted: "Kitchen", findings: NearbyFindings(obstacle: obstacle, receivers: receivers)
        ).stages
    }

    private func failed(_ stages: [Baton_Link_V1_Stage]) -> [String] {
        stages.filter { $0.verdict != .ok }.map(\.name)
    }

    //
    @Test("Each stage that is in the way is named, and what to do about it")
    func stages() {
        let well = Receiver(
            instance: "0a1b", address: "10.0.0.2:22868", port: 22868, name: "kitchen tablet", hasAnswered: true)
        #expect(failed(stages([well])).isEmpty)
        #expect(stages([well]).map(\.name) == ["network", "announced", "reached", "shown"])

        let nobody = stages([])
        #expect(failed(nobody) == ["announced"])
        #expect(nobody.last?.advice.contains("baton airdrop everyone") == true)
        let other = Receiver(instance: "ffff", address: "10.0.0.3:1", port: 1, name: "Desk", hasAnswered: true)
        #expect(stages([other]).last?.finding.contains("Desk") == true)

        // A firewall drops what is sent to the port.
        let blocked = Receiver(
            instance: "0a1b", address: "10.0.0.2:22868", port: 22868, problem: "It cannot be reached.")
        let reached = stages([blocked]).first { $0.name == "reached" }
        #expect(reached?.verdict == .failed && reached?.finding == "It cannot be reached.")
        #expect(reached?.advice.contains("TCP port 22868") == true)

        let hidden = Receiver(instance: "0a1b", address: "10.0.0.2:22868", port: 22868, hasAnswered: true)
        #expect(failed(stages([hidden])) == ["announced", "shown"])
        #expect(failed(stages([], obstacle: "No network.")) == ["network", "announced"])
    }
}
