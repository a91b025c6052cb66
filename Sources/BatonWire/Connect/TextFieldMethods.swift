/// `baton.app.v1.TextFieldService`
package enum TextFieldMethods {
    private static let service = "baton.app.v1.TextFieldService"

    package static let suggestForField = ConnectMethod<
        Baton_App_V1_SuggestForFieldRequest, Baton_App_V1_SuggestForFieldResponse
    >(service, "SuggestForField")
}
