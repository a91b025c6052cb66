/// The meanings of `$(name)` in a pattern: the predefined variables, and those of the file.
struct SubstitutionVariables: Sendable {
    /// The meaning of one variable.
    enum Meaning: Sendable {
        /// Any one of these characters.
        case characters(ASCIIClass)
        /// Any one of these codes of two letters.
        case codes(CodeTable)
        /// Any one of these patterns, which have no variables.
        case values([String])
    }

    private let defined: [String: [String]]

    /// - Parameter defined: of the file. The predefined names are not for it to define.
    init(_ defined: [String: [String]] = [:]) { self.defined = defined }

    subscript(name: String) -> Meaning? {
        if let predefined = Self.predefined[name] { return predefined }
        return defined[name].map(Meaning.values)
    }

    static let predefined: [String: Meaning] = [
        "alpha": .characters(.letters), "upper": .characters(.capitals), "lower": .characters(.smallLetters),
        "alnum": .characters(.lettersAndDigits), "digit": .characters(.digits), "xdigit": .characters(.hexDigits),
        "region": .codes(.regions), "lang": .codes(.languages),
    ]
}

/// A set of ASCII characters, as C's `isalpha` and its like have them.
enum ASCIIClass: UInt8, Sendable {
    case letters, capitals, smallLetters, lettersAndDigits, digits, hexDigits

    func contains(_ unit: UInt32) -> Bool {
        let isDigit = (0x30...0x39).contains(unit)
        let isCapital = (0x41...0x5A).contains(unit)
        let isSmall = (0x61...0x7A).contains(unit)
        switch self {
        case .letters: return isCapital || isSmall
        case .capitals: return isCapital
        case .smallLetters: return isSmall
        case .lettersAndDigits: return isCapital || isSmall || isDigit
        case .digits: return isDigit
        case .hexDigits: return isDigit || (0x41...0x46).contains(unit) || (0x61...0x66).contains(unit)
        }
    }

    /// For text whose capitals were made small.
    var ignoringCase: ASCIIClass { self == .capitals ? .smallLetters : self }
}

/// A set of codes of two letters each.
struct CodeTable: Sendable {
    private let isCapital: Bool
    /// One bit for each pair of letters.
    private let bits: [UInt64]

    init(_ codes: String, isCapital: Bool) {
        self.isCapital = isCapital
        var bits = [UInt64](repeating: 0, count: (26 * 26 + 63) / 64)
        for code in codes.split(separator: " ") {
            let letters = code.utf8.map { Int($0 | 0x20) - 0x61 }
            let index = letters[0] * 26 + letters[1]
            bits[index / 64] |= 1 << UInt64(index % 64)
        }
        self.bits = bits
    }

    private init(isCapital: Bool, bits: [UInt64]) {
        self.isCapital = isCapital
        self.bits = bits
    }

    /// For text whose capitals were made small.
    var ignoringCase: CodeTable { CodeTable(isCapital: false, bits: bits) }

    func contains(_ first: UInt32, _ second: UInt32) -> Bool {
        let base: UInt32 = isCapital ? 0x41 : 0x61
        guard (base...(base + 25)).contains(first), (base...(base + 25)).contains(second) else { return false }
        let index = Int(first - base) * 26 + Int(second - base)
        return bits[index / 64] & (1 << UInt64(index % 64)) != 0
    }

    /// ISO 3166-1 alpha-2.
    static let regions = CodeTable(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
        CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
        FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
        JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
        MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
        PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
        TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
        """, isCapital: true)

    /// ISO 639-1.
    static let languages = CodeTable(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en \
        eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja \
        jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb \
        nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq \
        sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """, isCapital: false)
}
