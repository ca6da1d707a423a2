import { createHash } from "node:crypto";

/** The interface's callback key: raw SHA-256 of login and password without a separator (32 bytes). */
export function callbackKeyOf(login: string, password: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(login).update(password).digest());
}

/** The context that a credential's callback key is sealed with. */
export function callbackKeyContext(credentialId: string): string {
  return `credential/${credentialId}/callback-key`;
}
