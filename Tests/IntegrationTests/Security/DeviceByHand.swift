import BatonCore
import BatonDiscovery
import BatonTestSupport
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf

/// A device of the account that says on the link plane what a test has it say: by the keys that its daemon left, while that
/// does not run.
struct DeviceByHand: Sendable {
    let device: TestDevice
    private let namespaces: NetworkNamespaces
    private let stored: Baton_Store_V1_StoredAccount

    init(_ device: TestDevice, of household: TestHousehold) throws {
        self.device = device
        namespaces = household.namespaces
        let file = try Data(contentsOf: URL(fileURLWithPath: device.locations.keys + "/account"))
        // After the hash of the rest.
        stored = try Baton_Store_V1_StoredAccount(serializedBytes: Array(file.dropFirst(32)))
    }

    /// Opens a presence stream to a device that is announced, and says hello there.
    /// - Returns: the connection, with what is answered.
    func greet(_ other: TestDevice, with hello: Baton_Link_V1_Hello) async throws -> ChildProcess {
        let instance = try await announced()
        let files = try writeIdentity()
        let port = try await other.call(ControlMethods.getStatus).linkPort
        let process = try ChildProcess(
            namespaces.command(
                on: device.machine,
                [
                    "openssl", "s_client", "-quiet", "-tls1_3", "-connect", "\(other.address):\(port)", "-servername",
                    try serverName(instance), "-cert", files.chain, "-cert_chain", files.chain, "-key", files.key,
                ]))
        let message: [UInt8] = try Baton_Link_V1_PresenceFrame.with { $0.hello = hello }.serializedBytes()
        let frame = [0] + withUnsafeBytes(of: UInt32(message.count).bigEndian, Array.init) + message
        let head = [
            "POST \(PresenceMethods.connect.path) HTTP/1.1", "Host: baton", "Content-Type: application/connect+proto",
            "Transfer-Encoding: chunked", "", String(frame.count, radix: 16), "",
        ]
        process.write(bytes: Array(head.joined(separator: "\r\n").utf8) + frame + Array("\r\n".utf8))
        return process
    }

    /// The name under which the one other device is announced.
    private func announced() async throws -> String {
        let (namespaces, machine) = (namespaces, device.machine)
        let discovery = AvahiDiscovery { namespaces.enterOnThisThread(machine) }
        let events = discovery.browse(type: "_baton._tcp")
        let instance = try await within(.seconds(30), "an announcement") {
            for await event in events {
                if case .found(let service) = event, !service.attributes.isEmpty { return service.instance }
            }
            throw IntegrationFailure("Nothing was announced.")
        }
        await discovery.shutdown()
        return instance
    }

    private func serverName(_ instance: String) throws -> String {
        guard let newest = stored.membership.discoveryKeys.max(by: { $0.timestamp < $1.timestamp }) else {
            throw IntegrationFailure("\(device.name) has no discovery key.")
        }
        let key = try DiscoveryKey(timestamp: HybridTimestamp(rawValue: newest.timestamp), bytes: Array(newest.key))
        return LinkTokens.serverName(
            instance: instance, key: key, nonce: (0..<16).map { _ in UInt8.random(in: 0 ... .max) })
    }

    /// As OpenSSL reads them.
    private func writeIdentity() throws -> (chain: String, key: String) {
        func pem(_ bytes: Data, _ kind: String) -> String {
            let text = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN \(kind)-----\n\(text)\n-----END \(kind)-----\n"
        }
        // RFC 5915: version 1, the key, and that its curve is P-256.
        let start: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
        let end: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let (chain, key) = (device.home + "/chain.pem", device.home + "/key.pem")
        try stored.certificates.map { pem($0, "CERTIFICATE") }.joined().write(
            toFile: chain, atomically: true, encoding: .utf8)
        try pem(Data(start) + stored.deviceKey + Data(end), "EC PRIVATE KEY").write(
            toFile: key, atomically: true, encoding: .utf8)
        return (chain, key)
    }
}
