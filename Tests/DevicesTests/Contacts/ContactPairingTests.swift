import BatonCore
import BatonDiscovery
import BatonTestSupport
import BatonTrust
import Devices
import Foundation
import Logging
import Synchronization
import Testing

/// Over real sockets on the loopback, without accounts.
@Suite("Becoming contacts", .timeLimit(.minutes(1)))
struct ContactPairingTests {
    private final class Person: Sendable {
        let service: PairingService
        let book: TrustedDeviceBook
        private let name: String
        private let directory: TemporaryDirectory
        private let events: AsyncStream<PairingEvent>
        private let queue: AsyncStream<PairingEvent>.Continuation

        init(_ name: String, _ network: InMemoryNetwork, host: String) async throws {
            self.name = name
            directory = try TemporaryDirectory()
            book = TrustedDeviceBook(folder: directory.path, recorder: NullEventRecorder())
            let time = ManualSleep()
            service = PairingService(
                account: try await VirtualDevice().account,
                ports: PairingPorts(
                    listener: StrangerPairingListener(interfaces: ["lo"], logger: Logger(label: "test")),
                    dialer: HTTPPairingDialer(), discovery: network.join(host: host),
                    sleep: { try await time.sleep($0) }))
            (events, queue) = AsyncStream.makeStream()
        }

        func add() async throws {
            defer { queue.finish() }
            try await service.addContact(
                to: book, deviceName: name, label: "", timeout: PairingService.defaultTimeout
            ) { [queue] in queue.yield($0) }
        }

        func next<Value>(
            _ pick: (PairingEvent) -> Value?,
            orEnd end: () async throws -> Value = {
                throw BatonError(.internal, reason: "ended", "It ended before.")
            }
        ) async throws -> Value {
            for await event in events { if let value = pick(event) { return value } }
            return try await end()
        }

        func code() async throws -> String {
            try await next { if case .code(let code) = $0 { code } else { nil } }
        }
    }

    private func two() async throws -> (Person, Person) {
        let network = InMemoryNetwork()
        return (
            try await Person("Anna", network, host: "127.0.0.1"), try await Person("Ben", network, host: "::1")
        )
    }

    @Test("two devices without accounts show one code, and remember each other once both people confirmed it (A-1)")
    func becomes() async throws {
        let (anna, ben) = try await two()
        async let one: Void = anna.add()
        async let other: Void = ben.add()
        let codes = try await (anna.code(), ben.code())
        #expect(codes.0 == codes.1)
        #expect(anna.book.all.isEmpty && ben.book.all.isEmpty)
        try anna.service.confirm(.typed(codes.0))
        try ben.service.confirm(.typed(codes.1))
        _ = try await (one, other)
        #expect(anna.book.all.map(\.name) == ["Ben"])
        #expect(ben.book.all.map(\.name) == ["Anna"])
        #expect(anna.book.all.map(\.tokenKey) == ben.book.all.map(\.tokenKey))
        let added = try await anna.next { if case .added(let id, let name) = $0 { (id, name) } else { nil } }
        #expect(added.0 == anna.book.all.first?.id && added.1 == "Ben")
    }

    @Test("a person who says that the codes differ is heard on the other device, and nobody is remembered (A-1)")
    func differs() async throws {
        let (anna, ben) = try await two()
        // Cancelled and awaited below.
        let runs = [anna, ben].map { person in Task { await reason { try await person.add() } } }
        _ = try await (anna.code(), ben.code())
        #expect(await reason { try anna.service.confirm(.different) } == "codes_differ")
        // The one that called ends; the one that was called waits for another attempt until it is cancelled.
        let reasonHeard = { (event: PairingEvent) -> String? in
            if case .attemptEnded(let reason, _) = event { reason } else { nil }
        }
        let ended = try await ben.next(reasonHeard, orEnd: { await runs[1].value })
        #expect(ended == "codes_differ_there")
        for run in runs { run.cancel() }
        for run in runs { _ = await run.value }
        #expect(anna.book.all.isEmpty && ben.book.all.isEmpty)
    }
}
