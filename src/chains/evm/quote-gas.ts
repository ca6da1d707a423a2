import type { EvmChain } from "./evm-chain.ts";
import type { EvmNode } from "./evm-node.ts";
import { codeAt, type FeeHeader, gasFor, latestFeeHeader } from "./fee-questions.ts";
import type { PaymentCall } from "./payment-call.ts";
import { type GasLimit, gasLimit, isPlain } from "./payment-gas.ts";
import { answered, estimated, otherCall } from "./probe-payment.ts";

/** What a payment's fee depends on. */
export type QuotedGas = { readonly header: FeeHeader; readonly limit: GasLimit };

/**
 * The gas limit of a payment, as `probePayment` finds it, and the newest header. Asks a node only for what a quote needs: estimates run the
 * payment, and most receivers of coins are accounts without code, which need none. Throws `Unavailable` like `probePayment`.
 */
export async function quoteGas(
  node: EvmNode,
  record: EvmChain,
  from: string,
  call: PaymentCall,
  signal: AbortSignal,
): Promise<QuotedGas> {
  const quick = await quotePlain(node, record, call, signal);
  if (quick !== null) return quick;
  const [header, code, direct, other] = await node.askEach(
    [latestFeeHeader, codeAt(call.to), gasFor(from, call), gasFor(from, otherCall(call))],
    signal,
  );
  const newest = answered(node, "eth_getBlockByNumber", header);
  const estimates = {
    blockGas: newest.gasLimit,
    code: answered(node, "eth_getCode", code),
    direct: estimated(node, direct),
    other: estimated(node, other),
  };
  return {
    header: newest,
    limit: gasLimit(call, record, estimates),
  };
}

/** Null for a payment that needs an estimate. */
async function quotePlain(
  node: EvmNode,
  record: EvmChain,
  call: PaymentCall,
  signal: AbortSignal,
): Promise<QuotedGas | null> {
  const { contract } = call;
  const { dataFee } = record;
  if (!isPlain({ contract, code: "0x", dataFee })) return null;
  const [header, code] = await node.askAll([latestFeeHeader, codeAt(call.to)], signal);
  if (!isPlain({ contract, code, dataFee })) return null;
  const known = { code, blockGas: header.gasLimit, direct: null, other: null };
  return { header, limit: gasLimit(call, record, known) };
}
