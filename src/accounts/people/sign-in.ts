import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { Rejected, rejection } from "../../platform/kernel/rejection.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { addressBlock } from "../tokens/address-block.ts";
import { unmatchableHash, verifyPassword } from "../tokens/password-hash.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import { challengeSeconds, openChallenge } from "./challenge.ts";
import type { PeopleContext, Whereabouts } from "./context.ts";
import { type Factors, hasFactor, readFactors } from "./factor.store.ts";
import { countUnknownLogin, guarded } from "./guess.ts";
import { readDevice } from "./known-device.ts";
import { openSession, type PersonTokens } from "./open-session.ts";
import { type PersonLogin, readPersonLogin } from "./person-login.store.ts";

/** The member whose login and password were given. */
type Known = { readonly accountId: string; readonly memberId: string };

/**
 * Signs a person in by their own login and password; a program's credential is as unknown here as a login that does not exist.
 * Rejects `unauthenticated`, `throttled`, and `secondFactorDue` with the id of a challenge, valid for five minutes, in `meta`.
 */
export async function signIn(
  context: PeopleContext,
  { login, password }: { readonly login: string; readonly password: string },
  from: Whereabouts,
): Promise<PersonTokens> {
  const name = login.toLowerCase();
  // PostgreSQL's text holds no NUL, so no login does.
  const found = name.includes("\0") ? null : await readPersonLogin(context.db, name);
  const network = `${name} ${addressBlock(from.ip)}`;
  const device = readDevice(context, found, from.device);
  const check = () => checkPassword(context, found, password, { ...from, network });
  // Guesses from elsewhere do not lock the person out, nor do a neighbour's lock out a browser that the person has used before.
  const known = await (device === null
    ? guarded(context, "login", network, check)
    : guarded(context, "device", device, check));
  const factors = await readFactors(context.db, known.accountId, known.memberId);
  if (!hasFactor(factors)) return openSession(context, known, from);
  const challenge = await openChallenge(context, {
    purpose: "second_factor",
    accountId: known.accountId,
    memberId: known.memberId,
    expected: null,
  });
  throw secondFactorDue(challenge, factors, addSeconds(context.clock.now(), challengeSeconds));
}

/**
 * Does the same work for a login that does not exist: its password is checked against a hash of the same cost that nothing matches, and
 * its failure is written in a transaction of as many statements, so that the time of the answer does not tell the two apart.
 */
async function checkPassword(
  context: PeopleContext,
  found: PersonLogin | null,
  password: string,
  from: Whereabouts & { readonly network: string },
): Promise<Known> {
  const passwordHash =
    found?.passwordHash ?? unmatchableHash(context.people.hashing, context.random);
  const isRight = await verifyPassword(passwordHash, password);
  if (isRight && found?.isActive === true) return found;
  if (found === null) await countUnknownLogin(context, from.network);
  else await recordFailure(context, found, isRight ? "not_usable" : "password", from);
  throw unauthenticated();
}

/** Failures are kept too: who tries whose login is what an Owner wants to see. */
export async function recordFailure(
  context: PeopleContext,
  who: Known,
  failed: string,
  from: Whereabouts,
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
    ...rejection("secondFactorDue", "The password is right; give a code or use a passkey."),
    meta: { challenge, methods: methods.join(","), expired_at: formatTimestamp(expiresAt) },
  });
}
