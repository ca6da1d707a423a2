import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { EvmChain } from "./evm-chain.ts";
import type { PaymentCall } from "./payment-call.ts";

/** A payment to an account without code runs nothing. */
const plainGas = 21_000n;
/** How much more storing a balance for the first time costs than changing one (EIP-2929: 22,100 instead of 5,000). */
const firstBalanceGas = 17_100n;
/** Used if the node cannot estimate because the paying account holds nothing yet: more than common wallets and tokens use. */
const unestimatedGas = { coin: 60_000n, token: 100_000n };
/** Added for L1 data where the chain counts it as gas. */
const unestimatedDataGas = 200_000n;

/**
 * An address that holds nothing: the last 20 bytes of keccak256("sluice newcomer"). A token transfer to it costs the maximum,
 * even if the payee empties his balance later.
 */
export const unusedAddress = "0x276bf2d31084d6497def96696250b80b249e76ca";

export type GasEstimates = {
  readonly code: string;
  /** The payment itself; null if the node cannot estimate it. */
  readonly direct: bigint | null;
  /** The same token to a newcomer; the same call without its coin. */
  readonly other: bigint | null;
};

/**
 * A payment's gas limit: 21,000 to an account without code, else the node's estimate plus a fifth, since code may take another
 * path when it runs. Unused gas costs nothing.
 */
export function gasLimit(
  { contract }: PaymentCall,
  { dataFee }: EvmChain,
  { code, direct, other }: GasEstimates,
): bigint {
  const isDataInGas = dataFee === "inGas";
  if (isPlain({ contract, code, dataFee })) return plainGas;
  if (contract === null) {
    const needed = direct ?? other;
    if (needed !== null) return withMargin(needed);
  } else if (direct !== null || other !== null) {
    return withMargin(
      maxBigInt((direct ?? 0n) + (other === null ? firstBalanceGas : 0n), other ?? 0n),
    );
  }
  const unestimated = contract === null ? unestimatedGas.coin : unestimatedGas.token;
  return isDataInGas ? unestimated + unestimatedDataGas : unestimated;
}

/** Whether a payment needs no estimate. */
export function isPlain(what: {
  readonly contract: string | null;
  readonly code: string;
  readonly dataFee: EvmChain["dataFee"];
}): boolean {
  return what.contract === null && what.code === "0x" && what.dataFee !== "inGas";
}

function withMargin(gas: bigint): bigint {
  return (gas * 6n + 4n) / 5n;
}
