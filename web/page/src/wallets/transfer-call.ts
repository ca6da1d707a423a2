/** First four bytes of keccak256("transfer(address,uint256)"), EIP-20. */
const transferSelector = "a9059cbb";

export type WalletTransaction = {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly data?: string;
};

/**
 * Builds the EIP-1193 transaction that pays exactly `units` (decimal text of the smallest unit) to an address: a native
 * transfer, or `transfer` of the token's contract. Encoding one selector and two words needs no ABI library.
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
