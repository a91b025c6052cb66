import FileCoordination
import Foundation

/// Calls the method of a presenter that a message stands for.
enum PresenterDispatch {
    static func send(_ message: PresenterMessage, to presenter: any NSFilePresenter, answer: PresenterReply?) {
        switch message {
        case .relinquishToReader: presenter.relinquishPresentedItem(toReader: { answer?.done($0) })
        case .relinquishToWriter: presenter.relinquishPresentedItem(toWriter: { answer?.done($0) })
        case .saveChanges: presenter.savePresentedItemChanges { answer?.done($0) }
        case .accommodateDeletion: presenter.accommodatePresentedItemDeletion { answer?.done($0) }
        case .accommodateSubitemDeletion(let path):
            presenter.accommodatePresentedSubitemDeletion(at: url(path)) { answer?.done($0) }
        case .didMove(let path): presenter.presentedItemDidMove(to: url(path))
        case .didChange: presenter.presentedItemDidChange()
        case .didChangeUbiquityAttributes(let names):
            let attributes = Set(names.map(URLResourceKey.init(rawValue:)))
                .intersection(presenter.observedPresentedItemUbiquityAttributes)
            if !attributes.isEmpty { presenter.presentedItemDidChangeUbiquityAttributes(attributes) }
        case .subitemDidAppear(let path): presenter.presentedSubitemDidAppear(at: url(path))
        case .subitemDidMove(let source, let destination):
            presenter.presentedSubitem(at: url(source), didMoveTo: url(destination))
        case .subitemDidChange(let path): presenter.presentedSubitemDidChange(at: url(path))
        case .version(let event, let identifier):
            guard let url = presenter.presentedItemURL else { return }
            let version = version(identifier, url)
            switch event {
            case .gained: presenter.presentedItemDidGain(version)
            case .lost: presenter.presentedItemDidLose(version)
            case .resolved: presenter.presentedItemDidResolveConflict(version)
            }
        case .subitemVersion(let path, let event, let identifier):
            let version = version(identifier, url(path))
            switch event {
            case .gained: presenter.presentedSubitem(at: url(path), didGain: version)
            case .lost: presenter.presentedSubitem(at: url(path), didLose: version)
            case .resolved: presenter.presentedSubitem(at: url(path), didResolve: version)
            }
        case .reacquire: break
        }
    }

    /// A version that is gone is known by its identifier alone.
    private static func version(_ identifier: String, _ url: URL) -> NSFileVersion {
        NSFileVersion.version(itemAt: url, forPersistentIdentifier: identifier)
            ?? NSFileVersion(FileVersionRecord(identifier: identifier, content: nil, modificationDate: nil), of: url)
    }

    private static func url(_ path: CoordinatedPath) -> URL { URL(fileURLWithPath: path.description) }
}
