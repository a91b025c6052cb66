extension String {
    /// The text as people are shown it where others wrote it: on one line, without what moves a cursor, hides text or changes its
    /// direction, and cut to this many bytes.
    package func shownLine(toBytes limit: Int) -> String {
        var kept = UnicodeScalarView()
        // Cut first: a long text costs no more than a short one.
        for scalar in unicodeScalars.prefix(max(0, limit)) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: kept.append(" ")
            // Scripts and emoji need the joiners.
            case .format where scalar.value != 0x200C && scalar.value != 0x200D: continue
            case .surrogate, .unassigned, .privateUse: continue
            default: kept.append(scalar)
            }
        }
        return String(kept).shortened(toBytes: limit)
    }
}
