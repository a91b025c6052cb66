/// A pattern of a site file, compiled: `*` any text, `?` any one character, `$(name)` a substitution variable.
///
/// Matching simulates the pattern's automaton with a set of states, so that nothing is ever tried twice: at each
/// character of the text, each instruction is visited at most once. The steps are thus at most
/// ``length`` × (characters of the text + 1), whatever pattern and text are. `length` counts one for each character of
/// the pattern, and for each use of a variable of the file all characters of all of its values, plus two for each value
/// and one for the use. A predefined variable counts one or two.
package struct Pattern: Sendable {
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

    enum Instruction: Sendable {
        case literal(UInt32)
        case anyCharacter
        case characters(ASCIIClass)
        /// The second letter of a code whose first one was just passed.
        case endOfCode(table: UInt8)
        /// Any text, then what follows.
        case anyText
        /// One of the `count` places that begin at `first` of `targets`.
        case alternatives(first: UInt32, count: UInt32)
        case jump(UInt32)
        case end
    }

    /// As in the file.
    package let source: String
    package let options: Options
    /// Literals at the beginning, compared first: most patterns fail there.
    let prefix: [UInt32]
    /// After the prefix.
    let instructions: [Instruction]
    let targets: [UInt32]
    let tables: [CodeTable]

    /// The factor of the bound on steps that depends on the pattern alone.
    package var length: Int { prefix.count + instructions.count }

    /// Matches everything.
    package var isAnything: Bool {
        guard prefix.isEmpty, instructions.count == 2, case .anyText = instructions[0] else { return false }
        return true
    }

    /// - Parameter asPath: begins the pattern with “/” when it begins with another character, as paths always do.
    /// - Throws: ``Problem``.
    init(
        _ source: String, options: Options = Options(), variables: SubstitutionVariables = .init(),
        maximumLength: Int = Self.maximumLength, asPath: Bool = false
    ) throws(Problem) {
        var compiler = PatternCompiler(options: options, variables: variables, maximumLength: maximumLength)
        try compiler.compile(source, asPath: asPath)
        self.source = source
        self.options = options
        var prefix: [UInt32] = []
        for instruction in compiler.instructions {
            guard case .literal(let unit) = instruction else { break }
            prefix.append(unit)
        }
        self.prefix = prefix
        instructions = compiler.instructions.dropFirst(prefix.count).map { instruction in
            if case .jump(let target) = instruction { .jump(target - UInt32(prefix.count)) } else { instruction }
        }
        targets = compiler.targets.map { $0 - UInt32(prefix.count) }
        tables = compiler.tables
    }

    /// A pattern that knows the predefined variables only.
    package init(predefinedOnly source: String) throws { try self.init(source) }

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
    private(set) var instructions: [Pattern.Instruction] = []
    private(set) var targets: [UInt32] = []
    private(set) var tables: [CodeTable] = []

    init(options: Pattern.Options, variables: SubstitutionVariables, maximumLength: Int) {
        self.options = options
        self.variables = variables
        self.maximumLength = maximumLength
    }

    mutating func compile(_ source: String, asPath: Bool) throws(Pattern.Problem) {
        var units = options.units(ofPattern: source)[...]
        if asPath, let first = units.first, ![0x2F, 0x2A, 0x3F, 0x24].contains(first) { try add(.literal(0x2F)) }
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
        guard instructions.count < maximumLength else { throw .tooLong }
        instructions.append(instruction)
    }

    private mutating func addUnit(_ unit: UInt32) throws(Pattern.Problem) {
        switch unit {
        case 0x2A:
            if case .anyText = instructions.last { return }
            try add(.anyText)
        case 0x3F: try add(.anyCharacter)
        default: try add(.literal(options.folded(unit)))
        }
    }

    private mutating func addVariable(_ name: String) throws(Pattern.Problem) {
        switch variables[name] {
        case nil: throw .unknownVariable(name)
        case .characters(let set):
            try add(.characters(options.isCaseSensitive ? set : set.ignoringCase))
        case .codes(let table):
            // At most one of each predefined table is needed; 255 uses are far more than a pattern can want.
            guard tables.count < 255 else { throw .tooLong }
            tables.append(options.isCaseSensitive ? table : table.ignoringCase)
            try add(.anyCharacter)
            try add(.endOfCode(table: UInt8(tables.count - 1)))
        case .values(let values):
            try addAlternatives(values)
        }
    }

    private mutating func addAlternatives(_ values: [String]) throws(Pattern.Problem) {
        let first = targets.count
        try add(.alternatives(first: UInt32(first), count: UInt32(values.count)))
        targets += repeatElement(0, count: values.count)
        var jumps: [Int] = []
        for (index, value) in values.enumerated() {
            targets[first + index] = UInt32(instructions.count)
            for unit in options.units(ofPattern: value) { try addUnit(unit) }
            jumps.append(instructions.count)
            try add(.jump(0))
        }
        for jump in jumps { instructions[jump] = .jump(UInt32(instructions.count)) }
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
    /// A pattern's characters, not folded yet: names of variables are case-sensitive.
    func units(ofPattern text: String) -> [UInt32] {
        guard isPercentEncoded, text.utf8.contains(UInt8(ascii: "%")) else { return text.unicodeScalars.map(\.value) }
        return Self.withCapitalEscapes(text.unicodeScalars.map(\.value))
    }

    /// What a percent-encoded part of a URL is compared as.
    func units(ofURL bytes: some Collection<UInt8>) -> [UInt32] {
        if isPercentEncoded { return bytes.map { folded(UInt32($0)) } }
        // What is no UTF-8 becomes U+FFFD, which only wildcards match.
        return String(decoding: PercentEncoding.decoded(bytes), as: UTF8.self).unicodeScalars.map { folded($0.value) }
    }

    func folded(_ unit: UInt32) -> UInt32 {
        if isCaseSensitive { return unit }
        if unit < 0x80 { return (0x41...0x5A).contains(unit) ? unit | 0x20 : unit }
        guard let scalar = Unicode.Scalar(unit) else { return unit }
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        return mapping.count == 1 ? mapping.first?.value ?? unit : unit
    }

    private static func withCapitalEscapes(_ units: [UInt32]) -> [UInt32] {
        var units = units
        for index in units.indices where units[index] == 0x25 && index + 2 < units.count {
            let digits = units[(index + 1)...(index + 2)]
            guard digits.allSatisfy(ASCIIClass.hexDigits.contains) else { continue }
            for place in (index + 1)...(index + 2) where units[place] >= 0x61 { units[place] -= 0x20 }
        }
        return units
    }
}
