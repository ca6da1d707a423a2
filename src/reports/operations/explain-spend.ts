import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { SpendUnderWay } from "./pipeline.store.ts";

/** What a spend waits for, as a phrase for operators, and whether it waits longer than it should. Pure. */
export function explainSpend(
  spend: SpendUnderWay,
  tip: number | null,
  stuckAfterSeconds: number,
  now: Instant,
): { readonly waitsFor: string; readonly ageSeconds: number; readonly isStuck: boolean } {
  const ageSeconds = Math.max(0, Math.floor(secondsBetween(spend.createdAt, now)));
  return {
    ageSeconds,
    waitsFor: waitsFor(spend, tip),
    isStuck: spend.state === "open" && ageSeconds >= stuckAfterSeconds,
  };
}

function waitsFor(spend: SpendUnderWay, tip: number | null): string {
  const { state, attemptState, refusal, confirmations, blockHeight } = spend;
  if (state === "included") {
    const seen = blockHeight === null || tip === null ? 0 : Math.max(tip - blockHeight + 1, 0);
    if (seen >= confirmations) return "a second check of the result";
    return `confirmations: ${seen} of ${confirmations}`;
  }
  if (attemptState === "drafted") return "signing";
  if (attemptState === "signing") return "the signer's response";
  if (attemptState === "refused")
    return `manual action: the signer rejected it (${refusal ?? "without a reason"})`;
  if (refusal !== null) return `acceptance by the node: ${refusal}`;
  return attemptState === "signed" ? "broadcast" : "a block";
}
