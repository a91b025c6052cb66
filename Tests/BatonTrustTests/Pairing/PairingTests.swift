import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@Suite("Pairing")
struct PairingTests {
    private let device = TestDevice()
    private let response = Baton_Link_V1_JoinResponse.with { $0.contentKey = Data([1, 2, 3]) }

    @Test(
        "Both devices show the same six digits, and after both confirmed one lets the other in (H-2)",
        arguments: [true, false])
    func pairs(sponsorConfirmsFirst: Bool) throws {
        var joiner = newJoiner()
        var sponsor = TestSponsor()
        let code = try untilCode(&joiner, &sponsor)
        #expect(sponsor.codes == [code])
        #expect(code.digits.utf8.count == 6 && code.digits.allSatisfy(\.isNumber))

        if sponsorConfirmsFirst { try sponsor.confirm() }
        try joiner.confirm(.typed(" \(code.digits.prefix(3))-\(code.digits.suffix(3)) "))
        let request = try joiner.exchange(key: device.key, profile: try profile(device))
        try sponsor.exchange(request)
        #expect(sponsor.candidates.count == (sponsorConfirmsFirst ? 1 : 0))
        if !sponsorConfirmsFirst { try sponsor.confirm(.typed(code.digits)) }
        let candidate = try #require(sponsor.candidates.first)
        #expect(candidate.deviceID == device.id)
        #expect(candidate.name == "Laptop")
        #expect(sponsor.answers.isEmpty)

        try sponsor.handle(.admitted(session: request.sessionID, response))
        let sealed = try #require(sponsor.answers.first)
        #expect(try joiner.finish(with: .with { $0.sealed = sealed }) == response)
        // It is over: nothing more is taken.
        var next = newJoiner()
        #expect(throws: BatonError.self) { try sponsor.begin(try next.begin()) }
        #expect(throws: BatonError.self) { try sponsor.exchange(request) }
    }

    @Test("Nothing that identifies a device or person is sent before the code vouches for the keys (H-2)")
    func nothingIdentifies() throws {
        var joiner = newJoiner()
        var sponsor = TestSponsor()
        let begin = try joiner.begin()
        let begun = try sponsor.begin(begin)
        let reveal = try joiner.reveal(after: begun)
        try sponsor.reveal(reveal)
        let code = try joiner.code()
        try joiner.confirm(.same)
        let exchange = try joiner.exchange(key: device.key, profile: try profile(device, name: "Alice's laptop"))
        var wire: Data = try begin.serializedBytes()
        try wire.append(begun.serializedBytes())
        try wire.append(reveal.serializedBytes())
        try wire.append(exchange.serializedBytes())
        for secret in ["Alice", device.id.rawValue, code.digits] {
            #expect(wire.range(of: Data(secret.utf8)) == nil)
        }
        #expect(wire.range(of: device.key.publicKey.rawRepresentation) == nil)
        #expect(wire.range(of: device.key.publicKey.x963Representation) == nil)
    }

    // Regression test: a short code that can be guessed or replayed.
    @Test("A short code that can be guessed or replayed: relaying changes the code on one side")
    func relayingChangesTheCode() async throws {
        // A device in the middle runs a pairing of its own with each side, and does its best: it learns everything that
        // the sponsor says before it answers the joiner. The codes agree once in a million; that 3 or more of 1,500
        // relayed pairings agree has a probability below 1e-9.
        var agreed = 0
        for _ in 0..<1500 {
            await Task.yield()
            var victim = newJoiner()
            var sponsor = TestSponsor()
            var toSponsor = newJoiner()
            var toVictim = TestSponsor()
            let commitment = try victim.begin()
            let begun = try sponsor.begin(try toSponsor.begin())
            _ = try sponsor.reveal(try toSponsor.reveal(after: begun))
            let reveal = try victim.reveal(after: try toVictim.begin(commitment))
            try toVictim.reveal(reveal)
            if try victim.code() == sponsor.codes[0] { agreed += 1 }
        }
        #expect(agreed <= 2)
    }

