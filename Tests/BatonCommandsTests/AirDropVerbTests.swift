import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import BatonCommands

struct AirDropVerbTests {
    private typealias Event = Baton_Control_V1_ReceivingEvent

    private static let asked = Event.with {
        $0.transferID = "T"
        $0.asked = .with { $0.sender = "So\u{1B}[2Jfa" }
    }
    private static let delivered = Event.with {
        $0.transferID = "T"
        $0.outcome = .with {
            $0.result = "delivered"
            $0.items = 1
        }
    }

    private static func progress(_ bytes: UInt64) -> Event {
        .with {
            $0.transferID = "T"
            $0.progress = .with {
                $0.bytes = bytes
                $0.total = 5000
            }
        }
    }

    private func onTerminal(width: Int = 80) -> CommandLineFixture {
        var fixture = CommandLineFixture()
        fixture.terminal = Terminal(
            isOutputInteractive: true, isInputInteractive: true, width: width, isColoured: false)
        return fixture
    }

    private func receive(_ fixture: CommandLineFixture) async -> CommandStatus {
        fixture.daemon.onStream(AirDropMethods.watchReceiving) { _ in
            stream(Self.asked, Self.progress(2000), Self.progress(4000), Self.delivered)
        }
        return await fixture.run("receive", "--accept", "--once")
    }

    @Test("On a terminal a line shows how far what arrives is, and is drawn again in its place")
    func progressOnTerminal() async {
        let fixture = onTerminal(width: 160)
        #expect(await receive(fixture) == .success)
        let parts = fixture.output.text.components(separatedBy: "A stranger who calls itself “So[2Jfa”: ")
        #expect(parts.count == 3, "\(fixture.output.text)")
        #expect(parts.dropFirst().first?.hasSuffix("\u{1B}[1A\u{1B}[J") == true)
        #expect(fixture.output.text.contains("sent 1 item."))
    }

    @Test("Where the output is no terminal, only what has arrived is printed")
    func quietElsewhere() async {
        let fixture = CommandLineFixture()
        #expect(await receive(fixture) == .success)
        #expect(!fixture.output.text.contains("2000"))
        #expect(fixture.output.text.contains("sent 1 item."))
    }

    // MARK: Questions

    private static func asked(_ id: String, _ sender: String, contact: Bool = false) -> Event {
        .with {
            $0.transferID = id
            $0.asked = .with {
                $0.sender = sender
                $0.contact = contact
                $0.names = ["\(sender).txt"]
                $0.items = 1
            }
        }
    }

    private static func ended(_ id: String, _ result: String = "delivered") -> Event {
        .with {
            $0.transferID = id
            $0.outcome = .with { $0.result = result }
        }
    }

