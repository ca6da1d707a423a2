import type { Payout } from "../../../../../client/src/api-types.gen.ts";
import { api, session } from "../../api/api.ts";
import { type SentRequest, sendRecorded, sentBy } from "../../components/sent-request.ts";
import type { PayoutRequest } from "./payout-request.ts";

/** A payout that was sent from the form. */
export type SentPayout = SentRequest<PayoutRequest>;

/** The name of the signed-in member's recorded request. */
export function sentPayout(): string {
  return sentBy(session.memberId(), "payout");
}

/**
 * Sends a payout and records it in this tab until a definite answer arrives. It may have been sent before, even if the form knows
 * nothing of it: the payout that its key made is then returned. A key belongs to one request, so nothing is paid twice.
 */
export function sendPayout(sent: SentPayout): Promise<Payout> {
  return sendRecorded(sessionStorage, sentPayout(), sent, async ({ key, request }) => {
    const { attributes, relationships } = request;
    const { data } = await api.post("/payout/", {
      idempotencyKey: key,
      isResumed: true,
      // Built by `payoutRequest` from form text; the service validates it.
      ...({ attributes, relationships } as unknown as PayoutInput),
    });
    return data;
  });
}

type PayoutInput = Pick<Parameters<typeof api.post<"/payout/">>[1], "attributes" | "relationships">;
