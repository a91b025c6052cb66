import Foundation

extension NSDocumentController {
    /// Continues the activity of a document that the app does not continue itself (H-62, H-73): waits up to a minute until
    /// it is on this device, opens it, and has it restore its state.
    /// - Returns: whether the activity has the URL of a document; it is being opened then.
    func continueDocument(
        _ activity: NSUserActivity,
        completion: @escaping @MainActor @Sendable (NSDocument?, (any Error)?) -> Void = { _, _ in }
    ) -> Bool {
        guard let url = DocumentContinuation.url(of: activity) else { return false }
        // Ends when the document is open, or its deadline has passed.
        Task {
            do {
                try await DocumentContinuation.waitUntilAvailable(url)
                let (document, _) = try await openDocument(withContentsOf: url, display: true)
                document.restoreUserActivityState(activity)
                completion(document, nil)
            } catch {
                completion(nil, error)
            }
        }
        return true
    }
}
