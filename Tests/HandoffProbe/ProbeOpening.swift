import Baton
import Foundation

/// The files and URLs that the probe opens in other apps.
@MainActor
final class ProbeOpening {
    private let host = UIResponder()
    /// Kept while its menu is shown.
    private var documents: UIDocumentInteractionController?

    func perform(_ command: ProbeCommand) {
        guard let url = command.page.flatMap({ URL(string: $0) }) else {
            return ProbeLog.print(["event": "error", "message": "Not a URL: \(command.page ?? "")"])
        }
        switch command.do {
        case "canOpen":
            ProbeLog.print([
                "event": "canOpen", "url": url.absoluteString, "can": "\(UIApplication.shared.canOpenURL(url))",
            ])
        case "document":
            let controller = UIDocumentInteractionController(url: url)
            controller.annotation = command.texts
            documents = controller
            let isShown = controller.presentOpenInMenu(from: .zero, in: host, animated: false)
            ProbeLog.print(["event": "menu", "shown": "\(isShown)"])
        default:
            UIApplication.shared.open(url) { isOpened in
                ProbeLog.print(["event": "opened", "url": url.absoluteString, "opened": "\(isOpened)"])
            }
        }
    }
}

/// The reports of probes of each form when something is opened in them.
@MainActor
enum OpeningReport {
    static func launched(_ options: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        // Until the test has written into the FIFO there.
        let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? "/nonexistent"
        ProbeLog.print(["event": "launching", "url": (options?[.url] as? URL)?.absoluteString ?? ""])
        if let file = fopen(container + "/hold", "r") {
            _ = fgetc(file)
            fclose(file)
        }
        ProbeLog.print(["event": "ready"])
        return true
    }

    static func open(_ url: URL, _ form: String, source: String? = nil, annotation: Any? = nil) -> Bool {
        var event = ["event": "open", "form": form, "url": url.absoluteString]
        event["source"] = source
        event["annotation"] = (annotation as? [AnyHashable: Any]).map { ProbeValues.text($0) }
        event["user"] = url.user
        event["password"] = url.password
        event["query"] = url.query
        event["fragment"] = url.fragment
        event["parameters"] = url.rfc1808ParameterString
        ProbeLog.print(event)
        if url.query == "crash" { kill(getpid(), SIGKILL) }
        return url.query != "refuse"
    }
}

/// The probe as an app of today.
final class OptionsFormProbe: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { OpeningReport.launched(launchOptions) }

    func applicationDidBecomeActive(_ application: UIApplication) { ProbeLog.print(["event": "active"]) }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        OpeningReport.open(
            url, "options", source: options[.sourceApplication] as? String, annotation: options[.annotation])
    }
}

/// The probe as an app from before `application(_:open:options:)`.
final class SourceFormProbe: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { OpeningReport.launched(launchOptions) }

    func applicationDidBecomeActive(_ application: UIApplication) { ProbeLog.print(["event": "active"]) }

    func application(
        _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
    ) -> Bool { OpeningReport.open(url, "source", source: sourceApplication, annotation: annotation) }
}

/// The probe as an app from before that.
final class OldestFormProbe: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { OpeningReport.launched(launchOptions) }

    func applicationDidBecomeActive(_ application: UIApplication) { ProbeLog.print(["event": "active"]) }

    func application(_ application: UIApplication, handleOpen url: URL) -> Bool {
        OpeningReport.open(url, "oldest")
    }
}

/// The probe as an app that looks at the URL in both launch callbacks, and answers as the test says (U-10). Once it runs, the
/// command `background` hides it.
final class LaunchAnswersProbe: UIResponder, UIApplicationDelegate {
    private let will: Bool
    private let did: Bool

    init(will: Bool, did: Bool) {
        self.will = will
        self.did = did
        super.init()
    }

    required init() { fatalError("It is made with its answers.") }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        ProbeLog.print(["event": "will", "url": (launchOptions?[.url] as? URL)?.absoluteString ?? ""])
        return will
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        ProbeLog.print(["event": "did", "url": (launchOptions?[.url] as? URL)?.absoluteString ?? ""])
        let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? "/nonexistent"
        CommandPipe(path: container + "/commands").read { _ in
            DispatchQueue.main.async { MainActor.assumeIsolated { application.transition(to: .background) } }
        }
        return did
    }

    func applicationDidEnterBackground(_ application: UIApplication) { ProbeLog.print(["event": "background"]) }
    func applicationWillEnterForeground(_ application: UIApplication) { ProbeLog.print(["event": "foreground"]) }
    func applicationDidBecomeActive(_ application: UIApplication) { ProbeLog.print(["event": "active"]) }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool { OpeningReport.open(url, "options") }
}
