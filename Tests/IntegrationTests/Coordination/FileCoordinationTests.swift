import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Files that real processes take turns at, with a real daemon.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct FileCoordinationTests {
        private func with(
            _ body: (TestDevice, CoordinationProbe, CoordinationProbe, _ file: (String) -> String) async throws -> Void
        ) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let probes = (try CoordinationProbe(home: device.home), try CoordinationProbe(home: device.home))
                try await body(device, probes.0, probes.1) { household.directory + "/file-" + $0 }
                await probes.0.process.end()
                await probes.1.process.end()
            }
        }

        @Test(
            "a process's writing waits for another one's reading, whose presenter makes way, saves, and hears of the change (D-6)"
        )
        func turns() async throws {
            try await with { _, one, other, file in
                try Data("first".utf8).write(to: URL(fileURLWithPath: file("a")))
                try await one.say("read r1 \(file("a"))", expecting: "r1 granted first")
                // Readers share.
                try await other.say("read r2 \(file("a"))", expecting: "r2 granted first")
                try await other.say("end r2", expecting: "r2 ended")
                let mark = other.say("write w \(file("a"))")
                // A second file shows that the daemon has the request.
                try await other.say("read marker \(file("b"))", expecting: "marker granted")
                #expect(!other.hasSaid("w granted"))
                try await one.say("end r1", expecting: "r1 ended")
                try await other.expect("w granted first", from: mark)
                try await other.say("end w", expecting: "w ended")
                // The daemon hears of the end before this, and so before there is a presenter to be notified of the change.
                try await other.say("read after \(file("b"))", expecting: "after granted")

                try await one.say("present \(file("a"))", expecting: "presenting")
                // The daemon hears of the presenter before this.
                try await one.say("read marker \(file("b"))", expecting: "marker granted")
                try await other.say("read r3 \(file("a"))", expecting: "r3 granted saved")
                // Lines of the other process may be read later.
                for line in ["presenter relinquishes to reader", "presenter saves"] { try await one.expect(line) }
                #expect(!one.hasSaid("presenter reacquires"))
                try await other.say("end r3", expecting: "r3 ended")
                try await one.expect("presenter reacquires")
                try await other.say("write w2 \(file("a"))", expecting: "w2 granted saved")
                try await one.expect("presenter relinquishes to writer")
                #expect(!one.hasSaid("presenter sees a change"))
                other.say("end w2")
                try await one.expect("presenter sees a change")
            }
        }

        @Test("a holder that is killed is released, and so is what it had asked for (D-6)")
        func killed() async throws {
            try await with { device, one, other, file in
                try await one.say("write w1 \(file("a"))", expecting: "w1 granted")
                let third = try CoordinationProbe(home: device.home)
                third.say("write w3 \(file("a"))")
                try await third.say("read marker \(file("b"))", expecting: "marker granted")
                other.say("write w2 \(file("a"))")
                try await other.say("read marker \(file("b"))", expecting: "marker granted")
                await third.process.kill()
                #expect(!other.hasSaid("w2 granted"))
                await one.process.kill()
                try await other.expect("w2 granted")
            }
        }

        @Test("accesses of two processes that would wait for each other: the one that closes the circle fails (D-6)")
        func deadlock() async throws {
            try await with { device, one, other, file in
                try await one.say("write a1 \(file("a"))", expecting: "a1 granted")
                try await other.say("write b2 \(file("b"))", expecting: "b2 granted")
                // Their requests go to the daemon on threads of their own: either may be the second.
                one.say("nest a1 b1 \(file("b"))")
                other.say("nest b2 a2 \(file("a"))")
                let closing = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for (probe, inner, isOne) in [(one, "b1", true), (other, "a2", false)] {
                        group.addTask {
                            try await probe.expect("\(inner) failed NSPOSIXErrorDomain \(EDEADLK)")
                            return isOne
                        }
                    }
                    defer { group.cancelAll() }
                    return try await group.next()
                }
                let isOne = closing == true
                #expect(!(isOne ? other : one).hasSaid(isOne ? "a2 granted" : "b1 granted"))
                (isOne ? one : other).say("end \(isOne ? "a1" : "b2")")
                try await (isOne ? other : one).expect(isOne ? "a2 granted" : "b1 granted")
                let log = try await device.baton("log")
                #expect(log.lines.contains { $0.contains("deadlock") })
            }
        }

        @Test("a call that waits for another process ends when it is cancelled (D-6)")
        func cancels() async throws {
            try await with { _, one, other, file in
                try await one.say("write w1 \(file("a"))", expecting: "w1 granted")
                other.say("write w2 \(file("a"))")
                try await other.say("read marker \(file("b"))", expecting: "marker granted")
                try await other.say("cancel w2", expecting: "w2 failed NSCocoaErrorDomain 3072")
                try await one.say("end w1", expecting: "w1 ended")
            }
        }

        @Test(
            "when the daemon is killed and starts again, claims stay held and requests go on waiting; without it a process goes on alone (D-6)"
        )
        func restart() async throws {
            try await with { device, one, other, file in
                try await one.say("present \(file("a"))", expecting: "presenting")
                try await one.say("write w1 \(file("a"))", expecting: "w1 granted")
                let mark = other.say("write w2 \(file("a"))")
                try await other.say("read marker \(file("b"))", expecting: "marker granted")
                try await device.kill()
                try await device.start()
                // An earlier request comes first, once its process is back.
                try await other.say("read marker2 \(file("b"))", expecting: "marker2 granted")
                // A new process waits as well, until the daemon knows which claims are held.
                let third = try CoordinationProbe(home: device.home)
                third.say("read r3 \(file("a"))")
                try await third.say("read marker \(file("b"))", expecting: "marker granted")
                #expect(!other.hasSaid("w2 granted") && !third.hasSaid("r3 granted"))
                one.say("end w1")
                try await other.expect("w2 granted written by w1", from: mark)
                try await one.expect("presenter relinquishes to writer")
                try await other.say("end w2", expecting: "w2 ended")
                // The presenter of the first process has saved its change before.
                try await third.expect("r3 granted")

                try await device.kill()
                // Held by a process that cannot be asked any more.
                try await other.say("write w4 \(file("a"))", expecting: "w4 granted")
                #expect(third.process.isRunning)
                await third.process.end()
            }
        }
    }
}
