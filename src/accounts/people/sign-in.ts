import { addSeconds, type Instant } from "../../kernel/clock.ts";
import { Rejected, rejection } from "../../kernel/rejection.ts";
import { formatTimestamp } from "../../kernel/timestamp.ts";
import { isAllowedFrom } from "../allowed-network.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { readLogin } from "../credential.store.ts";
import { unmatchableHash, verifyPassword } from "../password-hash.ts";
import { unauthenticated } from "../unauthenticated.ts";
import { challengeSeconds, openChallenge } from "./challenge.ts";
import type { PeopleContext, Whereabouts } from "./context.ts";
import { type Factors, hasFactor, readFactors } from "./factor.store.ts";
import { guarded } from "./guess.ts";
import { openSession, type PersonTokens } from "./open-session.ts";
import { readLoginOfMember, readPersonLogin } from "./person-login.store.ts";

/** Whom a login and password are of. */
type Known = {
  readonly accountId: string;
  readonly memberId: string;
  readonly credentialId: string | null;
};

type Found = Known & { readonly passwordHash: string; readonly isUsable: boolean };

/**
 * Signs a person in by login and password. A program's credential opens the dashboard too, but only while its member has neither a
 * login of their own nor a second factor. Rejects `unauthenticated`, `throttled`, and `secondFactorDue` with the
 * id of a challenge, good for five minutes, in `meta`.
 */
export async function signIn(
  context: PeopleContext,
  { login, password }: { readonly login: string; readonly password: string },
  from: Whereabouts,
): Promise<PersonTokens> {
  const known = await guarded(context, "login", login.toLowerCase(), () =>
    checkPassword(context, login, password, from),
  );
  const factors = await readFactors(context.db, known.accountId, known.memberId);
  if (!hasFactor(factors)) return openSession(context, known, from);
  const challenge = await openChallenge(context, {
    purpose: "second_factor",
    accountId: known.accountId,
    memberId: known.memberId,
    credentialId: known.credentialId,
    expected: null,
  });
  throw secondFactorDue(challenge, factors, addSeconds(context.clock.now(), challengeSeconds));
}

async function checkPassword(
  context: PeopleContext,
  login: string,
  password: string,
  from: Whereabouts,
): Promise<Known> {
  const found = login.includes("\0") ? null : await findLogin(context, login, from);
  const passwordHash =
    found?.passwordHash ?? unmatchableHash(context.people.hashing, context.random);
  const isRight = await verifyPassword(passwordHash, password);
  if (found === null) throw unauthenticated();
  if (isRight && found.isUsable) return found;
  await recordFailure(context, found, isRight ? "not_usable" : "password", from);
  throw unauthenticated();
}

/** A credential is as good as unknown from an address that its allow-list does not name. */
async function findLogin(
  context: PeopleContext,
  login: string,
  from: Whereabouts,
): Promise<Found | null> {
  const own = await readPersonLogin(context.db, login.toLowerCase());
  if (own !== null)
    return {
      accountId: own.accountId,
      memberId: own.memberId,
      credentialId: null,
      passwordHash: own.passwordHash,
      isUsable: own.isActive,
    };
  const credential = await readLogin(context.db, login);
  if (credential === null) return null;
  const { accountId, memberId } = credential;
  const [ownLogin, factors] = await Promise.all([
    readLoginOfMember(context.db, accountId, memberId),
    readFactors(context.db, accountId, memberId),
  ]);
  return {
    accountId,
    memberId,
    credentialId: credential.credentialId,
    passwordHash: credential.passwordHash,
    isUsable:
      ownLogin === null &&
      !hasFactor(factors) &&
      !credential.isRevoked &&
      isAllowedFrom(credential.allowedNetworks, from.ip),
  };
}

/** Failures are kept too: who tries whose login is what an Owner wants to see. */
export async function recordFailure(
  context: PeopleContext,
  who: Pick<Known, "accountId" | "memberId">,
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
