import BatonClient
import BatonCloud
import BatonCore
import BatonWire
import CloudClient
import Foundation
import Glibc

/// The measure of propagation: a bare call to the cloud (`GetServer`, on a connection that is kept) and one `fsync`.
///
/// Each line of input, `COUNT`, is answered with the nanoseconds of so many, both parts together, and of the calls.
enum RoundTrip {
    /// A server answers strangers 20 times a second.
    private static let pause = Duration.milliseconds(60)

    static func run(url: String, fingerprint: String, folder: String) async throws {
        let bytes = BlobHash(hexadecimal: fingerprint)?.bytes ?? Data()
        let connector = try CloudConnector(address: try CloudAddress(url: url, fingerprint: bytes))
        let file = open(folder + "/fsync", O_WRONLY | O_CREAT, 0o600)
        precondition(file >= 0, "the folder can be written to")
        for await words in Lines.fromStandardInput() {
            guard words.count == 1, let count = Int(words[0]) else { continue }
            let connection = try await connector.connect().connection
            defer { connection.close() }
            _ = try await connection.unary(AccountMethods.getServer, .init(), timeout: .seconds(10))
            var (times, calls): ([Int], [Int]) = ([], [])
            for _ in 0..<count {
                try await Task.sleep(for: pause)
                let begin = monotonicNanoseconds()
                _ = try await connection.unary(AccountMethods.getServer, .init(), timeout: .seconds(10))
                let answered = monotonicNanoseconds()
                synchronize(file)
                times.append(Int(monotonicNanoseconds() - begin))
                calls.append(Int(answered - begin))
            }
            Lines.print(["event": "round_trips", "times": times, "calls": calls])
        }
    }

    /// 4 KiB more, on the disk.
    private static func synchronize(_ file: Int32) {
        let bytes = [UInt8](repeating: 0x5A, count: 4096)
        let count = Glibc.write(file, bytes, bytes.count)
        precondition(count == bytes.count && fsync(file) == 0, "the disk takes 4 KiB")
    }
}
