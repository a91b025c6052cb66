import Foundation

/// An activity of the system.
@MainActor
class SystemActivity: UIActivity {
    let context: SharingContext
    /// The receiver; none where the person names it in the program that is opened.
    var recipients: [String] = []

    init(context: SharingContext) {
        self.context = context
        super.init()
    }

    /// The icon or text that a desktop shows beside its title.
    var icon: OptionIcon { .none }

    /// Whether it can work with all of the items, here and now.
    func canPerform(_ items: [SharedItem]) -> Bool { false }

    /// - Returns: false if the person wants it no more.
    func perform(_ items: [SharedItem], subject: String) async throws -> Bool { false }

    override func canPerform(withActivityItems activityItems: [Any]) -> Bool {
        let items = activityItems.compactMap { SharedItem($0) }
        return items.count == activityItems.count && canPerform(items)
    }
}

/// The tools of the system's activities.
struct SharingContext: Sendable {
    let runtime: AppRuntime
    var tools: SharingTools { runtime.environment.sharing }
    var presenter: any QuestionPresenter { tools.presenter(runtime) }
}

/// Makes activities of the system that may be offered for items.
protocol SystemActivityProvider: Sendable {
    @MainActor func activities(for items: [SharedItem], in context: SharingContext) async -> [SystemActivity]
}

/// The activities that the system adds to every share sheet, in their order. A capability that shares, such as AirDrop, adds
/// its provider here.
enum SystemActivities {
    static let all: [any SystemActivityProvider] = [
        Single { AirDropActivity(context: $0) }, Single { MessageActivity(context: $0) },
        Single { MailActivity(context: $0) },
        DocumentApps(), Single { CopyActivity(context: $0) }, Single { PrintActivity(context: $0) },
        Single { SaveActivity(context: $0) },
    ]

    private struct Single: SystemActivityProvider {
        let make: @MainActor @Sendable (SharingContext) -> SystemActivity

        init(_ make: @escaping @MainActor @Sendable (SharingContext) -> SystemActivity) { self.make = make }

        @MainActor func activities(for items: [SharedItem], in context: SharingContext) async -> [SystemActivity] {
            [make(context)]
        }
    }
}
