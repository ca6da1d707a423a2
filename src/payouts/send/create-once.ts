import type { Batch, Candidate } from "./open-batches.ts";

/** The address of the account that a payment creates, where only one transaction can create it; null for other payments. */
export type CreatedAccounts = ReadonlyMap<Candidate, string | null>;

/**
 * The same batches, in which only the first one that pays into such an account still does: another transaction that creates it would
 * fail. What is left out waits until the account exists. Pure.
 */
export function createOnce(batches: readonly Batch[], created: CreatedAccounts): readonly Batch[] {
  const taken = new Set<string>();
  return batches.map((batch) => {
    const accountOf = (candidate: Candidate): string | null => created.get(candidate) ?? null;
    const kept = batch.filter((candidate) => !taken.has(accountOf(candidate) ?? ""));
    for (const candidate of kept) {
      const account = accountOf(candidate);
      if (account !== null) taken.add(account);
    }
    return kept;
  });
}
