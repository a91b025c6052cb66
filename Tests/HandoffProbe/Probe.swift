import Baton
import Foundation

/// An app for tests that does on command what apps do, and misbehaves on command too.
///
/// Commands come as lines of JSON through the FIFO `commands` in its container, and before it has finished launching
/// from the file `startup` there. Events are printed, one object of texts per line.
@main
final class Probe: UIResponder, UIApplicationDelegate, NSUserActivityDelegate {
    private var activities: [String: NSUserActivity] = [:]
    private let silence = Silence()
    private let behaviour = Behaviour()
    private let streams = ProbeStreams()
    private let responders = ProbeResponders()
    private let opening = ProbeOpening()
    private let continuedDelegate = ContinuedDelegate()

    required init() { super.init() }

    static func main() {
        let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? "/nonexistent"
        let form = try? String(contentsOfFile: container + "/form", encoding: .utf8)
        if form == "options" {
            UIApplicationMain(OptionsFormProbe())
        } else if form == "source" {
            UIApplicationMain(SourceFormProbe())
        } else if form == "oldest" {
            UIApplicationMain(OldestFormProbe())
        } else if form == "documents" {
            UIApplicationMain(DocumentProbe())
        } else if let form, form.hasPrefix("launch ") {
            let answers = form.split(separator: " ").dropFirst().map { $0 == "true" }
            UIApplicationMain(LaunchAnswersProbe(will: answers.first ?? true, did: answers.last ?? true))
        } else if FileManager.default.fileExists(atPath: container + "/quiet") {
            UIApplicationMain(QuietProbe(container: container))
        } else if FileManager.default.fileExists(atPath: container + "/appkit") {
            let delegate = AppKitProbe(container: container)
            NSApplication.shared.delegate = delegate
            withExtendedLifetime(delegate) { NSApplication.shared.run() }
        } else {
            UIApplicationMain(Probe())
        }
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? "/nonexistent"
        // A FIFO there holds the launch up until it was written. String(contentsOfFile:) would not wait.
        let startup = try? FileHandle(forReadingAtPath: container + "/startup")?.readToEnd()
        for line in String(decoding: startup ?? Data(), as: UTF8.self).split(separator: "\n") { perform(String(line)) }
        CommandPipe(path: container + "/commands").read { line in
            DispatchQueue.main.async { MainActor.assumeIsolated { self.perform(line) } }
        }
        ProbeLog.print(["event": "ready", "pid": "\(getpid())"])
        return true
    }

    // MARK: Commands

    private func perform(_ line: String) {
        guard let command = try? JSONDecoder().decode(ProbeCommand.self, from: Data(line.utf8)) else {
            return ProbeLog.print(["event": "error", "message": "Not a command: \(line.prefix(200))"])
        }
        switch command.do {
        case "make": make(command)
        case "current": activities[command.id ?? ""]?.becomeCurrent()
        case "resign": activities[command.id ?? ""]?.resignCurrent()
        case "invalidate": activities.removeValue(forKey: command.id ?? "")?.invalidate()
        case "title": activities[command.id ?? ""]?.title = command.title
        case "ineligible": activities[command.id ?? ""]?.isEligibleForHandoff = false
        case "flags": activities[command.id ?? ""].map { ProbeSearch.set(command, on: $0) }
        case "needsSave": activities[command.id ?? ""]?.needsSave = true
        case "responders": responders.make(command.names ?? [], for: activities[command.id ?? ""])
        case "state": responders.set(command.number ?? 0, on: command.id)
        case "part": responders.part(command.id)
        case "contacts": ProbeContacts.perform(command)
        case "location": ProbeLocation.perform(command)
        case "delete": ProbeSearch.delete(command)
        case "behave": behaviour.mode = command.mode ?? ""
        case "page": activities[command.id ?? ""]?.webpageURL = command.page.flatMap { URL(string: $0) }
        case "openURL", "canOpen", "document": opening.perform(command)
        case "exclude":
            if let path = command.page { try? URL(fileURLWithPath: path).setExcludedFromBackup(true) }
        case "steal": StreamThief.ask(for: command.id ?? "")
        case "speak": silence.end()
        case "open": streams.ask(for: activities["continued"], command)
        case "resume": streams.resume()
        case "close": streams.closeAll()
        case "protection":
            ProbeLog.print(["event": "protection", "available": "\(UIApplication.shared.isProtectedDataAvailable)"])
        case "background": UIApplication.shared.transition(to: .background)
        case "foreground": UIApplication.shared.transition(to: .active)
        case "awake": UIApplication.shared.isIdleTimerDisabled = command.number == 1
        case "crash": kill(getpid(), SIGSEGV)
        default: ProbeLog.print(["event": "error", "message": "Unknown: \(command.do)"])
        }
        ProbeLog.print(["event": "done", "do": command.do, "id": command.id ?? ""])
    }

