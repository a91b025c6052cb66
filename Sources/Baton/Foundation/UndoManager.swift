public import Foundation

/// Remembers how to undo what a person did, and how to do it again.
///
/// Actions registered in one turn of the main queue are one group, undone as one, unless ``groupsByEvent`` is off. Apple's
/// class, but for what needs an Objective-C runtime: selectors and invocations.
///
/// Apple: <https://developer.apple.com/documentation/foundation/undomanager>
@MainActor
@preconcurrency
open class UndoManager: NSObject {
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    /// Groups that were begun, the outermost first.
    private var open: [UndoGroup] = []
    private var disabled = 0
    private var isEventGroupOpen = false
    private var lastID: UInt64 = 0

    /// An empty one.
    public override init() { super.init() }

    // MARK: Groups

    /// Begins a group. Actions registered until ``endUndoGrouping()`` are undone as one.
    open func beginUndoGrouping() {
        post(Self.checkpointNotification)
        openEventGroup()
        begin()
    }

    private func begin() {
        lastID += 1
        open.append(UndoGroup(id: lastID))
        post(Self.didOpenUndoGroupNotification)
    }

    /// Ends the group that was begun last. One that nothing was registered in is forgotten.
    open func endUndoGrouping() {
        guard !open.isEmpty else {
            BatonExceptions.raiseInconsistency("endUndoGrouping() was called without beginUndoGrouping().")
            return
        }
        post(Self.checkpointNotification)
        close()
    }

    private func close() {
        guard var group = open.popLast() else { return }
        if group.actions.isEmpty { return post(Self.didCloseUndoGroupNotification) }
        if open.isEmpty {
            post(Self.willCloseUndoGroupNotification)
            if isUndoing {
                redoStack.append(group)
            } else {
                if group.name.isEmpty { group.name = pendingName }
                undoStack.append(group)
                trim()
            }
            pendingName = ""
        } else {
            open[open.count - 1].actions += group.actions
        }
        post(Self.didCloseUndoGroupNotification)
    }

    /// How many groups are open.
    open var groupingLevel: Int { open.count }

    /// Whether each turn of the main queue is a group by itself. True at first.
    open var groupsByEvent = true

    private func openEventGroup() {
        guard groupsByEvent, open.isEmpty, !isUndoing, !isRedoing else { return }
        begin()
        isEventGroupOpen = true
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated { self?.endEvent() }
        }
    }

    private func endEvent() {
        guard isEventGroupOpen else { return }
        isEventGroupOpen = false
        // Groups that the app left open take part: they end where the event ends.
        while !open.isEmpty { close() }
    }

    /// How many groups are kept; 0 for any number. The oldest are forgotten.
    open var levelsOfUndo = 0 { didSet { trim() } }

    private func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: Registering

    /// Nothing is registered from now on, until ``enableUndoRegistration()`` is called as often.
    open func disableUndoRegistration() { disabled += 1 }

    /// Takes back one ``disableUndoRegistration()``.
    open func enableUndoRegistration() {
        guard disabled > 0 else {
            BatonExceptions.raiseInconsistency("enableUndoRegistration() was called more often than disable.")
            return
        }
        disabled -= 1
    }

    /// Whether what is registered is kept.
    open var isUndoRegistrationEnabled: Bool { disabled == 0 }

    /// Says how to undo what is being done. The target is not kept alive; without it the handler is not called.
    open func registerUndo<Target: AnyObject>(
        withTarget target: Target, handler: @escaping @MainActor (Target) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        openEventGroup()
        guard !open.isEmpty else {
            BatonExceptions.raiseInconsistency("An undo was registered outside of a group. Begin one.")
            return
        }
        if !isUndoing, !isRedoing { redoStack = [] }
        open[open.count - 1].actions.append(
            UndoAction(target: ObjectIdentifier(target)) { [weak target] in
                if let target { handler(target) }
            })
    }

    /// Forgets everything.
    open func removeAllActions() {
        undoStack = []
        redoStack = []
        for index in open.indices { open[index].actions = [] }
    }

    /// Forgets what was registered with a target.
    open func removeAllActions(withTarget target: AnyObject) {
        let id = ObjectIdentifier(target)
        func cleaned(_ groups: [UndoGroup]) -> [UndoGroup] {
            groups.compactMap { group in
                var group = group
                group.actions.removeAll { $0.target == id }
                return group.actions.isEmpty ? nil : group
            }
        }
        undoStack = cleaned(undoStack)
        redoStack = cleaned(redoStack)
        for index in open.indices { open[index].actions.removeAll { $0.target == id } }
    }

    // MARK: Undo and redo

    /// Whether there is something to undo.
    open var canUndo: Bool { !undoStack.isEmpty || open.contains { !$0.actions.isEmpty } }
    /// Whether there is something to do again.
    open var canRedo: Bool {
        post(Self.checkpointNotification)
        return !redoStack.isEmpty
    }
    /// Whether an undo is under way.
    open private(set) var isUndoing = false
    /// Whether a redo is under way.
    open private(set) var isRedoing = false
    /// How many groups can be undone.
    open var undoCount: Int { undoStack.count }
    /// How many groups can be done again.
    open var redoCount: Int { redoStack.count }

    /// Ends the group of this event, and undoes the last group.
    open func undo() {
        if open.count == 1 { endEventEarly() }
        guard open.isEmpty else {
            BatonExceptions.raiseInconsistency("undo() was called while a group is open. End it first.")
            return
        }
        undoNestedGroup()
    }

    /// Ends the group of this event, where no other one is open: what was done is about to be saved.
    func endEventGroup() {
        if isEventGroupOpen, open.count == 1 { endEventEarly() }
    }

    private func endEventEarly() {
        isEventGroupOpen = false
        close()
    }

    /// Undoes the last group. Nothing happens if there is none.
    open func undoNestedGroup() {
        post(Self.checkpointNotification)
        guard !isUndoing, !isRedoing, let group = undoStack.popLast() else { return }
        post(Self.willUndoChangeNotification)
        isUndoing = true
        perform(group)
        isUndoing = false
        post(Self.didUndoChangeNotification)
    }

    /// Does again what was undone last.
    open func redo() {
        if open.count == 1 { endEventEarly() }
        post(Self.checkpointNotification)
        guard open.isEmpty, !isUndoing, !isRedoing, let group = redoStack.popLast() else { return }
        post(Self.willRedoChangeNotification)
        isRedoing = true
        perform(group)
        isRedoing = false
        post(Self.didRedoChangeNotification)
    }

    /// The group that reverses this one consists of what its actions register.
    private func perform(_ group: UndoGroup) {
        begin()
        open[0].name = group.name
        for action in group.actions.reversed() { action.run() }
        while !open.isEmpty { close() }
    }

    // MARK: Names

    private var pendingName = ""

    /// Names what is being done, e.g. “Typing”.
    open func setActionName(_ actionName: String) {
        if open.isEmpty {
            if let last = undoStack.indices.last { undoStack[last].name = actionName }
        } else if isUndoing || isRedoing {
            open[0].name = actionName
        } else {
            pendingName = actionName
        }
    }

    /// The name of what ``undo()`` would undo; empty without one.
    open var undoActionName: String { open.isEmpty ? undoStack.last?.name ?? "" : pendingName }
    /// The name of what ``redo()`` would do; empty without one.
    open var redoActionName: String { redoStack.last?.name ?? "" }
    /// As a menu shows it.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    /// As a menu shows it.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }
    /// “Undo NAME”.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }
    /// “Redo NAME”.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    private func post(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: self) }
}
