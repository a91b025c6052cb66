import BatonCommands
import BatonCore
import BatonWire
import SwiftProtobuf
import Synchronization
import Testing

struct PairVerbTests {
    private typealias Event = Baton_Control_V1_PairingEvent

    private static let waiting = Event.with { $0.waiting = .with { $0.label = "LABEL" } }
    private static let code = Event.with { $0.code = .with { $0.code = "123456" } }
    private static let ended = Event.with { $0.attemptEnded = .with { $0.message = "It was cancelled there." } }
    private static let done = Event.with {
        $0.done = .with {
            $0.accountID = "ACCOUNT"
            $0.deviceID = "DEVICE"
            $0.deviceName = "Desk"
        }
    }

    /// A daemon that shows a code, and is done once the person has confirmed it.
    private func pairing(_ fixture: CommandLineFixture) {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: Event.self)
        continuation.yield(Self.waiting)
        continuation.yield(Self.code)
        fixture.daemon.onStream(ControlMethods.pair) { _ in events }
        fixture.daemon.on(ControlMethods.confirmPairing) { request in
            guard request.typedCode == "123456" else {
                throw BatonError(.permissionDenied, reason: "codes_differ", "The codes are not the same.")
            }
            continuation.yield(Self.done)
            continuation.finish()
            return .init()
        }
    }

    @Test("A person sees the code, says that it is the same, and the devices are paired")
    func confirmsOnTerminal() async {
        var fixture = CommandLineFixture()
        fixture.input = ["y"]
        pairing(fixture)
        #expect(await fixture.run("pair", "--name", "Kitchen") == .success)
        #expect(fixture.output.text.contains("123 456"))
        #expect(fixture.errors.text.contains("Does the other device show the same code? Type y or n"))
        #expect(fixture.output.text.contains("Paired with “Desk”"))
        let request = fixture.daemon.requests(of: Baton_Control_V1_PairRequest.self).first
        #expect(request?.deviceName == "Kitchen")
        #expect(request?.timeoutSeconds == 120)
        // The code that was seen, not a bare yes that could stand for another code.
        let confirmation = fixture.daemon.requests(of: Baton_Control_V1_ConfirmPairingRequest.self)
        #expect(confirmation == [.with { $0.typedCode = "123456" }])
    }

    @Test(
        "The other device's code may be typed, with or without its space",
        arguments: ["123456", " 123 456 ", "123-456"])
    func typesCode(line: String) async {
        var fixture = CommandLineFixture()
        fixture.input = ["what?", line]
        pairing(fixture)
        #expect(await fixture.run("pair") == .success)
        let request = fixture.daemon.requests(of: Baton_Control_V1_ConfirmPairingRequest.self).first
        #expect(request?.typedCode == "123456")
    }

    @Test("A no is handed on, and nothing is paired", arguments: ["n", "no", ""])
    func refuses(line: String) async {
        var fixture = CommandLineFixture()
        fixture.input = [line]
        pairing(fixture)
        #expect(await fixture.run("pair") == .canceled)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_ConfirmPairingRequest.self)
        #expect(requests == [.init()])
    }

    @Test("A code that is typed wrong is refused, and ends the command")
    func typesWrongCode() async {
        var fixture = CommandLineFixture()
        fixture.input = ["654321"]
        pairing(fixture)
        #expect(await fixture.run("pair") == .denied)
        // On a line of its own, below the question.
        #expect(fixture.errors.text.hasSuffix("\nbaton: The codes are not the same.\n"))
    }

    @Test("When an attempt fails and another begins, the new code needs an answer of its own")
    func secondAttempt() async {
        var fixture = CommandLineFixture()
        let (events, continuation) = AsyncThrowingStream.makeStream(of: Event.self)
        fixture.input = ["y", "y"]
        continuation.yield(Self.code)
        fixture.daemon.onStream(ControlMethods.pair) { _ in events }
        fixture.daemon.on(ControlMethods.confirmPairing) { request in
            if request.typedCode == "123456" {
                continuation.yield(Self.waiting)
                continuation.yield(.with { $0.code = .with { $0.code = "777777" } })
            } else {
                continuation.yield(Self.done)
            }
            return .init()
        }
        await fixture.run("pair")
        let requests = fixture.daemon.requests(of: Baton_Control_V1_ConfirmPairingRequest.self)
        #expect(requests.map(\.typedCode).first == "123456")
        #expect(requests.allSatisfy { !$0.same })
    }

    @Test("A person is told that an attempt ended, and an answer that comes too late is of no code")
    func lateAnswer() async throws {
        var fixture = CommandLineFixture()
        fixture.input = ["y"]
        fixture.daemon.onStream(ControlMethods.pair) { _ in stream(Self.code, Self.ended, Self.waiting, Self.done) }
        // It may also come just in time.
        fixture.daemon.on(ControlMethods.confirmPairing) { _ in .init() }
        #expect(await fixture.run("pair") == .success)
        #expect(fixture.output.text.contains("It was cancelled there."))
        #expect(fixture.output.text.contains("Paired with “Desk”"))
    }

    @Test("An input that ends without an answer pairs nothing")
    func endOfInput() async {
        let fixture = CommandLineFixture()
        pairing(fixture)
        #expect(await fixture.run("pair") == .canceled)
        #expect(fixture.daemon.requests(of: Baton_Control_V1_ConfirmPairingRequest.self).isEmpty)
    }

    @Test("With --json a script gets events as lines, and answers in lines")
    func scripted() async {
        var fixture = CommandLineFixture()
        fixture.input = ["yes"]
        pairing(fixture)
        #expect(await fixture.run("pair", "--json") == .success)
        #expect(
            fixture.output.text == """
                {"event":"waiting","label":"LABEL","addresses":[]}
                {"event":"code","code":"123456"}
                {"event":"done","account_id":"ACCOUNT","device_id":"DEVICE","device_name":"Desk"}

                """)
    }

    @Test("The other side's refusal ends the command while it still waits for an answer")
    func refusedMeanwhile() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.pair) { _ in
            AsyncThrowingStream { continuation in
                continuation.yield(Self.waiting)
                continuation.finish(
                    throwing: BatonError(.permissionDenied, reason: "pairing_refused", "The other side said no."))
            }
        }
        #expect(await fixture.run("pair") == .denied)
        #expect(fixture.errors.text == "baton: The other side said no.\n")
    }

    @Test("Nothing is read from the input before the code was shown")
    func readsLate() async {
        var fixture = CommandLineFixture()
        fixture.input = ["y"]
        fixture.daemon.onStream(ControlMethods.pair) { _ in stream(Self.waiting) }
        #expect(await fixture.run("pair") == .forbiddenByState)
        #expect(fixture.daemon.requests(of: Baton_Control_V1_ConfirmPairingRequest.self).isEmpty)
    }

    @Test("A joiner says that it waits; of two devices that have accounts each says so")
    func looking() async {
        let fixture = CommandLineFixture()
        let other = Event.with { $0.sponsor = .with { $0.label = "ABCD" } }
        let same = Event.with {
            $0.sponsor = .with {
                $0.label = "ABCD"
                $0.sameAccount = true
                $0.deviceName = "Kitchen"
            }
        }
        fixture.daemon.onStream(ControlMethods.pair) { _ in
            stream(.with { $0.looking = .init() }, other, same, Self.done)
        }
        #expect(await fixture.run("pair") == .success)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines[0] == "Waiting for a device that has an account: run “baton pair” there too.")
        #expect(lines[1].contains("baton account leave"))
        #expect(lines[2].hasPrefix("Kitchen is paired with this device already"))
        #expect(await fixture.run("pair", "--json") == .success)
        #expect(
            fixture.output.text.contains(
                #"{"event":"looking"}\#n{"event":"sponsor","label":"ABCD","same_account":false,"device_name":null}"#))
    }

    @Test("When several devices pair at once, the labels are shown")
    func candidates() async {
        var fixture = CommandLineFixture()
        fixture.input = ["y"]
        let several = Event.with { $0.candidates = .with { $0.labels = ["ONE", "TWO"] } }
        fixture.daemon.onStream(ControlMethods.pair) { _ in stream(several, Self.done) }
        #expect(await fixture.run("pair", "--label", "ONE") == .success)
        #expect(fixture.output.text.contains("ONE, TWO"))
        #expect(fixture.daemon.requests(of: Baton_Control_V1_PairRequest.self).first?.label == "ONE")
    }
}
