import type { JsonObject } from "../../../platform/kernel/json.ts";
import { CborError } from "../cbor.ts";
import costModels from "../cost-models.json" with { type: "json" };
import type { Ledger } from "../ledger.ts";
import { referencesOf } from "../pool.ts";
import type { Printable } from "../print-json.ts";
import { code, Refusal } from "../refusal.ts";
import { ScriptFailure } from "../rules.ts";
import { readTransaction, type Transaction } from "../transaction.ts";
import { readTransactionBytes } from "./read-params.ts";

/** The units that the scripts of a transaction use, on the outputs of the chain and the pool. Throws `Refusal`. */
export function evaluate(ledger: Ledger, params: JsonObject): Printable {
  const { additionalUtxo } = params;
  if (Array.isArray(additionalUtxo) && additionalUtxo.length > 0)
    throw new Refusal(code.invalidParams, "This simulated ledger takes no additional outputs.");
  const transaction = decoded(readTransactionBytes(params));
  const references = referencesOf(transaction);
  const unknown = references.filter((reference) => ledger.pool.find(reference) === null);
  if (unknown.length > 0)
    throw new Refusal(code.cannotCreateContext, "The scripts' context cannot be made.", {
      reason: `Unknown transaction input (missing from UTxO set): ${unknown
        .map(({ index, txid }) => `${txid}#${index}`)
        .join(", ")}`,
    });
  const resolved = references.flatMap((reference) => {
    const output = ledger.pool.find(reference);
    return output === null ? [] : [[reference, output] as const];
  });
  const models = [costModels["plutus:v1"], costModels["plutus:v2"], costModels["plutus:v3"]];
  try {
    return ledger.rules.evaluate(transaction, resolved, models);
  } catch (error) {
    if (error instanceof ScriptFailure) throw failed(transaction, error);
    throw error;
  }
}

function decoded(raw: Uint8Array): Transaction {
  try {
    return readTransaction(raw);
  } catch (error) {
    if (error instanceof CborError)
      throw new Refusal(code.invalidParams, "The transaction cannot be decoded.", {
        conway: error.message,
      });
    throw error;
  }
}

/** scalus does not say which script fails, so the first one is named. */
function failed({ redeemers }: Transaction, error: ScriptFailure): Refusal {
  const [first] = redeemers;
  const validator =
    first === undefined
      ? { index: 0, purpose: "spend" }
      : { index: first.index, purpose: first.purpose };
  return new Refusal(code.scriptExecutionFailure, "Scripts of the transaction fail.", [
    {
      validator,
      error: {
        code: 3012,
        message: "The script terminates with an error.",
        data: { validationError: error.message, traces: [] },
      },
    },
  ]);
}
