import { maxBigInt, minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { EvmChain } from "./evm-chain.ts";
import type { PaymentCall } from "./payment-call.ts";
import { transactionGasMost } from "./sweep-gas.ts";

/** A payment to an account without code runs nothing. */
const plainGas = 21_000n;
/** How much more storing a balance for the first time costs than changing one (EIP-2929: 22,100 instead of 5,000). */
const firstBalanceGas = 17_100n;
/** Used if the node cannot estimate because the paying account holds nothing yet: more than common wallets and tokens use. */
const unestimatedGas = { coin: 60_000n, token: 100_000n };
/** Added for L1 data where the chain counts it as gas. */
const unestimatedDataGas = 200_000n;
/**
 * The most for a payment where the L1 data is not part of its gas. Common wallets and tokens take less than a fifth of it. A receiver's code
 * that takes more works for the receiver, at the expense of the payer or, if it took less when the fee was quoted, of the operator.
 */
export const paymentGasMost = 1_000_000n;

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

export type GasLimit = {
  /** At most what a transaction may have. */
  readonly gas: bigint;
  /** The payment takes more than `paymentGasMost`, or than a transaction may have: it is not made. */
  readonly isTooMuch: boolean;
};

/**
 * A payment's gas limit: 21,000 to an account without code, else the node's estimate plus a fifth, since code may take another
 * path when it runs. Unused gas costs nothing. But nodes refuse a limit above `blockGas` or `transactionGasMost`, and the transaction's nonce
 * would then hold up all later ones of the account.
 */
export function gasLimit(
  call: PaymentCall,
  { dataFee }: EvmChain,
  { blockGas, ...estimates }: GasEstimates & { readonly blockGas: bigint },
): GasLimit {
  const { contract } = call;
  if (isPlain({ contract, code: estimates.code, dataFee }))
    return { gas: plainGas, isTooMuch: false };
  const isDataInGas = dataFee === "inGas";
  const most = transactionGasIn(blockGas);
  const allowed = isDataInGas ? most : minBigInt(paymentGasMost, most);
  const needed = neededGas(call, estimates);
  if (needed !== null) {
    const isTooMuch = needed > allowed;
    return { gas: minBigInt(withMargin(needed), isTooMuch ? most : allowed), isTooMuch };
  }
  const unestimated = contract === null ? unestimatedGas.coin : unestimatedGas.token;
  const gas = isDataInGas ? unestimated + unestimatedDataGas : unestimated;
  return { gas: minBigInt(gas, allowed), isTooMuch: false };
}

/** What the payment takes by the estimates, or null without one. */
function neededGas(
  { contract }: PaymentCall,
  { direct, other }: Omit<GasEstimates, "code">,
): bigint | null {
  if (contract === null) return direct ?? other;
  if (direct === null && other === null) return null;
  return maxBigInt((direct ?? 0n) + (other === null ? firstBalanceGas : 0n), other ?? 0n);
}

/** The most gas that a transaction may have in a block of that gas limit. */
export function transactionGasIn(blockGas: bigint): bigint {
  return minBigInt(transactionGasMost, blockGas);
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
