public import Foundation

extension UndoManager {
    /// Posted when a group begins or ends, and before something is undone or done again.
    nonisolated public static let checkpointNotification = NSNotification.Name("NSUndoManagerCheckpointNotification")
    /// Posted when a group was begun.
    nonisolated public static let didOpenUndoGroupNotification = NSNotification.Name(
        "NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted before an outermost group ends that something was registered in.
    nonisolated public static let willCloseUndoGroupNotification = NSNotification.Name(
        "NSUndoManagerWillCloseUndoGroupNotification")
    /// Posted when a group has ended.
    nonisolated public static let didCloseUndoGroupNotification = NSNotification.Name(
        "NSUndoManagerDidCloseUndoGroupNotification")
    /// Posted before something is undone.
    nonisolated public static let willUndoChangeNotification = NSNotification.Name(
        "NSUndoManagerWillUndoChangeNotification")
    /// Posted when something was undone.
    nonisolated public static let didUndoChangeNotification = NSNotification.Name(
        "NSUndoManagerDidUndoChangeNotification")
    /// Posted before something is done again.
    nonisolated public static let willRedoChangeNotification = NSNotification.Name(
        "NSUndoManagerWillRedoChangeNotification")
    /// Posted when something was done again.
    nonisolated public static let didRedoChangeNotification = NSNotification.Name(
        "NSUndoManagerDidRedoChangeNotification")
}

extension NSNotification.Name {
    /// As ``UndoManager/checkpointNotification``.
    public static let NSUndoManagerCheckpoint = UndoManager.checkpointNotification
    /// As ``UndoManager/didOpenUndoGroupNotification``.
    public static let NSUndoManagerDidOpenUndoGroup = UndoManager.didOpenUndoGroupNotification
    /// As ``UndoManager/willCloseUndoGroupNotification``.
    public static let NSUndoManagerWillCloseUndoGroup = UndoManager.willCloseUndoGroupNotification
    /// As ``UndoManager/didCloseUndoGroupNotification``.
    public static let NSUndoManagerDidCloseUndoGroup = UndoManager.didCloseUndoGroupNotification
    /// As ``UndoManager/willUndoChangeNotification``.
    public static let NSUndoManagerWillUndoChange = UndoManager.willUndoChangeNotification
    /// As ``UndoManager/didUndoChangeNotification``.
    public static let NSUndoManagerDidUndoChange = UndoManager.didUndoChangeNotification
    /// As ``UndoManager/willRedoChangeNotification``.
    public static let NSUndoManagerWillRedoChange = UndoManager.willRedoChangeNotification
    /// As ``UndoManager/didRedoChangeNotification``.
    public static let NSUndoManagerDidRedoChange = UndoManager.didRedoChangeNotification
}
