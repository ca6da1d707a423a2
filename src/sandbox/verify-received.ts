import { type CallbackVerdict, verifyCallback } from "../../client/src/verify-callback.ts";
import type { SandboxFile } from "./sandbox-file.ts";

/** The demo account's secrets that a receiver needs. */
export type ReceiverSecrets = Pick<SandboxFile, "login" | "password" | "webhook_secret"> & {
  readonly users: readonly { readonly login: string; readonly password: string }[];
};

/**
 * Verifies both signatures. The credential that created the object signs its callbacks, so each of the demo account's
 * credentials is tried.
 */
export async function verifyReceived(
  secrets: ReceiverSecrets,
  received: Parameters<typeof verifyCallback>[0],
  now: Date,
): Promise<CallbackVerdict> {
  const verdicts: CallbackVerdict[] = [];
  for (const { login, password } of [secrets, ...secrets.users]) {
    const known = { credential: { login, password }, webhookSecret: secrets.webhook_secret };
    verdicts.push(await verifyCallback(received, known, { now }));
  }
  const [first = { isGenuine: false, reason: "no credential is known" }] = verdicts;
  return verdicts.find(({ isGenuine }) => isGenuine) ?? first;
}
