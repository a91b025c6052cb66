/// A pattern of a site file, compiled: `*` any text, `?` any one character, `$(name)` a substitution variable.
///
/// Nothing is ever tried twice. A pattern whose variables all stand for single characters is a list of segments between
/// its `*`, of which each is looked for once, to the right of the one before. Any other is an automaton that is simulated
/// with a set of states, of which each is visited at most once at each character of the text. The steps are thus at most
/// ``length`` × (characters of the text + 1), whatever pattern and text are. `length` counts one for each character of
/// the pattern and one more, and for each use of a variable of the file all characters of all of its values, one for each
/// value, and one for the use. A predefined variable counts one or two. A path takes at most twice as many steps.
///
/// A class, so that going through a thousand rules copies no patterns.
package final class Pattern: Sendable {
    /// How the pattern is compared.
    package struct Options: Sendable, Hashable {
        package var isCaseSensitive = true
        /// The URL is compared in its percent-encoded form; else decoded, as Unicode.
        package var isPercentEncoded = true

        package init(isCaseSensitive: Bool = true, isPercentEncoded: Bool = true) {
            self.isCaseSensitive = isCaseSensitive
            self.isPercentEncoded = isPercentEncoded
        }
    }

    /// Matches one character: that character itself, or one of a kind (numbers that are no character).
    struct Unit: RawRepresentable, Sendable, Hashable {
        let rawValue: UInt32

        static let slash = Unit(rawValue: 0x2F)
        static let anyCharacter = Unit(rawValue: 0x11_0000)
        static func characters(_ set: ASCIIClass) -> Unit { Unit(rawValue: 0x11_0100 + UInt32(set.rawValue)) }
        /// The second letter of a code whose first one was just passed.
        static func endOfCode(table: UInt8) -> Unit { Unit(rawValue: 0x11_0200 + UInt32(table)) }

        /// For one of a kind: whether it takes the character at `index`.
        func passes(_ text: [UInt32], _ index: Int, _ tables: [CodeTable]) -> Bool {
            guard rawValue >= Self.anyCharacter.rawValue else { return false }
            if self == .anyCharacter { return true }
            if rawValue >= 0x11_0200 {
                return index > 0 && tables[Int(rawValue - 0x11_0200)].contains(text[index - 1], text[index])
            }
            return ASCIIClass(rawValue: UInt8(rawValue - 0x11_0100))?.contains(text[index]) ?? false
        }
    }

    /// The units before the first `*`, between two, and after the last; no tail where there is no `*`.
    struct Segments: Sendable {
        var head: [Unit] = []
        var middle: [[Unit]] = []
        var tail: [Unit]?
        let minimumLength: Int

        /// - Parameter elements: nil for `*`.
        init(_ elements: [Unit?]) {
            let parts = elements.split(omittingEmptySubsequences: false) { $0 == nil }.map { $0.compactMap(\.self) }
            head = parts[0]
            if parts.count > 1 {
                middle = Array(parts[1..<(parts.count - 1)])
                tail = parts[parts.count - 1]
            }
            minimumLength = parts.reduce(0) { $0 + $1.count }
        }
    }

    struct Automaton: Sendable {
        var instructions: [Instruction] = []
        var targets: [UInt32] = []
    }

    enum Instruction: Sendable {
        case unit(Unit)
        /// Any text, then what follows.
        case anyText
        /// One of the `count` places that begin at `first` of `targets`.
        case alternatives(first: UInt32, count: UInt32)
        case jump(UInt32)
        case end
    }

    enum Form: Sendable {
        case segments(Segments)
        case automaton(Automaton)
    }

    /// As in the file.
    package let source: String
    package let options: Options
    /// The factor of the bound on steps that depends on the pattern alone.
    package let length: Int
    /// Matches everything.
    package let isAnything: Bool
    /// Characters of the shortest text that could match, as far as that is simply known.
    let minimumLength: Int
    let form: Form
    /// For a path's pattern of segments: of each, one matches a path without slashes at its end if the pattern does.
    let pathSegments: [Segments]
    let tables: [CodeTable]

    /// - Parameter asPath: begins the pattern with one “/” when it begins with another character, as paths always do, or with
    ///   several, as Apple's devices read it.
    /// - Throws: ``Problem``.
    init(
        _ source: String, options: Options = Options(), variables: SubstitutionVariables = .init(),
        maximumLength: Int = Pattern.maximumLength, asPath: Bool = false
    ) throws(Problem) {
        var compiler = PatternCompiler(options: options, variables: variables, maximumLength: maximumLength)
        try compiler.compile(source, asPath: asPath)
        self.source = source
        self.options = options
        tables = compiler.tables
        length = compiler.automaton.instructions.count
        if let elements = compiler.elements {
            let segments = Segments(elements)
            form = .segments(segments)
            pathSegments = asPath ? Self.withoutSlashesAtEnd(elements).map(Segments.init) : []
            minimumLength = segments.minimumLength
            isAnything = minimumLength == 0 && segments.tail != nil
        } else {
            form = .automaton(compiler.automaton)
            pathSegments = []
            minimumLength = 0
            isAnything = false
        }
    }

    /// The variants of a pattern that match a path without its trailing slashes: slashes and `*` at the pattern's own
    /// end are dropped, with and without the first of these `*`.
    private static func withoutSlashesAtEnd(_ elements: [Unit?]) -> [[Unit?]] {
        var kept = elements[...]
        // The slash at the beginning is every path's.
        let beginning = elements.first.map { $0 == .slash } == true ? 1 : 0
        while kept.count > beginning, let last = kept.last, last == nil || last == .slash { kept.removeLast() }
        let rest = elements[kept.endIndex...]
        guard let star = rest.firstIndex(where: { $0 == nil }) else { return [Array(kept)] }
        let withStar = Array(elements[...star])
        return star == rest.startIndex ? [withStar] : [withStar, Array(kept)]
    }

    /// A pattern that knows the predefined variables only.
    package convenience init(predefinedOnly source: String) throws { try self.init(source) }

    /// The instructions of one pattern.
    static let maximumLength = 1 << 16

    enum Problem: Error {
        case unknownVariable(String)
        case tooLong
    }
}