    @Test("A short code that can be guessed or replayed: no choice of key or nonce after the other's is known")
    func commitmentBinds() throws {
        var joiner = newJoiner()
        var sponsor = TestSponsor()
        let begun = try sponsor.begin(try joiner.begin())
        // The one in the middle would now search a nonce that makes the codes agree, and reveal that.
        var reveal = try joiner.reveal(after: begun)
        reveal.nonce = Data(randomBytes(32))
        #expect { try sponsor.reveal(reveal) } throws: { ($0 as? BatonError)?.reason == "wrong_commitment" }
        #expect(sponsor.codes.isEmpty)
        #expect(sponsor.failures == 1)
        // The right reveal comes too late: the attempt is dead.
        #expect { try sponsor.reveal(reveal) } throws: { ($0 as? BatonError)?.reason == "unknown_pairing_session" }
        var other = newJoiner()
        #expect(throws: Never.self) { _ = try untilCode(&other, &sponsor) }
    }

    @Test("A short code that can be guessed or replayed: three attempts, counted from the first message")
    func threeAttempts() throws {
        var sponsor = TestSponsor()
        // The side that begins knows the code at once; giving up then must cost an attempt.
        for attempt in 1...3 {
            var guesser = newJoiner()
            let begun = try sponsor.begin(try guesser.begin())
            try sponsor.handle(.timer(session: begun.sessionID, .reveal))
            #expect(sponsor.isClosed == (attempt == 3))
        }
        var joiner = newJoiner()
        #expect { try sponsor.begin(try joiner.begin()) } throws: { ($0 as? BatonError)?.reason == "pairing_over" }
    }

    @Test("A short code that can be guessed or replayed: an old session's messages mean nothing in a new one")
    func replay() throws {
        var joiner = newJoiner()
        var sponsor = TestSponsor()
        let begin = try joiner.begin()
        let begun = try sponsor.begin(begin)
        let reveal = try joiner.reveal(after: begun)
        try sponsor.reveal(reveal)
        _ = try joiner.code()
        try joiner.confirm(.same)
        let exchange = try joiner.exchange(key: device.key, profile: try profile(device))
        try sponsor.confirm(.different, expecting: "codes_differ")

        // The same commitment again is answered with another key, nonce and session: nothing old fits.
        let again = try sponsor.begin(begin)
        #expect(again.publicKey != begun.publicKey && again.nonce != begun.nonce && again.sessionID != begun.sessionID)
        #expect(throws: BatonError.self) { try sponsor.reveal(reveal) }
        var replayed = reveal
        replayed.sessionID = again.sessionID
        try sponsor.reveal(replayed)
        #expect(sponsor.codes[0] != sponsor.codes[1])
        var replayedExchange = exchange
        replayedExchange.sessionID = again.sessionID
        try sponsor.confirm(.same)
        #expect(throws: Never.self) { try sponsor.exchange(replayedExchange) }
        // It does not open, even though a person confirmed: no device was let in.
        #expect(sponsor.candidates.isEmpty)
        #expect(sponsor.failures == 2)
    }

