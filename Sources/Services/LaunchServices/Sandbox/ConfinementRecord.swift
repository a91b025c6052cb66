import BatonCore
import Files
import Foundation

/// The fewest filters of an app since the machine started, in a file of the runtime directory. Every method blocks.
struct ConfinementRecord: Sendable {
    private let path: String
    private let boot: String

    /// - Parameters:
    ///   - boot: of the machine, which all of its containers have.
    ///   - processes: the namespace of processes. Those of a container that has ended are gone.
    init(
        _ runtime: String, boot: String = ProcessStamp.bootID(),
        processes: String? = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    ) {
        path = runtime + "/filters"
        self.boot = "\(boot)/\(processes ?? "")"
    }

    /// - Returns: nil where no app was started since the machine was; 1, the fewest that there can be, for a damaged file.
    func read() throws(BatonError) -> Int? {
        guard let bytes = try AtomicFile.read(path, limit: 200) else { return nil }
        let fields = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let number = Int(fields[0]), number > 0 else { return 1 }
        return fields[1] == boot ? number : nil
    }

    func write(_ number: Int) throws(BatonError) {
        try AtomicFile.write(Array("\(number) \(boot)\n".utf8), to: path)
    }
}
