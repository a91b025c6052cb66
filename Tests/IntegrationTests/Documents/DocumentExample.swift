import BatonCore
import BatonTestSupport
import Foundation

/// A process of an example with documents, as it is installed, spoken with by lines.
struct DocumentExample {
    let process: ChildProcess

    init(_ bundle: TestBundle, on device: TestDevice) throws {
        process = try ChildProcess(
            [try Self.executable(of: bundle, on: device)], environment: ["BATON_HOME": device.home])
    }

    /// Where the installed app's program is.
    private static func executable(of bundle: TestBundle, on device: TestDevice) throws -> String {
        let applications = device.locations.applications
        for case let file as String in FileManager.default.enumerator(atPath: applications) ?? .init()
        where file.hasSuffix("\(bundle.name).app/\(bundle.executable)") || file.hasSuffix("/\(bundle.executable)") {
            return "\(applications)/\(file)"
        }
        throw IntegrationFailure("\(bundle.identifier) is not installed.")
    }

    func say(_ commands: String...) { for command in commands { process.write(command) } }

    /// The first event from a line on.
    @discardableResult
    func event(
        _ name: String, from start: Int = 0, limit: Duration = .seconds(30),
        where matches: @escaping @Sendable ([String: String]) -> Bool = { _ in true }
    ) async throws -> [String: String] {
        try await find(name, from: start, limit, matches).event
    }

    /// The line after the first such event.
    func lineAfter(
        _ name: String, where matches: @escaping @Sendable ([String: String]) -> Bool
    ) async throws -> Int {
        try await find(name, from: 0, .seconds(30), matches).next
    }

    private func find(
        _ name: String, from start: Int, _ limit: Duration, _ matches: @escaping @Sendable ([String: String]) -> Bool
    ) async throws -> (event: [String: String], next: Int) {
        let output = process.output
        return try await within(limit, "the example's event “\(name)”") {
            let found = try await output.first(from: start) { line -> [String: String]? in
                let event = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
                return event.flatMap { $0["event"] == name && matches($0) ? $0 : nil }
            }
            guard let found else { throw IntegrationFailure("The example ended before “\(name)”.") }
            return (found.found, found.next)
        }
    }
}

extension TestBundle {
    /// The examples, as they are in the package.
    static let iCloudUIDoc = example("com.xamarin.iclouduidoc", "iCloudUIDoc")
    static let richTextEditor = example("com.myCompany.myEditor", "RichTextEditor")

    private static func example(_ identifier: String, _ name: String) -> TestBundle {
        var bundle = probe(identifier, types: [])
        (bundle.name, bundle.executable, bundle.isExample) = (name, name, true)
        return bundle
    }
}
