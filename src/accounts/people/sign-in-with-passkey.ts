import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import { takeChallenge } from "./challenge.store.ts";
import { createChallenge } from "./challenge.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import { loadWebauthn } from "./load-webauthn.ts";
import { holdPasskey, readPasskeyByKey, storePasskeyUse } from "./passkey.store.ts";
import type { Passkey } from "./passkey.ts";
import { type Ceremony, requireRelyingParty, userHandle } from "./register-passkey.ts";
import type { RelyingParty } from "./relying-party.ts";
import { recordFailure } from "./sign-in.ts";
import { type PersonTokens, startSession } from "./start-session.ts";

/** Starts a sign-in or confirmation with any passkey that the user chooses. */
export async function beginPasskeySignIn(
  context: PeopleContext,
): Promise<Ceremony<PublicKeyCredentialRequestOptionsJSON>> {
  const party = requireRelyingParty(context);
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(context.random.bytes(32)),
    userVerification: "required",
  });
  const challenge = await createChallenge(context, {
    purpose: "passkey_sign_in",
    accountId: null,
    memberId: null,
    expected: options.challenge,
  });
  return { challenge, options };
}

export type PasskeyAnswer = { readonly challenge: string; readonly response: unknown };

/** Signs in a person with a passkey alone, which is two factors: possession and what unlocks it. Rejects `unauthenticated`. */
export async function signInWithPasskey(
  context: PeopleContext,
  answer: PasskeyAnswer,
  from: ClientInfo,
): Promise<PersonTokens> {
  const { accountId, memberId, keyId } = await verifyPasskey(context, answer, from);
  return startSession(context, { accountId, memberId }, from, async (tx) => {
    if (!(await holdPasskey(tx, keyId))) throw unauthenticated("passkey");
    return "passkey";
  });
}

/**
 * Verifies a passkey's response and returns the passkey. The challenge is consumed first, and the counter stored before a session starts,
 * so that a response works only once even after a crash. Rejects `unauthenticated`.
 */
export async function verifyPasskey(
  context: PeopleContext,
  { challenge, response }: PasskeyAnswer,
  from: ClientInfo,
): Promise<Passkey> {
  const party = requireRelyingParty(context);
  const now = context.clock.now();
  const digest = tokenDigest(challenge);
  const issued = await takeChallenge(context.db, digest, "passkey_sign_in", now);
  const keyId = keyIdOf(response);
  const passkey = keyId === null ? null : await readPasskeyByKey(context.db, keyId);
  if (issued?.expected == null || passkey === null) throw unauthenticated("passkey");
  const used = await verify(party, issued.expected, response, passkey);
  if (used === null || !(await storePasskeyUse(context.db, passkey.keyId, { ...used, at: now }))) {
    await recordFailure(context, passkey, "passkey", from);
    throw unauthenticated("passkey");
  }
  return passkey;
}

function keyIdOf(response: unknown): string | null {
  if (typeof response !== "object" || response === null || !("id" in response)) return null;
  return typeof response.id === "string" && !response.id.includes("\0") ? response.id : null;
}

async function verify(
  party: RelyingParty,
  expectedChallenge: string,
  response: unknown,
  passkey: Passkey,
): Promise<{ readonly counter: number; readonly isBackedUp: boolean } | null> {
  const answer = response as AuthenticationResponseJSON;
  const { verifyAuthenticationResponse } = await loadWebauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.keyId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: [...passkey.transports] as AuthenticatorTransport[],
      },
    });
    // The library does not compare the authenticator's user handle.
    const named = answer.response.userHandle;
    const isOwner =
      named === undefined || named === Buffer.from(userHandle(passkey)).toString("base64url");
    if (!verified || !isOwner) return null;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { counter: newCounter, isBackedUp: credentialBackedUp };
  } catch {
    // The caller gets the same answer for every kind of invalid response.
    return null;
  }
}
