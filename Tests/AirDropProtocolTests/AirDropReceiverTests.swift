import AirDropProtocol
import BatonConcurrency
import BatonCore
import Testing

/// which transfers a receiver accepts.
@Suite("AirDrop's receiver")
struct AirDropReceiverTests {
    private static let friend = AirDropClient.certificate([1])
    private static let other = AirDropClient.certificate([2])
    private static let one = AskID(1)
    private static let connection = ConnectionID(1)

    private struct Subject {
        var machine: AirDropReceiver
        var now = Duration.zero

        init(_ visibility: AirDropVisibility = .contacts) { machine = AirDropReceiver(visibility: visibility) }

        mutating func give(_ input: AirDropReceiver.Input) -> [String] {
            text(machine.handle(input, now: Timestamp(now)))
        }

        mutating func ask(
            _ id: UInt64 = 1, _ client: AirDropClient = friend, _ relation: SenderRelation = .contact,
            connection: UInt64 = 1, place: String? = nil, needsUpload: Bool = true
        ) -> [String] {
            give(
                .asked(
                    AskID(id), client, ConnectionID(connection), relation, place: place ?? "\(id)",
                    needsUpload: needsUpload))
        }

        mutating func advance(to seconds: Int) -> [String] {
            now = .seconds(seconds)
            return text(machine.advance(now: Timestamp(now)))
        }

        private func text(_ actions: [AirDropReceiver.Action]) -> [String] {
            actions.map { action in
                switch action {
                case .visibilityChanged(let visibility): "visible \(visibility)"
                case .question(let id): "question \(id.rawValue)"
                case .withdrawQuestion(let id): "withdraw \(id.rawValue)"
                case .accept(let id): "accept \(id.rawValue)"
                case .refuseAsk(let id, let error): "refuse \(id.rawValue) \(error.reason)"
                case .receive(let id, let upload): "receive \(id.rawValue) \(upload.rawValue)"
                case .refuseUpload(let upload, let error): "refuse upload \(upload.rawValue) \(error.reason)"
                case .deliver(let id): "deliver \(id.rawValue)"
                case .finished(let id, .failed(let error)): "finished \(id.rawValue) \(error.reason)"
                case .finished(let id, let outcome): "finished \(id.rawValue) \(outcome)"
                }
            }
        }
    }

    @Test("Files: asked, accepted, received, delivered")
    func files() {
        var subject = Subject()
        #expect(subject.ask() == ["question 1"])
        #expect(subject.give(.decided(Self.one, accepts: true)) == ["accept 1"])
        #expect(subject.give(.uploadBegan(UploadID(7), Self.friend, Self.connection)) == ["receive 1 7"])
        #expect(subject.give(.uploadProgressed(Self.one, bytes: 9)) == [])
        #expect(subject.give(.uploadReceived(Self.one)) == ["deliver 1"])
        // The sender may go now.
        #expect(subject.give(.disconnected(Self.connection)) == [])
        #expect(subject.give(.cancelled(Self.one)) == [])
        #expect(subject.give(.delivered(Self.one)) == ["finished 1 delivered"])
        #expect(subject.machine.count == 0)
        #expect(subject.machine.nextDeadline(now: Timestamp(.zero)) == nil)
    }

