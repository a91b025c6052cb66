import Baton

/// A form with one address, and a message: both are offered the place that the person has just looked at in another app or on a page
/// (P-26, P-36 to P-39).
///
/// It prints what its screen would show.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let address = UITextField()
    private let message = UITextView()
    /// The present offers, for the field that is used.
    private var offered: [UITextSuggestion] = []
    private var isInAddress = false

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        address.placeholder = "Address"
        address.textContentType = .fullStreetAddress
        follow(address.suggestions)
        follow(message.suggestions)
        print("launched")
        CommandLines.read { [weak self] line in self?.perform(line) }
        return true
    }

    private func follow(_ suggestions: AsyncStream<[UITextSuggestion]>) {
        // Ends with the field, which is there as long as the app.
        Task { [weak self] in
            for await offered in suggestions where !offered.isEmpty { self?.show(offered) }
        }
    }

    private func show(_ suggestions: [UITextSuggestion]) {
        offered = suggestions
        for (number, suggestion) in suggestions.enumerated() {
            print("\(number + 1): \(suggestion.text) (\(suggestion.title), seen in \(suggestion.source))")
        }
    }

    // MARK: What a person does

    private func perform(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "address":
            isInAddress = true
            address.becomeFirstResponder()
        case "message":
            isInAddress = false
            address.resignFirstResponder()
            message.insertText(parts.count == 2 ? parts[1] : "")
        case "take": take(parts.count == 2 ? Int(parts[1]) ?? 1 : 1)
        case "quit": exit(0)
        case "", nil: break
        default: print("Not a command: \(line). There are address, message, take and quit.")
        }
    }

    private func take(_ number: Int) {
        guard offered.indices.contains(number - 1) else { return print("There is no suggestion \(number).") }
        let text = offered[number - 1].text
        if isInAddress {
            address.insertText(text)
            print("address: \(address.text ?? "")")
        } else {
            message.insertText(text)
            print("message: \(message.text ?? "")")
        }
    }
}
