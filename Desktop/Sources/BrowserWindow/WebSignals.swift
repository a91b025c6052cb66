import CGTK4
import CWebKitGTK

/// The signals of a web view. WebKit calls on the main thread.
@MainActor
enum WebSignals {
    private typealias Raw = UnsafeMutableRawPointer

    /// `WebKitPolicyDecisionType`.
    private nonisolated static let (navigation, newWindow): (UInt32, UInt32) = (0, 1)
    /// `WEBKIT_NETWORK_ERROR_CANCELLED`.
    private nonisolated static let cancelled: Int32 = 302

    /// - Parameter page: lives as long as the view.
    static func connect(_ view: OpaquePointer, to page: WebPage) {
        let data = Unmanaged.passUnretained(page).toOpaque()
        let loadChanged: @convention(c) (Raw?, UInt32, Raw?) -> Void = { WebSignals.loadChanged($1, $2) }
        connect(view, "load-changed", unsafeBitCast(loadChanged, to: (@convention(c) () -> Void).self), data)
        let loadFailed: @convention(c) (Raw?, UInt32, Raw?, UnsafePointer<GError>?, Raw?) -> Int32 = {
            WebSignals.loadFailed($3, $4)
        }
        connect(view, "load-failed", unsafeBitCast(loadFailed, to: (@convention(c) () -> Void).self), data)
        let decidePolicy: @convention(c) (OpaquePointer?, OpaquePointer?, UInt32, Raw?) -> Int32 = {
            WebSignals.decidePolicy($0, $1, $2, $3)
        }
        connect(view, "decide-policy", unsafeBitCast(decidePolicy, to: (@convention(c) () -> Void).self), data)
        let processEnded: @convention(c) (Raw?, UInt32, Raw?) -> Void = { WebSignals.call($2) { $0.ended() } }
        connect(
            view, "web-process-terminated", unsafeBitCast(processEnded, to: (@convention(c) () -> Void).self), data)
        let titleChanged: @convention(c) (Raw?, Raw?, Raw?) -> Void = { WebSignals.call($2) { $0.titleChanged() } }
        connect(view, "notify::title", unsafeBitCast(titleChanged, to: (@convention(c) () -> Void).self), data)
    }

    private static func connect(
        _ view: OpaquePointer, _ name: String, _ function: @escaping @convention(c) () -> Void, _ data: Raw
    ) {
        g_signal_connect_data(Raw(view), name, function, data, nil, 0)
    }

    private nonisolated static func loadChanged(_ event: UInt32, _ data: Raw?) {
        call(data) { page in
            // WebKitLoadEvent; 1 is a redirection.
            switch event {
            case 0: page.started()
            case 2: page.committed()
            case 3: page.finished()
            default: break
            }
        }
    }

    private nonisolated static func loadFailed(_ error: UnsafePointer<GError>?, _ data: Raw?) -> Int32 {
        guard let error = error?.pointee else { return 1 }
        let isCancelled = error.domain == webkit_network_error_quark() && error.code == cancelled
        let why = isCancelled ? "It was stopped." : error.message.map { String(cString: $0) } ?? ""
        call(data) { $0.failed(why) }
        // The app says why; WebKit shows no page of its own.
        return 1
    }

    private nonisolated static func decidePolicy(
        _ view: OpaquePointer?, _ decision: OpaquePointer?, _ type: UInt32, _ data: Raw?
    ) -> Int32 {
        guard let decision, type == navigation || type == newWindow,
            let action = webkit_navigation_policy_decision_get_navigation_action(decision)
        else { return 0 }
        let kind = webkit_navigation_action_get_navigation_type(action)
        call(data) { $0.decides(kind: kind) }
        guard type == newWindow else { return 0 }
        // There is one window: the page is shown in its tab.
        if let view, let request = webkit_navigation_action_get_request(action),
            let url = webkit_uri_request_get_uri(request)
        {
            webkit_web_view_load_uri(view, url)
        }
        webkit_policy_decision_ignore(decision)
        return 1
    }

    private nonisolated static func call(_ data: Raw?, _ body: @MainActor (WebPage) -> Void) {
        guard let data else { return }
        let page = Unmanaged<WebPage>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { body(page) }
    }
}