/// Makes the instructions of a pattern.
struct PatternCompiler {
    let options: Pattern.Options
    let variables: SubstitutionVariables
    let maximumLength: Int
    private(set) var automaton = Pattern.Automaton()
    private(set) var tables: [CodeTable] = []

    init(options: Pattern.Options, variables: SubstitutionVariables, maximumLength: Int) {
        self.options = options
        self.variables = variables
        self.maximumLength = maximumLength
    }

    /// The units, each for one character, and nil for `*`; nil altogether where there are alternatives.
    var elements: [Pattern.Unit?]? {
        var elements: [Pattern.Unit?] = []
        for instruction in automaton.instructions {
            switch instruction {
            case .unit(let unit): elements.append(unit)
            case .anyText: elements.append(nil)
            case .alternatives, .jump: return nil
            case .end: break
            }
        }
        return elements
    }

    mutating func compile(_ source: String, asPath: Bool) throws(Pattern.Problem) {
        var units = options.units(ofPattern: source)[...]
        if asPath {
            if let first = units.first, ![0x2F, 0x2A, 0x3F, 0x24].contains(first) { try addUnit(0x2F) }
            while units.count > 1, units.prefix(2).allSatisfy({ $0 == 0x2F }) { units.removeFirst() }
        }
        while let unit = units.popFirst() {
            if unit == 0x24, let name = Self.takeVariable(&units) {
                try addVariable(name)
            } else {
                try addUnit(unit)
            }
        }
        try add(.end)
    }

    private mutating func add(_ instruction: Pattern.Instruction) throws(Pattern.Problem) {
        guard automaton.instructions.count < maximumLength else { throw .tooLong }
        automaton.instructions.append(instruction)
    }

    private mutating func addUnit(_ unit: UInt32) throws(Pattern.Problem) {
        switch unit {
        case 0x2A:
            if case .anyText = automaton.instructions.last { return }
            try add(.anyText)
        case 0x3F: try add(.unit(.anyCharacter))
        default: try add(.unit(Pattern.Unit(rawValue: options.folded(unit))))
        }
    }

    private mutating func addVariable(_ name: String) throws(Pattern.Problem) {
        switch variables[name] {
        case nil: throw .unknownVariable(name)
        case .characters(let set):
            try add(.unit(.characters(options.isCaseSensitive ? set : set.ignoringCase)))
        case .codes(let table):
            guard tables.count < 255 else { throw .tooLong }
            tables.append(options.isCaseSensitive ? table : table.ignoringCase)
            try add(.unit(.anyCharacter))
            try add(.unit(.endOfCode(table: UInt8(tables.count - 1))))
        case .values(let values):
            try addAlternatives(values)
        }
    }

    private mutating func addAlternatives(_ values: [String]) throws(Pattern.Problem) {
        let first = automaton.targets.count
        try add(.alternatives(first: UInt32(first), count: UInt32(values.count)))
        automaton.targets += repeatElement(0, count: values.count)
        var jumps: [Int] = []
        for (index, value) in values.enumerated() {
            automaton.targets[first + index] = UInt32(automaton.instructions.count)
            for unit in options.units(ofPattern: value) { try addUnit(unit) }
            jumps.append(automaton.instructions.count)
            try add(.jump(0))
        }
        for jump in jumps { automaton.instructions[jump] = .jump(UInt32(automaton.instructions.count)) }
    }

    /// The name between `(` and `)`, when that is what follows.
    private static func takeVariable(_ units: inout ArraySlice<UInt32>) -> String? {
        guard units.first == 0x28 else { return nil }
        let name = units.dropFirst().prefix { ![0x24, 0x28, 0x29].contains($0) }
        guard name.endIndex < units.endIndex, units[name.endIndex] == 0x29, !name.isEmpty else { return nil }
        units = units[(name.endIndex + 1)...]
        return String(String.UnicodeScalarView(name.compactMap(Unicode.Scalar.init)))
    }
}

extension Pattern.Options {
    /// A pattern's characters, not folded yet: names of variables are case-sensitive. Escapes are compared as written.
    func units(ofPattern text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    /// The units that a percent-encoded part of a URL is compared as.
    func units(ofURL bytes: some Collection<UInt8>) -> [UInt32] {
        if isPercentEncoded { return bytes.map { folded(UInt32($0)) } }
        // Bytes that are not UTF-8 become U+FFFD, which only wildcards match.
        return String(decoding: PercentEncoding.decoded(bytes), as: UTF8.self).unicodeScalars.map { folded($0.value) }
    }

    func folded(_ unit: UInt32) -> UInt32 {
        if isCaseSensitive { return unit }
        if unit < 0x80 { return (0x41...0x5A).contains(unit) ? unit | 0x20 : unit }
        guard let scalar = Unicode.Scalar(unit) else { return unit }
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        return mapping.count == 1 ? mapping.first?.value ?? unit : unit
    }
}
