import Baton
import Foundation
import Synchronization

/// Reads and writes files with coordination by commands in lines, and prints what happens; see CoordinationTests of
/// IntegrationTests.
@main struct Probe {
    static func main() {
        let accesses = Accesses()
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            // NAME PATH: an access that lasts until "end NAME".
            case "read": accesses.begin(words[1], words[2], isWriting: false)
            case "write": accesses.begin(words[1], words[2], isWriting: true)
            // NAME INNER PATH: writes within the access NAME.
            case "nest": accesses.access(words[1]).commands.add(.nest(words[2], words[3]))
            case "end": accesses.access(words[1]).commands.add(.end)
            case "cancel": accesses.access(words[1]).coordinator.cancel()
            case "present":
                // Kept until it is removed.
                NSFileCoordinator.addFilePresenter(Presenter(words[1]))
                say("presenting")
            // Without coordination.
            case "load":
                do {
                    say("loaded \(try Data(contentsOf: URL(fileURLWithPath: words[1])).count)")
                } catch let error as NSError {
                    say("not loaded \(error.domain) \(error.code)")
                }
            case "app": Ubiquity.become(words[1])
            default: if !Ubiquity.perform(words), !Versions.perform(words) { say("unknown") }
            }
        }
    }

    static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}

/// The accesses of the process, each with a thread.
final class Accesses: Sendable {
    final class Access: Sendable {
        let coordinator = NSFileCoordinator()
        let commands = Commands()
    }

    private let all = Mutex<[String: Access]>([:])

    func access(_ name: String) -> Access {
        all.withLock { all in
            if let access = all[name] { return access }
            let access = Access()
            all[name] = access
            return access
        }
    }

    func begin(_ name: String, _ path: String, isWriting: Bool) {
        let access = access(name)
        Thread.detachNewThread { self.run(name, access, path, isWriting: isWriting) }
    }

    private func run(_ name: String, _ access: Access, _ path: String, isWriting: Bool) {
        let url = URL(fileURLWithPath: path)
        var error: NSError?
        if isWriting {
            access.coordinator.coordinate(writingItemAt: url, error: &error) { url in
                let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
                Probe.say("\(name) granted \(text)")
                self.hold(access)
                try? Data("written by \(name)".utf8).write(to: url)
            }
        } else {
            access.coordinator.coordinate(readingItemAt: url, error: &error) { url in
                Probe.say("\(name) granted \((try? String(contentsOf: url, encoding: .utf8)) ?? "")")
                self.hold(access)
            }
        }
        Probe.say(error.map { "\(name) failed \($0.domain) \($0.code)" } ?? "\(name) ended")
    }

    private func hold(_ access: Access) {
        while true {
            switch access.commands.next() {
            case .end: return
            case .nest(let inner, let path): run(inner, self.access(inner), path, isWriting: true)
            }
        }
    }
}

/// The commands for an access while it lasts.
final class Commands: Sendable {
    enum Command: Sendable {
        case end
        case nest(String, String)
    }

    private let waiting = Mutex<[Command]>([])
    private let count = DispatchSemaphore(value: 0)

    func add(_ command: Command) {
        waiting.withLock { $0.append(command) }
        count.signal()
    }

    func next() -> Command {
        count.wait()
        return waiting.withLock { $0.removeFirst() }
    }
}

/// Shows a file, with a change that it saves when it is asked to.
final class Presenter: NSObject, NSFilePresenter {
    private let url: Mutex<URL>
    var presentedItemURL: URL? { url.withLock { $0 } }
    let presentedItemOperationQueue = OperationQueue()

    init(_ path: String) { url = Mutex(URL(fileURLWithPath: path)) }

    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        Probe.say("presenter relinquishes to reader")
        reader { Probe.say("presenter reacquires") }
    }

    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        Probe.say("presenter relinquishes to writer")
        writer { Probe.say("presenter reacquires") }
    }

    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        if let presentedItemURL { try? Data("saved".utf8).write(to: presentedItemURL) }
        Probe.say("presenter saves")
        completionHandler(nil)
    }

    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> {
        [URLResourceKey(rawValue: "NSURLUbiquitousItemHasUnresolvedConflictsKey")]
    }

    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {
        Probe.say("presenter hears of \(attributes.map(\.rawValue).sorted().joined(separator: ","))")
    }

    func presentedItemDidGain(_ version: NSFileVersion) {
        Probe.say("presenter gains \((try? String(contentsOf: version.url, encoding: .utf8)) ?? "?")")
    }

    func presentedItemDidResolveConflict(_ version: NSFileVersion) { Probe.say("presenter sees a conflict settled") }

    func presentedItemDidChange() { Probe.say("presenter sees a change") }

    func presentedItemDidMove(to newURL: URL) {
        url.withLock { $0 = newURL }
        Probe.say("presenter moves to \(newURL.lastPathComponent)")
    }

    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        Probe.say("presenter makes way for a deletion")
        completionHandler(nil)
    }
}
