import BatonCore
import Files

/// Problems of a bundle: all are counted, the first is reported.
struct BundleProblems {
    private static let shown = 5
    private var sentences: [String] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ path: String, _ what: String) {
        count += 1
        if sentences.count < Self.shown { sentences.append("“\(PrintableName.escaped(path))” \(what)") }
    }

    /// - Parameter advice: a sentence.
    func error(_ reason: String, _ beginning: String, advice: String) -> BatonError {
        let rest = count > sentences.count ? "; and \(count - sentences.count) more" : ""
        return BatonError(
            .failedPrecondition, reason: reason,
            "\(beginning): \(sentences.joined(separator: "; "))\(rest). \(advice)")
    }
}
