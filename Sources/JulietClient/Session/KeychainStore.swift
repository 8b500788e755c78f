#if canImport(Security)
    import Foundation
    import Security

    /// Keeps secrets in the Keychain of Apple's systems, as generic passwords of one service.
    ///
    /// They lie in the data protection keychain. On macOS it is for what is signed with an application identifier or a keychain group;
    /// an unsigned tool gets -34018 (`errSecMissingEntitlement`) and takes a `FileSecretStore`.
    ///
    /// They outlive the app's removal: `Session.forget()` in an app that runs for the first time begins anew.
    public final class KeychainStore: SecretStore {
        private let service: String
        private let accessGroup: String?
        private let accessibility: Accessibility

        /// When a secret can be read. Neither goes to another device, also not in a backup.
        public enum Accessibility: Sendable {
            /// Once the device was unlocked since its start: the queue can send in the background.
            case afterFirstUnlock
            /// While it is unlocked.
            case whenUnlocked

            fileprivate var value: CFString {
                switch self {
                case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                case .whenUnlocked: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
                }
            }
        }

        /// Keeps secrets under a service's name.
        ///
        /// - Parameters:
        ///   - service: What tells them from other apps': the app's bundle identifier, say.
        ///   - accessGroup: `TEAMID.group.com.example.juliet`, which the app and its extensions have the entitlement for; nil: the
        ///     app's own.
        ///   - accessibility: When a secret can be read.
        public init(
            service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock
        ) {
            self.service = service
            self.accessGroup = accessGroup
            self.accessibility = accessibility
        }

        /// What is kept under a name; nil: nothing.
        ///
        /// - Throws: `SecretStoreError`.
        @concurrent
        public func load(_ name: String) async throws -> [UInt8]? {
            var query = item(name)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try Self.check(status)
            guard let data = found as? Data else { throw SecretStoreError(.damaged) }
            return Array(data)
        }

        /// Keeps a secret in the place of what there was.
        ///
        /// - Throws: `SecretStoreError`.
        @concurrent
        public func save(_ secret: [UInt8], as name: String) async throws {
            let value: [CFString: Any] = [
                kSecValueData: Data(secret), kSecAttrAccessible: accessibility.value,
            ]
            var status = SecItemUpdate(item(name) as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                let new = item(name).merging(value) { _, new in new }
                status = SecItemAdd(new as CFDictionary, nil)
            }
            try Self.check(status)
        }

        /// Forgets what is kept under a name.
        ///
        /// - Throws: `SecretStoreError`.
        @concurrent
        public func delete(_ name: String) async throws {
            let status = SecItemDelete(item(name) as CFDictionary)
            if status != errSecItemNotFound { try Self.check(status) }
        }

        private func item(_ name: String) -> [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
            return item
        }

        private static func check(_ status: OSStatus) throws(SecretStoreError) {
            switch status {
            case errSecSuccess: return
            case errSecInteractionNotAllowed: throw SecretStoreError(.locked, systemError: status)
            default: throw SecretStoreError(.unavailable, systemError: status)
            }
        }
    }
#endif
