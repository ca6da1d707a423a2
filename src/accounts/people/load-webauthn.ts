/** Loads the library for passkeys, which takes 27 MB of memory and a tenth of a second, when someone first uses one. */
export function loadWebauthn(): Promise<typeof import("@simplewebauthn/server")> {
  return import("@simplewebauthn/server");
}
