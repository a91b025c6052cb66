import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// A process of Examples/Contacts, spoken with by lines.
struct ContactsExample {
    let process: ChildProcess

    init(_ device: TestDevice, folder: String) throws {
        process = try ChildProcess(
            [try Products.path("CloudContacts"), "--folder", "\(folder)/\(device.name)"],
            environment: ["BATON_HOME": device.home])
    }

    func say(_ command: String) { process.write(command) }

    /// The first event from a line on.
    @discardableResult
    func event(
        _ name: String, from start: Int = 0,
        where matches: @escaping @Sendable ([String: String]) -> Bool = { _ in true }
    ) async throws -> [String: String] {
        let output = process.output
        return try await within(.seconds(30), "the example's event “\(name)”") {
            let found = try await output.first(from: start) { line -> [String: String]? in
                let event = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
                return event.flatMap { $0["event"] == name && matches($0) ? $0 : nil }
            }
            guard let found else { throw IntegrationFailure("The example ended before “\(name)”.") }
            return found.found
        }
    }

    /// The contacts, by their identifiers.
    func contacts() async throws -> [String: [String: String]] {
        let start = process.output.count
        say("list")
        try await event("list", from: start)
        var contacts: [String: [String: String]] = [:]
        for line in process.output.all[start...] {
            guard let event = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8)) else { continue }
            if event["event"] == "contact", let id = event["id"], event["file"] != nil { contacts[id] = event }
        }
        return contacts
    }
}

extension Integration {
    /// Examples/Contacts on CKSyncEngine, on two devices.
    @Suite(.serialized, .timeLimit(.minutes(3))) struct ContactsExampleTests {
        // quiet lane: it takes nearly a minute each time until a device that is cut off is known to be away.
        @Test(
            "contacts go both ways with their photos, edits made apart are merged, an edit outlives a deletion (D-1, cases 1, 4, 31)"
        )
        func example() async throws {
            try await CloudKitDatabaseTests.withCloud { household in
                let (a, b) = (household[0], household[1])
                let one = try ContactsExample(a, folder: household.directory)
                let two = try ContactsExample(b, folder: household.directory)
                try await one.event("event") { $0["name"] == "accountChange" }
                try await two.event("event") { $0["name"] == "accountChange" }
                one.say("add Anna")
                let id = try #require(try await one.event("added")["id"])
                try await two.event("contact") { $0["id"] == id && $0["name"] == "Anna" }

                let photo = household.directory + "/photo"
                let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                try bytes.write(to: URL(fileURLWithPath: photo))
                two.say("photo \(id) \(photo)")
                try await one.event("contact") { $0["id"] == id && $0["photo"] == "true" }
                let file = try #require(try await one.contacts()[id]?["file"])
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)

                try await household.cut(b)
                try await b.isDisconnected(from: a)
                one.say("edit \(id) phone 123")
                two.say("edit \(id) note friend of Bob")
                one.say("add Bob")
                let bob = try #require(try await one.event("added") { $0["name"] == "Bob" }["id"])
                try await household.restore(b)
                for example in [one, two] {
                    try await example.event("contact") {
                        $0["id"] == id && $0["phone"] == "123" && $0["note"] == "friend of Bob"
                    }
                }
                try await two.event("contact") { $0["id"] == bob }

                try await household.cut(b)
                try await b.isDisconnected(from: a)
                let (mark, other) = (one.process.output.count, two.process.output.count)
                one.say("delete \(bob)")
                try await one.event("deleted", from: mark)
                two.say("edit \(bob) email bob@example.org")
                try await two.event("saved", from: other) { $0["id"] == bob }
                try await household.restore(b)
                // The device that deleted had not seen the edit.
                try await one.event("contact", from: mark) { $0["id"] == bob && $0["email"] == "bob@example.org" }
                #expect(try await two.contacts()[bob]?["email"] == "bob@example.org")

                one.say("delete \(id)")
                try await two.event("removed") { $0["id"] == id }
                for example in [one, two] {
                    example.say("quit")
                    #expect(try await example.process.status() == 0)
                }
                // The kept contacts are there at the next start, and nothing is fetched again.
                let again = try ContactsExample(b, folder: household.directory)
                try await again.event("ready")
                #expect(try await again.contacts().keys.sorted() == [bob])
                await again.process.end()
            }
        }
    }
}
