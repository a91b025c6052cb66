import BatonTestSupport
import Synchronization
import Testing

@testable import Contacts

/// Evolution Data Server's names on a bus of the test's own.
@Suite(.timeLimit(.minutes(1))) struct EvolutionBusTests {
    /// Takes the names, and says by which one the bus knows it.
    private static let owner = """
        sys, dbus = __import__("sys"), __import__("dbus")
        bus = dbus.SessionBus()
        for name in sys.argv[1:]: bus.request_name(name)
        print(bus.get_unique_name(), flush=True)
        sys.stdin.read()
        """

    @Test("a program that takes a newer name of the address books is passed over where it is not trusted")
    func newerName() async throws {
        let bus = try await SessionBus()
        let prefix = EvolutionBus.prefix
        func own(_ name: String) async throws -> (process: ChildProcess, name: String) {
            let process = try ChildProcess(
                ["/usr/bin/python3", "-c", Self.owner, name], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
            return (process, try await within(.seconds(20), name) { try await process.output.expect { $0 }.found })
        }
        let (real, impostor) = (try await own(prefix + "Sources5"), try await own(prefix + "Sources999"))
        // The newest name is looked at first.
        let judged = Mutex(0)
        let wary = try #require(
            EvolutionBus(address: bus.address) { process in
                judged.withLock { count in
                    count += 1
                    return process != nil && count == 2
                }
            })
        #expect(wary.service("Sources") == real.name)
        wary.close()
        let trusting = try #require(EvolutionBus(address: bus.address) { _ in true })
        #expect(trusting.service("Sources") == impostor.name)
        trusting.close()
        await real.process.kill()
        await impostor.process.kill()
        await bus.end()
    }
}
