#if canImport(Security)
    import Foundation
    import Security

    /// Keeps secrets in the Keychain of Apple's systems, as generic passwords of one service.
    ///
    /// They lie in the data protection keychain. On macOS it is for what is signed with an application identifier or a keychain group;
    /// an unsigned tool gets -34018 (`errSecMissingEntitlement`) and takes a `FileSecretStore`.
    ///
    /// They outlive the app's removal: call `Session.forget()` when an app runs for the first time.
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
        ///   - service: A name that distinguishes them from other apps' secrets, such as the app's bundle identifier.
        ///   - accessGroup: A group of Keychain Sharing, `TEAMID.com.example.juliet`, or an app group, `group.com.example.juliet`, for
        ///     which the app and its extensions have the entitlement; nil: new secrets go to the app's first group, and all its
        ///     groups are searched.
        ///   - accessibility: When a secret can be read.
        public init(
            service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock
        ) {
            self.service = service
            self.accessGroup = accessGroup
            self.accessibility = accessibility
        }

        /// The secret stored under a name; nil: none.
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

        /// Stores a secret, replacing the former one.
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
                // Somebody else has added it meanwhile.
                if status == errSecDuplicateItem {
                    status = SecItemUpdate(item(name) as CFDictionary, value as CFDictionary)
                }
            }
            try Self.check(status)
        }

        /// Deletes the secret stored under a name.
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
