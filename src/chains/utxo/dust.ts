import { present } from "../../platform/kernel/assert.ts";
import type { Payee } from "./output-script.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** The smallest output to this payee that nodes relay, in units. */
export function dustOf(chain: UtxoChain, { kind }: Payee): bigint {
  return present(chain.dustUnits[kind], `dust of ${kind} on ${chain.chain}`);
}
