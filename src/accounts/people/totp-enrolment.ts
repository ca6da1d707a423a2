import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { hasFactor, readFactors } from "./factor.store.ts";
import { guarded } from "./guess.ts";
import { readLoginOfMember } from "./person-login.store.ts";
import { replaceRecoveryCodes } from "./recovery-code.store.ts";
import { requireConfirmed, requirePerson } from "./require-person.ts";
import type { StoredTotp } from "./stored-totp.ts";
import {
  readTotp,
  removeTotp,
  storeTotp,
  storeTotpConfirmation,
  takeTotpId,
} from "./totp.store.ts";
import { presentTotp, stepOfCode, totpContext, totpSecretBytes } from "./totp.ts";

export type NewTotp = {
  readonly totp: StoredTotp;
  /** Base32, for typing. */
  readonly secret: string;
  readonly uri: string;
};

/** A member's own authenticator app, confirmed or not; null: there is none. Rejects for programs. */
export async function findOwnTotp(
  { db }: Pick<PeopleContext, "db">,
  principal: Principal,
): Promise<StoredTotp | null> {
  requirePerson(principal);
  return readTotp(db, principal);
}

/**
 * Begins a member's authenticator app: it counts once a code of it was given. Rejects `confirmationDue`, and `invalidValue` while the
 * member has an app already.
 */
export async function enrolTotp(context: PeopleContext, principal: Principal): Promise<NewTotp> {
  requireConfirmed(context, principal);
  const { login } = await readOwnLogin(context, principal);
  const id = present(await takeTotpId(context.db), "a new app's id");
  const bytes = context.random.bytes(totpSecretBytes);
  const totp = {
    id,
    secretSealed: context.seal.seal(bytes, totpContext(id)),
    createdAt: context.clock.now(),
  };
  if (!(await storeTotp(context.db, principal, totp)))
    reject("invalidValue", "An authenticator app is set up already. Remove it first.");
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

/** Makes the app count, by a code of it. Null when there is none of that id. Rejects `invalidValue` and `throttled`. */
export async function confirmTotp(
  context: PeopleContext,
  principal: Principal,
  id: string,
  code: string,
): Promise<StoredTotp | null> {
  requireConfirmed(context, principal);
  const found = await readTotp(context.db, principal);
  if (found === null || found.id !== id) return null;
  if (found.confirmedAt !== null) reject("invalidValue", "The app is confirmed already.");
  const at = context.clock.now();
  const secret = context.seal.open(found.secretSealed, totpContext(id));
  await guarded(context, "code", principal.memberId, () =>
    context.db.transaction(async (tx) => {
      const step = stepOfCode(secret, code.replaceAll(/\s/g, ""), at);
      if (step === null || !(await storeTotpConfirmation(tx, principal, id, step, at)))
        reject(
          "invalidValue",
          "The code is not the app's. Look whether the phone's time is right.",
          {
            pointer: "/data/attributes/code",
          },
        );
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

/** Removes the app. False when there is none of that id. Rejects `confirmationDue`. */
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
    // Without a factor nobody is asked for a recovery code.
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
