import Foundation
import Testing

@testable import Baton

@Suite("UndoManager") @MainActor struct UndoManagerTests {
    private final class Text {
        var value = ""
    }

    private let manager = UndoManager()
    private let text = Text()

    private func set(_ value: String) {
        let old = text.value
        let (manager, text) = (manager, text)
        func change(_ text: Text, _ value: String, _ old: String) {
            text.value = value
            manager.registerUndo(withTarget: text) { change($0, old, value) }
        }
        change(text, value, old)
    }

    private func group(_ body: () -> Void) {
        manager.beginUndoGrouping()
        body()
        manager.endUndoGrouping()
    }

    @Test("Undo and redo go back and forth, group by group")
    func undoRedo() {
        manager.groupsByEvent = false
        group { set("a") }
        group {
            set("b")
            set("c")
        }
        #expect(manager.undoCount == 2)
        manager.undo()
        #expect(text.value == "a")
        #expect(manager.canRedo)
        manager.redo()
        #expect(text.value == "c")
        manager.undo()
        manager.undo()
        #expect(text.value.isEmpty)
        #expect(!manager.canUndo)
        manager.redo()
        group { set("d") }
        #expect(!manager.canRedo)
        #expect(text.value == "d")
    }

    @Test("The registrations of one turn of the main queue are one group")
    func events() async {
        set("a")
        set("b")
        #expect(manager.groupingLevel == 1)
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(manager.groupingLevel == 0)
        set("c")
        manager.undo()
        #expect(text.value == "b")
        manager.undo()
        #expect(text.value.isEmpty)
    }

    @Test("Names, levels, targets that are gone, and registration switched off")
    func rest() {
        manager.groupsByEvent = false
        manager.levelsOfUndo = 2
        for value in ["a", "b", "c"] {
            group {
                set(value)
                manager.setActionName(value)
            }
        }
        #expect(manager.undoCount == 2)
        #expect(manager.undoMenuItemTitle == "Undo c")
        manager.undo()
        #expect(manager.redoMenuItemTitle == "Redo c")
        manager.disableUndoRegistration()
        manager.registerUndo(withTarget: text) { $0.value = "wrong" }
        manager.enableUndoRegistration()
        group { manager.registerUndo(withTarget: Text()) { $0.value = "gone" } }
        manager.undo()
        #expect(text.value == "b")
        manager.removeAllActions(withTarget: text)
        #expect(!manager.canUndo)
    }

    @Test("Notifications come in Apple's order")
    func notifications() {
        manager.groupsByEvent = false
        let names = UncheckedMutex<[String]>([])
        let center = NotificationCenter.default
        let observer = center.addObserver(forName: nil, object: manager, queue: nil) { notification in
            let name = notification.name.rawValue.replacing("NSUndoManager", with: "")
            if name != "CheckpointNotification" {
                names.withLock { $0.append(name.replacing("Notification", with: "")) }
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        group { set("a") }
        manager.undo()
        #expect(
            names.withLock { $0 } == [
                "DidOpenUndoGroup", "WillCloseUndoGroup", "DidCloseUndoGroup", "WillUndoChange", "DidOpenUndoGroup",
                "WillCloseUndoGroup", "DidCloseUndoGroup", "DidUndoChange",
            ])
    }
}
