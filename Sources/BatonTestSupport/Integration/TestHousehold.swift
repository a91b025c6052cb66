import BatonClient
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf

/// Devices on one network: real daemons in namespaces, paired or not, and everything gone at the end.
///
/// Needs root.
package struct TestHousehold: Sendable {
    package let devices: [TestDevice]
    package let namespaces: NetworkNamespaces
    /// For bundles and whatever else a test makes; removed at the end.
    package let directory: String

    package subscript(index: Int) -> TestDevice { devices[index] }

    /// Runs `body` with `count` devices whose daemons run, named “Device A”, “Device B” ….
    /// - Parameters:
    ///   - paired: whether they are of one account, and connected; otherwise none has an account.
    ///   - arguments: of every `batond`.
    package static func with<Result: Sendable>(
        _ count: Int, paired: Bool = true, arguments: [String] = [],
        _ body: (TestHousehold) async throws -> Result
    ) async throws -> Result {
        try await NetworkNamespaces.with(count) { namespaces in
            let directory = try makeDirectory()
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let devices = try (0..<count).map { index in
                let letter = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index)))
                return try TestDevice(
                    name: "Device \(letter)", machine: index, home: "\(directory)/\(letter.lowercased())",
                    namespaces: namespaces)
            }
            let household = TestHousehold(devices: devices, namespaces: namespaces, directory: directory)
            do {
                for device in devices { try await device.start(arguments) }
                if paired { try await household.pairAll() }
                let result = try await body(household)
                await household.end()
                return result
            } catch {
                // The daemons' records are about to be removed.
                let accounts = devices.map { $0.account() }.joined(separator: "\n")
                FileHandle.standardError.write(Data("The test failed: \(error)\n\(accounts)\n".utf8))
                await household.end()
                throw error
            }
        }
    }

    /// Short: a unix socket's path has at most 107 bytes.
    private static func makeDirectory() throws -> String {
        var template = Array("/tmp/baton-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw IntegrationFailure("/tmp cannot be written to.") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Also when the test was cancelled, which would cancel what cleans up.
    private func end() async {
        // Awaited at once.
        await Task { for device in devices { await device.end() } }.value
    }

    // MARK: Pairing

    /// The first device makes the account, the others join one after the other; returns when all are connected.
    package func pairAll() async throws {
        _ = try await devices[0].call(
            ControlMethods.createAccount, .with { $0.deviceName = devices[0].name })
        for device in devices.dropFirst() { try await pair(devices[0], with: device) }
        for (index, device) in devices.enumerated() {
            for other in devices[..<index] {
                try await device.isConnected(to: other)
                try await other.isConnected(to: device)
            }
        }
    }

    /// Lets `joiner` into the account of `sponsor`, as two people who compare the codes.
    package func pair(_ sponsor: TestDevice, with joiner: TestDevice) async throws {
        let (labels, label) = AsyncStream.makeStream(of: String.self)
        let (codes, code) = AsyncStream.makeStream(of: String.self)
        try await within(.seconds(60), "\(joiner.name) to be paired") {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await Self.follow(sponsor, .init(), label: label, code: code)
                }
                group.addTask {
                    for await label in labels {
                        return try await Self.follow(
                            joiner,
                            .with {
                                $0.deviceName = joiner.name
                                $0.label = label
                            }, label: nil, code: code)
                    }
                }
                group.addTask {
                    var shown: [String] = []
                    for await code in codes {
                        shown.append(code)
                        if shown.count == 2 { break }
                    }
                    guard shown.count == 2, shown[0] == shown[1] else {
                        throw IntegrationFailure("The codes differ: \(shown)")
                    }
                    for device in [joiner, sponsor] {
                        _ = try await device.call(ControlMethods.confirmPairing, .with { $0.typedCode = shown[0] })
                    }
                }
                // The first failure ends the others, which may wait for what does not come now.
                while try await group.next() != nil {}
            }
        }
    }

    private static func follow(
        _ device: TestDevice, _ request: Baton_Control_V1_PairRequest, label: AsyncStream<String>.Continuation?,
        code: AsyncStream<String>.Continuation
    ) async throws {
        for try await event in try await device.client.serverStream(ControlMethods.pair, request) {
            switch event.kind {
            case .waiting(let waiting): label?.yield(waiting.label)
            case .code(let shown): code.yield(shown.code)
            case .done: return
            default: break
            }
        }
        throw IntegrationFailure("The pairing of \(device.name) ended without a result.")
    }

    // MARK: The network

    /// Takes a device's interface down, which its daemon notices.
    package func cut(_ device: TestDevice) async throws {
        try await namespaces.ip(on: device.machine, ["link", "set", NetworkNamespaces.interface, "down"])
    }

    package func restore(_ device: TestDevice) async throws {
        try await namespaces.ip(on: device.machine, ["link", "set", NetworkNamespaces.interface, "up"])
    }

    /// Devices that are apart reach all others, and not each other: as if each were at home elsewhere.
    package func set(apart devices: some Sequence<TestDevice>, _ areApart: Bool) async throws {
        for device in devices { try await namespaces.set(apart: device.machine, areApart) }
    }
}
