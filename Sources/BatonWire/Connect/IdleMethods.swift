/// `baton.app.v1.IdleService`
package enum IdleMethods {
    private static let service = "baton.app.v1.IdleService"

    package static let keepAwake = ConnectMethod<Baton_App_V1_KeepAwakeRequest, Baton_App_V1_KeepAwakeResponse>(
        service, "KeepAwake")
}
