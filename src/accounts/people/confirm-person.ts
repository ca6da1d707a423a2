import { type Instant } from "../../platform/kernel/clock.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import type { Principal } from "../principal.ts";
import { verifyPassword } from "../tokens/password-hash.ts";
import type { PeopleContext, Whereabouts } from "./context.ts";
import { guarded } from "./guess.ts";
import { readPasswordHash } from "./person-login.store.ts";
import { storeConfirmation } from "./person-session.store.ts";
import { useCode } from "./prove-code.ts";
import { confirmedUntil, requirePerson } from "./require-person.ts";
import { recordFailure } from "./sign-in.ts";
import { type PasskeyAnswer, provePasskey } from "./use-passkey.ts";

/** What a signed-in person proves who they are by. */
export type Proof =
  | { readonly kind: "password"; readonly password: string }
  | { readonly kind: "code"; readonly code: string }
  | ({ readonly kind: "passkey" } & PasskeyAnswer);

/** Takes a proof again, for what asks for it within the next minutes; until when. Rejects `invalidValue` and `throttled`. */
export async function confirmPerson(
  context: PeopleContext,
  principal: Principal,
  proof: Proof,
  from: Whereabouts,
): Promise<Instant> {
  const person = requirePerson(principal);
  const confirmedAt = context.clock.now();
  const check = async (): Promise<void> => {
    try {
      await context.db.transaction(async (tx) => {
        if (proof.kind === "password" && !(await isPassword(context, person.familyId, proof)))
          refuse("password");
        if (proof.kind === "code" && (await useCode(tx, context, principal, proof.code)) === null)
          refuse("code");
        await storeConfirmation(tx, person.familyId, confirmedAt);
      });
    } catch (error) {
      if (error instanceof Rejected) await recordFailure(context, principal, proof.kind, from);
      throw error;
    }
  };
  if (proof.kind === "passkey") {
    const passkey = await provePasskey(context, proof, from);
    if (passkey.accountId !== principal.accountId || passkey.memberId !== principal.memberId)
      refuse("response");
    await check();
  } else await guarded(context, "code", principal.memberId, check);
  return confirmedUntil(context, { ...person, confirmedAt });
}

async function isPassword(
  context: PeopleContext,
  familyId: string,
  { password }: { readonly password: string },
): Promise<boolean> {
  const hash = await readPasswordHash(context.db, familyId);
  return hash !== null && (await verifyPassword(hash, password));
}

function refuse(name: "password" | "code" | "response"): never {
  reject("invalidValue", "This does not prove who you are.", {
    pointer: `/data/attributes/${name}`,
  });
}
