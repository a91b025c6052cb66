import Foundation
import Synchronization

extension DocumentCore {
    /// Moves the document's file after the access that is under way. Jobs that are asked for meanwhile find it at its new place.
    func move(to url: URL, _ completion: @escaping Completion) {
        let host = host
        // The app does not end in the middle of it.
        let end = environment.keepRunning()
        relinquish { [self] reacquired in
            afterAccess { [self] in
                let result = Result { try moveNow(to: url, host) }
                MainQueue.async {
                    if case .success = result, self.isPresented { self.presentAgain() }
                    host?.coreDidChange()
                    reacquired?()
                    if case .failure(let error) = result { completion(error) } else { completion(nil) }
                    end()
                }
            }
        }
    }

    /// Runs something on the queue of file accesses when the main actor has taken over what the one under way has ended with: a save may
    /// have given the document another file.
    nonisolated private func afterAccess(_ body: @escaping @Sendable () -> Void) {
        fileQueue.async { [self] in
            MainQueue.async { [self] in fileQueue.async { body() } }
        }
    }

    nonisolated private func moveNow(to url: URL, _ host: (any DocumentHost)?) throws {
        guard let source = snapshot.withLock({ $0.fileURL }) else {
            throw DocumentErrors.cocoa(.fileNoSuchFile, "The document has no file yet. Save it to a URL.", nil)
        }
        try FileManager.default.coordinatedMove(
            source, to: url, presenter: host?.filePresenter, runtime: environment.coordination())
        snapshot.withLock { $0.fileURL = url }
    }
}