    @Test("Codes are uniform: every digit is as likely in every place")
    func uniform() async throws {
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 6)
        let trials = 2000
        for _ in 0..<trials {
            await Task.yield()
            var joiner = newJoiner()
            var sponsor = TestSponsor()
            for (place, digit) in try untilCode(&joiner, &sponsor).digits.enumerated() {
                counts[place][digit.wholeNumberValue ?? 0] += 1
            }
        }
        // Chi-squared with 9 degrees of freedom: above 45 once in a million.
        for place in counts {
            let expected = Double(trials) / 10
            let statistic = place.reduce(0) { $0 + pow(Double($1) - expected, 2) / expected }
            #expect(statistic < 45)
        }
    }

    // Regression test: consent bypassed by a request out of order.
    @Test("Consent bypassed by a request out of order: nothing is opened before the sponsor's person confirmed")
    func noExchangeBeforeConsent() throws {
        var joiner = newJoiner()
        var sponsor = TestSponsor()
        _ = try untilCode(&joiner, &sponsor)
        try joiner.confirm(.same)
        let exchange = try joiner.exchange(key: device.key, profile: try profile(device))
        try sponsor.exchange(exchange)
        #expect(sponsor.candidates.isEmpty)
        #expect(sponsor.answers.isEmpty)
        // Not even when the daemon was notified that the device was added.
        try sponsor.handle(.admitted(session: exchange.sessionID, response))
        #expect(sponsor.answers.isEmpty)
        try sponsor.confirm(.typed("00000x"), expecting: "codes_differ")
        #expect(sponsor.candidates.isEmpty && sponsor.answers.isEmpty && sponsor.failures == 1)
        // A "yes" after that confirms nothing.
        try sponsor.confirm(.same, expecting: "no_code_to_confirm")
        #expect(sponsor.candidates.isEmpty)
    }

    @Test("Consent bypassed by a request out of order: every step but the next one ends the attempt")
    func outOfOrder() throws {
        enum Step: CaseIterable { case exchangeAfterBegin, revealTwice, exchangeTwice, confirmEarly, beginTwice }
        for step in Step.allCases {
            var joiner = newJoiner()
            var sponsor = TestSponsor()
            let begun = try sponsor.begin(try joiner.begin())
            let empty = Baton_Link_V1_ExchangePairingRequest.with { $0.sessionID = begun.sessionID }
            switch step {
            case .exchangeAfterBegin:
                #expect { try sponsor.exchange(empty) } throws: {
                    ($0 as? BatonError)?.reason == "pairing_out_of_order"
                }
                #expect(sponsor.failures == 1)
            case .revealTwice:
                let reveal = try joiner.reveal(after: begun)
                try sponsor.reveal(reveal)
                #expect { try sponsor.reveal(reveal) } throws: { ($0 as? BatonError)?.reason == "pairing_out_of_order" }
                #expect(sponsor.failures == 1)
                try sponsor.confirm(.same, expecting: "no_code_to_confirm")
            case .exchangeTwice:
                try sponsor.reveal(try joiner.reveal(after: begun))
                try sponsor.exchange(empty)
                #expect { try sponsor.exchange(empty) } throws: {
                    ($0 as? BatonError)?.reason == "pairing_out_of_order"
                }
                #expect(sponsor.failures == 1)
                try sponsor.confirm(.same, expecting: "no_code_to_confirm")
            case .confirmEarly:
                // The person's hurry harms nothing.
                try sponsor.confirm(.same, expecting: "no_code_to_confirm")
                try sponsor.reveal(try joiner.reveal(after: begun))
                #expect(sponsor.candidates.isEmpty && sponsor.failures == 0)
            case .beginTwice:
                // A second device is refused and does not disturb the first.
                var second = newJoiner()
                #expect { try sponsor.begin(try second.begin()) } throws: {
                    ($0 as? BatonError)?.reason == "pairing_busy"
                }
                #expect(sponsor.failures == 0)
                try sponsor.reveal(try joiner.reveal(after: begun))
                #expect(try joiner.code() == sponsor.codes[0])
            }
            #expect(sponsor.answers.isEmpty)
        }
    }

    @Test(
        "Consent bypassed by a request out of order: the joiner sends nothing of itself before its person confirmed"
    )
    func joinerOrder() throws {
        var sponsor = TestSponsor()
        var hasty = newJoiner()
        _ = try untilCode(&hasty, &sponsor)
        #expect(throws: BatonError.self) { _ = try hasty.exchange(key: device.key, profile: try profile(device)) }
        // And it is dead after that.
        #expect(throws: BatonError.self) { try hasty.confirm(.same) }

        var early = newJoiner()
        #expect(throws: BatonError.self) { try early.confirm(.same) }
        #expect(throws: BatonError.self) { _ = try early.code() }
        #expect(throws: BatonError.self) { _ = try early.begin() }

        var sponsor2 = TestSponsor()
        var refused = newJoiner()
        _ = try untilCode(&refused, &sponsor2)
        #expect(throws: BatonError.self) { try refused.confirm(.typed("12345")) }
        #expect(throws: BatonError.self) { try refused.confirm(.same) }
        #expect(throws: BatonError.self) { _ = try refused.exchange(key: device.key, profile: try profile(device)) }
    }

    @Test("An answer that the one with the code did not seal is refused, and so is an altered one")
    func sealing() throws {
        func run(_ alter: (Data) -> Data) throws -> Baton_Link_V1_JoinResponse {
            var joiner = newJoiner()
            var sponsor = TestSponsor()
            _ = try untilCode(&joiner, &sponsor)
            try joiner.confirm(.same)
            try sponsor.confirm()
            let exchange = try joiner.exchange(key: device.key, profile: try profile(device))
            try sponsor.exchange(exchange)
            try sponsor.handle(.admitted(session: exchange.sessionID, response))
            return try joiner.finish(with: .with { $0.sealed = alter(sponsor.answers[0]) })
        }
        #expect(try run { $0 } == response)
        for alter: (Data) -> Data in [
            {
                var data = $0
                data[data.count - 1] ^= 1
                return data
            },
            {
                var data = $0
                data[0] ^= 1
                return data
            },
            { Data($0.dropLast()) }, { _ in Data() }, { _ in Data(repeating: 0, count: 40) },
        ] {
            #expect(throws: BatonError.self) { _ = try run(alter) }
        }
    }

    @Test("A request is only taken with proof of the device's key and its own name")
    func proof() throws {
        for forgery in ["profile of another device", "altered", "reflected"] {
            var joiner = newJoiner()
            var sponsor = TestSponsor()
            _ = try untilCode(&joiner, &sponsor)
            try joiner.confirm(.same)
            try sponsor.confirm()
            let victim = TestDevice()
            var exchange = try joiner.exchange(
                key: device.key, profile: try profile(forgery == "profile of another device" ? victim : device))
            if forgery == "altered" { exchange.sealed[20] ^= 1 }
            if forgery == "reflected" { exchange.sealed = Data(repeating: 0, count: 100) }
            try sponsor.exchange(exchange)
            #expect(sponsor.candidates.isEmpty, "\(forgery)")
            #expect(sponsor.failures == 1)
            #expect(
                sponsor.actions.contains { if case .exchangeRefused = $0 { true } else { false } }, "\(forgery)")
        }
    }

    @Test("Malformed and hostile messages are refused", arguments: [0, 1, 31, 33, 65536])
    func malformed(size: Int) throws {
        var sponsor = TestSponsor()
        #expect(throws: BatonError.self) {
            try sponsor.begin(
                .with {
                    $0.protocolVersion = 1
                    $0.commitment = Data(repeating: 1, count: size)
                })
        }
        #expect(sponsor.failures == 0)
        #expect {
            try sponsor.begin(
                .with {
                    $0.protocolVersion = 2
                    $0.commitment = Data(repeating: 1, count: 32)
                })
        } throws: { ($0 as? BatonError)?.reason == "pairing_version" }
        var joiner = newJoiner()
        let begun = try sponsor.begin(try joiner.begin())
        var reveal = try joiner.reveal(after: begun)
        reveal.publicKey = Data(repeating: 9, count: size)
        #expect(throws: BatonError.self) { try sponsor.reveal(reveal) }
        #expect(sponsor.failures == 1)

        var other = newJoiner()
        _ = try other.begin()
        #expect(throws: BatonError.self) {
            _ = try other.reveal(
                after: .with {
                    $0.sessionID = "a"
                    $0.publicKey = Data(repeating: 9, count: size)
                    $0.nonce = Data(repeating: 9, count: 32)
                })
        }
    }

    @Test("A key of small order, which would fix the shared secret, is refused on both sides")
    func smallOrder() throws {
        var joiner = newJoiner()
        _ = try joiner.begin()
        #expect {
            _ = try joiner.reveal(
                after: .with {
                    $0.sessionID = "a"
                    $0.publicKey = Data(repeating: 0, count: 32)
                    $0.nonce = Data(repeating: 9, count: 32)
                })
        } throws: { ($0 as? BatonError)?.reason == "invalid_pairing_key" }

        var sponsor = TestSponsor()
        let (key, nonce) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 7, count: 32))
        let begun = try sponsor.begin(
            .with {
                $0.protocolVersion = 1
                $0.commitment = Data(PairingTranscript.commitment(key: key, nonce: nonce))
            })
        #expect {
            try sponsor.reveal(
                .with {
                    $0.sessionID = begun.sessionID
                    $0.publicKey = Data(key)
                    $0.nonce = Data(nonce)
                })
        } throws: { ($0 as? BatonError)?.reason == "invalid_pairing_key" }
        #expect(sponsor.codes.isEmpty)
    }

    @Test("A stranger that stops answering is forgotten after five seconds, a person who does not answer after sixty")
    func timeouts() throws {
        var sponsor = TestSponsor()
        var idle = newJoiner()
        let begun = try sponsor.begin(try idle.begin())
        let timers = sponsor.actions.compactMap { action -> Duration? in
            if case .startTimer(begun.sessionID, .reveal, let duration) = action { duration } else { nil }
        }
        #expect(timers == [.seconds(5)])
        // A timer of the wrong stage or session does nothing.
        try sponsor.handle(.timer(session: "other", .reveal))
        try sponsor.handle(.timer(session: begun.sessionID, .consent))
        #expect(sponsor.failures == 0)
        try sponsor.handle(.timer(session: begun.sessionID, .reveal))
        #expect(sponsor.failures == 1)

        var joiner = newJoiner()
        _ = try untilCode(&joiner, &sponsor)
        try joiner.confirm(.same)
        let exchange = try joiner.exchange(key: device.key, profile: try profile(device))
        try sponsor.handle(.timer(session: exchange.sessionID, .reveal))
        #expect(sponsor.failures == 1)
        try sponsor.exchange(exchange)
        try sponsor.handle(.timer(session: exchange.sessionID, .consent))
        #expect(sponsor.failures == 2)
        try sponsor.confirm(.same, expecting: "no_code_to_confirm")
        #expect(sponsor.candidates.isEmpty)
    }

    @Test("Once a device is being added, neither a repeated request nor a lost caller undoes it")
    func admitting() throws {
        var joiner = newJoiner()
        var sponsor = TestSponsor()
        _ = try untilCode(&joiner, &sponsor)
        try joiner.confirm(.same)
        try sponsor.confirm()
        let exchange = try joiner.exchange(key: device.key, profile: try profile(device))
        try sponsor.exchange(exchange)
        #expect(throws: BatonError.self) { try sponsor.exchange(exchange) }
        try sponsor.handle(.callEnded(session: exchange.sessionID))
        try sponsor.handle(.abandon(.with { $0.sessionID = exchange.sessionID }))
        try sponsor.handle(.timer(session: exchange.sessionID, .consent))
        #expect(sponsor.failures == 0)
        try sponsor.handle(.admitted(session: exchange.sessionID, response))
        #expect(sponsor.answers.count == 1)
    }

    @Test("Unknown fields in a joining device's profile are dropped")
    func unknownFields() throws {
        var joiner = newJoiner()
        var sponsor = TestSponsor()
        let device = TestDevice()
        _ = try untilCode(&joiner, &sponsor)
        let plain = try profile(device)
        var padded = plain
        padded.unknownFields = .junk
        try joiner.confirm(.same)
        try sponsor.exchange(try joiner.exchange(key: device.key, profile: padded))
        try sponsor.confirm()
        #expect(sponsor.candidates.map(\.profile) == [plain])
    }
}

extension TestSponsor {
    mutating func confirm(_ verdict: PairingVerdict, expecting reason: String) throws {
        do throws(BatonError) {
            try confirm(verdict)
            Issue.record("confirmed")
        } catch {
            #expect(error.reason == reason)
        }
    }
}
