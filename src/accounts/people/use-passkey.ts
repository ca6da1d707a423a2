import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import { takeChallenge } from "./challenge.store.ts";
import { challengeDigest, openChallenge } from "./challenge.ts";
import type { PeopleContext, Whereabouts } from "./context.ts";
import { openSession, type PersonTokens } from "./open-session.ts";
import { readPasskeyByKey, storePasskeyUse } from "./passkey.store.ts";
import type { Passkey } from "./passkey.ts";
import { type Ceremony, requireRelyingParty, userHandle } from "./register-passkey.ts";
import type { RelyingParty } from "./relying-party.ts";
import { recordFailure } from "./sign-in.ts";

/** Begins a sign-in (or a confirmation) by whichever passkey the browser's user chooses: it names nobody. */
export async function beginPasskeyUse(
  context: PeopleContext,
): Promise<Ceremony<PublicKeyCredentialRequestOptionsJSON>> {
  const party = requireRelyingParty(context);
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(context.random.bytes(32)),
    userVerification: "required",
  });
  const challenge = await openChallenge(context, {
    purpose: "passkey_sign_in",
    accountId: null,
    memberId: null,
    expected: options.challenge,
  });
  return { challenge, options };
}

export type PasskeyAnswer = { readonly challenge: string; readonly response: unknown };

/** Signs a person in by a passkey alone: possession and what unlocks it are two factors. Rejects `unauthenticated`. */
export async function signInByPasskey(
  context: PeopleContext,
  answer: PasskeyAnswer,
  from: Whereabouts,
): Promise<PersonTokens> {
  const { accountId, memberId } = await provePasskey(context, answer, from);
  return openSession(context, { accountId, memberId }, from, () => Promise.resolve("passkey"));
}

/**
 * Whose passkey answered. The challenge is used up first and the counter moved on before anything is opened, so that an answer is
 * good once whatever happens. Rejects `unauthenticated`.
 */
export async function provePasskey(
  context: PeopleContext,
  { challenge, response }: PasskeyAnswer,
  from: Whereabouts,
): Promise<Passkey> {
  const party = requireRelyingParty(context);
  const now = context.clock.now();
  const digest = challengeDigest(challenge);
  const asked = await takeChallenge(context.db, digest, "passkey_sign_in", now);
  const keyId = keyIdOf(response);
  const passkey = keyId === null ? null : await readPasskeyByKey(context.db, keyId);
  if (asked?.expected == null || passkey === null) throw unauthenticated();
  const used = await verify(party, asked.expected, response, passkey);
  if (used === null || !(await storePasskeyUse(context.db, passkey.keyId, { ...used, at: now }))) {
    await recordFailure(context, passkey, "passkey", from);
    throw unauthenticated();
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
    // The library does not compare whom the authenticator names.
    const named = answer.response.userHandle;
    const isOwner =
      named === undefined || named === Buffer.from(userHandle(passkey)).toString("base64url");
    if (!verified || !isOwner) return null;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { counter: newCounter, isBackedUp: credentialBackedUp };
  } catch {
    // Whatever is wrong with what a browser sent, the caller is told the same.
    return null;
  }
}
