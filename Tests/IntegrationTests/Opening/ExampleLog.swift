import BatonCore
import BatonTestSupport

/// The lines that an example has printed.
struct ExampleLog {
    let file: FileFollower

    init(_ bundle: TestBundle, on device: TestDevice) throws {
        file = try FileFollower("\(device.locations.appLogs)/\(bundle.identifier).log")
    }

    var count: Int { file.lines.count }

    func line(_ text: String, from start: Int = 0) async throws {
        let lines = file.lines
        try await within(.seconds(20), "the app to print “\(text)”") {
            guard try await lines.first(from: start, { $0.contains(text) ? $0 : nil }) != nil else {
                throw IntegrationFailure("The app's log ended before “\(text)”.")
            }
        }
    }
}
