import Foundation

/// A real `baton-cloud`, on a machine of ``NetworkNamespaces``.
package final class TestCloud: Sendable {
    package let process: ChildProcess
    /// As devices call it.
    package let url: String
    /// The fingerprint of its certificate: 64 hexadecimal digits.
    package let fingerprint: String

    /// Returns once it answers.
    /// - Parameters:
    ///   - machine: its index among the namespaces.
    ///   - port: where it listens; one of its own choice if 0.
    package init(
        on machine: Int, of namespaces: NetworkNamespaces, data: String, port: Int = 0,
        environment: [String: String] = [:], _ arguments: [String] = []
    ) async throws {
        let address = namespaces.addresses[machine]
        let child = try ChildProcess(
            namespaces.command(
                on: machine,
                [try Products.path("baton-cloud"), "serve", "--data", data, "--listen", "\(address):\(port)"]
                    + arguments), environment: environment)
        process = child
        do {
            (url, fingerprint) = try await within(.seconds(60), "baton-cloud to answer") {
                guard
                    let (port, next) = try await child.output.first({ line in
                        line.contains(" answers at ") ? line.split(separator: ":").last.flatMap { Int($0) } : nil
                    }),
                    let (fingerprint, _) = try await child.output.first(
                        from: next,
                        { line in
                            line.hasPrefix("certificate SHA-256 ") ? String(line.dropFirst(20)) : nil
                        })
                else { throw IntegrationFailure("baton-cloud ended: \(child.errors.all)") }
                return ("https://\(address):\(port)", fingerprint)
            }
        } catch {
            await child.kill()
            throw error
        }
    }

    package var port: Int { url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    /// Runs `body` with a cloud on a machine of the household, which is ended afterwards.
    package static func with<Value: Sendable>(
        on machine: Int, of household: TestHousehold, _ arguments: [String] = [],
        _ body: (TestCloud) async throws -> Value
    ) async throws -> Value {
        let cloud = try await TestCloud(
            on: machine, of: household.namespaces, data: household.directory + "/cloud", arguments)
        do {
            let value = try await body(cloud)
            await cloud.process.end()
            return value
        } catch {
            FileHandle.standardError.write(
                Data("The cloud said:\n\(cloud.process.errors.all.suffix(20).joined(separator: "\n"))\n".utf8))
            await cloud.process.end()
            throw error
        }
    }
}
