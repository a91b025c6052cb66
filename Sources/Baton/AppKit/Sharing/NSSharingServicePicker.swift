public import Foundation

/// Asks a person how some items are to be shared: the share sheet under AppKit's name.
///
/// An app with a terminal asks there; for any other app the daemon asks. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nssharingservicepicker>
@MainActor
@preconcurrency
open class NSSharingServicePicker: NSObject {
    /// Hears of the choice, and may change what is offered. Held weakly.
    open weak var delegate: (any NSSharingServicePickerDelegate)?

    private let items: [Any]
    private let runtime = AppRuntime.current
    private var asking: Task<Void, Never>?

    /// - Parameter items: as of ``UIActivityViewController``.
    public init(items: [Any]) {
        self.items = items
        super.init()
    }

    /// Asks, and shares as the person says. Nothing happens while it asks already.
    /// - Parameters:
    ///   - rect: not used: the question is no part of the app's windows.
    ///   - view: not used.
    ///   - preferredEdge: not used.
    open func show(relativeTo rect: NSRect, of view: NSResponder, preferredEdge: NSRectEdge) { show() }

    /// The same, without a place. Not Apple's.
    open func show() {
        guard asking == nil else { return }
        // Ends with the person's answer, and is cancelled by close(). Holds the picker until then.
        asking = Task { [runtime] in
            await AppRuntime.$calling.withValue(runtime) { await run(SharingContext(runtime: runtime)) }
            asking = nil
        }
    }

    /// Withdraws the question. A sharing that has begun goes on.
    open func close() { asking?.cancel() }

    private func run(_ context: SharingContext) async {
        var services = await proposed(context)
        if let delegate {
            services = delegate.sharingServicePicker(
                self, sharingServicesForItems: items, proposedSharingServices: services)
        }
        var chosen: NSSharingService?
        if !services.isEmpty {
            let title = items.count == 1 ? "Share 1 item" : "Share \(items.count) items"
            let question = PersonQuestion(
                kind: .shareSheet, title: title, options: services.map(\.menuItemTitle),
                icons: services.map { $0.image?.pngData().map(OptionIcon.picture) ?? .none })
            if case .option(let number)? = try? await context.presenter.ask(question),
                services.indices.contains(number)
            {
                chosen = services[number]
            }
        }
        if let chosen, chosen.delegate == nil {
            chosen.delegate = delegate?.sharingServicePicker(self, delegateFor: chosen)
        }
        delegate?.sharingServicePicker(self, didChoose: chosen)
        chosen?.perform(withItems: items)
    }

    /// Those of the system that work with the items, also the apps that open them.
    private func proposed(_ context: SharingContext) async -> [NSSharingService] {
        let shared = items.compactMap { item -> SharedItem? in
            guard let provider = item as? NSItemProvider else { return SharedItem(item) }
            return provider.shareableType.map { SharedItem(data: Data(), type: $0, name: provider.suggestedName) }
        }
        guard !shared.isEmpty, shared.count == items.count else { return [] }
        var services: [NSSharingService] = []
        for provider in context.tools.activities {
            services += await provider.activities(for: shared, in: context).filter { $0.canPerform(shared) }
                .map(NSSharingService.init(activity:))
        }
        return services
    }
}

/// Hears of a picker. Every method has a default. On the main actor.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nssharingservicepickerdelegate>
@MainActor
@preconcurrency
public protocol NSSharingServicePickerDelegate: AnyObject {
    /// The choices; the proposed services unless implemented.
    func sharingServicePicker(
        _ sharingServicePicker: NSSharingServicePicker, sharingServicesForItems items: [Any],
        proposedSharingServices proposedServices: [NSSharingService]
    ) -> [NSSharingService]
    /// The delegate of the chosen service; none unless implemented.
    func sharingServicePicker(
        _ sharingServicePicker: NSSharingServicePicker, delegateFor sharingService: NSSharingService
    ) -> (any NSSharingServiceDelegate)?
    /// The person has chosen, before the work begins.
    /// - Parameter service: nil for none.
    func sharingServicePicker(_ sharingServicePicker: NSSharingServicePicker, didChoose service: NSSharingService?)
}

extension NSSharingServicePickerDelegate {
    /// As the protocol says of those that do not implement it.
    public func sharingServicePicker(
        _ sharingServicePicker: NSSharingServicePicker, sharingServicesForItems items: [Any],
        proposedSharingServices proposedServices: [NSSharingService]
    ) -> [NSSharingService] { proposedServices }
    /// As the protocol says of those that do not implement it.
    public func sharingServicePicker(
        _ sharingServicePicker: NSSharingServicePicker, delegateFor sharingService: NSSharingService
    ) -> (any NSSharingServiceDelegate)? { nil }
    /// As the protocol says of those that do not implement it.
    public func sharingServicePicker(
        _ sharingServicePicker: NSSharingServicePicker, didChoose service: NSSharingService?
    ) {}
}
