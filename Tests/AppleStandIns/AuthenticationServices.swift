// swift-format-ignore-file

public import Foundation

// What the documentation's samples use of AuthenticationServices, as Swift imports it, so that they can be compiled where there
// is none. Nothing of it is ever run.

public protocol ASAuthorizationCredential: AnyObject {}

open class ASAuthorization {
    public var credential: any ASAuthorizationCredential { fatalError() }
}

open class ASAuthorizationRequest {}

public struct ASAuthorizationError: Error {
    public enum Code: Sendable {
        case failed
    }

    public init(_ code: Code) {}
}

// MARK: Apple

open class ASAuthorizationAppleIDRequest: ASAuthorizationRequest {
    public var nonce: String?
}

open class ASAuthorizationAppleIDProvider {
    public init() {}
    public func createRequest() -> ASAuthorizationAppleIDRequest { fatalError() }
}

open class ASAuthorizationAppleIDCredential: ASAuthorizationCredential {
    public var identityToken: Data? { fatalError() }
}

// MARK: Passkeys

open class ASAuthorizationPlatformPublicKeyCredentialProvider {
    public init(relyingPartyIdentifier: String) {}
    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest { fatalError() }
    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest { fatalError() }
}

open class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {}
open class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {}

open class ASAuthorizationPlatformPublicKeyCredentialRegistration: ASAuthorizationCredential {
    public var credentialID: Data { fatalError() }
    public var rawClientDataJSON: Data { fatalError() }
    public var rawAttestationObject: Data? { fatalError() }
}

open class ASAuthorizationPlatformPublicKeyCredentialAssertion: ASAuthorizationCredential {
    public var credentialID: Data { fatalError() }
    public var rawClientDataJSON: Data { fatalError() }
    public var rawAuthenticatorData: Data! { fatalError() }
    public var signature: Data! { fatalError() }
    public var userID: Data! { fatalError() }
}
