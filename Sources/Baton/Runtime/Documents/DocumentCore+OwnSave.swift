import Foundation
import Synchronization

/// Saves that no app has asked for by name: automatic ones, that of closing, and that for another reader. They go through the
/// methods that an app may have overridden (`autosave`, `save`), as one job of the machine: the methods' own requests are parts of it.
extension DocumentCore {
    struct OwnSave {
        let id: Machine.ID
        /// While something is being written: called at its end.
        var writing: [Completion]?
    }

    /// Calls the document's methods where the write that begins is such a save; else performs the write.
    func beginOwnSave(_ id: Machine.ID, else write: () -> Void) {
        guard machine.method != .none, let host else { return write() }
        ownSave = OwnSave(id: id)
        let answer: MethodEnd = { [weak self] in self?.answered(id, $0) }
        if machine.method == .autosave { host.autosaveByItself(answer) } else { host.saveByItself(answer) }
    }

    /// Performs a request that belongs to the save which runs.
    /// - Returns: false for any other, which waits for its turn.
    func isPart(_ request: Machine.Request, _ target: Target?, _ completion: @escaping Completion) -> Bool {
        guard let id = ownSave?.id else { return false }
        switch request {
        case .save(let isCreating) where ownSave?.writing == nil:
            ownSave?.writing = [completion]
            targets[id] = target
            errors[id] = nil
            machine.beginWriting()
            write(id, isCreating)
            return true
        case .autosave where ownSave?.writing != nil:
            ownSave?.writing?.append(completion)
            return true
        case .autosave:
            guard machine.counter.isEdited, let host else {
                completion(nil)
                return true
            }
            host.saveByItself { completion($0.error) }
            return true
        case .open, .save, .close, .revert, .saveForOther: return false
        }
    }

    /// A read or a write has ended.
    func conclude(_ id: Machine.ID, succeeded: Bool) {
        guard ownSave?.id == id, ownSave?.writing != nil else {
            return input(.finished(id, succeeded: succeeded))
        }
        input(.written(id, succeeded: succeeded))
        publish()
        let waiting = ownSave?.writing ?? []
        ownSave?.writing = nil
        let error: (any Error)? = succeeded ? nil : errors[id] ?? CocoaError(.userCancelled)
        for completion in waiting { completion(error) }
        // Closing waits for what the methods do afterwards; nothing else needs to.
        if !machine.isClosing { answered(id, succeeded ? .succeeded : .failed(nil)) }
    }

    private func answered(_ id: Machine.ID, _ ending: Ending) {
        guard ownSave?.id == id else { return }
        ownSave = nil
        if case .failed(let error?) = ending, errors[id] == nil {
            errors[id] = error
            host?.coreDidFail(error)
        }
        input(.answered(id, succeeded: ending.isSuccess))
    }

    /// The app may not go on: it waits for what begins now.
    func appIsLeft(_ name: NSNotification.Name) {
        if name == Self.background { host?.appWasLeft() }
        host?.endUndoGroup()
        guard let host, savesAutomatically, snapshot.withLock({ $0.isEdited }) else { return }
        let end = environment.keepRunning()
        host.autosaveByItself { _ in end() }
    }
}

extension DocumentCore.Ending {
    var isSuccess: Bool { if case .succeeded = self { true } else { false } }

    var error: (any Error)? {
        switch self {
        case .succeeded: nil
        case .failed(let error): error ?? CocoaError(.userCancelled)
        }
    }
}
