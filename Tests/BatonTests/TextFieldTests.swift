import Foundation
import Testing

@testable import Baton

/// Fields of text, and what they are for.
@MainActor
@Suite struct TextFieldTests {
    @Test("the types that the source names have Apple's values, which are the tokens of web pages (P-38)")
    func types() {
        let types: [(UITextContentType, String)] = [
            (.name, "name"), (.givenName, "given-name"), (.familyName, "family-name"), (.location, "location"),
            (.fullStreetAddress, "street-address"), (.addressCityAndState, "address-level1+2"),
            (.telephoneNumber, "tel"), (.emailAddress, "email"),
        ]
        for (type, value) in types { #expect(type.rawValue == value) }
    }

    @Test("a field says what it is for, by the traits that every text input has (P-36, P-39)")
    func traits() {
        let field = UITextField()
        #expect(field.textContentType == nil)
        field.textContentType = .fullStreetAddress
        let traits: any UITextInputTraits = field
        #expect(traits.textContentType == .fullStreetAddress)
        let view = UITextView()
        view.textContentType = .location
        #expect((view as any UITextInputTraits).textContentType == .location)
    }

    @Test(
        "a place is expected after words that lead to one, and nowhere else (P-26)",
        arguments: [
            ("Let's meet at ", true), ("let’s MEET AT ", true), ("Come to ", true), ("My address is ", true),
            ("Address: ", true), ("Wir treffen uns, komm zu ", true), ("Adresse: ", true), ("Restoranın adresi ", true),
            ("Orada buluşalım ", true), ("BULUŞMA YERİ ", true), ("Adres: ", true),
            ("Let's meet at", false), ("Let's meet at 5 ", false), ("become to ", false), ("", false), (" ", false),
        ])
    func phrases(text: String, isEnd: Bool) { #expect(PlacePhrases.end(text) == isEnd) }

    @Test("without a daemon a field offers nothing, and a loop over it begins all the same and ends with the field")
    func alone() async {
        var field: UITextField? = UITextField()
        field?.textContentType = .fullStreetAddress
        field?.becomeFirstResponder()
        var suggestions = field?.suggestions.makeAsyncIterator()
        #expect(await suggestions?.next() == [])
        field = nil
        #expect(await suggestions?.next() == nil)
    }

    private final class Field: UITextField {
        var window: UIWindow?
        override var next: UIResponder? { window }
    }

    /// Lets the person leave a field, or not.
    private final class Guard: UITextFieldDelegate {
        var lets = false
        func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { lets }
    }

    @Test("a window has one first responder, which gives way to the next one if its delegate lets it")
    func first() {
        let (one, other, guardian, window) = (Field(), Field(), Guard(), UIWindow())
        let elsewhere = UITextField()
        (one.window, other.window, one.delegate) = (window, window, guardian)
        #expect(one.becomeFirstResponder() && elsewhere.becomeFirstResponder())
        #expect(!other.becomeFirstResponder() && one.isFirstResponder && one.isEditing && !other.isEditing)
        guardian.lets = true
        #expect(other.becomeFirstResponder() && !one.isFirstResponder && !one.isEditing && other.isEditing)
        #expect(elsewhere.isFirstResponder && elsewhere.isEditing)
        // A window takes no text itself.
        #expect(!window.becomeFirstResponder() && window.resignFirstResponder() && other.isFirstResponder)
        #expect(other.resignFirstResponder() && !other.isFirstResponder && !other.isEditing)
    }
}
