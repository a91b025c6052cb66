import BatonCore
import BatonTestSupport
import SessionBus
import Testing

@testable import Opening

/// Another program has a name of the daemon's, on a real bus (`dbus-daemon`).
@Suite(.timeLimit(.minutes(1))) struct DesktopSearchNameTests {
    @Test("The name of the desktop's search is the daemon's once the program that has it leaves it")
    func taken() async throws {
        let bus = try await BatonTestSupport.SessionBus()
        let result = Result { try Self.look(bus.address) }
        await bus.end()
        try result.get()
    }

    /// A connection stays on one thread.
    private static func look(_ address: String) throws {
        let name = DesktopSearchNames.bus
        let foreign = try #require(BusConnection(address: address))
        defer { foreign.close() }
        let reply = try foreign.call(BusConnection.bus, "RequestName") { writer in
            writer.string(name)
            // Not to be replaced.
            writer.unsigned(4)
        }
        #expect(reply.unsigned() == 1)
        let first = foreign.owner(of: name)
        let ours = try #require(ApplicationBusConnection(address: address))
        defer { ours.close() }
        // Each look asks the bus and waits for its answer.
        func queued() throws -> Int {
            try foreign.call(BusConnection.bus, "ListQueuedOwners") { $0.string(name) }.texts(limit: 10)?.count ?? 0
        }
        var (isAsked, rounds) = (false, 0)
        while try queued() < 2, rounds < 100_000 {
            rounds += 1
            let (events, isOver) = ours.process()
            #expect(!isOver)
            if !isAsked, events.contains(where: { if case .ready = $0 { true } else { false } }) {
                isAsked = true
                ours.request(try #require(BusName(try BundleID(validating: name))))
            }
        }
        #expect(first != nil && foreign.owner(of: name) == first)
        foreign.releaseName(name)
        while foreign.owner(of: name) == first, rounds < 200_000 {
            rounds += 1
            _ = foreign.process()
        }
        #expect(foreign.owner(of: name) != nil)
    }
}
