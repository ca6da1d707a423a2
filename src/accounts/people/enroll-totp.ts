import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { hasFactor, readFactors } from "./factor.store.ts";
import { limitGuesses } from "./limit-guesses.ts";
import { readLoginOfMember } from "./person-login.store.ts";
import { replaceRecoveryCodes } from "./recovery-code.store.ts";
import { assertOwnPassword, requireConfirmed, requirePerson } from "./require-person.ts";
import {
  readTotp,
  removeTotp,
  storeTotp,
  storeTotpConfirmation,
  takeTotpId,
} from "./totp.store.ts";
import { presentTotp, type StoredTotp, stepOfCode, totpContext, totpSecretBytes } from "./totp.ts";

export type NewTotp = {
  readonly totp: StoredTotp;
  /** Base32, to be typed into the app. */
  readonly secret: string;
  readonly uri: string;
};

/** The caller's authenticator app, confirmed or not; null when it has none. Rejects `permissionDenied` for programs. */
export async function findOwnTotp(
  { db }: Pick<PeopleContext, "db">,
  principal: Principal,
): Promise<StoredTotp | null> {
  requirePerson(principal);
  return readTotp(db, principal);
}

/**
 * Starts the enrollment of an authenticator app, which `confirmTotp` finishes. Rejects `confirmationDue`, and `invalidValue` for a
 * member who already has a confirmed app.
 */
export async function enrollTotp(context: PeopleContext, principal: Principal): Promise<NewTotp> {
  assertOwnPassword(requireConfirmed(context, principal));
  const { login } = await readOwnLogin(context, principal);
  const id = await takeTotpId(context.db);
  const bytes = context.random.bytes(totpSecretBytes);
  const totp = {
    id,
    secretSealed: context.seal.seal(bytes, totpContext(id)),
    createdAt: context.clock.now(),
  };
  if (!(await storeTotp(context.db, principal, totp)))
    reject("invalidValue", "An authenticator app is already set up. Remove it first.");
  return { totp: { ...totp, confirmedAt: null }, ...presentTotp(bytes, "Sluice", login) };
}

/** The login of a signed-in person. */
export async function readOwnLogin(
  context: Pick<PeopleContext, "db">,
  { accountId, memberId }: Principal,
): Promise<{ readonly login: string }> {
  const own = await readLoginOfMember(context.db, accountId, memberId);
  return present(own, "the login of a signed-in person");
}

/** Finishes the enrollment with a code of the app. Null when the caller has no such app. Rejects `invalidValue` and `throttled`. */
export async function confirmTotp(
  context: PeopleContext,
  principal: Principal,
  id: string,
  code: string,
): Promise<StoredTotp | null> {
  assertOwnPassword(requireConfirmed(context, principal));
  const found = await readTotp(context.db, principal);
  if (found === null || found.id !== id) return null;
  if (found.confirmedAt !== null) reject("invalidValue", "The app is already confirmed.");
  const at = context.clock.now();
  const secret = context.seal.open(found.secretSealed, totpContext(id));
  await limitGuesses(context, "code", principal.memberId, () =>
    context.db.transaction(async (tx) => {
      const step = stepOfCode(secret, code.replaceAll(/\s/g, ""), at);
      if (step === null || !(await storeTotpConfirmation(tx, principal, id, step, at)))
        reject("invalidValue", "The code is wrong. Check that your phone's clock is correct.", {
          pointer: "/data/attributes/code",
        });
      await recordAudit(tx, {
        by: principal,
        action: "totp.enrolled",
        object: { type: "member", id: principal.memberId },
        summary: {},
        at,
      });
    }),
  );
  return { ...found, confirmedAt: at };
}

/** Removes the app. False when the caller has no such app. Rejects `confirmationDue`. */
export async function removeOwnTotp(
  context: PeopleContext,
  principal: Principal,
  id: string,
): Promise<boolean> {
  requireConfirmed(context, principal);
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const found = await readTotp(tx, principal);
    if (!(await removeTotp(tx, principal, id))) return false;
    // Without a second factor recovery codes have no use.
    if (!hasFactor(await readFactors(tx, principal.accountId, principal.memberId)))
      await replaceRecoveryCodes(tx, principal, []);
    if (found?.confirmedAt !== null)
      await recordAudit(tx, {
        by: principal,
        action: "totp.removed",
        object: { type: "member", id: principal.memberId },
        summary: {},
        at,
      });
    return true;
  });
}
