/// Values of the type TEXT.
package enum CalendarText {
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case ";": result += "\\;"
            case ",": result += "\\,"
            case "\n": result += "\\n"
            case "\r": break
            default:
                // Other control characters are allowed nowhere.
                if scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    package static func unescaped(_ value: String) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if isEscaped {
                result.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
