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
        // These two come with NSFileVersion.
        case .version, .subitemVersion: break
        case .reacquire: break
        }
    }

    private static func url(_ path: CoordinatedPath) -> URL { URL(fileURLWithPath: path.description) }
}
