import { assert, present } from "../../platform/kernel/assert.ts";
import type { UnspentOutputs } from "../port.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { readText, resultOrNull } from "./answer.ts";
import { outpointOf } from "./draft-body.ts";

/** Together with the two tip queries it is one request, which one node answers in order. */
const addressesMax = 98;

const bestBlock = { method: "getbestblockhash", params: [] };

/** See `ChainReader.unspentAmong`. Needs no index. */
export async function readUnspentOutputs(
  rpc: JsonRpc,
  outpoints: readonly string[],
  signal: AbortSignal,
): Promise<UnspentOutputs | null> {
  assert(
    outpoints.length <= addressesMax,
    `no more than ${addressesMax} outputs are asked about at once`,
  );
  const outputs = outpoints.map((outpoint) => {
    const { txid, vout } = outpointOf(outpoint);
    return { method: "gettxout", params: [txid, vout, false] };
  });
  const answers = await rpc.batch([bestBlock, ...outputs, bestBlock], signal);
  const [before, after] = [answers[0], answers.at(-1)].map(hashIn);
  // Missing outputs carry no block hash, so the tip must be the same before and after.
  if (before === undefined || before !== after) return null;
  const there = outpoints.filter(
    (_, index) => resultOrNull(present(answers[index + 1], "an answer")) !== null,
  );
  return { atHash: before, outpoints: new Set(there) };
}

function hashIn(answer: RpcAnswer | undefined): string {
  return readText(resultOrNull(present(answer, "an answer")));
}
