import type { KeyObject } from "node:crypto";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { JsonValue } from "../platform/kernel/json.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import {
  type ChainSigner,
  DraftRefused,
  type InspectedDraft,
  type LentKeys,
} from "./draft-signer.ts";
import {
  approvalMessage,
  type SignedSpend,
  type SignRequest,
  type SpendIntent,
  verifyApproval,
} from "./intent.ts";

/** The signer signs nothing: a final answer, with the reason for operators. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Whether the spend was signed for this request; the formatting of its JSON does not matter. */
export function isSameRequest(spend: SignedSpend, { intent, body, claims }: SignRequest): boolean {
  return (
    sortedText([...spend.claims].sort()) === sortedText([...claims].sort()) &&
    sortedText(spend.body) === sortedText(body) &&
    sortedText(essence(spend.intent)) === sortedText(essence(intent))
  );
}

/** Leaves out what may differ for the same bytes: the signature of a rotated approval key, and a raised ceiling. */
function essence(intent: SpendIntent): JsonValue {
  const rest: SpendIntent = { ...intent, feeCeiling: "" };
  if (rest.kind !== "payout") return rest;
  const payouts = rest.payouts
    .map((payout) => ({ ...payout, approval: "" }))
    .sort((a, b) => (a.payoutId < b.payoutId ? -1 : 1));
  return { ...rest, payouts };
}

/** JSON text with sorted members. */
function sortedText(value: JsonValue): string {
  return JSON.stringify(value, (_name, member: JsonValue) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Throws `Refusal` unless each payout belongs to this chain and was approved, exactly as given, by one of the keys. */
export function assertApproved(intent: SpendIntent, keys: readonly KeyObject[]): void {
  if (intent.kind !== "payout") return;
  for (const payout of intent.payouts) {
    if (payout.chain !== intent.chain) {
      throw new Refusal(`payout ${payout.payoutId} belongs to another chain: ${payout.chain}`);
    }
    if (!verifyApproval(keys, payout)) {
      throw new Refusal(`payout ${payout.payoutId} is not approved in this form`);
    }
  }
}

/**
 * Decodes the draft. Throws `Refusal` or `DraftRefused` if it differs from the intent, burns too much, uses other claims than
 * the request names, or cannot be read.
 */
export function inspectDraft(
  signer: ChainSigner,
  { intent, body, claims }: SignRequest,
  keys: LentKeys,
  logger: Logger,
): InspectedDraft {
  const draft = inspect();
  const found = new Set(draft.claims);
  const isSame = found.size === claims.length && claims.every((claim) => found.has(claim));
  if (!isSame) throw new Refusal("the draft's claims differ from those of the request");
  if (claims.length === 0 && draft.validity === undefined) {
    throw new Refusal("claims nothing and never expires, so nothing would ever rule it out");
  }
  if (draft.feeUnits > BigInt(intent.feeCeiling)) {
    throw new Refusal(`burns up to ${draft.feeUnits}, above ${intent.feeCeiling}`);
  }
  return draft;

  function inspect(): InspectedDraft {
    try {
      return signer.inspect(body, intent, keys);
    } catch (error) {
      if (error instanceof DraftRefused) throw error;
      // Whatever makes the decoder throw is not a draft. The decoder's message may quote the draft.
      logger.warn("a draft cannot be read", { chain: signer.chain, error: errorMessage(error) });
      throw new Refusal("the draft cannot be read");
    }
  }
}

/**
 * Throws `Refusal` unless the draft shares a claim with every one of `rivals`: everything ever signed for the same spend or for
 * one of its payouts. The chain then accepts at most one of them. A payout that was signed before keeps its receiver, asset and
 * amount. So what claims nothing is signed once: the signer sees no chain, and cannot know that the first transaction expired
 * unused. What claims only what the chain forgets is signed once as well: by then the first transaction may have been included.
 */
export function assertSharesClaims(
  request: SignRequest,
  { areClaimsForgotten }: Pick<InspectedDraft, "areClaimsForgotten">,
  rivals: readonly SignedSpend[],
): void {
  const claims = new Set(request.claims);
  const messages = messagesOf(request.intent);
  for (const rival of rivals) {
    if (areClaimsForgotten === true) {
      throw new Refusal(
        `${rival.txid} was signed for the same ${rival.kind}, and the chain forgets what it claims: both could be included`,
      );
    }
    const isTied =
      rival.chain === request.intent.chain && rival.claims.some((claim) => claims.has(claim));
    if (!isTied) {
      throw new Refusal(
        `shares no claim with ${rival.txid}, which was signed for the same ${rival.kind}: both could be mined`,
      );
    }
    for (const [payoutId, message] of messagesOf(rival.intent)) {
      const now = messages.get(payoutId);
      if (now !== undefined && now !== message) {
        throw new Refusal(`payout ${payoutId} was signed for another receiver, asset or amount`);
      }
    }
  }
}

/** What each payout's approval covers, by payout id. */
function messagesOf(intent: SpendIntent): ReadonlyMap<string, string> {
  const payouts = intent.kind === "payout" ? intent.payouts : [];
  return new Map(
    payouts.map((payout) => [payout.payoutId, Buffer.from(approvalMessage(payout)).toString()]),
  );
}
