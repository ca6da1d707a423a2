import { type Instant } from "../../platform/kernel/clock.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import type { Principal } from "../principal.ts";
import { verifyPassword } from "../tokens/password-hash.ts";
import { consumeCode } from "./consume-code.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import { limitGuesses } from "./limit-guesses.ts";
import { readPasswordHash } from "./person-login.store.ts";
import { storeConfirmation } from "./person-session.store.ts";
import { confirmedUntil, requirePerson } from "./require-person.ts";
import { recordFailure } from "./sign-in.ts";
import { type PasskeyAnswer, verifyPasskey } from "./sign-in-with-passkey.ts";

/** How a signed-in person proves their identity again. */
export type Proof =
  | { readonly kind: "password"; readonly password: string }
  | { readonly kind: "code"; readonly code: string }
  | ({ readonly kind: "passkey" } & PasskeyAnswer);

/** Confirms the identity of a signed-in person and returns until when that holds. Rejects `invalidValue` and `throttled`. */
export async function confirmPerson(
  context: PeopleContext,
  principal: Principal,
  proof: Proof,
  from: ClientInfo,
): Promise<Instant> {
  const person = requirePerson(principal);
  const confirmedAt = context.clock.now();
  const check = async (): Promise<void> => {
    try {
      await context.db.transaction(async (tx) => {
        if (proof.kind === "password" && !(await isPassword(context, person.familyId, proof)))
          rejectProof("password");
        if (
          proof.kind === "code" &&
          (await consumeCode(tx, context, principal, proof.code)) === null
        )
          rejectProof("code");
        await storeConfirmation(tx, person.familyId, confirmedAt);
      });
    } catch (error) {
      if (error instanceof Rejected) await recordFailure(context, principal, proof.kind, from);
      throw error;
    }
  };
  if (proof.kind === "passkey") {
    const passkey = await verifyPasskey(context, proof, from);
    if (passkey.accountId !== principal.accountId || passkey.memberId !== principal.memberId)
      rejectProof("response");
    await check();
  } else await limitGuesses(context, "code", principal.memberId, check);
  return confirmedUntil(context, { ...person, confirmedAt });
}

async function isPassword(
  context: PeopleContext,
  familyId: string,
  { password }: { readonly password: string },
): Promise<boolean> {
  const hash = await readPasswordHash(context.db, familyId);
  return verifyPassword(hash, password, context.people.hashing, context.random);
}

const proofFaults = {
  password: "Incorrect password.",
  code: "Incorrect or expired code.",
  response: "The passkey was not accepted.",
};

function rejectProof(name: keyof typeof proofFaults): never {
  reject("invalidValue", proofFaults[name], { pointer: `/data/attributes/${name}` });
}