    /// Gives some events, then those that follow from the answers, then the end.
    private func receive(
        _ fixture: CommandLineFixture, _ events: [Event], answering count: Int, _ arguments: String...
    ) async -> [String] {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Event.self, throwing: (any Error).self)
        let answered = Mutex(0)
        fixture.daemon.onStream(AirDropMethods.watchReceiving) { _ in
            for event in events { continuation.yield(event) }
            if count == 0 { continuation.finish() }
            return stream
        }
        fixture.daemon.on(AirDropMethods.answerAsk) { request in
            continuation.yield(Self.ended(request.transferID, request.accept ? "delivered" : "declined"))
            let all = answered.withLock {
                $0 += 1
                return $0
            }
            if all == count { continuation.finish() }
            return .init()
        }
        _ = await fixture.run(["receive"] + arguments)
        return fixture.daemon.requests(of: Baton_Control_V1_AnswerAskRequest.self).map {
            "\($0.transferID) \($0.accept)"
        }
    }

    @Test("One question stands on the terminal at a time, so that a yes is never another sender's")
    func oneQuestion() async {
        var fixture = onTerminal()
        fixture.typed = [.init("Mallory", "n"), .init("Friend", "y")]
        let answers = await receive(
            fixture, [Self.asked("A", "Mallory"), Self.asked("B", "Friend", contact: true)], answering: 2)
        #expect(answers == ["A false", "B true"])
        let text = fixture.errors.text
        let prompts = text.components(separatedBy: "Accept?")
        #expect(prompts[0].contains("A stranger who calls itself “Mallory” wants to send 1 file or folder"), "\(text)")
        #expect(!prompts[0].contains("Friend"), "two questions at once: \(text)")
        #expect(prompts[1].contains("Your contact “Friend” wants to send"))
    }

    @Test("A line that was typed before the question could be read is no answer to it")
    func typedAhead() async {
        var fixture = onTerminal()
        fixture.readingTime = 0.5
        fixture.typed = [.init("Mallory", "y"), .init("no answer to it", "y")]
        let errors = fixture.errors
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Event.self, throwing: (any Error).self)
        continuation.yield(Self.asked("A", "Mallory"))
        fixture.daemon.onStream(AirDropMethods.watchReceiving) { _ in stream }
        fixture.daemon.on(AirDropMethods.answerAsk) { _ in .init() }
        async let status = fixture.run("receive")
        while errors.text.components(separatedBy: "no answer to it").count < 3,
            fixture.daemon.requests(of: Baton_Control_V1_AnswerAskRequest.self).isEmpty
        { await Task.yield() }
        continuation.finish()
        _ = await status
        #expect(fixture.daemon.requests(of: Baton_Control_V1_AnswerAskRequest.self).isEmpty)
    }

    @Test("When a question is withdrawn or answered elsewhere, what was typed for it says nothing to the next one")
    func withdrawn() {
        let start = Date(timeIntervalSince1970: 0)
        for isWithdrawn in [true, false] {
            var questions = ReceivingQuestions(readingTime: 0)
            let first = questions.ask(.init(transfer: "A", text: "A"), now: start)
            let second = questions.ask(.init(transfer: "B", text: "B"), now: start)
            #expect(first?.transfer == "A" && second == nil)
            let typed = questions.mark(start)
            if isWithdrawn {
                let wasShown = questions.end("A")
                #expect(wasShown)
            } else {
                let reply = questions.reply("n", questions.mark(start))
                #expect(reply == .answer(transfer: "A", accepts: false))
            }
            let between = questions.reply("y", typed)
            let next = questions.next(start)
            let late = questions.reply("y", typed)
            let unclear = questions.reply("ls", questions.mark(start))
            let answer = questions.reply("y", questions.mark(start))
            #expect(between == .void && next?.transfer == "B" && late == .early && unclear == .unclear)
            #expect(answer == .answer(transfer: "B", accepts: true))
        }
    }

    @Test("With --json an answer names its question; one that does not is refused")
    func jsonAnswers() async throws {
        var fixture = CommandLineFixture()
        fixture.input = ["yes", "yes B", "no A"]
        let answers = await receive(
            fixture, [Self.asked("A", "Mallory"), Self.asked("B", "Friend")], answering: 2, "--json")
        #expect(answers == ["B true", "A false"])
        #expect(fixture.output.text.contains(#""event":"answer_refused""#))
    }

    @Test("Where no question says how many links and special files are left out, the end does")
    func leftOut() async {
        let fixture = CommandLineFixture()
        var asked = Self.asked("1", "Anna")
        asked.asked.leftOut = 2
        _ = await receive(fixture, [asked, Self.ended("1")], answering: 0, "--accept")
        #expect(fixture.output.text.contains("2 links and special files are left out."), "\(fixture.output.text)")
    }

    @Test("A question shows links first and counts them apart; a name cannot close its quotation, and is short")
    func questionText() async {
        var fixture = onTerminal()
        fixture.typed = [.init("Accept?", "n")]
        let name = "Anna”, your own device “" + String(repeating: "x", count: 100)
        let asked = Event.with {
            $0.transferID = "A"
            $0.asked = .with {
                $0.sender = name
                $0.names = ["photo.jpg"]
                $0.urls = (1...94).map { "http://site-\($0).example/" }
                $0.items = 95
            }
        }
        #expect(await receive(fixture, [asked], answering: 1) == ["A false"])
        let text = fixture.errors.text
        #expect(
            text.contains(
                "A stranger who calls itself “Anna', your own device 'xxxxxxxxxxxxxxxx…” wants to send 94 links and 1 file or folder:\n"
                    + "  http://site-1.example/"), "\(text)")
        #expect(text.contains("  and 89 more links\n  photo.jpg\n"), "\(text)")
    }

    @Test("--once waits for a transfer that was accepted: who asks and goes away ends nothing")
    func once() async {
        var fixture = onTerminal()
        fixture.typed = [.init("Friend", "y")]
        let events = [Self.asked("A", "Mallory"), Self.ended("A", "cancelled"), Self.asked("B", "Friend")]
        #expect(await receive(fixture, events, answering: 1, "--once") == ["B true"])
    }

    // MARK: Names

    private func peer(_ id: String, _ name: String, own: Bool = false) -> Baton_Control_V1_NearbyPeer {
        .with {
            $0.id = id
            $0.name = name
            $0.ownDevice = own
        }
    }

    /// - Returns: the devices that something was sent to.
    private func send(
        _ fixture: CommandLineFixture, to name: String, near: [Baton_Control_V1_NearbyPeer],
        own: [(String, String)] = [], revoked: [String] = [], isRevoked: Bool = false,
        contacts: [(String, String)] = [], _ arguments: String...
    ) async -> [String] {
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = (own + revoked.map { ("GONE", $0) }).map { id, name in
                    .with {
                        $0.deviceID = id
                        $0.name = name
                        $0.revoked = id == "GONE"
                    }
                }
            }
        }
        fixture.daemon.on(ControlMethods.getStatus) { _ in .with { $0.revoked = isRevoked } }
        fixture.daemon.on(AirDropMethods.listContacts) { _ in
            .with {
                $0.contacts = contacts.map { id, name in
                    .with {
                        $0.id = id
                        $0.name = name
                    }
                }
            }
        }
        fixture.daemon.onStream(AirDropMethods.watchNearby) { _ in stream(.with { $0.peers = near }) }
        fixture.daemon.onStream(AirDropMethods.sendItems) { _ in
            stream(.with { $0.outcome = .with { $0.result = "delivered" } })
        }
        _ = await fixture.run(["send", "https://example.com/page", "--to", name] + arguments)
        return fixture.daemon.requests(of: Baton_Control_V1_SendItemsRequest.self).map(\.peer)
    }

    @Test("A transfer that failed ends with the status of its error, such as a full disk of the other device (A-1)")
    func failures() {
        func status(_ code: String) -> CommandStatus {
            let outcome = Baton_Control_V1_TransferOutcome.with {
                $0.result = "failed"
                $0.reason = "disk_full"
                $0.code = code
            }
            return CommandStatus(AirDropReport.error(outcome, peer: "Kitchen").code)
        }
        #expect(status("resource_exhausted") == .limitReached)
        #expect(status("") == .unreachable && status("of a newer version") == .unreachable)
    }

    @Test("The name of an own device or contact that is away means no stranger of that name")
    func reservedNames() async {
        let stranger = peer("ABCDEF", "Kitchen")
        let fixture = onTerminal()
        #expect(await send(fixture, to: "kitchen", near: [stranger], own: [("OWN1", "Kitchen")]).isEmpty)
        #expect(fixture.errors.text.contains("Your own device “Kitchen” is not nearby."), "\(fixture.errors.text)")
        let contact = onTerminal()
        #expect(await send(contact, to: "Kitchen", near: [stranger], contacts: [("CON1", "Kitchen")]).isEmpty)
        #expect(contact.errors.text.contains("Your contact “Kitchen” is not nearby."))
        // Also by the beginning of its name, and by its identifier, which anybody may announce.
        #expect(await send(onTerminal(), to: "Kitchen", near: [stranger], own: [("OWN1", "Kitchen Laptop")]).isEmpty)
        let impostor = peer("OWN1", "Kitchen")
        #expect(await send(onTerminal(), to: "OWN1", near: [impostor], own: [("OWN1", "Kitchen")]).isEmpty)
        // Both are near: the own one is meant.
        let both = [stranger, peer("OWN1", "Kitchen", own: true)]
        #expect(await send(onTerminal(), to: "Kitchen", near: both, own: [("OWN1", "Kitchen")]) == ["OWN1"])
        #expect(
            await send(onTerminal(), to: "Kitchen", near: both, own: [("OWN1", "Kitchen")], "--stranger") == ["ABCDEF"])
    }

    @Test("A stranger is sent to when the person confirms it, or says so on the command line")
    func strangers() async {
        let near = [peer("ABCDEF", "Kitchen")]
        #expect(await send(CommandLineFixture(), to: "Kitchen", near: near).isEmpty)
        #expect(await send(CommandLineFixture(), to: "Kitchen", near: near, "--stranger") == ["ABCDEF"])
        for (answer, expected) in [("y", ["ABCDEF"]), ("n", []), ("", [])] {
            var fixture = onTerminal()
            fixture.typed = [.init("Send to this stranger?", answer)]
            #expect(await send(fixture, to: "Kitchen", near: near) == expected)
        }
    }

    @Test("An own device that was revoked is named so, and so is the one that the command runs on; neither is sent to")
    func revoked() async {
        let near = [peer("ABCDEF", "Kitchen")]
        let gone = onTerminal()
        #expect(await send(gone, to: "kitchen", near: near, revoked: ["Kitchen"]).isEmpty)
        #expect(
            gone.errors.text.contains("“Kitchen” was revoked: it is not one of your devices"), "\(gone.errors.text)")
        #expect(
            await send(onTerminal(), to: "Kitchen", near: near, revoked: ["Kitchen"], "--stranger") == ["ABCDEF"])
        let word = onTerminal()
        #expect(await send(word, to: "laptop", near: near, revoked: ["Anna's Laptop"]).isEmpty)
        #expect(word.errors.text.contains("“Anna's Laptop” was revoked"), "\(word.errors.text)")
        let itself = onTerminal()
        #expect(await send(itself, to: "Kitchen", near: [], own: [("OWN1", "Kitchen")], isRevoked: true).isEmpty)
        #expect(itself.errors.text.contains("This device was revoked"), "\(itself.errors.text)")
        // The network is not asked for what is known.
        #expect(itself.daemon.requests(of: Baton_Control_V1_WatchNearbyRequest.self).isEmpty)
    }

    @Test("Any word of a device's name names it, also one in brackets")
    func words() async {
        let near = [peer("OWN1", "Anna (Work)", own: true)]
        #expect(await send(onTerminal(), to: "work", near: near, own: [("OWN1", "Anna (Work)")]) == ["OWN1"])
    }

    @Test("A name that is mistyped is guessed, also that of an own device that is away")
    func guessed() async {
        let fixture = CommandLineFixture()
        #expect(await send(fixture, to: "Ktichen", near: [], own: [("OWN1", "Kitchen")]).isEmpty)
        #expect(fixture.errors.text.contains("Did you mean “Kitchen”?"), "\(fixture.errors.text)")
    }

    @Test("Where no device is named and there is no terminal to ask on, the option that names one is shown")
    func unnamed() async {
        let fixture = CommandLineFixture()
        #expect(await fixture.run("send", "https://example.com/page") == .usage)
        let text = fixture.errors.text
        #expect(text.contains("--to") && !text.contains("--yes"), "\(text)")
    }

    @Test("Where no stranger's device is near, the message says how one is made to show itself")
    func noStranger() async {
        let fixture = CommandLineFixture()
        #expect(await send(fixture, to: "Carl", near: [], own: [("OWN1", "Kitchen")], "--stranger").isEmpty)
        #expect(fixture.errors.text.contains("“baton airdrop everyone” there"), "\(fixture.errors.text)")
    }

    @Test("A file that is not there is told before the network is asked for anybody")
    func missingFile() async {
        let fixture = CommandLineFixture()
        #expect(await fixture.run("send", "/nowhere/photo.jpg", "--to", "Kitchen") != .success)
        #expect(fixture.errors.text.contains("There is no file or folder “/nowhere/photo.jpg” here."))
        #expect(fixture.daemon.requests(of: Baton_Control_V1_WatchNearbyRequest.self).isEmpty)
    }

    @Test("A person at a terminal is told which device is looked for, when it is not there at once")
    func looking() async {
        let fixture = onTerminal()
        let errors = fixture.errors
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = [
                    .with {
                        $0.deviceID = "PEER"
                        $0.name = "Kitchen"
                    }
                ]
            }
        }
        fixture.daemon.on(AirDropMethods.listContacts) { _ in .init() }
        fixture.daemon.onStream(AirDropMethods.watchNearby) { _ in
            AsyncThrowingStream<Baton_Control_V1_NearbyPeers, any Error>(unfolding: {
                while !errors.text.contains("Looking for Kitchen …\n") { await Task.yield() }
                return Baton_Control_V1_NearbyPeers.with {
                    $0.peers = [
                        .with {
                            $0.id = "PEER"
                            $0.name = "Kitchen"
                            $0.ownDevice = true
                        }
                    ]
                }
            })
        }
        fixture.daemon.onStream(AirDropMethods.sendItems) { _ in
            stream(.with { $0.outcome = .with { $0.result = "delivered" } })
        }
        #expect(await fixture.run("send", "https://example.com/page", "--to", "Kitchen") == .success)
    }
}
