import Baton
import Foundation

/// The entry point: shows the one view controller and hands it what is typed.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let viewController: KeyValueViewController
    private let screen = Screen()

    required init() {
        let arguments = CommandLine.arguments
        let option = arguments.firstIndex(of: "--device").map { $0 + 1 }
        let name = option.flatMap { arguments.indices.contains($0) ? arguments[$0] : nil }
        viewController = KeyValueViewController(
            deviceName: name ?? ProcessInfo.processInfo.hostName, screen: screen)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        viewController.viewWillAppear()
        readCommands()
        screen.show("ready", [:], "Type a command; README.md lists them.")
        return true
    }

    func applicationWillTerminate(_ application: UIApplication) {
        viewController.viewWillDisappear()
        screen.show("end", [:], "")
    }

    /// Reads on a thread of its own, since reading waits; it ends with the process.
    private func readCommands() {
        Thread.detachNewThread {
            while let line = readLine() {
                DispatchQueue.main.async { MainActor.assumeIsolated { self.perform(line) } }
            }
            DispatchQueue.main.async { MainActor.assumeIsolated { self.perform("quit") } }
        }
    }

    private func perform(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("device", 2): viewController.setDeviceValue(parts[1])
        case ("shared", 2): viewController.setShared(parts[1])
        case ("remove", 2): viewController.remove(parts[1])
        case ("test", 1): viewController.runSnippets()
        case ("show", 1): viewController.show()
        case ("quit", 1):
            viewController.viewWillDisappear()
            screen.show("end", [:], "")
            exit(0)
        default: screen.show("error", ["message": "Not a command: \(line)"], "Not a command: \(line)")
        }
    }
}
