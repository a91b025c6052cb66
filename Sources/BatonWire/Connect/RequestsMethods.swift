/// `baton.control.v1.RequestsService`
package enum RequestsMethods {
    private static let service = "baton.control.v1.RequestsService"

    package static let ask = ConnectMethod<Baton_Control_V1_AskRequest, Baton_Control_V1_AskResponse>(service, "Ask")
}
