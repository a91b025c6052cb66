import BatonCore
import Foundation

/// The version with the commit that it was built from, as far as that is known.
enum BuiltVersion {
    static let text = text(
        executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "")

    /// - Parameter executable: `PREFIX/bin/baton`; a package has put the commit into `PREFIX/lib/baton/commit`.
    static func text(executable: String) -> String {
        let prefix = ProgramFolder.of(ProgramFolder.of(executable))
        guard let bytes = try? ByteFile.read(prefix + "/lib/baton/commit", limit: 64) else {
            return BatonVersion.current
        }
        let commit = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let isCommit = !commit.isEmpty && commit.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        return isCommit ? "\(BatonVersion.current) (\(commit))" : BatonVersion.current
    }
}
