import BatonTestSupport
import Foundation

/// Everything that passes a machine's interface, from when it began.
struct Capture: Sendable {
    private let process: ChildProcess
    private let machine: Int
    private let namespaces: NetworkNamespaces
    let path: String

    /// Returns when packets are taken down.
    static func start(on machine: Int, of household: TestHousehold, _ name: String = "all") async throws -> Capture {
        let path = "\(household.directory)/\(name).pcapng"
        let process = try ChildProcess(
            household.namespaces.command(
                on: machine, ["dumpcap", "-q", "-i", NetworkNamespaces.interface, "-s", "0", "-w", path]))
        let begun = try await within(.seconds(20), "dumpcap to begin (install tshark: dev/setup --tests)") {
            try await process.errors.first { $0.hasPrefix("File:") ? $0 : nil }
        }
        guard begun != nil else {
            throw IntegrationFailure("dumpcap ended: \(process.errors.all.joined(separator: " "))")
        }
        return Capture(process: process, machine: machine, namespaces: household.namespaces, path: path)
    }

    /// - Returns: the file's bytes, with all that was sent before this call.
    func stop() async throws -> Data {
        try await catchUp()
        process.send(SIGINT)
        _ = try await within(.seconds(20), "dumpcap to end") { try await process.status() }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// The kernel hands packets over in blocks, and who is stopped gets no more of them: so one is sent that can be known
    /// again, until it has come.
    private func catchUp() async throws {
        let mark = "capture-mark-\(UUID().uuidString)"
        let other = namespaces.addresses[machine == 0 ? 1 : 0]
        let sender = try ChildProcess(
            namespaces.command(
                on: machine,
                [
                    "bash", "-c",
                    "for i in $(seq 200); do echo \(mark) > /dev/udp/\(other)/9; sleep 0.1; done 2>/dev/null",
                ]))
        try await within(.seconds(20), "the capture to catch up") {
            while try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(mark.utf8)) == nil {
                try await Task.sleep(for: .milliseconds(20))  // sleeps: a growing file causes no event
            }
        }
        sender.send(SIGKILL)
        _ = try await sender.status()
    }

    /// Some fields of the packets that match a display filter; one entry a packet and field.
    func fields(_ names: [String], filter: String) async throws -> [[String]] {
        let process = try ChildProcess(
            ["tshark", "-r", path, "-n", "-Y", filter, "-T", "fields"] + names.flatMap { ["-e", $0] })
        return try await within(.seconds(60), "tshark") {
            guard try await process.status() == 0 else {
                throw IntegrationFailure("tshark: \(process.errors.all.joined(separator: " "))")
            }
            try await process.output.waitForEnd()
            return process.output.all.map { $0.components(separatedBy: "\t") }
        }
    }
}

/// A text in the forms in which it could be hidden in a packet.
struct Disguises {
    /// The form's name and its bytes. Those of the first list are searched without regard to case.
    private(set) var forms: [(name: String, bytes: [UInt8])] = []

    init(of text: String) {
        add("text", Array(text.utf8))
        add("UTF-16, little end first", text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        add("UTF-16, big end first", text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        addEncodings(of: Array(text.utf8))
    }

    /// The pattern for bytes, e.g. a key.
    init(of bytes: [UInt8]) {
        add("bytes", bytes)
        addEncodings(of: bytes)
    }

    private mutating func addEncodings(of bytes: [UInt8]) {
        add("hexadecimal", Array(bytes.map { String(format: "%02x", $0) }.joined().utf8))
        // Where the text begins within a group of the encoding changes what comes out; the ends depend on what is beside.
        for shift in 0..<3 where bytes.count > 6 {
            let encoded = Data(repeating: 0, count: shift) + Data(bytes)
            addMiddle("base64", Array(encoded.base64EncodedString().utf8).dropFirst(4).dropLast(4))
        }
        for shift in 0..<5 where bytes.count > 10 {
            let encoded = Self.base32(Array(repeating: 0, count: shift) + bytes)
            addMiddle("base32", encoded.dropFirst(8).dropLast(8))
        }
    }

    /// Four letters in any case are among the bytes of a capture by chance, now and then.
    private mutating func addMiddle(_ name: String, _ bytes: some Collection<UInt8>) {
        if bytes.count >= 8 { add(name, Array(bytes)) }
    }

    private mutating func add(_ name: String, _ bytes: [UInt8]) {
        if bytes.count >= 4 { forms.append((name, Self.lowercased(bytes))) }
    }

    /// The forms that occur in the bytes, which must be ``lowercased(_:)``.
    func found(in haystack: Data) -> [String] {
        forms.filter { haystack.range(of: Data($0.bytes)) != nil }.map(\.name)
    }

    /// Case is not regarded anywhere: a false alarm is as unlikely as that costs.
    static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }

    private static func base32(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var result: [UInt8] = []
        var (value, bits) = (0, 0)
        for byte in bytes {
            value = (value << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                result.append(alphabet[value >> bits & 31])
            }
        }
        if bits > 0 { result.append(alphabet[value << (5 - bits) & 31]) }
        return result
    }
}
