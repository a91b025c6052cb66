import Foundation

/// Counts the work of an undo manager as changes, for as long as this object lives.
final class DocumentUndo {
    private let observers: [any NSObjectProtocol]

    @MainActor
    init(_ manager: UndoManager, _ change: @escaping @MainActor @Sendable (ChangeCounter.Change) -> Void) {
        func observe(_ name: NSNotification.Name, _ kind: ChangeCounter.Change) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { [weak manager] _ in
                // Undo managers belong to the main actor.
                MainActor.assumeIsolated {
                    guard let manager else { return }
                    if kind == .done, manager.isUndoing || manager.isRedoing { return }
                    change(kind)
                }
            }
        }
        observers = [
            observe(UndoManager.willCloseUndoGroupNotification, .done),
            observe(UndoManager.didUndoChangeNotification, .undone),
            observe(UndoManager.didRedoChangeNotification, .redone),
        ]
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
}
