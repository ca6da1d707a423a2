import type { Payout } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { isAnswered } from "./is-answered.ts";
import { forgetSent, rememberSent, type SentPayout } from "./payout-draft.ts";

/**
 * Sends a payout, and keeps it on record in this tab until it is answered. `isResumed`: it may have been sent before; then the
 * payout that it made is read, and none is made. One key goes with one document, so nothing is ever paid twice.
 */
export async function sendPayout(sent: SentPayout, isResumed: boolean): Promise<Payout> {
  rememberSent(sessionStorage, sent);
  try {
    const { attributes, relationships } = sent.order;
    const { data } = await api.post("/payout/", {
      idempotencyKey: sent.key,
      isResumed,
      // Made by `orderOf` of what the form asks; the service judges it by its own rules.
      ...({ attributes, relationships } as unknown as PayoutInput),
    });
    forgetSent(sessionStorage);
    return data;
  } catch (error) {
    if (isAnswered(error)) forgetSent(sessionStorage);
    throw error;
  }
}

type PayoutInput = Pick<Parameters<typeof api.post<"/payout/">>[1], "attributes" | "relationships">;
