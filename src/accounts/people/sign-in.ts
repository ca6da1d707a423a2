import type { Executor } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { Rejected, rejection } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addressBlock } from "../tokens/address-block.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { verifyPassword } from "../tokens/password-hash.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import { readChallenge, takeChallenge } from "./challenge.store.ts";
import { challengeSeconds, createChallenge } from "./challenge.ts";
import { consumeCode } from "./consume-code.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import { type Factors, hasFactor, readFactors } from "./factor.store.ts";
import { readDeviceId } from "./known-device.ts";
import { countUnknownLogin, limitGuesses } from "./limit-guesses.ts";
import { holdPassword, type PersonLogin, readPersonLogin } from "./person-login.store.ts";
import { type PersonTokens, startSession } from "./start-session.ts";

/** A member whose password was correct. */
type Known = { readonly accountId: string; readonly memberId: string };

/**
 * Signs in a person with login and password. Credentials of programs are not accepted, exactly like unknown logins. Rejects
 * `unauthenticated`, `throttled`, and `secondFactorDue` with the id of a challenge in `meta`, which is valid for five minutes.
 */
export async function signIn(
  context: PeopleContext,
  { login, password }: { readonly login: string; readonly password: string },
  from: ClientInfo,
): Promise<PersonTokens> {
  const name = login.toLowerCase();
  // PostgreSQL cannot store NUL, so no login contains it.
  const found = name.includes("\0") ? null : await readPersonLogin(context.db, name);
  const network = `${name} ${addressBlock(from.ip)}`;
  const device = readDeviceId(context, found, from.device);
  const check = () => checkPassword(context, found, password, { ...from, network });
  // Guesses from another network do not lock the person out, and guesses in the same network do not lock out a known browser.
  const known = await (device === null
    ? limitGuesses(context, "login", network, check)
    : limitGuesses(context, "device", device, check));
  const { accountId, memberId } = known;
  const factors = await readFactors(context.db, accountId, memberId);
  if (!hasFactor(factors))
    return startSession(context, { accountId, memberId }, from, async (tx) => {
      await assertStillPassword(tx, known);
      return null;
    });
  const challenge = await context.db.transaction(async (tx) => {
    await assertStillPassword(tx, known);
    return createChallenge(
      { ...context, db: tx },
      { purpose: "second_factor", accountId, memberId, expected: null },
    );
  });
  throw secondFactorDue(challenge, factors, addSeconds(context.clock.now(), challengeSeconds));
}

/** The password may have been changed while it was verified, by someone who wants this sign-in to fail. */
async function assertStillPassword(tx: Executor, known: PersonLogin): Promise<void> {
  if (!(await holdPassword(tx, known))) throw unauthenticated("login");
}

/**
 * Verifies the password. For an unknown login it does the same work, so that the response time does not reveal whether a login exists: it
 * verifies the password against a hash of the same cost that nothing matches, and writes in a transaction with as many statements.
 */
async function checkPassword(
  context: PeopleContext,
  found: PersonLogin | null,
  password: string,
  from: ClientInfo & { readonly network: string },
): Promise<PersonLogin> {
  const { people, random } = context;
  const hash = found?.passwordHash ?? null;
  const isRight = await verifyPassword(hash, password, people.hashing, random);
  if (isRight && found?.isActive === true) return found;
  if (found === null) await countUnknownLogin(context, from.network);
  else await recordFailure(context, found, isRight ? "not_usable" : "password", from);
  throw unauthenticated("login");
}

/** Records a failed sign-in, so that Owners see attempts on their members' logins. */
export async function recordFailure(
  context: PeopleContext,
  who: Known,
  failed: string,
  from: ClientInfo,
): Promise<void> {
  await context.db.transaction((tx) =>
    recordAudit(tx, {
      by: { accountId: who.accountId, memberId: who.memberId, ip: from.ip },
      action: "session.refused",
      object: null,
      summary: { failed },
      at: context.clock.now(),
    }),
  );
}

function secondFactorDue(challenge: string, factors: Factors, expiresAt: Instant): Rejected {
  const methods = [
    ...(factors.hasTotp ? ["totp"] : []),
    ...(factors.passkeys > 0 ? ["passkey"] : []),
    ...(factors.recoveryCodesLeft > 0 ? ["recovery_code"] : []),
  ];
  return new Rejected({
    ...rejection("secondFactorDue", "Enter a code or use a passkey to finish signing in."),
    meta: { challenge, methods: methods.join(","), expired_at: formatTimestamp(expiresAt) },
  });
}

/**
 * Signs in a person who entered the password, with the challenge that the password step returned and a code. Challenge, code and session
 * change in one transaction: a wrong code leaves the challenge usable, and of two correct parallel answers one starts a session. Rejects
 * `unauthenticated`, and `throttled` after ten wrong codes for a member across all challenges.
 */
export async function finishSignIn(
  context: PeopleContext,
  answer: { readonly challenge: string; readonly code: string },
  from: ClientInfo,
): Promise<PersonTokens> {
  const digest = tokenDigest(answer.challenge);
  const challenge = await readChallenge(context.db, digest, "second_factor", context.clock.now());
  if (challenge === null || challenge.accountId === null || challenge.memberId === null)
    throw unauthenticated("code");
  const member = { accountId: challenge.accountId, memberId: challenge.memberId };
  return limitGuesses(context, "code", member.memberId, async () => {
    try {
      return await startSession(context, member, from, async (tx) => {
        const taken = await takeChallenge(tx, digest, "second_factor", context.clock.now());
        const used = taken === null ? null : await consumeCode(tx, context, member, answer.code);
        if (used === null) throw unauthenticated("code");
        return used;
      });
    } catch (error) {
      if (error instanceof Rejected) await recordFailure(context, member, "code", from);
      throw error;
    }
  });
}
