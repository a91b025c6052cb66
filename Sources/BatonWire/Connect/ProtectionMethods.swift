/// `baton.control.v1.ProtectionService`
package enum ProtectionMethods {
    private static let service = "baton.control.v1.ProtectionService"

    package static let getProtection = ConnectMethod<
        Baton_Control_V1_GetProtectionRequest, Baton_Control_V1_ProtectionState
    >(service, "GetProtection")
    package static let setPassphrase = ConnectMethod<
        Baton_Control_V1_SetPassphraseRequest, Baton_Control_V1_ProtectionState
    >(service, "SetPassphrase")
    package static let lock = ConnectMethod<
        Baton_Control_V1_LockRequest, Baton_Control_V1_ProtectionState
    >(service, "Lock")
    package static let unlock = ConnectMethod<
        Baton_Control_V1_UnlockRequest, Baton_Control_V1_ProtectionState
    >(service, "Unlock")
}
