import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import Opening

/// Names of apps on the session bus: which are asked for, when, and what is written for the bus.
@Suite struct BusActivationTests {
    private func name(_ text: String) throws -> BusName {
        try #require(BusName(try BundleID(validating: text)))
    }

    @Test func `a bundle identifier is a bus name where the bus allows it`() throws {
        #expect(try name("com.acme.To-Do_List").objectPath == "/com/acme/To_Do_List")
        for text in ["com.1password.app", "single", "com.acme.2"] {
            let bundleID = try BundleID(validating: text)
            #expect(BusName(bundleID) == nil, "\(text)")
        }
    }

    @Test
    func `names are asked for once on each connection, given up with their app, and the bus is tried ever more rarely`()
        throws
    {
        let (first, second) = (try name("com.a.x"), try name("com.b.y"))
        var machine = ApplicationBusStateMachine()
        #expect(machine.want([]) == [])
        #expect(machine.want([first]) == [.connect])
        #expect(machine.want([first, second]) == [])
        #expect(machine.connected() == [.request(first), .request(second)])
        #expect(machine.want([second]) == [.release(first)])
        #expect(machine.want([second]) == [])
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<8 {
            #expect(machine.disconnected(now: now) == [])
            let next = try #require(machine.nextDeadline)
            pauses.append(next - now)
            #expect(machine.advance(now: next - .milliseconds(1)) == [])
            now = next
            #expect(machine.advance(now: now) == [.connect])
        }
        #expect(pauses.map { $0 / .seconds(1) } == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(machine.connected() == [.request(second)])
        // A person who asks for the bus finds it again at once.
        #expect(machine.disconnected(now: now) == [] && machine.advance(now: now) == [])
        machine.retry(now: now)
        #expect(machine.advance(now: now) == [.connect])
        #expect(machine.connected() == [.request(second)])
        #expect(machine.want([]) == [.disconnect])
        #expect(machine.nextDeadline == nil)
        #expect(machine.want([first]) == [.connect])
    }

    @Test
    func `the bus finds a file for each app that can have a name, whose command is quoted, and no others are touched`()
        throws
    {
        let directory = try TemporaryDirectory()
        let folder = directory.path + "/services"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let foreign = "[D-BUS Service]\nName=com.other\nExec=/bin/true\n"
        try Data(foreign.utf8).write(to: URL(fileURLWithPath: folder + "/com.other.service"))
        let services = BusServices(
            directory: folder, command: ["/a b/it's\\batond", "--home", "/h"], unit: "batond.service")
        try services.update(try ["com.acme.todo", "com.other", "com.1.x"].map { try BundleID(validating: $0) })
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                == ["com.acme.todo.service", "com.other.service"])
        let text = try String(contentsOfFile: folder + "/com.acme.todo.service", encoding: .utf8)
        #expect(text.contains("\nName=com.acme.todo\n"))
        #expect(text.contains("\nSystemdService=batond.service\n"))
        #expect(text.contains("\nExec='/a b/it'\\\\''s\\\\batond' --home /h\n"))
        try services.update([])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["com.other.service"])
        #expect(try String(contentsOfFile: folder + "/com.other.service", encoding: .utf8) == foreign)
    }
}
