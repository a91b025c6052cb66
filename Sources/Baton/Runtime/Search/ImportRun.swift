import BatonWire
import Files
import Foundation
import Glibc
import SwiftProtobuf

/// The program in its other part: it says what is in one document, and ends (``CSImportExtension``).
enum ImportRun {
    private static let file = "BATON_IMPORT_FILE"
    private static let type = "BATON_IMPORT_TYPE"

    /// Does nothing unless the program was started for its import extension; then it does not return.
    static func runIfRequested() {
        guard let point = getenv(AppExtensions.variable), String(cString: point) == AppExtensions.importPoint else {
            return
        }
        // The output of the extension is no part of the answer.
        let answer = dup(STDOUT_FILENO)
        let nothing = open("/dev/null", O_WRONLY)
        dup2(nothing, STDOUT_FILENO)
        dup2(nothing, STDERR_FILENO)
        guard answer >= 0, let path = getenv(file), let type = getenv(type),
            let handler = AppBundle.main.extensions.importExtension()
        else { _exit(1) }
        let attributes = CSSearchableItemAttributeSet(itemContentType: String(cString: type))
        do {
            let made = handler.init()
            made.beginRequest(with: NSExtensionContext())
            try made.update(attributes, forFileAt: URL(fileURLWithPath: String(cString: path)))
            let message = Baton_Value_V1_PropertyDictionary(attributes: attributes.store.values)
            let bytes: [UInt8] = try message.serializedBytes()
            write(Array("\nbaton-import 1 \(bytes.count)\n".utf8) + bytes, to: answer)
        } catch {
            write(Array("\nbaton-import 1 -\n".utf8), to: answer)
        }
        _exit(0)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        do {
            try FileIO.writeAll(bytes, to: descriptor) { FileFailure.error("write", "the answer", errno: $0) }
        } catch {
            _exit(1)
        }
    }
}
