import BatonCore
import Foundation
import Logging

/// The default continuation of a document's activity by the framework of a document-based app that does not continue it itself
/// (H-62, H-73).
@MainActor
enum DocumentContinuation {
    /// Activities for documents that UIKit's apps are opening, by path: handed over once the document is open. The newest
    /// 16.
    private static var expected: [(path: String, activity: NSUserActivity)] = []

    /// The document that the activity is about.
    static func url(of activity: NSUserActivity) -> URL? {
        let value = activity.userInfo?[NSUserActivityDocumentURLKey]
        let url = value as? URL ?? (value as? NSURL).map { $0 as URL }
        return url.flatMap { $0.isFileURL ? $0 : nil }
    }

    /// Waits until a document of another device is here.
    static func waitUntilAvailable(_ url: URL) async throws {
        let (runtime, makeAvailable) = (AppRuntime.current, DocumentEnvironment.shared.makeAvailable)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // A thread of its own: it may wait for a minute.
            Thread.detachNewThread {
                continuation.resume(with: Result { try runtime.run { try makeAvailable(url, true) } })
            }
        }
    }

    /// The next document that is opened there is handed the activity.
    static func expect(_ activity: NSUserActivity, at url: URL) {
        let path = path(url)
        expected.removeAll { $0.path == path }
        expected.append((path, activity))
        if expected.count > 16 { expected.removeFirst() }
    }

    static func forget(_ activity: NSUserActivity) { expected.removeAll { $0.activity === activity } }

    /// A document has been opened. - Returns: the activity that it is to restore.
    static func take(openedAt url: URL) -> NSUserActivity? {
        guard !expected.isEmpty else { return nil }
        let path = path(url)
        guard let index = expected.firstIndex(where: { $0.path == path }) else { return nil }
        return expected.remove(at: index).activity
    }

    private static func path(_ url: URL) -> String { url.resolvingSymlinksInPath().standardizedFileURL.path }
}

extension UIApplication {
    /// UIKit has no document controller: the app is given the document's URL to open, as with any document, and the
    /// ``UIDocument`` that it opens there restores the activity's state.
    func continueDocument(_ activity: NSUserActivity) -> Bool {
        guard let url = DocumentContinuation.url(of: activity), delegate != nil else { return false }
        // Ends when the document is here, or its deadline has passed; the app hears of both.
        Task {
            do {
                try await DocumentContinuation.waitUntilAvailable(url)
                DocumentContinuation.expect(activity, at: url)
                guard open(OpenedURL(url: url, openInPlace: true), request: "document") == true else {
                    throw DocumentErrors.cocoa(
                        .featureUnsupported, "The app does not open “\(url.lastPathComponent)”.", url)
                }
            } catch {
                DocumentContinuation.forget(activity)
                runtime.logger.warning("A document could not be continued: \(error.localizedDescription)")
                _ = didFail(type: activity.activityType, error: error)
            }
        }
        return true
    }
}

extension NSApplication {
    func continueDocument(_ activity: NSUserActivity) -> Bool {
        NSDocumentController.shared.continueDocument(activity) { [self] _, error in
            guard let error else { return }
            runtime.logger.warning("A document could not be continued: \(error.localizedDescription)")
            _ = didFail(type: activity.activityType, error: error)
        }
    }
}
