import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { SpendUnderWay } from "./pipeline.store.ts";

/** What a spend waits for, in words for operators, and whether it does so for longer than it should. Pure. */
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
      return "its outcome to be read again, from two nodes where there are two";
    return `confirmations: ${seen} of ${confirmations}`;
  }
  if (attemptState === "drafted") return "being handed to the signer";
  if (attemptState === "signing") return "the signer's answer";
  if (attemptState === "refused")
    return `a person: the signer refused it (${refusal ?? "no word"})`;
  if (refusal !== null) return `the node to take it: ${refusal}`;
  return attemptState === "signed" ? "being handed to a node" : "a block";
}