    @Test("Links are delivered when they are accepted")
    func links() {
        var subject = Subject()
        #expect(subject.ask(needsUpload: false) == ["question 1"])
        #expect(subject.give(.decided(Self.one, accepts: true)) == ["accept 1", "deliver 1"])
        #expect(
            subject.give(.uploadBegan(UploadID(7), Self.friend, Self.connection))
                == ["refuse upload 7 airdrop_upload_not_accepted"])
        #expect(subject.give(.delivered(Self.one)) == ["finished 1 delivered"])
    }

    @Test("The person may decline, and may not decide")
    func refusals() {
        var subject = Subject()
        _ = subject.ask()
        #expect(
            subject.give(.decided(Self.one, accepts: false)) == ["refuse 1 airdrop_declined", "finished 1 declined"])
        #expect(subject.give(.decided(Self.one, accepts: true)) == [])
        _ = subject.ask(2)
        #expect(subject.advance(to: 59) == [])
        #expect(subject.advance(to: 60) == ["withdraw 2", "refuse 2 airdrop_expired", "finished 2 expired"])
    }

    @Test("Who is heard depends on the visibility")
    func visibility() {
        for visibility in AirDropVisibility.allCases {
            for relation in SenderRelation.allCases {
                var subject = Subject(.off)
                _ = subject.give(.setVisibility(visibility))
                let isHeard = visibility == .everyone || (visibility == .contacts && relation != .stranger)
                #expect(
                    subject.ask(1, Self.friend, relation) == [isHeard ? "question 1" : "refuse 1 airdrop_not_visible"])
            }
        }
    }

    @Test(
        "Everyone ends after ten minutes, and goes back to what was before",
        arguments: [AirDropVisibility.off, .contacts])
    func everyone(before: AirDropVisibility) {
        var subject = Subject(before)
        #expect(subject.give(.setVisibility(.everyone)) == ["visible everyone"])
        #expect(subject.advance(to: 590) == [])
        #expect(subject.give(.setVisibility(.everyone)) == [])
        #expect(subject.ask(1, Self.friend, .stranger) == ["question 1"])
        _ = subject.give(.decided(Self.one, accepts: true))
        _ = subject.give(.uploadBegan(UploadID(1), Self.friend, Self.connection))
        _ = subject.give(.uploadReceived(Self.one))
        #expect(subject.advance(to: 1189) == [])
        #expect(subject.machine.everyoneEnds == .seconds(1190))
        // Questions that are open stay open.
        #expect(subject.ask(2, Self.other, .stranger) == ["question 2"])
        #expect(subject.advance(to: 1190) == ["visible \(before)"])
        #expect(subject.ask(3, .certificate([3]), .stranger) == ["refuse 3 airdrop_not_visible"])
        #expect(subject.give(.decided(AskID(2), accepts: true)) == ["accept 2"])
        #expect(AirDropReceiver(visibility: .everyone).visibility == .contacts)
    }

    @Test("When the person hides, open questions of those who no longer see the device are declined")
    func hiding() {
        var subject = Subject()
        _ = subject.give(.setVisibility(.everyone))
        _ = subject.ask(1, Self.friend, .contact)
        _ = subject.ask(2, Self.other, .stranger)
        _ = subject.ask(3, .certificate([3]), .stranger)
        _ = subject.give(.decided(AskID(3), accepts: true))
        #expect(
            subject.give(.setVisibility(.contacts))
                == ["visible contacts", "withdraw 2", "refuse 2 airdrop_declined", "finished 2 declined"])
        #expect(
            subject.give(.setVisibility(.off))
                == ["visible off", "withdraw 1", "refuse 1 airdrop_declined", "finished 1 declined"])
        #expect(subject.machine.count == 1)
    }

    @Test("Only the client that was accepted uploads, and once")
    func uploads() {
        var subject = Subject()
        let refused = ["refuse upload 1 airdrop_upload_not_accepted"]
        func upload(_ client: AirDropClient, _ connection: UInt64 = 1) -> AirDropReceiver.Input {
            .uploadBegan(UploadID(1), client, ConnectionID(connection))
        }
        #expect(subject.give(upload(Self.friend)) == refused)
        _ = subject.ask()
        #expect(subject.give(upload(Self.friend)) == refused)
        _ = subject.give(.decided(Self.one, accepts: true))
        #expect(subject.give(upload(Self.other)) == refused)
        #expect(subject.give(upload(.connection(ConnectionID(1)))) == refused)
        #expect(subject.give(upload(Self.friend, 2)) == refused)
        #expect(subject.give(upload(Self.friend)) == ["receive 1 1"])
        #expect(subject.give(upload(Self.friend)) == refused)
        _ = subject.give(.uploadReceived(Self.one))
        #expect(subject.give(upload(Self.friend)) == refused)
        _ = subject.give(.delivered(Self.one))
        #expect(subject.give(upload(Self.friend)) == refused)
    }

    @Test("A client asks for one thing at a time")
    func oneAtATime() {
        var subject = Subject()
        _ = subject.ask()
        #expect(subject.ask(2) == ["refuse 2 airdrop_busy"])
        #expect(subject.ask(1) == [])
        _ = subject.give(.decided(Self.one, accepts: true))
        // It forgot what it was given.
        #expect(subject.ask(3) == ["finished 1 withdrawn", "question 3"])
        _ = subject.give(.decided(AskID(3), accepts: true))
        _ = subject.give(.uploadBegan(UploadID(1), Self.friend, Self.connection))
        #expect(subject.ask(4) == ["refuse 4 airdrop_busy"])
    }

    @Test("Strangers do not keep a friend out")
    func strangers() {
        var subject = Subject()
        _ = subject.give(.setVisibility(.everyone))
        let answers = (1...10).map { subject.ask($0, .certificate([UInt8($0)]), .stranger, connection: $0) }
        #expect(answers.prefix(3) == [["question 1"], ["question 2"], ["question 3"]])
        #expect(answers.dropFirst(3).allSatisfy { $0.first?.hasSuffix("airdrop_busy") == true })
        #expect(subject.ask(11, .certificate([11]), .contact) == ["question 11"])
        for id in 12...20 { _ = subject.ask(UInt64(id), .certificate([UInt8(id)]), .contact) }
        #expect(subject.machine.count == 8)
    }

    @Test("A place on the network has one question of strangers at a time; contacts there are not counted")
    func onePlace() {
        var subject = Subject()
        _ = subject.give(.setVisibility(.everyone))
        func ask(_ id: UInt64, _ relation: SenderRelation = .stranger) -> [String] {
            subject.ask(id, .certificate([UInt8(id)]), relation, connection: id, place: "192.0.2.1")
        }
        #expect(ask(1) == ["question 1"])
        #expect(ask(2) == ["refuse 2 airdrop_busy"])
        #expect(ask(3, .contact) == ["question 3"])
        _ = subject.give(.decided(Self.one, accepts: true))
        #expect(ask(4) == ["question 4"])
    }

    @Test("After a question that was declined or withdrawn its place is not heard for a while, each time longer")
    func pauses() {
        var subject = Subject()
        _ = subject.give(.setVisibility(.everyone))
        func ask(_ id: UInt64, place: String = "attacker") -> [String] {
            subject.ask(id, .connection(ConnectionID(id)), .stranger, connection: id, place: place)
        }
        // Three that hang up at once keep no other out.
        for id in UInt64(1)...3 {
            #expect(ask(id) == [id == 1 ? "question 1" : "refuse \(id) airdrop_busy"])
            _ = subject.give(.disconnected(ConnectionID(id)))
        }
        #expect(ask(4, place: "friend") == ["question 4"])
        #expect(subject.advance(to: 9) == [] && ask(5) == ["refuse 5 airdrop_busy"])
        _ = subject.advance(to: 10)
        #expect(ask(6) == ["question 6"])
        _ = subject.give(.decided(AskID(6), accepts: false))
        _ = subject.advance(to: 29)
        #expect(ask(7) == ["refuse 7 airdrop_busy"])
        _ = subject.advance(to: 30)
        #expect(ask(8) == ["question 8"])
        // A yes makes up for all of it.
        _ = subject.give(.decided(AskID(8), accepts: true))
        _ = subject.give(.disconnected(ConnectionID(8)))
        #expect(ask(9) == ["question 9"])
        _ = subject.give(.disconnected(ConnectionID(9)))
        _ = subject.advance(to: 39)
        #expect(ask(10) == ["refuse 10 airdrop_busy"])
        _ = subject.advance(to: 40)
        #expect(ask(11) == ["question 11"])
    }

    @Test("A sender that goes takes its question with it")
    func disconnections() {
        var subject = Subject()
        _ = subject.ask()
        #expect(subject.give(.disconnected(ConnectionID(9))) == [])
        #expect(subject.give(.disconnected(Self.connection)) == ["withdraw 1", "finished 1 withdrawn"])
        // With a certificate it may come back; without one it cannot.
        _ = subject.ask(2)
        _ = subject.give(.decided(AskID(2), accepts: true))
        #expect(subject.give(.disconnected(Self.connection)) == [])
        #expect(subject.advance(to: 30) == ["finished 2 withdrawn"])
        _ = subject.ask(3, .connection(ConnectionID(4)), .contact, connection: 4)
        _ = subject.give(.decided(AskID(3), accepts: true))
        #expect(subject.give(.disconnected(ConnectionID(4))) == ["finished 3 withdrawn"])
        // In the middle, on a later connection than the first.
        _ = subject.ask(4, connection: 6)
        _ = subject.give(.decided(AskID(4), accepts: true))
        _ = subject.give(.disconnected(ConnectionID(6)))
        #expect(
            subject.give(.uploadBegan(UploadID(1), Self.friend, ConnectionID(5)))
                == ["refuse upload 1 airdrop_upload_not_accepted"])
        #expect(subject.give(.uploadBegan(UploadID(1), Self.friend, ConnectionID(7))) == ["receive 4 1"])
        #expect(subject.give(.disconnected(ConnectionID(6))) == [])
        #expect(subject.give(.disconnected(ConnectionID(7))) == ["finished 4 airdrop_sender_gone"])
        #expect(subject.give(.uploadReceived(AskID(4))) == [])
    }

    @Test("An upload that drips is ended; one that flows is not")
    func stalls() {
        var subject = Subject()
        _ = subject.ask()
        _ = subject.give(.decided(Self.one, accepts: true))
        _ = subject.give(.uploadBegan(UploadID(1), Self.friend, Self.connection))
        for step in 1...10 {
            subject.now = .seconds(20 * step)
            _ = subject.give(.uploadProgressed(Self.one, bytes: UInt64(step) * 16 * 1024))
            #expect(subject.advance(to: 20 * step) == [])
        }
        for second in 201..<230 {
            subject.now = .seconds(second)
            _ = subject.give(.uploadProgressed(Self.one, bytes: 160 * 1024 + UInt64(second)))
        }
        #expect(subject.advance(to: 229) == [])
        #expect(subject.advance(to: 230) == ["finished 1 airdrop_stalled"])
    }

    @Test("What cannot be stored, and what the person cancels, fails")
    func failures() {
        var subject = Subject()
        let full = BatonError(.resourceExhausted, reason: "disk_full", "Full.")
        #expect(AirDropStatus.refusing(full) == 507)
        _ = subject.ask()
        #expect(subject.give(.failed(Self.one, full)) == [])
        #expect(subject.give(.cancelled(Self.one)) == [])
        _ = subject.give(.decided(Self.one, accepts: true))
        _ = subject.give(.uploadBegan(UploadID(1), Self.friend, Self.connection))
        #expect(subject.give(.failed(Self.one, full)) == ["finished 1 disk_full"])
        _ = subject.ask(2)
        _ = subject.give(.decided(AskID(2), accepts: true))
        #expect(subject.give(.cancelled(AskID(2))) == ["finished 2 airdrop_cancelled"])
    }
}
