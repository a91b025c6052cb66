/// A message to the program with the window. Each is one line of JSON on its standard input.
package enum FormCommand: Sendable, Hashable, Codable {
    /// The suggestions for a field, the likeliest first, each with where it was seen. At most three are shown.
    case offer(field: FormField, texts: [String])
    /// Puts a text into a field, in place of what is there.
    case write(field: FormField, text: String)
}

package enum FormField: String, Sendable, Hashable, Codable, CaseIterable {
    case address
    case message
}

/// A message of the program with the window. Each is one line of JSON on its standard output.
package enum FormEvent: Sendable, Hashable, Codable {
    /// The window is there.
    case ready
    /// The person went into a field.
    case focused(field: FormField)
    /// The person typed: all of the field's text.
    case edited(field: FormField, text: String)
    /// The person has taken a suggestion, by its place in the list.
    case took(field: FormField, offer: Int)
    /// The person has closed the window.
    case closed
}
