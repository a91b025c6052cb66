import AirDropProtocol
import BatonConcurrency
import BatonCore
import Testing

/// one transfer, as its sender sees it.
@Suite("AirDrop's sender")
struct AirDropSenderTests {
    private static let named = DiscoverAnswer(computerName: "Bob", modelName: nil)

    /// A sender that was given these, one a second.
    private static func sender(needsUpload: Bool = true, _ inputs: AirDropSender.Input...) -> AirDropSender {
        var sender = AirDropSender(needsUpload: needsUpload)
        for (second, input) in inputs.enumerated() {
            _ = sender.handle(input, now: Timestamp(.seconds(second)))
        }
        return sender
    }

    private static func text(_ actions: [AirDropSender.Action]) -> [String] {
        actions.map { action in
            if case .changed(let phase) = action { text(phase) } else { "\(action)" }
        }
    }

    private static func text(_ phase: AirDropSender.Phase) -> String {
        switch phase {
        case .ended(.failed(let error)): error.reason
        case .ended(let outcome): "\(outcome)"
        default: "\(phase)"
        }
    }

    @Test("Files: discover, ask, wait, upload, done")
    func files() {
        var sender = AirDropSender(needsUpload: true)
        func give(_ input: AirDropSender.Input) -> [String] { Self.text(sender.handle(input, now: Timestamp(.zero))) }
        #expect(give(.start) == ["discovering", "discover"])
        #expect(give(.discovered(Self.named)) == ["asking", "ask"])
        #expect(give(.askSent) == ["waiting"])
        #expect(give(.accepted) == ["uploading(bytes: 0)", "upload"])
        #expect(give(.uploadProgressed(bytes: 10)) == [])
        #expect(Self.text(sender.phase) == "uploading(bytes: 10)")
        #expect(give(.uploadSent) == ["storing"])
        #expect(give(.uploadAnswered(status: 200)) == ["done"])
        #expect(give(.cancel) == [])
        #expect(sender.nextDeadline(now: Timestamp(.zero)) == nil)
    }

    @Test("Links are done when they are accepted")
    func links() {
        let sender = Self.sender(needsUpload: false, .start, .discovered(Self.named), .askSent, .accepted)
        #expect(Self.text(sender.phase) == "done")
    }

    @Test("A receiver without a name is not asked")
    func hidden() {
        let sender = Self.sender(.start, .discovered(DiscoverAnswer(computerName: nil, modelName: nil)))
        #expect(Self.text(sender.phase) == "airdrop_not_visible")
    }

    @Test(
        "Refusals reach the sender",
        arguments: [
            (401, "declined"), (403, "declined"), (406, "declined"), (410, "timedOut"), (429, "airdrop_refused"),
            (500, "airdrop_refused"),
        ])
    func refusals(status: Int, outcome: String) {
        #expect(
            Self.text(Self.sender(.start, .discovered(Self.named), .askSent, .refused(status: status)).phase) == outcome
        )
        #expect(Self.text(Self.sender(.start, .discovered(Self.named), .refused(status: status)).phase) == outcome)
    }

    @Test("An upload counts when all is sent and stored")
    func uploads() {
        let accepted: [AirDropSender.Input] = [.start, .discovered(Self.named), .askSent, .accepted]
        func end(_ inputs: AirDropSender.Input...) -> String {
            var sender = AirDropSender(needsUpload: true)
            for input in accepted + inputs { _ = sender.handle(input, now: Timestamp(.zero)) }
            return Self.text(sender.phase)
        }
        #expect(end(.uploadAnswered(status: 507)) == "airdrop_refused")
        #expect(end(.uploadSent, .uploadAnswered(status: 400)) == "airdrop_refused")
        #expect(end(.uploadAnswered(status: 200)) == "uploading(bytes: 0)")
        #expect(end(.uploadAnswered(status: 200), .uploadSent) == "done")
    }

    @Test("Cancelling hangs up, whatever is under way")
    func cancelling() {
        let inputs: [AirDropSender.Input] = [.start, .discovered(Self.named), .askSent, .accepted, .uploadSent]
        for count in 0...inputs.count {
            var sender = AirDropSender(needsUpload: true)
            for input in inputs.prefix(count) { _ = sender.handle(input, now: Timestamp(.zero)) }
            #expect(
                Self.text(sender.handle(.cancel, now: Timestamp(.zero))) == (count == 0 ? [] : ["hangUp"]) + [
                    "cancelled"
                ])
        }
    }

    @Test("Nothing is waited for without end")
    func deadlines() throws {
        let inputs: [AirDropSender.Input] = [.start, .discovered(Self.named), .askSent, .accepted, .uploadSent]
        for count in 1...inputs.count {
            var sender = AirDropSender(needsUpload: true)
            for input in inputs.prefix(count) { _ = sender.handle(input, now: Timestamp(.seconds(100))) }
            let deadline = try #require(sender.nextDeadline(now: Timestamp(.seconds(100))))
            #expect(sender.advance(now: Timestamp(deadline - .nanoseconds(1))).isEmpty)
            #expect(
                Self.text(sender.advance(now: Timestamp(deadline)))
                    == ["hangUp", count == 3 ? "timedOut" : "airdrop_stalled"])
        }
    }

    @Test("An upload that goes on is not stalled")
    func progress() {
        var sender = Self.sender(.start, .discovered(Self.named), .askSent, .accepted)
        for second in 1..<100 {
            let now = Timestamp(.seconds(20 * second))
            #expect(sender.handle(.uploadProgressed(bytes: UInt64(second)), now: now).isEmpty)
            #expect(sender.advance(now: now).isEmpty)
        }
        // The same again is no progress.
        _ = sender.handle(.uploadProgressed(bytes: 99), now: Timestamp(.seconds(2009)))
        #expect(sender.nextDeadline(now: Timestamp(.zero)) == .seconds(1980 + 30))
    }
}
