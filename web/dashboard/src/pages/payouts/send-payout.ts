import type { Payout } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { isDefiniteAnswer } from "./is-definite-answer.ts";
import { forgetSent, rememberSent, type SentPayout } from "./sent-payout.ts";

/**
 * Sends a payout and records it in this tab until a definite answer arrives. `isResumed` means that it may have been sent before: a
 * payout that already exists is returned. A key belongs to one request, so nothing is paid twice.
 */
export async function sendPayout(sent: SentPayout, isResumed: boolean): Promise<Payout> {
  rememberSent(sessionStorage, sent);
  try {
    const { attributes, relationships } = sent.request;
    const { data } = await api.post("/payout/", {
      idempotencyKey: sent.key,
      isResumed,
      // Built by `payoutRequest` from form text; the service validates it.
      ...({ attributes, relationships } as unknown as PayoutInput),
    });
    forgetSent(sessionStorage);
    return data;
  } catch (error) {
    if (isDefiniteAnswer(error)) forgetSent(sessionStorage);
    throw error;
  }
}

type PayoutInput = Pick<Parameters<typeof api.post<"/payout/">>[1], "attributes" | "relationships">;
