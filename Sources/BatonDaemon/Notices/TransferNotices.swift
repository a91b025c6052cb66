import AirDrop
import BatonCore
import Foundation
import Notices
import Synchronization
import Transfers

/// Turns what happens to transfers to this device into notices, which name the sender. Safe to use from any thread.
final class TransferNotices: Sendable {
    /// Those under way. Bound: the receiver's, of transfers.
    private let questions = Mutex<[TransferID: AirDropQuestion]>([:])

    /// Nil for a transfer that has no notice.
    func input(_ event: ReceivingEvent) -> NoticeInput? {
        switch event {
        case .asked(let question):
            questions.withLock { $0[question.id] = question }
            return .asked(
                key: question.id.rawValue, title: "\(question.relation.beginning(question.sender)) wants to send",
                lines: Self.contents(question))
        case .accepted(let id): return .questionEnded(key: id.rawValue, received: nil)
        case .progress(let id, let progress):
            guard let question = questions.withLock({ $0[id] }) else { return nil }
            return Self.arriving(question, progress)
        case .ended(let id, let outcome):
            let question = questions.withLock { $0.removeValue(forKey: id) }
            guard outcome.result == .delivered else { return .questionEnded(key: id.rawValue, received: nil) }
            return .questionEnded(key: id.rawValue, received: Self.received(outcome, question))
        }
    }

    private static func arriving(_ question: AirDropQuestion, _ progress: TransferProgress) -> NoticeInput {
        let total = progress.totalBytes
        let isKnown = total > 0
        let size = ByteSize.text(progress.bytes) + (isKnown ? " of \(ByteSize.text(total))" : "")
        let sender = question.relation.naming(question.sender)
        return .arriving(
            key: question.id.rawValue, title: "Receiving \(question.names.first ?? "")",
            line: "\(size) from \(sender)\(progress.isWaiting ? ", which is waited for" : "")",
            percent: isKnown ? Int(min(100, Double(progress.bytes) / Double(total) * 100)) : nil)
    }

    private static func received(_ outcome: AirDropOutcome, _ question: AirDropQuestion?) -> NoticeReceived {
        let files = outcome.paths.filter { $0.hasPrefix("/") }
        let first = outcome.paths.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
        let more = outcome.paths.count > 1 ? " and \(outcome.paths.count - 1) more" : ""
        let sender = question.map { "From \($0.relation.naming($0.sender))." }
        let app = outcome.app.map { "Opened in \($0)." }
        return NoticeReceived(
            title: "Received \(first)\(more)", lines: [sender, app].compactMap(\.self),
            // A file that an app has opened is in its own folder.
            path: outcome.app == nil ? files.first : nil)
    }

    /// Links come first, and are counted apart: they lead somewhere, and files do not.
    private static func contents(_ question: AirDropQuestion) -> [String] {
        let files = question.itemCount - question.links.count
        let size = question.bytes.map { " (\(ByteSize.text($0)))" } ?? ""
        return [
            list(question.links, of: question.links.count, "1 link", "links", ""),
            list(question.names, of: files, "1 file or folder", "files and folders", size),
        ].compactMap(\.self)
    }

    private static func list(
        _ texts: [String], of count: Int, _ one: String, _ many: String, _ size: String
    ) -> String? {
        guard count > 0 else { return nil }
        let named = texts.prefix(3).joined(separator: ", ")
        let more = count > 3 ? " and \(count - 3) more" : ""
        return "\(count == 1 ? one : "\(count) \(many)")\(size): \(named)\(more)"
    }
}
