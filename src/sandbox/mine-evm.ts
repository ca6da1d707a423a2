import type { JsonRpc } from "../chains/rpc/json-rpc.ts";
import { RpcError } from "../chains/rpc/node-error.ts";

type Queued = Readonly<Record<string, Readonly<Record<string, { readonly hash: string }>>>>;

/** Mines `count` blocks on Anvil, and lets it notice which queued transactions are next. */
export async function mineBlocks(rpc: JsonRpc, count: number, signal: AbortSignal): Promise<void> {
  await rpc.callOnce("anvil_mine", [quantity(count)], signal);
  const { queued } = await rpc.call<{ readonly queued: string }>("txpool_status", [], signal);
  if (Number(queued) > 0) await sendNextAgain(rpc, signal);
}

/**
 * Anvil takes a transaction from its queue when one with the nonce before it is sent or mined (seen with 1.7.1). A transaction with an
 * authorization of its own sender uses two nonces, and none has the second one: what was sent behind it would wait forever. Geth
 * compares with the account's nonce after each block.
 */
async function sendNextAgain(rpc: JsonRpc, signal: AbortSignal): Promise<void> {
  const { queued } = await rpc.call<{ readonly queued: Queued }>("txpool_content", [], signal);
  for (const [sender, byNonce] of Object.entries(queued)) {
    const next = await rpc.call<string>("eth_getTransactionCount", [sender, "latest"], signal);
    if (byNonce[String(Number(next))] === undefined) continue;
    const waiting = Object.entries(byNonce).toSorted(
      ([one], [other]) => Number(one) - Number(other),
    );
    const sent: string[] = [];
    for (const [, { hash }] of waiting) {
      const raw = await rpc.call<string | null>("eth_getRawTransactionByHash", [hash], signal);
      if (raw !== null) sent.push(raw);
    }
    // `anvil_dropTransaction` leaves what is queued.
    await rpc.callOnce("anvil_removePoolTransactions", [sender], signal);
    for (const raw of sent) await sendAgain(rpc, raw, signal);
  }
}

/** Ignores transactions that are no longer valid (nonce used, already pending). */
export async function sendAgain(rpc: JsonRpc, raw: string, signal: AbortSignal): Promise<void> {
  try {
    await rpc.callOnce("eth_sendRawTransaction", [raw], signal);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
