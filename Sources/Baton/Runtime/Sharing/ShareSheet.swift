import Foundation

/// One share sheet, from the items to the end of the chosen activity.
@MainActor
final class ShareSheet {
    struct Outcome {
        var type: UIActivity.ActivityType?
        var isCompleted = false
        var error: (any Error)?
    }

    private weak var controller: UIActivityViewController?
    private let items: [Any]
    private let applicationActivities: [UIActivity]
    private let excluded: Set<UIActivity.ActivityType>
    private let context: SharingContext
    private let providers = OperationQueue()

    init(
        controller: UIActivityViewController, items: [Any], applicationActivities: [UIActivity],
        excluded: Set<UIActivity.ActivityType>, context: SharingContext
    ) {
        self.controller = controller
        self.items = items
        self.applicationActivities = applicationActivities
        self.excluded = excluded
        self.context = context
    }

    func run() async -> Outcome {
        let activities = await activities()
        guard !activities.isEmpty else {
            return Outcome(error: items.isEmpty ? nil : SharingError.failed("Nothing here works with these items."))
        }
        let chosen: UIActivity
        do {
            let question = PersonQuestion(
                kind: .shareSheet, title: controller?.title ?? title, options: activities.map(Self.title),
                icons: activities.map(Self.icon))
            guard case .option(let number)? = try await context.presenter.ask(question),
                activities.indices.contains(number)
            else { return Outcome() }
            chosen = activities[number]
        } catch {
            return Outcome(error: error)
        }
        // Its type is named also when the work fails.
        do {
            return Outcome(type: chosen.activityType, isCompleted: try await perform(chosen))
        } catch {
            return Outcome(type: chosen.activityType, error: error)
        }
    }

    private static func title(_ activity: UIActivity) -> String {
        activity.activityTitle ?? activity.activityType?.rawValue ?? "\(type(of: activity))"
    }

    private static func icon(_ activity: UIActivity) -> OptionIcon {
        if let activity = activity as? SystemActivity { return activity.icon }
        guard let picture = activity.activityImage?.pngData(), picture.count <= maximumIcon else { return .none }
        return .picture(picture)
    }

    /// Bytes. A larger picture is not shown: it is no icon.
    private static let maximumIcon = 64 << 10

    private var title: String { items.count == 1 ? "Share 1 item" : "Share \(items.count) items" }

    // MARK: Offered targets

    /// Those that can work with the items: first those that send them to a person, then those that act here; the system's
    /// before the app's.
    private func activities() async -> [UIActivity] {
        let placeholders = items.map(placeholder)
        var offered: [UIActivity] = []
        let shared = placeholders.compactMap { placeholder, type in sharedPlaceholder(placeholder, type) }
        if !shared.isEmpty, shared.count == placeholders.count {
            for provider in context.tools.activities {
                offered += await provider.activities(for: shared, in: context).filter { $0.canPerform(shared) }
            }
        }
        offered += applicationActivities.filter { $0.canPerform(withActivityItems: placeholders.map(\.item)) }
        offered.removeAll { $0.activityType.map(excluded.contains) ?? false }
        return offered.filter { type(of: $0).activityCategory == .share }
            + offered.filter { type(of: $0).activityCategory != .share }
    }

    private func placeholder(_ item: Any) -> (item: Any, dataType: String) {
        guard let source = item as? any UIActivityItemSource, let controller else { return (item, "") }
        return (
            source.activityViewControllerPlaceholderItem(controller),
            source.activityViewController(controller, dataTypeIdentifierForActivityType: nil)
        )
    }

    private func sharedPlaceholder(_ item: Any, _ dataType: String) -> SharedItem? {
        guard let provider = item as? NSItemProvider else { return SharedItem(item, dataType: dataType) }
        guard let type = provider.shareableType else { return nil }
        return SharedItem(data: Data(), type: type, name: provider.suggestedName)
    }

    // MARK: Performing

    private func perform(_ activity: UIActivity) async throws -> Bool {
        let resolved = await items(for: activity.activityType)
        try Task.checkCancellation()
        if let activity = activity as? SystemActivity {
            var shared: [SharedItem] = []
            for (item, dataType) in resolved {
                let next =
                    if let provider = item as? NSItemProvider { try await provider.loadShared() } else {
                        SharedItem(item, dataType: dataType)
                    }
                if let next { shared.append(next) }
            }
            // The results of the placeholders may be something else.
            guard !shared.isEmpty, activity.canPerform(shared) else {
                throw SharingError.failed("The items are not what they were announced to be.")
            }
            return try await activity.perform(shared, subject: subject(for: activity.activityType))
        }
        activity.prepare(withActivityItems: resolved.map(\.item))
        let end = ActivityEnd()
        activity.end = end
        if let presented = activity.activityViewController, let controller {
            controller.present(presented, animated: true)
        } else {
            activity.perform()
        }
        var iterator = end.ended.makeAsyncIterator()
        return await iterator.next(isolation: #isolation) ?? false
    }

    private func items(for type: UIActivity.ActivityType?) async -> [(item: Any, dataType: String)] {
        var resolved: [(item: Any, dataType: String)] = []
        for item in items {
            guard let source = item as? any UIActivityItemSource, let controller else {
                resolved.append((item, ""))
                continue
            }
            if let provider = source as? UIActivityItemProvider { await run(provider, for: type) }
            guard let item = source.activityViewController(controller, itemForActivityType: type) else { continue }
            let dataType = source.activityViewController(controller, dataTypeIdentifierForActivityType: type)
            resolved.append((item, dataType))
        }
        return resolved
    }

    /// Off the main thread. One that has run keeps what it made.
    private func run(_ provider: UIActivityItemProvider, for type: UIActivity.ActivityType?) async {
        guard provider.isReady, !provider.isFinished, !provider.isExecuting else { return }
        provider.choose(type)
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let end = BlockOperation { waiter.resume() }
            end.addDependency(provider)
            providers.addOperations([provider, end], waitUntilFinished: false)
        }
    }

    private func subject(for type: UIActivity.ActivityType?) -> String {
        guard let controller else { return "" }
        return items.lazy.compactMap { $0 as? any UIActivityItemSource }
            .map { $0.activityViewController(controller, subjectForActivityType: type) }
            .first { !$0.isEmpty } ?? ""
    }
}
