import { assert } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { toDate } from "../../platform/kernel/timestamp.ts";
import { encode } from "./cbor.ts";
import type { PrintableObject } from "./print-json.ts";
import {
  encodableReference,
  type Output,
  type OutputReference,
  type Transaction,
} from "./transaction.ts";

export type Resolved = readonly (readonly [OutputReference, Output])[];

/** The ledger's rules as scalus has them. */
export type Rules = {
  /** What is wrong with a transaction in a slot, in the words of scalus; null if nothing is. */
  readonly faultOf: (transaction: Transaction, resolved: Resolved, slot: number) => string | null;
  /** The units that each script uses, in the order of their purposes. Throws `ScriptFailure`. */
  readonly evaluate: (
    transaction: Transaction,
    resolved: Resolved,
    costModels: readonly (readonly number[])[],
  ) => readonly PrintableObject[];
};

/** A script that fails, or that cannot be run. */
export class ScriptFailure extends Error {
  override readonly name = "ScriptFailure";
}

type ScalusModule = typeof import("scalus");
/** The names that the package exports, which its declarations put apart from where it has them. */
type Scalus = Pick<ScalusModule, "Emulator" | "SlotConfig" | "Scalus">;

/** Loads scalus (0.4 s and 80 MB of memory), which nothing needs unless this ledger runs. `startTime` is that of slot 0. */
export async function loadRules(startTime: Instant): Promise<Rules> {
  const { default: scalus } = (await import("scalus")) as unknown as { readonly default: Scalus };
  const slots = new scalus.SlotConfig(toDate(startTime).getTime(), 0, 1_000);
  return {
    // A state of what the transaction refers to is enough, and costs nothing to build: 200 of them take 2 ms.
    faultOf: (transaction, resolved, slot) => {
      const emulator = new scalus.Emulator(encodeOutputs(resolved), slots);
      emulator.setSlot(slot);
      const result = caught(() => emulator.submitTx(transaction.raw));
      if (typeof result === "string") return result;
      if (!result.isSuccess) return result.error ?? "scalus does not say why";
      assert(result.txHash === transaction.id, "the id that scalus computes");
      return null;
    },
    evaluate: (transaction, resolved, costModels) => {
      const models = costModels.map((model) => [...model]);
      const result = caught(() =>
        scalus.Scalus.evalPlutusScripts(transaction.raw, encodeOutputs(resolved), slots, models),
      );
      if (typeof result === "string") throw new ScriptFailure(result);
      return result.map(({ budget, index, tag }) => ({
        validator: { purpose: tag.toLowerCase(), index },
        budget: { memory: budget.memory, cpu: budget.steps },
      }));
    },
  };
}

function encodeOutputs(resolved: Resolved): Uint8Array {
  return encode(
    new Map(
      resolved.map(([reference, { raw }]) => [encodableReference(reference), { raw }] as const),
    ),
  );
}

/** The result, or the message of what was thrown: scalus also throws values that are no errors. */
function caught<Result>(call: () => Result): Result | string {
  try {
    return call();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
