import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { EvmChain } from "./evm-chains.ts";
import type { PaymentCall } from "./payment-call.ts";

/** A payment to an account without code runs nothing. */
const plainGas = 21_000n;
/** What storing a balance for the first time costs more than changing one (EIP-2929: 22,100 instead of 5,000). */
const firstBalanceGas = 17_100n;
/** Where the node cannot estimate since the account that pays holds nothing yet: above all usual wallets and tokens. */
const unestimatedGas = { coin: 60_000n, token: 100_000n };
/** And for its place on the chain below, where that is counted as gas. */
const unestimatedDataGas = 200_000n;

/**
 * An address that holds nothing: the last 20 bytes of keccak256("sluice newcomer"). A token transfer to it costs the maximum,
 * whatever the payee holds later.
 */
export const unusedAddress = "0x276bf2d31084d6497def96696250b80b249e76ca";

export type GasEstimates = {
  readonly code: string;
  /** The payment itself; null where the node cannot estimate it. */
  readonly direct: bigint | null;
  /** The same token to a newcomer; the same call without its coin. */
  readonly other: bigint | null;
};

/**
 * The gas that a payment is given: 21,000 to an account without code; else what the node estimates and a fifth on top, since
 * code may take another way when it really runs. Gas that is not used costs nothing.
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
