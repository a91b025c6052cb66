import Baton
import Foundation

/// The app's one screen: shares the requested object, in the share sheet.
final class ShareViewController: UIViewController {
    private(set) var lastShared: String?
    private var waiting: [Any] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Share Sheet"
        // At a terminal the app shares its argument: text TEXT, url URL, picture or source TEXT.
        let arguments = CommandLine.arguments.dropFirst()
        guard let kind = arguments.first else { return }
        let value = arguments.dropFirst().joined(separator: " ")
        guard let object = SharedObject(kind: kind, value: value.isEmpty ? nil : value) else {
            print("Share what? text TEXT, url URL, picture or source TEXT.")
            exit(2)
        }
        waiting = [object.item]
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        shareNext()
    }

    /// The listing of Apple's chapter on AirDrop: an activity controller for an object, presented modally.
    func displayActivityController(withDataObject object: Any) {
        waiting.append(object)
        shareNext()
    }

    /// Has the person pick a file, and shares it.
    func pickFile() {
        let picker = UIDocumentPickerViewController(forOpeningContentTypes: [.text])
        picker.delegate = self
        present(picker, animated: true)
    }

    /// One sheet at a time.
    private func shareNext() {
        guard presentedViewController == nil, !waiting.isEmpty else { return }
        let object = waiting.removeFirst()
        let controller = UIActivityViewController(activityItems: [object], applicationActivities: [PrintOutActivity()])
        controller.excludedActivityTypes = [.postToTwitter, .postToFacebook, .print]
        // Where there is room, the sheet is a popover and wants to know where to point.
        controller.popoverPresentationController?.sourceView = self
        controller.completionWithItemsHandler = { [weak self] type, isCompleted, _, error in
            let name = type?.rawValue ?? "nothing"
            print(
                "\(isCompleted ? "completed" : "not completed") \(name)\(error.map { ": \($0.localizedDescription)" } ?? "")"
            )
            if isCompleted { self?.lastShared = "\(object)" }
            if CommandLine.arguments.count > 1 { exit(isCompleted ? 0 : 1) }
            self?.shareNext()
        }
        present(controller, animated: true) {
            let isPointing = controller.popoverPresentationController?.sourceView === self
            print("presented\(isPointing ? ", pointing at its screen" : "")")
        }
    }
}

extension ShareViewController: UIDocumentPickerDelegate {
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
        for url in urls {
            print("picked \(url.lastPathComponent): \((try? String(contentsOf: url, encoding: .utf8)) ?? "unreadable")")
            displayActivityController(withDataObject: url)
        }
    }

    func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) { print("picked nothing") }
}

/// An activity of the app's own, for texts.
final class PrintOutActivity: UIActivity {
    private var texts: [String] = []

    override var activityType: ActivityType? { ActivityType("com.example.ShareSheet.printOut") }
    override var activityTitle: String? { "Print It Out Here" }

    override func canPerform(withActivityItems activityItems: [Any]) -> Bool {
        activityItems.allSatisfy { $0 is String }
    }

    override func prepare(withActivityItems activityItems: [Any]) { texts = activityItems.compactMap { $0 as? String } }

    override func perform() {
        for text in texts { print("“\(text)”") }
        activityDidFinish(true)
    }
}
