import Testing

@testable import CloudClient

@Suite struct CloudPulseTests {
    @Test("a cloud is silent while a call waits for its answer, and not when none is under way (D-5)")
    func silence() async throws {
        let pulse = CloudPulse()
        #expect(!pulse.isSilent(for: .zero))
        try await pulse.during {
            #expect(pulse.isSilent(for: .zero) && !pulse.isSilent(for: .seconds(3600)))
            // Another call that ends shows that it answers.
            try await pulse.during {}
            #expect(!pulse.isSilent(for: .seconds(3600)))
        }
        #expect(!pulse.isSilent(for: .zero))
        await #expect(throws: CancellationError.self) { try await pulse.during { throw CancellationError() } }
        #expect(!pulse.isSilent(for: .zero))
    }

    @Test("a cloud is not silent while a slow upload is under way, and is while another call waits (D-5)")
    func uploads() async throws {
        let pulse = CloudPulse()
        try await pulse.during(sending: CloudPulse.upload) {
            #expect(!pulse.isSilent(for: .zero))
            try await pulse.during(sending: CloudPulse.upload - 1) { #expect(pulse.isSilent(for: .zero)) }
            #expect(!pulse.isSilent(for: .zero))
        }
        #expect(!pulse.isSilent(for: .zero))
    }
}
