/* What an EIP-1193 wallet is asked to send. Written by hand, as it is one selector and two words. */

/** First four bytes of keccak256("transfer(address,uint256)"), EIP-20. */
const transferSelector = "a9059cbb";

export type WalletTransaction = {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly data?: string;
};

/**
 * The transaction that pays exactly `units` (decimal text of the smallest unit) to an address: a native transfer, or
 * `transfer` of the token's contract.
 */
export function transferCall(
  from: string,
  to: string,
  units: string,
  token: string | null,
): WalletTransaction {
  const amount = BigInt(units).toString(16);
  if (token === null) return { from, to, value: `0x${amount}` };
  const payee = to.slice(2).toLowerCase().padStart(64, "0");
  return {
    from,
    to: token,
    value: "0x0",
    data: `0x${transferSelector}${payee}${amount.padStart(64, "0")}`,
  };
}
