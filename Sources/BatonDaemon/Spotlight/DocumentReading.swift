import BatonWire
import DocumentFormats
import Files
import Glibc
import SwiftProtobuf

/// The program in its other part: it prints the searched parts of the document on standard input, confined
/// (``DocumentReaders``).
enum DocumentReading {
    /// - Parameter arguments: a ``DocumentFormat``.
    static func run(_ arguments: [String]) {
        var status = Glibc.stat()
        guard let format = arguments.first.flatMap(DocumentFormat.init(rawValue:)), fstat(STDIN_FILENO, &status) == 0
        else { return }
        let file = DocumentFile(count: Int(status.st_size)) { start, count in
            let bytes = try? FileIO.readAll(STDIN_FILENO, count: count, at: UInt64(start)) {
                FileFailure.error("read", "the document", errno: $0)
            }
            return bytes ?? []
        }
        let contents: DocumentContents? =
            switch format {
            case .archive: ArchiveText.contents(of: file)
            case .mail: MailText.contents(of: file)
            case .mailbox: MailText.contents(ofMailbox: file)
            // It has a program of the system.
            case .pdf: nil
            }
        let message = contents.map { Baton_Value_V1_PropertyDictionary(attributes: $0.attributes) }
        let bytes: [UInt8]? = message.flatMap { try? $0.serializedBytes() }
        let head = Array("\nbaton-import 1 \(bytes.map { String($0.count) } ?? "-")\n".utf8)
        try? FileIO.writeAll(head + (bytes ?? []), to: STDOUT_FILENO) {
            FileFailure.error("write", "the answer", errno: $0)
        }
    }
}
