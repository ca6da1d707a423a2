import { type ContractCode, cellOf, contractOf } from "./account.ts";
import { writeCell } from "./cell-writer.ts";

/** The contract that holds a jetton for its owner. */
export type JettonWalletForm = {
  /** Of the code's cell, 64 hexadecimal digits; of the cell that refers to a library where the code is in one. */
  readonly codeHash: string;
  readonly codeDepth: number;
  /** `tep-74`: the reference contract's data, which contains the code. `stablecoin`: a status, and no code. */
  readonly layout: "tep-74" | "stablecoin";
};

const accountTag = 0b100n;
const statusBits = 4;

/**
 * The account id of an owner's wallet of a jetton, as the jetton's master computes it: the hash of the code and of the data of a wallet
 * without money. No other contract has that address, so no node is needed to find it.
 */
export function jettonWalletOf(
  owner: Uint8Array,
  master: Uint8Array,
  { codeDepth, codeHash, layout }: JettonWalletForm,
): Uint8Array {
  const code: ContractCode = {
    hash: Uint8Array.from(Buffer.from(codeHash, "hex")),
    depth: codeDepth,
  };
  const data = writeCell();
  if (layout === "stablecoin") data.uint(statusBits, 0n);
  // An amount of 0 is its length alone.
  data.uint(4, 0n);
  for (const account of [owner, master]) data.uint(3, accountTag).uint(8, 0n).bytes(account);
  if (layout === "tep-74") data.ref(cellOf(code));
  return contractOf(code, data.cell());
}
