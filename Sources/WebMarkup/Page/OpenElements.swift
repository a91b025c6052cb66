/// Which elements a parser of HTML would have open, closely enough for a bound: how deep the tree gets, and how many elements
/// it has.
///
/// The names are numbers. Formatting elements that are still in force when what contains them ends are opened again with
/// what follows, which makes a small page a large tree; so they are counted too.
struct OpenElements {
    private var stack: [UInt32] = []
    /// Formatting elements that wait to be opened again.
    private var waiting: [UInt32] = []

    var depth: Int { stack.count + waiting.count }

    enum Kind {
        case void, formatting, optionalEnd, scope, other
    }

    /// An element begins. Returns how many elements that makes.
    mutating func open(_ name: UInt32, _ kind: Kind) -> Int {
        if kind == .optionalEnd { closeSame(as: name) }
        let reopened = waiting.count
        if reopened > 0 {
            stack += waiting
            waiting = []
        }
        if kind != .void { stack.append(name) }
        return 1 + reopened
    }

    /// An element ends. False where none of that name was open, which makes a parser search, and may make it add one.
    mutating func close(_ name: UInt32) -> Bool {
        // Nearly always it is the last one.
        if stack.last == name, waiting.isEmpty {
            stack.removeLast()
            return true
        }
        if let place = waiting.lastIndex(of: name) {
            waiting.remove(at: place)
            return true
        }
        // Deeper than the bound nothing is ever open, so this search is short.
        guard let place = stack.lastIndex(of: name) else { return false }
        let within = stack[(place + 1)...].filter { TagName.kind($0) == .formatting }
        stack.removeSubrange(place...)
        waiting += within
        return true
    }

    /// `<li>` ends the `<li>` before it, unless a list began in between.
    private mutating func closeSame(as name: UInt32) {
        var place = stack.count - 1
        while place >= 0, !TagName.endsSearch(stack[place]) {
            if TagName.ends(stack[place], before: name) {
                let within = stack[(place + 1)...].filter { TagName.kind($0) == .formatting }
                stack.removeSubrange(place...)
                waiting += within
                return
            }
            place -= 1
        }
    }
}
