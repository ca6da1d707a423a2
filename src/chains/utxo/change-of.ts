import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Coin } from "../paying-port.ts";
import { readBody } from "./draft-body.ts";

/** The change outputs of a draft's transaction, as the coins that they are once it is in a block. */
export function changeOf(network: UtxoNetwork, txid: string, body: JsonObject): readonly Coin[] {
  return readBody(network, body).outputs.flatMap(({ units, change }, vout) =>
    change === null ? [] : [{ claim: `${txid}:${vout}`, units, branch: 1 as const, ...change }],
  );
}
