import Baton

/// A form with one address, and a message: both are offered the place that the person has just looked at in another app or on a page
/// (P-26, P-36 to P-39).
///
/// It prints what its screen would show, and on a desktop shows it in a window.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let address = UITextField()
    private let message = UITextView()
    /// What is offered now.
    private var offered: [FormField: [UITextSuggestion]] = [:]
    /// The field that is used.
    private var field = FormField.message
    private var window: FormWindow?

    required init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        address.placeholder = "Address"
        address.textContentType = .fullStreetAddress
        follow(address.suggestions, of: .address)
        follow(message.suggestions, of: .message)
        print("launched")
        CommandLines.read { [weak self] line in self?.perform(line) }
        openWindow()
        return true
    }

    private func follow(_ suggestions: AsyncStream<[UITextSuggestion]>, of field: FormField) {
        // Ends with the field, which is there as long as the app.
        Task { [weak self] in
            for await offered in suggestions { self?.show(offered, of: field) }
        }
    }

    private func show(_ suggestions: [UITextSuggestion], of field: FormField) {
        offered[field] = suggestions
        for (number, suggestion) in suggestions.enumerated() {
            print("\(number + 1): \(Self.line(suggestion))")
        }
        window?.offer(suggestions.map(Self.line), for: field)
    }

    private static func line(_ suggestion: UITextSuggestion) -> String {
        "\(suggestion.text) (\(suggestion.title), seen in \(suggestion.source))"
    }

    // MARK: What a person does

    private func perform(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "address": go(into: .address)
        case "message":
            go(into: .message)
            message.insertText(parts.count == 2 ? parts[1] : "")
            window?.write(message.text ?? "", into: .message)
        case "take": take(parts.count == 2 ? Int(parts[1]) ?? 1 : 1)
        case "quit": exit(0)
        case "", nil: break
        default: print("Not a command: \(line). There are address, message, take and quit.")
        }
    }

    private func go(into field: FormField) {
        self.field = field
        switch field {
        case .address: address.becomeFirstResponder()
        case .message: address.resignFirstResponder()
        }
    }

    private func take(_ number: Int) {
        guard let offers = offered[field], offers.indices.contains(number - 1) else {
            return print("There is no suggestion \(number).")
        }
        let text = offers[number - 1].text
        switch field {
        case .address:
            // It is the whole address, in place of what was typed of it.
            address.text = ""
            address.insertText(text)
            print("address: \(address.text ?? "")")
            window?.write(address.text ?? "", into: .address)
        case .message:
            message.insertText(text)
            print("message: \(message.text ?? "")")
            window?.write(message.text ?? "", into: .message)
        }
    }

    // MARK: The window

    private func openWindow() {
        let environment = ProcessInfo.processInfo.environment
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        guard let program = FormWindow.program(environment: environment, executable: executable) else { return }
        let window = FormWindow(
            program: program, receive: { [weak self] in self?.handle($0) }, end: { exit(0) })
        self.window = window
        window.start()
    }

    private func handle(_ event: FormEvent) {
        switch event {
        case .ready: break
        case .focused(let field): go(into: field)
        case .edited(.address, let text): address.text = text
        case .edited(.message, let text): message.text = text
        case .took(let field, let place):
            go(into: field)
            take(place + 1)
        case .closed: exit(0)
        }
    }
}
