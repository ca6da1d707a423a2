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
    if (seen >= confirmations)
      return "a second reading of its outcome, by two nodes where there are two";
    return `confirmations: ${seen} of ${confirmations}`;
  }
  if (attemptState === "drafted") return "its request to the signer";
  if (attemptState === "signing") return "the signer's answer";
  if (attemptState === "refused")
    return `a person: the signer refused it (${refusal ?? "without a reason"})`;
  if (refusal !== null) return `acceptance by the node: ${refusal}`;
  return attemptState === "signed" ? "its broadcast" : "a block";
}
