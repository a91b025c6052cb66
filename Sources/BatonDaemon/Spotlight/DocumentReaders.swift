import BatonConcurrency
import BatonCore
import BatonWire
import Crypto
import DocumentFormats
import Files
import Foundation
import Glibc
import LaunchServices
import Spotlight
import SwiftProtobuf
import Synchronization

/// Reads PDF, office and mail files for search. These formats are large, and a file may come from anybody: each is read by a process of
/// its own in the sandbox of import extensions, and never by the daemon.
final class DocumentReaders: Sendable {
    private struct State {
        /// Nil where it is not installed.
        var pdfToText: String?
        /// The contents that no reader got through, by their length, with what was read of each until then. They are not tried again,
        /// whatever they are called.
        var failures: [Int64: [SHA256Digest: [String: PropertyValue]]] = [:]
        var failureCount = 0
        var textCount = 0
    }

    /// Documents that are indexed under another one are read again.
    private static func version(of format: DocumentFormat) -> String { format == .archive ? "reader 2" : "reader 1" }

    /// Bytes of a document; a larger one is found by its name.
    private static let maximumDocument: Int64 = 1 << 30
    /// Bytes of a print of `pdftotext` that are read.
    private static let maximumPage = 256 << 10
    /// Contents that are remembered, and those of them of which a text is, 64 KiB at most; then all are forgotten.
    private static let maximumFailures = 1000
    private static let maximumTexts = 64

    private let launchServices: LaunchServices
    private let folders: [Substring]
    private let recorder: any EventRecorder
    private let queue = BlockingQueue("development.baton.readers")
    private let state = Mutex(State())

    /// - Parameter path: where programs are looked for.
    init(_ launchServices: LaunchServices, path: String, recorder: any EventRecorder) {
        self.launchServices = launchServices
        folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        self.recorder = recorder
    }

    /// Looks again which programs are installed.
    func look() {
        let found = folders.lazy.map { (folder) -> String in "\(folder)/pdftotext" }.first(
            where: LaunchServices.isReadingProgram)
        state.withLock { $0.pdfToText = found }
    }

    /// The version of the reader of documents with this name; nil where there is none.
    func version(for name: String) -> String? {
        guard let format = DocumentFormat(name: name), launchServices.hasReaders,
            format != .pdf || state.withLock({ $0.pdfToText }) != nil
        else { return nil }
        return Self.version(of: format)
    }

    /// - Returns: by Apple's names; nil for a document that cannot be read.
    /// - Throws: where that is not because of the document.
    func attributes(
        of file: OpenFile, named name: String
    ) async throws(LaunchServices.ImportFailure) -> [String: PropertyValue]? {
        guard let format = DocumentFormat(name: name), let stamp = try? file.stamp(), stamp.kind == .file,
            (1...Self.maximumDocument).contains(stamp.size)
        else { return nil }
        if let known = await known(file, stamp.size) { return known.isEmpty ? nil : known }
        let (attributes, failure) = await read(file, as: format)
        guard let failure else { return attributes }
        recorder.record(
            "search", "document_not_read",
            attributes == nil
                ? "The text of a document could not be read. It is found by its name."
                : "The text of a document could not be read to its end. It is found by what was read.",
            ["document": name, "reason": failure.rawValue])
        guard failure != .notStarted, failure != .noSandbox else { throw failure }
        await remember(file, stamp.size, attributes ?? [:])
        return attributes
    }

    /// - Returns: what was read until the failure, if any.
    private func read(
        _ file: OpenFile, as format: DocumentFormat
    ) async -> (attributes: [String: PropertyValue]?, failure: LaunchServices.ImportFailure?) {
        do {
            guard format == .pdf else {
                let answer = try await launchServices.readDocument(
                    file, [format.rawValue], limit: ImportedAttributes.maximumBytes)
                return (
                    answer.flatMap { try? Baton_Value_V1_PropertyDictionary(serializedBytes: $0).attributes() }, nil
                )
            }
            guard let program = state.withLock({ $0.pdfToText }) else { return (nil, .notStarted) }
            let document = SandboxPolicy.document
            let page = try await launchServices.readDocument(
                file, with: program, PDFText.arguments + [document, "-"], limit: Self.maximumPage)
            // One that is encrypted or damaged prints nothing.
            guard !page.bytes.isEmpty else { return (nil, page.failure ?? .noAnswer) }
            let attributes = PDFText.contents(ofPage: page.bytes, file: document).attributes
            // The beginning of a long document is enough.
            return (attributes, page.failure == .tooLong ? nil : page.failure)
        } catch {
            return (nil, error)
        }
    }

    // MARK: What ended a reader

    /// Only a document as long as one that failed is hashed.
    private func known(_ file: OpenFile, _ size: Int64) async -> [String: PropertyValue]? {
        guard let failures = state.withLock({ $0.failures[size] }) else { return nil }
        return await digest(of: file).flatMap { failures[$0] }
    }

    private func remember(_ file: OpenFile, _ size: Int64, _ attributes: [String: PropertyValue]) async {
        guard let digest = await digest(of: file) else { return }
        state.withLock { state in
            if state.failureCount >= Self.maximumFailures || state.textCount >= Self.maximumTexts {
                (state.failures, state.failureCount, state.textCount) = ([:], 0, 0)
            }
            if state.failures[size, default: [:]].updateValue(attributes, forKey: digest) == nil {
                state.failureCount += 1
                state.textCount += attributes.isEmpty ? 0 : 1
            }
        }
    }

    private func digest(of file: OpenFile) async -> SHA256Digest? {
        await queue.run {
            // A reader has moved the place that it shares.
            guard lseek(file.descriptor, 0, SEEK_SET) == 0 else { return nil }
            var hash = SHA256()
            do {
                try file.forEachPiece { piece throws(BatonError) in
                    hash.update(bufferPointer: piece)
                    return true
                }
            } catch {
                return nil
            }
            return hash.finalize()
        }
    }
}
