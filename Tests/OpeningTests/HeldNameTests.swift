import BatonCore
import BatonTestSupport
import Opening
import Testing

/// Names of apps that other programs have on a bus of the test's own.
@Suite(.timeLimit(.minutes(1))) struct HeldNameTests {
    private struct Nothing: ApplicationCallHandler {
        func perform(_ call: ApplicationCall) async throws {}
    }

    private static let owner = """
        sys, dbus = __import__("sys"), __import__("dbus")
        dbus.SessionBus().request_name(sys.argv[1])
        print("owned", flush=True)
        sys.stdin.read()
        """

    @Test("an app's name that another program has taken is known, so that the desktop does not send URLs there (U-13)")
    func taken() async throws {
        let bus = try await SessionBus()
        let thief = try ChildProcess(
            ["/usr/bin/python3", "-c", Self.owner, "com.example.taken"],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        _ = try await within(.seconds(20), "the name") { try await thief.output.expect { $0 } }
        let names = ApplicationBus(address: bus.address, handler: Nothing(), recorder: NullEventRecorder())
        var changes = names.heldChanges().makeAsyncIterator()
        let running = Task { try await names.run() }
        names.setApps([try BundleID(validating: "com.example.taken"), try BundleID(validating: "com.example.free")])
        await changes.next()
        #expect(names.held == ["com.example.taken"])
        #expect(names.takenNames?.contains("com.example.taken (process \(thief.processID), /") == true)
        await thief.kill()
        await changes.next()
        #expect(names.held == [] && names.takenNames == nil)
        running.cancel()
        try await running.value
        await bus.end()
    }

    @Test("when the program that has an app's name ends and the next in the line gets it, that one is named")
    func next() async throws {
        let bus = try await SessionBus()
        var holders: [ChildProcess] = []
        for _ in 0..<2 {
            let holder = try ChildProcess(
                ["/usr/bin/python3", "-c", Self.owner, "com.example.taken"],
                environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
            holders.append(holder)
            _ = try await within(.seconds(20), "the name") { try await holder.output.expect { $0 } }
        }
        let names = ApplicationBus(address: bus.address, handler: Nothing(), recorder: NullEventRecorder())
        var changes = names.heldChanges().makeAsyncIterator()
        let running = Task { try await names.run() }
        names.setApps([try BundleID(validating: "com.example.taken")])
        for holder in holders {
            await changes.next()
            #expect(names.takenNames?.contains("com.example.taken (process \(holder.processID), /") == true)
            await holder.kill()
        }
        await changes.next()
        #expect(names.held == [] && names.takenNames == nil)
        running.cancel()
        try await running.value
        await bus.end()
    }
}
