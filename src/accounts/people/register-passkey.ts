import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { takeChallenge } from "./challenge.store.ts";
import { createChallenge } from "./challenge.ts";
import type { PeopleContext } from "./context.ts";
import { readOwnLogin } from "./enroll-totp.ts";
import { loadWebauthn } from "./load-webauthn.ts";
import { readPasskeys, storePasskey } from "./passkey.store.ts";
import type { Passkey } from "./passkey.ts";
import { type RelyingParty, relyingParty } from "./relying-party.ts";
import { assertOwnPassword, requireConfirmed } from "./require-person.ts";

/** The options for the browser's WebAuthn call, and the id of the challenge to send back with its response. */
export type Ceremony<Options> = { readonly challenge: string; readonly options: Options };

const algorithms = [-8, -7, -257];
const passkeysMax = 20;
const transportsMax = 16;

/** The relying party. Rejects `invalidValue` if the service's address does not allow passkeys. */
export function requireRelyingParty(context: Pick<PeopleContext, "tokenSettings">): RelyingParty {
  return (
    relyingParty(context.tokenSettings.issuer) ??
    reject("invalidValue", "Passkeys require HTTPS and a domain name.")
  );
}

/** The member's id for authenticators. It contains no personal data. */
export function userHandle({ accountId, memberId }: Principal | Passkey): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${accountId}/${memberId}`);
}

/** Starts the registration of a passkey. Rejects `confirmationDue` and `invalidValue`. */
export async function beginPasskeyRegistration(
  context: PeopleContext,
  principal: Principal,
): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> {
  assertOwnPassword(requireConfirmed(context, principal));
  const party = requireRelyingParty(context);
  const { login } = await readOwnLogin(context, principal);
  const known = await readPasskeys(context.db, principal);
  if (known.length >= passkeysMax)
    reject("invalidValue", `A member has at most ${passkeysMax} passkeys.`);
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: "Sluice",
    rpID: party.id,
    userID: userHandle(principal),
    userName: login,
    challenge: new Uint8Array(context.random.bytes(32)),
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ keyId, transports }) => ({
      id: keyId,
      transports: [...transports] as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const challenge = await createChallenge(context, {
    purpose: "passkey_registration",
    accountId: principal.accountId,
    memberId: principal.memberId,
    expected: options.challenge,
  });
  return { challenge, options };
}

const responsePointer = { pointer: "/data/attributes/response" };

/** Verifies the authenticator's response and stores the passkey. The challenge is consumed in any case. Rejects `invalidValue`. */
export async function finishPasskeyRegistration(
  context: PeopleContext,
  principal: Principal,
  answer: { readonly challenge: string; readonly response: unknown; readonly name: string },
): Promise<Passkey> {
  assertOwnPassword(requireConfirmed(context, principal));
  const party = requireRelyingParty(context);
  const { accountId, memberId } = principal;
  const now = context.clock.now();
  const digest = tokenDigest(answer.challenge);
  const challenge = await takeChallenge(context.db, digest, "passkey_registration", now);
  if (
    challenge?.expected == null ||
    challenge.accountId !== accountId ||
    challenge.memberId !== memberId
  )
    reject("invalidValue", "The challenge was used, has expired or belongs to another member.", {
      pointer: "/data/attributes/challenge",
    });
  const info = await verify(party, challenge.expected, answer.response);
  const { credential, credentialBackedUp } = info;
  return context.db.transaction(async (tx) => {
    const passkey = await storePasskey(tx, {
      accountId,
      memberId,
      name: answer.name,
      keyId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: transportsOf(credential.transports),
      isBackedUp: credentialBackedUp,
      createdAt: now,
    });
    if (passkey === null)
      reject("invalidValue", "This passkey is already registered.", responsePointer);
    await recordAudit(tx, {
      by: principal,
      action: "passkey.registered",
      object: { type: "passkey", id: passkey.id },
      summary: { name: answer.name },
      at: now,
    });
    return passkey;
  });
}

/** The transports that the browser claims. They are not signed, and the library does not validate them. Unknown names are kept. */
function transportsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const names = (value as readonly unknown[]).filter(
    (name): name is string => typeof name === "string" && /^[a-z-]{1,32}$/.test(name),
  );
  return [...new Set(names)].slice(0, transportsMax);
}

async function verify(party: RelyingParty, expectedChallenge: string, response: unknown) {
  const { verifyRegistrationResponse } = await loadWebauthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (verified) return registrationInfo;
  } catch {
    // The caller gets the same answer for every kind of invalid response.
  }
  return reject("invalidValue", "The authenticator's response is invalid.", responsePointer);
}
