/// An action that undoes one change. The target is known by its identity, and not kept alive.
struct UndoAction {
    let target: ObjectIdentifier
    let run: @MainActor () -> Void

    init(target: ObjectIdentifier, run: @escaping @MainActor () -> Void) {
        self.target = target
        self.run = run
    }
}

/// The actions that are undone as one.
struct UndoGroup {
    let id: UInt64
    var name = ""
    var actions: [UndoAction] = []
}