    private func make(_ command: ProbeCommand) {
        let activity = NSUserActivity(activityType: command.type ?? "")
        activity.title = command.title
        activity.delegate = command.saves == false ? continuedDelegate : self
        activity.minimumAppVersion = command.minimum
        if let seconds = command.expiresIn { activity.expirationDate = Date(timeIntervalSinceNow: seconds) }
        if command.values == true { activity.userInfo = ProbeValues.all }
        if let bytes = command.bytes { activity.addUserInfoEntries(from: ["data": ProbeValues.data(bytes)]) }
        if let number = command.number { activity.addUserInfoEntries(from: ["number": number]) }
        if let texts = command.texts { activity.addUserInfoEntries(from: texts) }
        activity.webpageURL = command.page.flatMap { URL(string: $0) }
        ProbeSearch.set(command, on: activity)
        activity.needsSave = command.needsSave ?? true
        activity.supportsContinuationStreams = command.streams ?? false
        activities[command.id ?? ""] = activity
        if command.current != false { activity.becomeCurrent() }
    }

    // MARK: The life of the app

    func applicationDidBecomeActive(_ application: UIApplication) { tellOfLife("didBecomeActive", application) }
    func applicationWillResignActive(_ application: UIApplication) { tellOfLife("willResignActive", application) }
    func applicationDidEnterBackground(_ application: UIApplication) { tellOfLife("didEnterBackground", application) }
    func applicationWillEnterForeground(_ application: UIApplication) { tellOfLife("willEnterForeground", application) }
    func applicationWillTerminate(_ application: UIApplication) { tellOfLife("willTerminate", application) }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        ProbeLog.print(["event": "locking", "available": "\(application.isProtectedDataAvailable)"])
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        ProbeLog.print(["event": "unlocked", "available": "\(application.isProtectedDataAvailable)"])
    }

    private func tellOfLife(_ event: String, _ application: UIApplication) {
        guard behaviour.mode == "life" else { return }
        ProbeLog.print(["event": event, "state": "\(application.applicationState.rawValue)"])
    }

    // MARK: As the origin

    nonisolated func userActivityWillSave(_ userActivity: NSUserActivity) {
        ProbeLog.print([
            "event": "willSave", "title": userActivity.title ?? "", "needsSave": "\(userActivity.needsSave)",
        ])
        switch behaviour.mode {
        case "silent": silence.wait()
        case "crash-on-save": kill(getpid(), SIGKILL)
        case "late-page": userActivity.webpageURL = userActivity.webpageURL?.appendingPathComponent("late")
        case "fill": userActivity.addUserInfoEntries(from: ["filled": "late"])
        default: break
        }
    }

    nonisolated func userActivityWasContinued(_ userActivity: NSUserActivity) {
        ProbeLog.print(["event": "wasContinued", "title": userActivity.title ?? ""])
        guard behaviour.mode == "give-up" else { return }
        // The item is the other device's now: this app has none any more.
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                for (id, activity) in self.activities where activity === userActivity {
                    self.activities.removeValue(forKey: id)?.invalidate()
                }
                ProbeLog.print(["event": "gaveUp", "left": "\(self.activities.count)"])
            }
        }
    }

    nonisolated func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        ProbeLog.print([
            "event": "didReceive", "title": userActivity.title ?? "",
            "unopened": "\(inputStream.streamStatus == .notOpen && outputStream.streamStatus == .notOpen)",
        ])
        streams.serve(ProbePair(input: inputStream, output: outputStream), behaviour.mode)
    }

    // MARK: As the receiver

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        ProbeLog.print(["event": "willContinue", "type": userActivityType])
        return behaviour.mode != "hold-quietly"
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        let userInfo = userActivity.userInfo ?? [:]
        var event = ["event": "continue", "type": userActivity.activityType, "title": userActivity.title ?? ""]
        event["page"] = userActivity.webpageURL?.absoluteString
        event["entries"] = userActivity.userInfo.map { "\($0.count)" }
        event["number"] = (userInfo["number"] as? Int).map(String.init)
        event["filled"] = userInfo["filled"] as? String
        if let data = userInfo["data"] as? Data {
            event["bytes"] = "\(data.count)"
            event["isWhole"] = "\(data == ProbeValues.data(data.count))"
        }
        event["userInfo"] = ProbeValues.text(userInfo)
        event.merge(ProbeSearch.fields(userActivity)) { $1 }
        if userInfo["boolean"] != nil { event["values"] = ProbeValues.difference(userInfo) }
        ProbeLog.print(event)
        activities["continued"] = userActivity
        switch behaviour.mode {
        case "streams":
            streams.ask(for: userActivity, ProbeCommand(do: "open", id: "inside", title: "page?", mode: "ask"))
        case "refuse": return false
        case "crash-on-continue": kill(getpid(), SIGKILL)
        case "hold", "hold-quietly":
            // Until the test has written into the FIFO there.
            let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"] ?? "/nonexistent"
            if let file = fopen(container + "/hold", "r") {
                _ = fgetc(file)
                fclose(file)
            }
        case "adopt":
            userActivity.delegate = self
            activities["adopted"] = userActivity
            userActivity.becomeCurrent()
        default: break
        }
        restorationHandler([self] + responders.responders)
        return true
    }

    override func restoreUserActivityState(_ activity: NSUserActivity) {
        super.restoreUserActivityState(activity)
        ProbeLog.print(["event": "restore", "title": activity.title ?? ""])
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        ProbeLog.print([
            "event": "didFail", "type": userActivityType, "code": "\((error as NSError).code)",
            "domain": (error as NSError).domain, "message": error.localizedDescription,
        ])
    }
}
