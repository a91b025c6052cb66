import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation

typealias Sponsor = SponsorPairingStateMachine
typealias Joiner = JoinerPairingStateMachine

/// A sponsor that answers calls, as a test sees it.
struct TestSponsor {
    var machine = Sponsor()
    var actions: [Sponsor.Action] = []
    private var sessions = 0

    mutating func handle(_ input: Sponsor.Input) throws(BatonError) {
        let taken = machine.handle(input)
        actions += taken
        for case .refused(let error) in taken { throw error }
    }

    mutating func begin(
        _ request: Baton_Link_V1_BeginPairingRequest
    ) throws(BatonError) -> Baton_Link_V1_BeginPairingResponse {
        sessions += 1
        try handle(
            .begin(
                request, Sponsor.Fresh(sessionID: "session \(sessions)", key: .init(), nonce: randomBytes(32))))
        for case .begun(let response) in actions.reversed() { return response }
        throw BatonError(.internal, reason: "no_answer", "No answer.")
    }

    mutating func reveal(_ request: Baton_Link_V1_RevealPairingRequest) throws(BatonError) {
        try handle(.reveal(request))
    }

    mutating func exchange(_ request: Baton_Link_V1_ExchangePairingRequest) throws(BatonError) {
        try handle(.exchange(request))
    }

    mutating func confirm(_ verdict: PairingVerdict = .same) throws(BatonError) { try handle(.verdict(verdict)) }

    var codes: [PairingCode] {
        actions.compactMap { if case .showCode(let code) = $0 { code } else { nil } }
    }
    var candidates: [PairingCandidate] {
        actions.compactMap { if case .admit(_, let candidate) = $0 { candidate } else { nil } }
    }
    var answers: [Data] {
        actions.compactMap { if case .exchangeAnswered(_, let sealed) = $0 { sealed } else { nil } }
    }
    var failures: Int {
        actions.count { if case .failed = $0 { true } else { false } }
    }
    var isClosed: Bool {
        actions.contains { if case .closed = $0 { true } else { false } }
    }
}

func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }

func newJoiner() -> Joiner { Joiner(key: .init(), nonce: randomBytes(32)) }

func profile(_ device: TestDevice, name: String = "Laptop") throws -> Baton_Link_V1_DeviceProfile {
    try DeviceProfiles.make(name: name, timestamp: time(1), key: device.key)
}

/// Both sides up to the code.
func untilCode(_ joiner: inout Joiner, _ sponsor: inout TestSponsor) throws -> PairingCode {
    let begun = try sponsor.begin(try joiner.begin())
    try sponsor.reveal(try joiner.reveal(after: begun))
    return try joiner.code()
}
