import type { Target } from "../engine/target.ts";
import { addressTargets } from "./addresses.ts";
import { configurationTargets } from "./configuration.ts";
import { evmNodeTargets } from "./evm-nodes.ts";
import { jsonRpcTargets } from "./json-rpc.ts";
import { rateTargets } from "./rates.ts";
import { requestTargets } from "./requests.ts";
import { signerTargets } from "./signer.ts";
import { tronNodeTargets } from "./tron-nodes.ts";
import { utxoNodeTargets } from "./utxo-nodes.ts";
import { xrplNodeTargets } from "./xrpl-nodes.ts";

/** Every parser that is fuzzed. */
export const targets: readonly Target[] = [
  ...jsonRpcTargets,
  ...utxoNodeTargets,
  ...evmNodeTargets,
  ...tronNodeTargets,
  ...xrplNodeTargets,
  ...addressTargets,
  ...rateTargets,
  ...requestTargets,
  ...signerTargets,
  ...configurationTargets,
];
