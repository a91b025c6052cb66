import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// A process of the example iCloudKeyValue, spoken with by lines.
struct KeyValueExample {
    let process: ChildProcess

    init(_ device: TestDevice, name: String, executable: String? = nil) throws {
        process = try ChildProcess(
            [try executable ?? Products.path("iCloudKeyValue"), "--device", name],
            environment: ["BATON_HOME": device.home])
    }

    func say(_ command: String) { process.write(command) }

    /// The first event from a line on.
    @discardableResult
    func event(
        _ name: String, from start: Int = 0, limit: Duration = .seconds(20),
        where matches: @escaping @Sendable ([String: String]) -> Bool = { _ in true }
    ) async throws -> [String: String] {
        let output = process.output
        return try await within(limit, "the example's event “\(name)”") {
            let found = try await output.first(from: start) { line -> [String: String]? in
                let event = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
                return event.flatMap { $0["event"] == name && matches($0) ? $0 : nil }
            }
            guard let found else { throw IntegrationFailure("The example ended before “\(name)”.") }
            return found.found
        }
    }

    func saved(_ command: String) async throws {
        let start = process.output.count
        say(command)
        #expect(try await event("saved", from: start)["saved"] == "true")
    }

    struct Item: Decodable {
        var key: String
        var value: String?
        var type: String?
        var waiting: Bool
    }

    private struct List: Decodable { var items: [Item] }

    /// The contents of an app's store, as the command line shows them.
    static func items(of device: TestDevice, app: String) async throws -> [String: String?] {
        var listed = try await device.baton("kv", "list", "--app", app, expecting: nil)
        if listed.status == 4 {
            // No app has used the store on this device: a watcher does.
            let watch = try device.startBaton(["kv", "watch", "--create", "--app", app])
            _ = try await within(.seconds(20), "what is watched") { try await watch.output.expect { $0 } }
            await watch.kill()
            listed = try await device.baton("kv", "list", "--app", app)
        }
        let list = try listed.decode(List.self)
        return Dictionary(uniqueKeysWithValues: list.items.map { ($0.key, $0.value) })
    }
}
